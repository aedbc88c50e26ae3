# Proves that the scratch folder is removed with everything in it, even if a provider makes very
# deep folders, or takes all rights from folders, its own among them.
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use JobRun;

my $jobs = JobRun->new(credits => 1000);
my $galley = $jobs->galley;
sub left { return [glob $galley->home . '/run/try-*'] }

my $id = $jobs->ordered('burrow', topic => 'burrow');
my $run = $jobs->run;
is "$run->{exit} $run->{signal} $run->{err}", '0 0 ', 'a try with 300 folders in each other';
is $jobs->job($id)->{status}, 'completed', 'is completed';
is_deeply left(), [], 'and leaves none of them';

$id = $jobs->ordered('shut', topic => 'shut');
my $runner = $jobs->start(words => ['--once']);
ok JobRun::wait_until(60, sub { ($jobs->job($id)->{stage} // '') eq 'writing' }),
	'a try shuts its own folder';
is scalar(@{ left() }), 1, 'the folder is there';
kill KILL => $runner;
waitpid $runner, 0;
$galley->must(qw(job cancel), $id);
ok JobRun::wait_until(60, sub { $run = $jobs->run; !@{ left() } }),
	'when its runner was killed, a later run removes it';
is "$run->{exit} $run->{signal}", '0 0', 'and ends well';

is $jobs->broken, '', 'verify finds nothing';
done_testing;
