#!/usr/bin/perl
# backup --keep: proves that a backup of cron is whole before an old one is removed, that only
# backups of this instance are removed, and that it prints nothing when all is well. restore
# --check: proves that bad backups are reported and nothing changes.
# suite: valgrind
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use Test::More;

my $galley = Galley->new(build => 'test');
my $home = $galley->home;
my $workspace = $galley->workspace(name => 'Ärzte & Co');
my ($id) = $galley->import_text($workspace, "# One\n\nText.\n");
my $png = pack 'H*', '89504e470d0a1a0a0000000d4948445200000001000000010802000000'
	. '907753de0000000c4944415478da63f8cfc0000003010100f7034143'
	. '0000000049454e44ae426082';
Galley::spew($galley->scratch . '/dot.png', $png);
$galley->must(qw(article set), $id, 'image=' . $galley->scratch . '/dot.png');

# A folder that the instance's owner may write.
sub folder {
	my ($name) = @_;
	my $path = $galley->scratch . "/$name";
	mkdir $path;
	chown $galley->owner_ids, $path if $> == 0;
	return $path;
}

sub names { my ($path) = @_; return map { s{.*/}{}r } sort glob "$path/*" }

# Runs a backup as cron does, at a second of the clock; returns its output.
sub cron {
	my ($at, @words) = @_;
	return run_program([$galley->programs . '/bin/galley', 'backup', @words],
		env => { PATH => '/usr/bin:/bin', defined $at
			? (GALLEY_CLOCK => int($at - time)) : () });
}

# ---- the series

my $folder = folder('backups');
my @foreign = ('notes.txt', 'instance-00000000-20200101T000000Z.tar',
	'galley.tar', 'zz-before.tar');
Galley::spew("$folder/$_", 'foreign') for @foreign;
my $start = 1_800_000_000;
for my $day (1 .. 5) {
	my $done = cron($start + $day * 86400, '--keep', 3, $folder);
	is "$done->{exit}$done->{out}$done->{err}", '0', "night $day: silent";
}
my ($one) = grep { /^instance-[0-9a-f]{8}-2027\d{4}T\d{6}Z\.tar$/ } names($folder);
ok $one, 'the name tells instance and time';
my ($prefix) = $one =~ /^(instance-[0-9a-f]{8}-)/;
sub series { return grep { /^\Q$prefix\E/ && !/\.tar\./ } names($folder) }
is scalar(series()), 3, 'three are kept';
is_deeply [map { /2027(\d{4})/ } series()], ['0118', '0119', '0120'],
	'the newest ones';
is sprintf('%04o', (stat "$folder/$one")[2] & 07777), '0600', 'private';
is_deeply [grep { !/^\Q$prefix\E/ } names($folder)], [sort @foreign],
	'foreign files are not touched';

# A name that is nearly a backup's is foreign, too.
my @near = ("${prefix}20200101T000000Z.tar.gz", "${prefix}20200101T000000Z.tar~",
	"${prefix}2020010100000000.tar", "x${prefix}20200101T000000Z.tar",
	"${prefix}20200101T000000Z");
Galley::spew("$folder/$_", 'near') for @near;
mkdir "$folder/${prefix}20200102T000000Z.tar";
symlink "$folder/notes.txt", "$folder/${prefix}20200103T000000Z.tar";
cron($start + 6 * 86400, '--keep', 1, $folder);
ok -e "$folder/$_", "$_ stays" for @near;
ok -d "$folder/${prefix}20200102T000000Z.tar", 'a folder stays';
ok -l "$folder/${prefix}20200103T000000Z.tar", 'a link stays';
rmdir "$folder/${prefix}20200102T000000Z.tar";
unlink "$folder/${prefix}20200103T000000Z.tar", map { "$folder/$_" } @near;
is_deeply [map { /2027(\d{4})/ } series()], ['0121'], '--keep 1 leaves one';

# After the clock was set back, the backup that was just made must not be removed.
cron($start, '--keep', 1, $folder);
is_deeply [map { /2027(\d{4})/ } series()], ['0115'],
	'the backup that was just made stays, whatever the clock shows';

# Another instance may use the same folder.
my $other = Galley->new(build => 'test');
$other->must(qw(backup --keep 1), $folder);
is scalar(series()), 1, 'the backup of one instance stays when another instance makes one';
is scalar(names($folder)), @foreign + 2, 'both are there';

# Files that killed backups left are removed after a day.
my ($old, $new) = map { "$folder/.${prefix}20270101T000000Z.tar.$_" } qw(old new);
Galley::spew($_, 'half') for $old, $new;
utime time - 90000, time - 90000, $old;
my $done = run_program([$galley->programs . '/bin/galley', '--json',
	'backup', '--keep', 2, $folder], env => { PATH => '/usr/bin:/bin',
	GALLEY_FAULT => 'archive-written:1:kill' });
is $done->{signal}, 9, 'one is killed';
is scalar(series()), 1, 'it removes nothing, and leaves no name';
cron(undef, '--keep', 2, $folder);
ok !-e $old, 'the file of a killed backup is removed after a day';
ok -e $new, 'and not before: another backup may be running';

$done = $galley->command(qw(backup --keep 0), $folder);
is $done->{exit}, 2, '--keep 0 is a usage error';
$done = $galley->command(qw(backup --keep 3), "$folder/nowhere");
is $done->{exit}, 1, 'a missing folder is reported';

# ---- a full disk removes nothing

SKIP: {
	skip 'only root can make a small file system', 6 if $> != 0;
	my $small = folder('small');
	my $size = (stat "$folder/" . (series())[0])[7] * 5 / 2;
	is system('mount', '-t', 'tmpfs', '-o', 'size=' . int($size) . ',mode=0777', 'tmpfs',
		$small), 0, 'a small file system';
	cron($start + $_ * 86400, '--keep', 9, $small) for 1, 2;
	my @before = names($small);
	is scalar(@before), 2, 'two backups fit';
	my $done = cron($start + 3 * 86400, '--keep', 1, $small);
	is $done->{exit}, 1, 'the third does not';
	like $done->{err}, qr/No space left/, 'the reason is printed';
	is_deeply [names($small)], \@before, 'and neither of the two is gone';
	is_deeply [grep { !m{/\.\.?$} } glob "$small/.*"], [],
		'and there is no half backup';
	system 'umount', $small;
}

# ---- restore --check

sub state_of {
	return qx(cd $home && ls -la db run htdocs/media && sha256sum db/pepper galley.conf)
		=~ s/^.*(?:\.|shm|wal|runner\.lock)$//mgr;
}
my $backup = "$home/db/b.tar";
$galley->must('backup', $backup);
my $before = state_of();
$done = $galley->must(qw(restore --check), $backup);
is_deeply [@$done{qw(ok media workspaces problems)}],
	[JSON::PP::true, 1, ["\x{c4}rzte & Co"], []], 'a good backup is reported as good';
is state_of(), $before, 'and nothing of the instance is touched';
my $words = run_program([$galley->programs . '/bin/galley', 'restore', '--check',
	$backup])->{out};
like $words, qr/is whole and can be restored: schema \d+, 1 workspace, 1 image/,
	'in words, too';

my $whole = Galley::slurp($backup);
my $wrong = "$home/db/wrong.tar";
sub check_of {
	my ($bytes) = @_;
	Galley::spew($wrong, $bytes);
	chown $galley->owner_ids, $wrong if $> == 0;
	return $galley->command(qw(restore --check), $wrong);
}
my %bad = (
	'cut off' => [substr($whole, 0, -2000), qr/cut off/],
	'with a damaged page' => [substr($whole, 0, 30000) . 'x' x 4096
		. substr($whole, 34096), qr/database .* is damaged/],
	'of another kind' => ['text' x 1000, qr/no tar archive/],
	'that is empty' => ['', qr/cut off/],
);
for my $what (sort keys %bad) {
	$done = check_of($bad{$what}[0]);
	is $done->{exit}, 1, "one $what is refused";
	like $done->{err}, $bad{$what}[1], 'saying why';
}
$done = check_of($whole =~ s/\x89PNG/\x89PNQ/r);
is $done->{exit}, 1, 'a backup with a changed image is reported';
like "@{ $done->{json}{problems} }", qr/the image [0-9a-f]{64}\.png is damaged/,
	'which is named';
my $media = index $whole, 'media/';
$done = check_of(substr($whole, 0, $media) . "\0" x 1024);
is $done->{exit}, 1, 'a backup that lacks an image is reported';
like "@{ $done->{json}{problems} }", qr/the image [0-9a-f]{64}\.png is missing/,
	'which is named';
unlink $wrong;
is state_of(), $before, 'nothing of the instance was touched';
is_deeply [glob "$home/run/try-*"], [], 'and nothing is left in run';

# A bad backup never removes an older one: here the store itself is broken.
$galley->sql('PRAGMA foreign_keys = OFF; UPDATE article SET workspace_id = 99');
my @kept = series();
$done = cron($start + 9 * 86400, '--keep', 1, $folder);
is $done->{exit}, 1, 'a backup of a broken store is reported';
like $done->{err}, qr/so are the older ones.*rows name rows/s, 'saying why';
is scalar(series()), @kept + 1, 'and removes nothing';

done_testing;
