# Proves that no job waits longer, fails or is refused because the wall clock steps between
# order, claim and retry (docs/design.md §5).
use strict;
use warnings;
use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use FailingCall qw(failing);
use Galley::Process qw(run_program);
use JobRun;
use POSIX ();
use Time::HiRes ();

my @steps = (-86400, -3600, 7200, 86400);
my $jobs = JobRun->new(credits => 100000);
my $galley = $jobs->galley;

sub run_at {
	my ($clock, %env) = @_;
	return $jobs->run(env => { GALLEY_CLOCK => $clock, %env });
}
sub known { return $galley->must(qw(job show), $_[0]) }

for my $step (@steps) {
	my $id = $jobs->ordered("claim$step", topic => 'Bees');
	run_at($step);
	my $job = $jobs->job($id);
	is $job->{status}, 'completed', "claimed at $step s: completed";
	cmp_ok $job->{settled_at}, 'ge', $job->{created_at},
		'  and not settled before it was ordered';
}

# A failed try is repeated when its wait is over, and not before.
my $still = $jobs->ordered('still', topic => 'retry 1');
run_at(0), run_at(0);
is known($still)->{tries}, 1, 'no try before its time';
run_at(8);
is known($still)->{tries}, 1, 'not after 8 s';
run_at(11);
is $jobs->job($still)->{status}, 'completed', 'but after 11 s';
my $patient = $jobs->ordered('patient', topic => 'retry 9');
my @waits;
my $now = 0;
# From when the try began, and until it had ended: a busy machine takes its time between them.
for my $wait (10, 30, 90) {
	my $began = Time::HiRes::time() + $now;
	run_at($now);
	my $ended = Time::HiRes::time() + $now;
	my $before = known($patient)->{tries};
	run_at(POSIX::floor($began + $wait * 0.9 - Time::HiRes::time()));
	push @waits, known($patient)->{tries} == $before ? 'waits' : 'early';
	$now = POSIX::ceil($ended + $wait * 1.1 + 1 - Time::HiRes::time());
}
is "@waits", 'waits waits waits', 'the waits are 10, 30 and 90 s';
run_at($now);
is $jobs->job($patient)->{status}, 'failed', 'then the fourth try was the last';

for my $from (0, @steps) {
	for my $to (@steps) {
		next if $from == $to;
		my $id = $jobs->ordered("retry$from$to", topic => 'retry 1');
		run_at($from);
		is known($id)->{tries}, 1, "a try fails at $from s";
		run_at($to + 12);
		is $jobs->job($id)->{status}, 'completed',
			"  the next one is made at $to s";
	}
}

# A worker that died is replaced at once; a day is measured by the machine's boot clock.
for my $step (@steps) {
	my $id = $jobs->ordered("dead$step", topic => 'Wasps');
	run_at($step, GALLEY_FAULT => 'runner-claimed:1:kill');
	run_at(0);
	is $jobs->job($id)->{status}, 'completed',
		"claimed at $step s, killed, claimed again";
}

# A job whose tries span over a day is failed: by the runner ...
my $long = 25 * 3600;
my $old = $jobs->ordered('old', topic => 'retry 9');
run_at(0);
$galley->sql("UPDATE job SET claimed_boot_at = claimed_boot_at - ${long}000000,"
	. " claimed_at = claimed_at - ${long}000000 WHERE uuid = '$old'");
run_at(12);
my $late = $jobs->job($old);
is "$late->{status} $late->{error_code} $late->{cost}", 'failed timeout 0',
	'after a day of the boot clock a job is given up';
my $rebooted = $jobs->ordered('rebooted', topic => 'retry 9');
run_at(0, GALLEY_BOOT_ID => '00000000-0000-4000-8000-000000000001');
run_at(86000);
is known($rebooted)->{tries}, 2, 'after a new start of the machine: by the wall'
	. ' clock';
run_at(87000);
is $jobs->job($rebooted)->{error_code}, 'timeout', 'given up after a day of it';

# A lease is renewed while the work goes on. The provider hangs; from its sixtieth reading on,
# the runner's clock is half a minute ahead.
my $hanging = $jobs->ordered('long', topic => 'hang');
$galley->conf(provider_timeout_s => 600);
my $uptime = int Time::HiRes::clock_gettime(7); # CLOCK_BOOTTIME
my $later = $uptime + 30;
my $pid = fork // die "fork: $!";
if ($pid == 0) {
	failing({ calls => ['clock_gettime:poke_exit=@arg2=' . unpack('H*', pack 'q<2', $later, 0)
			. ':when=60+'], as => [$galley->owner_ids], seconds => 100,
		env => { %{ $jobs->environment }, GALLEY_CLOCK => '@' . time . '000000' } },
		$jobs->runner, '--once');
	POSIX::_exit(0);
}
my $renewed = JobRun::wait_until(90, sub {
	my ($job) = @{ $galley->sql("SELECT lease_until AS t FROM job WHERE uuid = '$hanging'") };
	return ($job->{t} // 0) >= ($later + 60) * 1_000_000;
});
ok $renewed, 'a lease is renewed for a minute';
my $said = run_program([$jobs->runner, '--status'], env => $jobs->environment,
	as => [$galley->owner_ids])->{out};
like $said, qr/^A runner is at work \(process \d+\)\.$/m, 'by the runner that has it';
kill KILL => $said =~ /process (\d+)/;
waitpid $pid, 0;
$galley->must(qw(job cancel), $hanging);
$galley->conf(provider_timeout_s => 5);

# If cron is dead, the account's next order gives up the job.
my $stuck = $jobs->ordered('stuck', topic => 'retry 9');
run_at(0, GALLEY_BOOT_ID => '00000000-0000-4000-8000-000000000001');
my $waiting = $jobs->ordered('never claimed', topic => 'Hornets');
my $balance = $jobs->balance;
$galley->must(qw(credits revoke), $jobs->account, $balance->{available},
	'--ref', 'rest');
my %plain = (image => JSON::PP::false);
is $jobs->order('next', \%plain)->{status}, 402, 'no credits are left';
is $jobs->order('next', \%plain, env => { GALLEY_CLOCK => 90000 })->{status},
	200, 'a day later the next order has those of the job that hangs';
is $jobs->job($stuck)->{error_code}, 'timeout', 'which is failed and refunded';
is $jobs->job($waiting)->{status}, 'queued', 'one that was never claimed waits';
is $jobs->broken, '', 'verify finds nothing';
done_testing;
