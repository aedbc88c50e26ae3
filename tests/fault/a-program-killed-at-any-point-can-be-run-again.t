#!/usr/bin/perl
# Proves for every fault point of the programs that a program which is killed there has done
# nothing, or all of its work, that it can be run again, and that nothing is done twice that may
# be done only once (docs/platform.md §3.5: K1 to K6, K8 to K13, K15).
#
# The programs list their points. A first run of each operation notes the points that it passes; a
# new point that no operation passes fails the test.
# suite: slow
use strict;
use warnings;
use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use FakeOpenAI;
use Galley::Console;
use Galley::Process qw(run_program);
use Galley::Wxr;
use FaultPoints qw(fault_points met_points older_database);
use JobRun;

my $jobs = JobRun->new(credits => 1000000, conf => { log_max_mib => 1 });
my $galley = $jobs->galley;
my $home = $galley->home;
my ($number, $width) = (0, 0);
my ($article) = $galley->import_text($jobs->workspace, "# One\n\nText.\n");
my $console = Galley::Console->of($galley, 'https://galley.example');
my $olga = $console->person(name => 'Olga', role => 'owner', workspace => $jobs->workspace);
# A picture that is not stored yet.
sub picture {
	my ($path) = @_;
	Galley::spew($path, FakeOpenAI::png(++$width, 1));
	chmod 0644, $path;
	return $path;
}
my $dot = $galley->scratch . '/dot.png';
my $export = $galley->scratch . '/export';
my $internet = $galley->scratch . '/internet';
my $backup = "$home/db/b.tar";
$galley->must('backup', $backup);

sub command { my ($env, @words) = @_; return $galley->command({ env => $env }, @words) }

sub order { # repeats the same order until `fresh` asks for a new one
	my ($env, $fresh, %members) = @_;
	$number += $fresh;
	my $done = $jobs->order("order-$number", { image => JSON::PP::false,
		%members }, env => $env);
	$done->{exit} = 1 if $done->{status} != 200;
	return $done;
}

# Orders a job undisturbed; only its runner is killed.
sub worked {
	my ($env, $fresh, %members) = @_;
	order({}, 1, %members) if $fresh;
	return $jobs->run(env => $env);
}

# A runner that is told to end while its provider hangs.
sub released {
	my ($env, $fresh) = @_;
	order({}, 1, topic => 'hang') if $fresh;
	my $before = $jobs->calls;
	my ($pid, $status) = $jobs->start(env => $env);
	JobRun::wait_until(60, sub {
		$status = $? if waitpid($pid, POSIX::WNOHANG()) == $pid;
		return defined $status || $jobs->calls > $before;
	});
	if (!defined $status) {
		kill TERM => $pid;
		$status = JobRun::ended($pid, 60);
	}
	$galley->must(qw(job cancel), $_->{uuid}) for $status ? () : @{ $galley->sql(
		'SELECT uuid FROM job WHERE settled_at IS NULL') };
	$jobs->end_tasks;
	return { exit => $status >> 8, signal => $status & 127 };
}

# Gives the article a new text, to be published at a date that has come.
sub dated {
	my ($fresh, $late) = @_;
	return if !$fresh;
	command({}, qw(article set), $article, 'section=S' . $number++);
	command({}, qw(article publish --at 2999-01-01T00:00:00Z), $article);
	$galley->sql('UPDATE desk SET publish_at = ' . (time - ($late // 5)) . '000000');
}

sub tasks {
	my ($env) = @_;
	return run_program([$galley->programs . '/bin/task-runner', '--once'],
		env => $jobs->environment(%$env), as => [$galley->owner_ids], seconds => 60);
}

# NAME => an operation. `run` does it with an environment; its second argument is true for a new
# operation, and false when a killed one is repeated. `once`: repeated, it does nothing that was
# done. `children`: one of its processes may be the one that is killed.
my $older = Galley->new(build => 'test');
my %does = (
	'account create' => { run => sub { command($_[0], qw(account create),
		'A' . $number++, qw(--verified --credits 5)) } },
	'key create' => { run => sub { command($_[0], qw(key create --workspace),
		$jobs->workspace, qw(--scope articles:read)) } },
	'credits grant' => { once => 1, run => sub { $number += $_[1];
		command($_[0], qw(credits grant), $jobs->account, 10, '--ref',
			"ref $number") } },
	'workspace set' => { once => 1, run => sub { command($_[0], qw(workspace set),
		$jobs->workspace, 'author_name=A' . $number++) } },
	'article publish' => { run => sub { command($_[0], qw(article publish --again),
		$article) } },
	'article set' => { once => 1, run => sub { picture($dot) if $_[1];
		command($_[0], qw(article set), $article, "image=$dot") } },
	'same picture' => { once => 1, run => sub {
		if ($_[1]) {
			command({}, qw(article set), $article, "image=$_")
				for picture($dot), '';
		}
		command($_[0], qw(article set), $article, "image=$dot") } },
	'article purge' => { once => 1, run => sub {
		if ($_[1]) {
			my $id = $galley->must(qw(article create --workspace),
				$jobs->workspace, qw(--title Gone))->{id};
			$galley->must(qw(article set), $id, 'image=' . picture($dot));
			$galley->must(qw(article delete), $id);
		}
		command($_[0], qw(article purge --older-than 0)) } },
	'workspace delete' => { once => 1, run => sub {
		if ($_[1]) {
			$galley->key($galley->workspace(name => 'Doomed',
				account => $jobs->account));
			my ($id) = $galley->import_text('Doomed', "# Doomed\n\nText.\n");
			$galley->must(qw(article set), $id, 'image=' . picture($dot));
		}
		my $done = command($_[0], qw(workspace delete Doomed --confirm Doomed));
		$done->{exit} = 0 if $done->{err} =~ /There is no workspace Doomed/;
		return $done } },
	'article import' => { run => sub {
		my $file = $galley->scratch . '/' . ++$number . '.md';
		Galley::spew($file, "# Text $number\n\nText.\n");
		command($_[0], qw(article import --publish --workspace),
			$jobs->workspace, $file) } },
	'wordpress import' => { once => 1, run => sub { $number += $_[1];
		Galley::spew("$export-$number.xml", wxr([map { {
			id => $number * 10 + $_, title => "Post $_", content =>
			"<p>Text of $number.</p>", name => "p-$number-$_",
			link => "https://garden.example/$number/$_/" } } 1 .. 2]));
		command($_[0], qw(article import --from wordpress --workspace),
			$jobs->workspace, "$export-$number.xml") } },
	'export refresh' => { once => 1, children => 1, run => sub {
		command({}, qw(workspace set), $jobs->workspace,
			'author_name=B' . $number++) if $_[1];
		command($_[0], qw(export refresh)) } },
	'order' => { once => 1, run => \&order },
	'article job' => { once => 1, run => sub { worked(@_, topic => 'steps 2x0',
		autoPublish => JSON::PP::true) } },
	'job with image' => { once => 1, run => sub { picture("$home/log/dot.png") if $_[1];
		worked(@_, topic => 'image dot.png', image => JSON::PP::true) } },
	'research job' => { once => 1, run => sub { worked(@_, kind => 'research') } },
	'log rotation' => { once => 1, run => sub {
		if ($_[1]) {
			$galley->conf(log_max_mib => 1);
			Galley::spew("$home/log/requests.log", 'x' x 1_100_000 . "\n");
		}
		$jobs->run(env => $_[0]) } },
	'job that fails' => { once => 1, run => sub { worked(@_,
		topic => 'refuse provider_refused') } },
	'job given back' => { once => 1, run => \&released },
	'full log' => { once => 1, run => sub {
		Galley::spew("$home/log/operator.log", "A line.\n" x 140000) if $_[1];
		$jobs->run(env => $_[0]) } },
	'answer' => { once => 1, run => sub {
		command({}, qw(article publish --again), $article) if $_[1];
		my $done;
		for (1 .. 3) { # the key is kept, then the answer
			$done = $galley->get('/articles', key => $jobs->key, env => $_[0]);
			last if $done->{signal};
		}
		return $done } },
	'date' => { once => 1, children => 1, run => sub { dated($_[1]);
		tasks($_[0]) } },
	'date that is late' => { once => 1, children => 1, run => sub { dated($_[1], 90_000);
		tasks($_[0]) } },
	'task' => { once => 1, children => 1, run => sub {
		if ($_[1]) {
			command({}, qw(workspace set), $jobs->workspace,
				'author_name=T' . $number++);
			$console->sql('INSERT INTO task (uuid, kind, person, need, account,'
				. " workspace, created_at) VALUES ('t" . $number++ . "',"
				. " 'refresh-exports', '$olga->{uuid}', 'manage', '"
				. $jobs->account . "', '" . $jobs->workspace . "', 1)");
		}
		my $done = tasks($_[0]);
		my $open = $console->sql("SELECT count(*) AS n FROM task WHERE state <> 'done'");
		$done->{exit} ||= 7 if !%{ $_[0] } && $open->[0]{n};
		return $done } },
	# A host that may not be asked has its result at once.
	'ping' => { children => 1, once => 1, run => sub {
		Galley::spew($internet, "$internet\nclosed.example:443:10.0.0.1\n");
		chmod 0644, $internet;
		command({}, qw(workspace set), $jobs->workspace,
			'notify_url=https://closed.example/' . $number++) if $_[1];
		my $done = tasks({ %{ $_[0] }, GALLEY_NET => $internet });
		my $open = $console->sql('SELECT count(*) AS n FROM ping WHERE tries = 0');
		$done->{exit} ||= 7 if !%{ $_[0] } && $open->[0]{n};
		return $done } },
	'errand' => { once => 1, children => 1, run => sub {
		my $file = "$home/run/console/errand";
		if ($_[1]) {
			mkdir "$home/run/console", 0700;
			chown $galley->owner_ids, "$home/run/console" if $> == 0;
			Galley::spew($file, "kind backup\nid e" . $number++ . "\nstate waiting\n"
				. "asked_at 1\nchanged_at 1\ntries 0\nreport \n");
			chown $galley->owner_ids, $file if $> == 0;
			chmod 0600, $file;
		}
		my $done = tasks($_[0]);
		$done->{exit} ||= 7 if !%{ $_[0] } && Galley::slurp($file) !~ /^state done$/m;
		return $done } },
	'backup' => { once => 1, run => sub { command($_[0], 'backup', $backup) } },
	'dump' => { once => 1, run => sub { command($_[0], 'dump',
		$backup . '-dump-' . ++$number) } },
	'restore' => { once => 1, run => sub { command($_[0], 'restore', $backup) } },
	'migrate' => { once => 1, on => $older, run => sub {
		older_database($older) if $_[1];
		$older->command({ env => $_[0] }, 'migrate') } },
);
# The counts, and those of them that an operation or a kill may not change twice.
sub state {
	my ($galley) = @_;
	my @of = map { "(SELECT count(*) FROM $_)" } qw(account workspace api_key
		article edition job ledger media);
	push @of, map { "(SELECT sum($_) FROM account)" } qw(available reserved spent);
	push @of, '(SELECT sum(version) FROM article)', '(PRAGMA user_version)';
	my $row = $galley->sql('SELECT ' . join ', ', map {
		sprintf '%s AS c%02d', $of[$_] =~ s/\(PRAGMA (\w+)\)/(SELECT $1 FROM pragma_$1)/r,
		$_ } 0 .. $#of)->[0];
	return [map { $row->{$_} // 0 } sort keys %$row];
}

sub change {
	my ($from, $to) = @_;
	return join ' ', map { $to->[$_] - $from->[$_] } 0 .. $#$from;
}

# verify checks no database of another schema.
sub unsound {
	my ($galley) = @_;
	my $done = $galley->command('verify');
	return '' if $done->{exit} == 0;
	return $galley->sql('PRAGMA integrity_check')->[0]{integrity_check} eq 'ok'
		? '' : 'damaged' if $done->{err} =~ /run galley migrate/;
	return "$done->{out}$done->{err}";
}

my %met;
my $all = $ENV{GALLEY_FAULT_ALL};
for my $name (sort { ($a eq 'restore') - ($b eq 'restore') || $a cmp $b }
	keys %does) {
	my $it = $does{$name};
	my $on = $it->{on} // $galley;
	$galley->must('backup', $backup) if $name eq 'restore';
	my ($dead, $points) = met_points($on, sub { $it->{run}->($_[0], 1) });
	is "$dead->{exit} $dead->{signal}", '0 0', "$name succeeds" or diag $dead->{err};
	my $before = state($on);
	$it->{run}->({}, 1);
	my $whole = change($before, state($on));
	delete $points->{'vfs-op'};
	delete $points->{'thumbnail-written'};
	for my $point (sort keys %$points) {
		# Points that every operation passes are tested in a few of them; the commit in all.
		next if $met{$point}++ > 1 && !$all && $point !~ /^db-.*-commit$/;
		my $at = "$name, killed at $point";
		$before = state($on);
		$dead = $it->{run}->({ GALLEY_FAULT => "$point:1:kill" }, 1);
		ok $dead->{signal} == 9 || ($it->{children} && $dead->{exit}), $at;
		is unsound($on), '', "$at: the store is sound";
		my $left = change($before, state($on));
		my $again = $it->{run}->({}, 0);
		is "$again->{exit} $again->{signal}", '0 0', "$at: said again"
			or diag $again->{err};
		is change($before, state($on)), $whole, "$at: done once" if $it->{once};
		ok $left =~ /^[0 ]+$/ || $left eq $whole, "$at: nothing or everything"
			or diag "$left, not $whole" if !$it->{once};
	}
	$jobs->run if $name eq 'order';
}
is $jobs->broken, '', 'verify finds nothing';
# tests/http/fastcgi-loses-no-request.t passes the points of FastCGI processes.
$met{'fastcgi-ends'}++;
# Passed only beside a writer: a-restore-loses-nothing-that-was-acknowledged.t.
$met{'restore-behind'}++;
# tests/fault/people-come-back-whole-or-not-at-all.t passes it.
$met{'restore-people'}++;
# tests/console/pictures-are-uploaded-and-shown.t passes those of pictures.
$met{$_}++ for qw(upload-arrived upload-marked media-staged upload-inserted picture-removed picture-looked
	save-looked);
# tests/console/moving/a-site-moves-in.t kills at those of files that are sent and imported.
$met{$_}++ for qw(slice-written sent-whole archive-unpacked moving-noted uploads-forgotten);
# tests/console/mail/what-waits-is-told-by-mail.t kills at those of mails.
$met{$_}++ for qw(mail-noted mail-begun mail-sent mail-ended);
# tests/api/stats and no-hit-is-lost-or-counted-twice.t kill at those of hits and their counts.
$met{$_}++ for qw(hits-claimed hits-counted hits-committed hits-removed hits-forgotten stats-purged stats-erased
	hit-opened hit-locked hit-write hit-written);
# tests/postgres/an-instance-moves-and-returns.t kills at those of an instance that moves.
$met{$_}++ for qw(move-noted move-closed move-opened);
# tests/http/galley-serve-keeps-an-instance-running.t ends it at that of a program that begins.
$met{'becomes-a-program'}++;
# tests/console/pictures-are-uploaded-and-shown.t kills at that of a thumbnail, which ends nothing else.
$met{'thumbnail-written'}++;
# tests/api/backup/a-workspace-moves-to-another-instance.t kills at those of a workspace that moves,
# and of one that comes back.
$met{$_}++ for qw(workspace-looked-at workspace-placed restore-looked-at article-back);
is_deeply [grep { !$met{$_} && $_ ne 'vfs-op' } fault_points()], [],
	'every fault point was passed';
done_testing;
