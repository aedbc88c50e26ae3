# Proves every bound of docs/contract.md §4 for reading, at, below and above it, and that every
# malformed query, path and method is answered with a 400, 404 or 405 that names the fault.
# suite: fast twins
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley;

my $galley = Galley->new;
my $workspace = $galley->workspace;
my $key = $galley->key($workspace, 'articles:read', 'drafts:read');
my ($id) = $galley->import_text($workspace, "# A first article\n\nSome text.\n");

# [TARGET, PARAM or undef for 200]
my @bounds = (
	['/articles?limit=0', 'limit'], ['/articles?limit=1'],
	['/articles?limit=100'], ['/articles?limit=101', 'limit'],
	['/articles?offset=0'], ['/articles?offset=100000'],
	['/articles?offset=100001', 'offset'],
	['/articles?offset=-1', 'offset'],
	['/articles?limit=99999999999999999999', 'limit'],
	['/articles?cursor=' . 'A' x 1000, 'cursor'],
	['/articles?cursor=' . 'A' x 1001, 'cursor'],
	['/sync?limit=0', 'limit'], ['/sync?limit=1'], ['/sync?limit=100'],
	['/sync?limit=101', 'limit'],
	['/sync?cursor=' . 'A' x 2000, 'cursor'],
	['/sync?cursor=' . 'A' x 2001, 'cursor'],
	# docs/design.md §4.5
	['/articles?limit=', 'limit'], ['/articles?offset=', 'offset'],
	['/articles?drafts=', 'drafts'], ['/sync?since=', 'since'],
	['/articles?limit', 'limit'], ['/articles?cursor='], ['/sync?cursor='],
	['/articles?drafts=true'], ['/articles?drafts=false'],
	['/articles?drafts=True', 'drafts'], ['/articles?drafts=1', 'drafts'],
	['/articles?drafts=true%20', 'drafts'],
	['/articles?limit=1&limit=1', 'limit'],
	['/articles?limit=1&%6cimit=1', 'limit'],
	['/articles?drafts=true&drafts=true', 'drafts'],
	['/articles?limit=1.0', 'limit'], ['/articles?limit=+1', 'limit'],
	['/articles?limit=1e1', 'limit'], ['/articles?limit=0x1', 'limit'],
	['/articles?limit=%31'], ['/articles?limit=%3', 'limit'],
	['/articles?limit=%zz', 'limit'], ['/articles?limit=1%00', 'limit'],
	['/articles?limit=%FF', 'limit'], ['/articles?cursor=%C0%80', 'cursor'],
	['/articles?unknown=1&other=%FF&bad=%zz&nul=%00'],
	['/articles?%zz=1&&&=&limit=2'], ['/articles?Limit=0'],
	['/articles?cursor=x', 'cursor'], ['/articles?cursor=a%20b', 'cursor'],
	['/sync?since=2026-09-01T08:00:00Z'],
	['/sync?since=2026-09-01T08:00:00.123456789%2B02:00'],
	['/sync?since=2026-09-01T08:00:00', 'since'],
	['/sync?since=2026-09-01', 'since'],
	['/sync?since=2026-13-01T08:00:00Z', 'since'],
	['/sync?since=2026-02-29T08:00:00Z', 'since'],
	['/sync?since=2026-09-01T24:00:00Z', 'since'],
	['/sync?since=2026-09-01T08:00:00+02:00', 'since'],
	['/sync?since=yesterday', 'since'],
	['/sync?since=1970-01-01T00:00:00Z'],
	['/sync?since=9999-12-31T23:59:59Z'],
	['/sync?settings_revision='], ['/sync?settings_revision=anything'],
	['/sync?settings_revision=%FF', 'settings_revision'],
	["/articles/$id"], ['/articles/' . uc $id],
	["/articles/$id?limit=0"],
	["/articles/$id?drafts=no", 'drafts'],
	['/articles/x', 'id'], ["/articles/{$id}", 'id'],
	["/articles/$id ", 'id'], ['/articles/' . ($id =~ tr/-//dr), 'id'],
	["/articles/${id}0", 'id'], ['/articles/' . substr($id, 0, 35), 'id'],
);
for (@bounds) {
	my ($target, $param) = @$_;
	my $answer = $galley->get($target, key => $key);
	my $name = length $target > 60 ? substr($target, 0, 60) . '…' : $target;
	if (!defined $param) {
		is $answer->{status}, 200, "$name: 200" or diag $answer->{body};
		next;
	}
	is_error $answer, 400, 'invalid_request', "$name: 400";
	is $answer->{json}{param}, $param, "$name: names $param";
}

my $upper = $galley->get('/articles/' . uc $id, key => $key);
is $upper->{json}{data}[0]{id}, $id, 'an upper-case id is answered lower';

for my $target ('/articles/', '/sync/', '/connection/x', '/nothing', '/',
	"/articles/$id/", "/articles/$id/html", '/articles//') {
	is_error $galley->get($target), 404, 'not_found', "$target: 404, no key";
}
for my $method (qw(POST PUT DELETE PATCH FOO)) {
	for my $target ('/articles', "/articles/$id", '/sync', '/connection') {
		my $answer = $galley->request($method, $target);
		is_error $answer, 405, 'method_not_allowed',
			"$method $target: 405, no key";
		is $answer->{headers}{allow}, 'GET, HEAD, OPTIONS', 'says Allow';
	}
}
my $options = $galley->request('OPTIONS', '/articles');
is $options->{status}, 204, 'OPTIONS: 204 without a key';
is $options->{headers}{allow}, 'GET, HEAD, OPTIONS', 'with Allow';
ok !grep { /^access-control/ } keys %{ $options->{headers} }, 'and no CORS';

my $head = $galley->request('HEAD', '/articles', key => $key);
my $get = $galley->get('/articles', key => $key);
is $head->{status}, 200, 'HEAD goes with GET';
is $head->{headers}{etag}, $get->{headers}{etag}, 'with its ETag';
is $head->{headers}{'content-length'}, length $get->{body}, 'and its length';

is_error $galley->get('/articles?x=' . 'a' x 8200), 414, 'uri_too_long',
	'a target over 8,190 bytes: 414';
is_error $galley->get('/articles', key => $key, body => 'x' x 65537), 413,
	'payload_too_large', 'a body over 64 KiB: 413';
is $galley->get('/articles', key => $key, body => 'x' x 65536)->{status}, 200,
	'a body that nobody asked for is drained';
is_error $galley->get('/articles', key => $key,
	headers => { 'Content-Length' => 'many' }), 400, 'invalid_request',
	'a length that is none: 400';

done_testing;
