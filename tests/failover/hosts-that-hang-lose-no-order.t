#!/usr/bin/perl
# Proves that hosts that do not die but say nothing lose no order either, and hold up nobody for long
# (docs/postgres.md §7): 16 accounts order at two web hosts behind HAProxy, on three members of
# Patroni. The way between one web host and the database is cut in the middle of orders, first for
# answers alone, then both ways; then the primary's host hangs, another one is promoted, and the
# first one goes on as if it were still the primary. In the end all is one whole.
#
# `make check-failover`, as root. It takes four minutes. ACCOUNTS says how many accounts order.
use strict;
use warnings;
use lib 'tests/lib', 'tests/failover';

use Galley;
use Galley::Process qw(patience);
use Hosts;
use Scene;
use Test::More;
use Time::HiRes qw(sleep time);

die Hosts::missing(), "\n" if Hosts::missing();
Hosts::in_own_network();
$| = 1;

my $scene = Scene->new(apart => 1);
my $hosts = $scene->hosts;
my ($one, $two) = $scene->web;
$scene->start_runners($_) for 0, 1;
my $orderers = $scene->orderers;

# What the cut host has at the primary.
sub at_primary {
	my ($what) = @_;
	return $hosts->sql($hosts->with_role('leader'),
		"SELECT $what FROM pg_stat_activity WHERE client_addr = '10.0.0.21'");
}
cmp_ok at_primary('count(*)'), '>', 0, 'a web host in a network of its own orders';

# ---- the way to the database is cut

# Transactions of the cut host hold the rows of their accounts: the server ends each within the
# deadline of one that writes (12 s), or when its probes were not answered (11 s).
for my $both (0, 1) {
	my $name = $both ? 'nothing arrives' : 'no answer arrives';
	$hosts->cut($both);
	my $cut = time;
	my $oldest = 0;
	# HAProxy asks each host whether it reaches the database, finds out within 14 s, and what waits
	# there then ends within 12 s.
	ok $orderers->wait(sub {
		my $age = at_primary('coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0)');
		$oldest = $age if $age ne '' && $age > $oldest;
		return time > $cut + 40 && $_[0]->all_since($cut + 30);
	}, 90), "$name at a web host, and all order on";
	cmp_ok $orderers->silence($cut + 30), '<', 5 * patience(), 'then HAProxy gives that host nothing';
	cmp_ok $oldest, '<', 14 * patience(), 'none of its transactions stays';
	$scene->report('%s: silence of %.1f s; the longest transaction of that host had %.1f s', $name,
		$orderers->silence($cut), $oldest);
	$hosts->join_again;
	my $joined = time;
	$scene->told("$name no more", $joined);
	ok $hosts->wait_for('the return of that host', 60, sub { $hosts->proxy_states('reach') eq 'UP UP' }),
		'that host connects again by itself';
	$scene->report('HAProxy gives it requests after %.1f s', time - $joined);
	# Its processes order again.
	$orderers->wait(sub { $_[0]->acknowledged(since => $joined + 20) > 100 && time > $joined + 20 }, 60);
}

# ---- the primary's host hangs

my $primary = $hosts->with_role('leader');
my $hung = time;
$hosts->pause_host($primary);
my $ready = $hosts->wait_primary($primary);
my $late = $scene->told("the primary's host ($primary) hangs", $hung, $ready);
# A process asks the host that hangs for two seconds, perhaps twice, before the next one.
cmp_ok $late, '<', 5 * patience(), 'soon after the new primary takes writes';

# It goes on, and for a moment there are two that believe to be the primary.
my $back = time;
$hosts->continue_host($primary);
my $demoted = $hosts->wait_for('the end of the first primary', 60, sub {
	$hosts->sql($primary, 'SELECT pg_is_in_recovery()') ne 'f' });
$scene->report('%s believed for %.1f s to be the primary', $primary, $demoted - $back);
$scene->told("$primary goes on", $back);
$hosts->wait_whole;
$scene->report('%s is a standby', $primary);
$scene->finish;
$scene->stop;
done_testing;
