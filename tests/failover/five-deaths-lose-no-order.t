#!/usr/bin/perl
# Proves that several hosts lose no order that was acknowledged (docs/postgres.md §4): 16 accounts
# order at two web hosts behind HAProxy, on three members of Patroni and etcd, with the files of
# examples/several-hosts. One after the other die the primary, the synchronous standby, etcd's
# leader, a job runner in the middle of a job, and a web host. Then all is switched to asynchronous
# replication, and the same death of the primary must lose orders: so the test can fail.
#
# `make check-failover`, as root. It takes five minutes. ACCOUNTS says how many accounts order.
use strict;
use warnings;
use lib 'tests/lib', 'tests/failover';

use Galley;
use Galley::JSON ();
use Galley::Orderers;
use Galley::Process qw(patience run_program);
use Galley::Request ();
use Galley::Server ();
use Hosts;
use HTTP::Tiny ();
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep time);

die Hosts::missing(), "\n" if Hosts::missing();
Hosts::in_own_network();
$| = 1;

my $accounts = $ENV{ACCOUNTS} // 16;
my $began = time;
sub report { diag sprintf '%5.1f s  %s', time - $began, sprintf shift, @_ }

my $hosts = Hosts->new;
report('three members of Patroni are whole: %s leads', $hosts->with_role('leader'));
my $leader = $hosts->with_role('leader');
$hosts->sql($leader, 'CREATE ROLE galley LOGIN SUPERUSER; CREATE ROLE galley_owner LOGIN;'
	. ' CREATE ROLE galley_programs LOGIN; CREATE ROLE galley_api LOGIN');
# The leader first: a standby that has not heard of a new database yet refuses, and libpq then asks
# no other host.
local $ENV{GALLEY_CLUSTER} = sprintf 'host=%s user=galley target_session_attrs=read-write',
	join ',', map { $hosts->address($_) } $leader, grep { $_ ne $leader } Hosts::members();

# ---- two web hosts

my $one = Galley->new(conf => { requests_per_minute => 0, jobs_per_hour => 0, provider_timeout_s => 60 });
my $provider = $one->scratch . '/fake';
run_program(['install', '-m', 755, Galley::top() . '/tests/fixtures/provider/fake', $provider]);
$one->conf(provider => $provider);
my $two = $one->another_host;
my @servers = map { $_->serve(fcgi => 'proxy', processes => $accounts) } $one, $two;
my $url = $hosts->start_proxy(map { "127.0.0.1:$_->{port}" } @servers);
$hosts->wait_for('HAProxy', 60, sub { HTTP::Tiny->new->get("$url/api/v1/connection")->{status} == 401 });
report('HAProxy answers');

# What cron does on each host, without its minute.
my $parent = $$;
my %loops;
sub start_runners {
	my ($name, $galley) = @_;
	my $pid = $loops{$name} = fork // die "fork: $!";
	return if $pid;
	while (getppid == $parent) {
		my $runner = fork // POSIX::_exit(1);
		if ($runner == 0) {
			Galley::Process::become($galley->owner_ids);
			%ENV = (PATH => '/usr/bin:/bin', HOME => '/');
			open STDOUT, '>', '/dev/null';
			open STDERR, '>&', \*STDOUT;
			exec $galley->programs . '/bin/job-runner', '--once' or POSIX::_exit(1);
		}
		waitpid $runner, 0;
		sleep 0.2;
	}
	POSIX::_exit(0);
}

# A process and all that it started.
sub tree {
	my ($pid) = @_;
	return ($pid, map { tree($_) } split ' ',
		eval { Galley::slurp("/proc/$pid/task/$pid/children") } // '');
}

start_runners('web1', $one);

# A job takes more than half a second, so that a runner is in one when it is killed.
my $body = '{"image":false,"topic":"steps 3x0.3"}';

sub orderers {
	return Galley::Orderers->new($two, $accounts, sub {
		my ($number, $key) = @_;
		my $client = HTTP::Tiny->new(timeout => 30, keep_alive => 1);
		return sub {
			my ($order) = @_;
			my $got = $client->post("$url/api/v1/generate", { content => $body,
				headers => { Authorization => "Bearer $key", 'Idempotency-Key' => $order } });
			return Galley::Request::answer(status => $got->{status}, body => $got->{content});
		};
	}, pause => 0.2);
}

my $orderers = orderers();
$orderers->wait(sub { $_[0]->all_since(0) }, 60) or die 'not everybody could order';
report('%d accounts order', $accounts);

# Notes how long the accounts heard nothing good after a death.
sub told {
	my ($what, $killed, $ready) = @_;
	ok $orderers->wait(sub { $_[0]->all_since($ready // $killed) }, 120), "$what dies, and all order on";
	my $silence = $orderers->silence($killed);
	report('%s died: silence of %.1f s%s', $what, $silence, defined $ready
		? sprintf(', %.1f s of it until there was a primary', $ready - $killed) : '');
	return defined $ready ? $orderers->silence($ready) : $silence;
}

# ---- the primary

sub kill_primary {
	my ($orders_on) = @_;
	my $primary = $hosts->with_role('leader');
	my $held = time;
	$hosts->hold_replication($primary) or die 'nobody replicates';
	$orders_on ? $orderers->wait(sub { $_[0]->acknowledged(since => $held) >= 3 * $accounts }, 30)
		: sleep 1;
	my $killed = time;
	$hosts->kill_host($primary);
	return ($primary, $killed, $hosts->wait_primary($primary));
}

my ($primary, $killed, $ready) = kill_primary();
my $late = told("the primary ($primary)", $killed, $ready);
cmp_ok $late, '<', 2 * patience(), 'at most 2 s after the new primary takes writes';
$hosts->start_host($primary);
$hosts->wait_whole;
report('%s is back, as a standby', $primary);

# ---- the synchronous standby

my $standby = $hosts->with_role('sync_standby');
$killed = time;
$hosts->kill_host($standby);
told("the synchronous standby ($standby)", $killed);
$hosts->start_host($standby);
$hosts->wait_whole;

# ---- etcd's leader

my $etcd = $hosts->etcd_leader;
$killed = time;
$hosts->kill_etcd($etcd);
told("etcd's leader ($etcd)", $killed);
$hosts->start_etcd($etcd);
$hosts->wait_for('another leader of etcd', 60, sub { $hosts->etcd_leader });

# ---- a runner in the middle of a job

# That of the other host is not started yet, and so those jobs are the first one's.
my @running;
$hosts->wait_for('the death of a runner in a job', 120, sub {
	return 0 if !@{ $two->sql("SELECT id FROM job WHERE status = 'running'") };
	$killed = time;
	my $loop = delete $loops{web1};
	kill 'KILL', tree($loop);
	waitpid $loop, 0;
	@running = @{ $two->sql("SELECT id FROM job WHERE status = 'running'") };
	start_runners('web1', $one) if !@running;
	return @running > 0;
});
start_runners('web2', $two);
told('a job runner (web1)', $killed);
my $ids = join ',', map { $_->{id} } @running;
my $settled = $hosts->wait_for('the end of its job', 200, sub {
	$two->sql("SELECT count(*) AS n FROM job WHERE id IN ($ids) AND settled_at IS NULL")->[0]{n} == 0 });
report('its job (%s) was ended by the other host %.1f s later', $ids, $settled - $killed);

# ---- a web host

my $home = $one->home;
my ($apache) = Galley::slurp("$home/run/apache/httpd.pid") =~ /(\d+)/;
my @web1 = map { tree($_) } $apache, values %{ $servers[0]{pools}->pids };
$killed = time;
kill 'KILL', @web1;
told('a web host (web1)', $killed);

$orderers->stop;
is scalar $orderers->lost, 0, sprintf '%d orders were acknowledged, and none is lost', $orderers->acknowledged;
my $refused = $orderers->refused;
report('%d acknowledged, %d lost; refused: %s', $orderers->acknowledged, scalar $orderers->lost,
	join ', ', map { "$_: $refused->{$_}" } sort keys %$refused);
my $verify = $two->command('verify');
is $verify->{exit}, 0, 'galley verify finds nothing' or diag $verify->{out}, $verify->{err};
is $two->sql('SELECT count(*) AS n FROM (SELECT job_id FROM ledger WHERE job_id IS NOT NULL'
	. " AND kind = 'settle' GROUP BY job_id HAVING count(*) > 1) twice")->[0]{n}, 0, 'no job was charged twice';

# ---- the same, asynchronous

$hosts->configure(synchronous_mode => JSON::PP::false, synchronous_mode_strict => JSON::PP::false);
$hosts->wait_whole(qw(leader replica replica));
$hosts->wait_for('asynchronous replication', 60, sub {
	$hosts->sql($hosts->with_role('leader'), 'SHOW synchronous_standby_names') eq '' });
$orderers = orderers();
$orderers->wait(sub { $_[0]->all_since(0) }, 60) or die 'not everybody could order';
($primary, $killed, $ready) = kill_primary('asynchronous');
told("the primary ($primary), with asynchronous replication", $killed, $ready);
$orderers->stop;
my $lost = $orderers->lost;
cmp_ok $lost, '>=', 1, 'with asynchronous replication acknowledged orders are lost';
report('asynchronous: %d acknowledged, %d lost', $orderers->acknowledged, $lost);
$verify = $two->command('verify');
is $verify->{exit}, 0, 'what is left is whole' or diag $verify->{out}, $verify->{err};

kill 'KILL', map { tree($_) } values %loops;
waitpid $_, 0 for values %loops;
done_testing;
