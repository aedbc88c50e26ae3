#!/usr/bin/perl
# Proves that no request executes more instructions, and touches more pages, than the round's
# budget allows above its count at the beginning of the round (docs/speed.md §6): 1 % for reads,
# 8 % for an order, 3 % for a refused key. Pages are whole numbers: the limit is rounded up. The
# programs are linked with musl and libraries from pinned sources, so that the counts are the same on every machine; glibc chooses its functions by the processor.
# suite: own-build
use strict;
use warnings;

use lib 'tests/lib';

use Galley::Instructions;
use POSIX qw(ceil);
use Test::More;

plan skip_all => 'counted in programs linked by LINK=musl'
	if !Galley::Instructions::is_musl();

my $counting = Galley::Instructions->new;
my $instructions = Galley::Instructions::baseline('instructions');
my $pages = Galley::Instructions::baseline('pages');
for my $name ($counting->names) {
	my $budget = Galley::Instructions::budget($name);
	my $known = $instructions->{$name};
	my $count = $counting->count($name);
	ok defined $known && $count <= (1 + $budget / 100) * $known,
		sprintf '%s: %d instructions, %+.2f %% of %d %%', $name, $count,
		$known ? 100 * ($count / $known - 1) : 100, $budget;
}

# The instructions come first, because the limiter costs another sum once its minute is over.
for my $name ($counting->names) {
	my $budget = Galley::Instructions::budget($name);
	my $most = ceil(($pages->{$name} // 0) * (1 + $budget / 100));
	my $count = $counting->pages($name);
	cmp_ok $count, '<=', $most, "$name: $count pages of $most";
}
done_testing;
