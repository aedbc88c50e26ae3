#!/usr/bin/perl
# What an action did is kept by action_commit() alone: ACTION() undoes it wherever the function returns.
# So a function with ACTION() has a commit, and returns success before it only where it says that it
# undoes (lib/action/action.h). The beginning of a transaction alone sets c->db, which is in lib/store/;
# c->gate is set where a request or a step of a task begins.
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

# What begins a request or a step, and the last words of a process that dies in one.
my %begins = map { $_ => 1 } qw(lib/console/serve-console.c lib/console/refusal.c lib/task/moving-step.c
	lib/task/slice-kinds.c);
my ($actions, @wrong, @swapped) = (0);
for my $path (split /\n/, `git ls-files 'lib/*.c'`) {
	my $code = slurp($path) =~ s{/\*.*?\*/}{}gsr;
	push @swapped, $path if $path !~ m{^lib/store/} && $code =~ /\bc->db = /;
	push @swapped, $path if !delete $begins{$path} && $code =~ /\bc->gate = /;
	push @swapped, "$path takes a gate away for a while" if $code =~ /struct gate \*\w+ = \w+->gate;/;
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
is_deeply \@swapped, [], 'no function exchanges the store or the gate of its context';
done_testing;
