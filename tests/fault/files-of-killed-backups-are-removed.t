#!/usr/bin/perl
# Proves that a killed backup, restore or migration leaves no tar, no copy of the database and no
# pepper under another name. Nothing is left in the folder of the backup; the next command or the
# next run of the job runner removes its working files. An interrupted one (Ctrl-C) leaves nothing
# at once. Where files without a name cannot be made, the next backup into that folder removes the
# rest.
use strict;
use warnings;

use lib 'tests/lib';

use FailingCall qw(failing);
use FaultPoints qw(older_database);
use Galley;
use Galley::Process qw(become run_program);
use POSIX qw(WUNTRACED);
use Test::More;

my $galley = Galley->new(build => 'test');
my ($home, $tool) = ($galley->home, $galley->programs . '/bin/galley');
my $workspace = $galley->workspace;
my ($id) = $galley->import_text($workspace, "# One\n\nText.\n");
$galley->must(qw(article set), $id,
	'image=' . $galley->reachable('tests/fixtures/pictures/bands.png'));
my $out = $galley->folder_of_owner('out');
my $good = "$out/good.tar";
$galley->must('backup', $good);

# Returns all files that hold a secret, hidden or not, outside their places.
sub left {
	my ($on) = @_;
	my $at = $on->home;
	return sort grep { !m{/\.\.?$|/\.htaccess$|/good\.tar$|/galley\.db(?:-wal|-shm)?$|/pepper$|/before-} }
		glob "$at/db/* $at/db/.* $at/run/try-* $out/* $out/.*";
}
is_deeply [left($galley)], [], 'nothing is left by a completed command';

my $kills = 0;
sub killed {
	my ($on, $fault, @words) = @_;
	my $done = $on->command({ env => { GALLEY_FAULT => "$fault:kill" } }, @words);
	is $done->{signal}, 9, "$words[0], killed at $fault";
	is_deeply [grep { m{^\Q$out\E/} } left($on)], [], '  leaves nothing where the backup would be';
	is_deeply [grep { /before-.*[0-9a-f]{12}\z/ } glob $on->home . '/db/.*'], [], '  nor beside the database';
	if (++$kills % 2) {
		$on->command(qw(account list));
	} else {
		run_program([$on->programs . '/bin/job-runner', '--once'],
			env => { PATH => '/usr/bin:/bin' }, as => [$on->owner_ids]);
	}
	is_deeply [left($on)], [], '  and what it needed is gone after the next '
		. ($kills % 2 ? 'command' : 'run of the runner');
}
killed($galley, $_, 'backup', "$out/b.tar") for qw(archive-copied:1
	archive-people:1 archive-written:1);
killed($galley, $_, 'restore', $good) for qw(archive-media:1 archive-people:1 archive-copied:1
	restore-prepared:1
	restore-pending:1 restore-announced:1 restore-locked:1 restore-committed:1);
my $older = Galley->new(build => 'test');
for my $fault (qw(archive-copied:1 archive-written:1 migrate-step:2 migrate-before-commit:1)) {
	older_database($older);
	killed($older, $fault, 'migrate');
}

# Files that older releases left.
Galley::spew("$home/db/$_", 'secret') for '.pepper.11111111-1111-4111-8111-111111111111',
	'.copy.11111111-1111-4111-8111-111111111111';
mkdir "$home/db/.restore-1";
Galley::spew("$home/db/.restore-1/.epoch.x", 'x');
chown $galley->owner_ids, "$home/db/.restore-1";
$galley->must(qw(account list));
is_deeply [left($galley)], [], 'files of older releases are removed, too';

# ---- interrupted

for my $signal (qw(INT TERM HUP)) {
	for my $case ([qw(archive-copied:1 backup), "$out/b.tar"], ['restore-prepared:1', 'restore', $good]) {
		my ($fault, @words) = @$case;
		my $pid = fork // die "fork: $!";
		if ($pid == 0) {
			become($galley->owner_ids) if $> == 0;
			$ENV{GALLEY_FAULT} = "$fault:stop";
			# A background job of a shell ignores SIGINT, and so would this process.
			$SIG{$_} = 'DEFAULT' for qw(INT TERM HUP);
			open STDOUT, '>', '/dev/null';
			exec $tool, @words;
		}
		waitpid $pid, WUNTRACED;
		cmp_ok scalar(() = left($galley)), '>', 0, "$words[0]: there is something to leave";
		kill $signal => $pid;
		kill CONT => $pid;
		waitpid $pid, 0;
		is $? & 127, POSIX->can("SIG$signal")->(), "  SIG$signal ends it";
		is_deeply [left($galley)], [], '  and it leaves nothing';
	}
}

# ---- where every file has a name

SKIP: {
	skip 'only root sees which files a program names', 5 if $> != 0;
	my @nameless = (calls => ['openat:error=EOPNOTSUPP:when=2'], path => $out);
	my $done = failing({ @nameless, env => { GALLEY_FAULT => 'archive-written:1:kill' } },
		$tool, 'backup', "$out/b.tar");
	my @parts = grep { m{/out/\.b\.tar\.[0-9a-f-]{36}\z} } left($galley);
	is scalar(@parts), 1, 'without nameless files a killed backup leaves a hidden one';
	Galley::spew("$out/.notes.11111111-1111-4111-8111-111111111111", 'not of Galley');
	chown $galley->owner_ids, glob "$out/.notes.*";
	$galley->must('backup', "$out/other.tar");
	is_deeply [map { s{.*/}{}r } grep { m{/out/\.} } left($galley)],
		['.notes.11111111-1111-4111-8111-111111111111'], 'the next one into that folder removes it, alone';
	unlink glob "$out/.notes.*";
	unlink "$out/other.tar";
	$done = failing({ @nameless }, $tool, 'backup', "$out/b.tar");
	is $done->{exit}, 0, 'a backup is made there' or diag $done->{err};
	is $galley->command(qw(restore --check), "$out/b.tar")->{exit}, 0, 'and is good';
	unlink "$out/b.tar";
	is_deeply [left($galley)], [], 'and nothing else is left';
}
is $galley->command('verify')->{exit}, 0, 'the store is sound';

done_testing;
