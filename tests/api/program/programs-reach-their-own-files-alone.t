# A program of the API reads and writes db/ and what it needs of run/, and nothing else of the
# instance (docs/console.md §1.2): not people/, not stats/, not what the console has in run/. The
# database may be a link: where it leads out, the program answers nothing, and it answers where the
# link stays inside. One program is asked as CGI and as FastCGI. The console and the task runner
# write their own part of run/.
use strict;
use warnings;
use lib 'tests/lib';
use Galley;
use Galley::Console;
use Galley::Process qw(run_program);
use Test::More;

plan skip_all => 'a watched program is another' if Galley::is_watched();

# 444 asks for the version of Landlock.
my $version = do { no warnings; syscall(444, 0, 0, 1) };
plan skip_all => 'this machine has no Landlock' if $version < 1;

my $galley = Galley->new(conf => { kept_answers => 0 });
my $home = $galley->home;
my $key = $galley->key($galley->workspace);
$galley->must(qw(account list)); # its end copies the log into the database
my ($owner, $group) = $galley->owner_ids;

sub ask {
	my ($way) = @_;
	local $ENV{GALLEY_FCGI} = $way eq 'FastCGI' ? 1 : 0;
	# Each question needs a process that has not opened the database yet.
	delete $galley->{fcgi} if $way eq 'FastCGI';
	return $galley->get('/connection', key => $key)->{status};
}

sub owned {
	my ($path) = @_;
	chown $owner, $group, $path or die "$path: $!" if $> == 0;
}

for my $folder ('stats', 'run/console') {
	mkdir "$home/$folder", 0700 or -d "$home/$folder" or die "$folder: $!";
	owned("$home/$folder");
}
my $store = "$home/db/galley.db";

for my $way ('CGI', 'FastCGI') {
	for my $case (
		['db/other', 1],
		['people/other', 0],
		['stats/other', 0],
		['run/console/other', 0],
		['run/other', 0],
		['other', 0],
	) {
		my ($file, $good) = @$case;
		unlink "$store-wal", "$store-shm";
		rename $store, "$home/$file" or die "galley.db: $!";
		symlink "$home/$file", $store or die "galley.db: $!";
		my $got = ask($way);
		ok $good ? $got == 200 : $got >= 500, "$way: $file is "
			. ($good ? 'read' : 'not read') or diag $got;
		unlink "$home/$file-wal", "$home/$file-shm";
		rename "$home/$file", $store or die "galley.db: $!";
	}
}

# ---- what it needs is made where it was removed, and a new galley.conf is followed
unlink glob("$home/run/*.rl"), "$home/run/generation";
for my $way ('CGI', 'FastCGI') {
	is ask($way), 200, "$way: an empty run/ is no hindrance";
	ok -e "$home/run/keys.rl", 'the limiter counts';
}
$ENV{GALLEY_FCGI} = 1;
unlink glob("$home/run/*.rl");
$galley->conf(requests_per_minute => 7);
$galley->get('/connection', key => $key);
my $answer = $galley->get('/connection', key => $key);
is $answer->{status}, 200, 'a process that meets other files than its own is followed by another';
like $answer->{headers}{'ratelimit-policy'} // '', qr/q=7\b/, 'which knows the new settings';

# ---- the console and the children of the task runner write their own part of run/ alone
delete $ENV{GALLEY_FCGI};
$galley->conf(public_url => 'https://galley.example');
my $console = Galley::Console->of($galley, 'https://galley.example');
my $workspace = $galley->workspace(name => 'Of the console');
my $olga = $console->person(name => 'Olga', role => 'owner', workspace => $workspace);
my $browser = $console->as($olga);
my $dated = ($galley->import_text($workspace, { publish => 0 }, "# Dated\n\nText.\n"))[0];
$galley->must(qw(article publish --at 2999-01-01T00:00:00Z), $dated);
$galley->sql('UPDATE desk SET publish_at = ' . (time - 60) . '000000');
my $people = "$home/people/console.db";

sub published { return $galley->must(qw(article show), $dated)->{status} eq 'published' }

# Runs with the store behind a link, and brings it back.
sub elsewhere {
	my ($path, $file, $run) = @_;
	$_->sql('PRAGMA wal_checkpoint(TRUNCATE)') for $galley, $console;
	unlink "$path-wal", "$path-shm";
	rename $path, "$home/$file" or die "$path: $!";
	symlink "$home/$file", $path or die "$path: $!";
	$run->();
	unlink "$home/$file-wal", "$home/$file-shm";
	rename "$home/$file", $path or die "$path: $!";
}

for my $case (['run/other', 0], ['run/kept/other', 0], ['other', 0], ['run/console/other', 1]) {
	my ($file, $good) = @$case;
	my $got;
	mkdir "$home/run/kept", 0700;
	owned("$home/run/kept");
	elsewhere($people, $file, sub {
		$got = $browser->request('GET', "/$workspace/articles")->status });
	ok $good ? $got == 200 : $got >= 500, "console: $file is "
		. ($good ? 'written' : 'not written') or diag $got;
	elsewhere($store, $file, sub { run_program([$galley->programs . '/bin/task-runner',
		'--once'], seconds => 60, env => { PATH => '/usr/bin:/bin' },
		as => [$galley->owner_ids]) });
	is published() ? 1 : 0, $good, "task runner: $file is " . ($good ? '' : 'not ') . 'written';
}
unlink "$home/run/generation", "$home/run/media.lock";
my $saved = $browser->get("/$workspace/articles/$dated")->press('Save', Title => 'Saved');
like $saved->notice, qr/saved/i, 'what the console needs is made where it was removed';

done_testing;
