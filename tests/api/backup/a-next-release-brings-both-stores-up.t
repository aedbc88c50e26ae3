# Proves for a made-up next release (tests/next/), in which both stores have a number more, what
# every later release relies on: galley migrate brings the database and people/console.db up after
# one backup, killed at any point it goes on with the next run, until then each program says what
# is to be done, and a file that is newer than the programs is refused.
# suite: slow
use strict;
use warnings;

use lib 'tests/lib';
use File::Basename qw(basename);
use Test::More;
use Galley;
use Galley::Console;
use Galley::Process qw(run_program);

my $console = Galley::Console->new(build => 'test', own_programs => 1);
my $galley = $console->galley;
my $home = $galley->home;
my $workspace = $galley->workspace;
my $ada = $console->person(name => 'Ada', role => 'operator');
my $max = $console->person(name => 'Max', role => 'writer', workspace => $workspace);
my @stores = ("$home/db/galley.db", "$home/people/console.db");
my %next = (GALLEY_NEXT => 1);
my @now = versions();
my @then = map { $_ + 1 } @now;

sub sqlite {
	my ($file, $sql) = @_;
	my $done = run_program(['sqlite3', '-bail', $file, $sql], as => [$galley->owner_ids]);
	die "sqlite3: $done->{err}" if $done->{exit} != 0 || $done->{err} ne '';
	return split /\n/, $done->{out};
}

sub versions { return map { (sqlite($_, 'PRAGMA user_version'))[0] } @stores }

sub schema_of {
	return join "\n", sqlite($_[0], 'SELECT type, name, sql FROM sqlite_master ORDER BY type, name');
}

# Runs a command of the next release, with faults.
sub next_release { my ($fault, @words) = @_;
	return $galley->command({ env => { %next, $fault ? (GALLEY_FAULT => $fault) : () } }, @words) }

sub finding {
	my ($done) = @_;
	my ($found) = grep { $_->{check} eq 'database' } @{ $done->{json} };
	# The message, and then what to do.
	my @told = grep { !/^(?:check|level|ok)$/ } reverse sort keys %$found;
	return join ' ', $found->{level}, map { $found->{$_} // () } @told;
}

sub backups { return scalar(() = glob "$home/db/before-migrate-*.tar") }

# The stores as they are now, to be put back.
sqlite($_, 'PRAGMA wal_checkpoint(TRUNCATE)') for @stores;
my @kept = map { my $to = $galley->scratch . '/' . basename($_);
	run_program(['cp', '-p', $_, $to]); $to } @stores;

sub put_back {
	my (@which) = @_;
	unlink glob "$home/db/before-migrate-*.tar";
	for my $i (@which ? @which : (0, 1)) {
		unlink glob "$stores[$i]*";
		run_program(['cp', '-p', $kept[$i], $stores[$i]]);
	}
}

# What a new instance of the next release has.
my $fresh = Galley->new(build => 'test', init => 0);
is $fresh->command({ env => {%next} }, qw(init))->{exit}, 0, 'an instance of the next release';
my @fresh = map { $fresh->home . substr $_, length $home } @stores;

# ---- before it is brought up

my $browser = $console->as($ada);
is $browser->get('/')->heading, 'Home', 'a person is signed in';
$browser->{env} = {%next};
is $browser->request('GET', '/')->status, 503, 'the console of the next release waits';
like next_release('', qw(person list))->{err}, qr/galley migrate/, 'the tool says what to do';
like finding(next_release('', 'doctor')), qr/say galley migrate/, 'galley doctor, too';

# ---- brought up, and refused by the release before

my $done = next_release('', 'migrate');
is $done->{exit}, 0, 'migrate' or diag $done->{err};
is_deeply [@{ $done->{json} }{qw(from to people_from people_to)}],
	[map { ($now[$_], $then[$_]) } 0, 1], 'it says from where to where';
is_deeply [versions()], \@then, 'both stores have the new numbers';
is backups(), 1, 'there is one backup';
is schema_of($stores[$_]), schema_of($fresh[$_]), basename($stores[$_])
	. ' is as a new one, text by text' for 0, 1;
is_deeply [sqlite($stores[0], 'SELECT nickname FROM account, made_up WHERE text = name')],
	[map { "called $_" } sqlite($stores[0], 'SELECT name FROM account')],
	'the step filled rows of the content';
is_deeply [sqlite($stores[1], 'SELECT nickname FROM person JOIN made_up ON text = name ORDER BY 1')],
	['called Ada', 'called Max'], 'and of the people';
is_deeply [sqlite($stores[1], "SELECT name FROM sqlite_master WHERE name LIKE 'recovery%'")], [],
	'what it dropped is gone';
like finding(next_release('', 'doctor')), qr/^ok /, 'galley doctor finds both stores sound';
is next_release('', 'verify')->{exit}, 0, 'galley verify, too';
is scalar @{ next_release('', qw(person list))->{json} }, 2, 'the people are read';
is $browser->request('GET', '/')->status, 200, 'who was signed in goes on';
is next_release('', 'migrate')->{json}{backup}, undef, 'a second run does nothing';
$browser->{env} = {};
like $galley->command('migrate')->{err}, qr/This database has schema $then[0], this program is of/,
	'the release before refuses the database';
put_back(0);
$done = $galley->command('migrate');
is $done->{exit}, 1, 'and people who are newer alone';
like $done->{err}, qr{people/console.db has schema $then[1], .* install the newer release again},
	'with what to do';
is_deeply [versions()], [$now[0], $then[1]], 'nothing was changed';
is $browser->request('GET', '/')->status, 503, 'the console waits';
like finding($galley->command('doctor')), qr/people in \S+ are of another release/,
	'galley doctor says so';
like $galley->command(qw(person list))->{err}, qr/install the release that belongs to it/,
	'the tool, too';

# ---- killed

put_back();
# Each step and each table that is copied is a step of the fault point; the next release has one
# step and one table more.
my $steps = () = glob Galley::top() . '/db/before/[0-9]*.sql';
my ($tables) = sqlite($stores[0],
	"SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'");
my $content = $steps + 1 + $tables + 1;
for my $case (['migrate-step:1' => @now], ['migrate-step:' . ($steps + 3) => @now],
	['migrate-before-commit:1' => @now], ['upgrade-content:1' => $then[0], $now[1]],
	['migrate-step:' . ($content + 3) => $then[0], $now[1]],
	['migrate-before-commit:2' => $then[0], $now[1]]) {
	my ($point, @half) = @$case;
	put_back();
	$done = next_release("$point:kill", 'migrate');
	is $done->{signal}, 9, "$point: killed";
	is_deeply [versions()], \@half, 'each store is as before, or done';
	is $browser->request('GET', '/', env => {%next})->status, 503, 'the console waits';
	like finding(next_release('', 'doctor')), qr/say galley migrate/, 'galley doctor says what to do';
	$done = next_release('', 'migrate');
	is $done->{exit}, 0, 'said again, it goes on' or diag $done->{err};
	is $done->{json}{backup}, (glob "$home/db/before-migrate-*.tar")[0],
		'with the backup of the first time' if $half[0] == $then[0];
	ok !-e "$home/db/before-migrate-begun", 'and notes nothing more';
	is_deeply [versions()], \@then, 'to the end';
	is schema_of($stores[1]), schema_of($fresh[1]), 'the people are as new';
}

# ---- the way back, whose programs cannot open the people of the next release

my ($tar) = glob "$home/db/before-migrate-*.tar";
my $people = [sort map { "$_->{email} $_->{state}" } @{ next_release('', qw(person list))->{json} }];
my $alone = $galley->folder_of_owner('alone') . '/alone.tar';
my $unpacked = $galley->folder_of_owner('unpacked');
run_program(['tar', '-C', $unpacked, '-xf', $tar]);
run_program(['tar', '--format=ustar', '-C', $unpacked, '-cf', $alone, qw(galley.db pepper galley.conf)]);
$done = $galley->command(qw(restore --yes), $alone);
is $done->{exit}, 0, 'a backup without people' or diag $done->{err};
like $done->{err}, qr/of a newer release than this program, .* the file stays/, 'leaves theirs';
is_deeply [versions()], [$now[0], $then[1]], 'as they are';
$done = $galley->command(qw(restore --yes), $tar);
is $done->{exit}, 0, 'the backup of the upgrade, killed between the two' or diag $done->{err};
like $done->{err}, qr/the people are as the backup has them/, 'brings the people, too';
is_deeply [versions()], \@now, 'of this release';
is_deeply [sort map { "$_->{email} $_->{state}" } @{ $galley->must(qw(person list)) }], $people,
	'and nobody is disabled by it';
is_deeply [sqlite($stores[1], 'SELECT count(*) FROM session')], [0], 'no session is back';
is $browser->get('/')->heading, 'Sign in', 'the console answers';
is $galley->command('verify')->{exit}, 0, 'the data are sound';
like finding($galley->command('doctor')), qr/^ok /, 'galley doctor finds both stores sound';

# ---- a backup of this release into the next one

$done = $fresh->command({ env => {%next} }, qw(restore --yes --people), $tar);
is $done->{exit}, 0, 'with people of the older schema' or diag $done->{err};
is $done->{json}{people}, 2, 'they come';
is_deeply [(map { (sqlite($_, 'PRAGMA user_version'))[0] } @fresh),
	sqlite($fresh[1], "SELECT count(*) FROM person WHERE nickname = 'called ' || name")],
	[@then, 2], 'brought to the next release';
is_deeply [map { $_->{state} } @{ $fresh->command({ env => {%next} }, qw(person list))->{json} }],
	[('disabled') x 2], 'disabled, as into any other instance';

# ---- a file that Galley did not make so

put_back();
sqlite($stores[0], 'ALTER TABLE save DROP COLUMN automatic');
like finding($galley->command('doctor')), qr/^BAD .*the table save has another text/,
	'galley doctor names a table of a build before the first release';
put_back();
sqlite($stores[1], 'CREATE INDEX mine ON person (name)');
$done = next_release('', 'migrate');
is $done->{exit}, 1, 'an index of the people that is not ours';
like $done->{err}, qr/the index mine is not Galley's\. Nothing was changed/, 'is named';
is_deeply [versions()], \@now, 'the database is not brought up either';
is backups(), 0, 'no backup was made';
put_back();
sqlite($stores[1], 'PRAGMA foreign_keys = OFF; DELETE FROM person WHERE name = \'Max\'');
$done = next_release('', 'migrate');
is $done->{exit}, 1, 'a row of the people that lost its person';
like $done->{err}, qr{In people/console.db a row of membership refers to one that is not there},
	'is named';
is_deeply [versions()], [$then[0], $now[1]], 'the people are as they were';

# ---- in a browser

put_back(1);
my $page = $browser->request('GET', '/start', env => {%next});
like $page->text, qr/newer than its database/, 'people of the release before: Start offers it';
$browser->{env} = {%next};
$browser->get('/start')->press('Make a code');
my ($code) = Galley::slurp("$home/run/console/code.txt") =~ /(\S+)/;
is $browser->post('/start', [migrate => '', code => $code])->status, 303, 'asked for';
run_program([$galley->programs . '/bin/task-runner', '--once'], seconds => 60,
	env => { PATH => '/usr/bin:/bin', GALLEY_CLOCK => 3600, %next },
	as => [$galley->owner_ids]);
my $errand = Galley::slurp("$home/run/console/errand");
like $errand, qr/^state done$/m, 'the task runner does it' or diag $errand;
like $errand, qr/people were of schema $now[1] and are now of $then[1]\. Its backup is/,
	'and reports it';
is_deeply [versions()], \@then, 'the people are brought up';
done_testing;
