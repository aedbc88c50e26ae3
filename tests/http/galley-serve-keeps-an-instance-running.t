# Proves that galley-serve alone keeps an instance running: sockets that only the web server may
# use, a program's processes with its first request, jobs each minute, an end that loses no request,
# and no process that outlives it.
# suite: fast
use strict;
use warnings;

use lib 'tests/lib';
use Galley;
use Galley::FastCGI;
use Galley::Process qw(run_program);
use Galley::Request;
use IO::Socket::UNIX;
use JobRun;
use Test::More;

my $galley = Galley->new(build => 'test');
my ($home, $programs) = ($galley->home, $galley->programs);
my $serve = "$programs/bin/galley-serve";
my $key = $galley->key($galley->workspace);
my ($uid, $gid) = $galley->owner_ids;
# As tmpfiles makes it: the folder's group is the web server's.
my $web = $> == 0 ? getgrnam 'daemon' : $gid;
my $sockets = $galley->scratch . '/sockets';
mkdir $sockets;
chown $uid, $web, $sockets;
chmod 02750, $sockets;

my $seen = "$home/run/runner.seen";

# Starts it, and returns its process.
sub begin {
	my (%env) = @_;
	my @words = @{ delete $env{words} // [] };
	unlink $seen;
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		%ENV = (PATH => '/usr/bin:/bin', map { ($_ => $ENV{$_}) } grep { /^(?:ASAN|GALLEY_CLUSTER)/ } keys %ENV);
		$ENV{$_} = $env{$_} for keys %env;
		open STDERR, '>', "$sockets.err";
		open STDOUT, '>', "$sockets.out";
		exec $serve, '--sockets', $sockets, '--processes', 2, @words or POSIX::_exit(127);
	}
	# It listens before it starts the job runner.
	JobRun::wait_until(30, sub { -s $seen }) or die 'it does not begin';
	return $pid;
}

# Returns the processes of a program of this instance: {PID => its parent}.
sub processes {
	my ($program) = @_;
	my %is;
	for my $pid (map { m{(\d+)$} } glob '/proc/[0-9]*') {
		my $words = eval { Galley::slurp("/proc/$pid/cmdline") } // next;
		next if $words !~ m{^\Q$programs\E/(?:cgi-bin|bin)/\Q$program\E\0};
		($is{$pid}) = (eval { Galley::slurp("/proc/$pid/stat") } // next) =~ /\) \S (\d+)/;
	}
	return \%is;
}

my $pid = begin(GALLEY_SERVE_MINUTE_MS => 300);
my @made = map { s{.*/}{}r =~ s/\.socket\z//r } sort glob "$sockets/*";
is "@made", join(' ', map { s{.*/}{}r } sort grep { -x && -f } glob "$programs/cgi-bin/*"),
	'there is a socket for each program';
is_deeply [map { [sprintf('%o', $_->[2] & 07777), @$_[4, 5]] } [stat "$sockets/articles.socket"]],
	[['660', $uid, $web]], 'which the owner and the web server may use, and nobody else';
is_deeply [map { %{ processes($_) } } @made], [], 'no program was started';

unlink $seen;
ok JobRun::wait_until(30, sub { -s $seen }), 'jobs are looked for at once, and again a minute later';

my $server = $galley->serve(fcgi => 'proxy', sockets => $sockets);
is $server->get('/articles', key => $key)->{status}, 200, 'a first request is answered';
my $of = processes('articles');
is scalar(grep { $_ == $pid } values %$of), 1, 'by a pool of its program';
ok JobRun::wait_until(30, sub { keys %{ processes('articles') } == 3 }), 'with two processes';
is_deeply processes('connection'), {}, 'other programs still have none';

my $second = run_program([$serve, '--sockets', $sockets]);
is_deeply [$second->{exit}, $second->{err}],
	[1, "galley-serve: Process $pid serves this instance already.\n"],
	'a second one finds the lock, and ends' or diag explain $second;

# What upgrade.sh waits for: all that runs from the instance's folders, by whatever path, but nothing else.
sub closed {
	my ($words) = @_;
	my $done = run_program(['sh', '-euc', ". release/closed.sh; $words"], seconds => 20);
	is $done->{err}, '', 'closed.sh has nothing to complain of';
	return $done->{out};
}
my $scratch = $galley->scratch;
symlink $programs, "$scratch/link";
mkdir "$scratch/bin";
my $sleep = Galley::slurp('/bin/sleep');
for my $path ("$scratch/bin/galley-fetch", "$programs/bin/old") {
	Galley::spew($path, $sleep);
	chmod 0755, $path;
}
my @sleeps = map { my $path = $_; my $child = fork // die "fork: $!"; if ($child == 0) { exec $path, 60 or POSIX::_exit(127) } $child }
	"$scratch/bin/galley-fetch", "$scratch/link/bin/old";
JobRun::wait_until(30, sub { readlink("/proc/$sleeps[1]/exe") =~ /old/ && readlink("/proc/$sleeps[0]/exe") =~ /fetch/ }) or die;
my %runs = map { split } split /^/, closed("processes_of $scratch/link");
is $runs{$pid}, 'galley-serve', 'closed.sh finds galley-serve by another path';
is_deeply [map { $runs{$_} } keys %$of], [('articles') x 3], 'and the processes of a program';
is $runs{$sleeps[1]}, 'old', 'and any other one';
is $runs{$sleeps[0]}, undef, 'but not what has only the name of one';
like closed("await_end $programs 0"), qr/\bgalley-serve \(process $pid\)/, 'and names them in a sentence';
kill KILL => @sleeps;
waitpid $_, 0 for @sleeps;
unlink "$programs/bin/old";

my ($pool) = grep { $of->{$_} == $pid } keys %$of;
kill KILL => $pool;
ok JobRun::wait_until(30, sub { !-e "/proc/$pool" }), 'a pool that was killed is waited for';
is $server->get('/articles', key => $key)->{status}, 200, 'and replaced with the next request';

# An order whose body comes slowly, when everything must end.
my (undef, $env) = Galley::Request::request_env('POST', '/generate', key => $key, body => '{"x":1}');
my $peer = IO::Socket::UNIX->new(Type => Socket::SOCK_STREAM(), Peer => "$sockets/generate.socket")
	or die "generate.socket: $!";
syswrite $peer, Galley::FastCGI::record(1, pack 'nCx5', 1, 0)
	. Galley::FastCGI::record(4, Galley::FastCGI::params($env)) . Galley::FastCGI::record(4, '');
# Of the two workers one holds the connection: a socket more than the other.
ok JobRun::wait_until(30, sub {
	my $found = processes('generate');
	my @sockets = sort { $a <=> $b } map { my $worker = $_; scalar grep { (readlink // '') =~ /^socket:/ } glob "/proc/$worker/fd/*" }
		grep { $found->{$_} != $pid } keys %$found;
	return @sockets == 2 && $sockets[0] < $sockets[1];
}), 'an order begins';
kill TERM => $pid;
ok JobRun::wait_until(30, sub { !-e "$sockets/generate.socket" }), 'SIGTERM: nobody listens any more';
is waitpid($pid, POSIX::WNOHANG()), 0, 'it waits for the request';
syswrite $peer, Galley::FastCGI::record(5, '{"x":1}') . Galley::FastCGI::record(5, '');
my $answer = '';
1 while sysread $peer, $answer, 65536, length $answer;
like $answer, qr/Status: 4\d\d .*"code":/s, 'which is answered';
is JobRun::ended($pid, 60), 0, 'then it ends';
is_deeply [map { %{ processes($_) } } @made, 'job-runner', 'task-runner'], [], 'and with it everything';
is $server->get('/articles', key => $key)->{status}, 503, 'the web server says so';
is Galley::slurp("$sockets.err"), '', 'nothing was complained of';

# It is killed, and leaves its sockets.
$pid = begin();
is $server->get('/articles', key => $key)->{status}, 200, 'it is started again';
kill KILL => $pid;
waitpid $pid, 0;
ok -S "$sockets/articles.socket", 'killed, it leaves its sockets';
ok JobRun::wait_until(30, sub { !%{ processes('articles') } }), 'but no process';
$pid = begin();
is $server->get('/articles', key => $key)->{status}, 200, 'which do not stop the next one';
kill TERM => $pid;
is JobRun::ended($pid, 60), 0, 'it ends';

# SIGTERM reaches a process that has not become its program yet.
$pid = begin(GALLEY_FAULT => 'becomes-a-program:1:sleep=1500');
my $first = IO::Socket::UNIX->new(Type => Socket::SOCK_STREAM(), Peer => "$sockets/articles.socket")
	or die "articles.socket: $!";
ok JobRun::wait_until(30, sub { grep { $_ == $pid } values %{ processes('galley-serve') } }), 'a process begins';
kill TERM => $pid;
is JobRun::ended($pid, 20), 0, 'and is ended with all others';

# A command beside it, as a container has its web server: it is told first, while programs still answer.
my $command = $galley->scratch . '/command';
Galley::spew("$command.sh", <<"END");
trap '[ ! -S $sockets/articles.socket ] || echo programs answer; exit 0' TERM
echo begun
while :; do sleep 0.1; done
END
$pid = begin(words => ['--with', "sh $command.sh"]);
ok JobRun::wait_until(30, sub { Galley::slurp("$sockets.out") eq "begun\n" }), 'a command runs beside it, and may print';
is $server->get('/articles', key => $key)->{status}, 200, 'programs answer';
kill TERM => $pid;
is JobRun::ended($pid, 60), 0, 'SIGTERM ends both';
is Galley::slurp("$sockets.out"), "begun\nprograms answer\n", 'the command first';
Galley::spew("$command.sh", "while [ ! -e $command.end ]; do sleep 0.1; done\n");
$pid = begin(words => ['--with', "sh $command.sh"]);
Galley::spew("$command.end", '');
is JobRun::ended($pid, 60), 256, 'when the command ends, everything does';
like Galley::slurp("$sockets.err"), qr/command\.sh has ended, and so does all else/, 'and it says so';
Galley::spew("$command.sh", "trap '' TERM\necho begun\nwhile :; do sleep 0.1; done\n");
$pid = begin(words => ['--with', "sh $command.sh"]);
ok JobRun::wait_until(30, sub { Galley::slurp("$sockets.out") eq "begun\n" }), 'a command that does not hear';
kill TERM => $pid;
is JobRun::ended($pid, 60), 0, 'is killed';

# What is wrong is named.
Galley::spew("$programs/upgrading", "changing\n");
for my $words ([$serve, '--sockets', $sockets], ["$programs/bin/job-runner"], ["$programs/bin/task-runner", '--once'],
	map { ["$programs/bin/galley", split] } 'workspace list', 'config set require_https=off', 'fix') {
	my $done = run_program($words, env => { GALLEY_UPGRADE => '/srv/other/upgrading' });
	ok $done->{exit} == 1 && $done->{err} =~ m{/upgrading: an upgrade is under way, or was interrupted; as root, galley-instance upgrade instance goes on with it},
		"during an upgrade: @$words" =~ s{/\S*/}{}gr or diag explain $done;
}
ok !-S "$sockets/jobs.socket" || !IO::Socket::UNIX->new(Peer => "$sockets/jobs.socket"), 'nothing listens';
is run_program(["$programs/bin/galley", qw(workspace list)], env => { GALLEY_UPGRADE => "$programs/upgrading" })->{exit}, 0,
	'but its own commands do what they must';
my $asked = run_program(["$programs/bin/galley", 'doctor'], env => { GALLEY_UPGRADE => "$programs/upgrading" })->{out};
ok $asked =~ /^\w+ +database /m && $asked !~ /^\w+ +api /m, 'and its doctor does not wait for the web server' or diag $asked;
unlink "$programs/upgrading";
my $other = IO::Socket::UNIX->new(Type => Socket::SOCK_STREAM(), Local => "$sockets/sync.socket",
	Listen => 1) or die "sync.socket: $!";
chown $uid, $gid, "$sockets/sync.socket";
like run_program([$serve, '--sockets', $sockets])->{err}, qr{sync\.socket: another process listens there},
	'it takes no socket of another process';
ok -S "$sockets/sync.socket", 'which keeps it';
my $done = run_program([$serve]);
like $done->{err}, qr{^galley-serve: /run/galley/instance/\S+\.socket: No such file}, 'a folder that is missing is named';
$done = run_program([$serve, '--sockets', '/tmp/' . 'x' x 100]);
like $done->{err}, qr/too long for a socket/, 'as is one that is too long';
is run_program([$serve, '--sockets'])->{exit}, 2, 'a word that is missing';

done_testing;
