# Root sets up, upgrades and maintains an instance whose folders db, run, log, good and
# htdocs/media belong to www-data. Proves that root changes nothing outside of the instance,
# whatever that user puts there, and however fast the user exchanges it.
use strict;
use warnings;

use lib 'tests/lib';
use File::Find ();
use File::Temp ();
use Galley;
use Galley::Process qw(run_program);
use Test::More;

plan skip_all => 'only root can be led astray' if $> != 0;

my $top = Galley::top();
my $build = Galley::build();
my $folder = File::Temp->newdir('galley-XXXXXX', TMPDIR => 1);
chmod 0755, "$folder";
my @owner = (getpwnam 'www-data')[2, 3];
my $home = "$folder/srv";
my $victim = "$folder/system";

mkdir "$folder/$_" for qw(out licences licences/copyright system system/inner);
Galley::spew("$folder/licences/copyright/musl", "MIT\n");
my $packed = run_program(['sh', "$top/release/dist.sh", "$folder/out", 'galley-9-x86_64',
	"$folder/licences", "$build/bin/galley-cover",
	(grep { -f && -x } glob "$build/{cgi-bin,bin}/*"),
	(glob "$build/apache-conf/* $build/htdocs/{,docs/}*.html $build/man1/* $build/completions/*")],
	env => { %ENV, SOURCE_DATE_EPOCH => 1_700_000_000, DIST_LEVEL => 1 });
is $packed->{exit}, 0, 'packed' or diag $packed->{err};
run_program(['tar', '-xzf', "$folder/out/galley-9-x86_64.tar.gz", '-C', "$folder"]);
my $release = "$folder/galley-9-x86_64";

local $ENV{GALLEY_DATABASE} = Galley::database_of("of_root_$$") // '';

# ---- files that must not change

for my $name (qw(shadow passwd inner/key)) {
	Galley::spew("$victim/$name", "root's $name\n");
	chmod $name eq 'passwd' ? 0644 : 0600, "$victim/$name";
}
chmod 0755, "$victim/inner";

sub state_of_system {
	my %state;
	File::Find::find({ no_chdir => 1, wanted => sub {
		my @s = lstat;
		$state{$_} = join ' ', @s[2, 4, 5], -f _ ? Galley::slurp($_) : '';
	} }, $victim);
	return \%state;
}

my $state = state_of_system();

sub nothing_changed {
	my ($what) = @_;
	is_deeply state_of_system(), $state, "$what: nothing of the system is changed";
	return;
}

# ---- the commands of root and of the owner

sub as_owner {
	my ($code) = @_;
	my $done = run_program(['perl', '-e', "chdir '$home'; my \$v = '$victim'; $code"],
		as => \@owner);
	die $done->{err} if $done->{exit} != 0;
	return;
}

sub setup { return run_program(['sh', "$release/setup", $home, @_]) }

sub galley { return run_program(["$home/bin/galley", @_]) }

sub uid { return (lstat $_[0])[4] }

my $done = setup('--public-url', 'https://api.example.com');
is $done->{exit}, 0, 'an instance' or diag $done->{out}, $done->{err};
is uid("$home/$_"), $owner[0], "$_ is its owner's"
	for qw(db run log good people stats htdocs/media galley.conf db/galley.db db/.htaccess
		log/setup.txt good/galley.conf);
is uid("$home/$_"), 0, "$_ is root's" for qw(. bin cgi-bin htdocs bin/galley);
like Galley::slurp("$home/log/setup.txt"), qr/The programs are in/, 'told in the log';
like setup()->{out}, qr/nothing was changed/, 'again: nothing is to do';

# ---- links

as_owner(<<'END');
	unlink 'log/setup.txt', 'log/setup.last', 'db/.htaccess', 'run/.htaccess';
	symlink "$v/shadow", "log/setup.txt" or die;
	symlink "$v/new", $_ or die for 'log/setup.last', 'db/.htaccess', 'run/.htaccess';
	for my $folder ('db', 'run', 'log', 'good', 'people', 'htdocs/media') {
		symlink "$v/shadow", "$folder/a.png" or die;
		symlink "$v/inner", "$folder/inner" or die;
	}
	chmod 0644, 'db/pepper';
END
link "$victim/shadow", "$home/$_/second.png" or die $!
	for qw(db run log good people stats htdocs/media);
link "$victim/passwd", "$home/db/third" or die $!;
Galley::spew("$home/db/of-root", 'root forgot it');
mkdir "$home/run/of-root";
Galley::spew("$home/run/of-root/file", 'that, too');
$state = state_of_system();
$done = setup();
is $done->{exit}, 0, 'setup runs' or diag $done->{out}, $done->{err};
like $done->{out}, qr{Mode 644 of \Q$home\E/db/pepper is now 600}, 'and corrects a mode';
like $done->{out}, qr{\Q$home\E/db/of-root was given to www-data}, 'gives what root put there';
is uid("$home/$_"), $owner[0], "$_ is the owner's"
	for qw(db/of-root run/of-root run/of-root/file);
like $done->{out}, qr{/db/second\.png is root's and stays so}, 'and names what it leaves';
nothing_changed('setup over planted links');

Galley::spew("$home/cgi-bin/articles", 'an older release');
chmod 0755, "$home/cgi-bin/articles";
is setup()->{exit}, 0, 'an upgrade runs';
ok -e "$home/previous/cgi-bin/articles", 'and keeps what was there';
nothing_changed('an upgrade over planted links');
is run_program(['sh', "$top/release/install.sh", $home, glob "$build/bin/*"],
	env => { %ENV, SECRETS => '' })->{exit}, 0, 'make install runs';
nothing_changed('make install over planted links');
galley('fix');
galley('doctor');
galley('migrate');
galley('config', 'set', 'jobs_per_hour=21');
nothing_changed('commands over planted links');

# ---- names that are exchanged while root works

as_owner('unlink glob q({db,run,log,good,htdocs/media}/{a.png,inner});');
my $swapper = fork // die "fork: $!";
if (!$swapper) {
	Galley::Process::become(@owner);
	chdir $home;
	$SIG{ALRM} = 'DEFAULT';
	alarm 120;
	mkdir 'run/folder';
	while (getppid() != 1) {
		for my $file ('log/setup.txt', 'log/setup.last', 'db/f', 'log/f', 'good/f',
				'db/.htaccess', 'htdocs/media/f.png') {
			symlink "$victim/shadow", "$file.link";
			rename "$file.link", $file;
			open my $out, '>', "$file.file" or next;
			close $out;
			chmod 0640, "$file.file";
			rename "$file.file", $file;
		}
		rename 'run/folder', 'run/aside';
		symlink "$victim/inner", 'run/folder';
		unlink 'run/folder';
		rename 'run/aside', 'run/folder';
	}
	exit 0;
}
for my $round (1 .. 8) {
	Galley::spew("$home/run/folder-$round", 'of root');
	setup();
	galley('fix');
}
kill KILL => $swapper;
waitpid $swapper, 0;
nothing_changed('names exchanged while root looks');

# ---- pipes without a reader or writer

require POSIX;
for my $name (qw(setup.txt setup.last)) {
	unlink "$home/log/$name";
	POSIX::mkfifo("$home/log/$name", 0600) or die $!;
	chown @owner, "$home/log/$name";
	chmod 0600 | ($name eq 'setup.txt'), "$home/cgi-bin/articles";
	is run_program(['sh', "$release/setup", $home], seconds => 60)->{exit}, 0,
		"a pipe in the place of $name keeps setup from nothing";
	unlink "$home/log/$name";
}

# ---- folders that belong to another user

sub refuses {
	my ($name, $pattern, @command) = @_;
	my $done = run_program([@command]);
	isnt $done->{exit}, 0, "$name: refused";
	like $done->{err}, $pattern, "$name: which says why";
	nothing_changed($name);
	return;
}

mkdir "$folder/theirs";
chown @owner, "$folder/theirs";
refuses('a folder of another user', qr{theirs belongs to www-data.*Run this as that user},
	'sh', "$release/setup", "$folder/theirs");
refuses('a folder in one of another user', qr{theirs belongs to www-data},
	'sh', "$release/setup", "$folder/theirs/galley");
refuses('secrets in one of another user', qr{theirs belongs to www-data},
	'sh', "$release/setup", "$folder/new", '--secrets', "$folder/theirs/galley");
refuses('make install there', qr{theirs belongs to www-data},
	'sh', "$top/release/install.sh", "$folder/theirs/galley", "$build/bin/galley");
is_deeply [glob "$folder/theirs/*"], [], 'and nothing is made there';
chmod 0777, "$home/cgi-bin";
refuses('a folder of programs that is open', qr{cgi-bin belongs to root, mode 777},
	'sh', "$release/setup", $home);
chmod 0755, "$home/cgi-bin";

# A folder of secrets and one for manuals that have another owner now
is run_program(['sh', "$top/release/install.sh", "$folder/web", "$build/bin/galley"],
	env => { %ENV, SECRETS => "$folder/kept" })->{exit}, 0, 'programs, and secrets elsewhere';
unlink "$folder/kept/programs" or die;
symlink "$victim/shadow", "$folder/kept/programs.new" or die;
chown @owner, "$folder/kept";
refuses('make install with secrets of another user', qr{kept belongs to www-data},
	'sh', "$top/release/install.sh", "$folder/web", "$build/bin/galley");
chown 0, 0, "$folder/kept";
unlink "$folder/kept/programs.new";
run_program(['rm', '-r', "$folder/web/share/man"]);
symlink "$victim/inner", "$folder/web/share/man" or die;
chown @owner, "$folder/web/share";
refuses('make install with manuals of another user', qr{share belongs to www-data},
	'sh', "$top/release/install.sh", "$folder/web", "$build/bin/galley");

# A program that another user wrote, and an incomplete release that should replace it
rename "$home/bin/galley", "$home/bin/kept" or die;
rename "$release/bin/galley", "$folder/galley" or die;
Galley::spew("$home/bin/galley", "#!/bin/sh\necho ran >$victim/ran\n");
chmod 0755, "$home/bin/galley";
chown @owner, "$home/bin/galley";
refuses('a program of another user', qr/is not complete/, 'sh', "$release/setup", $home);
rename "$folder/galley", "$release/bin/galley" or die;
rename "$home/bin/kept", "$home/bin/galley" or die;

# A link of another user is read once and not used.
symlink $home, "$folder/theirs/link" or die;
chmod 0700, "$home/cgi-bin/articles";
my $through = run_program(['sh', "$release/setup", "$folder/theirs/link"]);
like $through->{out}, qr{Mode 700 of \Q$home\E/cgi-bin/articles is now 755},
	'a link of another user: the folder behind it is named';
unlink "$folder/theirs/link";

# An instance that another user forged leads root nowhere.
for my $name (qw(bin run log htdocs htdocs/media)) {
	mkdir "$folder/theirs/$name";
	chown @owner, "$folder/theirs/$name";
}
mkdir "$victim/db";
$state = state_of_system();
symlink "$victim/db", "$folder/theirs/db" or die;
Galley::spew("$folder/theirs/galley.conf", '');
refuses('a database folder that is a link', qr/www-data may change where/,
	"$home/bin/galley", '--instance', "$folder/theirs", 'account', 'list');
refuses('and for the runner', qr/www-data may change where/,
	"$home/bin/job-runner", '--instance', "$folder/theirs");
unlink "$folder/theirs/db";
refuses('init there for another', qr/www-data can change what is in/,
	"$home/bin/galley", '--instance', "$folder/theirs", 'init', '--owner', 'nobody');
POSIX::mkfifo("$folder/theirs/bin/instance", 0644) or die $!;
refuses('a pipe in the place of a file', qr/instance (?:belongs to another user|must hold)/,
	"$home/bin/galley", '--instance', "$folder/theirs", 'account', 'list');
unlink "$folder/theirs/bin/instance";
$ENV{GALLEY_DATABASE} = Galley::database_of("theirs_$$") // '';
is galley('--instance', "$folder/theirs", 'init')->{exit}, 0, 'init there';
is uid("$folder/theirs/db/galley.db"), $owner[0], 'is done as that user';

# Root stops the demo's web server.
mkdir "$folder/theirs/run/apache";
chown @owner, "$folder/theirs/run/apache";
Galley::spew("$folder/theirs/run/apache/socket-folder", "$victim/inner");
my $sleeper = open my $ready, '-|' // die "fork: $!";
if (!$sleeper) {
	Galley::Process::become(@owner);
	exec 'perl', '-e', '$| = 1; print "ready\n"; sleep 60', "$folder/theirs/run/apache";
}
readline $ready;
Galley::spew("$folder/theirs/run/apache/httpd.pid", $sleeper);
run_program(['sh', "$top/apache-conf/private-apache", 'stop', "$folder/theirs"], seconds => 5);
kill KILL => $sleeper;
waitpid $sleeper, 0;
nothing_changed('a web server that ends');

done_testing;
