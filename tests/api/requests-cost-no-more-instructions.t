#!/usr/bin/perl
# No request executes over 5 % more instructions than the committed baseline
# says. Counted in programs linked with musl and libraries made from pinned
# sources: the same everywhere, where glibc's functions are chosen by the
# processor.
use strict;
use warnings;

use lib 'tests/lib';

use Galley::Instructions;
use Test::More;

plan skip_all => 'counted in programs linked by LINK=musl'
	if !Galley::Instructions::is_musl();

my $counting = Galley::Instructions->new;
my $baseline = Galley::Instructions::baseline();
my $saved = 0;
for my $name ($counting->names) {
	my $known = $baseline->{$name};
	my $count = $counting->count($name);
	ok defined $known && $count <= 1.05 * $known,
		sprintf '%s: %d instructions, %+.1f %%', $name, $count,
		$known ? 100 * ($count / $known - 1) : 100;
	$saved++ if $known && $count < 0.95 * $known;
}
diag "$saved requests cost over 5 % less than tests/bench/baseline says:"
	. ' hold what was won with make bench-baseline' if $saved;
diag 'If the cost is meant: make bench-baseline, and say why in the commit'
	if !Test::More->builder->is_passing;
done_testing;
