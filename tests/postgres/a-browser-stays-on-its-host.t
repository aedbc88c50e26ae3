#!/usr/bin/perl
# Proves what examples/several-hosts/haproxy.cfg promises (docs/several-hosts.md §5): a browser of the
# console stays on one of two web hosts, by a cookie, and goes to the other one, signed in, when its
# host dies or is taken out; all else goes to any host; and what HAProxy answers itself is what a web host
# answers: JSON for the API, with the header fields of the contract, and pages for people.
#
# make check-postgres runs it, with the real HAProxy; without one it is left out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Console;
use Galley::HAProxy;
use Galley::JSON ();
use IO::Socket::INET ();
use POSIX ();
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};
plan skip_all => Galley::HAProxy::missing() if Galley::HAProxy::missing();

my $one = Galley->new(conf => { trusted_proxies => '127.0.0.1',
	require_https => 'on' });
my $workspace = $one->workspace;
my $key = $one->key($workspace);
$one->must(qw(workspace set), $workspace, 'pages=both');
my $two = $one->another_host;
my @servers = map { $_->[0]->serve(fcgi => 'proxy', processes => 2, extra => "Header always set X-Host $_->[1]\n") }
	[$one, 'web1'], [$two, 'web2'];
my $proxy = Galley::HAProxy->new(\@servers,
	change => sub { s/timeout (?:http-request|server) \K\d+s/2s/g == 2 or die });
my $url = 'https://127.0.0.1:' . $proxy->port;
$_->conf(public_url => $url) for $one, $two;

sub host { return $_[0]{headers}{'x-host'} // 'none' }
sub hosts { my %seen; $seen{ host($_[0]->()) }++ for 1 .. 12; return join ' ', sort keys %seen }

# ---- who goes where

is hosts(sub { $proxy->get('/connection', key => $key) }), 'web1 web2', 'the API is answered by both';
is hosts(sub { $proxy->fetch(GET => '/pages/both/') }), 'web1 web2', 'and so are pages';
is $proxy->get('/connection', key => $key)->{status}, 200, 'over https, as the hosts see it';
is hosts(sub { $proxy->fetch(GET => '/console/sign-in') }), 'web1 web2', 'a browser without a cookie gets any';
is $proxy->fetch(GET => '/consolex')->{headers}{'set-cookie'}, undef, 'what only begins like the console is none';

my $console = Galley::Console->of($one, $url);
my $dana = $console->person(name => 'Dana', role => 'operator');
my $browser = $console->as($dana, server => $proxy);
my $first = $browser->request(GET => '/');
is $first->status, 200, 'a person is signed in';
my $own = $browser->cookies->{GALLEY_HOST};
like $own, qr/^web[12]$/, 'and gets the cookie of a host';
like $first->{headers}{'set-cookie'}, qr/GALLEY_HOST=\w+;.*HttpOnly.*Secure/i, 'which no script reads, and no plain http';
my $answers = sub { $browser->request(GET => '/') };
is hosts($answers), $own, 'from then on that host answers';
is $answers->()->{headers}{'set-cookie'} // '', '', 'without another cookie';

# ---- its host goes

my ($other) = grep { $_ ne $own } qw(web1 web2);
$proxy->say("disable server web/$own");
my $page = $browser->request(GET => '/');
is $page->status, 200, "$own is taken out: the person is still signed in";
is host($page), $other, 'on the other host';
is $browser->cookies->{GALLEY_HOST}, $other, 'and stays there';
is hosts(sub { $proxy->get('/connection', key => $key) }), $other, 'nobody asks the first one';
is hosts(sub { $proxy->fetch(GET => '/pages/both/') }), $other, 'for pages, either';
$proxy->say("enable server web/$own");
$proxy->wait_for(sub { $proxy->states eq 'UP UP' });
is hosts($answers), $other, 'it is back: the person stays where they are';

my $died = $other eq 'web1' ? 0 : 1;
$servers[$died]->stop;
$page = $browser->request(GET => '/');
is $page->status, 200, "$other dies: its person sees a page";
is host($page), $own, 'of the other host';

# ---- what HAProxy answers itself

sub is_own {
	my ($answer, $status, $name) = @_;
	my $wanted = Galley::JSON->new->utf8->decode(Galley::slurp(Galley::top() . "/htdocs/api-errors/$status.json"));
	is_error $answer, $status, $wanted->{code}, $name;
	is $answer->{json}{error}, $wanted->{error}, "$name: in the words of the web hosts";
	is host($answer), 'none', "$name: by HAProxy";
}
# What HAProxy cannot read as a request belongs to no frontend yet.
is $proxy->raw("GET /api/v1/connection HTTP/1.1\r\nHost: x\r\n")->{status}, 408, 'half a request';
is $proxy->raw("GET / HTTP/1.1\r\nno field\r\n\r\n")->{status}, 400, 'no request';

# The last host does not answer any more.
my $alive = $servers[1 - $died];
my $pids = $alive->{pools}->pids;
kill STOP => $pids->{connection};
my @children = split ' ', Galley::slurp("/proc/$pids->{connection}/task/$pids->{connection}/children");
kill STOP => @children;
is_own $proxy->get('/connection', key => $key), 504, 'a host that does not answer in time';
kill CONT => @children, $pids->{connection};

$alive->stop;
for my $seen ('', ', and HAProxy knows') {
	my $none = $proxy->get('/connection', key => $key);
	is_own $none, 503, "no host$seen";
	cmp_ok $none->{headers}{'retry-after'} // 0, '>', 0, 'with the seconds to wait';
	is_own $proxy->post('/generate', key => $key, body => '{"topic":"x"}'), 503, 'an order';
	for my $path (qw(/console/ /pages/both/)) {
		my $answer = $proxy->fetch(GET => $path);
		is $answer->{status}, 503, "$path: no host$seen";
		like $answer->{headers}{'content-type'}, qr{^text/html; ?charset=utf-8$}, 'is a page';
		like $answer->{body}, qr{^<!doctype html>.*<h1>Not available right now</h1>.*</html>\s*\z}s, 'a whole one';
		is $answer->{headers}{'cache-control'}, 'no-store', 'which nobody keeps';
		like $answer->{headers}{'content-security-policy'}, qr/default-src 'none'/, 'and nothing runs in';
	}
	$proxy->wait_for(sub { $proxy->states !~ /UP/ });
}
$proxy->stop;

# A host that closes each connection without a word, but for HAProxy's own question.
my $listen = IO::Socket::INET->new(Listen => 50, LocalAddr => '127.0.0.1') or die "listen: $!";
my $silent = fork // die "fork: $!";
if ($silent == 0) {
	while (my $client = $listen->accept) {
		my $head = '';
		1 while $head !~ /\r\n\r\n/ && sysread $client, $head, 4096, length $head;
		syswrite $client, "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n" if $head =~ /health-of-this-host/;
		close $client;
	}
	POSIX::_exit(0);
}
$proxy = Galley::HAProxy->new([({ port => $listen->sockport }) x 2]);
is_own $proxy->get('/connection', key => $key), 502, 'a host that says nothing';
is $proxy->fetch(GET => $_)->{status}, 502, "$_: the same" for qw(/console/ /pages/both/);
like $proxy->fetch(GET => '/console/')->{headers}{'content-type'}, qr{^text/html}, 'is a page';
kill KILL => $silent;
waitpid $silent, 0;
$proxy->stop;
done_testing;
