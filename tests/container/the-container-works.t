# Proves that what `make container` filled works as a container does, where no manager of containers
# runs: as an ordinary user, with a root that is read-only and a network of its own. It makes an instance
# in an empty volume, answers on port 8080, is started again, upgrades a volume of an older release,
# refuses what it must, and ends in time (make check-container).
use strict;
use warnings;

use lib 'tests/lib';
use Galley;
use Galley::Process qw(run_program);
use File::Temp ();
use JobRun;
use POSIX ();
use Test::More;
use Time::HiRes ();

my $root = Galley::build() . '/container/root';
plan skip_all => 'only root enters a root' if $> != 0;
plan skip_all => 'there is no root: make container, where neither podman nor buildah runs' if !-x "$root/usr/lib/galley/container/start.sh";
$root = Galley::top() . "/$root" if $root !~ m{^/};

my $scratch = File::Temp->newdir('galley-XXXXXX', TMPDIR => 1);
chmod 0755, $scratch;
my $said = "$scratch/said";
my @settings = (GALLEY_PUBLIC_URL => 'http://127.0.0.1:8080', GALLEY_REQUIRE_HTTPS => 'off');

# None outlives the test.
my %begun;
END {
	my $status = $?;
	for my $pid (grep { kill 0 => $_ } keys %begun) {
		my $first = first($pid);
		kill KILL => grep { defined } $first, $pid;
	}
	$? = $status;
}

sub volume {
	my ($name) = @_;
	mkdir "$scratch/$name" or die $!;
	chown 10001, 10001, "$scratch/$name";
	return "$scratch/$name";
}

# Starts the container in the background. Returns the process outside, and the one that is 1 inside.
sub begin {
	my ($words, %env) = @_;
	my $pid = fork // die "fork: $!";
	$begun{$pid} = 1;
	if ($pid == 0) {
		%begun = ();
		%ENV = (PATH => $ENV{PATH}, NETWORK => 'own', %env);
		open STDIN, '<', '/dev/null';
		open STDOUT, '>', $said or POSIX::_exit(1);
		open STDERR, '>&', \*STDOUT;
		exec 'sh', "container/enter.sh", $root, @$words or POSIX::_exit(127);
	}
	return $pid;
}

sub first {
	my ($pid) = @_;
	my ($child) = split ' ', eval { Galley::slurp("/proc/$pid/task/$pid/children") } // '';
	return $child;
}

# Waits for the container's end, and returns its exit status.
sub ends {
	my ($pid, $seconds) = @_;
	my $first = first($pid);
	my $status = JobRun::ended($pid, $seconds);
	kill KILL => $first if !defined $status && defined $first;
	return defined $status ? $status >> 8 : undef;
}

# Runs a command in the running container, as its user, as `podman exec` does.
sub inside {
	my ($pid, @words) = @_;
	return run_program(['nsenter', '-t', first($pid), qw(-m -p -n -r -w -S 10001 -G 10001 --), @words],
		env => { PATH => '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }, seconds => 120);
}

sub status {
	my ($pid, $path, @words) = @_;
	return run_program(['nsenter', '-t', first($pid) // 0, '-n', 'curl', '-s', '-o', "$scratch/answer", '-w', '%{http_code}',
		@words, "http://127.0.0.1:8080$path"], seconds => 60)->{out};
}

# Waits until it answers; without a key that is 401, or over http 403.
sub serves {
	my ($name, $pid, $status) = @_;
	$status //= '401';
	my $gone = sub { (eval { Galley::slurp("/proc/$pid/stat") } // ') Z') =~ /\) Z/ };
	ok JobRun::wait_until(120, sub { $gone->() || first($pid) && status($pid, '/docs/') eq '200' && status($pid, '/api/v1/connection') eq $status }) && !$gone->(), $name
		or diag Galley::slurp($said);
}

# SIGTERM to process 1, as a manager sends it.
sub stops {
	my ($name, $pid) = @_;
	my $began = Time::HiRes::time();
	kill TERM => first($pid);
	is ends($pid, 60), 0, "$name: SIGTERM ends it well" or diag Galley::slurp($said);
	cmp_ok Time::HiRes::time() - $began, '<', 10, "$name: within ten seconds";
}

sub refused {
	my ($name, $says, $words, %env) = @_;
	my $pid = begin($words, %env);
	is ends($pid, 60), 1, "$name: it ends";
	my $text = Galley::slurp($said);
	like $text, $says, "$name: and says why";
	is scalar(() = $text =~ /\n/g), 1, "$name: in one sentence" or diag $text;
}

refused('no volume', qr/There is no volume at \/srv\/galley/, [], @settings);
my $home = volume('data');
refused('a volume that is read-only', qr/cannot be written by the user 10001/, [$home, '-o', 'ro'], @settings);
refused('programs may not run in it', qr/\(noexec\)/, [$home, '-o', 'noexec'], @settings);
refused('no address', qr/GALLEY_PUBLIC_URL is missing/, [$home]);
refused('a setting that is none', qr/GALLEY_TRUSTED_PROXIES takes addresses/, [$home], @settings, GALLEY_TRUSTED_PROXIES => "10.0.0.1\nprovider = /bin/sh");
ok !-e "$home/db", 'nothing was made';
my $other = volume('other');
Galley::spew("$other/mine", "mine\n");
refused('a volume of something else', qr/is not empty, and holds no instance/, [$other], @settings);
my $theirs = volume('theirs');
chown 0, 0, $theirs;
refused("a volume of root", qr/cannot be written by the user 10001/, [$theirs], @settings);

# ---- the first start

my $pid = begin([$home], @settings, GALLEY_TRUSTED_PROXIES => '10.0.0.1', GALLEY_PUBLC_URL => 'x');
serves('an empty volume becomes an instance, which answers', $pid);
like Galley::slurp("/proc/@{[first($pid)]}/status"), qr/^Uid:\s+10001\s+10001\s+10001.*^CapEff:\s+0+\n.*^NoNewPrivs:\s+1/ms, 'process 1 is an ordinary user, without a right';
like Galley::slurp("/proc/@{[first($pid)]}/cmdline"), qr{^/srv/galley/bin/galley-serve\0}, 'and is galley-serve';
is run_program(['sh', '-c', 'tr "\0" "\n" </proc/' . first($pid) . '/environ'])->{out} =~ s/^PATH=.*\n//mr, '', 'without the environment';
isnt inside($pid, 'touch', '/usr/lib/galley/x')->{exit}, 0, 'the root is read-only';
is_deeply [map { inside($pid, 'sh', '-c', "touch $_/x && rm $_/x")->{exit} } '/tmp', '/run'], [0, 0], '/tmp and /run are not';
my $conf = Galley::slurp("$home/galley.conf");
like $conf, qr/^\Q$_\E$/m, "galley.conf has $_" for 'public_url = http://127.0.0.1:8080', 'require_https = off', 'trusted_proxies = 10.0.0.1';
my $done = inside($pid, qw(galley person create dana@example.com --name Dana --operator));
is $done->{exit}, 0, 'the tool makes the first person' or diag explain $done;
my ($invite) = inside($pid, qw(galley person invite dana@example.com))->{out} =~ m{https?://127\.0\.0\.1:8080(/console/invite/\S+)};
ok defined $invite, 'and a link for her';
is status($pid, $invite), 200, 'which opens';
inside($pid, qw(galley account create Example --verified));
inside($pid, qw(galley workspace create Blog --account Example --language en));
my ($key) = inside($pid, qw(galley key create --workspace Blog --scope articles:read))->{out} =~ /\b(ab_live_\w{38})\b/;
inside($pid, 'sh', '-c', 'mkdir -p /tmp/posts && printf "# One\n\nText.\n" >/tmp/posts/one.md && galley article import --workspace Blog --publish /tmp/posts');
is status($pid, '/api/v1/articles', '-H', "Authorization: Bearer $key"), 200, 'a key is answered';
like Galley::slurp("$scratch/answer"), qr/"title":"One"/, 'with the article';
is status($pid, "/$_"), 404, "$_ is not served" for qw(galley.conf db/galley.db bin/galley container.lock);
is status($pid, '/api/v1/articles?secret=ab_share_2222222222'), 401, 'an address that is a secret';
is status($pid, '/api/v1/articles?later=1'), 401, 'and one that is none';
ok JobRun::wait_until(30, sub { Galley::slurp($said) =~ /later=1/ }), 'lines of the logs are on standard output';
my $text = Galley::slurp($said);
unlike $text, qr/ab_(?:share|invite|code|live)_\w/, 'but no key, no code and no address that is a secret';
like $text, qr/^galley: No setting is called GALLEY_PUBLC_URL$/m, 'what is typed wrong is named';
like $text, qr/^galley: \Q$_\E$/m, "and what is in force: $_" for 'require_https = off', 'trusted_proxies = 10.0.0.1';
my $health = inside($pid, '/usr/lib/galley/container/start.sh', 'health');
is $health->{exit}, 0, 'it is well' or diag explain $health;
like $health->{out}, qr/^GALLEY (?:OK|WARNING)/, 'as galley doctor --brief says';
refused('two containers', qr/Another container serves this volume/, [$home], @settings);
# Somebody who sends half a request does not hold it up.
my $slow = fork // die;
if ($slow == 0) {
	open STDIN, '<', '/dev/null';
	no warnings 'exec';
	exec 'nsenter', '-t', first($pid), '-n', $^X, '-MIO::Socket::INET', '-e',
		'my $s = IO::Socket::INET->new("127.0.0.1:8080"); print $s "POST /api/v1/generate HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"; $s->flush; sleep 60';
	POSIX::_exit(127);
}
ok JobRun::wait_until(30, sub { inside($pid, 'sh', '-c', 'grep -l /cgi-bin/[g]enerate /proc/[0-9]*/cmdline')->{out} ne '' }), 'half a request';
stops('with half a request', $pid);
kill KILL => $slow;
waitpid $slow, 0;

# ---- later starts

my $db = (stat "$home/bin/galley")[9];
refused('a later start without an address', qr/GALLEY_PUBLIC_URL is missing/, [$home]);
$pid = begin([$home], GALLEY_PUBLIC_URL => 'http://127.0.0.1:8080', GALLEY_TRUSTED_PROXIES => '');
serves('the same volume is served again, without a setting', $pid, '403');
is status($pid, '/api/v1/articles', '-H', "Authorization: Bearer $key"), 403, 'require_https is what it is without one';
like Galley::slurp("$home/galley.conf"), qr/^trusted_proxies = ?$/m, 'and so is one that is empty';
like Galley::slurp($said), qr/^galley: require_https = on +# the default$/m, 'which is said';
is((stat "$home/bin/galley")[9], $db, 'and its programs are what they were');
my ($nginx) = inside($pid, 'cat', '/run/galley/nginx.pid')->{out} =~ /(\d+)/;
inside($pid, 'sh', '-c', "kill -9 $nginx");
is ends($pid, 30), 1, 'when nginx dies, the container ends, so that it is started again';

# A first start that was killed after it had made the database's file.
my $half = volume('half');
run_program(['sh', '-euc', "cd $home && cp -a bin cgi-bin htdocs apache-conf nginx share galley.conf container.lock $half && cd $half &&"
	. " mkdir -m 700 db run log good people stats && cp -p $home/db/pepper db && : >db/galley.db && chmod 600 db/galley.db && chown -R 10001:10001 ."]);
$pid = begin([$half], @settings);
serves('a first start that was killed is finished', $pid);
stops('it', $pid);

# The volume of another release: its programs are these, under another number.
sub numbered {
	my ($from, $to) = @_;
	my $bytes = Galley::slurp("$home/bin/galley");
	$bytes =~ s/\Q$from\E/$to/g;
	Galley::spew("$home/bin/galley", $bytes);
}
my ($number) = Galley::slurp('VERSION') =~ /(\S+)/;
my $older = $number =~ s/^(\d+)\.(\d)(\d)\./$1.0$2./r;
my $newer = $number =~ s/^(\d+)\.(\d)(\d)\./$1.9$2./r;
$_ = substr "$_-xxxxxxxx", 0, length $number for $older, $newer;
numbered($number, $newer);
refused('a volume of a later release', qr/is of a later release, \Q@{[$newer =~ s{-}{~}r]}\E, and this image is/, [$home], @settings);
ok !-e "$home/upgrading", 'which is not touched';
numbered($newer, $older);

# An upgrade that fails.
chmod 0, "$home/db/pepper";
$pid = begin([$home], @settings);
serves('where the upgrade fails, the old release runs on', $pid);
like Galley::slurp($said), qr/The upgrade from .* failed: No backup that is whole could be made.*Nothing was changed/, 'and it is said';
stops('the old release', $pid);
chmod 0600, "$home/db/pepper";
# One that is stopped while it makes its backup, which takes long.
run_program(['sh', '-euc', "cd $home/bin && mv galley galley.real && cat >galley && chmod 755 galley && chown 10001:10001 galley"], input => <<'END');
#!/bin/sh
[ "$1" != backup ] || { : >/srv/galley/run/slow; sleep 120; }
exec /srv/galley/bin/galley.real "$@"
END
$pid = begin([$home], @settings);
ok JobRun::wait_until(60, sub { -e "$home/run/slow" }), 'an upgrade that takes long';
$health = inside($pid, '/usr/lib/galley/container/start.sh', 'health');
is $health->{exit}, 0, 'does no harm to the health' or diag explain $health;
like $health->{out}, qr/^GALLEY UPGRADING/, 'which says what is under way';
my $late = inside($pid, qw(galley account create Late));
is $late->{exit}, 1, 'a command refuses';
like $late->{err}, qr/upgrading: an upgrade is under way, or was interrupted; .*the next start of a container/, 'and says why';
stops('in an upgrade', $pid);
ok -e "$home/upgrading", 'its mark stays for the next start';
rename "$home/bin/galley.real", "$home/bin/galley" or die $!;
# One that is interrupted.
run_program(['sh', '-c', "cd $home && cp -a db db.was && mkdir -p previous && cp -a bin cgi-bin previous/ && mkdir -p db/before-upgrade/db"
	. ' && cp -p db/galley.db db/before-upgrade/db/ && echo changing >upgrading && rm -rf db.was && rm bin/task-runner && chown -R 10001:10001 .']);
$pid = begin([$home], @settings);
serves('an older volume is upgraded, also after one that was interrupted', $pid);
like Galley::slurp($said), qr/interrupted was taken back.*was upgraded from \Q@{[$older =~ s{-}{~}r]}\E to galley \Q$number\E/s, 'and it is said';
is status($pid, '/api/v1/articles', '-H', "Authorization: Bearer $key"), 200, 'with its data';
is inside($pid, 'galley', '--version')->{out} =~ /galley \Q$number\E:/, 1, 'the new programs';
ok !-e "$home/upgrading", 'and no mark';
stops('the new release', $pid);

diag "the container's files: ", run_program(['du', '-sxm', $root])->{out} =~ /^(\d+)/, ' MB, an instance: ', run_program(['du', '-sxm', $home])->{out} =~ /^(\d+)/, ' MB';
done_testing;
