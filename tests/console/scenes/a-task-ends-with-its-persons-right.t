#!/usr/bin/perl
# What somebody asked for, who has since lost the right, ends without effect, at every step
# (docs/console.md §1.3, §2.4). The runner is killed, or stopped, at each of its places; then the
# person loses the role, is disabled, or the account is suspended; the runner goes on. Nothing is
# changed any more, and the page of the task says why. Each kind of lib/task is here: the tables
# of the kinds are read, and one that is not known here fails.
#
# Of the places between two notes (a change of the store, a file) it takes every 11th from a random
# one on. GALLEY_FAULT_START repeats a run's choice; GALLEY_FAULT_ALL takes all of them.
# suite: slow
use strict;
use warnings;
use utf8;

use Digest::MD5 qw(md5_hex);
use Fcntl qw(F_SETLK F_WRLCK SEEK_SET);
use POSIX ();
use Test::More;

use lib 'tests/lib';
use FaultPoints qw(met_points);
use Galley::Console;
use Galley::Process qw(run_program);
use Galley::Wxr;
use JobRun;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output todo_output);

my $all = $ENV{GALLEY_FAULT_ALL};
my $stride = $all ? 1 : 11;
my $start = $ENV{GALLEY_FAULT_START} // int rand $stride;
diag "GALLEY_FAULT_START=$start";
# Nobody is at this address, so doctor has its answer at once.
my $console = Galley::Console->new(build => 'test', conf => { kept_answers => 0,
	public_url => 'http://127.0.0.1:444' });
my $galley = $console->galley;
my $home = $galley->home;
my $account = $galley->account;
my $w = $galley->workspace(account => $account);
my $gus = $console->person(name => 'Gus', role => 'operator');
my ($round, $killed, $stopped) = (0, 0, 0);

# ---- the runner

my @runner = ($galley->programs . '/bin/task-runner', '--once');
sub tasks {
	my (%env) = @_;
	return run_program([@runner], env => { PATH => '/usr/bin:/bin', %env }, seconds => 120,
		as => [$galley->owner_ids]);
}

# Starts it, and returns its id. With a place at which it stops: and that of the process that is
# there, if one comes there.
sub starts {
	my (%env) = @_;
	my $pid = fork // die "fork: $!";
	return $pid if $pid;
	Galley::Process::become($galley->owner_ids) if $> == 0;
	%ENV = (PATH => '/usr/bin:/bin', %env);
	open STDERR, '>', '/dev/null';
	exec @runner or POSIX::_exit(127);
}
sub stops_at {
	my ($place) = @_;
	my $pid = starts(GALLEY_FAULT => "$place:stop");
	my $there;
	JobRun::wait_until(60, sub {
		return 1 if waitpid($pid, POSIX::WNOHANG()) == $pid;
		($there) = grep { (state_of_process($_) // '') eq 'T' } $pid, children_of($pid);
		return defined $there;
	}) or die "$place: the runner neither stops nor ends";
	return ($pid, $there);
}
sub state_of_process { return ((eval { Galley::slurp("/proc/$_[0]/stat") } // '') =~ /^.*\) (\S)/s)[0] }
sub children_of { return split ' ', eval { Galley::slurp("/proc/$_[0]/task/$_[0]/children") } // '' }

# Whether somebody writes a store: a change that has its lock was decided before.
sub is_locked {
	# The lock that a writer shares (docs/postgres.md §3); 0x67616c00 and the number of the store.
	return $galley->sql('SELECT count(*) AS n FROM pg_locks WHERE locktype = \'advisory\' AND granted'
		. ' AND objid IN (1734437888, 1734437889) AND database = (SELECT oid FROM pg_database'
		. ' WHERE datname = current_database())')->[0]{n} if $galley->{database};
	return grep {
		run_program(['sqlite3', '-cmd', '.timeout 0', "$home/$_", 'BEGIN IMMEDIATE; ROLLBACK;'],
			as => [$galley->owner_ids])->{err} ne '';
	} 'db/galley.db', 'people/console.db';
}

# What tasks can change: all but the rows of tasks themselves.
sub effects {
	my $content = $galley->{database} ? $galley->state_of_postgres('content')
		: run_program(['sqlite3', '-cmd', '.timeout 20000', "$home/db/galley.db", '.dump'],
			as => [$galley->owner_ids])->{out};
	return join ' ', md5_hex($content), map { $_ . ':' . -s } sort grep { -f && !/galley\.db/ }
		glob "$home/{galley.conf,db/*,run/console/report-*}";
}

# ---- the kinds

# The names in a table of C, as they are written there.
sub names_of {
	my ($file, $table) = @_;
	my ($rows) = Galley::slurp(Galley::top() . "/lib/task/$file") =~ /\b\Q$table\E\[\] = \{\n(.*?)^\};/ms
		or die "$file has no $table";
	return grep { $_ ne 'NULL' } $rows =~ /^\t\{ (?:\.name = )?([^,\s]+)/mg;
}

# A note is made behind 20 of them.
my @posts = map { { id => $_, type => $_ % 10 == 1 ? 'post' : 'page' } } 1 .. 31;
my $export = wxr(\@posts);
utf8::encode($export);
my $zip = -x $galley->programs . '/bin/galley-unpack' ? run_program(['python3', '-c',
	'import io, sys, zipfile; out = io.BytesIO(); z = zipfile.ZipFile(out, "w");'
	. ' z.writestr("export.xml", sys.stdin.read()); z.close(); sys.stdout.buffer.write(out.getvalue())'],
	input => $export)->{out} : undef;
$galley->import_text($w, map { "# Article $_\n\nText.\n" } 1 .. 21); # a step looks at 20

# Asks for an import of a file in a workspace of its own. Returns its page.
sub import_of {
	my ($browser, $bytes) = @_;
	my $place = $galley->workspace(account => $account);
	my (undef, $fields) = $browser->get("/$place/moving")->sends('Dry run', From => 'WordPress',
		File => { filename => 'x', bytes => $bytes });
	return $browser->post("/$place/moving", [map { $_ eq 'dry' ? 'import' : $_ } @$fields])->landed;
}

# A website at a private address, which is not asked.
my $site = $galley->workspace(account => $account, website => 'https://127.0.0.1',
	address_pattern => '/{slug}/');
$galley->import_text($site, "# A page\n\nText.\n");

# NAME => [ROW...]: how it is asked for in a browser (returns its page), and whose it is.
my @owner = (role => 'owner', account => $account);
my %tasks = (
	TASKS_REFRESH => [{ what => 'exports', ask => sub {
		$galley->must(qw(workspace set), $w, 'author_name=A' . ++$round);
		return $_[0]->get("/$w/settings/exports")->press('Refresh exports');
	} }],
	VISITED_KIND => [{ what => 'pages', ask => sub {
		return $_[0]->get("/$site/sites/pages")->press('Verify pages') } }],
	MOVING_KIND => [{ what => 'an import', ask => sub { import_of($_[0], $export) } },
		$zip ? { what => 'an archive', ask => sub { import_of($_[0], $zip) } } : ()],
);
my $backup = "$home/db/backup-20260101T000000Z.tar";
my %errands = (
	ASKING_BACKUP => [{ what => 'a backup',
		ask => sub { $_[0]->get('/instance/backups')->press('Make a backup') } }],
	ASKING_DUMP => [{ what => 'a dump',
		ask => sub { $_[0]->get('/instance/backups')->press('Make a dump') } }],
	ASKING_PROVIDER => [{ what => 'a test of the provider', journal => 'errand-aside',
		ask => sub { $_[0]->get('/instance/provider')->press('Test the provider') } }],
	ASKING_DOCTOR => [{ what => 'doctor',
		ask => sub { $_[0]->get('/instance')->press('Check the installation') } }],
	ASKING_VERIFY => [{ what => 'verify', ask => sub { $_[0]->get('/instance')->press('Verify') } }],
	ASKING_RESTORE => [{ what => 'a restore', ask => sub {
		$galley->must('backup', $backup) if !-e $backup;
		$galley->must(qw(workspace set), $w, 'author_name=B' . ++$round);
		return $_[0]->get('/instance/restore')->press('Restore', Backup => $backup =~ s{.*/}{}r,
			'Host of this console' => '127.0.0.1:444');
	} }],
	'"migrate"' => [], # who has the code asks for it, and needs no right
);
is_deeply [sort keys %tasks], [sort(names_of('slice-kinds.c', 'slice_kinds'))], 'each kind of task is here';
is_deeply [sort keys %errands], [sort(names_of('errand-kinds.c', 'errand_kinds'))], 'each errand, too';

# ---- how a right is lost, and given back

sub by_tool { my (@words) = @_;
	return sub { $galley->must('person', map { $_ eq 'WHO' ? $_[0]{email} : $_ } @words) } }
my %lost = (
	'the role' => [by_tool(qw(set WHO --account), $account, qw(--role none))],
	'a part of the role' => [by_tool(qw(set WHO --account), $account, qw(--role writer))],
	'the role, in the store alone' => [sub {
		$console->sql("UPDATE membership SET may_publish = 0, may_manage = 0 WHERE person_id = $_[0]{id}") }],
	'all: disabled' => [by_tool(qw(disable WHO))],
	'all: disabled, in the store alone' => [sub {
		$console->sql("UPDATE person SET disabled_at = 1 WHERE id = $_[0]{id}") }],
	'all: removed' => [by_tool(qw(remove WHO))],
	'all: the account is suspended' => [sub { $galley->must(qw(account suspend), $account) },
		sub { $galley->must(qw(account resume), $account) }],
);
my %lost_of_operators = (
	'the role' => [by_tool(qw(set WHO --operator --role none))],
	'all: disabled' => [by_tool(qw(disable WHO))],
	'all: removed' => [by_tool(qw(remove WHO))],
);
my $why = qr/may not do this any more|account is suspended/;

# ---- the places

# Those between two notes are many, and alike.
my $own = qr/^(?:task|moving|archive|errand|exports)-/;
my $count = $start;
sub chosen {
	my ($met) = @_;
	my @places;
	for my $name (grep { !/^vfs-|^db-after|^generation/ } sort keys %$met) {
		push @places, grep { $name =~ $own || $count++ % $stride == 0 }
			map { "$name:$_" } 1 .. $met->{$name};
	}
	return @places;
}

my $turn = $start;
sub next_way {
	my ($ways) = @_;
	my @names = sort keys %$ways;
	my $name = $names[$turn++ % @names];
	return ($name, @{ $ways->{$name} });
}

my @wrong;
sub goes_on {
	my ($name, $row, $page, $was, $before) = @_;
	my $now = $row->{state}->($page);
	push @wrong, "$name: something was changed" if effects() ne $before;
	push @wrong, "$name: the task is $now" if $now !~ $row->{over}
		&& !($was eq 'stopped' && $now eq 'done');
	# A new session: some pages want a proof that is some minutes old, and this script takes longer.
	my $shown = $console->as($gus)->get($page->{address}, whole => 1)->text;
	push @wrong, "$name: the page does not say why: $shown" if $now =~ $row->{over} && $shown !~ $why;
}

sub try_kind {
	my ($row, $ways) = @_;
	my ($asked, $met) = met_points($galley, sub {
		my $page = $row->{ask}->($console->as($row->{person}->()));
		my $done = tasks(%{ $_[0] });
		is "$done->{exit} $row->{what} " . $row->{state}->($page), "0 $row->{what} done",
			"$row->{what} is done" or diag $page->text, $done->{err};
	});
	for my $place (chosen($met)) {
		my ($way, $take, $give) = next_way($ways);
		my $name = "$row->{what} at $place loses $way";
		my $person = $row->{person}->();
		my $page = $row->{ask}->($console->as($person));
		my $ran = tasks(GALLEY_FAULT => "$place:kill");
		next if $row->{state}->($page) !~ /^(?:waiting|running)$/;
		$killed++;
		$take->($person);
		my $before = effects();
		$ran = tasks();
		push @wrong, "$name: the runner ends with $ran->{exit} $ran->{err}" if $ran->{exit};
		goes_on($name, $row, $page, 'killed', $before);
		$give->($person) if $give;
	}
	return $met;
}
my $owners = 0;
for my $kind (sort keys %tasks) {
	for my $row (@{ $tasks{$kind} }) {
		$row->{person} = sub { $console->person(name => 'Owner ' . ++$owners, @owner) };
		$row->{state} = sub { $console->sql('SELECT state FROM task ORDER BY id DESC LIMIT 1')->[0]{state} };
		$row->{over} = qr/^ended$/;
		my $met = try_kind($row, \%lost);
		# The runner is stopped, and goes on: what its next change is decided by is read under
		# the lock.
		for my $place (grep { $_ =~ $own } chosen($met)) {
			my ($way, $take, $give) = next_way({ map { $_ => $lost{$_} } grep { /store alone|suspended/ } keys %lost });
			my $name = "$row->{what}, stopped at $place, loses $way";
			my $person = $row->{person}->();
			my $page = $row->{ask}->($console->as($person));
			my ($pid, $there) = stops_at($place);
			next if !defined $there;
			if (is_locked()) {
				kill CONT => $there;
			} else {
				$stopped++;
				$take->($person);
				my $before = effects();
				kill CONT => $there;
				waitpid $pid, 0;
				goes_on($name, $row, $page, 'stopped', $before);
				$give->($person) if $give;
				next;
			}
			waitpid $pid, 0;
		}
	}
}
for my $kind (sort keys %errands) {
	for my $row (@{ $errands{$kind} }) {
		my $journal = "$home/run/console/" . ($row->{journal} // 'errand');
		$row->{person} = sub { $console->person(name => 'Operator ' . ++$owners, role => 'operator') };
		$row->{state} = sub { (Galley::slurp($journal) =~ /^state (\w+)$/m)[0] };
		$row->{over} = qr/^failed$/;
		my $ask = $row->{ask};
		$row->{ask} = sub { unlink $journal; return $ask->(@_) };
		try_kind($row, \%lost_of_operators);
	}
}
is_deeply \@wrong, [], 'nothing is changed after the right is lost, and the page says why'
	or diag explain \@wrong;
cmp_ok $killed, '>', 20, "the runner was killed at $killed places";
cmp_ok $stopped, '>', 4, "and stopped at $stopped";

# ---- an errand that waits for the job runner

my $journal = "$home/run/console/errand";
my $otto = $console->person(name => 'Otto', role => 'operator');
$errands{ASKING_RESTORE}[0]{ask}->($console->as($otto));
open my $lock, '+>>', "$home/run/runner.lock" or die "runner.lock: $!";
# struct flock of 64 bits
my $held = pack 's s x4 q q i x4', F_WRLCK, SEEK_SET, 0, 0, 0;
fcntl $lock, F_SETLK, $held or die "runner.lock: $!";
my ($pid) = starts();
ok JobRun::wait_until(60, sub { Galley::slurp($journal) =~ /^state running$/m }), 'a restore waits for the lock';
$lost_of_operators{'the role'}[0]->($otto);
my $before = effects();
close $lock;
waitpid $pid, 0;
like Galley::slurp($journal), qr/^state failed\n.*^report .*may not do this any more/ms,
	'whose person loses the right meanwhile: it fails';
is effects(), $before, 'and nothing is restored';
done_testing;
