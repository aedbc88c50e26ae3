#!/usr/bin/perl
# Proves that a backup holds the people, that a restore leaves the present ones as they are, and
# that an instance without people takes those of a backup only when told, disabled, without
# their sessions.
# suite: fast
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Console;
use Galley::Process qw(run_program);
use Test::More;

my $console = Galley::Console->new;
my $galley = $console->galley;
my $tar = $galley->folder_of_owner('backups') . '/people.tar';

# Returns the states of the people of an instance, by address.
sub people {
	my ($of) = @_;
	return { map { ($_->{email} => $_->{state}) } @{ $of->must(qw(person list)) } };
}

sub names {
	return join ' ', sort grep { m{^people/} } split /\n/, run_program(['tar', 'tf', $_[0]])->{out};
}

sub sql {
	my ($path, $text) = @_;
	my $done = run_program(['sqlite3', $path, $text]);
	is $done->{exit}, 0, "sqlite3: $text" or diag $done->{err};
	return $done->{out};
}

$galley->workspace;
$galley->must(qw(person create olga@example.com --name Olga --operator));
my $dana = $galley->must(qw(person create dana@example.com --name Dana --operator))->{id};
$galley->sql("UPDATE person SET password = 'x'", 'console');
my $browser = $console->as($console->person(name => 'Max', role => 'operator'));
is $browser->get('/')->status, 200, 'a person is signed in';
my $link = $galley->must(qw(person invite), $dana)->{link};

# ---- the backup

$galley->must('backup', $tar);
is names($tar), 'people/console.db people/secret', 'a backup holds the people';
my $checked = $galley->must(qw(restore --check), $tar);
ok $checked->{ok}, 'and is whole';

# ---- the present people stay

$galley->must(qw(person remove --erase), $dana);
$galley->must(qw(person create new@example.com --name New --operator));
my $before = people($galley);
$galley->must(qw(restore --yes), $tar);
is_deeply people($galley), $before, 'a restore changes nobody';
is $browser->get('/')->status, 200, 'nor a session';
my $done = $galley->command(qw(restore --yes --people), $tar);
is $done->{exit}, 1, 'it takes nobody where there are people';
like $done->{err}, qr/has people, and they stay/, 'and says why';
is_deeply people($galley), $before, 'nothing has changed';

# ---- another instance, without people

my $other = Galley->new(conf => { public_url => 'https://other.example' });
$done = $other->command(qw(restore --yes), $tar);
is $done->{exit}, 0, 'without --people' or diag $done->{err};
like $done->{err}, qr/restore --people takes them/, 'it says what there is';
is_deeply people($other), {}, 'and takes nobody';
my $taken = $other->must(qw(restore --yes --people), $tar);
is $taken->{people}, 3, 'with it everybody comes';
is_deeply [sort values %{ people($other) }], [('disabled') x 3], 'disabled';
is $other->sql("SELECT count(*) AS n FROM $_", 'console')->[0]{n}, 0, "no $_ comes back"
	for qw(session link device held form task);
is Galley::slurp($other->home . '/people/secret'),
	Galley::slurp($galley->home . '/people/secret'), 'the secret belongs to them';
is((stat $other->home . '/people/secret')[2] & 0777, 0600, 'for the owner alone');
is $other->must(qw(person enable olga@example.com))->{state}, 'active', 'each can be let in';
is $other->command(qw(verify))->{exit}, 0, 'the instance is whole';

# ---- backups that are not as they should be

my $folder = $galley->scratch . '/unpacked';
mkdir $folder or die "$folder: $!";
sub pack_again {
	my ($name, @files) = @_;
	my $path = $galley->scratch . "/$name.tar";
	run_program(['tar', '--format=ustar', '-C', $folder, '-cf', $path, @files]);
	return $path;
}
run_program(['tar', '-C', $folder, '-xf', $tar]);
my @old = qw(galley.db pepper galley.conf);
my $empty = Galley->new(conf => { public_url => 'https://empty.example' });
my $without = pack_again('without', @old);
$done = $empty->command(qw(restore --yes), $without);
is $done->{exit}, 0, 'a backup without people is restored as before';
unlike $done->{err}, qr/people/, 'and nothing is said of them';
my $nobody = $empty->folder_of_owner('backups') . '/nobody.tar';
$empty->must('backup', $nobody);
unlike $empty->command(qw(restore --yes), $nobody)->{err}, qr/people/,
	'nor where the backup is of an instance without people';
like $empty->command(qw(restore --yes --people), $without)->{err}, qr/holds no people/,
	'and gives none';
# A backup that was downloaded in a browser has people without their secret: nobody can be them.
my $half = pack_again('half', @old, 'people/console.db');
like $empty->command(qw(restore --yes --people), $half)->{err}, qr/holds no people/,
	'people without their secret are none';
is $empty->command(qw(restore --yes), $half)->{exit}, 0, 'and the rest comes back';
like $empty->command(qw(restore --yes), pack_again('other', @old, 'people/secret'))->{err},
	qr{lacks people/console\.db}, 'a secret without people';
sql("$folder/people/console.db", 'CREATE TRIGGER t AFTER UPDATE ON person BEGIN'
	. ' DELETE FROM membership; END');
like $empty->command(qw(restore --yes --people),
	pack_again('foreign', @old, qw(people/console.db people/secret)))->{err},
	qr/trigger t is not Galley's/, 'a trigger that is not ours';
truncate "$folder/people/console.db", 5000;
my $torn = pack_again('torn', @old, qw(people/console.db people/secret));
like $empty->command(qw(restore --yes --people), $torn)->{err}, qr/people in .* are damaged/,
	'damaged people';
is $empty->command(qw(restore --check), $torn)->{exit}, 1, 'a check finds them, too';
is_deeply people($empty), {}, 'and nobody came from any of them';

# ---- people who are damaged where they are

my $theirs = $empty->home . '/people/console.db';
is $empty->command(qw(verify))->{exit}, 0, 'galley verify finds nothing wrong';
if ($galley->{database}) {
	$other->sql("PRAGMA ignore_check_constraints = ON; UPDATE person SET mails = 7", 'console');
	my $verified = $other->command('verify');
	is $verified->{exit}, 1, 'galley verify finds damage';
	like $verified->{out}, qr{people/console\.db: CHECK constraint failed in person}, 'and names the store';
	like $other->command('doctor')->{out}, qr/console\.db is damaged/, 'galley doctor, too';
	done_testing;
	exit;
}
sql($theirs, 'CREATE TRIGGER t AFTER UPDATE ON person BEGIN DELETE FROM membership; END');
like $empty->command('doctor')->{out}, qr/trigger t is not Galley's/,
	'galley doctor knows what belongs to the file';
my ($number) = sql($theirs, 'PRAGMA user_version') =~ /(\d+)/;
sql($theirs, 'DROP TRIGGER t; PRAGMA user_version = 99');
like $empty->command('doctor')->{out}, qr/people in \S+ are of another release/,
	'and its number';
sql($theirs, "PRAGMA user_version = $number");
unlike $empty->command('doctor')->{out}, qr/people in |console\.db is/, 'which were all';
open my $file, '+<', $theirs or die "$theirs: $!";
seek $file, 8192, 0;
print {$file} 'x' x 4096;
close $file or die "$theirs: $!";
my $verified = $empty->command('verify');
is $verified->{exit}, 1, 'galley verify finds damage';
like $verified->{out}, qr/people\/console\.db/, 'and names the file';
like $empty->command('doctor')->{out}, qr/console\.db is damaged/, 'galley doctor, too';

done_testing;
