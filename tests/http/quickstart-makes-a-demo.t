# Proves that quickstart makes a demo, prints requests that work, can be run again, and stops the
# server that it started.
# suite: own-build

use strict;
use warnings;

use lib 'tests/lib';
use File::Temp ();
use IO::Socket::INET ();
use POSIX ();
use Test::More;
use Galley;
use Galley::Process qw(alone run_program);

plan skip_all => 'this is neither Debian nor Ubuntu'
	unless -x '/usr/bin/apt-get';
my $lock = alone(Galley::build() . '/quickstart.lock');
my $folder = File::Temp->newdir('galley-XXXXXX', TMPDIR => 1);
chmod 0755, "$folder";
my $demo = "$folder/demo";

# Uses the programs of the suite's build: another way of linking would replace them while other
# tests run.
sub make_flags {
	my $build = Galley::build();
	my $link = Galley::slurp("$build/link") =~ s/\s+//r;
	return " -- BUILD=$build LINK=$link";
}

sub quickstart {
	return run_program([Galley::top() . '/quickstart', @_], seconds => 600,
		env => { %ENV, MAKEFLAGS => make_flags() });
}

# Returns the answers of the printed curl lines as JSON.
sub tried {
	my ($done) = @_;
	return map {
		s/curl /curl -s -f --max-time 20 /;
		Galley::Request::decode_body(run_program(['sh', '-c', $_])->{out});
	} $done->{out} =~ /^ *(curl .*)$/mg;
}

sub listens {
	my ($port) = @_;
	return IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port);
}

sub one_line {
	my ($done, $pattern, $name) = @_;
	is $done->{exit}, 1, "$name: it gives up";
	like $done->{err}, $pattern, "$name: it says why";
	is $done->{err} =~ tr/\n//, 1, "$name: in one line";
}

my %language = (demo => 'en', 'demo-arabic' => 'ar');
my ($first, $second) = map { Galley::Server::free_port() } 1, 2;
my $done = quickstart('--instance', $demo, '--port', $first, '--detach');
is $done->{exit}, 0, 'it ends well' or die $done->{out} . $done->{err};
like $done->{out}, qr{http://127\.0\.0\.1:$first\b}, 'the address is printed';
like $done->{out}, qr/^ *KEY=ab_live_\w{38} /m, 'a read key is printed';
like $done->{out}, qr/^ *DRAFTS_KEY=ab_live_\w{38} /m, 'a drafts key is printed';
unlike $done->{out}, qr/no longer work/, 'no key was ended';
my @answer = tried($done);
is scalar(@answer), 3, 'three requests are printed';
ok defined $answer[$_], "request $_ works" for 0 .. 2;
is $answer[0]{workspace}{language}, 'en', 'one workspace is English';
is $answer[1]{data}[0]{seo}{language}, 'ar', 'one article is Arabic';
ok scalar(grep { $_->{status} eq 'draft' } @{ $answer[2]{data} }),
	'the drafts key shows a draft';

# Signs in to the console with the printed words; returns where the answer leads.
sub signed_in {
	my ($port, $done) = @_;
	my ($email, $password) = $done->{out} =~ /^ *E-mail: (\S+) +Password: (\S+)$/m
		or return 'nothing to sign in with';
	return run_program(['curl', '-s', '-o', '/dev/null', '-w', '%{http_code} %{redirect_url}',
		'-H', "Origin: http://127.0.0.1:$port", '-F', "email=$email",
		'-F', "password=$password", "http://127.0.0.1:$port/console/sign-in"])->{out};
}
like $done->{out}, qr{^ *http://127\.0\.0\.1:$first/console/$}m, 'the console\'s address is printed';
is signed_in($first, $done), "303 http://127.0.0.1:$first/console/", 'with words that sign in';
like $done->{out}, qr{^ *http://127\.0\.0\.1:$first/pages/demo/$}m, 'the pages\' address is printed';
like run_program(['curl', '-s', "http://127.0.0.1:$first/pages/$_/"])->{out},
	qr{^<!doctype html>\s*<html lang="$language{$_}".*\bnoindex\b}si, "$_: the articles are pages"
	for sort keys %language;

# ---- what cron does elsewhere

my $galley = "$demo/bin/galley";
sub galley { return run_program([$galley, @_], seconds => 120) }
sub runner { return -e "$demo/run/demo-runner.pid" ? Galley::slurp("$demo/run/demo-runner.pid") + 0 : 0 }
sub comes {
	my ($happens) = @_;
	for (1 .. 600) {
		return 1 if $happens->();
		select undef, undef, undef, 0.1;
	}
	return 0;
}
my ($draft) = map { $_->{id} } grep { $_->{status} eq 'draft' } @{ $answer[2]{data} };
sub status { return Galley::Request::decode_body(galley('article', 'show', $draft, '--json')->{out})->{status} }
my $soon = POSIX::strftime('%Y-%m-%dT%H:%M:%SZ', gmtime time + 2);
is galley('article', 'publish', '--unfinished', '--at', $soon, $draft)->{exit}, 0, 'an article has a date';
ok comes(sub { status() eq 'published' }), 'at which it is published, without cron';
my $runner = runner();
ok $runner && -d "/proc/$runner", 'a runner runs beside the server';

my $said = $done->{out};
my ($old_key) = $done->{out} =~ /^ *KEY=(\w+)/m;
$done = quickstart('--instance', $demo, '--port', $second, '--detach');
is $done->{exit}, 0, 'it ends well again';
like $done->{out}, qr/keys that the run before printed no longer work: a shell.*KEY.*^ *KEY=/ms,
	'it says that the earlier keys are ended, before it prints new ones';
ok comes(sub { my $new = runner(); $new && $new != $runner && !-d "/proc/$runner" && -d "/proc/$new" }),
	'one runner runs, which is another one';
$runner = runner();
is signed_in($second, $done), "303 http://127.0.0.1:$second/console/",
	'the new words sign in';
my $before = (grep { /Password:/ } split /\n/, $said)[0];
unlike $done->{out}, qr/\Q$before\E/, 'and are others than before';
my @again = tried($done);
is scalar(grep { defined } @again), 3, 'its requests work again';
is $again[0]{workspace}{id}, $answer[0]{workspace}{id},
	'the workspace is the same';
is $again[1]{data}[0]{id}, $answer[1]{data}[0]{id}, 'the article is the same';
ok !listens($first), 'the earlier server has gone';
my $old = run_program(['curl', '-s', '-o', '/dev/null', '-w', '%{http_code}',
	'-H', "Authorization: Bearer $old_key",
	"http://127.0.0.1:$second/api/v1/connection"]);
is $old->{out}, 401, 'the earlier key has been revoked';

# A long build prints its progress. Here a build takes 45 seconds, which are counted by a `sleep`
# that does not sleep.
my $slow = File::Temp->newdir('galley-XXXXXX', TMPDIR => 1);
my ($show) = Galley::slurp(Galley::top() . '/quickstart')
	=~ /^(show_progress\(\) \{.*?^progress\(\) \{.*?^\}\n)/ms;
Galley::spew("$slow/log", "CC lib/one.c\nCC lib/two.c\n");
Galley::spew("$slow/show", <<"END" . ($show // '') . <<'END');
log=$slow/log
PATH=$slow:\$PATH
slow=$slow
END
(while [ ! -e "$slow/45" ]; do /bin/sleep 0.05; done) &
show_progress "$!"
END
Galley::spew("$slow/sleep", "#!/bin/sh\ncd $slow\nn=\$((\$(cat count) + 1))\n"
	. "echo \$n >count\n[ \$n -ne 45 ] || : >45\n[ \$n -lt 45 ] || /bin/sleep 0.1\n");
Galley::spew("$slow/count", "0\n");
chmod 0755, "$slow/sleep";
like run_program(['sh', "$slow/show"])->{out},
	qr{\A  20 s, 2 steps: CC lib/two\.c\n  40 s, 2 steps: CC lib/two\.c\n},
	'a long build tells how far it is';

my $foreign = IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1',
	LocalPort => 0) or die "listen: $!";
# As a demo is named where root's home is closed.
my $link = "$folder/closed/demo";
mkdir "$folder/closed", 0700 or die "$folder/closed: $!";
symlink $demo, $link or die "$link: $!";
$done = quickstart('--stop', '--instance', $link);
is $done->{exit}, 0, 'it stops, by a link in a folder that others may not enter';
ok !listens($second), 'nothing listens any more';
ok !-d "/proc/$runner" && !runner(), 'and the runner has ended';
is quickstart('--stop', '--instance', $demo)->{exit}, 0,
	'stopping what has stopped is no error';

one_line(quickstart('--instance', $demo, '--port', $foreign->sockport,
	'--detach'), qr/--port/, 'a port in use');
one_line(quickstart('--port', 'x'), qr/--port/, 'no port');
one_line(quickstart('--stop', '--instance', "$folder/nothing"), qr/no demo/,
	'no demo');
SKIP: {
	skip 'only root can make a folder that its other users cannot enter', 7 if $> != 0;
	my $closed = File::Temp->newdir;
	one_line(quickstart('--instance', "$closed/demo", '--detach'),
		qr/--instance/, 'a closed folder');
	my $theirs = File::Temp->newdir('galley-XXXXXX', TMPDIR => 1);
	chmod 0755, "$theirs";
	chown + (getpwnam 'www-data')[2, 3], "$theirs";
	one_line(quickstart('--instance', "$theirs/demo", '--detach'),
		qr/belongs to www-data.*root writes nothing there/, 'a folder of another user');
	ok !-e "$theirs/demo", 'and nothing is made';
}

# In the foreground, Ctrl-C ends it.
my $pid = open my $out, '-|' // die "fork: $!";
if (!$pid) {
	$ENV{MAKEFLAGS} = make_flags();
	# A suite that runs in the background ignores Ctrl-C, and a shell cannot undo that.
	$SIG{INT} = 'DEFAULT';
	exec Galley::top() . '/quickstart', '--instance', $demo, '--port', $first;
}
while (my $line = <$out>) {
	last if $line =~ /Ctrl-C/;
}
ok listens($first), 'in the foreground it serves';
kill INT => $pid;
my $rest = join '', <$out>;
close $out;
is $?, 0, 'Ctrl-C ends it well';
like $rest, qr/Stopped/, 'and it says so';
ok !listens($first), 'nothing listens after Ctrl-C';
ok !runner(), 'and no runner runs';

done_testing;

END {
	if ($demo && -d "$demo/run") {
		local $?;
		quickstart('--stop', '--instance', $demo);
	}
}
