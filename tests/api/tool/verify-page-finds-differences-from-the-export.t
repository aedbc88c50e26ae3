#!/usr/bin/perl
# galley verify-page: proves that a page made from the export passes, and that each kind of defect
# is found by itself and reported with its fix.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Website;
use Galley::Process qw(run_program);
use IO::Compress::Gzip qw(gzip);
use Test::More;

my $galley = Galley->new(conf => { public_url => 'https://cms.example.net' });
my $pages = Galley::Website->new($galley->scratch);
my $workspace = $galley->workspace(website => 'https://www.example.com',
	address_pattern => '/blog/{slug}', publisher_name => 'Salt & Time');
my $key = $galley->key($workspace);
my ($id, $arabic) = $galley->import_text($workspace,
	"---\ntitle: Bread & \"butter\"\nslug: bread\ndescription: About bread.\n"
		. "---\n\nWords of bread.\n",
	"---\ntitle: \xd8\xae\xd8\xa8\xd8\xb2\nslug: khubz\nlang: ar\n---\n\n"
		. "\xd9\x86\xd8\xb5.\n");
my $copy = $galley->reachable('tests/fixtures/pictures');
my ($png) = glob "$copy/*.png";
$galley->must(qw(article set), $_, "image=$png", 'image_alt=A loaf')
	for $id, $arabic;
$galley->must(qw(article publish), $id, $arabic);

sub article { return $galley->get("/articles/$_[0]", key => $key)->{json}{data}[0] }

# Returns a customer's page of an article; each option changes one thing.
sub page {
	my ($id, %option) = @_;
	my $article = article($id);
	my $dir = $article->{seo}{language} eq 'ar' ? 'rtl' : 'ltr';
	my $html = $option{html} // qq{<html lang="$article->{seo}{language}" dir="$dir">};
	my $head = $article->{head_html};
	$option{change}->($head, $article) if $option{change};
	return "<!DOCTYPE html>\n$html<head><meta charset=\"utf-8\">"
		. ($option{head_begin} // '') . $head . ($option{head} // '')
		. '</head><body><p>Shop</p>' . ($option{body} // '')
		. ($option{article} // $article->{html}) . '</body></html>';
}

# Looks at a page and returns "check: expected / found" for each finding.
sub findings {
	my ($path, $article, @words) = @_;
	# Five seconds of processor time may take minutes.
	my $done = $galley->command({ seconds => 600 }, 'verify-page',
		$pages->url($path), $article, '--allow-private', @words);
	my $told = $done->{json}[0];
	diag "exit $done->{exit}: $done->{err}" if !$told;
	my @lines = map { "$_->{check}: $_->{expected} / $_->{found}" }
		@{ $told->{findings} };
	push @lines, 'exit' if $done->{exit} != (@lines ? 1 : 0);
	push @lines, 'no fix' if grep { !$_->{mend} } @{ $told->{findings} };
	return \@lines;
}

# Looks once at a page of the English article.
sub look {
	my (%option) = @_;
	my %put = map { $_ => delete $option{$_} }
		grep { exists $option{$_} } qw(status type headers silent);
	$pages->put('/blog/bread', $option{raw} // page($id, %option), %put);
	return findings('/blog/bread', $id, @{ $option{words} // [] });
}

# ---- right pages

is_deeply look(), [], 'a page made of head_html and html';
$pages->put('/blog/khubz', page($arabic));
is_deeply findings('/blog/khubz', $arabic), [], 'one in Arabic';
my $gzip;
gzip(\page($id), \$gzip);
is_deeply look(raw => $gzip, headers => ['Content-Encoding: gzip']), [],
	'a compressed one';
is_deeply look(head => '<script type="application/ld+json">{"@context":'
	. '"https://schema.org","@type":"Organization","name":"Shop"}</script>'
	. '<meta name="generator" content="x">'), [], "a site's own additions";
is_deeply look(change => sub {
	$_[0] = "<title>Bread &#38; &quot;butter&quot;</title>"
		. '<link href="https://WWW.example.com/blog/bread" rel=canonical>'
		. '<meta name="robots" content="max-video-preview:-1,index,FOLLOW,'
		. 'max-snippet:-1,max-image-preview:large">'
		. "<meta name=description content='About  bread.'>"
		. "<meta property=og:image content=$_[1]{image_url}>"
		. ($_[0] =~ m{(<script.*)}s)[0];
}, article => '<h1>Bread &amp; <em>"butter"</em></h1>'), [],
	'a page of its own from seo, json_ld and content';

# ---- what is not

my @cases = (
	['a title with an addition', { change => sub {
		$_[0] =~ s{</title>}{ | Shop</title>} } },
		'title: "Bread & "butter"" / "Bread & "butter" | Shop"'],
	['two titles', { head => '<title>Shop</title>' },
		'title: one title element / two of them'],
	['no title', { change => sub { $_[0] =~ s{<title>.*?</title>\n}{} } },
		'title: "Bread & "butter"" / none'],
	['another canonical', { change => sub {
		$_[0] =~ s{(canonical" href=")[^"]*}{$1https://www.example.com/} } },
		'canonical: "https://www.example.com/blog/bread" /'
			. ' "https://www.example.com/"'],
	['two canonicals', { head => '<link rel="canonical" href="/blog/bread">' },
		'canonical: one canonical link / two of them'],
	['no canonical', { change => sub { $_[0] =~ s{<link rel="canonical.*\n}{} } },
		'canonical: "https://www.example.com/blog/bread" / none'],
	['a canonical in the header', { headers => [
		'Link: </style.css>; rel=preload, </x>; rel="canonical"'] },
		'canonical: "https://www.example.com/blog/bread" / "' . $pages->origin
			. '/x" in the header Link'],
	['description twice', { head => '<meta name="Description" content="Shop">' },
		'description: one meta element description / two of them'],
	['robots that forbid', { change => sub { $_[0] =~ s{"index, }{"noindex, } } },
		'robots: "index, follow, max-image-preview:large, max-snippet:-1,'
			. ' max-video-preview:-1" / "noindex, follow,'
			. ' max-image-preview:large, max-snippet:-1,'
			. ' max-video-preview:-1"'],
	['a header that forbids', { headers => ['X-Robots-Tag: noindex, nofollow'] },
		'robots: no more in the header X-Robots-Tag / "noindex"',
		'robots: no more in the header X-Robots-Tag / "nofollow"'],
	['one that names Google', { headers => ['X-Robots-Tag: googlebot: none'] },
		'robots: no more in the header X-Robots-Tag / "none"'],
	['one for another', { headers => ['X-Robots-Tag: otherbot: noindex',
		'X-Robots-Tag: max-snippet:-1'] }],
	['a meta element for Google', {
		head => '<meta name="googlebot" content="nosnippet">' },
		'robots: no more in the meta element googlebot / "nosnippet"'],
	['another language', { html => '<html lang="de">' },
		'language: <html lang="en"> / "de"'],
	['no language', { html => '<html>' }, 'language: <html lang="en"> / none'],
	['another direction', { html => '<html lang="en" dir="rtl">' },
		'direction: <html dir="ltr"> / "rtl"'],
	['two headings', { body => '<h1>Shop</h1>' },
		'h1: one h1 / 2: "Shop", "Bread & "butter""'],
	['no heading', { article => '<p>Words.</p>' },
		'h1: "Bread & "butter"" / none'],
	['another heading', { article => '<h1>Cake</h1>' },
		'h1: "Bread & "butter"" / "Cake"'],
	['another image', { change => sub {
		$_[0] =~ s{(og:image" content=")[^"]*}{$1https://www.example.com/x.png} } },
		'image: og:image "' . article($id)->{image_url}
			. '" / "https://www.example.com/x.png"'],
	['an image twice', { head => '<meta property="og:image" content="/x.png">' },
		'image: one meta element og:image / two of them'],
	['structured data of before', { change => sub {
		$_[0] =~ s{("headline":")}{$1Old } } },
		'json_ld: @graph[5].headline "Bread & "butter"" / "Old Bread & "butter""'],
	['structured data that was escaped', { change => sub {
		my ($json) = $_[0] =~ m{ld\+json">(.*)</script>}s;
		my $escaped = $json =~ s/"/&quot;/gr;
		$_[0] =~ s/\Q$json\E/$escaped/ } },
		'json_ld: JSON / "{&quot;@context'],
	['no structured data', { change => sub { $_[0] =~ s{<script.*}{}s } },
		"json_ld: the article's structured data / none"],
	['structured data twice', { head => '<script type="application/ld+json">'
		. '{"@type":["NewsArticle"]}</script>' },
		'json_ld: the article described once / 2 descriptions'],
	['a head that ends early', { head_begin => '<div>x</div>' },
		'head: title in the head / it in the body, where search engines ignore it',
		'head: description in the head / it in the body, where search engines'
			. ' ignore it',
		'head: robots in the head / it in the body, where search engines ignore it',
		'head: canonical in the head / it in the body, where search engines'
			. ' ignore it'],
	['not found', { status => 404 },
		'answer: status 200 / status 404 from ' . $pages->url('/blog/bread')],
	['gone', { status => 410 },
		'answer: status 200 / status 410 from ' . $pages->url('/blog/bread')],
	['no HTML', { type => 'application/pdf' },
		'answer: Content-Type "text/html" / "application/pdf"'],
	['no type', { type => undef },
		'answer: Content-Type "text/html" / none'],
	['a charset that is wrong', { type => 'text/html; charset=ISO-8859-1',
		body => "<p>\xc3\xa9</p>" }, 'charset: charset "utf-8" / "ISO-8859-1"'],
	['bytes of another charset', { body => "<p>\xe9</p>" },
		'charset: a page in UTF-8 / bytes that are none; it says charset "utf-8"'],
	['a page without end', { raw => 'x' x (4 * 1024 * 1024 + 1) },
		'answer: a page / none from ' . $pages->url('/blog/bread')
			. ': the answer is too long'],
	['a page that is no page', { raw => "<\xef\xbf\xbd" . '<p' x 1000 },
		qr/^title: .* \/ none$/],
	['a page that no parser is done with', { raw => '<div>' x 400_000 },
		'answer: a page that can be read / one that takes too long, or too'
			. ' much memory'],
	['a broken compression', { raw => 'no gzip',
		headers => ['Content-Encoding: gzip'] }, qr/^answer: a page \/ none from /],
	['a title with a control character', { change => sub {
		$_[0] =~ s{<title>}{<title>\e[31m} } },
		'title: "Bread & "butter"" / "' . "\x{FFFD}" . '[31mBread & "butter""'],
	['robots twice', { head => '<meta name="robots" content="all">' },
		'robots: one meta element robots / two of them'],
	['robots three times', { head => '<meta name="robots" content="all">' x 2 },
		'robots: one meta element robots / 3 of them'],
	['another language nearer by', { article => '<div lang="de">'
		. '<h1>Bread &amp; "butter"</h1></div>' },
		'language: lang="en" around the heading / "de"'],
	['another direction nearer by', { article => '<div dir="rtl">'
		. '<h1>Bread &amp; "butter"</h1></div>' },
		'direction: dir="ltr" around the heading / "rtl"'],
	['the article twice', { article => article($id)->{html} x 2 },
		'h1: one h1 / 2: "Bread & "butter"", "Bread & "butter""',
		'article: the article once / two of them'],
	['structured data with a member more', { change => sub {
		$_[0] =~ s{"headline":}{"extra":7,"headline":} } },
		'json_ld: @graph[5].extra nothing / 7'],
	['with a member less', { change => sub {
		$_[0] =~ s{"headline":"[^"]*\\"butter\\"",}{} } },
		'json_ld: @graph[5].headline "Bread & "butter"" / nothing'],
	['with a list for a text', { change => sub {
		$_[0] =~ s{"headline":"[^"]*\\"butter\\""}{"headline":["x"]} } },
		'json_ld: @graph[5].headline "Bread & "butter"" / a list'],
	['with an object for a text', { change => sub {
		$_[0] =~ s{"headline":"[^"]*\\"butter\\""}{"headline":{}} } },
		'json_ld: @graph[5].headline "Bread & "butter"" / an object'],
	['a byte order mark, whatever the header says', { raw => "\xef\xbb\xbf"
		. page($id, body => "<p>\xc3\xa9</p>"),
		type => 'text/html; charset=ISO-8859-1' }],
	['a charset that is none, where the page names one', {
		type => 'text/html; charset', body => "<p>\xc3\xa9</p>" }],
	['a header Link that ends early', { headers => ['Link: </x; rel="canonical"'] }],
	['a server that says nothing', { silent => 1, words => [qw(--seconds 1)] },
		qr/^answer: a page \/ none from .*: Timeout/],
);

for my $case (@cases) {
	my ($name, $option, @expected) = @$case;
	my $found = look(%$option);
	if (@expected == 1 && (ref $expected[0] || $expected[0] =~ /&quot;/)) {
		my $like = ref $expected[0] ? $expected[0] : qr/^\Q$expected[0]/;
		like $found->[0] // '', $like, $name;
		next;
	}
	is_deeply $found, \@expected, $name or diag explain $found;
}

my $text = page($arabic);
$text =~ s/ dir="rtl"//;
$pages->put('/blog/khubz', $text);
is_deeply findings('/blog/khubz', $arabic),
	['direction: <html dir="rtl"> / none'], 'an Arabic page that does not say so';
is_deeply findings('/blog/bread/x', $arabic)->[0],
	'answer: status 200 / status 404 from ' . $pages->url('/blog/bread/x'),
	'an address that is none';

# ---- redirects

sub redirect {
	my ($from, $status, $to) = @_;
	$pages->put($from, '', status => $status, headers => ["Location: $to"]);
}

my @origin = ('--origin', $pages->origin);
look();
redirect('/old', 301, '/blog/bread');
is_deeply findings('/old', $id), [], 'a redirect to the page';
redirect('/old', 302, '/blog/bread');
is_deeply findings('/old', $id),
	['redirect: 301 or 308 / 302 to ' . $pages->url('/blog/bread')],
	'one that is not for good';
redirect('/older', 301, '/old');
is_deeply findings('/older', $id), ['redirect: one redirect / 301 to '
	. $pages->url('/old') . ', 302 to ' . $pages->url('/blog/bread')], 'two';
redirect('/old', 301, '/older');
is_deeply findings('/older', $id), ['redirect: the page / '
	. $pages->url('/old') . ' redirects to "/older", in a circle'], 'a circle';
redirect("/$_", 301, '/' . ($_ + 1)) for 1 .. 20;
is_deeply findings('/1', $id), ['redirect: the page / ' . $pages->url('/11')
	. ' redirects to "/12", without end'], 'many';
redirect('/nowhere', 301, 'file:///etc/passwd');
is_deeply findings('/nowhere', $id), ['redirect: the page / '
	. $pages->url('/nowhere') . ' redirects to "file:///etc/passwd"'],
	'one to nowhere';
redirect('/blog/bread', 301, 'https://www.example.com/new');
$pages->put('/new', page($id));
my $done = $galley->command('verify-page', 'https://www.example.com/blog/bread',
	$id, '--allow-private', @origin);
is_deeply [map { "$_->{check}: $_->{found}" } @{ $done->{json}[0]{findings} }],
	['redirect: 301 to https://www.example.com/new'],
	'a canonical address must answer itself';
redirect('/blog/bread', 301, $pages->url('/new'));
is $galley->command('verify-page', 'https://www.example.com/blog/bread', $id,
	'--allow-private', @origin)->{json}[0]{findings}[0]{found},
	'301 to ' . $pages->url('/new'), 'also to another site';
is_deeply $done->{json}[0]{redirects},
	[{ status => 301, to => 'https://www.example.com/new' }], 'the way is told';

# ---- addresses of the own network

$done = $galley->command('verify-page', $pages->url('/blog/bread'), $id);
is $done->{json}[0]{findings}[0]{mend},
	"it is an address of one's own network; --allow-private lets this one through",
	'this machine is asked only when told so';
$done = $galley->command('verify-page', 'http://169.254.169.254/', $id,
	'--allow-private');
like $done->{json}[0]{findings}[0]{found}, qr/the address is not allowed$/,
	'link-local addresses never';

# ---- articles that are not published any more

my ($gone) = $galley->import_text($workspace, "# Gone\n\nText.\n");
$galley->must(qw(article unpublish), $gone);
look();
is_deeply findings('/blog/bread', $gone),
	['answer: status 404 or 410: the article is not published / status 200'
		. ' from ' . $pages->url('/blog/bread')], 'a page that is still there';
is_deeply findings('/blog/gone', $gone), [], 'one that is not';

# ---- a workspace

my $big = $galley->workspace(website => 'https://www.example.org',
	address_pattern => '/{slug}');
$key = $galley->key($big);
my @ids = $galley->import_text($big, map {
	"---\nslug: text-$_\n---\n\n# Text $_\n\nWords of $_.\n" } 1 .. 30);
$pages->put('/' . article($_)->{slug}, page($_)) for @ids;
my @whole = ('verify-page', '--workspace', $big, '--allow-private', @origin);
is scalar @{ $galley->must(@whole) }, 30, 'all articles of a workspace';
$pages->put('/text-1', page($ids[0], head => '<title>x</title>'));
$pages->put('/text-30', page($ids[29], head => '<title>x</title>'));
$done = $galley->command(@whole);
is $done->{exit}, 1, 'two of them are not as exported';
is_deeply [sort map { $_->{url} } grep { !$_->{ok} } @{ $done->{json} }],
	[map { "https://www.example.org/text-$_" } 1, 30], 'they are named';
$done = $galley->command(@whole, qw(--sample 6));
is scalar @{ $done->{json} }, 6, 'a sample is as large as it should be';
my @days = sort { $a <=> $b } map { $_->{url} =~ /(\d+)$/ } @{ $done->{json} };
is_deeply [map { $days[$_] - $days[$_ - 1] } 1 .. 5], [(5) x 5], 'and even';
$galley->must(qw(article set), $ids[1], 'published_url=' . $pages->url('/moved'));
$pages->put('/moved', page($ids[1]));
$pages->put("/text-$_", page($ids[$_ - 1])) for 1, 30;
is scalar @{ $galley->must(@whole) }, 30, 'published_url comes first';
$galley->must(qw(workspace set), $big, 'address_pattern=');
$pages->put('/moved', page($ids[1]));
$done = $galley->command(@whole);
is scalar(grep { !defined $_->{url} && $_->{findings}[0]{check} eq 'address' }
	@{ $done->{json} }), 29, 'articles without an address are named';
is scalar(grep { $_->{ok} } @{ $done->{json} }), 1, 'the other is looked at';

# ---- for people

$galley->must(qw(workspace set), $big, 'address_pattern=/{slug}');
$pages->put('/text-1', page($ids[0], head => "<title>\e[31mx</title>"));
my $words = run_program([$galley->programs . '/bin/galley',
	@whole, qw(--sample 2)]);
like $words->{out}, qr/^ok    https:\/\/www\.example\.org\/text-\d+$/m,
	'a line for each page';
like $words->{out}, qr/^2 of 30 published articles: \d as exported, \d not, 0 without an address\.$/m,
	'and the count';
$words = run_program([$galley->programs . '/bin/galley',
	'verify-page', $pages->url('/text-1'), $ids[0], '--allow-private']);
like $words->{out}, qr/^WRONG http.*\n      - title: expected one title element, found two of them: .*\.$/m,
	'a line for each finding';
unlike $words->{out}, qr/\e/, 'no control character of a page reaches the terminal';
for my $wrong ([$pages->origin], ['--workspace', $big, '--sample', 0],
	['ftp://x/', $id], ['--workspace', $big, '--origin', 'https://x/y'],
	['--workspace', $big, '--seconds', 0]) {
	is $galley->command('verify-page', @$wrong)->{exit}, 2,
		"used wrongly: @$wrong";
}
my ($draft) = $galley->import_text($workspace, { publish => 0 }, "# D\n\nText.\n");
like $galley->command('verify-page', $pages->url('/'), $draft)->{err},
	qr/was never published/, 'a draft has no page';
done_testing;
