# provider-openai: proves that it asks for the image last and at most twice, and delivers the
# article without it if it fails.
use strict;
use warnings;

use lib 'tests/lib';
use FakeOpenAI;
use MIME::Base64 qw(encode_base64);
use OpenAIRun;
use Test::More;

my $png = FakeOpenAI::png(1536, 1024);
my $good_steps;

# Runs an article job whose image requests are answered by this sub. The text
# comes from stored steps, so that only the image is asked for.
sub with_image {
	my ($sub, %option) = @_;
	my $fake = FakeOpenAI->start(sub {
		my ($request) = @_;
		return $sub->($request);
	});
	my $run = OpenAIRun->new($fake, %{ delete $option{conf} // {} });
	my $done = $run->order(image => 1, steps => $good_steps,
		deadline_s => 12, %option);
	$done->{asked} = [map { $_->{path} } $fake->requests];
	$done->{requests} = [$fake->requests];
	return $done;
}

sub is_without {
	my ($done, $asked, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	subtest $name => sub {
		ok $done->{result}, 'the article is there';
		is $done->{result}{image}, undef, 'without image';
		is $done->{usage}{images}, 0, 'none is charged';
		is scalar @{ $done->{asked} }, $asked, "asked for $asked times";
		is_deeply [glob "$done->{scratch}/*"], [], 'no file is left';
	};
}

sub b64 { return answer({ data => [{ b64_json => encode_base64($_[0], $_[1] // "\n") }] }) }
sub gif { return "GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0"
	. "\x01\0\x01\0\0\x02\x02D\x01\0;" }

{
	my $fake = FakeOpenAI->start;
	$good_steps = OpenAIRun->new($fake)->order->{steps};
	is scalar keys %$good_steps, 6, 'the text is stored in steps';
}

my $done = with_image(\&picture_answer);
is $done->{result}{image}{file}, 'cover.png', 'a picture as base64';
is $done->{usage}{images}, 1, 'is counted';
is Galley::slurp("$done->{scratch}/cover.png"), $png, 'and is that picture';
is $done->{requests}[0]{json}{size}, '1536x1024', 'asked for wide';

$done = with_image(sub { b64($png, '') });
is $done->{result}{image}{file}, 'cover.png', 'base64 without line ends';

$done = with_image(sub {
	my ($request) = @_;
	return failure(400, { message => 'Invalid size' })
		if exists $request->{json}{size};
	return picture_answer();
});
ok $done->{result}{image}, 'a size that is refused is left out';

# A picture at an address.
my $port;
sub at_address {
	my ($url) = @_;
	return sub {
		my ($request) = @_;
		return FakeOpenAI::http(200, 'image/png', $png)
			if $request->{method} eq 'GET';
		$port = $1 if $request->{headers}{host} =~ /:(\d+)/;
		return answer({ data => [{ url => $url =~ s/PORT/$port/r }] });
	};
}
$done = with_image(at_address('http://127.0.0.1:PORT/v1/files/1.png'));
is $done->{result}{image}{file}, 'cover.png', 'a picture at an address';
my ($get) = grep { $_->{method} eq 'GET' } @{ $done->{requests} };
is $get->{headers}{authorization}, undef, 'is fetched without the key';

{
	my $other = FakeOpenAI->start(sub {
		FakeOpenAI::http(200, 'image/png', $png) });
	$done = with_image(at_address($other->url . '/1.png'));
	is_without($done, 2, 'an address in the private network elsewhere');
	is scalar(my @none = $other->requests), 0, 'is not visited';
	$done = with_image(at_address('http://127.0.0.1:PORT@127.0.0.1:'
		. $other->port . '/1.png'));
	is_without($done, 2, 'an address that only looks like the endpoint');
	is scalar(@none = $other->requests), 0, 'neither';
	$done = with_image(sub {
		my ($request) = @_;
		return at_address('http://127.0.0.1:PORT/x')->($request)
			if $request->{method} eq 'POST';
		return "HTTP/1.1 302 Go\r\nLocation: " . $other->url
			. "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
	});
	is_without($done, 4, 'an address that redirects');
	is scalar(@none = $other->requests), 0, 'leads nowhere';
}
for my $url ('file:///etc/passwd', 'ftp://127.0.0.1/x', '/relative',
	'http://169.254.169.254/latest/', 'data:image/png;base64,AAAA', '') {
	is_without(with_image(at_address($url)), 2, "the address $url");
}

my $refused = with_image(sub { failure(500, {}) });
is_without($refused, 2, 'HTTP 500');
cmp_ok $refused->{requests}[1]{came_at} - $refused->{requests}[0]{came_at}, '>', 0.19, 'which gets a pause before it is asked again';
is_without(with_image(sub { failure(401, {}) }), 2, 'HTTP 401');
is_without(with_image(sub { failure(429, {}, 'Retry-After' => 99) }), 2,
	'HTTP 429');
is_without(with_image(sub { reset_it() }), 2, 'a reset');
is_without(with_image(sub { answer({ data => [] }) }), 2, 'no data');
is_without(with_image(sub { FakeOpenAI::http(200, 'text/html', '<p>') }), 2,
	'HTML');
is_without(with_image(sub { b64('<svg onload="alert(1)"/>') }), 2, 'an SVG');
is_without(with_image(sub { b64(gif()) }), 2, 'a GIF');
is_without(with_image(sub { b64(substr $png, 0, -20) }), 2, 'half a PNG');
is_without(with_image(sub { b64(FakeOpenAI::png(9000, 10)) }), 2,
	'a picture that is too large');
is_without(with_image(sub { answer({ data => [{ b64_json => '!!' }] }) }), 2,
	'what is no base64');
is_without(with_image(sub { b64('x' x (9 << 20)) }, memory_mib => 512,
	deadline_s => 60), 2, 'nine megabytes');

$done = with_image(sub { hang() }, deadline_s => 2);
is_without($done, 2, 'an endpoint that hangs');

$done = with_image(\&picture_answer, conf => { openai_image_model => undef });
is_without($done, 0, 'without openai_image_model');
unlike join(' ', @{ $done->{stages} }), qr/image/, 'there is no such stage';

done_testing;
