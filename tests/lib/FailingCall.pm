# A program of which some system calls fail, or return what they are told to: what
# no disk, kernel or clock does at a test's wish. strace makes them.
#
#	use FailingCall qw(failing);
#
#	my $done = failing({ calls => ['rename:error=EIO'],
#		path => "$home/db/restore-pending" }, $tool, 'restore', $file);
#
# `calls` are what strace's -e inject= takes: `NAME:error=ERRNO`,
# `NAME:retval=N`, `NAME:poke_exit=@argN=HEX`, each with `:when=N` (the n-th
# alone), `:when=N+` (from then on). `path`, where it is named, is the only one
# of which calls fail; a program that takes no debugger shows its paths to root's
# strace alone, so such tests are root's. All others are run_program()'s options.
# Returns what that returns. Processes that the program starts are meant, too.
# Without any calls the program simply runs.
package FailingCall;

use strict;
use warnings;

use Exporter 'import';
use Galley::Process qw(run_program);

our @EXPORT_OK = qw(failing);

sub failing {
	my ($option, @command) = @_;
	my %option = %$option;
	my $calls = delete $option{calls};
	my $path = delete $option{path};
	return run_program(\@command, %option) if !@$calls;
	die "failing: a path, of others' programs\n" if defined $path && $option{as};
	# Into the memory of a program that takes no debugger only root's strace
	# writes: this one takes one (system/harden.h).
	my @calls = (@$calls, ($> != 0 || $option{as}) && grep({ /poke/ } @$calls)
		? 'prctl:retval=0:when=1' : ());
	return run_program(['strace', '-f', '-qq', '-o', '/dev/null',
		defined $path ? ('-P', $path) : (),
		(map { ('-e', "inject=$_") } @calls), @command], %option);
}

1;
