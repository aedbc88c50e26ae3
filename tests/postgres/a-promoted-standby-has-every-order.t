#!/usr/bin/perl
# Proves, for the build STORE=pg with a primary and a synchronous standby, that no order that was
# acknowledged is lost (docs/postgres.md §4): accounts order all the time, the standby hears nothing
# any more, the primary is killed, and the standby is promoted. The programs find the new primary by
# themselves, and soon.
#
# The counterpart with an asynchronous standby, which must lose orders, is
# an-asynchronous-standby-loses-orders.t; the long form is tests/failover (make check-failover).
# suite: postgres
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Failover;
use Galley::Process qw(patience);
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my $done = Galley::Failover::run(synchronous => 1, accounts => 8);
cmp_ok $done->{acknowledged}, '>=', 160, 'orders were acknowledged';
is $done->{lost}, 0, 'none of them is lost';
cmp_ok $done->{after}, '>=', 8, 'each account can order on the new primary';
# docs/several-hosts.md §10 has what a quiet machine takes; one that tests share with others is slower.
cmp_ok $done->{silence}, '<', 15 * patience(), 'soon after it was promoted';
is $done->{broken}, '', 'galley verify finds nothing';
done_testing;
