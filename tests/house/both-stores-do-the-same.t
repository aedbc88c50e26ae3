#!/usr/bin/perl
# Each function of the store's headers that a file of another floor names is in lib/store/sqlite/ and
# in lib/store/pg/: the build STORE=pg links (docs/postgres.md §1).
# suite: fast
use strict;
use warnings;

use Test::More;

sub slurp {
	my ($path) = @_;
	open my $file, '<', $path or die "$path: $!";
	local $/;
	return scalar <$file>;
}

my $headers = join '', map { slurp($_) =~ s{/\*.*?\*/}{}gsr } glob 'lib/store/*.h';
my %declared = map { ($_ => 1) } $headers =~ /\b((?:db|generation|lease|migrate)_\w+)\(/g;

# The functions that the files of a folder define for others.
sub defined_in {
	my ($folder) = @_;
	my %found;
	for my $text (map { slurp($_) } glob "$folder/*.c") {
		# The line above names the result; that of a private function begins with `static`.
		while ($text =~ /^([a-z_][^\n;]*)\n(\w+)\([^;{]*\)\n\{/mgi) {
			$found{$2} = 1 if $1 !~ /^static/ && $declared{$2};
		}
	}
	return \%found;
}

# The macros and the inline functions of the headers call for whom uses them.
my $others = join '', $headers =~ /^#define db_[^\n]*|^static inline .*?^\}/mgs, map { slurp($_) } grep { !m{^lib/store/} }
	glob 'lib/*/*.c lib/*/*/*.c cgi-bin/*.c bin/*.c console/*.c console/*/*.c';
my %named = map { ($_ => 1) } $others =~ /\b((?:db|generation|lease|migrate)_\w+)\(/g;
my ($sqlite, $pg) = map { defined_in("lib/store/$_") } qw(sqlite pg);
cmp_ok scalar keys %$sqlite, '>', 50, scalar(keys %$sqlite) . ' functions are compared';
is_deeply [grep { $named{$_} && !$pg->{$_} } sort keys %$sqlite], [], 'what SQLite has, PostgreSQL has';
# What one store needs nothing for is an inline function of the header.
my %inline = map { ($_ => 1) } $headers =~ /^static inline [^\n]*\n(\w+)\(/mg;
is_deeply [grep { $named{$_} && !$sqlite->{$_} && !$inline{$_} } sort keys %$pg], [], 'and the other way round';
done_testing;
