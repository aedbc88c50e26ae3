# Proves that the console's pages, and those of the program pages, reach a browser as the programs
# print them, in each way in which a web server can run them, and that the web server's own errors
# below them are pages with the header fields of docs/console.md §3.11 and §4.5.

use strict;
use warnings;

use lib 'tests/lib';
use Arrives qw(compare direct);
use Test::More;
use Galley;
use Galley::Console;
use Galley::Picture qw(png png_chunk);

# What every page has, the web server's own too.
my %page = (
	'content-security-policy' => q{default-src 'none'; style-src 'self'; script-src 'self';}
		. q{ img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-src 'self';}
		. q{ frame-ancestors 'none'; base-uri 'none'},
	'x-content-type-options' => 'nosniff',
	'referrer-policy' => 'same-origin',
	'cross-origin-opener-policy' => 'same-origin',
	'cross-origin-resource-policy' => 'same-origin',
	'vary' => 'Cookie',
	'x-robots-tag' => 'noindex',
	'cache-control' => 'no-store',
);

# The same of the program pages, at an instance without https.
my %strangers = (
	'content-security-policy' => q{default-src 'none'; img-src 'self' https: data:;}
		. q{ style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'},
	'x-content-type-options' => 'nosniff',
	'referrer-policy' => 'no-referrer',
	'cross-origin-opener-policy' => 'same-origin',
	'cross-origin-resource-policy' => 'same-origin',
	'x-robots-tag' => 'noindex, nofollow, noarchive',
	'cache-control' => 'no-store',
	'vary' => undef,
);

sub is_page {
	my ($answer, $status, $name, $wanted) = @_;
	$wanted //= \%page;
	$answer //= { status => 0, headers => {}, body => '' };
	is $answer->{status}, $status, "$name: the status";
	my %got = map { $_ => $answer->{headers}{$_} } keys %$wanted;
	is_deeply \%got, $wanted, "$name: the header fields of a page";
	is $answer->{headers}{'x-api-version'}, undef, "$name: none of the API";
	like $answer->{headers}{'content-type'} // '', qr{^text/html; ?charset=utf-8$}i,
		"$name: HTML";
	like $answer->{body}, qr{^<!doctype html>.*</html>\s*$}si, "$name: a whole page";
}

my $boundary = '----a boundary';
sub form {
	my ($len) = @_;
	return "--$boundary\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\n"
		. 'x' x $len . "\r\n--$boundary--\r\n";
}

my $type = "multipart/form-data; boundary=\"$boundary\"";
my $absent = '00000000-0000-4000-8000-000000000000';
for my $shared (Galley::Server::hosts()) {
	my $galley = Galley->new(shared => $shared);
	my $workspace = $galley->workspace;
	my ($article) = $galley->import_text($workspace, "# Shared\n\nText.\n");
	my $link;
	my $prefix = $shared ? '/galley' : '';
	for my $way (Galley::Server::ways($shared)) {
		my ($kind, @options) = @$way;
		my $server = $galley->serve(@options);
		my $origin = 'http://127.0.0.1:' . $server->port;
		my $name = ($shared ? '.htaccess' : 'vhost') . " $kind";
		$galley->conf(public_url => $server->url);
		my %sent = (headers => { 'Content-Type' => $type, Origin => $origin });
		my @request = (
			[GET => ''], [GET => '/'], [HEAD => '/'], [GET => '/me?a=b&c=%2F'],
			[GET => "/$absent/articles"], [GET => '/nothing'], [GET => '/a%0Ab'],
			[GET => '/assets/nothing.css'], [PUT => '/', body => 'x'],
			[POST => '/sign-in', %sent, body => ''],
			[POST => '/sign-in', %sent, body => 'x' x 1000],
			[POST => '/sign-in', %sent, body => form(300 * 1024)],
			[POST => '/sign-in', %sent, body => form(2 * 1024 * 1024)],
			[POST => '/sign-in', body => 'a=b'],
			[GET => '/', headers => { Cookie => 'galley=x; galley=y' }],
		);
		for my $request (@request) {
			my ($method, $path, %option) = @$request;
			my $direct = direct($galley, $server, $method, $path, %option);
			my $served = $server->fetch($method, "/console$path", %option);
			compare("$name: $method $path" . (length $option{body} // ''), $method,
				$direct, $served);
		}

		# Pages of strangers. A process of theirs that stays reads what the tool kept.
		$galley->must(qw(config show public_url));
		$link //= $galley->must(qw(article share), $article)->{link} =~ s{.*/pages}{}r;
		for my $request ([GET => $link], [HEAD => $link], [GET => '/share/ab_share_0'],
			[GET => ''], [GET => '/share/a%0Ac'], [PUT => $link, body => 'x' x 60000]) {
			my ($method, $path, %option) = @$request;
			my $direct = direct($galley, $server, $method, $path, %option,
				program => 'pages');
			my $served = $server->fetch($method, "/pages$path", %option);
			compare("$name: pages: $method " . substr($path, 0, 16), $method, $direct,
				$served);
		}
		my $shown = $server->fetch(GET => "/pages$link");
		like $shown->{body}, qr{A preview, shared until}, "$name: a shared preview";
		my ($looks) = $shown->{body} =~ /href="([^"]*\.css)"/;
		my $kept = $server->fetch(GET => ($looks // '/none') =~ s/^\Q$prefix\E//r);
		is $kept->{status}, 200, "$name: and its style sheet";
		like $kept->{headers}{'cache-control'}, qr/immutable/, "$name: which is kept";

		# A person who is signed in: cookies and forms of any length come and go.
		my $console = Galley::Console->of($galley, $server->url);
		my $person = $console->person(role => 'operator',
			email => $server->port . '@example.org');
		my $browser = $console->as($person, server => $server);
		my $home = $browser->get('/');
		is $home->status, 200, "$name: Home" or diag $home->body;
		for my $kib (1, 300) {
			my $new = $browser->get("/$workspace/articles/new");
			my $saved = $new->submit('Save', Title => "A text of $kib KiB",
				Text => 'word ' x (1024 * $kib / 5));
			like $saved->{status} // $saved->status, qr/^(?:200|303|422)$/,
				"$name: an article of $kib KiB is read";
		}
		# Its metadata makes it large: what is stored has 100 bytes.
		my $picture = png(10, 10, before => [png_chunk('tEXt', "a\0" . 'x' x (20 << 20))]);
		like $browser->get("/$workspace/pictures")->press('Upload', Picture =>
			{ filename => 'a.png', type => 'image/png', bytes => $picture })->{address},
			qr{/pictures/[0-9a-f]{64}}, "$name: a picture of 20 MiB is stored";
		my $out = $browser->get('/')->press('Sign out');
		is $browser->request('GET', '/')->status, 303, "$name: and signs out";

		# Under another name the console says where it is.
		my $other = "Host: x.example\r\nConnection: close\r\n";
		my $moved = $server->raw("GET $prefix/console/me?a=b HTTP/1.1\r\n$other\r\n");
		is_page({ %$moved, body => '<!doctype html></html>' }, 308, "$name: another host");
		is $moved->{headers}{location}, $server->url . '/console/me?a=b',
			"$name: and where it is";
		is_page($server->raw("POST $prefix/console/sign-in HTTP/1.1\r\n$other"
			. "Content-Type: $type\r\nContent-Length: 3\r\n\r\nabc"), 403,
			"$name: a form under another host");

		# More than a form may have: the program's page up to 9 MiB, then the server's.
		my $large = $server->fetch(POST => '/console/sign-in', %sent,
			body => form(8 * 1024 * 1024));
		is_page($large, 413, "$name: a form of more than 8 MiB");
		# The sheet that a page names is there.
		my ($sheet) = $large->{body} =~ /href="([^"]*\.css)"/;
		my $got = $server->fetch(GET => ($sheet // '/none') =~ s/^\Q$prefix\E//r);
		is $got->{status}, 200, "$name: the style sheet";
		like $got->{headers}{'cache-control'}, qr/immutable/, "$name: which is kept";
		like $got->{headers}{'content-type'}, qr{^text/css}, "$name: and is one";
		is_page($server->fetch(POST => '/console/sign-in', %sent,
			body => form(10 * 1024 * 1024)), 413, "$name: a form of 10 MiB");
		is $server->fetch(POST => '/api/v1/generate', body => 'x' x 65537)->{status}, 413,
			"$name: the API's bodies are as short as before" if !$shared;
		is $server->fetch(GET => '/consolex')->{headers}{'content-type'},
			'application/json', "$name: beside it is no console";

		if ($server->{pools}) {
			$server->{pools}->stop;
			is_page($server->fetch(GET => '/console/me'), 503, "$name: no process");
			is_page($server->fetch(GET => "/pages$link"), 503, "$name: no process",
				\%strangers);
		}
		$server->stop;
	}

	# A program that is broken, or gone: elsewhere it is one that does not listen.
	next if Galley::Server::is_nginx();
	my $program = $galley->programs . '/cgi-bin/console';
	Galley::spew($program, "no program\n");
	my $server = $galley->serve;
	my $name = $shared ? '.htaccess' : 'vhost';
	is_page($server->fetch(GET => '/console/me'), 500, "$name: a program that cannot be run");
	is_page($server->fetch(POST => '/console/me', body => 'x'), 500, "$name: and a form to it");
	chmod 0, $program;
	is_page($server->fetch(GET => '/console/me'), 500, "$name: a program without the right mode");
	unlink $program;
	is_page($server->fetch(GET => '/console/me'), 404, "$name: a program that is gone");
	Galley::spew($galley->programs . '/cgi-bin/pages', "no program\n");
	is_page($server->fetch(GET => "/pages$link"), 500, "$name: pages that cannot be run",
		\%strangers);
	unlink $galley->programs . '/cgi-bin/pages';
	is_page($server->fetch(GET => "/pages$link"), 404, "$name: pages that are gone",
		\%strangers);
	is $server->fetch(GET => '/nothing')->{headers}{'content-type'}, 'application/json',
		"$name: other errors are JSON as before";
	$server->stop;
}

done_testing;
