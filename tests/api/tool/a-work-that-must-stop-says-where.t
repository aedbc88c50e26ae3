#!/usr/bin/perl
# suite: fast
# SIGTERM ends a long work of galley between two steps. The work says what is done and
# what is not, the signal ends the process, and the same command again does the rest. A
# fault point holds the process between two steps until the signal is sent.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use JobRun;
use POSIX ();
use Test::More;

my $galley = Galley->new(build => 'test');
my $tool = $galley->home . '/bin/galley';
my $w = $galley->workspace;
$galley->import_text($w, map { "# Article $_\n\nText.\n" } 1 .. 60);
my $name = $galley->must(qw(workspace show), $w)->{name};

my $out = $galley->scratch . '/out';
mkdir $out;
chown $galley->owner_ids, $out;
$galley->must('backup', "$out/good.tar");

# Runs galley with the words and stops it at the fault point with SIGTERM. Returns the
# status of the process and what it wrote to standard error.
sub stop_at {
	my ($fault, @words) = @_;
	my $err = $galley->scratch . '/err';
	my $child = fork // die "fork: $!";
	if ($child == 0) {
		open STDERR, '>', $err or POSIX::_exit(126);
		open STDOUT, '>', '/dev/null' or POSIX::_exit(126);
		$ENV{GALLEY_FAULT} = "$fault:1:stop";
		exec $tool, '--instance', $galley->home, @words;
	}
	is waitpid($child, POSIX::WUNTRACED()), $child, "@words: held at $fault";
	ok POSIX::WIFSTOPPED(${^CHILD_ERROR_NATIVE}), '  between two steps';
	kill TERM => $child;
	kill CONT => $child;
	return (JobRun::ended($child, 60), Galley::slurp($err));
}

$galley->must(qw(workspace set), $w, 'author_name=Jane Doe');
for my $case (
	['exports-watched', [qw(export refresh)],
		qr/^galley: stopped: \d+ stored exports were renewed\. The same/m],
	['verify-checked', ['verify'], qr/^galley: stopped: 1 of 11 checks were made\.$/m],
	['archive-copied', ['backup', "$out/b.tar"],
		qr{^galley: stopped: \Q$out\E/b\.tar was not written\.$}m],
	['restore-prepared', ['restore', "$out/good.tar"],
		qr/^galley: stopped: nothing was changed\.$/m],
	['dump-file', ['dump', "$out/dump"],
		qr{^galley: stopped: \Q$out\E/dump is not whole: remove it\.$}m],
	['workspace-slice', [qw(workspace delete), $w, '--confirm', $name],
		qr/^galley: stopped: 50 articles were destroyed, and no key opens/m],
) {
	my ($fault, $words, $sentence) = @$case;
	my ($status, $err) = stop_at($fault, @$words);
	is $status, POSIX::SIGTERM(), '  the signal ends it';
	like $err, $sentence, '  and says where it stopped';
	rmdir "$out/dump";
	is $galley->command(@$words)->{exit}, 0, '  the same again does the rest';
}
is_deeply $galley->must(qw(workspace list)), [], 'the workspace is gone';

done_testing;
