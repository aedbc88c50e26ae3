# When Apache compresses answers, it adds a suffix to their ETag. Proves that a client that sends
# this ETag back gets its 304 (docs/design.md §4.3).
# suite: fast

use strict;
use warnings;

use lib 'tests/lib';
use Test::More;
use Galley;

my $galley = Galley->new;
my $workspace = $galley->workspace;
my $key = $galley->key($workspace);
my ($id) = $galley->import_text($workspace,
	"# A title\n\n" . "A sentence of some length. " x 200 . "\n");
my %gzip = ('Accept-Encoding' => 'gzip');

for my $way (Galley::Server::ways()) {
	my ($kind, @options) = @$way;
	my $server = $galley->serve(@options,
		compressed => 1);
	for my $path ('/connection', '/articles', "/articles/$id", '/sync') {
		my $plain = $server->get($path, key => $key);
		is $plain->{status}, 200, "$kind: $path is answered";
		my $etag = $plain->{headers}{etag};
		like $etag, qr/^"[0-9a-f]{32}"$/, "$kind: $path has an ETag";

		my $packed = $server->get($path, key => $key, headers => \%gzip);
		my $suffixed = $packed->{headers}{etag};
		is $packed->{headers}{'content-encoding'}, 'gzip',
			"$kind: $path is compressed when asked for";
		isnt $suffixed, $etag, "$kind: $path then has another ETag";

		for my $sent ($etag, $suffixed, "W/$etag", "\"x\", $suffixed", '*') {
			for my $headers ({}, \%gzip) {
				my $got = $server->get($path, key => $key, headers => {
					%$headers, 'If-None-Match' => $sent });
				is $got->{status}, 304, "$kind: $path is unchanged since $sent"
					. (%$headers ? ', compressed' : '');
				is $got->{body}, '', 'and has no body';
			}
		}
		my $other = $etag =~ s/[0-9a-f]/x/r;
		is $server->get($path, key => $key,
			headers => { 'If-None-Match' => $other })->{status}, 200,
			"$kind: $path is sent again when the ETag differs";
	}
	$server->stop;
}

done_testing;
