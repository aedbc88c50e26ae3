#!/usr/bin/perl
# Proves that a file which is no backup, or which cannot be put in place, is refused with the
# reason, and that the instance is as it was. A backup that tar(1) packed again is accepted. A
# restore waits for the job runner, but not for ever.
use strict;
use warnings;

use lib 'tests/lib';

use FailingCall qw(failing);
use File::Copy ();
use Galley;
use Galley::Process qw(run_program);
use JobRun;
use Test::More;

plan skip_all => 'only root sees which files a program names' if $> != 0;

my $jobs = JobRun->new(provider => 'fake', credits => 100);
my $galley = $jobs->galley;
my ($home, $tool) = ($galley->home, $galley->home . '/bin/galley');
my $scratch = $galley->scratch;
my ($id) = $galley->import_text($jobs->workspace, "# One\n\nText.\n");
my $picture = $galley->reachable('tests/fixtures/pictures/bands.png');
$galley->must(qw(article set), $id, "image=$picture", 'image_alt=Bands');
my $good = "$scratch/good.tar";
mkdir "$scratch/out";
chown $galley->owner_ids, "$scratch/out" if $> == 0;
$galley->must('backup', "$scratch/out/good.tar");
File::Copy::copy("$scratch/out/good.tar", $good) or die $!;

# Returns what a client sees, and the files in db/.
sub state_of {
	my $article = $galley->get("/articles/$id", key => $jobs->key);
	return [$article->{status}, $galley->sql('SELECT epoch, clock FROM workspace'),
		[grep { !/before-restore|-(?:wal|shm)$/ } map { s{.*/}{}r }
			glob "$home/db/* $home/db/.[!.]*"]];
}
my $before = state_of();

# Returns a tar of the good backup's files after `change`, packed by tar(1).
sub packed {
	my ($change, @names) = @_;
	my $folder = "$scratch/files";
	system('rm', '-rf', $folder) == 0 or die;
	mkdir $folder;
	system('tar', '-xf', $good, '-C', $folder) == 0 or die;
	$change->($folder);
	@names = sort map { s{.*/}{}r } glob "$folder/*" if !@names;
	system('tar', '--format=ustar', '--hard-dereference', '-cf', "$scratch/packed.tar", '-C', $folder,
		@names) == 0 or die;
	return "$scratch/packed.tar";
}

# [what, change of the files, sentence, names in the archive]
for my $case (
	['with a file of another kind', sub { Galley::spew("$_[0]/notes", 'x') },
		qr/is not a backup of Galley: it holds notes\./],
	['with a picture of another name', sub { rename((glob "$_[0]/media/*")[0],
			"$_[0]/media/a.png") },
		qr{is not a backup of Galley: it holds media/a\.png\.}],
	['without the database', sub { unlink "$_[0]/galley.db" },
		qr/is not a backup of Galley: it lacks galley\.db\./],
	['without the pepper', sub { unlink "$_[0]/pepper" },
		qr/is not a backup of Galley: it lacks the pepper\./],
	['with half a pepper', sub { truncate "$_[0]/pepper", 16 },
		qr/is not a backup of Galley: it lacks the pepper\./],
	['with a pepper that is too long', sub { Galley::spew("$_[0]/pepper", 'x' x 99) },
		qr/pepper in .* is too long\./],
	['of another program', sub { unlink "$_[0]/galley.db"; system('sqlite3',
			"$_[0]/galley.db", 'CREATE TABLE t (x)') },
		qr/The database in .* is not Galley's\./],
	['with two databases', sub { }, qr/it holds galley\.db\./,
		qw(galley.db pepper ./galley.db)],
) {
	my ($what, $change, $sentence, @names) = @$case;
	my $file = packed($change, @names);
	for my $check ([], ['--check']) {
		my $done = $galley->command('restore', $file, @$check);
		is $done->{exit}, 1, "one $what is refused @$check";
		like $done->{err}, $sentence, '  with the reason';
	}
	is_deeply state_of(), $before, '  and nothing has changed';
}
is $galley->command('restore', "$scratch/none.tar")->{exit}, 1, 'one that is not there';

# The galley.conf of a backup is checked, if there is one.
for my $case (
	[sub { Galley::spew("$_[0]/galley.conf", "nonsense = 1\n") }, 1,
		qr/its galley\.conf would not be used: .*nonsense/],
	[sub { unlink "$_[0]/galley.conf" }, 0, qr/^/],
) {
	my ($change, $exit, $sentence) = @$case;
	my $done = run_program([$tool, qw(restore --check), packed($change)]);
	is $done->{exit}, $exit, 'another galley.conf, or none: exit ' . $exit;
	like "$done->{out}$done->{err}", $sentence, '  with the reason';
}
my $checked = failing({ calls => ['mkdir:error=ENOSPC'] }, $tool, qw(restore --check), $good);
is $checked->{exit}, 1, 'a check without a place to work in is refused';
like $checked->{err}, qr/No space left/, '  with the reason';

# Calls that the disk refuses on the way.
for my $case (
	['the working folder', ['mkdir:error=ENOSPC'], undef, qr/No space left/],
	['the file of the epoch', ['fsync:error=EIO:when=1'], undef, qr/Input.output/],
	['the lock', ['openat:error=EACCES'], "$home/run/runner.lock",
		qr/runner\.lock: Permission denied/],
	['what is unpacked', ['write:error=ENOSPC:when=1'], undef, qr/No space left/],
	['the old pepper', ['openat:error=EIO'], "$home/db/pepper", qr/pepper/],
) {
	my ($what, $calls, $path, $sentence) = @$case;
	my $done = failing({ calls => $calls, path => $path }, $tool, 'restore', $good);
	is $done->{exit}, 1, "$what cannot be written: refused";
	like $done->{err}, $sentence, '  with the reason';
	is_deeply state_of(), $before, '  and nothing has changed';
}

my $pending = "$home/db/restore-pending";
mkdir $pending;
Galley::spew("$pending/foreign", 'x');
my $done = run_program([$tool, 'restore', $good]);
is $done->{exit}, 1, 'a foreign file where it is prepared: refused';
like $done->{err}, qr/restore-pending: .*not empty; nothing was changed\./, '  with the reason';
unlink "$pending/foreign";
rmdir $pending;
is_deeply state_of(), $before, '  and nothing has changed';

my $media = "$home/htdocs/media";
my ($png) = glob "$media/*.png";
rename $png, "$scratch/aside.png";
chmod 0555, $media;
$done = run_program([$tool, 'restore', $good]);
is $done->{exit}, 1, 'a folder of pictures that may not be written: refused';
like $done->{err}, qr/Permission denied/, '  with the reason';
chmod 0755, $media;
is_deeply state_of(), $before, '  and nothing has changed';
# galley-backup-leaves-damaged-pictures-out.t tests pictures that do not match their names.
rename "$scratch/aside.png", $png;

# ---- waiting
$jobs->ordered('order-1', topic => 'hang');
$galley->conf(provider_timeout_s => 600);
my $runner = $jobs->start(words => ['--once']);
JobRun::wait_until(60, sub { grep { /try/ } $jobs->calls }) or die 'no runner came';
my @patience = ('clock_nanosleep:retval=0',
	'clock_gettime:poke_exit=@arg2=ffffff7f00000000:when=40+');
$done = failing({ calls => \@patience }, $tool, 'restore', $good);
is $done->{exit}, 1, 'a runner at work: a restore waits, and not for ever';
like $done->{err}, qr/^galley: waiting for process $runner, /m, '  the process that it waits for is named';
like $done->{err}, qr/\(process $runner\) is at work; nothing was changed\./, '  is told';
pipe my $from, my $to or die "pipe: $!";
my $restore = fork // die "fork: $!";
if ($restore == 0) {
	open STDERR, '>&', $to;
	close $to;
	exec $tool, 'restore', packed(sub { Galley::spew("$_[0]/galley.conf",
		"colour = red\n") }, qw(./galley.db ./pepper ./galley.conf ./media));
}
close $to;
like scalar(<$from>), qr/^galley: waiting for process $runner, /, 'another waits';
kill KILL => $runner;
waitpid $runner, 0;
my $rest = join '', <$from>;
waitpid $restore, 0;
is $?, 0, 'and goes on when the runner has ended';
like $rest, qr/^galley: the backup's galley\.conf is not used: .*colour/m,
	'a galley.conf that this release cannot read is left out';
unlike Galley::slurp("$home/galley.conf"), qr/colour/, 'the present one stays';
my $after = state_of();
is $after->[0], 200, 'the article is there';
isnt $after->[1][0]{epoch}, $before->[1][0]{epoch}, 'in another epoch';
is $jobs->broken, '', 'and the store is sound';
is $galley->sql('SELECT count(*) AS n FROM job')->[0]{n}, 0,
	'the order that came after the backup is gone';

done_testing;
