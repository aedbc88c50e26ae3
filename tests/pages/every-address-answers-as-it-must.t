# Every address of a workspace's pages, and what is no address: its status, its header fields, and
# what is never shown (docs/pages.md §2, §3). A row of `pages --routes` that is not here fails.
# suite: twins
use strict;
use warnings;
use utf8;
use lib 'tests/lib';
use Test::More;
use Galley;
use Galley::Reader;

binmode Test::More->builder->$_, ':encoding(UTF-8)' for qw(output failure_output);
my $galley = Galley->new(conf => { public_url => 'https://galley.example' });
my $pages = Galley::Reader->new($galley);
my $host = 'https://host.example';

sub text {
	my ($title, $more) = @_;
	return "---\ntitle: $title\n" . ($more // '') . "---\n\nText of $title.\n";
}

# ---- the world

my $account = $galley->account;
my $w = $galley->workspace(account => $account, name => 'Notes & <b>', embed_origins => $host,
	website => 'https://www.example.com', address_pattern => '/blog/{slug}');
my ($first) = $galley->import_text($w, text('The first', "slug: first\ntags: [a b&c]\nsection: Garden\n"));
my ($german) = $galley->import_text($w, text('Ein zweiter', "slug: zweiter\nlanguage: de-AT\n"
	. "section: Haus & Hof\ndescription: Worum es geht\nauthor: {name: 'Ann <Bee>', url: 'https://ann.example/?a=1&b=2'}\n"));
my ($moved, $back, $trash, $purged, $odd) = $galley->import_text($w,
	map { text("Secret of $_", "slug: $_\n") } qw(was-here unpublished trashed purged übung));
my ($draft) = $galley->import_text($w, { publish => 0 }, text('Secret draft', "slug: draft\n"));
my ($empty, $hard) = map { $galley->workspace(account => $account, name => $_) } qw(Empty Hard);
my ($quoted) = $galley->import_text($hard, "---\ntitle: 'A \"title\" \\ with {braces} and </script>'\nslug: hard\n---\n\n"
	. "\"Quoted\", [x], {y}: \\\\ \\\" end\\\\\n\n```\n{\"html\":\"no\",\"slug\":[\"\\\\\"]}\n```\n");
# Slugs that begin as the name of the sheet does.
my ($park, $css, $closed) = $galley->import_text($hard, map { text("On $_", "slug: $_\n") }
	qw(theme-park theme-x-css theme-closed));
$pages->turn_on($empty, 'empty');
$pages->turn_on($hard, 'hard');
$pages->turn_on($galley->workspace(account => $account, language => 'ar'), 'arab');
my ($last) = $galley->import_text($w, text('The last', "slug: last\n"));
$galley->must(qw(article set --move), $moved, 'slug=is-here', 'title=The third');
is $galley->command(qw(article publish), $moved)->{exit}, 0, 'an article moves';
$galley->must(qw(article unpublish), $_) for $back, $closed;
$galley->must(qw(article delete), $_) for $trash, $purged;
$galley->must(qw(article purge), $purged);
my $other = $galley->workspace(account => $account, name => 'Another');
$galley->import_text($other, text('Hidden of another', "slug: hidden\n"));
$pages->turn_on($other, 'other');
$pages->turn_on($w, 'old-notes');
$pages->turn_on($w, 'notes');
# Words without pages: turned off, of a deleted workspace, of accounts that have none (any more).
my %none;
for my $case (qw(off deleted suspended doubtful)) {
	my $owner = $galley->account;
	my $is = $galley->workspace(account => $owner, name => "Hidden $case");
	$galley->import_text($is, text("Hidden of $case", "slug: hidden\n"));
	$pages->turn_on($is, $none{$case} = "word-$case");
	$galley->must(qw(workspace set), $is, 'pages=') if $case eq 'off';
	$galley->must(qw(workspace delete), $is, '--confirm', "Hidden $case") if $case eq 'deleted';
	$galley->must(qw(account suspend), $owner) if $case eq 'suspended';
	$galley->sql("UPDATE account SET verified = 0 WHERE uuid = '$owner'") if $case eq 'doubtful';
}
my ($sheet) = $pages->get('/notes/')->{body} =~ m{href="/pages(/notes/theme-[0-9a-f]{16}\.css)"};
ok $sheet, 'a page names its sheet';

# ---- every address

# ROW => [[PATH, STATUS, LOCATION]...]
my %asked = (
	'/share/' => [['/share/x', 404], ['/share/ab_share_' . '0' x 32, 404]],
	'' => [['/notes/', 200], ['/notes/?unknown=1&x[]=', 200], ['/notes/?tag=', 200],
		['/notes/?tag=a+b%26c', 200], ['/notes/?section=Garden', 200],
		['/notes/?section=garden', 200], ['/notes/?language=de-at', 200],
		['/notes/?language=DE-AT', 200], ['/notes/?language=x_y', 400],
		['/notes/?tag=a&section=b', 400], ['/notes/?tag=a&language=de', 400],
		['/notes/?tag=a&tag=b', 400], ['/notes/?before=x', 400], ['/notes/?tag=%FF', 400],
		['/notes/?tag=%00', 400], ['/notes/?tag=' . 'x' x 201, 400],
		['/notes/?language=' . 'x' x 36, 400], ['/empty/', 200]],
	'feed.atom' => [['/notes/feed.atom', 200], ['/notes/feed.atom?language=de-AT', 200],
		['/notes/feed.atom?language=%20', 400]],
	'feed.json' => [['/notes/feed.json', 200], ['/notes/feed.json?tag=a', 200]],
	'theme-*.css' => [[$sheet, 200], ['/notes/theme-0123456789abcdef.css', 200],
		['/notes/theme-x.css', 200], ['/notes/theme-.css', 200]],
	'*' => [['/notes/first', 200], ['/notes/first?before=x', 200], ['/notes/de-at/zweiter', 200],
		['/notes/%C3%BCbung', 200], ['/notes/is-here', 200],
		['/notes/zweiter', 301, '/pages/notes/de-at/zweiter'],
		['/notes/was-here', 301, '/pages/notes/is-here'],
		['/hard/theme-park', 200], ['/hard/theme-x-css', 200], ['/hard/theme-closed', 410],
		['/notes/theme-', 404], ['/notes/theme.css', 404], ['/notes/theme-x.cssx', 404],
		['/notes/theme-x/y.css', 404], ['/notes/en/theme-x.css', 404],
		['/notes/unpublished', 410], ['/notes/trashed', 410], ['/notes/purged', 404],
		['/notes/draft', 404], ['/notes/nothing', 404], ['/notes/First', 404],
		['/notes/first/', 301, '/pages/notes/first'], ['/notes/first//', 404],
		['/notes/was-here/', 301, '/pages/notes/is-here'], ['/notes/unpublished/', 410],
		['/notes/nothing/', 404], ['/notes/de-AT/zweiter', 404], ['/notes/de/zweiter', 404],
		['/notes/en/first', 301, '/pages/notes/first'], ['/notes//first', 404],
		['/notes/de-at/', 404], ['/notes/de-at/zweiter/', 301, '/pages/notes/de-at/zweiter'], ['/notes/a/b/c', 404],
		['/notes/hidden', 404], ["/notes/$first", 404], ['/notes/..', 404],
		['/notes/%FF', 404], ['/notes/first%0A', 404],
		['/notes/feed.rss', 404], ['/notes/feed.atom/', 404], ['/hard/hard', 200],
		['/notes/' . 'x' x 8000, 404]],
);
# What is no row: words, and what is beside them.
my @beside = (['/arab/nothing', 404], ['/nobody/first', 404], # a process answers both
	['/notes', 301, '/pages/notes/'], ['/old-notes/', 301, '/pages/notes/'],
	['/old-notes', 301, '/pages/notes/'], ['/old-notes/first', 301, '/pages/notes/first'],
	['/old-notes/%C3%BCbung', 301, '/pages/notes/%C3%BCbung'],
	['/old-notes/?tag=a%20%26%3D&x=%0A', 301, '/pages/notes/?tag=a%20%26%3D'],
	['/old-notes/a%0D%0AX-Header:%201', 301, '/pages/notes/a%0D%0AX-Header:%201'],
	['/notes/' . 'x' x 8200, 414], ['/nobody/?' . 'x' x 8200, 414],
	map({ [$_, 404] } '', '/', '//', '/Notes/', '/notes%20/', '/nobody/', '/nobody', '/share',
		'/assets/none', '/assets/../notes/', '/%2e%2e/', '/-/', '/a/',
		'/other/first'),
	map { my $word = $_; map { ["/$word$_", 404] } '/', '', '/hidden', '/feed.atom', '/theme-x.css' }
		values %none);

my %rows = map { $_->{page} // $_->{begins} => 1 } $pages->routes;
is_deeply [sort keys %asked], [sort keys %rows], 'every row is asked for';

my %policy = (page => "default-src 'none'; img-src 'self' https:; style-src 'self'; script-src 'self';"
	. " connect-src 'self'; frame-src 'self'; frame-ancestors 'self' $host; base-uri 'none';"
	. " form-action 'none'",
	file => "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");

# Checks what all answers have, and returns the answer.
sub ask {
	my ($path, $status, $location) = @_;
	my $a = $pages->get($path);
	my $name = length $path < 60 ? $path : substr($path, 0, 60) . '…';
	my $is = $a->{headers};
	subtest "$name: $status" => sub {
		is $a->{status}, $status, 'status' or diag $a->{raw};
		is $a->{exit} . $a->{signal}, '00', 'the program ended by itself';
		like $is->{'x-robots-tag'}, qr/^noindex/, 'noindex';
		is $is->{'set-cookie'}, undef, 'no cookie';
		is $is->{'x-content-type-options'}, 'nosniff', 'nosniff';
		like $is->{'x-request-id'}, qr/^[0-9a-f-]{36}$/, 'an id';
		is $is->{location}, $location, 'where it leads';
		is $is->{etag} ? 1 : 0, $status == 200 ? 1 : 0, 'a tag if it is 200';
		unlike $a->{body}, qr/Hidden|Secret draft|Secret of (?:unpublished|trashed|purged)/,
			'and shows nothing else';
		unlike $a->{body}, qr{rel="canonical"|og:url|\Q$w\E}, 'no canonical, no id of the workspace';
		my $kept = $is->{'cache-control'};
		if ($status == 301) {
			is $kept, 'public, max-age=60', 'a minute';
		} elsif ($status != 200) {
			is $kept, 'no-store', 'nobody keeps it';
			is $is->{'content-type'}, 'text/html; charset=utf-8', 'a page';
			my $language = $path =~ m{^/arab/} ? 'lang="ar" dir="rtl"' : 'lang="en" dir="ltr"';
			like $a->{body}, qr{^<!DOCTYPE html>\n<html $language>.*<h1>.*</html>}s,
				'that is whole';
			like $a->{body}, qr{<meta name="robots" content="noindex}, 'not listed';
		}
		like $a->{body}, qr{<link rel="icon" href="/pages/assets/icon-[0-9a-f]{16}\.svg">},
			'a picture for the tab' if $status != 301 && $a->{body} =~ /<!DOCTYPE html>/;
	};
	return $a;
}

my ($icon) = $pages->get('/notes/')->{body} =~ m{rel="icon" href="/pages(/assets/[^"]*)"};
my $picture = $pages->get($icon);
is $picture->{status}, 200, 'that picture is there';
is $picture->{headers}{'content-type'}, 'image/svg+xml', 'as what it is';
is $picture->{headers}{'cache-control'}, 'public, max-age=31536000, immutable', 'for ever';
like $picture->{body}, qr{^<svg .*</svg>\n\z}s, 'and whole';

my %answer;
for my $row (sort keys %asked) {
	$answer{$_->[0]} = ask(@$_) for @{ $asked{$row} };
}
ask(@$_) for @beside;
for my $path (grep { $answer{$_}{status} == 200 } sort keys %answer) {
	my $is = $answer{$path}{headers};
	my $file = $path =~ m{/feed\.[aj]|/theme-[^/]*\.css$};
	my $wanted = $policy{$file ? 'file' : 'page'};
	$wanted =~ s/ \Q$host\E// if $path !~ m{^/notes/};
	is $is->{'content-security-policy'}, $wanted, "$path: its policy";
	is $is->{'referrer-policy'}, 'strict-origin-when-cross-origin', "$path: its referrers";
	is $is->{'cache-control'}, $path =~ /theme-[0-9a-f]{16}/ ? 'public, max-age=31536000, immutable'
		: $path =~ /theme-.*\.css|section=garden/ ? 'no-store' : 'public, max-age=60', "$path: how long";
}
is $answer{'/notes/nothing'}{headers}{'content-security-policy'}, $policy{page},
	'an error may be in the same frames';

# ---- what is there

my $list = $answer{'/notes/'}{body};
utf8::decode($list);
is_deeply [$list =~ m{<h2><a href="([^"]*)"}g], [map { "/pages/notes/$_" }
	qw(last %C3%BCbung is-here de-at/zweiter first)], 'the list, newest first';
like $list, qr{<html lang="en" dir="ltr">.*<li lang="de-AT" dir="ltr">.*Ein zweiter}s,
	'each in its language';
like $list, qr{<h1>Notes &amp; &lt;b&gt;</h1>}, 'its title is a text';
like $list, qr{<time datetime="\d{4}-\d\d-\d\d"}, 'with dates';
like $list, qr{1 minute to read}, 'and times';
is_deeply [$answer{'/notes/?tag=a+b%26c'}{body} =~ m{<h2><a href="([^"]*)"}g],
	['/pages/notes/first'], 'a tag';
like $answer{'/notes/?tag=a+b%26c'}{body}, qr{<h1>Tag: <bdi>a b&amp;c</bdi></h1>}, 'says so';
is_deeply [$answer{'/notes/?language=DE-AT'}{body} =~ m{<h2><a href="([^"]*)"}g],
	['/pages/notes/de-at/zweiter'], 'a language';
like $answer{'/notes/?section=garden'}{body}, qr{Nothing is published here yet\.}, 'and nothing';
unlike $answer{'/notes/?section=garden'}{body}, qr{garden}, 'and repeats nothing that nobody wrote';
like $answer{'/empty/'}{body}, qr{<h1>Empty</h1>.*Nothing is published here yet\.}s, 'an empty list';
for my $case (['/notes/first', $w, $first], ['/hard/hard', $hard, $quoted],
	['/hard/theme-park', $hard, $park], ['/hard/theme-x-css', $hard, $css]) {
	my ($path, $workspace, $id) = @$case;
	my $html = $galley->get("/articles/$id", key => $galley->key($workspace))->{json}{data}[0]{html};
	utf8::encode($html);
	my ($begins, $heading, $rest) = $html =~ m{^(.*?)(<h1>.*?)<p class="ab-byline">.*?</p>\n(.*)$}s;
	my $own = qr{(?:<p class="dek">[^\n]*?</p>)?<p class="facts">(?:(?!</p>).)*<time[^\n]*?</p>};
	like $answer{$path}{body}, qr{\Q$begins\E(?:<p class="kicker">[^\n]*?</p>)?\Q$heading\E$own\Q$rest\E},
		"$path: the very html of the API, with the page's line in the place of its own";
}
my $page = $answer{'/notes/first'}{body};
my $topics = sub { return "<nav aria-labelledby=\"topics\"><span class=\"unseen\" id=\"topics\">$_[0]</span><ul>"
	. "<li><a href=\"/pages/notes/\"$_[2]>$_[1]</a></li><li><a href=\"/pages/notes/?section=Garden\"$_[3]>$_[4]</a></li>" };
isnt index($list, $topics->('Topics', 'All', ' aria-current="page"', '', 'Garden')), -1, 'the head has the topics';
isnt index($answer{'/notes/?section=Garden'}{body}, $topics->('Topics', 'All', '', ' aria-current="page"', 'Garden')),
	-1, 'and says which one it is';
isnt index($answer{'/notes/de-at/zweiter'}{body}, $topics->('Themen', 'Alle', '', '', '<span lang="en" dir="ltr">Garden</span>')),
	-1, 'in the words of the article';
unlike $answer{'/hard/'}{body}, qr{id="topics"}, 'and there are none without sections';
like $page, qr{<p class="kicker"><a href="/pages/notes/\?section=Garden"><bdi>Garden</bdi></a></p>\s*<h1>}, 'a topic before the title';
isnt index($page, '<p class="topics"><span>Topics</span><a href="/pages/notes/?section=Garden"><bdi>Garden</bdi></a>'
	. '<a href="/pages/notes/?tag=a%20b%26c"><bdi>a b&amp;c</bdi></a></p>'), -1, 'all of them after the text';
unlike $page, qr{class="dek"|ab-byline|>\d{4}-\d\d-\d\d<}, 'a description that is the text is not said twice, no date is a code';
isnt index($answer{'/notes/de-at/zweiter'}{body}, "</h1>\n<p class=\"dek\">Worum es geht</p><p class=\"facts\"><span>"
	. '<a href="https://ann.example/?a=1&amp;b=2" rel="author"><bdi>Ann &lt;Bee&gt;</bdi></a></span> <time'), -1, 'description and author are below the title';
like $list, qr{Worum es geht</p><p class="facts"><span><bdi>Ann &lt;Bee&gt;</bdi></span> <time}, 'in the list, too, without a second link';
like $page, qr{On its own website: <a href="https://www\.example\.com/blog/first">}, 'and its own address';
like $page, qr{Previous:</span> <a href="/pages/notes/is-here">The third</a>}, 'the newer one';
unlike $page, qr{Next:}, 'there is none older in its language';
unlike $answer{'/notes/de-at/zweiter'}{body}, qr{Previous:|Next:}, 'nor anything in German';
like $answer{'/notes/de-at/zweiter'}{body},
	qr{<html lang="de-AT" dir="ltr">.*>Zum Inhalt springen<.*<span>1 Min. Lesezeit</span>}s,
	'words of the page are in the language of the article';

# ---- words and dates of a language

my $tongues = $galley->workspace(account => $account, name => 'Tongues', language => 'fr');
my %tongue = (fr => ['Y', '1 min de lecture'], ja => ['Y年M月D日', '読了時間 1分'], 'zh-TW' => ['Y年M月D日', '閱讀約需 1 分鐘'],
	'zh-CN' => ['Y年M月D日', '阅读约需 1 分钟'], 'en-US' => ['D, Y', '1 minute to read'], ko => ['Y년 M월 D일', '읽는 시간 1분'],
	vi => ['D tháng M, Y', '1 phút đọc'], he => ['D ', '1 דק׳ קריאה'], es => ['D de ', '1 min de lectura'],
	ar => ['D ', 'دقيقة'], ru => ['Y г.', '1 мин чтения'],
	map { ($_->[0] => ['Y', $_->[1]]) } [bg => '1 мин четене'], [cs => '1 min čtení'], [da => '1 min. læsetid'],
		[el => '1 λεπ. ανάγνωσης'], [fi => 'Lukuaika 1 min'], [hi => 'पढ़ने में 1 मिनट'], [hu => '1 perc olvasás'],
		[id => '1 menit baca'], [it => '1 min di lettura'], [nb => '1 min lesetid'], [nl => '1 min. leestijd'],
		[pl => '1 min czytania'], [pt => '1 min de leitura'], [ro => '1 min de citit'], [sk => '1 min čítania'],
		[sv => '1 min lästid'], [fa => '1 دقیقه مطالعه'], [tr => '1 dk. okuma'], [uk => '1 хв читання']);
$galley->import_text($tongues, map { text("In $_", 'slug: in-' . lc($_) . "\nlanguage: $_\n") } sort(keys %tongue), 'sw');
$pages->turn_on($tongues, 'tongues');
for my $tag (sort keys %tongue) {
	my $body = $pages->get('/tongues/' . ($tag eq 'fr' ? '' : lc($tag) . '/') . 'in-' . lc $tag)->{body};
	utf8::decode($body);
	my ($before, $y, $m, $d, $date) = $body =~ m{^(.*?)<time datetime="(\d{4})-0?(\d+)-0?(\d+)">([^<]*)</time>}s;
	my ($form, $minutes) = @{ $tongue{$tag} };
	$form =~ s/([YMD])/{ Y => $y, M => $m, D => $d }->{$1}/ge;
	like $date, qr/\Q$form/, "$tag: the date";
	like $body, qr/<span>[^<]*\Q$minutes/, "$tag: the minutes";
	unlike $before . $date, qr/<span lang="en"|\d{4}-\d\d/, "$tag: nothing is in another language, no date is a code" if $tag ne 'ar';
}
my $swahili = $pages->get('/tongues/sw/in-sw')->{body};
like $swahili, qr{<span lang="en" dir="ltr">1 minute to read</span>},
	'a language without words has English ones, which are marked';
like $swahili, qr{<time[^>]*><span lang="en" dir="ltr">\d+ \w+ \d{4}</span></time>}, 'as is the date';
my $french = $pages->get('/tongues/')->{body};
utf8::decode($french);
like $french, qr{<li lang="ja" dir="ltr">.*<span lang="fr" dir="ltr">\d+ \w+ \d{4}</span></time> <span lang="fr" dir="ltr">1 min de lecture</span>}s,
	'a list speaks the language of its workspace';
# ---- what is refused, in the language of the workspace, else of the reader
my ($gone) = $galley->import_text($tongues, text('Gone', "slug: gone\n"));
$galley->must(qw(article unpublish), $gone);
my %english = (400 => ['/tongues/?language=x_y', 'This address is wrong'],
	404 => ['/tongues/never', 'There is no such page'],
	410 => ['/tongues/gone', 'This article is no longer here']);
my %title = (fa => { 404 => 'چنین صفحه‌ای وجود ندارد' }, de => { 404 => 'Diese Seite gibt es nicht',
	410 => 'Diesen Artikel gibt es hier nicht mehr', 400 => 'Diese Adresse ist falsch' },
	'zh-TW' => { 410 => '這篇文章已不在這裡' }, 'en-US' => { map { $_ => $english{$_}[1] } keys %english },
	ar => { 404 => 'لا توجد صفحة كهذه' });
for my $tag ('de', sort keys %tongue) {
	$galley->must(qw(workspace set), $tongues, "language=$tag");
	for my $status (sort keys %english) {
		my ($path, $english) = @{ $english{$status} };
		my $a = $pages->get($path);
		is $a->{status}, $status, "$tag: $status";
		my $body = $a->{body};
		utf8::decode($body);
		my ($language, $title, $heading, $sentence) = $body =~
			m{^<!DOCTYPE html>\n<html lang="([^"]*)".*<title>([^<]*)</title>.*<h1>(.*?)</h1>\s*<p>(.*?)</p>}s;
		is $language, $tag, 'in the language of the workspace';
		is $title, $heading, 'its title, too';
		is $heading, $title{$tag}{$status}, 'as it is said there' if $title{$tag}{$status};
		unlike $body, qr/<span lang="en"|\Q$english/, 'and nothing in English' if $tag !~ /^en/;
	}
}
$galley->must(qw(workspace set), $tongues, 'language=sw');
like $pages->get('/tongues/never')->{body}, qr{<html lang="sw".*<h1><span lang="en" dir="ltr">There is no such page</span></h1>}s,
	'a language without words has English ones there, too';
sub asked_in {
	my ($language, $path) = @_;
	my $a = $pages->get($path, headers => { 'Accept-Language' => $language });
	utf8::decode($a->{body});
	return $a;
}
for my $case (['fa-IR, en;q=0.5' => 'fa" dir="rtl', 'چنین صفحه‌ای وجود ندارد', 'درخواست:'],
	['xx, de-AT;q=0.2, *;q=0.1' => 'de" dir="ltr', 'Diese Seite gibt es nicht', 'Anfrage:'],
	['ar' => 'ar" dir="rtl', 'لا توجد صفحة كهذه', 'الطلب:'],
	['xx, ' . 'y' x 400 => 'en" dir="ltr', 'There is no such page', 'Request:']) {
	my ($language, $html, $title, $request) = @$case;
	like asked_in($language, '/nobody/')->{body},
		qr{<html lang="$html".*<title>[^<]*\Q$title\E.*<h1>\Q$title\E</h1>.*<p>\Q$request\E <code>}s,
		'where there is no workspace: in ' . substr $language, 0, 20;
}
like $answer{'/notes/unpublished'}{body}, qr{<a href="/pages/notes/">To the list}, '410 leads back';
is $answer{'/notes/theme-x.css'}{body}, $answer{$sheet}{body}, 'any sheet is the present one';

# ---- nobody learns which words there are

my $unknown = sub { my $a = $pages->get($_[0]);
	delete @{ $a->{headers} }{qw(x-request-id)};
	return [$a->{body} =~ s{<code>[^<]*}{}r, $a->{headers}] };
is_deeply $unknown->("/$none{$_}/"), $unknown->('/nobody/'), "$_: as if nobody had it" for sort keys %none;

# ---- tags, HEAD, other methods

for my $path ('/notes/', '/notes/first', '/notes/feed.atom', $sheet) {
	my $etag = $answer{$path}{headers}{etag};
	my $again = $pages->get($path, headers => { 'If-None-Match' => $etag });
	is $again->{status}, 304, "$path: 304";
	is $again->{body}, '', 'without a body';
	is $again->{headers}{etag}, $etag, 'with its tag';
	is $again->{headers}{$_}, $answer{$path}{headers}{$_}, "and its $_"
		for qw(cache-control x-robots-tag referrer-policy);
	is $pages->get($path, headers => { 'If-None-Match' => '"x"' })->{status}, 200, 'another tag';
	my $head = $pages->request('HEAD', $path);
	is $head->{status}, 200, 'HEAD';
	is $head->{headers}{etag}, $etag, 'says the same';
	for my $method (qw(POST PUT DELETE OPTIONS PATCH TRACE)) {
		my $a = $pages->request($method, $path);
		is $a->{status}, 405, "$method: 405";
		is $a->{headers}{allow}, 'GET, HEAD', 'what it may be';
		like $a->{headers}{'x-robots-tag'}, qr/noindex/, 'noindex';
	}
	# A body is passed over, whatever its length.
	for my $len (0, 5, 70_000, 2_000_000) {
		my $a = $pages->request('POST', $path, body => 'x' x $len);
		is $a->{status}, 405, "POST of $len bytes: 405";
		is $a->{headers}{allow}, 'GET, HEAD', 'what it may be';
		$a = $pages->get($path, body => 'x' x $len);
		is $a->{status}, 200, "GET of $len bytes: 200";
		is $a->{headers}{etag}, $etag, 'as without them';
	}
}

# ---- a wrong row of the list costs that row alone

my $rows = $galley->workspace(account => $account, name => 'Rows');
my @row = $galley->import_text($rows, map { text("Row $_", "slug: $_\n") } qw(oldest middle newest));
$pages->turn_on($rows, 'rows');
$galley->sql("UPDATE article SET status = 'draft' WHERE uuid = '$row[1]'");
my $short = $pages->get('/rows/');
is $short->{status}, 200, 'a list that names what is not published';
like $short->{body}, qr{>Row newest<.*>Row oldest<}s, 'has all else';
unlike $short->{body}, qr/middle/, 'and not that';
is $short->{headers}{'cache-control'}, 'no-store', 'and nobody keeps it';
my $first_of_rows = $pages->get('/rows/oldest');
is $first_of_rows->{status}, 200, 'its neighbour is there';
unlike $first_of_rows->{body}, qr/middle|aria-labelledby="ways"/, 'without a way to it';
is $pages->status('/rows/middle'), 410, 'it is no page';
is $pages->status('/rows/feed.atom'), 200, 'and the feed does without it';
my @said = grep { /listed and not published/ } split /\n/,
	Galley::slurp($galley->home . '/log/requests.log');
is @said, $ENV{GALLEY_FCGI} ? 4 : 2, 'the log says so, once a request';
$galley->sql("UPDATE article SET status = 'draft' WHERE uuid = '$_'") for @row;
like $pages->get('/rows/')->{body}, qr/Nothing is published here yet/, 'nothing is left';

# ---- plain connections

$galley->conf(require_https => 'on');
my $plain = $pages->get('/notes/?tag=a%0Ab&x=1', env => { HTTPS => 'off' });
is $plain->{status}, 301, 'over a plain connection: 301';
is $plain->{headers}{location}, 'https://galley.example/pages/notes/?tag=a%0Ab&x=1', 'to https';
is $plain->{headers}{'cache-control'}, 'public, max-age=60', 'for a minute';
is $pages->status('/notes/'), 200, 'https answers';
$galley->conf(require_https => 'off');

# ---- a page changes with all that it shows

my $counts;
my $tag = sub { my $a = $pages->get($_[0]); return $a->{status} . ($a->{headers}{etag} // '') };
for my $change (
	['/notes/', 'its title', sub { $pages->turn_on($w, 'notes', pages_title => 'New') }],
	['/notes/first', 'its colour', sub { $pages->turn_on($w, 'notes', pages_accent => '#ff8800') }],
	['/notes/first', 'its width', sub { $pages->turn_on($w, 'notes', pages_width => 50) }],
	['/notes/first', 'who may frame it', sub {
		$galley->must(qw(workspace set), $w, 'embed_origins=https://b.example') }],
	['/notes/first', 'who counts it', sub {
		$galley->must(qw(workspace set), $w, 'analytics_enabled=true', "analytics_origins=$host") }],
	['/notes/first', 'its neighbour', sub { $galley->must(qw(article set), $moved, 'title=Renamed');
		$galley->must(qw(article publish), $moved) }],
	['/notes/first', 'its own website', sub {
		$galley->must(qw(workspace set), $w, 'address_pattern=/b/{slug}') }],
	['/notes/', 'its language', sub { $galley->must(qw(workspace set), $w, 'language=de-AT') }],
	['/notes/en/first', 'its account', sub { $galley->must(qw(account suspend), $account) }],
	['/notes/en/first', 'its account again', sub { $galley->must(qw(account resume), $account) }],
	['/notes/en/first', 'unpublished', sub { $galley->must(qw(article unpublish), $first) }],
	['/notes/', 'the word', sub { $pages->turn_on($w, 'newer') }],
) {
	my ($path, $what, $do) = @$change;
	my @was = map { $tag->($path) } 1 .. 3;
	is_deeply [@was[1, 2]], [@was[0, 0]], "$what: the same before";
	$do->();
	$counts = $pages->get($path)->{body} if $what eq 'who counts it';
	isnt $tag->($path), $was[0], 'and another in the next request';
}
like $counts, qr{ data-site="[0-9a-f]{36}" data-collect="/collect\.js"}, 'its script knows who counts';
unlike $answer{'/notes/first'}{body}, qr{data-site|collect}, 'and knew nobody before';
is $pages->status('/newer/first'), 410, 'an old form of what is gone is gone, too';
is $pages->get('/newer/de-at/zweiter')->{headers}{location}, '/pages/newer/zweiter',
	'the form of the old language leads to the new one';

# ---- of many topics those with the most articles, the others in the order of their letters

my $topical = $galley->workspace(account => $account, name => 'Topical');
$pages->turn_on($topical, 'topical');
$galley->import_text($topical, map { text("On $_", 'section: ' . substr($_, 0, 2) . "\n") }
	'A1' .. 'A9', 'Zz one', 'Zz two', 'Yy one', 'Yy two');
is join(' ', $pages->get('/topical/')->{body} =~ m{section=(\w+)">\w+</a></li>}g), 'Yy Zz A1 A2 A3 A4 A5 A6',
	'the topics of a page are those that are used most';

# ---- limits

$galley->conf(pages_per_minute => $ENV{GALLEY_FCGI} ? 6 : 3); # of twins, each asks
my $from = sub { return $pages->get($_[0], env => { REMOTE_ADDR => $_[1], @_[2 .. $#_] }) };
is $from->('/newer/nothing', '2001:db8::1')->{status}, 404, 'a stranger asks' for 1 .. 3;
my $much = $from->('/newer/nothing', '2001:db8::ffff:2');
is $much->{status}, 429, 'and too often: 429, for the network';
like $much->{headers}{'retry-after'}, qr/^[1-9]\d?$/, 'until when';
is $from->('/share/ab_share_' . '0' x 32, '2001:db8::3')->{status}, 429, 'of shares, too';
is $much->{headers}{'cache-control'}, 'no-store', 'nobody keeps it';
like $much->{body}, qr{<h1>Too many requests</h1>}, 'as a page';
is $from->('/newer/nothing', '2001:db8:0:1::1')->{status}, 404, 'another network';
# A header that anybody can send makes ten times as much of the limit, and no more.
my @header = map { ["HTTP_$_" => '192.0.2.200'] } qw(VIA FORWARDED X_FORWARDED_FOR);
is join(' ', map { $from->('/newer/nothing', '2001:db8::1', @{ $header[$_ % 3] })->{status} } 1 .. 29),
	join(' ', (404) x 27, 429, 429), 'a header gives ten times the limit, for the peer';
SKIP: {
	skip 'answers are not kept', 1 if $ENV{GALLEY_FCGI} || $ENV{GALLEY_KEPT} || $ENV{GALLEY_CLUSTER};
	is $from->('/newer/zweiter', '192.0.2.1')->{status}, 200, 'what is kept is not counted' for 1 .. 9;
}
$galley->conf(pages_per_minute => 0);
is $from->('/newer/nothing', '2001:db8::1')->{status}, 404, 'nobody is counted' for 1 .. 9;
SKIP: {
	skip 'another store, or a process that would end', 2 if $ENV{GALLEY_FCGI} || $ENV{GALLEY_KEPT} || $ENV{GALLEY_CLUSTER};
	my $number = $galley->sql('PRAGMA user_version')->[0]{user_version};
	$galley->sql('PRAGMA user_version = 7');
	my $busy = asked_in('ja', '/tongues/never');
	$galley->sql("PRAGMA user_version = $number");
	is $busy->{status}, 503, 'while the store is another release\'s';
	like $busy->{body}, qr{<html lang="ja".*<h1>現在ご利用いただけません</h1>\s*<p>現在このページを表示できません}s,
		'the page speaks its reader\'s language';
}
done_testing();
