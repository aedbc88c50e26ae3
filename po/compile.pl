#!/usr/bin/perl
# compile.pl [--pseudo] [--whole] [PO...] -- [C...]
#
# Prints a C header with the languages of the interface, from catalogues (PO) and the texts of the
# code (C): for each language a function that names the form of a number of things, and one array
# of bytes, without a pointer in it:
#
#	count, forms, count × (English, translation)
#
# all of 32 bits, little end first; English and translation are offsets of texts that end with
# NUL, and a translation with forms is all of them, one behind the other. The texts are sorted by
# their English bytes. --pseudo adds the pseudo-language (Pseudo.pm). With --whole a text that
# a language does not have is an error, else it stays English.
use strict;
use warnings;

use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Catalogue qw(texts_of read_po directives);
use Pseudo;

binmode STDOUT, ':encoding(UTF-8)';
my ($pseudo, $whole, @po);
while (@ARGV) {
	my $word = shift @ARGV;
	last if $word eq '--';
	$word eq '--pseudo' ? $pseudo = 1 : $word eq '--whole' ? $whole = 1 : push @po, $word;
}
my $texts = @po || $pseudo ? texts_of(@ARGV) : {};

my (@rows, %tags);
sub language {
	my ($po, $path) = @_;
	my ($tag, $name) = map { $po->{header}{$_} // die "$path: there is no header $_\n" }
		'Language', 'X-Language-Name';
	$tag =~ tr/_/-/;
	die "$path: $tag is no language tag, or is there twice\n"
		if $tag !~ /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/ || $tags{$tag}++;
	my ($forms, $rule) = ($po->{header}{'Plural-Forms'} // '')
		=~ /^nplurals\s*=\s*([1-6])\s*;\s*plural\s*=\s*([n0-9 ()?:!=<>&|%+*-]+);?\s*$/
		or die "$path: there are no Plural-Forms\n";
	my (@pairs, @wrong);
	for my $english (sort keys %$texts) {
		my $t = $texts->{$english};
		my @said = @{ $po->{texts}{$english} // [] };
		if (!@said || grep { $_ eq '' } @said) {
			push @wrong, "is not translated: $english" if $whole;
			next;
		}
		push @wrong, "has not $forms forms: $english"
			if @said != (defined $t->{many} ? $forms : 1);
		push @wrong, "has other directives: $english" if grep { directives($_)
			ne directives($t->{many} // $english) } @said;
		push @pairs, [$english, @said];
	}
	die map { "$path: $_\n" } @wrong if @wrong;
	push @rows, row($tag, $name, $forms, $rule, @pairs);
}

sub row {
	my ($tag, $name, $forms, $rule, @pairs) = @_;
	my ($id, $at, $bytes, @offsets) = ($tag =~ tr/-/_/r, 8 + 8 * @pairs, '');
	for my $pair (@pairs) {
		utf8::encode(my $english = shift @$pair);
		utf8::encode(my $said = join "\0", @$pair);
		push @offsets, [$english, $at + length $bytes,
			$at + length($bytes) + length($english) + 1];
		$bytes .= "$english\0$said\0";
	}
	my $all = pack('V2', scalar @pairs, $forms)
		. join('', map { pack 'V2', @$_[1, 2] } sort { $a->[0] cmp $b->[0] } @offsets) . $bytes;
	# One string: tools that read a hundred thousand numbers take minutes.
	print "static const unsigned char texts_$id\[] =\n", (map { "	\"$_\"\n" }
		map { join '', map { sprintf '\\x%02x', $_ } unpack 'C*', $_ } unpack '(a24)*', $all), "	;\n\n",
		"static unsigned long\nform_$id(unsigned long n)\n{\n	(void)n;\n	return ",
		"(unsigned long)($rule);\n}\n\n";
	utf8::encode(my $plain = $name);
	return sprintf '	{ "%s", "%s", texts_%s, form_%s }, \\', $tag,
		join('', map { sprintf '\\%03o', ord } split //, $plain), $id, $id;
}

print "/* Made by po/compile.pl. */\n\n";
language(read_po($_), $_) for sort @po;
language(Pseudo::catalogue($texts), 'the pseudo-language') if $pseudo;
print "#define TRANSLATIONS \\\n", (map { "$_\n" } @rows), "\n";
