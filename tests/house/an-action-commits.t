#!/usr/bin/perl
# What an action did is kept by action_commit() alone: ACTION() undoes it wherever the function returns.
# So a function with ACTION() has a commit, and returns success before it only where it says that it
# undoes (lib/action/action.h).
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

my ($actions, @wrong) = (0);
for my $path (split /\n/, `git ls-files 'lib/*.c'`) {
	my $code = slurp($path) =~ s{/\*.*?\*/}{}gsr;
	while ($code =~ /^(\w+)\([^{};]*\)\n\{\n(.*?)^\}/msg) {
		my ($name, $body) = ($1, $2);
		my (undef, $open, @more) = split /\bACTION\(/, $body or next;
		next if !defined $open;
		$actions++;
		my ($before, $after) = split /\b(?:action|self)_commit\(/, $open, 2;
		push @wrong, "$path: $name() never commits" if !defined $after;
		push @wrong, "$path: $name() begins twice" if @more;
		push @wrong, "$path: $name() returns NULL before it commits"
			if $before =~ /(?<!db_rollback\(c\);\n)^\t+return NULL;/m;
		push @wrong, "$path: $name() ends the transaction by db_commit()" if $open =~ /\bdb_commit\(/;
	}
}
cmp_ok $actions, '>', 90, 'there are actions';
is_deeply \@wrong, [], 'each action commits once it has changed something';
done_testing;
