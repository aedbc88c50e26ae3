# An instance whose run/ is below the web server's document root (docs/console.md §2.7): Start
# answers only after the job runner has tried whether strangers can fetch a file there.
use strict;
use warnings;

use lib 'tests/lib';
use Test::More;
use Galley;
use Galley::Console;
use Galley::Process qw(run_program);

my $galley = Galley->new;
my $home = $galley->home;

sub runner {
	return run_program([$galley->programs . '/bin/job-runner', '--once'], seconds => 60,
		env => { PATH => '/usr/bin:/bin' }, as => [$galley->owner_ids]);
}

# Serves the whole instance below its address: `allowed` says what of run/ strangers get.
sub serve {
	my ($allowed) = @_;
	my $server = $galley->serve(extra => "DocumentRoot $home\n<Directory $home>\n"
		. "Require all granted\nAllowOverride None\n</Directory>\n$allowed");
	$galley->conf(public_url => $server->url);
	return $server;
}
my $closed = "<Directory $home/run>\nRequire all denied\n</Directory>\n";

sub browser { return Galley::Console->of($galley, $_[0]->url)->browser(server => $_[0]) }

# ---- strangers get what is there

# The web server of the tests is the instance's owner, as with suEXEC.
my $server = serve('');
my $page = browser($server)->get('/start');
is $page->status, 403, 'run/ is below the document root: Start refuses';
like $page->text, qr/tries whether they can/, 'and says who looks';
my $asked = "$home/run/console/probe.asked";
is Galley::slurp($asked), 'run/console', 'the job runner is asked, with the path';
is browser($server)->post('/start', [make => ''])->status, 403, 'nothing is made meanwhile';
ok !-e "$home/run/console/code.txt", 'no code';
runner();
ok !-e $asked, 'it has tried';
is_deeply [glob "$home/run/console/probe-*"], [], 'and leaves no file';
ok !-e "$home/run/console/probe.closed", 'strangers got the file';
is browser($server)->get('/start')->status, 403, 'so Start refuses for good';
$server->stop;

# ---- a closed folder

unlink "$home/run/console/probe.closed";
$server = serve($closed);
is browser($server)->get('/start')->status, 403, 'a closed folder: it waits, too';
runner();
is browser($server)->get('/start')->status, 200, 'the job runner found it closed: Start answers';
is browser($server)->get('/start')->press('Make a code')->status, 200, 'and makes a code';
chmod 0644, "$home/run/console/probe.closed";
is browser($server)->get('/start')->status, 403, 'a note that others may have written is none';
chmod 0600, "$home/run/console/probe.closed";
utime time - 90000, time - 90000, "$home/run/console/probe.closed";
is browser($server)->get('/start')->status, 403, 'and none is good for longer than a day';
$server->stop;
runner();
ok !-e "$home/run/console/probe.closed", 'a web server that is down proves nothing';

# ---- a redirect, and another page instead, prove nothing

for my $extra ("RedirectMatch 302 ^/run/ /elsewhere\n", "AliasMatch ^/run/ $home/htdocs/robots.txt\n") {
	unlink "$home/run/console/probe.closed";
	$server = serve($extra);
	browser($server)->get('/start');
	runner();
	ok !-e "$home/run/console/probe.closed", 'what is no refusal proves nothing: '
		. $extra =~ s/ .*//sr;
	$server->stop;
}
# ---- a folder that is served beside the document root

my $handler = $ENV{GALLEY_CLUSTER} ? 'fcgid-script' : 'cgi-script';
sub served_at {
	my ($path, $overrides, $extra) = @_;
	unlink glob "$home/run/console/probe.*";
	my $beside = $galley->serve(extra => "$extra\n<Directory $home>\nOptions +FollowSymLinks\n"
		. "Require all granted\nAllowOverride $overrides\n</Directory>\n<Directory $home/cgi-bin>\n"
		. "Options +ExecCGI\nSetHandler $handler\n</Directory>\n");
	$galley->conf(public_url => $beside->url . $path);
	return ($beside, Galley::Console->of($galley, $beside->url . $path)->browser(server => $beside));
}
my ($beside, $guest) = served_at('/mine/cgi-bin', 'None', "Alias /mine $home");
is $guest->get('/start')->status, 403, 'an alias leads to the instance: Start refuses';
is Galley::slurp($asked), 'mine/run/console', 'and asks for the path below the alias';
is $guest->post('/start', [make => ''])->status, 403, 'nothing is made';
runner();
is $guest->get('/start')->status, 403, 'strangers got the file, so Start refuses for good';
$beside->stop;

# The lines of .htaccess run plain CGI, which programs for PostgreSQL refuse.
if (!$ENV{GALLEY_CLUSTER}) {
	my $modules = '/usr/lib/apache2/modules';
	my $userdir = "LoadModule userdir_module $modules/mod_userdir.so\nUserDir "
		. ($home =~ s{/[^/]+$}{}r);
	my ($user) = $home =~ m{([^/]+)$};
	Galley::spew("$home/.htaccess", Galley::slurp($galley->programs . '/apache-conf/htaccess'));
	my ($beside, $guest) = served_at("/~$user", 'All', $userdir);
	is $guest->get('/start')->status, 403, 'a folder of UserDir: it waits, too';
	is Galley::slurp($asked), "~$user/run/console", 'with its path';
	runner();
	is $guest->get('/start')->status, 200, 'its .htaccess closes the folder: Start answers';
	Galley::spew("$home/run/console/probe.closed", 'elsewhere/run/console');
	is $guest->get('/start')->status, 403, 'a note of another path is none';
	$beside->stop;
}

undef $galley;
done_testing;
