# The feeds of a workspace's pages (docs/pages.md §5): Atom and JSON Feed by their rules, with the
# twenty newest articles, each with the html of the API, whatever is written in them. Dates, ids and
# bytes are the same in each rendering; what nobody may read is in none of them.
# suite: fast twins
use strict;
use warnings;
use utf8;
use lib 'tests/lib';
use Encode qw(encode_utf8);
use Galley;
use Galley::JSON ();
use Galley::Process qw(run_program);
use Galley::Reader;
use Test::More;

binmode Test::More->builder->$_, ':encoding(UTF-8)' for qw(output failure_output);
my $URL = 'https://galley.example/pages/my-blog/';
my $json = Galley::JSON->new->utf8;
my $galley = Galley->new(build => 'test', conf => { public_url => 'https://galley.example' });
my $reader = Galley::Reader->new($galley);
my $account = $galley->account;
my $workspace = $galley->workspace(account => $account, name => 'A <b> & "quoted" ]]> name',
	pages => 'my-blog');
my $key = $galley->key($workspace);

sub fetch {
	my ($what, %option) = @_;
	return $reader->request($option{method} // 'GET', "/my-blog/$what", %option);
}

# Fetches a feed and returns what the checker read in it.
sub feed {
	my ($what, $why) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my $answer = fetch($what);
	is $answer->{status}, 200, "$why: $what" or return { feed => {}, entries => [] };
	my $done = run_program(['python3', Galley::top() . '/tests/lib/feeds.py',
		$what =~ /atom/ ? 'atom' : 'json', "$URL$what"], input => $answer->{body},
		env => { PATH => '/usr/bin:/bin', PYTHONDONTWRITEBYTECODE => 1 });
	is "$done->{exit} $done->{err}", '0 ', '  is read' or return { feed => {}, entries => [] };
	my $read = $json->decode($done->{out});
	is_deeply $read->{problems}, [], '  and by the rules';
	return { %$read, answer => $answer };
}

# Both feeds, which must say the same; returns Atom's.
sub feeds {
	my ($query, $why) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my ($atom, $other) = map { feed("feed.$_$query", $why) } qw(atom json);
	is_deeply $other->{entries}, $atom->{entries}, '  JSON Feed has the same';
	return $atom;
}

sub api { return $galley->get("/articles/$_[0]", key => $key)->{json}{data}[0] }
sub seconds { return $_[0] =~ s/\.\d+Z\z/Z/r }

# ---- nothing published

my ($draft) = $galley->import_text($workspace, { publish => 0 }, "# A draft\n\nNobody reads it.\n");
my $empty = feeds('', 'nothing is published');
my $created = $galley->sql("SELECT strftime('%Y-%m-%dT%H:%M:%SZ', created_at / 1000000, 'unixepoch')"
	. " AS at FROM workspace WHERE uuid = '$workspace'")->[0]{at};
is $empty->{feed}{updated}, $created, 'it is as old as the workspace';
is $empty->{feed}{title}, 'A <b> & "quoted" ]]> name', 'with its name as a text';
unlike $empty->{answer}{body}, qr/draft|\Q$workspace\E/, 'and says nothing of drafts, nor which workspace it is';

# ---- odd texts, as titles, as texts, as tags

my @odd = ('<script>alert(1)</script>', ']]>', '<![CDATA[x]]>', '&amp; &lt; &#x0;', '"double" and \'single\'',
	'<!-- a comment --> --', '<?xml version="1.0"?>', '&undefined; %PE;', 'C:\\dir\\new', '{"json": [1]}',
	"tab\there", "\x{1F600}\x{1F468}\x{200D}\x{1F469}", "e\x{301}\x{323} o\x{308}", "\x{FFFD}\x{E000}",
	"مرحبا، <b>عالم</b>", "שלום \"עולם\"", "你好，世界 ]]>", "a\x{A0}b\x{3000}c\x{200B}d", '<a href="#here">there</a>',
	'https://x.example/?a=1&b=<2>#3');
my @ids = $galley->import_text($workspace, map { encode_utf8("# $_ .\n\nBefore.\n\n## A part\n\n$_\n\n"
	. "`$_`\n\n[To the part](#a-part) and [away](https://x.example/?a=1&b=2#c).\n") } map {
	s/([\\`*_\[\]<&])/\\$1/gr } @odd);
is scalar @ids, scalar @odd, 'articles with odd texts';
$galley->must(qw(article set), $ids[0], 'tags=a & b, <i>, "q"', 'section=A < section',
	'author_name=Ann & <Bob>', 'author_url=https://ann.example/?x=1&y=2', 'meta_description=Less < more & ]]>');
$galley->must(qw(article publish), $ids[0]);
my $feed = feeds('', 'odd texts');
is_deeply [map { $_->{id} } @{ $feed->{entries} }], [map { "urn:uuid:$_" } reverse @ids],
	'in the order of the API';
my %api = map { $_ => api($_) } @ids;
for my $entry (@{ $feed->{entries} }) {
	my $article = $api{ $entry->{id} =~ s/^urn:uuid://r };
	my $page = $URL . join '', map { /[A-Za-z0-9-]/ ? $_ : sprintf '%%%02X', ord } split //,
		encode_utf8($article->{slug});
	is $entry->{title}, $article->{title}, "its title: $article->{slug}";
	is $entry->{html}, $article->{html} =~ s/(<a [^>]*?href=")#/$1$page#/gr, '  its html';
	like $entry->{html}, qr/href="\Q$page\E#/, '  whose links to parts are whole';
	is "$entry->{published} $entry->{updated}", join(' ', map { seconds($article->{json_ld}{'@graph'}
		? (grep { exists $_->{datePublished} } @{ $article->{json_ld}{'@graph'} })[0]{$_} : '') }
		qw(datePublished dateModified)), '  its dates';
	is $entry->{address}, $page, '  its page';
	is $entry->{summary} // '', $article->{seo}{description}, '  its description';
}
my ($first) = grep { $_->{id} eq "urn:uuid:$ids[0]" } @{ $feed->{entries} };
is_deeply [@$first{qw(author tags)}], ['Ann & <Bob>', ['A < section', 'a & b', '<i>', '"q"']],
	'author, section and tags are texts';

# ---- programs find them

for my $page ('', $api{ $ids[4] }{slug}) {
	my %found = reverse fetch($page)->{body} =~
		/<link rel="alternate" type="([^"]+)" title="[^"]*" href="([^"]+)">/g;
	is_deeply \%found, { '/pages/my-blog/feed.atom' => 'application/atom+xml',
		'/pages/my-blog/feed.json' => 'application/feed+json' }, "'$page' names both feeds";
}

# ---- the same bytes

my %bytes = map { $_ => fetch("feed.$_")->{body} } qw(atom json);
is fetch("feed.$_")->{body}, $bytes{$_}, "feed.$_ has the same bytes again" for qw(atom json);
for my $kind (qw(atom json)) {
	my $answer = fetch("feed.$kind");
	is_deeply [map { $answer->{headers}{$_} } qw(content-type x-robots-tag cache-control set-cookie)],
		[$kind eq 'atom' ? 'application/atom+xml' : 'application/feed+json', 'noindex',
			'public, max-age=60', undef], '  its header fields';
	my $etag = $answer->{headers}{etag};
	my $again = fetch("feed.$kind", headers => { 'If-None-Match' => $etag });
	is "$again->{status} $again->{body}", '304 ', '  who has it gets 304';
	is fetch("feed.$kind", method => 'HEAD')->{headers}{etag}, $etag, '  HEAD';
	is fetch("feed.$kind", method => 'POST')->{status}, 405, '  and nothing else';
	is fetch("feed.$kind?nothing=1")->{headers}{etag}, $etag, '  an unknown parameter is nothing';
}

# ---- what changes, changes the tag

my $tag = sub { return fetch('feed.atom')->{headers}{etag} };
my %seen = ($tag->() => 1);
my $differs = sub { my $now = $tag->(); ok !$seen{$now}++, $_[0] };
$galley->must(qw(workspace set), $workspace, 'pages_title=Another title');
$differs->('another title of the pages');
my ($newest) = $galley->import_text($workspace, "# The newest\n\nIt is here.\n");
$differs->('an article');
$feed = feeds('', 'one more');
is scalar @{ $feed->{entries} }, 20, 'twenty at most';
is $feed->{entries}[0]{id}, "urn:uuid:$newest", 'the newest first';
my %in = map { $_->{id} => 1 } @{ $feed->{entries} };
ok !$in{"urn:uuid:$ids[0]"}, 'and the oldest no more';
is $feed->{feed}{id}, $empty->{feed}{id}, 'its own id stays';
is $feed->{feed}{title}, 'Another title', 'its title is that of the pages';
# Its date is not in the twenty.
$galley->must(qw(article set), $ids[0], 'meta_description=Another');
$galley->must({ env => { GALLEY_CLOCK => 3600 } }, qw(article publish), $ids[0]);
my $later = $galley->sql("SELECT strftime('%Y-%m-%dT%H:%M:%SZ', modified_at / 1000000, 'unixepoch')"
	. " AS at FROM article WHERE uuid = '$ids[0]'")->[0]{at};
$differs->('a change of an article that is not in it');
is feeds('', 'an old article changed')->{feed}{updated}, $later, 'the feed is as new as the newest change';
$galley->must(qw(article unpublish), $newest);
$differs->('an article that was withdrawn');
unlike fetch("feed.$_")->{body}, qr/The newest/, "it is not in feed.$_" for qw(atom json);

# ---- canonical addresses, and languages

$galley->must(qw(workspace set), $workspace, 'website=https://www.site.example',
	'address_pattern=/blog/{slug}/');
$differs->('addresses of their own');
is feeds('', 'a website')->{entries}[0]{address}, "https://www.site.example/blog/"
	. $api{ $ids[-1] }{slug} . '/', 'the alternate is the canonical address';
$galley->must(qw(workspace set), $workspace, 'website=', 'address_pattern=');
my ($arabic) = $galley->import_text($workspace, encode_utf8("# مقال\n\nنص [إلى](#a) هنا.\n\n## a\n\nنص.\n"));
$galley->must(qw(article set), $arabic, 'language=ar-EG');
$galley->must(qw(article publish), $arabic);
$feed = feeds('', 'two languages');
is_deeply [@{ $feed->{feed} }{language}, @{ $feed->{entries}[0] }{language}], ['en', 'ar-EG'],
	'each has its own';
like $feed->{entries}[0]{address}, qr{^\Q$URL\Ear-eg/text-}, 'the page of the other language has its tag';
my $chosen = feeds('?language=ar-eg', 'one language');
is_deeply [map { $_->{id} } @{ $chosen->{entries} }], ["urn:uuid:$arabic"], 'has its articles alone';
isnt $chosen->{feed}{id}, $feed->{feed}{id}, 'and is another feed';
is feeds('?language=de', 'a language without articles')->{feed}{updated}, $created, 'is empty';
is fetch("feed.atom?language=$_")->{status}, 400, "?language=$_: 400" for '%00', '%22%3E', 'x' x 100, '..%2f';

# ---- nothing there

$galley->must(qw(workspace set), $workspace, 'pages=');
is fetch("feed.$_")->{status}, 404, "pages off: feed.$_ is not there" for qw(atom json xml atom/), '';
done_testing;
