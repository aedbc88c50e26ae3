# The console answers at its own address alone (docs/console.md §3.6): under another host or
# scheme a page leads there and a form is refused, and no byte of an address gets into a header.
# suite: fast
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley::Console;

# The address as an operator may write it.
my $console = Galley::Console->new(conf => { public_url => 'https://Galley.example:443/' });
my $galley = $console->galley;
my $browser = $console->browser;
sub asked {
	my ($host, $path, %option) = @_;
	return $browser->request($option{method} // 'GET', $path,
		headers => { Host => $host }, env => { HTTPS => $option{https} // 'on' });
}

my $sign_in = qr{^/console/sign-in};
like asked('galley.example', '/')->header('location'), $sign_in, 'the host';
like asked('GALLEY.example:443', '/')->header('location'), $sign_in, "the host with the scheme's port";
for my $case (['other.example', 'on'], ['galley.example:8443', 'on'], ['galley.example', 'off'],
	['galley.example.', 'on'], ['galley.example@other.example', 'on'], ['', 'on'],
	['galley.example:80', 'on']) {
	my ($host, $https) = @$case;
	my $page = asked($host, '/x?a=b%20c', https => $https);
	is $page->status, 308, "'$host' ($https): a page is elsewhere";
	is $page->header('location'), 'https://Galley.example/console/x?a=b%20c', 'at the address';
	$page = asked($host, '/x', https => $https, method => 'POST');
	is $page->status, 403, 'a form is refused';
	like $page->text, qr{https://Galley\.example/console/}, 'and told where the console is';
}

# A path is decoded when it arrives.
my $page = asked('other.example', '/a%0D%0ASet-Cookie:%20x=y/%20%22%3Cb%3E%3F%23%25%C3%A9');
is $page->status, 308, 'a path with all that an address cannot hold';
is $page->header('location'), 'https://Galley.example/console'
	. '/a%0D%0ASet-Cookie:%20x=y/%20%22%3Cb%3E%3F%23%25%C3%A9', 'comes back as it was sent';
is $page->header('set-cookie'), undef, 'and makes no header';

# Without an address nothing of the console answers.
$galley->conf(public_url => '');
is asked('galley.example', '/')->status, 503, 'no address is set: 503';
done_testing();
