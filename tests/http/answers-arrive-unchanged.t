# Proves that the client gets exactly what the program prints: the same status, header fields and
# body through Apache as from the executable, in every layout.
# suite: fast

use strict;
use warnings;

use lib 'tests/lib';
use Test::More;
use Galley;
use Galley::Request qw(routes);

# Fields that the web server adds or may drop, and fields that differ with each request.
my %server = map { $_ => 1 } qw(date server connection keep-alive);
my %single = map { $_ => 1 } qw(x-request-id ratelimit status);

sub compare {
	my ($name, $method, $direct, $served) = @_;
	is $served->{status}, $direct->{status}, "$name: the status";
	my %wanted = %{ $direct->{headers} };
	my %got = %{ $served->{headers} };
	isnt $got{'x-request-id'}, undef, "$name: an id";
	delete @wanted{ keys %single };
	delete @got{ keys %single, keys %server };
	# A 304 has no body to describe.
	delete @wanted{qw(content-type content-length)}
		if $direct->{status} == 304;
	is_deeply \%got, \%wanted, "$name: the header fields";
	my @body = map { $_->{body} =~ s/"request_id":"[^"]*"//r }
		$direct, $served;
	$body[0] = '' if $method eq 'HEAD';
	is $body[1], $body[0], "$name: the body";
}

for my $shared (Galley::Server::hosts()) {
	my $galley = Galley->new(shared => $shared);
	my $workspace = $galley->workspace;
	my $key = $galley->key($workspace);
	my $orders = $galley->key($workspace, 'articles:generate');
	my $absent = '00000000-0000-4000-8000-000000000000';
	my ($id) = $galley->import_text($workspace, "# A title\n\nText.\n");
	my $etag = $galley->get('/articles', key => $key)->{headers}{etag};
	my @request = (
		# Every resource that can be asked for without an id.
		map({ [GET => $_->{path}] }
			grep { $_->{method} eq 'GET' && $_->{path} !~ /\{/ } routes()),
		[GET => '/articles?limit=1&offset=0'], [GET => "/articles/$id"],
		[HEAD => '/articles'],
		[GET => '/articles', headers => { 'If-None-Match' => $etag }],
		[GET => '/articles', headers => { 'If-Match' => '"x"' }],
		[GET => '/articles', headers => { Range => 'bytes=0-9' }],
		[OPTIONS => '/articles'], [POST => '/articles', body => '{}'],
		[DELETE => "/articles/$id"], [GET => '/articles?limit=0'],
		[GET => '/articles?limit=1&limit=1'], [GET => '/articles/'],
		[GET => '/articles/nothing'], [GET => '/articles/a%20b'],
		[GET => '/articles/a%0Ab'], [GET => '/articles/%FF'],
		[GET => "/articles/$id/more"], [GET => '/articles?drafts=true'],
		[GET => '/nothing'], [GET => '/'], [GET => '/articlesX'],
		[GET => '/connection/x'], [PUT => '/nothing', body => 'x'],
		[GET => '/sync?since=now'], [GET => '/sync?cursor=x'],
		[GET => '/articles', key => 'ab_live_x'],
		[GET => '/articles', key => undef],
		[GET => '/pricing', key => $orders],
		[GET => "/jobs/$absent", key => $orders],
		[POST => '/generate', key => $orders, body => '{"topic":"Rain"}',
			headers => { 'Idempotency-Key' => 'one' }],
		[POST => '/generate', key => $orders, body => '{'],
	);
	for my $way (Galley::Server::ways($shared)) {
		my ($kind, @options) = @$way;
		my $server = $galley->serve(@options);
		for my $request (@request) {
			my ($method, $target, %option) = @$request;
			%option = (key => $key, %option);
			my $direct = $galley->request($method, $target, %option,
				env => { HTTPS => undef });
			my $served = $server->request($method, $target, %option);
			my $label = exists $request->[3] ? " ($request->[2])" : '';
			compare(join(' ', $shared ? '.htaccess' : 'vhost',
				$kind, $method, $target) . $label, $method, $direct, $served);
		}
		$server->stop;
	}
}

done_testing;
