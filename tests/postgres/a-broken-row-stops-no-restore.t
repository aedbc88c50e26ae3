#!/usr/bin/perl
# Proves, for the build STORE=pg, that a row which breaks a rule of the schema is found: galley verify
# and doctor name its table, and a backup of it is refused. A restore puts whole rows in its place, and
# keeps what there was, pictures of other hosts, too (docs/postgres.md §8).
# Only a person with the owner's role can write such a row, or a disk.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my $galley = Galley->new;
my $home = $galley->home;
my $account = $galley->must(qw(account create Broken --verified --credits 50))->{id};
my $workspace = $galley->workspace(account => $account);
my ($id) = $galley->import_text($workspace, "# One\n\nText.\n");
my $good = "$home/db/good.tar";
$galley->must('backup', $good);
$galley->must(qw(article set), $id,
	'image=' . $galley->reachable('tests/fixtures/pictures/bands.png'), 'image_alt=Bands');
my ($picture) = map { s{.*/}{}r } glob $galley->programs . '/htdocs/media/*.png';

$galley->sql("PRAGMA ignore_check_constraints = ON; UPDATE account SET granted = 7");
my $rule = qr/CHECK constraint failed in account/;
my $done = $galley->command('verify');
is $done->{exit}, 1, 'verify exits 1';
like $done->{json}[0]{problems}[0], $rule, 'and names the table';
my ($told) = grep { "$_->{message}" =~ $rule } @{ $galley->command('doctor')->{json} };
is $told->{level}, 'BAD', 'doctor, too';
$done = $galley->command('backup', "$home/db/broken.tar");
is $done->{exit}, 1, 'a backup is refused';
like $done->{err}, qr/the table account of the file: CHECK/, 'with the reason';
ok !-e "$home/db/broken.tar", 'and nothing is left of it';

# This host has no copy of a picture that another one got.
unlink $galley->programs . "/htdocs/media/$picture" or die $!;
$done = $galley->command(qw(restore --yes), $good);
is $done->{exit}, 0, 'a restore goes on' or diag $done->{err};
like $done->{err}, qr/database is damaged \($rule\)/, 'and says what is wrong';
my ($kept) = $done->{err} =~ m{kept in (\S+damaged\.tar)};
my $names = run_program(['tar', 'tf', $kept // 'none'])->{out};
like $names, qr{^media/\Q$picture\E$}m, 'what there was is kept, with that picture';
my $folder = $galley->scratch;
run_program(['tar', 'xf', $kept // 'none', '-C', $folder, 'galley.db']);
is run_program(['sqlite3', "$folder/galley.db", 'SELECT granted FROM account'])->{out}, "7\n",
	'and with the broken row';
is $galley->command('verify')->{exit}, 0, 'all rows are whole';
is $galley->sql('SELECT granted FROM account')->[0]{granted}, 50, 'those of the backup';

# A row that refers to one that is not there.
$galley->sql("DELETE FROM workspace WHERE uuid = '$workspace'");
my ($missing) = grep { !$_->{ok} } @{ $galley->command('verify')->{json} };
is $missing->{check}, 'rows name rows that are there', 'a reference to nothing is found';
like "@{ $missing->{problems} }", qr/row \d+ of article names a row of workspace/, 'and named';
done_testing;
