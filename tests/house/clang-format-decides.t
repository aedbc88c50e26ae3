#!/usr/bin/perl
# Every .c and .h file is as clang-format writes it by .clang-format, and has no line over 100
# columns, literals aside (HACKING.md, "How we write"). Another release than 14 writes otherwise: where
# that one is installed, or no clang-format, only the columns are counted.
use strict;
use warnings;

use Test::More;

my @files = grep { -e } split /\0/, qx(git ls-files -z '*.c' '*.h');
cmp_ok scalar @files, '>', 600, 'there are files';

my @long;
for my $path (@files) {
	open my $file, '<:encoding(UTF-8)', $path or die "$path: $!";
	while (my $line = <$file>) {
		chomp $line;
		$line =~ s/"(?:[^"\\]|\\.)*"/""/g;
		1 while $line =~ s/^([^\t]*)\t/$1 . ' ' x (8 - length($1) % 8)/e;
		push @long, "$path:$." if length $line > 100;
	}
}
is_deeply \@long, [], 'no line passes column 100';

SKIP: {
	my $version = `clang-format --version 2>/dev/null` // '';
	skip 'clang-format 14 is not installed (packages: purpose test)', 1 if $version !~ /version 14\./;
	my @faults;
	while (my @some = splice @files, 0, 200) {
		push @faults, grep { /error:/ } split /\n/, `clang-format --dry-run -Werror @some 2>&1`;
	}
	is_deeply \@faults, [], 'each file is as clang-format writes it'
		or diag 'clang-format -i FILE writes it so.';
}

done_testing;
