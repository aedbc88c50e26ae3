#!/usr/bin/perl
# What a comment or a document refers to is there: a section of a document (docs/design.md
# §4.17), and a file that is named by its path.
use strict;
use warnings;

use Test::More;

sub slurp {
	my ($path) = @_;
	open my $file, '<', $path or die "$path: $!";
	local $/;
	return scalar <$file>;
}

my @files = grep { -f && -T && !m{^tests/(?:fixtures|fuzz/corpus)/} && !m{\.patch$} }
	split /\n/, `git ls-files`;
BAIL_OUT('git lists no files') if !@files;

# ---- sections

# The numbers of a document's headings, and those of numbered items below them.
my %sections;
sub sections {
	my ($document) = @_;
	return $sections{$document} //= do {
		my ($number, %all);
		for my $line (-e $document ? split /\n/, slurp($document) : ()) {
			$number = $1, $all{$1} = 1 if $line =~ /^#+ ([\d.]*\d)\.? /;
			$all{"$number.$1"} = 1 if defined $number && $line =~ /^(\d+)\. /;
			$all{"$number.$1"} = 1 if defined $number && $line =~ /^\| ([A-Z]\d+) /;
		}
		\%all;
	};
}

my (@wrong, @old);
my $seen = 0;
for my $path (@files) {
	my $text = slurp($path);
	# A reference may be broken into two lines of a comment.
	$text =~ s/\n\s*(?:\*|#|--|\/\/)?[ \t]*/ /g;
	while ($text =~ m{(docs/\w+\.md)`?,? ((?:§){1,2}\s?([\d.]*\d)(?:(?:, (?:§)?| and (?:§)?| to (?:§)?)([\d.]*\d)\b)?)}g) {
		my ($document, @numbers) = ($1, grep { defined } $3, $4);
		for my $number (@numbers) {
			$seen++;
			next if sections($document)->{$number};
			push @wrong, "$path: $document §$number";
		}
	}
	push @old, "$path: $1" if $path ne 'tests/house/references-exist.t'
		&& $text =~ m{((?<![\w/])(?:design|spec|export|platform|speed|style)(?:\.md)? §\s?\d|(?<![\w/.-])(?:spec|platform|style)\.md)};
}
cmp_ok $seen, '>', 150, 'sections are referred to';
is_deeply \@wrong, [], 'and each is there';
is_deeply \@old, [], 'no document is named that is not in the tree';

# ---- files

# Floors are named without lib/ in comments.
my $floors = join '|', map { s{^lib/|/$}{}gr } glob 'lib/*/';
my @missing;
for my $path (grep { m{\.(?:c|h|md|sql|pm|sh|mk)$|^Makefile$} } @files) {
	next if $path eq 'NEWS.md';
	for my $line (split /\n/, slurp($path)) {
		while ($line =~ m{(?<![\w/.\$()@%*<>{}-])((?:$floors|lib|cgi-bin|bin|tests|docs|db|musl|apache-conf|examples|clients)/[\w/.-]*\w\.(?:c|h|md|sql|t|pl|pm|sh|mk|ld))\b}g) {
			my $named = $1;
			next if -e $named || -e "lib/$named" || $named =~ /NNNN|NAME|FILE|NOUN/;
			push @missing, "$path: $named";
		}
	}
}
is_deeply \@missing, [], 'each file that is named by its path is there';
done_testing;
