# provider-openai: proves that the program ends in time and in bounded memory, with one error that
# says whether to try again, whatever the endpoint does (docs/platform.md §3.5, N1).
use strict;
use warnings;

use lib 'tests/lib';
use FakeOpenAI;
use IO::Socket::INET;
use OpenAIRun;
use Test::More;
use UntrustedServer;

my ($true, $false) = (JSON::PP::true, JSON::PP::false);
my $run;

# Runs a research job against an endpoint that behaves so: a sub of the request; the right answer
# is sent where it returns nothing. Returns the result, with the number of requests as `asked`.
sub against {
	my ($sub, %option) = @_;
	my $fake = FakeOpenAI->start(sub { $sub->($_[0]) // good($_[0]) });
	$run = OpenAIRun->new($fake);
	my $done = $run->order(kind => 'research', memory_mib => 512, %option);
	$done->{asked} = () = $fake->requests;
	return $done;
}

sub is_failure {
	my ($done, $code, $retry, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	subtest $name => sub {
		is $done->{exit}, 0, 'the program ends by itself';
		is $done->{signal}, 0, 'and by no signal';
		is $done->{error}{code}, $code, 'code';
		is $done->{error}{retry}, $retry, 'retry';
		like $done->{error}{error}, qr/^[A-Z].*\.$/, 'a sentence';
		unlike $done->{error}{error}, qr/127\.0\.0\.1|sk-test/,
			'without address and key';
		unlike $done->{err}, qr/\Q$OpenAIRun::KEY/, 'the log has no key';
	};
}

sub once {
	my ($answer) = @_;
	return sub { $_[0]{n} == 1 ? $answer : undef };
}

# ---- no answer

{
	my $closed = IO::Socket::INET->new(Listen => 1,
		LocalAddr => '127.0.0.1');
	my $port = $closed->sockport;
	close $closed;
	my $other = OpenAIRun->new(undef, openai_url => "http://127.0.0.1:$port");
	my $done = $other->order(kind => 'research', deadline_s => 12);
	is_failure($done, 'provider_unavailable', $true,
		'an endpoint that refuses connections');
}

# A program that does not end by itself would wait for ever: run_program() ends it after a
# minute. Deadlines allow for a slow machine.
my $done = against(sub { hang() }, deadline_s => 6);
is_failure($done, 'timeout', $true, 'one that hangs before the headers');
cmp_ok $done->{asked}, '>=', 2, 'no request took all of the time';

$done = against(sub {
	hang("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"choices\":")
}, deadline_s => 2);
is_failure($done, 'timeout', $true, 'one that hangs after the headers');

$done = against(once(hang()), deadline_s => 6);
ok $done->{result}, 'one that hangs once is asked again';

$done = against(sub { trickle(good($_[0]), 1, 0.2) }, deadline_s => 2);
is_failure($done, 'timeout', $true, 'one that trickles');

# Sends the head of the right answer, then these bytes one by one, then the rest.
sub after_head {
	my ($request, $before) = @_;
	my ($head, $body) = split /(?<=\r\n\r\n)/, good($request), 2;
	my $more = length $before;
	$head =~ s/Content-Length: \K(\d+)/$1 + $more/e;
	return sub {
		my ($client) = @_;
		FakeOpenAI::send_all($client, $head);
		trickle($before, 1, 0.2)->($client);
		FakeOpenAI::send_all($client, $body);
	};
}

$done = against(sub {
	my ($request) = @_;
	return $request->{n} == 1 ? after_head($request, '[' x 100) : undef;
}, deadline_s => 24);
ok $done->{result}, 'a trickle';
cmp_ok $done->{seconds}, '<', 7.5,
	'is given up long before the limit of a request (8 s)';

$done = against(sub { after_head($_[0], "\n" x 8) });
ok $done->{result}, 'empty lines before the answer do not count as a slow answer';
is $done->{asked}, 1, 'and are waited for';

$done = against(sub { reset_it() }, deadline_s => 12);
is_failure($done, 'provider_unavailable', $true, 'one that resets');
is $done->{asked}, 4, 'is asked four times';

$done = against(once(reset_it(
	"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"choices\":")), deadline_s => 12);
ok $done->{result}, 'a reset in the middle of an answer is got over';

$done = against(once("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n"
	. "Connection: close\r\n\r\n{}"), deadline_s => 12);
ok $done->{result}, 'an answer shorter than announced, too';

$done = against(once("garbage\r\n\r\n"), deadline_s => 12);
ok $done->{result}, 'and one that is no HTTP';

# ---- a server with another identity

SKIP: {
	my $server = UntrustedServer->start(days => 2);
	skip 'openssl serves nothing', 1 unless $server;
	my $other = OpenAIRun->new(undef, openai_url => $server->url . '/v1');
	is_failure($other->order(kind => 'research', deadline_s => 12),
		'provider_unavailable', $true, 'an untrusted certificate');
}

# ---- refusals

for my $status (408, 409, 425, 429, 500, 502, 503, 529) {
	$done = against(once(failure($status, {})), deadline_s => 12);
	ok $done->{result}, "HTTP $status once is tried again";
}
$done = against(sub { failure(500, {}) }, deadline_s => 12);
is_failure($done, 'provider_unavailable', $true, 'HTTP 500 always');
is $done->{asked}, 4, 'is asked four times';

$done = against(once(failure(429, {}, 'Retry-After' => 1)));
ok $done->{result}, 'HTTP 429 with Retry-After';
cmp_ok $done->{seconds}, '>=', 1, 'is waited for';

$done = against(sub { failure(429, {}, 'Retry-After' => 3600) },
	deadline_s => 600);
is_failure($done, 'provider_unavailable', $true,
	'a Retry-After beyond the deadline');
like $done->{error}{error}, qr/has too much to do/, 'says why';
is $done->{asked}, 1, 'is not waited for';

$done = against(sub {
	failure(429, {}, 'Retry-After' => '99999999999999999999') }, deadline_s => 12);
is_failure($done, 'provider_unavailable', $true, 'an absurd Retry-After');

$done = against(sub { failure(429, { code => 'insufficient_quota',
	type => 'insufficient_quota' }, 'Retry-After' => 1) });
is_failure($done, 'provider_refused', $false, 'an account without quota');
is $done->{asked}, 1, 'is never asked again';

for my $status (401, 402, 403, 404, 418) {
	$done = against(sub { failure($status,
		{ message => "Wrong key: $OpenAIRun::KEY" }) });
	is_failure($done, 'provider_refused', $false, "HTTP $status");
	is $done->{asked}, 1, 'is not asked again';
}

{
	my $target = FakeOpenAI->start;
	for my $place ($target->url . '/chat/completions',
		'http://169.254.169.254/latest/meta-data/') {
		$done = against(sub { "HTTP/1.1 307 Go\r\nLocation: $place\r\n"
			. "Content-Length: 0\r\nConnection: close\r\n\r\n" });
		is_failure($done, 'provider_refused', $false, "redirect to $place");
	}
	is scalar(my @none = $target->requests), 0, 'no redirect is followed';
}

# ---- useless answers

sub html {
	return FakeOpenAI::http(200, 'text/html',
		'<!doctype html><title>Welcome</title>');
}
$done = against(\&html);
is_failure($done, 'invalid_output', $false, 'HTML with 200');
is $done->{asked}, 2, 'is asked once more';

# Sends for ever, with or without a Content-Length.
sub flood {
	my ($head, $piece) = @_;
	return sub {
		my ($client) = @_;
		FakeOpenAI::send_all($client, $head);
		for (1 .. 1600) {
			FakeOpenAI::send_all($client, $piece) or return;
		}
	};
}
my $much = 'x' x 65536;
$done = against(sub { flood("HTTP/1.1 200 OK\r\nContent-Length: 104857600"
	. "\r\n\r\n", $much) });
is_failure($done, 'invalid_output', $false, '100 MB, announced');
$done = against(sub { flood("HTTP/1.1 200 OK\r\n\r\n{\"a\":\"", $much) });
is_failure($done, 'invalid_output', $false, '100 MB, not announced');
$done = against(sub { flood("HTTP/1.1 500 No\r\n\r\n", $much) },
	deadline_s => 12);
is_failure($done, 'provider_unavailable', $true, '100 MB with 500');
$done = against(sub { flood("HTTP/1.1 200 OK\r\n", "X-A: $much\r\n") },
	deadline_s => 12);
ok $done->{error}, 'headers without end';
$done = against(sub { flood("HTTP/1.1 200 OK\r\n", "X-A: b\r\n" x 4096) },
	deadline_s => 12);
is_failure($done, 'invalid_output', $false, 'headers without number');

for my $piece ('{},', '[],', '0,', '"a",', '{"a":0},') {
	my $body = '[' . $piece x (1_040_000 / length $piece) . '0]';
	$done = against(sub { FakeOpenAI::http(200, 'application/json', $body) });
	is_failure($done, 'invalid_output', $false, "a megabyte of $piece");
}

$done = against(sub { FakeOpenAI::http(200, 'application/json',
	"{\"choices\":[{\"message\":{\"content\":\"\xC3\x28\xED\xA0\x80\"}}]}") });
is_failure($done, 'invalid_output', $false, 'invalid UTF-8');

done_testing;
