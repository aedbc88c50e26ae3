# Runs one program to its end, with the given input, environment and user.
package Galley::Process;

use strict;
use warnings;

use Exporter 'import';
use Fcntl qw(LOCK_EX);
use POSIX ();

our @EXPORT_OK = qw(run_program alone become patience readelf);

# run_program([PROGRAM, ARGUMENT...], OPTION => VALUE...) runs the program. Options:
#
#   input    bytes of standard input (empty)
#   env      {NAME => VALUE}: the whole environment (the caller's)
#   as       [UID, GID]: the user that runs it, when root runs the test
#   seconds  the time, multiplied by patience(), after which the program is killed and
#            the test dies (60)
#
# Returns {out, err, exit, signal}: bytes, exit status, 0 or a signal's number.
sub run_program {
	my ($command, %option) = @_;
	my $input = file_with($option{input} // '');
	my ($out, $err) = map { file_with('') } 1, 2;
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		eval {
			become(@{ $option{as} }) if $option{as} && $> == 0;
			open STDIN, '<&', $input or die "stdin: $!";
			open STDOUT, '>&', $out or die "stdout: $!";
			open STDERR, '>&', $err or die "stderr: $!";
			%ENV = %{ $option{env} } if $option{env};
			no warnings 'exec';
			exec { $command->[0] } @$command;
			print STDERR "exec $command->[0]: $!\n";
		};
		print STDERR $@ if $@;
		POSIX::_exit(127);
	}
	my $status = wait_for($pid, ($option{seconds} // 60) * patience(),
		$command->[0]);
	return {
		out => content_of($out),
		err => content_of($err),
		exit => $status >> 8,
		signal => $status & 127,
	};
}

# Returns the factor for all limits of time. Limits are there to end programs that hang; they
# must not fail a test on a slow machine (tests/loaded/run.sh).
sub patience {
	return $ENV{GALLEY_PATIENCE} // ($ENV{GALLEY_VALGRIND} ? 10 : 1);
}

# alone(NAME) makes other scripts that call it with the same NAME wait until the value that it
# returns is destroyed. Scripts that run make in the folder of the build need it.
sub alone {
	my ($name) = @_;
	open my $lock, '>', $name or die "$name: $!";
	flock $lock, LOCK_EX or die "$name: $!";
	return $lock;
}

# readelf(WORD..., FILE) returns readelf's output for a program or a library.
sub readelf {
	my (@words) = @_;
	return run_program(['readelf', '--wide', @words], env => { %ENV })->{out};
}

# become(UID, GID) changes the user of a child that root started.
sub become {
	my ($uid, $gid) = @_;
	$) = "$gid $gid";
	POSIX::setgid($gid) or die "setgid $gid: $!";
	POSIX::setuid($uid) or die "setuid $uid: $!";
}

sub wait_for {
	my ($pid, $seconds, $name) = @_;
	my $status;
	eval {
		local $SIG{ALRM} = sub { die "late\n" };
		alarm $seconds;
		waitpid $pid, 0;
		$status = $?;
		alarm 0;
		1;
	} and return $status;
	alarm 0;
	kill KILL => $pid;
	waitpid $pid, 0;
	die "$name did not end within $seconds s";
}

sub file_with {
	my ($bytes) = @_;
	open my $file, '+>', undef or die "a file without a name: $!";
	binmode $file;
	print $file $bytes;
	$file->flush;
	seek $file, 0, 0;
	return $file;
}

# Returns all bytes of the file. The program wrote through the same open file, so its offset is
# at the end.
sub content_of {
	my ($file) = @_;
	seek $file, 0, 0;
	binmode $file;
	local $/;
	return scalar(<$file>) // '';
}

1;
