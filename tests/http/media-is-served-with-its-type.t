# Proves that stored images are served with the type of their kind, may be cached for ever, and
# are never served as anything else (docs/design.md §5); thumbnails as well.

use strict;
use warnings;

use lib 'tests/lib';
use Test::More;
use Galley;

my %type = (
	'.png' => 'image/png',
	'.jpg' => 'image/jpeg',
	'.webp' => 'image/webp',
	'.gif' => 'image/gif',
	'-160-1.webp' => 'image/webp',
);

for my $shared (Galley::Server::hosts()) {
	my $kind = $shared ? '.htaccess' : 'virtual host';
	my $galley = Galley->new(init => 0, shared => $shared);
	my $media = $galley->programs . '/htdocs/media';
	my $digest = '0123456789abcdef' x 4;
	# Bytes that a guessing browser would take for a page.
	Galley::spew("$media/$digest$_", '<script>alert(1)</script>')
		for keys(%type), '.html', '.svg';
	my @others = ("$digest.png.tmp", ".$digest-160-1.webp.new", "$digest-160.webp", "$digest-160-1.html");
	Galley::spew("$media/$_", 'x') for @others;
	my $server = $galley->serve;

	for my $end (sort keys %type) {
		my $got = $server->fetch(GET => "/media/$digest$end");
		is $got->{status}, 200, "$kind: $end is served";
		is $got->{headers}{'content-type'}, $type{$end},
			"$kind: $end as $type{$end}";
		is $got->{headers}{'x-content-type-options'}, 'nosniff',
			"$kind: $end is not guessed at";
		is $got->{headers}{'cache-control'},
			'public, max-age=31536000, immutable',
			"$kind: $end may be cached for ever";
		my $etag = $got->{headers}{etag};
		$got = $server->fetch(GET => "/media/$digest$end",
			headers => { 'If-None-Match' => $etag });
		is $got->{status}, 304, "$kind: $end is compared by its ETag";
		is $got->{headers}{'cache-control'},
			'public, max-age=31536000, immutable',
			"$kind: $end may still be cached for ever";
	}
	for my $name ("$digest.html", "$digest.svg", @others) {
		my $got = $server->fetch(GET => "/media/$name");
		ok $got->{status} == 403 || $got->{status} == 404,
			"$kind: $name is not served";
		unlike $got->{headers}{'cache-control'}, qr/public/,
			"$kind: its error is not cached";
	}
	my $got = $server->fetch(GET => '/media/' . 'f' x 64 . '.png');
	is_error $got, 404, 'not_found', "$kind: an image that is not there";
	is $got->{headers}{'cache-control'}, 'no-store',
		"$kind: its absence is not cached";
	$server->stop;
}

done_testing;
