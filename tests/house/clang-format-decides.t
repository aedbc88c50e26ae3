#!/usr/bin/perl
# Every .c and .h file is as clang-format writes it by .clang-format, and has no line over 100
# columns, literals aside (HACKING.md, "How we write"). Another release than 14 writes otherwise: where
# that one is installed, or no clang-format, only the columns are counted. It does not know the lines of
# screens that begin with @ (docs/console.md §6.1): it sees one call in the place of a statement of them.
use strict;
use warnings;

use File::Path qw(make_path);
use File::Temp qw(tempdir);
use Test::More;

require './lib/screen/page.pl';

my @files = grep { -e } split /\0/, qx(git ls-files -z '*.c' '*.h');
cmp_ok scalar @files, '>', 600, 'there are files';

my $folder = tempdir(CLEANUP => 1);
my (@long, @seen);
for my $path (@files) {
	my $text = slurp($path);
	my $number = 0;
	for my $line (split /\n/, $text) {
		$number++;
		$line =~ s/"(?:[^"\\]|\\.)*"/""/g;
		1 while $line =~ s/^([^\t]*)\t/$1 . ' ' x (8 - length($1) % 8)/e;
		push @long, "$path:$number" if length $line > 100;
	}
	push @seen, $path and next if !has_lines($text);
	make_path("$folder/$path" =~ s{/[^/]+\z}{}r);
	open my $out, '>:encoding(UTF-8)', "$folder/$path" or die "$path: $!";
	print {$out} (masked($text))[0];
	close $out or die "$path: $!";
	push @seen, "$folder/$path";
}
is_deeply \@long, [], 'no line passes column 100';

SKIP: {
	my $version = `clang-format --version 2>/dev/null` // '';
	skip 'clang-format 14 is not installed (packages: purpose test)', 1 if $version !~ /version 14\./;
	my @faults;
	while (my @some = splice @seen, 0, 200) {
		push @faults, grep { /error:/ } split /\n/, `clang-format --style=file:.clang-format --dry-run -Werror @some 2>&1`;
	}
	is_deeply \@faults, [], 'each file is as clang-format writes it'
		or diag '`make format` writes them so; clang-format alone spoils lines that begin with @.';
}

done_testing;
