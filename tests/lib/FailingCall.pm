# Runs a program and makes some of its system calls fail, or return a given value, with
# strace: a test cannot make a disk, a kernel or a clock fail in another way.
#
#	use FailingCall qw(failing);
#
#	my $done = failing({ calls => ['rename:error=EIO'],
#		path => "$home/db/restore-pending" }, $tool, 'restore', $file);
#
# `calls` are arguments of strace's -e inject=: `NAME:error=ERRNO`, `NAME:retval=N`,
# `NAME:poke_exit=@argN=HEX`, each with `:when=N` (only the n-th call) or `:when=N+` (the
# n-th call and all later ones). With `path`, only calls on this path fail. Our programs
# refuse debuggers and show their paths only to root's strace, so tests with `path` need
# root. All other options are those of run_program(), and failing() returns what it
# returns. Calls of processes that the program starts fail, too. Without calls the program
# simply runs.
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
	# Only root's strace may write into the memory of a program that refuses
	# debuggers; this variable lets the program accept one (system/harden.h).
	my @calls = (@$calls, ($> != 0 || $option{as}) && grep({ /poke/ } @$calls)
		? 'prctl:retval=0:when=1' : ());
	return run_program(['strace', '-f', '-qq', '-o', '/dev/null',
		defined $path ? ('-P', $path) : (),
		(map { ('-e', "inject=$_") } @calls), @command], %option);
}

1;
