#!/usr/bin/perl
# Where cron starts its line each minute, a ping arrives within 65 s of what it tells
# (docs/console.md §4.8): a run of any length sends what is due in its first pass, and an errand that
# goes on holds up none. With GALLEY_MINUTES this is measured, for so many minutes.
use strict;
use warnings;

use POSIX qw(WNOHANG);
use Test::More;
use Time::HiRes qw(sleep time);

use lib 'tests/lib';
use Galley::Console;
use Galley::Process qw(patience);
use Galley::Sites;

my $minutes = $ENV{GALLEY_MINUTES};
my $sites = Galley::Sites->start(names => ['good.example']);
my $console = Galley::Console->new(build => 'test',
	conf => { $minutes ? () : (runner_seconds => 1) });
my $galley = $console->galley;
my $account = $galley->must(qw(account create Customer))->{id};
$galley->must(qw(account verify), $account);
my $w = $galley->workspace(account => $account, website => 'https://www.example.com',
	address_pattern => '/{slug}/');
my ($article) = $galley->import_text($w, { publish => 0 }, "# One\n\nText.\n");
$galley->must(qw(workspace set), $w, 'notify_url=https://good.example/');
my $now = 0; # seconds that the clock of all programs is ahead

# What cron does: its line, with nothing but cron's environment and that of the test.
sub cron {
	my $pid = fork // die "fork: $!";
	return $pid if $pid;
	%ENV = (PATH => '/usr/bin:/bin', HOME => '/', SHELL => '/bin/sh', GALLEY_CLOCK => $now,
		$sites->env);
	open STDIN, '<', '/dev/null';
	Galley::Process::become($galley->owner_ids);
	exec '/bin/sh', '-c', $galley->programs . '/bin/job-runner' or die "sh: $!";
}

sub task_runner {
	my ($fault) = @_;
	my $pid = fork // die "fork: $!";
	return $pid if $pid;
	%ENV = (PATH => '/usr/bin:/bin', GALLEY_CLOCK => $now, GALLEY_FAULT => $fault, $sites->env);
	open STDIN, '<', '/dev/null';
	Galley::Process::become($galley->owner_ids);
	exec $galley->programs . '/bin/task-runner' or die "task-runner: $!";
}

# Returns {PID => [PARENT, STATE]} of the task runner and its children.
sub runners {
	my %found;
	for my $exe (glob '/proc/[0-9]*/exe') {
		my ($pid) = $exe =~ /(\d+)/;
		next if (readlink $exe // '') ne $galley->programs . '/bin/task-runner';
		my $stat = eval { Galley::slurp("/proc/$pid/stat") } // next;
		$found{$pid} = [$2, $1] if $stat =~ /^.*\) (\S) (\d+)/;
	}
	return %found;
}

sub wait_for {
	my ($seconds, $is_so) = @_;
	my $until = time + $seconds * patience();
	my $so;
	sleep 0.05 while !($so = $is_so->()) && time < $until;
	return $so;
}
sub arrived {
	my ($count) = @_;
	return wait_for(60, sub { my @all = $sites->requests; return @all >= $count });
}

if (!$minutes) {
	my $pid = cron();
	ok arrived(1), 'a new address is told by a run of one second';
	waitpid $pid, 0;
	ok wait_for(60, sub { my %r = runners(); !%r }), 'and the run ends';
	$galley->must(qw(article publish), $article);
	$now += 11;
	$pid = cron();
	ok arrived(2), 'and so is what was published';
	waitpid $pid, 0;
	ok wait_for(60, sub { my %r = runners(); !%r }), 'and this run ends, too';

	# An errand that stops keeps the run, which goes on telling.
	my $file = $galley->home . '/run/console/errand';
	mkdir $galley->home . '/run/console', 0700;
	Galley::spew($file, "kind verify\nid e1\nstate waiting\nasked_at 1\nchanged_at 1\ntries 0\nreport \n");
	chmod 0600, $file;
	chown $galley->owner_ids, $file, $galley->home . '/run/console' if $> == 0;
	$pid = task_runner('errand-done:1:stop');
	my $stopped;
	ok wait_for(60, sub {
		my %r = runners();
		($stopped) = grep { ($r{$_}[0] == $pid) && $r{$_}[1] eq 'T' } keys %r;
		return $stopped;
	}), 'an errand that does not come to its end';
	sleep 2; # the run would end now
	$galley->must(qw(article unpublish), $article);
	ok arrived(3), 'holds up no ping';
	kill CONT => $stopped if $stopped;
	waitpid $pid, 0;
	ok wait_for(60, sub { my %r = runners(); !%r }), 'and nothing is left';
	done_testing;
	exit;
}

# The real thing: each minute on the minute, a change at any second.
srand(my $seed = $ENV{SEED} // time);
diag "SEED=$seed";
my @cron;
my ($count, $worst, @delays) = (0, 0);
my $began = int(time / 60 + 1) * 60;
my ($next, $verb) = ($began, 'publish');
my $change = $began + 5;
my $changed;
while (time < $began + 60 * $minutes || $changed) {
	if (time >= $next) {
		push @cron, cron();
		$next += 60;
	}
	if (!$changed && time >= $change && time < $began + 60 * $minutes) {
		$count = () = $sites->requests;
		$galley->must('article', $verb, $article);
		$verb = $verb eq 'publish' ? 'unpublish' : 'publish';
		$changed = time;
	}
	if ($changed) {
		my @all = $sites->requests;
		if (@all > $count) {
			push @delays, $all[$count]{at} - $changed;
			diag sprintf 'changed at :%02d, told after %.1f s', $changed % 60, $delays[-1];
			$changed = undef;
			$change = time + rand 60;
		} elsif (time > $changed + 200) {
			last;
		}
	}
	waitpid $_, WNOHANG for @cron;
	sleep 0.1;
}
is $changed, undef, 'each change was told';
($worst) = sort { $b <=> $a } @delays;
cmp_ok $worst, '<=', 65, sprintf '%d changes: the last one was told after %.1f s', scalar @delays, $worst;
done_testing;
