#!/usr/bin/perl
# galley-fetch --own, which doctor uses: it reaches the operator's own server wherever it
# is, sends a key that no other user of the host can see, and tells when the server's
# certificate expires.
use strict;
use warnings;

use lib 'tests/lib';

use FakeOpenAI;
use Galley;
use Galley::Process qw(run_program);
use Test::More;
use UntrustedServer;

my $client = Galley::build() . '/bin/galley-fetch';
my $json = '{"error":"No."}';
my %answer = (
	whole => "HTTP/1.1 401 No\r\nX-API-Version: 1\r\nContent-Length: 15\r\n\r\n$json",
	interim => "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
		. "HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n$json",
	moved => "HTTP/1.1 301 Moved\r\nLocation: /whole\r\nContent-Length: 0\r\n\r\n",
	cut => "HTTP/1.1 401 No\r\nContent-Length: 99\r\n\r\n$json",
	long => "HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n" . 'x' x 300_000,
	other => "+OK POP3 server ready\r\n",
	silent => hang(),
);
my $web = FakeOpenAI->start(sub { return $answer{ substr $_[0]{path}, 1 } });
my $origin = $web->url =~ s{/v1$}{}r;

# What galley-fetch says of these addresses, with these options.
sub fetched {
	my ($options, @lines) = @_;
	my $done = run_program([$client, '--seconds', 5, @$options], env => {},
		input => join('', map { "$_\n" } @lines));
	is $done->{exit}, 0, "galley-fetch @$options ends well";
	return $done->{out};
}

my $key = 'ab_live_' . 'k' x 38;
is fetched(['--own', '--key'], $key, "$origin/whole", "$origin/interim"),
	"OK 401 57 15 0\nHTTP/1.1 401 No\r\nX-API-Version: 1\r\nContent-Length: 15\r\n\r\n$json"
	. "OK 200 39 15 0\nHTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n$json",
	'head and body of each answer, on the own network';
is_deeply [map { $_->{headers}{authorization} } $web->requests], [("Bearer $key") x 2],
	'the key is sent with each request';
fetched(['--own'], "$origin/whole");
is(($web->requests)[-1]{headers}{authorization}, undef, 'and without one there is none');
is(($web->requests)[-1]{headers}{'user-agent'}, 'galley-doctor', 'it says who asks');
like fetched(['--own'], "$origin/moved"), qr/^OK 301 \d+ 0 0\n/, 'no redirect is followed';
my $before = $web->requests;
like fetched(['--key'], $key, "$origin/whole"), qr/^NO /, 'a key opens no network';
is $web->requests, $before, 'and nothing is sent there';
my $done = run_program([$client, '--own', '--key'], env => {}, input => '');
is $done->{exit}, 2, 'a key that does not come is refused';

# What is no whole answer.
like fetched(['--own'], "$origin/cut"), qr/^CUT 401 \d+ 15 0\n.*\Q$json\E\z/s,
	'an answer that ends early is told with what came';
like fetched(['--own'], "$origin/long"), qr/^CUT 200 \d+ 262144 0\n/,
	'of a long one the beginning';
is fetched(['--own'], "$origin/other"), "NO the answer is not HTTP.\n", 'another protocol';
is fetched([qw(--own --seconds 1)], "$origin/silent"), "NO the answer is not HTTP.\n",
	'one that says nothing';
is fetched(['--own'], 'http://127.0.0.1:1/'), "NO Connection refused\n",
	'nobody there, in the words of the system';
like fetched(['--own'], 'https://127.0.0.1:1/'), qr/^NO curl: \(7\) Failed to connect/,
	'over https in those of curl';

# The certificate.
SKIP: {
	my $server = UntrustedServer->start(days => 9)
		or skip 'openssl serves nothing', 4;
	my $expires = time + 9 * 86400;
	like fetched(['--own'], $server->url . '/'),
		qr/^NO curl: \(60\) SSL certificate problem: .*self.signed/,
		'a certificate that nobody signed is not trusted';
	my ($told) = fetched(['--certificate'], $server->url . '/') =~ /^OK 0 0 0 (\d+)\n\z/;
	cmp_ok abs(($told // 0) - $expires), '<', 60, 'but when it expires is told';
}
$before = $web->requests;
is fetched(['--certificate'], "$origin/whole"), "OK 0 0 0 0\n", 'plain http has none';
is $web->requests, $before, 'and nothing is requested for it';

# galley gives the key to no argument and to no environment: a client that is this script
# tells what it gets.
my $galley = Galley->new(own_programs => 1);
$galley->conf(public_url => $origin);
my $given = $galley->scratch . '/given';
unlink $galley->programs . '/bin/galley-fetch';
Galley::spew($galley->programs . '/bin/galley-fetch', <<"END");
#!/bin/sh
case " \$* " in *' --key '*)
	{ echo "\$*"; echo --; cat /proc/\$\$/environ; echo --; head -n 1; } >$given.new
	mv $given.new $given
esac
END
chmod 0755, $galley->programs . '/bin/galley-fetch';
chmod 0777, $galley->scratch;
my ($finding) = grep { $_->{check} eq 'api' } @{ $galley->command('doctor')->{json} };
is "$finding->{message}; $finding->{mend}",
	'bin/galley-fetch does not answer.; make install again', 'a client that does not work';
my ($words, $environment, $first) = split /--\n/, Galley::slurp($given) =~ s/ --key/ -key/r;
is $words, "--own -key --seconds 10\n", 'the arguments of doctor hold no key';
is $environment, '', 'nor does the environment';
like $first, qr/^ab_live_\w{38}\n\z/, 'it is the first line of standard input';
done_testing;
