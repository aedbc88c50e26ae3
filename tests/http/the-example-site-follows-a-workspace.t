# Proves that examples/site follows a workspace: pages, index, sitemap and feed show the published
# articles, moved addresses redirect, unpublished pages are removed, and other files stay. Any web
# server shows the site, with either form of addresses.
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley;
use Galley::Process qw(run_program);
use HTTP::Tiny ();
use POSIX ();

plan skip_all => 'there is no python3 on this machine' if !-x '/usr/bin/python3';

my $galley = Galley->new;
my $site = $galley->scratch . '/public';
my $port = Galley::Server::free_port();
my $server = $galley->serve(extra => <<"END");
Listen 127.0.0.1:$port
<VirtualHost 127.0.0.1:$port>
DocumentRoot "$site"
<Directory "$site">
AllowOverride FileInfo Options Indexes
AddType text/html .html
AddType image/svg+xml .svg
Options FollowSymLinks
Require all granted
</Directory>
</VirtualHost>
END

# The server ends before the folder of the instance is removed.
END { $server->stop if $server }

my $workspace = $galley->workspace(website => 'https://www.example.com',
	address_pattern => '/blog/{slug}', publisher_name => 'Salt & Time', language => 'fr');
my $key = $galley->key($workspace);
my @ids = $galley->import_text($workspace, map {
	sprintf("---\ntitle: Text $_ & <more>\ndescription: About $_.\n"
		. "date: 2026-01-%02d\nlang: %s\n---\n\nWords of $_.\n", $_,
		$_ == 14 ? 'ar' : 'en');
} 1 .. 14);
my $store = $galley->scratch . '/store';

sub build {
	my (@words) = @_;
	return run_program(['/usr/bin/python3', 'examples/site/site.py',
		'--store', $store, @words, $site], env => { %ENV,
		PYTHONDONTWRITEBYTECODE => 1, GALLEY_KEY => $key,
		GALLEY_URL => $server->url . '/api/v1' });
}

sub built {
	my ($name, @words) = @_;
	my $done = build(@words);
	is "$done->{exit} $done->{err}", '0 ', $name;
}

sub page { return -e "$site/$_[0]" ? Galley::slurp("$site/$_[0]") : '' }
sub count { my ($text, $what) = @_; return scalar(() = $text =~ /$what/g) }
sub set { $galley->must(qw(article set), @_) }
sub republish { set(@_, grep({ /^slug=/ } @_) ? '--move' : ()); $galley->must(qw(article publish), $_[0]) }

# Checks the pages through Apache with `galley verify-page`.
sub as_exported {
	my ($what) = @_;
	my $seen = $galley->command('verify-page', '--workspace', $workspace,
		'--allow-private', '--origin', "http://127.0.0.1:$port");
	my @wrong = grep { !$_->{ok} } @{ $seen->{json} // [{}] };
	is scalar @wrong, 0, "$what is as exported" or diag explain $wrong[0];
}

# ---- the first run

mkdir $site;
Galley::spew("$site/own.html", 'mine');
Galley::spew("$site/robots.txt", 'mine');
my $done = build();
is $done->{exit}, 0, 'a first run';
like $done->{err}, qr{robots\.txt is not of this program},
	"a file that is not the site's is reported";
is page('robots.txt'), 'mine', 'and kept';
unlink "$site/robots.txt";
my $article = $server->get("/articles/$ids[0]", key => $key)->{json}{data}[0];
my $page = page('blog/text-0001/index.html');
isnt index($page, $article->{html}), -1, 'a page shows its article';
isnt index($page, $article->{head_html}), -1, 'with its head';
is count($page, '<h1'), 1, 'one H1';
is count($page, '<title>'), 1, 'one title';
is count($page, 'rel="canonical"'), 1, 'one canonical address';
like $page, qr/<html lang="en" dir="ltr">/, 'its language and direction';
like page('blog/text-0014/index.html'), qr/<html lang="ar" dir="rtl">/,
	'which other pages do not have';
like $page, qr{<a href="/"><img [^>]*>Salt &amp; Time</a>}, "the site's escaped name";
my $index = page('index.html');
my $second = page('page/2/index.html');
is_deeply [count($index, '<li '), count($second, '<li ')], [13, 1],
	'the index lists all, thirteen on a page';
like $index, qr{<h1><a href="/"><img [^>]*>Salt &amp; Time</a></h1>},
	'under the publisher';
like $index, qr{<html lang="fr" dir="ltr">}, "in the workspace's language";
like $index, qr{<li lang="ar" dir="rtl">.*?<time [^>]*>14 يناير 2026</time>},
	'with each entry in its own';
like $index, qr{<span>Page 1 sur 2</span><a class="older" rel="next" href="/page/2/">},
	'and leads to the next page';
like $second, qr{<title>Salt &amp; Time – Page 2 sur 2</title>\s*<link rel="canonical" href="https://www.example.com/page/2/">},
	'which has a title and an address of its own';
like $second, qr{<a class="newer" rel="prev" href="/">}, 'and leads back';
unlike $second, qr{rel="next"}, 'and no further';
like $second, qr{<a href="/blog/text-0001">Text 1 &amp; &lt;more&gt;</a>},
	'by their addresses and escaped titles';
is_deeply ["$index$second" =~ m{<h2><a href="/blog/text-00(\d\d)"}g],
	[map { sprintf '%02d', $_ } reverse 1 .. 14], 'newest first';
like $page, qr{<a class="newer" href="/blog/text-0002"><span>Newer</span> <b lang="en" dir="ltr">Text 2 &amp;},
	'an article leads to its neighbours';
like page('404.html'), qr{<meta name="robots" content="noindex">.*Cette page n’existe pas}s,
	'there is a page for missing addresses';
for my $file (qw(index.html page/2/index.html 404.html blog/text-0001/index.html)) {
	like page($file), qr{<link rel="icon" href="/favicon.svg" type="image/svg\+xml">},
		"$file has an icon";
}
like page('favicon.svg'), qr{^<svg .*>S</text></svg>$}, 'which is a picture';
is count(page('sitemap.xml'), '<loc>'), 15, 'the sitemap has them and the index';
is count(page('feed.xml'), '<entry'), 14, 'and the feed';
for my $file (qw(sitemap.xml feed.xml favicon.svg)) {
	my $read = run_program(['/usr/bin/python3', '-c',
		'import sys, xml.dom.minidom as d; d.parse(sys.argv[1])', "$site/$file"]);
	is $read->{exit}, 0, "$file is well formed" or diag $read->{err};
}
as_exported('every page');
my $written = (stat "$site/blog/text-0002/index.html")[1];
built('a second run');
is +(stat "$site/blog/text-0002/index.html")[1], $written, 'writes nothing again';
like page('robots.txt'), qr{^Sitemap: https://www.example.com/sitemap.xml$}m,
	'but missing files';

# ---- a plain web server

sub plainly {
	my ($name, @paths) = @_;
	my $port = Galley::Server::free_port();
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		open STDOUT, '>', '/dev/null';
		open STDERR, '>', '/dev/null';
		exec '/usr/bin/python3', '-m', 'http.server', '--bind', '127.0.0.1',
			'-d', $site, $port or POSIX::_exit(127);
	}
	my $http = HTTP::Tiny->new;
	for (1 .. 600) {
		last if $http->get("http://127.0.0.1:$port/")->{status} != 599;
		select undef, undef, undef, 0.05;
	}
	for my $path (@paths) {
		my $got = $http->get("http://127.0.0.1:$port$path");
		is $got->{status}, 200, "$name: $path is shown by a plain server";
		like $got->{content}, qr{<h1>(?:<bdi>)?Text \d+}, "$name: as a page"
			if $path =~ /text/;
	}
	kill TERM => $pid;
	waitpid $pid, 0;
}

plainly('/blog/{slug}', '/', '/page/2/', '/blog/text-0001', '/blog/text-0014',
	'/favicon.svg');

# ---- changes

republish($ids[0], 'title=Another title', 'slug=another-address');
set($ids[1], 'noindex=true');
$galley->must(qw(article publish), $ids[1]);
built('after changes');
ok -e "$site/blog/another-address/index.html" && !-e "$site/blog/text-0001/index.html",
	'a page moves with its slug';
like page('_redirects'), qr{^/blog/text-0001 /blog/another-address 301$}m,
	'the old address redirects';
unlike page('sitemap.xml'), qr{text-0002}, 'noindex is not in the sitemap';
republish($ids[0], 'slug=third-address');
built('after another move');
like page('_redirects'), qr{^/blog/text-0001 /blog/third-address 301$}m,
	'all old addresses lead to the newest';
republish($ids[11], 'slug=text-0001');
built('after another article has taken the old address');
unlike page('_redirects') . page('.htaccess'), qr{^/blog/text-0001 |\^blog/text-0001\$}m,
	'it does not redirect any more';
ok -e "$site/blog/text-0001/index.html", 'but shows the other article';
$galley->must(qw(article unpublish), $ids[2]);
built('after one was unpublished');
ok !-e "$site/blog/text-0003/index.html", 'its page is gone';
unlike page('index.html') . page('sitemap.xml') . page('feed.xml'),
	qr{text-0003}, 'and it is not listed anywhere';
unlike page('_redirects'), qr{text-0003}, 'nor redirected';

$galley->must(qw(workspace set), $workspace, 'address_pattern=/notes/{slug}/',
	'publisher_name=Time & Salt');
built('after a change of the settings');
ok -e "$site/notes/text-0004/index.html" && !-e "$site/blog",
	'all pages move';
like page('_redirects'), qr{^/blog/text-0004 /notes/text-0004/ 301$}m,
	'with redirects';
like page('notes/text-0004/index.html'), qr/Time &amp; Salt/,
	'and have the new publisher';
as_exported('each page');
plainly('/notes/{slug}/', '/notes/text-0004/', '/notes/text-0014/');
is page('own.html'), 'mine', "a file that is not the site's stays";

# ---- articles without a place on the site

{
	my @own = ($key, $store, $site);
	my $elsewhere = $galley->workspace;
	$key = $galley->key($elsewhere);
	($store, $site) = map { $galley->scratch . "/$_" } qw(store-2 public-2);
	$galley->import_text($elsewhere, map { "---\ntitle: T\nslug: $_->[0]\n"
		. ($_->[1] ? "published_url: $_->[1]\n" : '') . "---\n\nWords.\n" }
		['none'], ['one', 'https://www.example.com/one'],
		['again', 'https://www.example.com/one'],
		['far', 'https://far.example/x'], ['top', 'https://www.example.com/']);
	$done = build('--address', 'https://www.example.com');
	is $done->{exit}, 0, 'a site with articles that it cannot show';
	like $done->{err}, qr{is published elsewhere, at https://far\.example/x\.$}m,
		'an article of another site is reported';
	like $done->{err}, qr{has the address of another article: https://www\.example\.com/one$}m,
		'two articles at one address are reported';
	like $done->{err}, qr{an address that this site cannot show: https://www\.example\.com/$}m,
		"an article at the index's address is reported";
	is $done->{err} =~ tr/\n//, 3, 'and nothing else';
	like page('blog/none/index.html'),
		qr{<link rel="canonical" href="https://www\.example\.com/blog/none">},
		'an article without an address gets one';
	($key, $store, $site) = @own;
}

# ---- through Apache

sub visit {
	my ($path) = @_;
	my $got = HTTP::Tiny->new(max_redirect => 0)
		->get("http://127.0.0.1:$port$path");
	return join ' ', grep { defined } $got->{status},
		($got->{headers}{location} // '') =~ s{^http://[^/]*}{}r;
}

is visit('/notes/text-0004/'), '200 ', 'a page is found';
is visit('/blog/text-0004'), '301 /notes/text-0004/', 'by its old address too';
is visit('/blog/text-0003'), '410 ', 'what is gone is gone';
is visit('/blog/text-0099'), '404 ', 'what never was is not found';
like +(HTTP::Tiny->new->get("http://127.0.0.1:$port/blog/text-0099")->{content}),
	qr{href="/style.css"}, "in the site's look";
republish($ids[3], "slug=\xd9\x85\xd8\xb1\xd8\xad\xd8\xa8\xd8\xa7");
republish($ids[4], 'published_url=https://www.example.com/about/a.b%20(c)');
built('after addresses that are hard to write');
is visit('/about/a.b%20(c)'), '200 ', 'a page without a slash is found';
is visit('/notes/text-0005/'), '301 /about/a.b%20(c)', 'and redirected to';
is visit('/notes/text-0004/'), '301 /notes/%D9%85%D8%B1%D8%AD%D8%A8%D8%A7/',
	'so is one in Arabic';
is visit('/notes/%D9%85%D8%B1%D8%AD%D8%A8%D8%A7/'), '200 ', 'which is found';
as_exported('a page at an odd address');
republish($ids[4], 'published_url=');
built('back again');
is visit('/about/a.b%20(c)'), '301 /notes/text-0005/', 'an odd address redirects';

# ---- trouble

republish($ids[6], 'slug=in-the-middle');
mkdir "$site/feed.xml.new" or die $!;
isnt build()->{exit}, 0, 'a run that ends in the middle';
ok -e "$site/notes/in-the-middle/index.html", 'has written a page';
rmdir "$site/feed.xml.new";
built('the next run takes it for its own');

open my $lock, '>', "$store/site.lock" or die $!;
flock $lock, 2 or die $!;
$done = build();
is "$done->{exit} $done->{err}", "1 site.py: Another run is at work.\n",
	'two runs at once: the second stops';
close $lock;

$galley->must(qw(article unpublish), @ids[3 .. 13]);
$done = build('--full');
is $done->{exit}, 1, 'much that would go at once is refused';
like $done->{err}, qr/^site\.py: 11 of 13 articles would be removed; allow it with --allow-removals 11$/m,
	'in a sentence';
ok -e "$site/notes/text-0006/index.html", 'and stays';
built('allowed', qw(--full --allow-removals 11));
ok !-e "$site/notes/text-0006", 'it goes';
my $before = page('index.html');
my $other = $galley->key($galley->workspace);
$key = $other;
$done = build();
is $done->{exit}, 1, "another workspace's key is refused";
is page('index.html'), $before, 'and changes nothing';
done_testing;
