#!/usr/bin/perl
# Proves, for the build STORE=pg, that the leases of jobs hold over hosts (docs/postgres.md §6): a
# runner with the lock of its own host takes no job that a runner of another host works on, whatever
# the clocks of the hosts say; past the lease, by the database's clock, it does; and the runner that
# was stopped, and goes on then, changes nothing. One article, one settlement. Two hosts are one
# instance: neither makes the other quiet.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley::JSON ();
use Galley::Process qw(run_program);
use JobRun;
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my $jobs = JobRun->new(credits => 1000);
my $one = $jobs->galley;
my $two = $one->another_host(build => 'test');

# The runner of the second host, which is another machine.
sub run_two {
	my (%env) = @_;
	return run_program([$two->programs . '/bin/job-runner', '--once'],
		env => { %{ $jobs->environment }, GALLEY_MACHINE => 'f' x 32, %env },
		as => [$two->owner_ids]);
}
sub log_of { return Galley::slurp($_[0]->home . '/log/runner.log') }
sub stopped {
	my ($pid) = @_;
	return JobRun::wait_until(60, sub {
		open my $file, '<', "/proc/$pid/stat" or return 0;
		return <$file> =~ /\) T /;
	});
}
my $elsewhere = '00000000-0000-4000-8000-00000000000';

$jobs->run;
my $first = $jobs->ordered('first', topic => 'Moths');
is run_two(GALLEY_BOOT_ID => $elsewhere . 2)->{exit}, 0, 'the runner of another host runs';
is $jobs->job($first)->{status}, 'completed', 'and works, as a part of the same instance';

my $spent = $jobs->balance->{spent};
for my $place ('runner-claimed', 'provider-step-read', 'runner-result') {
	my $id = $jobs->ordered("stopped-$place", topic => 'steps 1x0',
		autoPublish => JSON::PP::true());
	my $runner = $jobs->start(env => { GALLEY_FAULT => "$place:1:stop" });
	ok stopped($runner), "a runner is stopped at $place";
	run_two(GALLEY_BOOT_ID => $elsewhere . 2);
	is $jobs->job($id)->{status}, 'running',
		'  a runner with the lock of another host leaves it the job';
	run_two(GALLEY_CLOCK => $_, GALLEY_BOOT_ID => $elsewhere . 3) for -7200, 7200;
	is $jobs->job($id)->{status}, 'running', '  also where its clock is wrong by hours';
	like run_program([$two->programs . '/bin/job-runner', '--status'],
		env => $jobs->environment, as => [$two->owner_ids])->{out},
		qr/^$id +article +is worked on: stage \w+, try 1, lease for \d+ s more/m,
		'  and tells of the lease in words';
	my ($lease) = @{ $one->sql('SELECT lease_until - floor(extract(epoch FROM'
		. " clock_timestamp()) * 1000000)::bigint AS left FROM job WHERE uuid = '$id'") };
	cmp_ok $lease->{left}, '<=', 60_000_000, '  which ends by the database\'s clock';
	cmp_ok $lease->{left}, '>', 0, '  and has not ended';
	$one->sql('UPDATE job SET lease_until = floor(extract(epoch FROM clock_timestamp())'
		. " * 1000000)::bigint - 1 WHERE uuid = '$id'");
	run_two();
	my $job = $jobs->job($id);
	is $job->{status}, 'completed', '  past its end the other host works';
	kill CONT => $runner;
	ok JobRun::wait_until(60, sub { log_of($one) =~ /$id: was taken over/ }),
		'  the first one sees it';
	kill TERM => $runner;
	is JobRun::ended($runner, 60), 0, '  and ends well';
	is_deeply $jobs->job($id), $job, '  having changed nothing';
	is $one->sql('SELECT count(*) AS n FROM edition e JOIN article a ON a.id = e.article_id'
		. " WHERE a.uuid = '$job->{article_id}'")->[0]{n}, 1, '  one article';
	is $one->sql("SELECT count(*) AS n FROM ledger l JOIN job j ON j.id = l.job_id"
		. " WHERE j.uuid = '$id' AND l.kind = 'settle'")->[0]{n}, 1, '  one settlement';
}
is $jobs->balance->{spent} - $spent, 3 * 7, 'each job was charged once';

# The runner of the same host, with its lock, need not wait.
my $killed = $jobs->ordered('killed', topic => 'Wasps');
$jobs->run(env => { GALLEY_FAULT => 'runner-claimed:1:kill' });
run_two();
is $jobs->job($killed)->{status}, 'running', 'a killed runner: another host waits for the lease';
$jobs->run;
is $jobs->job($killed)->{status}, 'completed', 'its own host goes on at once';

is $one->sql('SELECT count(*) AS n FROM live WHERE quiet_at <> 0')->[0]{n}, 0,
	'two machines made nothing quiet';
is $jobs->broken, '', 'verify finds nothing';
done_testing;
