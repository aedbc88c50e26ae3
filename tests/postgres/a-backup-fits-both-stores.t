#!/usr/bin/perl
# Proves, for the build STORE=pg, that a backup is the same file whatever store it was made of
# (docs/postgres.md §8): one of SQLite restores into PostgreSQL and one of PostgreSQL into SQLite,
# with all rows, people and balances; that numbers go on behind those that there are; that what a
# restore refuses it refuses here, too; and that a restore which is killed at any of its steps
# leaves the instance as it was, or restored.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

# An instance with SQLite, by the programs of the other build.
sub with_sqlite {
	my (%option) = @_;
	local %ENV = %ENV;
	delete @ENV{qw(GALLEY_CLUSTER GALLEY_BUILD)};
	return Galley->new(%option);
}

# What a dump says of an instance: the digest of each of its files but those with the epoch, which
# each restore draws.
sub said {
	my ($galley) = @_;
	my $folder = $galley->scratch . '/dump-' . ++$galley->{dumps};
	mkdir $folder or die "$folder: $!";
	chown $galley->owner_ids, $folder if $> == 0;
	$galley->must('dump', "$folder/it");
	my $done = run_program(['sh', '-c', "cd $folder/it && find . -type f ! -name workspace.json | LC_ALL=C sort |"
		. ' xargs b2sum']);
	die $done->{err} if $done->{exit} != 0;
	return { map { reverse split } split /\n/, $done->{out} };
}

sub titles { return join ', ', sort map { $_->{name} } @{ $_[0]->must(qw(workspace list)) } }

my $lite = with_sqlite();
my $pg = Galley->new(build => 'test');
my $folder = $lite->folder_of_owner('archives');

# ---- from SQLite into PostgreSQL

$lite->must('demo');
$lite->must(qw(person create ada@example.com --name Ada --operator));
$lite->must('backup', "$folder/lite.tar");
my $found = $pg->must(qw(restore --check), "$folder/lite.tar");
is_deeply $found->{problems} // [], [], 'a backup of SQLite is good here';
my $done = $pg->must(qw(restore --people --yes), "$folder/lite.tar");
is $done->{people}, 1, 'it restores, with its people';
is scalar @{ $done->{jobs_failed} }, 2, 'open orders end';
is $pg->command('verify')->{exit}, 0, 'all is as it must be';
my ($workspace) = map { $_->{id} } grep { $_->{name} eq 'Demo (English)' }
	@{ $pg->must(qw(workspace list)) };
my ($new) = $pg->import_text($workspace, "# New\n\nText.\n");
ok $new, 'a new article gets a number behind those of the backup';
$pg->must(qw(credits grant), $pg->must(qw(account list))->[0]{id}, 5, '--ref', 'after');
is $pg->command('verify')->{exit}, 0, 'and a movement continues the ledger';
like $pg->command(qw(restore --people --yes), "$folder/lite.tar")->{err}, qr/has people, and they stay/,
	'people who are there stay, as ever';

# ---- from PostgreSQL into SQLite

is $pg->sql('SELECT count(*) AS n FROM media_bytes')->[0]{n}, 3, 'the database has the pictures';
unlink glob $pg->programs . '/htdocs/media/*';
$pg->must('backup', '--with-stats', "$folder/pg.tar");
is system('tar', '-xf', "$folder/pg.tar", '-C', $folder, 'galley.db', 'people', 'stats') >> 8, 0,
	'a backup of PostgreSQL is the same kind of tar';
is $lite->command(qw(restore --check), "$folder/pg.tar")->{exit}, 0, 'it is good with SQLite';
$lite->must(qw(restore --yes), "$folder/pg.tar");
is $lite->command('verify')->{exit}, 0, 'it restores there';
is scalar(() = glob $lite->programs . '/htdocs/media/*.*'), 3,
	'with the pictures, of which the first host had no copies';
is_deeply said($lite), said($pg), 'and both say the same of everything';
my $back = Galley->new;
$back->must(qw(restore --people --yes), "$folder/pg.tar");
is_deeply said($back), said($pg), 'so does another PostgreSQL';

# ---- what is refused

spew_at("$folder/broken.tar", substr Galley::slurp("$folder/lite.tar"), 0, 300_000);
isnt $pg->command(qw(restore --yes), "$folder/broken.tar")->{exit}, 0, 'half a backup is refused';
run_program(['sqlite3', "$folder/galley.db", 'CREATE TRIGGER evil AFTER INSERT ON article BEGIN'
	. ' DELETE FROM article; END']);
run_program(['sh', '-c', "cd $folder && cp pg.tar evil.tar && tar --delete -f evil.tar galley.db"
	. ' && tar -rf evil.tar galley.db']);
like $pg->command(qw(restore --yes), "$folder/evil.tar")->{err}, qr/evil/,
	'a backup with a trigger of its own is refused';
is_deeply said($back), said($pg), 'nothing was changed';

# ---- a kill at each step

my @points = grep { /^(restore|exchange)-/ }
	split /\n/, run_program([$pg->programs . '/bin/galley', '--faults'])->{out};
cmp_ok scalar @points, '>', 8, 'there are steps';
my %late = map { $_ => 1 } qw(exchange-committed restore-committed restore-pepper restore-conf);
my $other = Galley->new;
$other->workspace(name => 'Other');
$other->must('backup', "$folder/other.tar");
my @turn = (["$folder/other.tar", 'Other'], ["$folder/pg.tar", 'Demo (Arabic), Demo (English)']);
for my $point (@points) {
	my $was = titles($pg);
	my ($archive, $becomes) = @{ (grep { $_->[1] ne $was } @turn)[0] };
	my $it = $pg->command({ env => { GALLEY_FAULT => "$point:1:kill" } }, qw(restore --yes), $archive);
	next if $it->{signal} == 0;	# a step that this way does not meet
	is titles($pg), $late{$point} ? $becomes : $was, "killed at $point";
	is $pg->command('verify')->{exit}, 0, "and whole";
}
done_testing;

sub spew_at {
	Galley::spew(@_);
	chown $lite->owner_ids, $_[0] if $> == 0;
}
