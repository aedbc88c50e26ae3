#!/usr/bin/perl
# Proves that no request executes more instructions than the round's budget allows above its
# count at the beginning of the round (docs/speed.md §6): 1 % for reads, 8 % for an order, 3 % for
# a refused key. The programs are linked with musl and libraries from pinned sources, so that the
# counts are the same on every machine; glibc chooses its functions by the processor.
# suite: own-build
use strict;
use warnings;

use lib 'tests/lib';

use Galley::Instructions;
use Test::More;

plan skip_all => 'counted in programs linked by LINK=musl'
	if !Galley::Instructions::is_musl();

my $counting = Galley::Instructions->new;
my $baseline = Galley::Instructions::baseline();
my %budget = ('generate' => 8, 'generate, again' => 8, 'wrong key' => 3);
for my $name ($counting->names) {
	my $known = $baseline->{$name};
	my $count = $counting->count($name);
	my $budget = $budget{$name} // 1;
	ok defined $known && $count <= (1 + $budget / 100) * $known,
		sprintf '%s: %d instructions, %+.2f %% of %d %%', $name, $count,
		$known ? 100 * ($count / $known - 1) : 100, $budget;
}
done_testing;
