# Proves that every error that the web server makes itself is a JSON body with `error` and `code`,
# and has the header fields of every other answer (docs/design.md §4.2, §4.4).
# suite: fast

use strict;
use warnings;

use lib 'tests/lib';
use Test::More;
use Galley;

# Scripts in the place of programs, which misbehave. None of them speaks FastCGI, so with FastCGI
# the program that reads bodies is the real one.
my %program = (
	pricing => "#!/bin/sh\nexit 1\n",
	jobs => "#!/bin/sh\nexec sleep 600\n",
	generate => "#!/bin/sh\ncat >/dev/null\n"
		. "printf 'Status: 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok'\n",
	sync => "no program\n",
);

my $host = "Host: 127.0.0.1\r\nConnection: close\r\n";

sub instance {
	my ($fcgi, @options) = @_;
	my $galley = Galley->new(init => $fcgi ? 1 : 0, @options);
	for my $name (grep { !$fcgi || $_ ne 'generate' } keys %program) {
		my $path = $galley->programs . "/cgi-bin/$name";
		unlink $path;
		Galley::spew($path, $program{$name});
		chmod 0755, $path;
	}
	return $galley;
}

# The answers of the FastCGI modules to the same faults.
my %differs = (
	mod_fcgid => {
		'half a body' => [500, 'internal_error'],
		'a program that hangs' => [500, 'internal_error'],
	},
	mod_proxy_fcgi => {
		'a program that ends without a word' => [503, 'service_unavailable'],
		'a program that cannot be run' => [503, 'service_unavailable'],
	},
);

sub get { return "GET $_[0] HTTP/1.1\r\n$host" }

sub check {
	my ($kind, $server, @cases) = @_;
	for my $case (@cases) {
		my ($name, $status, $code, @bytes) = @$case;
		($status, $code) = @{ $differs{$kind}{$name} }
			if $differs{$kind}{$name};
		($status, $code) = $server->expects($name, $status, $code);
		my $answer = $server->raw(@bytes);
		if (!defined $code) {
			is $answer ? $answer->{status} : undef, $status, "$kind: $name";
			next;
		}
		is_error($answer // {status => 0, body => '', headers => {}},
			$status, $code, "$kind: $name");
	}
	like $server->fetch(GET => '/nothing')->{headers}{'x-request-id'},
		qr/^[\w\@-]{20,64}$/, "$kind: a request has an id of its own";
}

for my $way (Galley::Server::ways()) {
	my ($kind, %option) = @$way;
	my $galley = instance($option{fcgi});
	my $picture = 'a' x 64 . '.png';
	Galley::spew($galley->home . "/htdocs/media/$picture", 'x' x 100);
	Galley::spew($galley->home . '/htdocs/media/half-written', 'x');

	my $large = 'x' x 65537;
	my $head = 'POST /api/v1/generate HTTP/1.1';
	$head .= "\r\nAuthorization: Bearer " . $galley->key($galley->workspace,
		'articles:generate') . "\r\nIdempotency-Key: 1" if $option{fcgi};
	my @case = (
		# the case, the status, the code, the sent bytes
		['no such file', 404, 'not_found', get('/nothing') . "\r\n"],
		['an encoded slash', 404, 'not_found',
			get('/api/v1/articles%2Fx') . "\r\n"],
		['an encoded NUL', 404, 'not_found',
			get('/api/v1/articles/%00') . "\r\n"],
		['a bad escape', 400, 'invalid_request',
			get('/api/v1/articles/%zz') . "\r\n"],
		['no request line', 400, 'invalid_request', "nonsense\r\n\r\n"],
		['no Host', 400, 'invalid_request',
			"GET / HTTP/1.1\r\nConnection: close\r\n\r\n"],
		['a header field that is too long', 400, 'invalid_request',
			get('/api/v1/connection') . 'X: ' . 'x' x 9000
			. "\r\n\r\n"],
		['too many header fields', 400, 'invalid_request',
			get('/') . "X: x\r\n" x 200 . "\r\n"],
		['a header field without a name', 400, 'invalid_request',
			get('/') . ": x\r\n\r\n"],
		['two lengths', 400, 'invalid_request', "$head\r\n$host"
			. "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx"],
		['a broken chunk', 400, 'invalid_request', "$head\r\n$host"
			. "Transfer-Encoding: chunked\r\n\r\nzz\r\n"],
		['an address that is too long', 414, 'uri_too_long',
			get('/api/v1/articles?x=' . 'x' x 9000) . "\r\n"],
		['TRACE', 405, 'method_not_allowed',
			"TRACE /api/v1/articles HTTP/1.1\r\n$host\r\n"],
		['another method for a file', 405, 'method_not_allowed',
			"PUT /index.html HTTP/1.1\r\n$host"
			. "Content-Length: 0\r\n\r\n"],
		['an unknown method for a file', 501, 'method_not_allowed',
			"FOO /index.html HTTP/1.1\r\n$host\r\n"],
		['an unknown transfer coding', 400, 'invalid_request',
			"$head\r\n${host}Transfer-Encoding: zip\r\n\r\n"],
		['a folder', 403, 'forbidden', get('/media/') . "\r\n"],
		['a file that is half written', 403, 'forbidden',
			get('/media/half-written') . "\r\n"],
		['a body that is too long', 413, 'payload_too_large',
			"$head\r\n${host}Content-Length: 65537\r\n\r\n$large"],
		['a body of three million bytes', 413, 'payload_too_large',
			"$head\r\n${host}Content-Length: 3000000\r\n\r\n",
			'x' x 3_000_000],
		['a body that is too long, chunked', 413, 'payload_too_large',
			"$head\r\n${host}Transfer-Encoding: chunked\r\n\r\n"
			. "10001\r\n$large\r\n0\r\n\r\n"],
		['a range outside', 416, 'invalid_request',
			get("/media/$picture") . "Range: bytes=900-\r\n\r\n"],
		['a condition on a file', 200, undef,
			get('/openapi.json') . "If-Match: \"x\"\r\n\r\n"],
		['a version that is none', 200, undef,
			"GET /openapi.json HTTP/9.9\r\n$host\r\n"],
		['an expectation', 417, 'invalid_request',
			get('/') . "Expect: wonders\r\n\r\n"],
		['a program that ends without a word', 500, 'internal_error',
			get('/api/v1/pricing') . "\r\n"],
		['a program that cannot be run', 500, 'internal_error',
			get('/api/v1/sync') . "\r\n"],
	);
	my $server = $galley->serve(%option);
	check($kind, $server, @case);
	$server->stop;

	# Inputs that end never: these requests must time out, all others have their time.
	$server = $galley->serve(%option, impatient => 1);
	check($kind, $server,
		['half a request', 408, 'invalid_request', "GET / HTTP/1.1\r\n"],
		['half a body', 408, 'invalid_request',
			"$head\r\n${host}Content-Length: 10\r\n\r\nxx"],
		['a program that hangs', 504, 'gateway_timeout',
			get('/api/v1/jobs/x') . "\r\n"]);
	$server->stop;
}

if (Galley::Server::is_nginx()) {
	done_testing;
	exit;
}

# On shared hosting the .htaccess sets the error files, in any folder.
my $galley = instance(undef, shared => 1);
my $server = $galley->serve;
check('.htaccess', $server,
	['no such file', 404, 'not_found', get('/galley/nothing') . "\r\n"],
	['a file that is hidden', 404, 'not_found',
		get('/galley/galley.conf') . "\r\n"],
	['another method for a file', 405, 'method_not_allowed',
		"PUT /galley/robots.txt HTTP/1.1\r\n${host}\r\n"],
	['a question mark in the path', 403, 'forbidden',
		get('/galley/api/v1/pricing/%3f') . "\r\n"],
	['a program that ends without a word', 500, 'internal_error',
		get('/galley/api/v1/pricing') . "\r\n"],
);
$server->stop;
check('.htaccess', $galley->serve(extra => "CGIDScriptTimeout 1s\n"),
	['a program that hangs', 504, 'gateway_timeout',
		get('/galley/api/v1/jobs/x') . "\r\n"]);

done_testing;
