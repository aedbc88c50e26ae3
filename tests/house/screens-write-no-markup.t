#!/usr/bin/perl
# HTML of the console is written by lib/screen/hwrite*.c (docs/console.md §6.1): a file that uses
# it holds no markup of its own and does not add to the buffer behind its back, and raw bytes
# enter only where the files below say that they are an article's export.
use strict;
use warnings;

use File::Find qw(find);
use Test::More;

# Files that call hwrite_export(), each with what its bytes are.
my %raw = ('lib/screen/assets.c' => 'the html of the article that it shows',
	'lib/pages/page-article.c' => 'the same, in pieces: the page has its words between them');

sub slurp {
	my ($path) = @_;
	open my $file, '<', $path or die "$path: $!";
	local $/;
	return scalar <$file>;
}

my (@markup, @behind, %calls);
my $seen = 0;
find({ no_chdir => 1, wanted => sub {
	/\.[ch]$/ && !m{^lib/screen/hwrite(?:-attr|-text)?\.c$} or return;
	my $code = slurp($_) =~ s{/\*.*?\*/}{}gsr;
	$code =~ m{^#include "screen/(?:hwrite|form|screen)\.h"}m or return;
	$seen++;
	while ($code =~ /"((?:[^"\\]|\\.)*)"/g) {
		my $text = $1;
		push @markup, "$_: \"$text\"" if $text =~ m{<[a-zA-Z/!]};
	}
	push @behind, "$_: $1" if $code =~ /(buf_\w+\((?:&?w\.|w->)out\b)/;
	$calls{$_} = 1 if $code =~ /\bhwrite_export\(/ && $_ ne 'lib/screen/hwrite.h';
} }, 'lib', 'cgi-bin', 'bin');
cmp_ok $seen, '>=', 3, 'files write HTML';
is_deeply \@markup, [], 'no text of theirs is markup';
is_deeply \@behind, [], 'and they add nothing behind the writer';
is_deeply [sort keys %calls], [sort keys %raw], 'raw bytes enter where this test says so';
done_testing();
