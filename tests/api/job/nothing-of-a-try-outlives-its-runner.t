# What a provider started dies with the runner, by whatever signal that ended, and however
# far it went: another session, another folder, no parent. Where the process between the two
# is killed as well, the next run finds it; what another living runner has started is spared.
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use JobRun;

my $jobs = JobRun->new(credits => 1000);
my $galley = $jobs->galley;
my $number = 0;

sub is_alive { my ($pid) = @_; return -e "/proc/$pid"
	&& Galley::slurp("/proc/$pid/stat") !~ /\) Z/ }
sub is_dead { my ($pid) = @_; return JobRun::wait_until(60, sub { !is_alive($pid) }) }

# A runner whose provider's child went away: the runner, the process above the provider,
# and the child.
sub escaped {
	my $id = $jobs->ordered('order-' . ++$number, topic => 'escape');
	my $runner = $jobs->start(words => ['--once']);
	my ($child, $above);
	JobRun::wait_until(60, sub {
		($child, $above) = map { (split)[2, 3] } grep { /^$id child/ } $jobs->calls;
		defined $above }) or die 'the child has not come';
	ok is_alive($child), 'the child is there';
	return ($runner, $above, $child, $id);
}

for my $signal (qw(KILL TERM SEGV)) {
	my ($runner, $above, $child, $id) = escaped();
	kill $signal => $runner;
	waitpid $runner, 0;
	ok is_dead($child), "a child that left dies with a runner that SIG$signal ends";
	ok is_dead($above), 'and so does what killed it';
	$galley->must(qw(job cancel), $id);
}

# Both at once, so that nobody is left to kill it
my ($runner, $above, $child, $id) = escaped();
kill STOP => $above;
kill KILL => $above, $runner;
waitpid $runner, 0;
ok is_dead($above), 'the runner and what watches it are killed at once';
ok is_alive($child), 'a child is left';
$galley->must(qw(job cancel), $id);

# While another instance's and another runner's are at work
my $neighbour = JobRun->new(credits => 1000);
my $other = $neighbour->ordered('other', topic => 'escape');
my $beside = $neighbour->start(words => ['--once']);
my $spared;
JobRun::wait_until(60, sub {
	($spared) = map { (split)[2] } grep { /^$other child/ } $neighbour->calls;
	defined $spared }) or die 'the other child has not come';
my $trial = fork // die;
if (!$trial) {
	Galley::Process::become($galley->owner_ids) if $> == 0;
	open STDOUT, '>', '/dev/null';
	open STDERR, '>', '/dev/null';
	exec $galley->programs . '/bin/galley', qw(provider test --topic escape);
}
my $tried;
JobRun::wait_until(60, sub {
	($tried) = map { (split)[2] } grep { (split)[1] eq 'child' && (split)[2] != $child
		&& is_alive((split)[2]) } $jobs->calls;
	defined $tried }) or die 'the child of the trial has not come';
my $next = $jobs->run;
is "$next->{exit} $next->{signal}", '0 0', 'the next run';
ok is_dead($child), 'finds it and kills it';
ok is_alive($spared), 'that of another instance is spared';
ok is_alive($tried), 'that of a living galley provider test too';
kill KILL => $trial, $beside;
waitpid $_, 0 for $trial, $beside;
ok is_dead($tried) && is_dead($spared), 'they die with their own';

$jobs->run;
is_deeply [glob $galley->home . '/run/try-*'], [], 'no folder stays behind';
is $jobs->broken, '', 'verify finds nothing';
done_testing;
