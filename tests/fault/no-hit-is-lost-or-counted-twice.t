#!/usr/bin/perl
# 32 clients send 20,000 hits (docs/pages.md §9) while collectors and the task runner are killed, by
# chance and at every fault point. Proves that each hit that was acknowledged (204) is counted exactly
# once, and each other one at most once; so are its visitors.
#
# GALLEY_HITS says how many hits. With GALLEY_HITS_APACHE=1 Apache takes them, with FastCGI, and is
# stopped and started again, too (make check-hits: 1,000,000). It prints what it takes.
use strict;
use warnings;

use IO::Socket::UNIX;
use POSIX ();
use Socket qw(SOCK_STREAM);
use Test::More;
use Time::HiRes qw(sleep time);

use lib 'tests/lib';
use Galley;
use Galley::FastCGI;
use Galley::Hits;
use Galley::JSON ();
use Galley::Process qw(become run_program);
use Galley::Request qw(split_answer);

use constant { CLIENTS => 32, COLLECTORS => 4, WORKSPACES => 20, LABELS => 20_000 };

my $count = $ENV{GALLEY_HITS} // 20_000;
my $apache = $ENV{GALLEY_HITS_APACHE};
my $ORIGIN = 'https://www.site.example';
my $galley = Galley->new(build => 'test', conf => { require_https => 'off', collect_per_minute => 0,
	public_url => 'https://galley.example' });
my $hits = Galley::Hits->new($galley);
my $folder = $galley->folder_of_owner('hits');
my $json = Galley::JSON->new->utf8->canonical;
my $account = $galley->account;
my (@workspaces, @sites);
for my $n (1 .. WORKSPACES) {
	push @workspaces, $galley->workspace(name => "Shop $n", account => $account,
		analytics_enabled => 'true', analytics_origins => $ORIGIN);
	push @sites, $galley->sql("SELECT analytics_site_id AS site FROM workspace"
		. " WHERE uuid = '$workspaces[-1]'")->[0]{site};
}
# The first run of the task runner writes the list of sites.
$hits->count;

# ---- one hit

# The n-th hit of all: its workspace, and a path that is its own among 20,000.
sub label { my ($n) = @_; return ($n % WORKSPACES, '/hit-' . int($n % LABELS / WORKSPACES)) }
sub body_of {
	my ($n) = @_;
	my ($workspace, $path) = label($n);
	return $json->encode({ site_id => $sites[$workspace], path => $path,
		consent => JSON::PP::true() });
}
sub env_of {
	my ($client, $body) = @_;
	return { GATEWAY_INTERFACE => 'CGI/1.1', SERVER_PROTOCOL => 'HTTP/1.1', REQUEST_METHOD => 'POST',
		SCRIPT_NAME => '/collect', PATH_INFO => '', QUERY_STRING => '', REQUEST_URI => '/collect',
		HTTP_HOST => 'galley.example', SERVER_NAME => 'galley.example', SERVER_PORT => 443,
		HTTPS => 'on', REMOTE_ADDR => "192.0.2.$client", HTTP_ORIGIN => $ORIGIN,
		HTTP_USER_AGENT => 'Mozilla/5.0 Firefox/140.0', HTTP_ACCEPT_LANGUAGE => 'de',
		CONTENT_TYPE => 'text/plain', CONTENT_LENGTH => length $body };
}

# ---- every fault point of a collector that answers once

my $collect = $galley->programs . '/cgi-bin/collect';
sub once {
	my ($n, %env) = @_;
	my $body = body_of($n);
	return run_program([$collect], input => $body, env => { %{ env_of(1, $body) }, %env },
		as => [$galley->owner_ids]);
}
is(split_answer(once(0))->{status}, 204, 'a hit is taken');
my %lost = ('hit-opened' => 0, 'hit-locked' => 0, 'hit-write' => 0, 'hit-written' => 1);
my $wanted = 1;
for my $point (sort keys %lost) {
	is(once(0, GALLEY_FAULT => "$point:1:kill")->{signal}, 9, "a collector is killed at $point");
	$wanted += $lost{$point};
	is(split_answer(once(0))->{status}, 204, '    and the next one goes on');
	$wanted++;
}
for my $fault (qw(ENOSPC EIO)) {
	my $answer = split_answer(once(0, GALLEY_FAULT => "hit-write:1:$fault"));
	is($answer->{status}, 503, "$fault: nothing is acknowledged");
	unlike(Galley::slurp($galley->home . '/run/hits/open'), qr/[^\n]\z/, '    and nothing is left of it');
}
is(split_answer(once(0))->{status}, 204, 'the next hit is');
$wanted++;
$hits->count;
is($hits->sum('views'), $wanted, 'each of them is counted once');

# ---- many clients

# Collectors that last: as many processes on one socket, each of which is killed by chance.
my $listen;
my $path = "$folder/collect.socket";
if (!$apache) {
	$listen = IO::Socket::UNIX->new(Type => SOCK_STREAM, Local => $path, Listen => 512) or die "$path: $!";
	chmod 0777, $path;
}
sub begin_collector {
	my $pid = fork // die "fork: $!";
	return $pid if $pid;
	become($galley->owner_ids) if $> == 0;
	POSIX::dup2(fileno $listen, 0);
	POSIX::close($_) for 3 .. 40;
	%ENV = (PATH => '/usr/bin:/bin', GALLEY_FAULT => 'any:1500:kill');
	exec({ $collect } $collect) or POSIX::_exit(127);
}

# Returns the status of the answer, or undef if none came.
sub send_hit {
	my ($client, $n) = @_;
	my $body = body_of($n);
	my $params = Galley::FastCGI::params(env_of($client, $body));
	my $peer = IO::Socket::UNIX->new(Type => SOCK_STREAM, Peer => $path) or return undef;
	print $peer Galley::FastCGI::record(1, pack 'nCx5', 1, 0), Galley::FastCGI::record(4, $params),
		Galley::FastCGI::record(4, ''), Galley::FastCGI::record(5, $body),
		Galley::FastCGI::record(5, '');
	$peer->flush;
	my ($out, $ended) = ('', 0);
	while (!$ended && (read($peer, my $head, 8) // 0) == 8) {
		my (undef, $type, undef, $length, $padding) = unpack 'CCnnC', $head;
		my $content = '';
		last if $length + $padding && (read($peer, $content, $length + $padding) // 0) < $length + $padding;
		$out .= substr $content, 0, $length if $type == 6;
		$ended = $type == 3;
	}
	return $ended && $out =~ /^Status: (\d+)/ ? $1 : undef;
}
# Processes of the web server and of its collectors.
my $server;
sub children { return split / /, eval { Galley::slurp("/proc/$_[0]/task/$_[0]/children") } // '' }
sub behind_apache {
	my ($apache) = map { /^(\d+)/ } eval { Galley::slurp($galley->home . '/run/apache/httpd.pid') } // '';
	return (children($server->{pools}->pids->{collect}), $apache ? children($apache) : ());
}
sub send_over_http {
	my ($client, $n) = @_;
	my $body = body_of($n);
	my $answer = eval { $server->fetch('POST', '/collect', body => $body, headers => {
		Origin => $ORIGIN, 'User-Agent' => 'Mozilla/5.0 Firefox/140.0', 'Accept-Language' => 'de',
		'Content-Type' => 'text/plain', 'X-Forwarded-Proto' => 'https' }) };
	return $answer && $answer->{status};
}

# A client sends each CLIENTS-th hit, and writes what became of them: the numbers of those that were
# acknowledged, and of those that nothing is known of.
sub begin_client {
	my ($client) = @_;
	my $pid = fork // die "fork: $!";
	return $pid if $pid;
	local $SIG{PIPE} = 'IGNORE';
	my (@taken, @unknown, @refused);
	for (my $n = $client - 1; $n < $count; $n += CLIENTS) {
		my $status = $apache ? send_over_http($client, $n) : send_hit($client, $n);
		push @{ !defined $status || $status >= 500 ? \@unknown : $status == 204 ? \@taken : \@refused }, $n;
	}
	Galley::spew("$folder/client-$client", join "\n", map { join ' ', @$_ } \@taken, \@unknown, \@refused);
	POSIX::_exit(0);
}

my $began = time;
$server = $galley->serve(fcgi => 'proxy') if $apache;
my %collectors = $apache ? () : map { begin_collector() => 1 } 1 .. COLLECTORS;
my %clients = map { begin_client($_) => 1 } 1 .. CLIENTS;
my ($runner, $runners, %kills) = (undef, 0);
my $next = time;
while (%clients) {
	while ((my $pid = waitpid(-1, POSIX::WNOHANG())) > 0) {
		my $signal = $? & 127;
		delete $clients{$pid};
		if (delete $collectors{$pid}) {
			$kills{collector}++ if $signal == 9;
			$collectors{ begin_collector() } = 1;
		}
		if ($runner && $pid == $runner) {
			undef $runner;
			$kills{runner}++ if $signal == 9;
		}
	}
	if (!$runner) {
		$runners++;
		$runner = fork // die "fork: $!";
		if ($runner == 0) {
			become($galley->owner_ids) if $> == 0;
			# Every other one lives until the test kills it: on a busy machine none would count otherwise.
			%ENV = (PATH => '/usr/bin:/bin', HOME => '/', $runners % 2 ? (GALLEY_FAULT => 'any:100:kill') : ());
			open STDERR, '>', '/dev/null';
			my $program = $galley->programs . '/bin/task-runner';
			exec({ $program } $program, '--once') or POSIX::_exit(127);
		}
	}
	if (time > $next) {
		my @victims = ($apache ? behind_apache() : keys %collectors, $runner);
		kill KILL => $victims[rand @victims];
		$kills{'by the test'}++;
		$next = time + 0.05 + rand 0.2;
	}
	sleep 0.01;
}
my $took = time - $began;
kill KILL => $_ for keys %collectors, $runner // ();
waitpid $_, 0 for keys %collectors, $runner // ();
$server->stop if $server;
my $meanwhile = $hits->sum('views') - $wanted;
cmp_ok($meanwhile, '>', 0, 'hits are counted while others come and runners are killed');
my $at = time;
$hits->count for 1 .. 2;
diag sprintf '%d hits in %.1f s, %d counted meanwhile, %.1f s of counting after that; killed: %s', $count,
	$took, $meanwhile, time - $at,
	join ', ', map { "$_ $kills{$_}" } sort keys %kills;

# ---- what was counted

my (%taken, %unknown, $taken, $unknown, %pairs, %tried);
for my $client (1 .. CLIENTS) {
	my ($yes, $maybe, $no) = map { [split / /] } split /\n/, Galley::slurp("$folder/client-$client") . "\n\n ", 3;
	is_deeply([grep { /\d/ } @$no], [], 'no hit is refused') if grep { /\d/ } @$no;
	for my $n (@$yes) {
		$taken{$n % LABELS}++;
		$taken++;
		$pairs{"$client " . $n % WORKSPACES}++;
	}
	$unknown{$_ % LABELS}++, $unknown++ for grep { /\d/ } @$maybe;
	$tried{"$client " . $_ % WORKSPACES}++ for @$yes, @$maybe;
}
$unknown //= 0;
# Those of before are one label more.
$taken{0} += $wanted;
my %counted;
for my $row (@{ $hits->sql('SELECT w.workspace, v.label, sum(v.count) AS n FROM view v JOIN viewed w'
	. ' ON w.id = v.viewed_id WHERE v.kind = 3 GROUP BY w.workspace, v.label') }) {
	$counted{"$row->{workspace} $row->{label}"} = $row->{n};
}
my (@lost, @doubled);
for my $n (0 .. ($count < LABELS ? $count : LABELS) - 1) {
	my ($workspace, $label) = label($n);
	my $got = delete $counted{"$workspaces[$workspace] $label"} // 0;
	my ($least, $most) = ($taken{$n} // 0, ($taken{$n} // 0) + ($unknown{$n} // 0));
	push @lost, "$n: $got of $least" if $got < $least;
	push @doubled, "$n: $got of $most" if $got > $most;
}
is_deeply([@lost[0 .. ($#lost < 5 ? $#lost : 5)]], [], "each of $taken hits that were acknowledged is counted");
is_deeply([@doubled[0 .. ($#doubled < 5 ? $#doubled : 5)]], [], 'none is counted twice');
is_deeply(\%counted, {}, 'nothing else is counted');
cmp_ok($unknown, '<', $count / 4, "of $unknown nothing is known");
my $visitors = $hits->sum('visitors');
if (!$apache) {
	cmp_ok($visitors, '>=', keys %pairs, 'each visitor is counted');
	cmp_ok($visitors, '<=', keys(%tried) + 1, '    and once');
}
cmp_ok($kills{$_} // 0, '>', 0, "it was killed: $_") for $apache ? 'runner' : qw(collector runner);
is_deeply([grep { $_ ne 'refused' } $hits->files], [], 'no file of hits is left');
is_deeply($hits->sql('SELECT name FROM segment'), [], 'nor a name of one');
done_testing();
