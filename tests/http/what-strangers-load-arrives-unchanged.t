# Proves that what strangers in a browser load reaches them as it is, in each way in which a web
# server can run the programs: the pages, and the scripts on customers' sites. The web server's
# own errors below /pages are pages that no search engine lists, also those that it makes before
# it knows whose address it is; and no log of ours says who sent what to /collect.
# suite: fast

use strict;
use warnings;

use lib 'tests/lib';
use Arrives qw(compare direct);
use JobRun;
use Test::More;
use Galley;

my $host = "Host: 127.0.0.1\r\nConnection: close\r\n";

sub is_hidden_page {
	my ($name, $status, $answer) = @_;
	$answer //= { status => 0, headers => {}, body => '' };
	my $of = $answer->{headers};
	is $answer->{status}, $status, "$name: the status";
	like $of->{'x-robots-tag'} // '', qr/\bnoindex\b/, "$name: no search engine lists it";
	like $of->{'content-type'} // '', qr{^text/html; ?charset=utf-8$}i, "$name: HTML";
	like $answer->{body}, qr{^<!doctype html>.*<meta name="robots" content="noindex.*</html>\s*$}si,
		"$name: a whole page, which says so, too";
	is $of->{'cache-control'}, 'no-store', "$name: nobody keeps it";
	is $of->{'x-api-version'}, undef, "$name: nothing of the API";
	like $of->{'x-request-id'} // '', qr/^[\w\@-]{20,64}$/, "$name: an id";
}

# Errors that Apache makes before it looks for a <Location>. What no browser can send (TRACE, two
# lengths, an expectation) is answered in JSON still.
my @errors = (
	['a bad escape', 400, 'GET /pages/demo/100%-wool'],
	['a slash in a name', 404, 'GET /pages/demo/a%2fb'],
	['an encoded NUL', 404, 'GET /pages/demo/a%00'],
	['the folder alone', 400, 'GET /pages%zz', 'not below it'],
);

sub check_errors {
	my ($name, $server) = @_;
	for my $error (@errors) {
		my ($what, $status, $line, $field) = @$error;
		($status) = $server->expects($what, $status);
		my $json = ($field // '') eq 'not below it';
		my $answer = $server->raw("$line HTTP/1.1\r\n$host" . ($json ? '' : $field // '') . "\r\n");
		is_error($answer, $status, 'invalid_request', "$name: $what") if $json;
		is_hidden_page("$name: $what", $status, $answer) if !$json;
	}
	my $console = $server->raw("GET /console/%zz HTTP/1.1\r\n$host\r\n");
	like $console->{body}, qr{^<!doctype html>}i, "$name: an error of the console is a page, too";
	is_error $server->raw("GET /api/v1/articles/%zz HTTP/1.1\r\n$host\r\n"), 400, 'invalid_request',
		"$name: an error of the API is JSON";
	is_error $server->raw("GET /pagesx/%zz HTTP/1.1\r\n$host\r\n"), 400, 'invalid_request',
		"$name: beside the pages, too";
	return if Galley::Server::is_nginx();
	is $server->fetch(GET => "/$_-errors/as-api-errors/400.json")->{status}, 200,
		"$name: its address is a file's" for qw(pages console);
}

# Pages as the program prints them, compressed and not, and each again as a 304.
sub check_pages {
	my ($name, $server, $galley) = @_;
	my $list = $server->fetch(GET => '/pages/demo/')->{body};
	my ($slug, $theme) = map { $list =~ m{href="[^"]*?/pages/demo/($_)"} ? $1 : "none-$_" }
		'[a-z0-9-]+', 'theme-\w+\.css';
	my @found = map { "/demo/$_" } '', $slug, 'feed.atom', 'feed.json', '?language=en';
	my @requests = (map({ [GET => $_], [HEAD => $_] } @found, "/demo/$theme"),
		[GET => '/demo'], [GET => '/demo/?tag=a&section=b'], [GET => '/demo/?before=x'],
		[GET => '/demo/nothing'], [GET => "/demo/$slug/"], [GET => '/nobody/'],
		[GET => '/Demo/'], [GET => '/demo/caf%C3%A9'], [GET => '/demo/a%20b'],
		[POST => '/demo/', body => 'x' x 1000], [GET => '/demo/', body => 'x' x 1000], [OPTIONS => '/demo/'],
		[GET => "/demo/$slug", headers => { Range => 'bytes=0-9' }],
		[GET => "/demo/$slug", headers => { 'If-Match' => '"x"' }],
		[GET => '/demo/', headers => { Cookie => 'a=b', Authorization => 'Bearer x' }]);
	for my $request (@requests) {
		my ($method, $path, %option) = @$request;
		my $direct = direct($galley, $server, $method, $path, %option, program => 'pages');
		my $served = $server->fetch($method, "/pages$path", %option);
		my $vary = delete $served->{headers}{vary} // ''; # mod_deflate's alone
		like $vary, qr/^(?:Accept-Encoding)?$/, "$name: $method $path: it is the same for all";
		compare("$name: $method $path", $method, $direct, $served);
		is $served->{status}, $method eq 'GET' ? 200 : 405, "$name: $method $path: a body is passed over"
			if $option{body};
		like $served->{headers}{'x-robots-tag'} // '', qr/\bnoindex\b/,
			"$name: $method $path: no search engine lists it";
		is $served->{headers}{'set-cookie'}, undef, "$name: $method $path: no cookie";
	}
	my %gzip = ('Accept-Encoding' => 'gzip');
	for my $path (@found) {
		my $plain = $server->fetch(GET => "/pages$path");
		is $plain->{status}, 200, "$name: $path is there";
		my $packed = $server->fetch(GET => "/pages$path", headers => \%gzip);
		is $packed->{headers}{'content-encoding'}, 'gzip', "$name: $path is compressed";
		for my $tag ($plain->{headers}{etag}, $packed->{headers}{etag}) {
			my $answer = $server->fetch(GET => "/pages$path",
				headers => { %gzip, 'If-None-Match' => $tag });
			is $answer->{status}, 304, "$name: $path: unchanged since $tag";
			like $answer->{headers}{'x-robots-tag'} // '', qr/\bnoindex\b/,
				"$name: $path: and hidden still";
			is $answer->{body}, '', "$name: $path: without a body";
		}
	}
}

# Hits and what is refused. Bodies that Apache refuses itself and those that the program refuses
# are the same status.
sub check_collect {
	my ($name, $server, $galley, $site) = @_;
	my $origin = 'https://www.example.com';
	my $body = qq({"site_id":"$site","path":"/a","consent":true});
	my %sent = (headers => { Origin => $origin, 'Content-Type' => 'text/plain',
		'User-Agent' => 'Mozilla/5.0', 'Accept-Language' => 'en' });
	my $file = $galley->home . '/run/hits/open';
	my $size = -s $file // 0;
	for my $case (
		[204, 'a hit', POST => $body], [204, 'in chunks', POST => $body, chunked => 1],
		[405, 'GET', GET => undef], [405, 'PUT', PUT => $body],
		[413, 'too long', POST => $body . ' ' x 1024],
		[413, 'far too long', POST => 'x' x 70_000],
		[413, 'in chunks, too long', POST => 'x' x 70_000, chunked => 1],
		[400, 'no JSON', POST => '{'], [400, 'nothing', POST => ''],
		[403, 'another origin', POST => $body, headers => { %{ $sent{headers} },
			Origin => 'https://other.example' }],
		[403, 'no consent', POST => $body =~ s/,"consent":true//r],
		[404, 'another site', POST => $body =~ s/\Q$site\E/0 x 36/er],
	) {
		my ($status, $what, $method, $content, %option) = @$case;
		my $answer = $server->fetch($method, '/collect', %sent,
			defined $content ? (body => $content) : (), %option);
		is $answer->{status}, $status, "$name: $what";
		# What Apache refuses itself is its error of the API.
		delete $answer->{headers}{'x-api-version'} if length($content // '') > 60_000;
		is $answer->{headers}{$_}, undef, "$name: $what: no $_"
			for qw(set-cookie x-api-version access-control-allow-origin);
		like $answer->{headers}{'x-request-id'} // '', qr/^[\w\@-]{20,64}$/, "$name: $what: an id";
	}
	my $lines = () = substr(Galley::slurp($file), $size) =~ m{(?<=\t)/a(?=[\t\n])}g;
	is $lines, 2, "$name: each hit is noted once";
	is $server->fetch(GET => '/collect/x')->{status}, 404, "$name: nothing is below it";
}

sub check_scripts {
	my ($name, $server, $galley) = @_;
	for my $script (qw(embed.js collect.js)) {
		my $bytes = Galley::slurp($galley->programs . "/htdocs/$script");
		my $answer = $server->fetch(GET => "/$script");
		my $of = $answer->{headers};
		is $answer->{status}, 200, "$name: $script";
		is $answer->{body}, $bytes, "$name: $script: its bytes";
		like $of->{'content-type'}, qr{^text/javascript(?:; ?charset=utf-8)?$}i, "$name: $script: its type";
		is $of->{'cache-control'}, 'public, max-age=3600', "$name: $script: it is kept for an hour";
		is $of->{'cross-origin-resource-policy'}, 'cross-origin', "$name: $script: any site may load it";
		is $of->{'x-content-type-options'}, 'nosniff', "$name: $script: as nothing else";
		is $of->{'x-api-version'}, undef, "$name: $script: nothing of the API";
		is $of->{'set-cookie'}, undef, "$name: $script: no cookie";
		my %gzip = ('Accept-Encoding' => 'gzip');
		my $packed = $server->fetch(GET => "/$script", headers => \%gzip);
		for my $tag ($of->{etag}, $packed->{headers}{etag}) {
			is $server->fetch(GET => "/$script", headers => { %gzip, 'If-None-Match' => $tag })->{status},
				304, "$name: $script: unchanged since $tag";
		}
		is $server->fetch(GET => "/$script", headers => { 'If-None-Match' => '"x"' })->{status}, 200,
			"$name: $script: sent to who has another";
		is $server->fetch(HEAD => "/$script")->{body}, '', "$name: $script: HEAD";
		is $server->fetch(PUT => "/$script", body => 'x')->{status}, 405, "$name: $script: is only read";
	}
}

# On shared hosts one .htaccess answers https and plain http: where https is required the scripts
# have moved. (On a server of one's own a line of the host of plain http says so: INSTALL.md, 1.5.)
sub check_scripts_move {
	my ($name, $server, $galley) = @_;
	my $url = $server->url;
	for my $script (qw(embed.js collect.js)) {
		for my $base ('https://galley.example/galley', 'https://read.example') {
			$galley->conf(require_https => 'on', public_url => 'https://galley.example/galley',
				pages_url => $base);
			for my $method (qw(GET HEAD)) {
				my $answer = $server->fetch($method => "/$script");
				is $answer->{status}, 301, "$name: $method $script: over plain http it has moved";
				is $answer->{headers}{location}, "$base/$script", "$name: to where the pages are";
				is $answer->{headers}{'cross-origin-resource-policy'}, 'cross-origin',
					"$name: for any site";
			}
		}
		is $server->fetch(GET => "/$script?v=1")->{headers}{location}, "https://read.example/$script",
			"$name: without its query";
		$galley->conf(trusted_proxies => '127.0.0.1');
		is $server->fetch(GET => "/$script", headers => { 'X-Forwarded-Proto' => 'https' })->{body},
			Galley::slurp($galley->programs . "/htdocs/$script"), "$name: $script: a proxy had https";
		$galley->conf(trusted_proxies => '', pages_url => '', public_url => $url);
		is $server->fetch(GET => "/$script")->{status}, 403, "$name: without an https address it is refused";
		$galley->conf(require_https => 'off');
		is $server->fetch(GET => "/$script")->{status}, 200, "$name: else it is there";
	}
}

# Requests to /collect in any spelling are in no log; those beside it are.
sub check_logs {
	my ($name, $server, $galley) = @_;
	my $mark = 'noted' . $server->port;
	for my $path ('/collect', '/%63ollect', "/collect?$mark", "/collect/?$mark", "/collect#$mark") {
		$server->fetch(POST => $path, body => '{}', headers => { Origin => "https://$mark.example",
			Referer => "https://$mark.example/" });
	}
	$server->fetch(POST => '/collect', body => 'x' x 70_000,
		headers => { Referer => "https://$mark.example/" });
	$server->fetch(GET => "/collect.js?last=$mark");
	my ($log, $errors);
	JobRun::wait_until(10, sub {
		($log = Galley::slurp($server->log_file('access'))) =~ /last=$mark/;
	});
	unlike $log, qr{(?:/collect|/%63ollect)[?# ]}, "$name: no request to /collect is in the access log";
	like $log, qr{/collect\.js\?last=$mark}, "$name: others are";
	my @lines = grep { /\bclient\b/ && /\bcollect\b(?!\.js)/ }
		split /\n/, Galley::slurp($server->log_file('error'));
	is "@lines", '', "$name: nor who sent it in the error log";
}

# The pages have a host name of their own, as INSTALL.md says: a second virtual host with the same
# lines.
sub check_own_host {
	my ($galley, $site) = @_;
	my $server = $galley->serve(names => ['api.example', 'read.example']);
	$galley->conf(public_url => 'http://api.example', pages_url => 'http://read.example');
	# The collector learns the pages' origin from any change of settings.
	$galley->must(qw(workspace set), $galley->sql('SELECT uuid FROM workspace')->[0]{uuid},
		'pages_title=Read');
	my $ask = sub {
		my ($line, $body, @fields) = @_;
		return $server->raw(join("\r\n", "$line HTTP/1.1", 'Host: read.example', 'Connection: close',
			@fields, 'Content-Length: ' . length $body) . "\r\n\r\n$body");
	};
	my $list = $ask->('GET /pages/demo/', '');
	is $list->{status}, 200, 'a host of their own: the pages';
	my ($sheet) = $list->{body} =~ m{href="(/pages/demo/theme-\w+\.css)"};
	is $ask->("GET $sheet", '')->{status}, 200, '    and what they load';
	like $ask->('GET /pages/demo/feed.json', '')->{body}, qr{"home_page_url":"http://read\.example/pages/demo/"},
		'    are known by its name';
	is $ask->("GET /$_", '')->{status}, 200, "    and so is $_" for qw(embed.js collect.js robots.txt);
	my $hit = qq({"site_id":"$site","path":"/pages/demo/","consent":true});
	my @from = ('Content-Type: text/plain', 'User-Agent: Mozilla/5.0', 'Accept-Language: en');
	is $ask->('POST /collect', $hit, @from, 'Origin: http://read.example')->{status}, 204,
		'    and the pages are counted there';
	is $ask->('POST /collect', $hit, @from, 'Origin: http://api.example')->{status}, 403,
		'    and nowhere else';
	my $page = $ask->('GET /pages/demo/a%2fb', '');
	is_hidden_page('a host of their own: an error', 404, $page);
	like $ask->('GET /console/', '')->{headers}{location} // '', qr{^http://api\.example/console/},
		'    the console has its own';
	$server->stop;
}

for my $shared (Galley::Server::hosts()) {
	my $galley = Galley->new(shared => $shared, conf => { pages_per_minute => 0, collect_per_minute => 0 });
	my $workspace = $galley->workspace;
	$galley->import_text($workspace, "# A title\n\nText.\n", "# Another\n\nText.\n");
	$galley->must(qw(workspace set), $workspace, 'pages=demo', 'analytics_enabled=on',
		'analytics_origins=https://www.example.com');
	my $site = $galley->get('/connection', key => $galley->key($workspace))
		->{json}{analytics}{site_id};
	for my $way (Galley::Server::ways($shared)) {
		my ($kind, @options) = @$way;
		my $server = $galley->serve(@options, compressed => 1);
		my $name = ($shared ? '.htaccess' : 'vhost') . " $kind";
		$galley->conf(public_url => $server->url);
		$galley->must(qw(config show public_url));
		check_pages($name, $server, $galley);
		check_collect($name, $server, $galley, $site);
		check_scripts($name, $server, $galley);
		check_scripts_move($name, $server, $galley) if $shared;
		check_errors($name, $server) if !$shared;
		check_logs($name, $server, $galley) if !$shared;
		$server->stop;
	}
	check_own_host($galley, $site) if !$shared;
}

done_testing;
