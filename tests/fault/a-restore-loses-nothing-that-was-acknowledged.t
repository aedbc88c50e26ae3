#!/usr/bin/perl
# Proves that everything which is committed while a restore prepares is in the restored state, or
# in the backup that the restore keeps: an answered order, a grant, an article. A key that is
# revoked in that time stays revoked. Both hold with and without a write-ahead log.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::JSON ();
use Galley::Process qw(become run_program);
use JobRun;
use POSIX qw(WUNTRACED);
use Test::More;

my $jobs = JobRun->new(provider => 'fake', credits => 1000);
my $galley = $jobs->galley;
my ($home, $tool) = ($galley->home, $galley->programs . '/bin/galley');
my $account = $galley->must(qw(account list))->[0]{id};
my $backup = "$home/db/good.tar";
$galley->must('backup', $backup);
my $log = $galley->folder_of_owner('met') . '/log';

# Starts a restore that a fault point stops.
sub stopped {
	my ($fault) = @_;
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		become($galley->owner_ids) if $> == 0;
		$ENV{GALLEY_FAULT} = "$fault:stop";
		open STDOUT, '>', '/dev/null';
		exec $tool, 'restore', $backup;
	}
	waitpid $pid, WUNTRACED;
	Galley::slurp("/proc/$pid/stat") =~ /\) T / or die 'it did not stop';
	return $pid;
}

# Runs SQL like $galley->sql, and waits for locks.
sub rows {
	my ($sql) = @_;
	my $done = run_program(['sqlite3', '-json', '-cmd', '.timeout 30000', "$home/db/galley.db",
		$sql], as => [$galley->owner_ids]);
	die $done->{err} if $done->{exit};
	return Galley::JSON->new->utf8->decode($done->{out} || '[]');
}

# Runs SQL on the database of a tar.
sub inside {
	my ($tar, $sql) = @_;
	my $path = $galley->scratch . '/inside.db';
	system("tar xOf $tar galley.db >$path") == 0 or die;
	return qx(sqlite3 $path "$sql") =~ s/\n\z//r;
}
sub kept { return (sort { -M $a <=> -M $b } glob "$home/db/before-restore-*.tar")[0] }
sub forget { unlink glob "$home/db/before-restore-*.tar" }

for my $mode (qw(wal delete)) {
	$galley->sql("PRAGMA journal_mode = $mode");
	my $place = 'restore-prepared:1';
	forget();
	my $key = $galley->must(qw(key create --workspace), $jobs->workspace,
		qw(--scope articles:read --label late));
	$galley->must('backup', my $with = "$home/db/with-$mode.tar");
	rename $with, $backup;
	my $pid = stopped($place);
	my $order = $jobs->ordered("late-$mode", topic => "Late $mode");
	ok $order, "$mode: an order is answered while a restore prepares";
	$galley->must(qw(credits grant), $account, '17', '--ref', "late-$mode");
	$galley->must(qw(key revoke), $key->{id});
	my ($id) = $galley->import_text($jobs->workspace, "# Late $mode\n\nText.\n");
	$galley->must(qw(article set), $id,
		'image=' . $galley->reachable('tests/fixtures/pictures/bands.png')) if $mode eq 'wal';
	kill CONT => $pid;
	waitpid $pid, 0;
	is $?, 0, "$mode: the restore goes on";
	my $tar = kept();
	is inside($tar, "SELECT count(*) FROM job WHERE topic = 'Late $mode'"), 1,
		"$mode: the order is in what it keeps";
	is inside($tar, "SELECT available FROM ledger WHERE ref = 'late-$mode'"), 17,
		"$mode: so is the grant";
	is inside($tar, "SELECT count(*) FROM article WHERE uuid = '$id'"), 1,
		"$mode: so is the article";
	is_error $galley->get('/articles', key => $key->{key}), 401, 'unauthorized',
		"$mode: the key that was revoked stays revoked";
	my $checked = $galley->command(qw(restore --check), $tar);
	is_deeply $checked->{json}{problems}, [], "$mode: what it keeps is a good backup";
	is $galley->command('verify')->{exit}, 0, "$mode: the store is sound";
	is $galley->get('/articles', key => $jobs->key)->{status}, 200, "$mode: keys work";
	is_deeply [glob("$home/run/try-*"), glob("$home/db/.[a-z]*.*-*")], [], "$mode: nothing is left";
}

# A restore that is killed while it copies late commits has changed nothing; the next command
# says so.
{
	my ($id) = $galley->import_text($jobs->workspace, "# Stays\n\nText.\n");
	my $pid = stopped('restore-prepared:1');
	$galley->must(qw(article set), $id, 'title=Stays so');
	# The fault of a stopped process is known: another one is killed there.
	kill KILL => $pid;
	waitpid $pid, 0;
	is $galley->command('verify')->{exit}, 0, 'one that is killed when it is prepared';
	is $galley->must(qw(article show), $id)->{title}, 'Stays so', '  has changed nothing';
	is_deeply [glob "$home/db/before-restore-*.tar"], [kept()], '  and keeps nothing more';
}

# ---- without a writer, nothing is made twice

my $done = $galley->command({ env => { GALLEY_FAULT_LOG => $log } }, 'restore', $backup);
is $done->{exit}, 0, 'a restore in a quiet minute';
unlike Galley::slurp($log), qr/^restore-behind/m, 'does nothing twice';

# ---- a writer writes all the time

for my $mode (qw(wal delete)) {
	$galley->sql("PRAGMA journal_mode = $mode");
	forget();
	my $stop = $galley->scratch . "/stop-$mode";
	my $acknowledged = $galley->scratch . "/acknowledged-$mode";
	my @writers;
	my $parent = $$;
	for my $n (1, 2) {
		my $pid = fork // die "fork: $!";
		if ($pid == 0) {
			open my $file, '>>', $acknowledged or POSIX::_exit(1);
			until (-e $stop || getppid != $parent) {
				my $done = $galley->command(qw(article create --title), "Row $n",
					'--workspace', $jobs->workspace);
				syswrite $file, "$done->{json}{id}\n" if $done->{exit} == 0;
			}
			POSIX::_exit(0);
		}
		push @writers, $pid;
	}
	JobRun::wait_until(60, sub { (-s $acknowledged // 0) > 200 });
	my (%lost, $restored);
	for my $round (1 .. 3) {
		forget();
		my $before = Galley::slurp($acknowledged);
		my $done = $galley->command('restore', $backup);
		if ($done->{exit} != 0) {
			like $done->{err}, qr/writes all the time.*nothing was changed/,
				"$mode: a restore that cannot keep all is refused";
			next;
		}
		$restored++;
		my %kept = map { $_ => 1 } split /\n/, inside(kept(), 'SELECT uuid FROM article');
		$lost{$_} = $round for grep { !$kept{$_} } split /\n/, $before;
		# For the next round only later commits count.
		truncate $acknowledged, 0;
		JobRun::wait_until(60, sub { -s $acknowledged });
		# An answer may have been given just before the restore, and noted after it.
		my @noted = grep { /^[0-9a-f-]{36}$/ } split /\n/, Galley::slurp($acknowledged);
		my %there = map { $_->{uuid} => 1 } @{ rows('SELECT uuid FROM article') };
		$lost{$_} = "after $round" for grep { !$there{$_} && !$kept{$_} } @noted;
		truncate $acknowledged, 0;
	}
	Galley::spew($stop, '');
	waitpid $_, 0 for @writers;
	is_deeply \%lost, {}, "$mode: no article that was acknowledged is in neither";
	is $restored, 3, 'a log lets readers read: each restore succeeds' if $mode eq 'wal';
	is $galley->command('verify')->{exit}, 0, "$mode: the store is sound";
}

done_testing;
