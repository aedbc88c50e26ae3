# A run of the job runner removes scratch folders that no process has locked. Proves that a
# folder which was just made, and is not locked yet, may be removed: its maker takes another one.
use strict;
use warnings;
use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use JobRun;

my $jobs = JobRun->new(credits => 1000);
my $galley = $jobs->galley;

for my $place (qw(scratch-made scratch-opened)) {
	my $out = $galley->scratch . "/$place";
	my $trial = fork // die;
	if (!$trial) {
		open STDOUT, '>', $out;
		$ENV{GALLEY_FAULT} = "$place:1:stop";
		exec $galley->programs . '/bin/galley', qw(--json provider test --topic),
			'steps 1x0';
	}
	ok JobRun::wait_until(60, sub { Galley::slurp("/proc/$trial/stat") =~ /\) T/ }),
		"$place: it waits";
	is scalar(@{ [glob $galley->home . '/run/try-*'] }), 1, 'with a folder';
	my $run = $jobs->run;
	is "$run->{exit} $run->{signal} $run->{err}", '0 0 ', 'a run beside it';
	is_deeply [glob $galley->home . '/run/try-*'], [], 'removes the folder';
	kill CONT => $trial;
	waitpid $trial, 0;
	is $?, 0, 'and does no harm';
	is +Galley::JSON->new->utf8->decode(Galley::slurp($out))->{error}, undef, 'no fault';
	is_deeply [glob $galley->home . '/run/try-*'], [], 'no folder stays behind';
}
done_testing;
