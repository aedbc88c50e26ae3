# Proves in a few seconds that nginx serves an instance as Apache does: scripts of this folder run with
# it. `make check-nginx` runs all that do not test Apache itself.
# suite: fast
use strict;
use warnings;

use lib 'tests/lib';
use Galley;
use Galley::Process qw(run_program);
use IO::Socket::INET;
use IO::Socket::UNIX;
use Socket qw(SOCK_STREAM);
use Test::More;

my $missing = Galley::Nginx::missing();
plan skip_all => $missing if defined $missing;

# What galley doctor finds of it: nothing, and then that no program answers.
$ENV{GALLEY_WEB} = 'nginx';
my $galley = Galley->new;
$galley->must(qw(workspace set), $galley->workspace, 'pages=word');
my $server = $galley->serve(fcgi => 'proxy');
$galley->conf(public_url => $server->url);
my @checks = qw(api authorization headers private media console cookies posts pages scripts collector hits);
my %found = map { $_->{check} => $_ } @{ $galley->command('doctor')->{json} };
is_deeply [map { [$_, $found{$_}{level}] } grep { $found{$_} } @checks], [map { [$_, 'ok'] } grep { $found{$_} } @checks],
	'galley doctor finds nothing wrong' or diag explain [grep { $_->{level} ne 'ok' } values %found];
# Of a field that is sent twice the last line is the nearest proxy's.
$galley->must(qw(config set require_https=on trusted_proxies=127.0.0.1));
for my $case (['https', 'http', 403], ['http', 'https', 401]) {
	is $server->raw("GET /api/v1/connection HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
		. join('', map { "X-Forwarded-Proto: $_\r\n" } @$case[0, 1]) . "\r\n")->{status}, $case->[2],
		"X-Forwarded-Proto: $case->[0], then $case->[1]";
}
$galley->must(qw(config set require_https=off trusted_proxies=));
$server->{pools}->stop;
my ($api) = grep { $_->{check} eq 'api' } @{ $galley->command('doctor')->{json} };
is $api->{level}, 'BAD', 'programs that do not run are found';
like join("\n", sort values %$api), qr/galley-serve may not run/, 'with what to do';
$server->stop;

# What a program gets: a socket in its place says so.
my $sockets = $galley->scratch . '/sockets';
mkdir $sockets;
my $listen = IO::Socket::UNIX->new(Type => SOCK_STREAM, Local => "$sockets/connection.socket", Listen => 1) or die $!;
chown $galley->owner_ids, $sockets, "$sockets/connection.socket";
$server = $galley->serve(sockets => $sockets);
my $sent = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $server->port) or die $!;
syswrite $sent, "GET //api/v1/connection//x/../y%41?q=1 HTTP/1.1\r\nHost: galley.example\r\nProxy: http://evil.example\r\n"
	. "X_Forwarded_For: 192.0.2.7\r\nX-Forwarded-For: 192.0.2.8\r\nX-Forwarded-For: 192.0.2.9\r\nAuthorization: Bearer k\r\nConnection: close\r\n\r\n";
sysread $listen->accept, my $record, 65536;
$record =~ s/[^\x20-\x7e]/|/g;
my %of = (REMOTE_ADDR => '127.0.0.1', PATH_INFO => '/yA', REQUEST_URI => '//api/v1/connection//x/../y%41?q=1',
	SERVER_NAME => 'galley.example', QUERY_STRING => 'q=1', HTTP_AUTHORIZATION => 'Bearer k');
like $record, qr/\Q$_$of{$_}\E/, "a program gets $_" for sort keys %of;
is_deeply [$record =~ /FORWARDED_FOR([\d., ]+)/g], ['192.0.2.8, 192.0.2.9'],
	'and what proxies said of the address as one list: the last one is whom Galley may know';
unlike $record, qr/$_/, "and never $_" for qw(HTTP_PROXY 192\.0\.2\.7 HTTPS CONTENT_LENGTH);
$server->stop;

for my $script (qw(answers-arrive-unchanged authorization-arrives errors-are-json-everywhere)) {
	my $done = run_program([$^X, "tests/http/$script.t"]);
	is $done->{exit}, 0, "$script.t" or diag grep { !/^\s*ok / } map { "$_\n" } split /\n/, "$done->{out}$done->{err}";
}

done_testing;
