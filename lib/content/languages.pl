#!/usr/bin/perl
# languages.pl FILE: the tables of lang.c as C, from languages.txt, which explains its lines. The
# build ends, with file and line, at a line that is not of their form, at a subtag that is there
# twice, and at a text that does not fit its place.
use strict;
use warnings;

my ($path) = @ARGV;
my (%two, %three, %region, %seen, @languages, @scripts, @parts, @instead);

# Adds the bit of the last letter to the number that the letters before it lead to.
sub add {
	my ($bits, $subtag) = @_;
	my ($stem, $last) = lc($subtag) =~ /^(.*)(.)$/;
	$bits->{$stem} |= 1 << (ord($last) - ord 'a');
}

my %read = (
	two => sub {
		my ($tag, $three, $library, $name) = $_[0] =~ /^([a-z]{2})(?: ([a-z]{3}) ([a-z]{3}|-) (.{1,19}))?$/
			or return;
		add(\%two, $tag);
		push @languages, [$tag, $three, $library eq '-' ? '' : $library, $name] if defined $three;
		return $tag;
	},
	three => sub {
		my @tags = split / /, $_[0];
		return if grep { !/^[a-z]{3}$/ } @tags;
		add(\%three, $_) for @tags;
		return @tags;
	},
	script => sub {
		my @tags = split / /, $_[0];
		return if grep { !/^[A-Z][a-z]{3}$/ } @tags;
		push @scripts, @tags;
		return @tags;
	},
	region => sub {
		my @tags = split / /, $_[0];
		return if grep { !/^(?:[A-Z]{2}|[0-9]{3})$/ } @tags;
		add(\%region, $_) for grep { /[A-Z]/ } @tags;
		push @parts, grep { /[0-9]/ } @tags;
		return @tags;
	},
	instead => sub {
		my ($wrong, $right) = $_[0] =~ /^(\S{1,9}) ([A-Za-z-]{2,5})$/ or return;
		push @instead, [$wrong, $right];
		return $wrong;
	},
);

open my $file, '<', $path or die "$path: $!\n";
while (my $line = <$file>) {
	chomp $line;
	next if $line eq '' || $line =~ /^#/;
	my ($kind, $rest) = $line =~ /^(\w+) (.+)$/;
	my @tags = defined $kind && $read{$kind} ? $read{$kind}->($rest) : ();
	die "$path:$.: the line has not the form that the head of the file explains\n" if !@tags;
	for my $tag (@tags) {
		die "$path:$.: $tag is there twice\n" if $seen{"$kind $tag"}++;
	}
}
close $file or die "$path: $!\n";

sub row {
	my ($bits, $stem) = @_;
	return join(', ', map { sprintf '0x%x', $bits->{"$stem$_"} // 0 } 'a' .. 'z');
}
sub rows {
	my ($declaration, @fields) = @_;
	print "static const $declaration\[] = {\n";
	print "\t{ ", join(', ', map { "\"$_\"" } @$_), " },\n" for @fields;
	print "};\n";
}

print "static const uint32_t subtag_two[26] = { ", row(\%two, ''), " };\n";
print "static const uint32_t subtag_three[26][26] = {\n";
print "\t{ ", row(\%three, $_), " },\n" for 'a' .. 'z';
print "};\n";
print "static const uint32_t subtag_region[26] = { ", row(\%region, ''), " };\n";
print "static const char subtag_scripts[] = \"", join('', @scripts), "\";\n";
print "static const char subtag_parts[] = \"", join('', @parts), "\";\n";
rows('struct language languages', @languages);
rows('struct mistake mistakes', @instead);
