# Newer programs than the database (docs/console.md §2.7): the pages of the console are 503 with a
# sentence; Start, with a code, offers "Back up and migrate", and the task runner does it, once all
# programs are of one release and at rest. Where setup is the line of cron, nothing else migrates.
# suite: fast
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley::Console;
use Galley::Process qw(run_program);
use Galley::Schema qw(schema_text);

my $console = Galley::Console->new(build => 'test', own_programs => 1);
my $galley = $console->galley;
my $home = $galley->home;
my $db = "$home/db/galley.db";
my $ada = $console->person(name => 'Ada', role => 'operator');
my $now = $galley->sql('PRAGMA user_version')->[0]{user_version};
my $empty = $galley->scratch . '/new.db';
$galley->sql('PRAGMA wal_checkpoint(TRUNCATE)');
run_program(['cp', '-p', $db, $empty]);

# Puts an empty database of the schema before into the instance.
sub become_old {
	my $old = $galley->scratch . '/old.db';
	unlink $old;
	my $done = run_program(['sqlite3', '-bail', $old], input => join "\n",
		'PRAGMA journal_mode = WAL;', schema_text('content', $now - 1),
		'PRAGMA application_id = 1734437996;', 'PRAGMA user_version = ' . ($now - 1) . ';');
	die $done->{err} if $done->{exit} != 0 || $done->{err} ne '';
	chown $galley->owner_ids, $old;
	chmod 0600, $old;
	unlink glob "$db*";
	rename $old, $db or die "rename: $!";
}

# Runs what cron runs, when the programs have been there for so long.
sub cron {
	my ($seconds) = @_;
	return run_program([$galley->programs . '/bin/job-runner', '--once'], seconds => 120,
		env => { PATH => '/usr/bin:/bin', GALLEY_CLOCK => $seconds // 3600 },
		as => [$galley->owner_ids]);
}

sub version { return $galley->sql('PRAGMA user_version')->[0]{user_version} }
sub backups { return scalar(() = glob "$home/db/before-migrate-*.tar") }
sub journal { return Galley::slurp("$home/run/console/errand") }
sub button { my ($page) = @_;
	return scalar grep { $_->{label} eq 'Back up and migrate' }
		map { @{ $_->{buttons} } } $page->forms }

# A build that was made in parts has programs of several sources.
my %ids = map { $_ => 1 } map { Galley::slurp($_) =~ /Galley\0\0([0-9a-f]{32})/ ? $1 : () }
	grep { -f && -x } glob $galley->programs . '/{bin,cgi-bin}/*';
keys %ids == 1 or BAIL_OUT('the programs are of ' . keys(%ids) . ' builds: make TEST=1');

# ---- nothing but Start answers

become_old();
my $browser = $console->browser;
my $signed_in = $console->as($ada);
for my $row (grep { $_->{path} ne '/start' } $console->routes) {
	my $path = $row->{path} =~ s/\b(?:W|A|ID|NAME)\b/x/gr;
	my $page = $signed_in->request($row->{method}, $path);
	is $page->status, 503, "$row->{method} $path answers nothing";
	is $page->header('retry-after'), 10, 'and says when to ask again';
}
like $signed_in->get('/')->text, qr{new release is being installed.*/console/start},
	'the page says what is going on';
is $browser->request('GET', '/assets/x.css')->status, 503, 'no asset that is not there';

# ---- a code comes first

my $page = $browser->get('/start');
is $page->status, 200, 'Start answers';
like $page->text, qr/newer than its database/, 'and says why nothing else does';
ok !button($page), 'without a code it offers nothing';
is $browser->post('/start', [migrate => '', code => 'ab_code_' . 'a' x 20])->status, 422,
	'who presses it all the same is refused';
is $browser->post('/start', [migrate => ''])->status, 422, 'without a code, too';
ok !-e "$home/run/console/errand", 'nothing was asked for';
$page->press('Make a code');
my ($code) = Galley::slurp("$home/run/console/code.txt") =~ /(\S+)/;
is $browser->post('/start', [code => $code, email => 'o@example.org', name => 'O',
	password => 'Kx7-wolke-rand'])->status, 200, 'nobody becomes an operator meanwhile';
is $console->sql('SELECT count(*) AS n FROM person')->[0]{n}, 1, 'really nobody';
my $offer = $browser->get('/start')->press('Continue', Code => $code);
ok button($offer), 'with the code it offers it';
like $offer->text, qr/backup is made first/, 'and says what it does';

# ---- programs of two releases, and an upload that goes on

my $program = $galley->programs . '/bin/provider-outline';
my $whole = Galley::slurp($program);
my ($id) = run_program([$galley->programs . '/bin/galley', '--version'])->{out} =~ /^build +(\w+)/m;
Galley::spew($program, $whole =~ s/\Q$id\E/'0' x 32/er);
$page = $offer->press('Back up and migrate');
is $page->status, 200, 'pressed';
like $page->text, qr/This page goes on/, 'the page waits';
ok scalar($page->all('meta', 'http-equiv' => sub { lc $_[0] eq 'refresh' })), 'and asks again by itself';
like $page->text, qr/Cron has not started.*bin\/job-runner/, 'it says that cron is silent, and its line';
unlike $page->body, qr/\Q$home\E/, 'but strangers learn no folder of the host';
is $browser->post('/start', [migrate => '', code => $code])->status, 409,
	'pressed again, it is begun once';
cron();
like journal(), qr/^state failed$/m, 'programs of two releases: nothing is done';
like journal(), qr/provider-outline is of another release/, 'and the file is named';
is version(), $now - 1, 'the database is as it was';
is backups(), 0, 'and there is no backup';
like $browser->get('/start')->text, qr/last try failed/, 'Start says that it failed';
unlike $browser->get('/start')->text, qr/provider-outline/, 'but to strangers not why';
$page = $browser->get('/start')->press('Continue', Code => $code);
like $page->text, qr/provider-outline is of another release/, 'the owner reads why';
Galley::spew($program, $whole);
chmod 0755, $program;

# ---- where setup is the line of cron

Galley::spew("$home/run/setup.seen", '');
my $setup = $browser->get('/start');
like $setup->text, qr/runs setup/, 'setup does it by itself: the page says so';
ok !button($setup), 'and offers nothing';
is $browser->post('/start', [migrate => '', code => $code])->status, 409, 'nor takes it';
utime 1, 1, "$home/run/setup.seen";

# ---- it is done

$page = $page->press('Back up and migrate');
like journal(), qr/^state waiting$/m, 'it waits for the runner';
my $cron = cron();
like journal(), qr/^state done$/m, 'the runner does it' or diag $cron->{err}, journal(),
	Galley::slurp("$home/log/runner.log");
is version(), $now, 'the database is of this release';
is backups(), 1, 'with a backup';
$page = $browser->get('/start?again');
is $page->heading, 'Sign in', 'the page that waited leads to the sign-in';
like $page->notice, qr/new release/, 'and says so';
is $signed_in->get('/')->heading, 'Home', 'who was signed in goes on';
is $galley->command('verify')->{exit}, 0, 'the data are sound';
ok !-e $_, "$_ holds no code" for grep { Galley::slurp($_) =~ /\Q$code\E/ } glob "$home/log/*";

# ---- an errand that somebody else left where the runner looks is none

my $errand = "$home/run/console/errand";
my $planted = journal() =~ s/^kind .*$/kind backup/mr =~ s/^state .*$/state waiting/mr
	=~ s/^tries .*$/tries 0/mr;
my $aside = $galley->scratch . '/errand';
for my $case (['a file that others may write', sub { chmod 0666, $_[0] }],
	['a symbolic link', sub { rename $_[0], $aside; symlink $aside, $_[0] }],
	$> == 0 ? ['a file of another user', sub { chmod 0644, $_[0]; chown 1, 1, $_[0] }] : ()) {
	my ($what, $plant) = @$case;
	unlink $errand;
	Galley::spew($errand, $planted);
	chmod 0600, $errand;
	chown $galley->owner_ids, $errand if $> == 0;
	$plant->($errand);
	cron();
	like journal(), qr/^state waiting$/m, "$what: nothing is done";
}
unlink $errand;
is_deeply [glob "$home/db/backup-*.tar"], [], 'no backup was made';

# ---- a database of a newer release

$galley->sql('PRAGMA user_version = ' . ($now + 1));
for my $path ('/', '/start') {
	$page = $browser->request('GET', $path);
	is $page->status, 503, "$path with a database of a newer release";
	like $page->text, qr/newer release than this program/, 'says so';
}
$galley->sql("PRAGMA user_version = $now");

# ---- a file that is no database of Galley's is no older release

rename $db, "$db.aside";
unlink glob "$db-*";
Galley::spew($db, '');
chmod 0600, $db;
chown $galley->owner_ids, $db;
$page = $browser->request('GET', '/start');
is $signed_in->request('GET', '/')->status, 503, 'an empty file: the console fails as ever';
unlike $page->text, qr/newer than its database|new release/, 'and nothing is promised';
unlink glob "$db-*";
rename "$db.aside", $db;

# ---- killed in the middle: it is begun again, and done once

for my $point (qw(errand-alone migrate-before-commit errand-done)) {
	unlink glob "$home/db/before-migrate-*.tar";
	become_old();
	is $browser->post('/start', [migrate => '', code => $code])->status, 303, 'asked for again';
	run_program([$galley->programs . '/bin/task-runner', '--once'], seconds => 60,
		env => { PATH => '/usr/bin:/bin', GALLEY_CLOCK => 3600, GALLEY_FAULT => $point },
		as => [$galley->owner_ids]);
	cron();
	like journal(), qr/^state done$/m, "killed at $point: the next run comes to the end";
	is version(), $now, 'and the database is of this release';
}
done_testing();
