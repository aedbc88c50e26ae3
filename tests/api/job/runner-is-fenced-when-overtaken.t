# Two runners. Proves that a runner which was stopped past its lease and goes on later changes
# nothing, that a runner with a valid lease is left alone, and that a killed runner is replaced at
# once, whatever its provider left behind (docs/design.md §5, docs/platform.md §3.5).
use strict;
use warnings;
use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use JobRun;

my $jobs = JobRun->new(credits => 100000);
my $galley = $jobs->galley;

sub stopped { # the process is in the state of a SIGSTOP
	my ($pid) = @_;
	return JobRun::wait_until(60, sub {
		open my $file, '<', "/proc/$pid/stat" or return 0;
		return <$file> =~ /\) T /;
	});
}
# Ends the lease of every job, as time does.
sub lease_over { $galley->sql('UPDATE job SET lease_until = 1'
	. ' WHERE lease_token IS NOT NULL') }

for my $place ('runner-claimed', 'provider-started', 'provider-step-read',
	'runner-result') {
	my $id = $jobs->ordered("stopped-$place", topic => 'steps 1x0',
		autoPublish => JSON::PP::true);
	my $first = $jobs->start(env => { GALLEY_FAULT => "$place:1:stop" });
	ok stopped($first), "a runner is stopped at $place";
	my $second = $jobs->run;
	is "$second->{exit} $second->{out}$second->{err}", '0 ',
		'  another one ends silently';
	is $jobs->job($id)->{status}, 'running', '  and leaves it the job';
	lease_over();
	$jobs->run;
	my $job = $jobs->job($id);
	is $job->{status}, 'completed', '  past its lease another one works';
	kill CONT => $first;
	ok JobRun::wait_until(60, sub {
		Galley::slurp($galley->home . '/log/runner.log')
			=~ /$id: was taken over/ }), '  the first sees it';
	kill TERM => $first;
	is JobRun::ended($first, 60), 0, '  and ends well';
	is_deeply $jobs->job($id), $job, '  having changed nothing';
	is $galley->sql("SELECT count(*) AS n FROM edition e JOIN article a"
		. " ON a.id = e.article_id WHERE a.uuid = '$job->{article_id}'")
		->[0]{n}, 1, '  one article, published once';
}
is $jobs->balance->{spent}, 4 * 7, 'each job was charged once';

# A job that a runner without the lock has claimed is not taken over before its lease ends.
my $one = $jobs->ordered('one', topic => 'hang');
my $holder = $jobs->start(env => { GALLEY_FAULT => 'provider-started:1:stop' });
ok stopped($holder), 'a runner hangs with the lock';
lease_over();
my $beside = $jobs->start(env => { GALLEY_FAULT => 'provider-started:1:stop' });
ok stopped($beside), 'another one works beside it, and hangs too';
kill KILL => $holder;
JobRun::ended($holder, 60);
my $third = $jobs->run;
is $galley->must(qw(job show), $one)->{deaths}, 1,
	'the lock is free, but the job stays with its runner';
kill KILL => $beside;
JobRun::ended($beside, 60);
$jobs->run;
is $galley->must(qw(job show), $one)->{deaths}, 1, 'until its lease is over';
lease_over();
is $jobs->run(env => { GALLEY_FAULT => 'provider-started:1:kill' })->{signal},
	9, 'then it is taken';
is $galley->must(qw(job show), $one)->{deaths}, 2, 'and the death is counted';
$galley->must(qw(job cancel), $one);

# A lease from before a restart of the machine is over.
my $boot = $jobs->ordered('boot', topic => 'Boot');
$jobs->run(env => { GALLEY_FAULT => 'runner-claimed:1:kill',
	GALLEY_BOOT_ID => '00000000-0000-4000-8000-000000000001' });
$galley->sql("UPDATE job SET lease_locked = 0, lease_until = lease_until"
	. " + 1000000000 WHERE uuid = '$boot'");
$jobs->run;
is $jobs->job($boot)->{status}, 'completed', 'a lease of an earlier boot is over';

# Processes that the provider of a killed runner left behind delay nothing.
my $left = $jobs->ordered('left', topic => 'leave');
my $killed = $jobs->start;
ok JobRun::wait_until(60, sub { $galley->must(qw(job show), $left)
	->{steps}{left} }), 'a provider leaves a child that holds its output';
# Each writes its number by itself, the child perhaps after the step is noted.
ok JobRun::wait_until(60, sub { 2 == grep { /^$left (?:self|child) \d+\n?\z/ } $jobs->calls }),
	'both have said their numbers';
kill KILL => $killed;
JobRun::ended($killed, 60);
my ($child) = map { (split)[2] } grep { /^$left child/ } $jobs->calls;
my ($self) = map { (split)[2] } grep { /^$left self/ } $jobs->calls;
ok JobRun::wait_until(60, sub { !kill 0, $self }),
	'a provider dies with its runner';
ok JobRun::wait_until(60, sub { !kill 0, $child }), 'and so does a child that left it';
$jobs->run;
is $jobs->job($left)->{status}, 'completed', 'the next run completes the job';

# A cancelled job is given up within a moment, its provider is killed.
my $cancelled = $jobs->ordered('cancelled', topic => 'orphan');
my $runner = $jobs->start;
ok JobRun::wait_until(60, sub { grep { /^$cancelled child/ } $jobs->calls }),
	'a job is worked on';
$galley->must(qw(job cancel), $cancelled);
my $ended = $jobs->job($cancelled);
is "$ended->{status} $ended->{error_code} $ended->{cost}", 'failed cancelled 0',
	'job cancel ends it at once';
my ($worker) = map { (split)[2] } grep { /^$cancelled child/ } $jobs->calls;
ok JobRun::wait_until(60, sub { !kill 0, $worker }),
	'the runner kills its provider';
my $again = $galley->command(qw(job cancel), $cancelled);
is $again->{exit}, 1, 'a job that has ended is not cancelled again';
like $again->{err}, qr/ended already/, 'and that is said';
my $queued = $jobs->ordered('queued', topic => 'After');
ok JobRun::wait_until(60, sub { $jobs->job($queued)->{status} eq 'completed' }),
	'the runner goes on with the next job';
kill TERM => $runner;
is JobRun::ended($runner, 60), 0, 'and ends when asked';
is_deeply $jobs->job($cancelled), $ended, 'the cancelled job stays as it was';
is $jobs->balance->{reserved}, 0, 'no credit is reserved';
is $jobs->broken, '', 'verify finds nothing';
done_testing;
