#!/usr/bin/perl
# phrases.pl FILE...: the table of provider-outline's languages (phrases.h) as C, from one file
# for each language, phrases/TAG.txt. A line is the name of a member, a space and its text; a
# member that is an array has a line for each element, and `stop` has as many as it likes. The
# build ends, with file and line, at a name that is not known and at a member that is missing.
use strict;
use warnings;

my @single = qw(overview about summary description angle audience bare todo_title todo todo_bare
	todo_angle todo_audience todo_keywords todo_order todo_questions reading reading_own
	reading_sources see cover_alt);
my %single = map { ($_ => 1) } @single;
my %count = (part => 4, point => 12, part_todo => 4, lead => 4, question => 4);

sub quoted {
	my ($text) = @_;
	return '"' . ($text =~ s/([\\"])/\\$1/gr) . '"';
}

# Reads a file into { member => text } and { array => [texts] }.
sub read_language {
	my ($path) = @_;
	my (%text, %list, @stop);

	open my $file, '<', $path or die "$path: $!\n";
	while (my $line = <$file>) {
		chomp $line;
		next if $line eq '';
		my ($name, $value) = $line =~ /^(\w+) (.+)$/ or die "$path:$.: a line is a name and a text\n";
		if ($name eq 'quotes') {
			@text{qw(open close)} = $value =~ /^(.*)\{\}(.*)$/ or die "$path:$.: quotes need {}\n";
		} elsif ($name eq 'stop') {
			push @stop, split / /, $value;
		} elsif ($count{$name}) {
			push @{ $list{$name} }, $value;
		} elsif ($single{$name} && !defined $text{$name}) {
			$text{$name} = $value;
		} else {
			die "$path:$.: '$name' is not known, or is there twice\n";
		}
	}
	for my $name (qw(open close), @single) {
		die "$path: '$name' is missing\n" if !defined $text{$name};
	}
	for my $name (sort keys %count) {
		my $found = @{ $list{$name} // [] };
		die "$path: $found lines '$name', $count{$name} are needed\n" if $found != $count{$name};
	}
	return (\%text, \%list, \@stop);
}

print "static const struct phrases list[] = {\n";
# The longer tag comes first: "zh" matches "zh-Hant", too.
my %path = map { (m{([\w-]+)\.txt$} ? $1 : die "$_ is not TAG.txt\n") => $_ } @ARGV;
for my $tag (reverse sort keys %path) {
	my ($text, $list, $stop) = read_language($path{$tag});
	print "\t{\n\t    .tag = \"$tag\",\n";
	print "\t    .$_ = ", quoted($text->{$_}), ",\n" for 'open', 'close', @single;
	print "\t    .parts = {\n";
	for my $part (0 .. 3) {
		my @points = map { quoted($_) } @{ $list->{point} }[3 * $part .. 3 * $part + 2];
		print "\t\t{ ", quoted($list->{part}[$part]), ', { ', join(', ', @points), ' }, ',
			quoted($list->{part_todo}[$part]), " },\n";
	}
	print "\t    },\n";
	print "\t    .leads = { ", join(', ', map { quoted($_) } @{ $list->{lead} }), " },\n";
	print "\t    .questions = { ", join(', ', map { quoted($_) } @{ $list->{question} }), " },\n";
	print "\t    .stop = ", quoted(" @$stop "), ",\n" if @$stop;
	print "\t},\n";
}
print "};\n";
