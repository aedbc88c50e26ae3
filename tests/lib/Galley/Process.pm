# Runs one program to its end, with the given input, environment and user.
package Galley::Process;

use strict;
use warnings;

use Cwd qw(abs_path);
use Exporter 'import';
use Fcntl qw(LOCK_EX);
use File::Basename qw(basename dirname);
use File::Copy qw(copy);
use File::Temp ();
use POSIX ();

our @EXPORT_OK = qw(run_program alone as_cgi become patience readelf);

# run_program([PROGRAM, ARGUMENT...], OPTION => VALUE...) runs the program. Options:
#
#   input    bytes of standard input (empty)
#   env      {NAME => VALUE}: the whole environment (the caller's)
#   as       [UID, GID]: the user that runs it, when root runs the test
#   seconds  the time, multiplied by patience(), after which the program is killed and the test
#            dies (60), unless it has written or computed since, less than twice that and for at
#            most 20 times that
#   plain    1: a program of cgi-bin/ is started as plain CGI, whatever its store is
#
# With GALLEY_CLUSTER in the environment (make check-postgres) a request to a program of cgi-bin/ is
# sent by FastCGI: a program for PostgreSQL refuses plain CGI (tests/lib/fcgi-once.c).
#
# Returns {out, err, exit, signal}: bytes, exit status, 0 or a signal's number.
sub run_program {
	my ($command, %option) = @_;
	my $seconds = ($option{seconds} // 60) * patience();
	$command = [as_cgi(@$command)] if !$option{plain}
		&& ($option{env} // \%ENV)->{GATEWAY_INTERFACE}
		&& $command->[0] =~ m{/cgi-bin/[^/]+\z};
	my $done = starter() ? run_by_starter($command, $seconds, %option)
		: run_by_fork($command, $seconds, %option);
	die "$command->[0] did not end in $seconds s" if $done->{late};
	return {
		out => $done->{out},
		err => $done->{err},
		exit => $done->{status} >> 8,
		signal => $done->{status} & 127,
	};
}

# The starter, tests/lib/spawn.c, is a small process that starts programs: it saves the fork of a
# large Perl, two thirds of the time of a small program. One is kept for each process that calls
# run_program(), which waits for it at its end, so that its time is counted. A script that counts
# its children says `$Galley::Process::alone = 1`. Then, and where the starter is not built, and
# when objects are destroyed at the end, Perl forks.
our $alone;
my %starter;
my $place = abs_path(dirname(__FILE__) . '/../../..');

# Returns the words that start a program of cgi-bin/ for one request.
sub as_cgi {
	my (@command) = @_;
	return ($ENV{GALLEY_CLUSTER} ? reachable_copy(built('fcgi-once')) : (), @command);
}

# Returns a copy of a program, which any user may run: the checkout may be where only its owner can
# enter. It is removed at the end of this process.
my ($copies, %copy);
sub reachable_copy {
	my ($program) = @_;
	return $copy{$program} if $copy{$program};
	if (!$copies) {
		$copies = File::Temp->newdir('galley-tools-XXXXXX', TMPDIR => 1);
		chmod 0755, "$copies" or die "$copies: $!";
	}
	my $to = "$copies/" . basename($program);
	copy($program, $to) or die "$program: $!";
	chmod 0755, $to or die "$to: $!";
	return $copy{$program} = $to;
}

# Returns the path of a program of tests/lib.
sub built {
	my ($name) = @_;
	my $build = $ENV{GALLEY_BUILD} || 'build';
	return ($build =~ m{^/} ? $build : "$place/$build") . "/tests/$name";
}

sub starter {
	return 0 if $alone || ${^GLOBAL_PHASE} eq 'DESTRUCT';
	return 1 if $starter{of} && $starter{of} == $$;
	my $program = built('spawn');
	return 0 if !-x $program;
	pipe my $input, my $orders or die "pipe: $!";
	pipe my $answers, my $output or die "pipe: $!";
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		POSIX::dup2(fileno $input, 0);
		POSIX::dup2(fileno $output, 1);
		{ no warnings 'exec'; exec { $program } $program }
		POSIX::_exit(127);
	}
	binmode $_ for $orders, $answers;
	%starter = (of => $$, pid => $pid, orders => $orders, answers => $answers);
	return 1;
}

# Ends the starter of this process by an order without words, and waits until it has ended:
# other processes may have what it reads from open.
sub end_starter {
	my ($of, $pid, $orders) = @starter{qw(of pid orders)};
	%starter = ();
	return if !$of || $of != $$;
	# At the end of a process `local` would make its status 0.
	my ($status, $error) = ($? + 0, $! + 0);
	local $SIG{PIPE} = 'IGNORE';
	syswrite $orders, pack 'L7', (0) x 7;
	waitpid $pid, 0;
	($?, $!) = ($status, $error);
}

END { end_starter() }

# An exception, which only a signal's handler throws, leaves an answer that nobody reads: the
# starter is then not used again.
sub run_by_starter {
	my ($command, $seconds, %option) = @_;
	my $env = $option{env} // \%ENV;
	my ($uid, $gid) = $option{as} && $> == 0 ? ids(@{ $option{as} }) : (-1, -1);
	my $order = join "\0", (map { text_of($_) } @$command),
		(map { text_of($_) . '=' . text_of($env->{$_} // '') } keys %$env), "/proc/$$/cwd", '';
	my $input = $option{input} // '';
	utf8::downgrade($input, 1) or utf8::encode($input);
	my %kept = %starter;
	%starter = ();
	my $whole = pack('LLLllLL', length($order) + length $input, scalar @$command,
		scalar keys %$env, $uid, $gid, umask, $seconds) . $order . $input;
	while ($whole ne '') {
		my $sent = syswrite $kept{orders}, $whole;
		die "the starter of programs has ended: $!" if !defined $sent;
		substr $whole, 0, $sent, '';
	}
	my ($status, $late, $out, $err) = unpack 'L4', read_whole($kept{answers}, 16);
	my %done = (status => $status, late => $late, out => read_whole($kept{answers}, $out),
		err => read_whole($kept{answers}, $err));
	%starter = %kept;
	return \%done;
}

# Returns a word or a variable as a program gets it.
sub text_of {
	my ($text) = @_;
	utf8::encode($text) if utf8::is_utf8($text);
	$text =~ s/\0.*//s;
	return $text;
}

sub read_whole {
	my ($from, $size) = @_;
	my $bytes = '';
	while (length $bytes < $size) {
		my $read = sysread $from, $bytes, $size - length $bytes, length $bytes;
		next if !defined $read && $!{EINTR};
		die 'the starter of programs has ended' if !$read;
	}
	return $bytes;
}

sub run_by_fork {
	my ($command, $seconds, %option) = @_;
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
	my ($status, $late) = wait_for($pid, $seconds, $out, $err);
	return { status => $status, late => $late, out => content_of($out),
		err => content_of($err) };
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

# Returns UID and GID. Without GID it is the group of that user, never root's.
sub ids {
	my ($uid, $gid) = @_;
	die 'no user is named' if !defined $uid;
	return ($uid, $gid // (getpwuid $uid)[3] // die "user $uid has no group");
}

# become(UID, GID) changes the user of a child that root started.
sub become {
	my ($uid, $gid) = ids(@_);
	$) = "$gid $gid";
	POSIX::setgid($gid) or die "setgid $gid: $!";
	POSIX::setuid($uid) or die "setuid $uid: $!";
}

# Returns the status of a process, and whether it was killed because it hangs (tests/lib/spawn.c).
sub wait_for {
	my ($pid, $seconds, $out, $err) = @_;
	my ($status, $written, $used, $alarms) = (undef, 0, 0, 0);
	eval {
		local $SIG{ALRM} = sub {
			my ($size, $now) = ((-s $out) + (-s $err), computed($pid));
			die "late\n" if $size == $written && $now - $used < $seconds / 100
				|| $now > 2 * $seconds || ++$alarms == 20;
			($written, $used) = ($size, $now);
			alarm $seconds;
		};
		alarm $seconds;
		waitpid $pid, 0;
		$status = $?;
		alarm 0;
		1;
	} and return ($status, 0);
	alarm 0;
	kill KILL => $pid;
	waitpid $pid, 0;
	return ($?, 1);
}

# The seconds that a process, and those that it waited for, have used of processors.
sub computed {
	my ($pid) = @_;
	open my $stat, '<', "/proc/$pid/stat" or return 0;
	my @words = split ' ', readline($stat) =~ s/.*\)//r;
	my $used = 0;
	$used += $_ for @words[11 .. 14];
	return $used / POSIX::sysconf(POSIX::_SC_CLK_TCK());
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
