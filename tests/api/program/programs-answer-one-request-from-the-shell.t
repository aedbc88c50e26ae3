# Proves that an endpoint's program answers one request from a shell, or prints its routes, and
# never reads its arguments under a web server (docs/platform.md §0.6).
# suite: fast valgrind
use strict;
use warnings;
use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use Galley;
use Galley::Process qw(run_program);
use Galley::Request qw(split_answer);

my $galley = Galley->new;
my $workspace = $galley->workspace;
my $key = $galley->key($workspace);
my ($id) = $galley->import_text($workspace, "# One\n\nText.\n", "# Two\n\nText.\n");

sub shell {
	my ($program, @words) = @_;
	my %env = %ENV;
	delete $env{GATEWAY_INTERFACE};
	my $done = run_program([$galley->programs . "/cgi-bin/$program", @words],
		env => \%env, as => [$galley->owner_ids]);
	return ($done, split_answer($done));
}

my (undef, $list) = shell('articles', 'GET', '/?limit=1', '--key', $key);
is $list->{status}, 200, 'a list';
is scalar @{ $list->{json}{data} }, 1, 'with its query';
like Galley::slurp($galley->home . '/log/requests.log'), qr{ GET \S*/articles/?\?limit=1 }, 'which the log has, too';
my (undef, $one) = shell('articles', 'GET', "/$id", '--key', $key);
is $one->{json}{data}[0]{id}, $id, 'an article';
is $one->{headers}{etag}, $galley->get("/articles/$id", key => $key)
	->{headers}{etag}, 'the same answer as over the web';
my ($raw, $same) = shell('articles', 'GET', "/$id", '--key', $key,
	'--header', "If-None-Match: $one->{headers}{etag}");
is $same->{status}, 304, 'with a header';
like $raw->{out}, qr/^Status: 304 Not Modified\r?$/m, 'in the words of the protocol';
my (undef, $elsewhere) = shell('connection', 'GET', '/', '--key', $key,
	'--instance', $galley->home);
is $elsewhere->{json}{workspace}{id}, $workspace, 'of a named instance';
my (undef, $keyless) = shell('connection', 'GET', '/');
is $keyless->{status}, 401, 'without a key';

my $writer = $galley->key($workspace, 'articles:generate');
my $body = $galley->scratch . '/order.json';
Galley::spew($body, '{"topic": "Compost", "type": "article"}');
my (undef, $order) = shell('generate', 'POST', '/', '--key', $writer,
	'--header', 'Idempotency-Key: one', '--body', $body);
is $order->{status}, 400, 'a body is sent';
is $order->{json}{param}, 'type', 'and read';
my ($missing) = shell('generate', 'POST', '/', '--key', $writer, '--body', "$body.not");
is $missing->{exit}, 2, 'one that is not there ends the program';
like $missing->{err}, qr{^\Q$body.not\E: No such file}, 'which says so';
is $missing->{out}, '', 'and answers nothing';
my ($tables) = shell('articles', '--routes');
is_deeply [map { "$_->{method} $_->{path} $_->{scope}" }
	@{ Galley::JSON->new->decode($tables->{out}) }],
	['GET /articles articles:read', 'GET /articles/{id} articles:read'],
	'or the routes are printed';
for my $words ([], ['GET'], ['GET', '/', '--key'], ['GET', '/', '--nothing', 'x'],
	['GET', '/', '--header', 'no colon']) {
	my ($done) = shell('articles', @$words);
	is $done->{exit}, 2, "usage: @$words";
	like $done->{err}, qr/^usage: /, 'is printed';
	is $done->{out}, '', 'and nothing else';
}

my $env = { GATEWAY_INTERFACE => 'CGI/1.1', REQUEST_METHOD => 'GET',
	QUERY_STRING => '--instance+/etc', REQUEST_URI => '/api/v1/connection',
	REMOTE_ADDR => '127.0.0.1', HTTPS => 'on',
	HTTP_AUTHORIZATION => "Bearer $key" };
my $web = run_program([$galley->programs . '/cgi-bin/connection',
	'GET', '/', '--instance', '/etc'], env => $env, as => [$galley->owner_ids]);
is split_answer($web)->{json}{workspace}{id}, $workspace,
	'under a web server the arguments are not looked at';

done_testing;
