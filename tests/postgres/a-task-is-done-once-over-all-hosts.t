#!/usr/bin/perl
# Proves, for the build STORE=pg, that the task runners of several hosts do each thing once
# (docs/postgres.md §6): a task has a lease by the database's clock; a runner that was stopped past it
# neither ends nor repeats what another one did; the runner of the same host need not wait; and of two
# that work at the same time one sends a mail, and one a ping. An import waits for the host that has
# its file.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley::Console;
use Galley::Process qw(run_program);
use Galley::Sites;
use JobRun;
use POSIX ();
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my @names = map { "site$_.example" } 1 .. 3;
my $sites = Galley::Sites->start(names => [@names]);
my $console = Galley::Console->new(build => 'test');
my $one = $console->galley;
my $box = $one->folder_of_owner('box');
Galley::spew("$box/post", "#!/bin/sh\ncat >/dev/null\necho \"\$*\" >>$box/sent\n");
chmod 0755, "$box/post";
chmod 0777, $box;
$one->conf(mail_command => "$box/post");
my $account = $one->must(qw(account create Customer --verified))->{id};
my $workspace = $one->workspace(name => 'First', account => $account);
$one->import_text($workspace, map { "# Export $_\n\nText.\n" } 1 .. 41);
my $olga = $console->person(name => 'Olga', email => 'olga@example.org', role => 'owner', workspace => $workspace);
my $two = $one->another_host(build => 'test');

sub environment { return { PATH => '/usr/bin:/bin', HOME => '/', $sites->env, @_ } }
sub runner_of { return [$_[0]->programs . '/bin/task-runner', '--once'] }
sub run_at {
	my ($host, %env) = @_;
	return run_program(runner_of($host), env => environment(%env), as => [$host->owner_ids], seconds => 120);
}

# Starts a runner; returns its process.
sub start {
	my ($host, %env) = @_;
	my $pid = fork // die "fork: $!";
	return $pid if $pid;
	Galley::Process::become($host->owner_ids) if $> == 0;
	%ENV = %{ environment(%env) };
	open STDIN, '<', '/dev/null';
	open STDOUT, '>', '/dev/null';
	open STDERR, '>', '/dev/null';
	no warnings 'exec';
	exec @{ runner_of($host) };
	POSIX::_exit(127);
}

# Returns the child of a runner that is stopped, or nothing.
sub stopped_child {
	my ($runner) = @_;
	for my $file (glob '/proc/[0-9]*/stat') {
		open my $stat, '<', $file or next;
		return $1 if (readline($stat) // '') =~ /^(\d+) \(.*\) T $runner /;
	}
	return;
}
sub await_stop {
	my ($runner) = @_;
	my $child;
	ok JobRun::wait_until(60, sub { $child = stopped_child($runner) }), '  a child of a runner is stopped';
	return $child;
}
sub log_of { return Galley::slurp($_[0]->home . '/log/runner.log') }

# ---- tasks

my $round = 0;
sub new_task {
	my ($uuid, $author) = (Galley::Console::uuid(), 'Author ' . ++$round . '.');
	$one->must(qw(workspace set), $workspace, "author_name=$author");
	$console->sql('INSERT INTO task (uuid, kind, person, need, account, workspace, created_at)'
		. " VALUES ('$uuid', 'refresh-exports', '$olga->{uuid}', 'manage', '$account', '$workspace',"
		. Galley::Console::now() . ')');
	return $uuid;
}
sub task { return $console->sql("SELECT * FROM task WHERE uuid = '$_[0]'")->[0] }
sub over { $console->sql('UPDATE task_lease SET until = 1') }

for my $place ('task-begun', 'task-worked', 'task-stepped') {
	my $id = new_task();
	my $runner = start($one, GALLEY_FAULT => "$place:1:stop");
	my $child = await_stop($runner) or last;
	my $stopped = time;
	my $before = task($id);
	is run_at($two)->{exit}, 0, "$place: the runner of another host runs";
	run_at($two, GALLEY_CLOCK => $_) for -7200, 7200;
	is_deeply task($id), $before, '  and leaves the task, whatever its clock says';
	over();
	run_at($two);
	my $after = task($id);
	is "$after->{state} $after->{done}", 'done 41', '  past the lease it does the whole';
	kill CONT => $child;
	is JobRun::ended($runner, 60), 0, '  the first one goes on, and ends well';
	SKIP: {
		skip 'its slice of 5 s was over: it took no step more, and saw nothing', 1
			if $place ne 'task-begun' && time - $stopped >= 4;
		like log_of($one), qr/$id: was taken over by another host/, '  it saw it';
	}
	is_deeply task($id), $after, '  and has changed nothing';
	is $console->sql('SELECT count(*) AS n FROM task_lease WHERE task_id = ' . $after->{id})->[0]{n}, 0,
		'  nobody has a lease any more';
}
my $killed = new_task();
run_at($one, GALLEY_FAULT => 'task-worked:1:kill');
run_at($two);
is task($killed)->{state}, 'running', 'a slice that was killed: another host waits for the lease';
run_at($one);
is task($killed)->{state}, 'done', 'its own host goes on at once';

# Both at the same time, again and again.
my @ids = map { new_task() } 1 .. 2;
my @runners = map { start($_) } $one, $two;
is JobRun::ended($_, 120), 0, 'two runners at the same time end well' for @runners;
run_at($_) for $one, $two;
is join(' ', map { "$_->{state} $_->{done}" } map { task($_) } @ids), 'done 41 done 41', 'each article was counted once';

# ---- an import, whose file only one host has
my $export = '<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"'
	. ' xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><wp:wxr_version>1.2</wp:wxr_version>'
	. '<item><title>Moved</title><wp:post_id>1</wp:post_id><wp:post_type>post</wp:post_type>'
	. '<wp:status>publish</wp:status><content:encoded><![CDATA[<p>Text.</p>]]></content:encoded></item></channel></rss>';
is $console->as($olga)->get("/$workspace/moving")->press('Dry run', From => 'wordpress',
	File => { filename => 'a.xml', type => 'text/xml', bytes => $export })->status, 200, 'an import is asked for';
sub import_task { return $console->sql("SELECT * FROM task WHERE kind = 'import'")->[0] }
run_at($two);
is import_task()->{state}, 'waiting', 'a host without its file leaves it';
run_at($one);
is import_task()->{state}, 'done', 'the other one does it';

# ---- mails
sub invite { return $console->as($olga)->get("/$workspace/people")
	->press('Invite', 'E-mail' => $_[0], Name => 'New', Role => 'writer') }
sub sent { return sort split /\n/, -e "$box/sent" ? Galley::slurp("$box/sent") : '' }
my $mails = @{ [sent()] };
invite("new$_\@example.org") for 1 .. 6;
@runners = map { start($_) } $one, $two;
is JobRun::ended($_, 120), 0, 'two runners send mails at the same time' for @runners;
run_at($_) for $one, $two;
my %sent;
$sent{$_}++ for sent();
is_deeply [grep { $_ != 1 } values %sent], [], 'each of them once';
is scalar(grep { /new\d/ } keys %sent), 6, 'all of them';

invite('late@example.org');
my $mailer = start($one, GALLEY_FAULT => 'mail-begun:1:stop');
my $child = await_stop($mailer);
run_at($two);
is scalar(grep { /late/ } sent()), 0, 'a mail whose try began waits for its time';
$console->sql("UPDATE mail SET due_at = 1 WHERE state = 'waiting'");
run_at($two);
is scalar(grep { /late/ } sent()), 1, 'then another host sends it';
my $mail = $console->sql('SELECT * FROM mail ORDER BY id DESC LIMIT 1')->[0];
kill CONT => $child;
is JobRun::ended($mailer, 60), 0, 'who was stopped goes on';
is scalar(grep { /late/ } sent()), 1, 'and does not send it again';
is_deeply $console->sql('SELECT * FROM mail ORDER BY id DESC LIMIT 1')->[0], $mail, 'nor changes its row';

# ---- pings
my @workspaces = map { $one->workspace(name => "W$_", account => $account) } @names;
$one->must(qw(workspace set), $workspaces[$_], "notify_url=https://$names[$_]/ping") for 0 .. 2;
@runners = map { start($_) } $one, $two;
is JobRun::ended($_, 120), 0, 'two runners send pings at the same time' for @runners;
is join(' ', sort map { $_->{headers}{host} } $sites->requests), "@names", 'each website is told once';
$sites->forget;
$one->must(qw(workspace set), $workspaces[0], 'notify_url=https://site1.example/other');
my $pinger = start($one, GALLEY_FAULT => 'ping-begun:1:stop');
$child = await_stop($pinger);
$console->sql('UPDATE ping SET due_at = 1, tried_at = 1 WHERE due_at IS NOT NULL');
run_at($two);
is scalar(my @told = $sites->requests), 1, 'a ping whose runner was stopped is sent by another host';
kill CONT => $child;
is JobRun::ended($pinger, 60), 0, 'who was stopped goes on';
is scalar(@told = $sites->requests), 1, 'and does not send it again';
done_testing;
