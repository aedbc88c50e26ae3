# Runs programs on a terminal, to see what they ask and draw.
#
#	use Terminal qw(on_terminal);
#
#	my $done = on_terminal(\%options, @command);
#	# {exit, signal, out, screen}
#
# Standard input and standard error are a pseudo-terminal of 80 columns;
# `screen` holds everything that was written to it, with the echo of the input and with
# carriage returns. Standard output is a pipe, unless `out` is 'screen'. Options:
#
#   type    text to type; the terminal's end of input (Ctrl-D) follows
#   after   what the screen must show before the text is typed (nothing)
#   columns its width
#   env     the whole environment (%ENV; TERM is xterm unless named)
#
# Linux only, as the rest of the tests.
package Terminal;

use strict;
use warnings;

use Exporter 'import';
use Fcntl qw(O_NOCTTY O_RDWR);
use File::Temp ();
use Galley::Process qw(patience);
use POSIX ();

our @EXPORT_OK = qw(on_terminal);

use constant {
	TIOCGPTN => 0x80045430,
	TIOCSPTLCK => 0x40045431,
	TIOCSWINSZ => 0x5414,
	END_OF_INPUT => "\x04",
};

# Returns the folder of terminals. Where none is mounted, as in a bare chroot, it is mounted for
# this process only.
my ($terminals, $mounted_by);

sub find_terminals {
	return $terminals = '/dev/pts' if sysopen my $any, '/dev/ptmx', O_RDWR | O_NOCTTY;
	$terminals = File::Temp::tempdir(CLEANUP => 1);
	system('mount', '-t', 'devpts', '-o', 'newinstance,ptmxmode=0666', 'devpts',
		$terminals) == 0
		or die "there are no terminals; as root: mount -t devpts devpts /dev/pts\n";
	$mounted_by = $$;
	return $terminals;
}

END { local $?; system('umount', '-l', $terminals) if ($mounted_by // 0) == $$ }

# Returns the two ends of a new terminal.
sub terminal {
	my ($columns) = @_;
	my $folder = $terminals // find_terminals();
	my $ptmx = $mounted_by ? "$folder/ptmx" : '/dev/ptmx';
	sysopen my $master, $ptmx, O_RDWR | O_NOCTTY or die "$ptmx: $!";
	my $unlocked = pack 'i', 0;
	ioctl $master, TIOCSPTLCK, $unlocked or die "TIOCSPTLCK: $!";
	my $number = pack 'I', 0;
	ioctl $master, TIOCGPTN, $number or die "TIOCGPTN: $!";
	my $name = "$folder/" . unpack 'I', $number;
	my $size = pack 'S4', 24, $columns, 0, 0;
	ioctl $master, TIOCSWINSZ, $size or die "TIOCSWINSZ: $!";
	return ($master, $name);
}

sub run_child {
	my ($option, $name, $out, @command) = @_;
	POSIX::setsid();
	sysopen my $slave, $name, O_RDWR or POSIX::_exit(126);
	POSIX::dup2(fileno $slave, 0);
	POSIX::dup2(fileno $slave, 2);
	POSIX::dup2(($option->{out} // '') eq 'screen' ? 0 : fileno $out, 1);
	my $env = $option->{env} // { %ENV, TERM => undef };
	%ENV = (%$env, TERM => $env->{TERM} // 'xterm');
	exec { $command[0] } @command or POSIX::_exit(127);
}

# Reads the terminal and the pipe until both are closed (the end of a terminal is the error
# EIO), and types the text when `after` is on the screen. Returns nothing when no output arrives
# for a minute, multiplied by patience().
sub collect {
	my ($master, $out, $option) = @_;
	my %text = (screen => '', out => '');
	my $type = $option->{type};
	my $after = $option->{after} // qr/^/;
	my %open = (screen => $master, out => $out);
	while (%open) {
		if (defined $type && $text{screen} =~ $after) {
			syswrite $master, $type . END_OF_INPUT;
			undef $type;
		}
		my $bits = '';
		vec($bits, fileno $_, 1) = 1 for values %open;
		select my $ready = $bits, undef, undef, 60 * patience() or return;
		for my $name (sort keys %open) {
			next unless vec $ready, fileno $open{$name}, 1;
			my $got = sysread $open{$name}, $text{$name}, 65536,
				length $text{$name};
			delete $open{$name} unless $got;
		}
	}
	return %text;
}

sub on_terminal {
	my ($option, @command) = @_;
	my ($master, $name) = terminal($option->{columns} // 80);
	pipe my $out, my $out_end or die "pipe: $!";
	# The terminal stays open here until the child has opened it: a terminal
	# that no process has open is at its end.
	sysopen my $slave, $name, O_RDWR | O_NOCTTY or die "$name: $!";
	my $child = fork // die "fork: $!";
	run_child($option, $name, $out_end, @command) if $child == 0;
	close $out_end;
	close $slave;
	my %text = collect($master, $out, $option);
	if (!%text) {
		kill KILL => $child;
		waitpid $child, 0;
		die "$command[0] waits for something on its terminal\n";
	}
	waitpid $child, 0;
	return { %text, exit => $? >> 8, signal => $? & 127 };
}

1;
