#!/usr/bin/perl
# The English of comments, documents and sentences for people is that of HACKING.md ("How we
# write"): words that strangers stumble over are not used.
use strict;
use warnings;

use Test::More;

sub slurp {
	my ($path) = @_;
	open my $file, '<', $path or die "$path: $!";
	local $/;
	return scalar <$file>;
}

# A word that is not used, and what is written instead.
my @words = (
	[qr/\banew\b/i => 'again'],
	[qr/\bmend(?:s|ed|ing)?\b/i => 'fix'],
	[qr/\b(?:come|comes|came|coming) by\b/i => 'is read, is reached, passes'],
	[qr/\bis had\b/i => 'is held'],
	[qr/\bwhoever\b/i => 'the person, the program, the caller'],
	[qr/\bwhat it is that\b/i => 'what'],
	[qr/\bof nobody\b/i => 'outside a transaction'],
	[qr/\bblanks?\b/i => 'space, empty'],
	[qr/\b(?:stands|stood) (?:in|at|on|there|before|behind|for|beside|below|above|open|alone|still)\b/i => 'is'],
	[qr/\blies (?:in|at|on|there|beside|below|above|between|before|behind)\b/i => 'is'],
	[qr/\bthe affair of\b/i => 'the task of'],
);
# The list of what is still to be written plainly: a path, or a folder. It only shrinks.
my @later = grep { /\S/ && !/^#/ } split /\n/, slurp('tests/house/words-later');
my @files = grep { -f && -T && m{\.(?:c|h|md|sql|sh|mk|t|pm|pl|1|json)$|^Makefile$|^setup$|^quickstart$|^packages$} }
	split /\n/, `git ls-files`;
BAIL_OUT('git lists no files') if !@files;
my (@found, %still);
for my $path (@files) {
	next if $path =~ m{^tests/(?:fixtures|fuzz/corpus|node)/|^tests/house/words|^db/demo/|package-lock|^lib/provider/outline/phrases|stopwords};
	my ($excused) = grep { $path eq $_ || index($path, "$_/") == 0 } @later;
	my $text = slurp($path);
	my @met = grep { $text =~ $_->[0] } @words or next;
	my $number = 0;
	for my $line (split /\n/, $text) {
		$number++;
		for my $word (@met) {
			my ($form, $instead) = @$word;
			next if $line !~ /($form)/;
			$still{$excused}++, next if defined $excused;
			push @found, "$path:$number: \"$1\" ($instead)";
		}
	}
}
is_deeply \@found, [], 'plain words everywhere';
is_deeply [grep { !$still{$_} } @later], [], 'what is excused needs it';
done_testing;
