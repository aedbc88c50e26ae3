#!/usr/bin/perl
# Proves that several hosts lose no order that was acknowledged (docs/postgres.md §4): 16 accounts
# order at two web hosts behind HAProxy, on three members of Patroni and etcd, with the files of
# examples/several-hosts, the three users of the database, and certificates. One after the other die
# the primary, the synchronous standby, etcd's leader, a job runner in the middle of a job, and a web
# host, whose person of the console goes on at the other one. Then all is switched to asynchronous
# replication, and the same death of the primary must lose orders: so the test can fail.
#
# `make check-failover`, as root. It takes five minutes. ACCOUNTS says how many accounts order.
use strict;
use warnings;
use lib 'tests/lib', 'tests/failover';

use Galley;
use Galley::Console;
use Galley::Process qw(patience);
use Hosts;
use Scene;
use Test::More;
use Time::HiRes qw(sleep time);

die Hosts::missing(), "\n" if Hosts::missing();
Hosts::in_own_network();
$| = 1;

my $url = 'https://10.0.0.5';
my $scene = Scene->new(conf => { public_url => $url });
my $hosts = $scene->hosts;
my ($one, $two) = $scene->web;

# ---- a person, and accounts

my $console = Galley::Console->of($one, $url);
my $browser = $console->as($console->person(name => 'Dana', role => 'operator'),
	server => Scene::Proxy->new($scene));
# Until HAProxy gives the person the first host, which dies.
for (1 .. 20) {
	last if ($browser->request(GET => '/')->{headers}{'x-host'} // '') eq 'web1';
	delete $browser->cookies->{GALLEY_HOST};
}
is $browser->request(GET => '/')->status, 200, 'a person is signed in';
is $browser->cookies->{GALLEY_HOST}, 'web1', 'at web1';

$scene->start_runners(0);
my $orderers = $scene->orderers;
is $hosts->sql($hosts->with_role('leader'), "SELECT string_agg(DISTINCT usename::text, ' ') FROM pg_stat_activity"
	. " JOIN pg_stat_ssl USING (pid) WHERE ssl AND application_name = 'galley'"), 'galley galley_api',
	'programs have their users, over TLS';

# ---- the primary

sub kill_primary {
	my ($orders_on) = @_;
	my $primary = $hosts->with_role('leader');
	my $held = time;
	$hosts->hold_replication($primary) or die 'nobody replicates';
	$orders_on ? $orderers->wait(sub { $_[0]->acknowledged(since => $held) >= 48 }, 30) : sleep 1;
	my $killed = time;
	$hosts->kill_host($primary);
	return ($primary, $killed, $hosts->wait_primary($primary));
}

my ($primary, $killed, $ready) = kill_primary();
my $late = $scene->told("the primary ($primary) dies", $killed, $ready);
cmp_ok $late, '<', 2 * patience(), 'at most 2 s after the new primary takes writes';
is $browser->request(GET => '/')->status, 200, 'the console goes on, too';
$hosts->start_host($primary);
$hosts->wait_whole;
$scene->report('%s is back, as a standby', $primary);

# ---- the synchronous standby

my $standby = $hosts->with_role('sync_standby');
$killed = time;
$hosts->kill_host($standby);
$scene->told("the synchronous standby ($standby) dies", $killed);
$hosts->start_host($standby);
$hosts->wait_whole;

# ---- etcd's leader

my $etcd = $hosts->etcd_leader;
$killed = time;
$hosts->kill_etcd($etcd);
$scene->told("etcd's leader ($etcd) dies", $killed);
$hosts->start_etcd($etcd);
$hosts->wait_for('another leader of etcd', 60, sub { $hosts->etcd_leader });

# ---- a runner in the middle of a job

# That of the other host is not started yet, and so those jobs are the first one's.
my @running;
$hosts->wait_for('the death of a runner in a job', 120, sub {
	return 0 if !@{ $two->sql("SELECT id FROM job WHERE status = 'running'") };
	$killed = time;
	$scene->kill_runners(0);
	@running = @{ $two->sql("SELECT id FROM job WHERE status = 'running'") };
	$scene->start_runners(0) if !@running;
	return @running > 0;
});
$scene->start_runners(1);
$scene->told('a job runner (web1) dies', $killed);
my $ids = join ',', map { $_->{id} } @running;
my $settled = $hosts->wait_for('the end of its job', 200, sub {
	$two->sql("SELECT count(*) AS n FROM job WHERE id IN ($ids) AND settled_at IS NULL")->[0]{n} == 0 });
$scene->report('its job (%s) was ended by the other host %.1f s later', $ids, $settled - $killed);

# ---- a web host

$killed = time;
$scene->kill_web(0);
$scene->told('a web host (web1) dies', $killed);
my $page = $browser->request(GET => '/');
is $page->status, 200, 'its person is still signed in';
is $page->{headers}{'x-host'}, 'web2', 'at the other one';
is $browser->cookies->{GALLEY_HOST}, 'web2', 'and stays there';
$scene->finish;

# ---- the same, asynchronous

$hosts->configure(synchronous_mode => JSON::PP::false, synchronous_mode_strict => JSON::PP::false);
$hosts->wait_whole(qw(leader replica replica));
$hosts->wait_for('asynchronous replication', 60, sub {
	$hosts->sql($hosts->with_role('leader'), 'SHOW synchronous_standby_names') eq '' });
$orderers = $scene->orderers;
($primary, $killed, $ready) = kill_primary('asynchronous');
$scene->told("the primary ($primary) dies, with asynchronous replication", $killed, $ready);
cmp_ok $scene->finish(asynchronous => 1), '>=', 1, 'with asynchronous replication acknowledged orders are lost';

$scene->stop;
done_testing;
