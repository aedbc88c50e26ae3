# Proves that all processes of a provider die with the runner, whichever signal ended it, even
# those in another session, in another folder or without a parent. If the process between the
# two is killed as well, the next run kills them; processes of another living runner are spared.
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use JobRun;

my $jobs = JobRun->new(credits => 1000);
my $galley = $jobs->galley;
my $number = 0;

sub is_alive { my ($pid) = @_; return (eval { Galley::slurp("/proc/$pid/stat") } // ') Z') !~ /\) Z/ }
sub is_dead { my ($pid) = @_; return JobRun::wait_until(60, sub { !is_alive($pid) }) }

# Starts a runner whose provider's child left it. Returns the runner, the process above the
# provider, and the child.
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
	ok is_dead($above), 'and so does the process that killed it';
	$galley->must(qw(job cancel), $id);
}

# Both are killed at once, so that no process is left to kill the child
my ($runner, $above, $child, $id) = escaped();
kill STOP => $runner, $above; # else the runner may act between the two
kill KILL => $above, $runner;
waitpid $runner, 0;
ok is_dead($above), 'the runner and what watches it are killed at once';
ok is_alive($child), 'a child is left';
$galley->must(qw(job cancel), $id);

# Another instance and another runner work at the same time
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
ok is_dead($tried) && is_dead($spared), 'they die with their own runners';

$jobs->run;
is_deeply [glob $galley->home . '/run/try-*'], [], 'no folder stays behind';
is $jobs->broken, '', 'verify finds nothing';
done_testing;
