#!/usr/bin/perl
# Proves that a picture which is damaged on the disk costs nothing but itself: each backup
# names it and is whole without it, a restore leaves out a picture that is damaged in the backup
# and goes on, verify and doctor report it, and good bytes replace it when they are given again.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use Test::More;

my $galley = Galley->new(build => 'test');
my ($home, $tool) = ($galley->home, $galley->programs . '/bin/galley');
my $media = $galley->programs . '/htdocs/media';
my $workspace = $galley->workspace;
my ($id, $other) = $galley->import_text($workspace, "# One\n\nText.\n", "# Two\n\nText.\n");
my @given = map { $galley->reachable("tests/fixtures/pictures/$_") } qw(bands.png bands.webp);
$galley->must(qw(article set), $id, "image=$given[0]", 'image_alt=Bands');
$galley->must(qw(article set), $other, "image=$given[1]", 'image_alt=Bars');
my ($png) = map { s{.*/}{}r } glob "$media/*.png";
my $whole = Galley::slurp("$media/$png");
my ($uid, $gid) = $galley->owner_ids;

# Gives a stored picture other bytes, or none.
sub put {
	my ($name, $bytes) = @_;
	$galley->spoil_picture($name, $bytes);
	chown $uid, $gid, "$media/$name";
}

# Damages a picture as a disk does: name and size stay.
sub rot {
	my ($name) = @_;
	my $bytes = $whole;
	substr($bytes, length($bytes) / 2, 1) ^= "\1";
	put($name, $bytes);
}
sub files { return join ' ', sort split /\n/, qx(tar tf $_[0]) }
sub said { my ($done) = @_; return "$done->{out}$done->{err}" }

my $good = "$home/db/good.tar";
$galley->must('backup', $good);
my $names = files($good);
like $names, qr{media/\Q$png\E}, 'a backup has its pictures';

# ---- writing

for my $case (
	['rotten', sub { rot($png) }],
	['cut short', sub { put($png, substr $whole, 0, 20) }],
	['missing', sub { put($png, undef) }],
) {
	my ($what, $damage) = @$case;
	put($png, $whole);
	$damage->();
	my $file = "$home/db/" . ($what =~ s/ .*//r) . '.tar';
	my $done = $galley->command('backup', $file);
	is $done->{exit}, 1, "a picture that is $what: a backup exits 1";
	like $done->{err}, qr/\Q$png\E/, '  names it';
	like $done->{err}, qr/article set/, '  says what to do';
	is_deeply $done->{json}{damaged}, [$png], '  in its answer, too';
	is files($file), $names =~ s{ ?media/\Q$png\E}{}r, '  and is whole without it';
	$done = $galley->command(qw(restore --check), $file);
	is_deeply $done->{json}{problems}, ["the image $png is missing"],
		'  which restore --check says';
	$done = $galley->command('verify');
	is $done->{exit}, 1, '  verify reports it';
	like said($done), qr/media \Q$png\E/, '  by its name';
	my ($found) = grep { $_->{check} eq 'pictures' } @{ $galley->command('doctor')->{json} };
	is $found->{level}, 'BAD', '  doctor, too';
	like $found->{message}, qr/\Q$png\E/, '  by its name';
}

# A series of backups names it, and keeps the older ones, which may have the good picture.
my $folder = $galley->scratch . '/series';
mkdir $folder;
chown $uid, $gid, $folder;
put($png, $whole);
$galley->must(qw(backup --keep 1), $folder);
my ($first) = glob "$folder/*.tar";
rot($png);
my $done = run_program([$tool, qw(backup --keep 1), $folder],
	env => { PATH => '/usr/bin:/bin', GALLEY_CLOCK => 3600 });
is $done->{exit}, 1, 'a backup of a series exits 1';
like $done->{err}, qr/\Q$png\E/, 'names it';
ok -e $first, 'and the one before stays';

# ---- reading: the good bytes are in the backup

$done = $galley->command('restore', $good);
is $done->{exit}, 0, 'a restore goes on' or diag said($done);
ok Galley::slurp("$media/$png") eq $whole, 'the good bytes are in place again';
# A restore gives PostgreSQL the bytes that it lacks, and replaces none.
put($png, $whole) if $galley->{database};
is $galley->command('verify')->{exit}, 0, 'and all is sound';

# A backup in which the picture was damaged.
my $tar = Galley::slurp($good);
my $at = index $tar, $whole;
cmp_ok $at, '>', 0, 'the picture in the backup';
substr($tar, $at + 100, 1) ^= "\1";
my $rotten = "$home/db/rotten-inside.tar";
Galley::spew($rotten, $tar);
chown $uid, $gid, $rotten;
$done = $galley->command(qw(restore --check), $rotten);
is $done->{exit}, 1, 'a backup with a damaged picture is reported';
is_deeply $done->{json}{problems}, ["the image $png is damaged"], 'which is named';
$done = $galley->command('restore', $rotten);
is $done->{exit}, 0, 'it is restored';
ok Galley::slurp("$media/$png") eq $whole, 'and the present picture, which is good, stays';
is_deeply $done->{json}{pictures_missing}, [], 'none is missing';
put($png, undef);
$done = $galley->command('restore', $rotten);
is $done->{exit}, 0, 'it is also restored into an instance without the picture';
like $done->{err}, qr/the picture \Q$png\E .*was left out/, 'which is said';
is_deeply $done->{json}{pictures_missing}, [$png], 'in its answer, too';
ok !-e "$media/$png", 'and damaged bytes are not put in its place';
is_deeply [glob "$media/.*.png.*"], [], 'nor kept under another name';

# ---- the same picture given again

for my $case (
	['article set', sub { $galley->must(qw(article set), $id, "image=$given[0]") }],
	['import', sub {
		my $from = $galley->scratch . '/again';
		mkdir $from;
		Galley::spew("$from/new.md", "# New\n\n![Bands](bands.png)\n");
		Galley::spew("$from/bands.png", $whole);
		chmod 0755, $from;
		$galley->must(qw(article import --workspace), $workspace, $from);
	}],
) {
	my ($what, $give) = @$case;
	put($png, $whole);
	rot($png);
	$give->();
	ok Galley::slurp("$media/$png") eq $whole, "$what: the good bytes take its place";
}
is $galley->command('verify')->{exit}, 0, 'and all is sound';

# A dump holds all other pictures.
rot($png);
my $dump = $galley->scratch . '/dump/out';
mkdir $galley->scratch . '/dump';
chown $uid, $gid, $galley->scratch . '/dump';
$done = $galley->command('dump', $dump);
is $done->{exit}, 1, 'a dump exits 1, too';
like $done->{err}, qr/\Q$png\E is damaged and is not in the dump/, 'and names it';
is_deeply [map { s{.*\.}{}r } glob "$dump/media/*"], ['webp'], 'and has all others';
put($png, $whole);

# A damaged file that no article names.
my $foreign = 'f' x 64 . '.png';
Galley::spew("$media/$foreign", 'none');
chown $uid, $gid, "$media/$foreign";
$done = $galley->command('backup', "$home/db/foreign.tar");
is $done->{exit}, 1, 'a damaged file without an article: exit 1';
like said($galley->command('verify')), qr/\Q$foreign\E: .*remove the file/,
	'verify says what to do';

$done = $galley->command('restore', $good);
is $done->{exit}, 0, 'a restore goes on';
like $done->{err}, qr/the picture \Q$foreign\E is damaged and is not in .*before-restore/,
	'and names what its own backup lacks';

# migrate goes on, and names the pictures that its own backup lacks.
if ($galley->{database}) { # the steps of PostgreSQL: tests/postgres/galley-conf-names-the-database.t
	done_testing;
	exit;
}
use FaultPoints qw(older_database);
my $older = Galley->new(build => 'test');
older_database($older);
my $place = $older->programs . '/htdocs/media';
Galley::spew("$place/$foreign", 'none');
chown $older->owner_ids, "$place/$foreign";
$done = $older->command('migrate');
is $done->{exit}, 0, 'migrate goes on' or diag said($done);
like $done->{err}, qr/the picture \Q$foreign\E .*before-migrate/, 'and names it';

done_testing;
