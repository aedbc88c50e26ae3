#!/usr/bin/perl
# Pings to websites that hang, redirect, are private or answer garbage do no harm (docs/console.md
# §4.8): each of 40 workspaces, or of GALLEY_PINGS, has one that is drawn (SEED). A date and a task
# that are due meanwhile are done, a website that answers is told, no process grows or is left, and
# people see how it ended and nothing more.
# suite: slow
use strict;
use warnings;

use POSIX qw(strftime WNOHANG);
use Test::More;
use Time::HiRes qw(sleep time);

use lib 'tests/lib';
use Galley::Console;
use Galley::Process qw(run_program patience);
use Galley::Sites;

my $count = $ENV{GALLEY_PINGS} // 40;
my $seed = $ENV{SEED} // time ^ $$ << 8;
srand $seed;
diag "SEED=$seed";

# What a website does, and what people may see of it: the status counts as soon as it is there.
my ($yes, $no, $none) = ('answered', 'refused', 'no answer');
my %kinds = ((map { $_ => $yes } qw(good empty follows long big large trickles)),
	(map { $_ => $no } qw(fails moves itself inward plain file)),
	(map { $_ => $none } qw(hangs half deaf rude bare shuts resets closes cut old odd high nul
		chunk heads line status flood newlines slow drips waits stranger misnamed frames garbage
		private loop link metadata six mapped nowhere)),
	switches => qr/^(?:refused|no answer)$/, trailer => qr/^(?:answered|no answer)$/,
	two => qr/^(?:answered|no answer)$/, huge => qr/^(?:answered|no answer)$/);
my @waits = qw(hangs half deaf slow drips waits frames newlines trailer); # until a limit ends it
my %resolve = (private => '10.0.0.1', loop => '127.0.0.1', link => '169.254.1.1',
	metadata => '169.254.169.254', six => '[::1]', mapped => '[::ffff:10.0.0.1]',
	nowhere => '0.0.0.0');

# One of each first. Of 40, each host has one workspace; of more, many share one.
my @all = sort keys %kinds;
my @drawn;
push @drawn, sort { rand() <=> rand() } @all while @drawn < $count;
$#drawn = $count - 1;
push @drawn, 'good', 'good' if !grep { $_ eq 'good' } @drawn;
my %used;
my @sites;
for my $kind (@drawn) {
	my $n = $used{$kind}++ % ($count > 40 ? 1 : 3);
	push @sites, { kind => $kind, host => "$kind-$n.example" };
}
my %names = map { $_->{host} => $_->{kind} } @sites;
my $sites = Galley::Sites->start(
	names => [grep { !$resolve{ $names{$_} } && $names{$_} ne 'misnamed' } sort keys %names],
	misnamed => [grep { $names{$_} eq 'misnamed' } sort keys %names],
	resolve => { map { $_ => $resolve{ $names{$_} } } grep { $resolve{ $names{$_} } } keys %names });
my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my $account = $galley->must(qw(account create Customer))->{id};
$galley->must(qw(account verify), $account);
for my $site (@sites) {
	$site->{id} = $galley->workspace(name => $site->{kind}, account => $account);
	$galley->must(qw(workspace set), $site->{id}, "notify_url=https://$site->{host}/$site->{id}");
}

# ---- what is due at the same time

my $w = $galley->workspace(name => 'Other', account => $account);
my $olga = $console->person(name => 'Olga', role => 'owner', account => $account);
my ($article) = $galley->import_text($w, { publish => 0 }, "# Due\n\nText.\n");
my $at = strftime('%Y-%m-%dT%H:%M:%SZ', gmtime time + 100);
$galley->must(qw(article publish), $article, '--at', $at);
my $now = 120; # seconds that the clock of the runner is ahead
$console->sql('INSERT INTO task (uuid, kind, person, need, account, workspace, created_at) VALUES'
	. " ('22222222-2222-4222-8222-222222222222', 'refresh-exports', '$olga->{uuid}', 'manage',"
	. " '$account', '$w', 1)");

# ---- the runner, and what it costs

# Returns {PID => KiB}: how large the processes of this instance were at most.
sub processes {
	my %found;
	for my $exe (glob '/proc/[0-9]*/exe') {
		my $path = readlink $exe // next;
		next if index($path, $galley->programs . '/') != 0;
		my ($pid) = $exe =~ /(\d+)/;
		my $status = eval { Galley::slurp("/proc/$pid/status") } // next;
		$found{$pid} = $1 if $status =~ /^VmHWM:\s+(\d+)/m;
	}
	return %found;
}

sub start {
	my $pid = fork // die "fork: $!";
	return $pid if $pid;
	%ENV = (PATH => '/usr/bin:/bin', GALLEY_CLOCK => $now, $sites->env);
	open STDIN, '<', '/dev/null';
	Galley::Process::become($galley->owner_ids);
	exec $galley->programs . '/bin/task-runner', '--once' or die "task-runner: $!";
}

my %largest;
sub watch {
	my ($pid, $seconds) = @_;
	my $until = time + $seconds * patience();
	while (waitpid($pid, WNOHANG) == 0) {
		my %of = processes();
		$of{$_} > ($largest{$_} // 0) and $largest{$_} = $of{$_} for keys %of;
		die "the runner did not end within $seconds s" if time > $until;
		sleep 0.2;
	}
	return $?;
}

sub rows { return $console->sql('SELECT workspace, tries, failures, due_at, tried_at FROM ping') }
sub result_of {
	my ($site) = @_;
	return [map { $_->{result} } @{ $galley->must(qw(workspace notify), $site->{id})->{results} }];
}

# Each waits ten seconds at most, and sixteen wait at once; a host gets one ping a second.
my %of_host;
$of_host{ $_->{host} }++ for @sites;
my ($busiest) = sort { $b <=> $a } values %of_host;
my $began = time;
is watch(start(), 60 + 11 * ($count / 16 + $busiest)), 0, 'the runner comes to its end';
diag sprintf '%d pings in %.1f s', scalar @sites, time - $began;
is_deeply { processes() }, {}, 'no process is left';
my ($worst) = sort { $b <=> $a } values %largest;
cmp_ok $worst, '<', 96 * 1024, 'none was large' if !Galley::is_watched();
diag "the largest process: $worst KiB";

# ---- who was told, and in which order

my @rows = @{ rows() };
is @rows, @sites, 'each workspace has its row';
# A thousand take minutes: what failed first is tried again meanwhile.
my $again = $count > 40;
is_deeply [grep { $_->{tries} < 1 || $_->{tries} > ($again ? 4 : 1) } @rows], [], 'each was tried once';
my @wrong;
for my $site (@sites) {
	my ($results, $may) = (result_of($site), $kinds{ $site->{kind} });
	push @wrong, "$site->{kind}: @$results" if !@$results || (!$again && @$results > 1)
		|| grep { ref $may ? $_ !~ $may : $_ ne $may } @$results;
}
is_deeply \@wrong, [], 'people see how each ended' or diag "SEED=$seed";
my %row = map { $_->{workspace} => $_ } @rows;
my %after = (1 => 60_000_000, 2 => 300_000_000, 3 => 1800_000_000);
is_deeply [grep { my $r = $row{ $_->{id} }; ($r->{due_at} // 0) !=
	($r->{failures} && $after{ $r->{tries} } ? $r->{tried_at} + $after{ $r->{tries} } : 0) } @sites], [],
	'what failed is tried again after a minute, five and thirty, and nothing else is';
is_deeply [grep { $_->{headers}{host} !~ /^[a-z]+-\d\.example$/ || !$names{ $_->{headers}{host} } }
	$sites->requests], [], 'no redirect was followed';
my @unasked = grep { $resolve{$_} } map { $names{ $_->{headers}{host} } // '' } $sites->requests;
is_deeply \@unasked, [], 'no private address was asked';

my %of = map { $_->{workspace} => $_->{at} } @{ $console->sql('SELECT workspace, at FROM ping_result') };
my @slow = map { $of{ $_->{id} } } grep { my $kind = $_->{kind}; grep { $_ eq $kind } @waits } @sites;
my ($last) = sort { $b <=> $a } @slow;
is $galley->must(qw(article show), $article)->{status}, 'published', 'the date that was due is kept';
is $console->sql("SELECT state FROM task")->[0]{state}, 'done', 'and the task is done';
SKIP: {
	skip 'nothing waited', 4 if !@slow;
	cmp_ok $console->sql('SELECT ended_at FROM task')->[0]{ended_at}, '<', $last,
		'before the last website was given up';
	my $kept = $galley->sql('SELECT published_at AS at FROM edition')->[0]{at};
	cmp_ok $kept, '<', $last, 'and so was the date';
	cmp_ok $kept, '>=', ($began + $now) * 1e6 - 1e6, 'by this run';
	my ($good) = sort { $a <=> $b } map { $of{ $_->{id} } } grep { $_->{kind} eq 'good' } @sites;
	cmp_ok $good, '<', $last, 'a website that answers waits for none that hangs';
}

# ---- the other tries, of those that do not wait for a limit

$console->sql('UPDATE ping SET tries = 1, failures = 1, due_at = 1 WHERE failures > 0') if $again;
my $quick = join ', ', map { "'$_->{id}'" } grep { my $kind = $_->{kind};
	!grep { $_ eq $kind } @waits, 'trickles' } @sites;
$console->sql("UPDATE ping SET due_at = NULL WHERE workspace NOT IN ($quick)");
my $failing = $console->sql('SELECT count(*) AS n FROM ping WHERE due_at IS NOT NULL')->[0]{n};
for my $try (2 .. 4) {
	$now += (undef, undef, 61, 301, 1801)[$try];
	is watch(start(), 120 + $count), 0, "try $try";
	is $console->sql("SELECT count(*) AS n FROM ping WHERE tries = $try AND failures = $try")->[0]{n},
		$failing, 'is made of each that failed';
}
is $console->sql('SELECT count(*) AS n FROM ping WHERE due_at IS NOT NULL')->[0]{n}, 0,
	'and there is no fifth';

# ---- a runner that is killed leaves nobody who waits

my ($hanging) = grep { $_->{kind} eq 'hangs' } @sites;
SKIP: {
	skip 'nothing hangs', 2 if !$hanging;
	$console->sql("UPDATE ping SET due_at = 1, tries = 0 WHERE workspace = '$hanging->{id}'");
	$sites->forget;
	my $pid = start();
	my $until = time + 60 * patience();
	sleep 0.05 while !$sites->requests && time < $until;
	is scalar(my @asked = $sites->requests), 1, 'it is asked';
	kill KILL => $pid;
	waitpid $pid, 0;
	my %left;
	do { %left = processes(); sleep 0.05 if %left } while %left && time < $until;
	is_deeply \%left, {}, 'killed meanwhile: all of it ends';
}
done_testing;
