#!/usr/bin/perl
# Posts with parts that an article cannot have. Proves that each is imported as far as it fits,
# and that every part that was cut, changed or left out is reported once.
use strict;
use warnings;
use utf8;

use lib 'tests/lib';

use Galley;
use Galley::Wxr;
use Galley::JSON ();
use MIME::Base64 qw(decode_base64);
use Test::More;

my $galley = Galley->new;
my $workspace = $galley->workspace;
my $path = $galley->scratch . '/export';
my $png = decode_base64('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQV'
	. 'R42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==');

# Returns the import's whole answer.
sub imported {
	my ($program, $text, @words) = @_;
	Galley::spew($path, $text);
	return $galley->must(qw(article import --workspace), $workspace, '--from',
		$program, @words, $path);
}

sub ghost {
	my ($data, @words) = @_;
	return imported('ghost', Galley::JSON->new->utf8->encode({ data => $data }),
		@words)->{articles};
}

sub markdown {
	my ($article) = @_;
	return $galley->must(qw(article show), $article->{id},
		qw(--as markdown))->{markdown};
}

# One test: exactly one note matches.
sub told {
	my ($article, $note, $name) = @_;
	is scalar(grep { $_ =~ $note } @{ $article->{notes} }), 1, $name
		or diag explain $article->{notes};
}

# ---- fields

my ($long, $bare, $slug, $odd) = @{ ghost({
	posts => [
		{ id => 1, title => 'x' x 301, slug => 'Not A Slug!', locale => 'ar',
			canonical_url => 'ftp://a.example/', html => '<p>Text.</p>' },
		{ id => 2, html => '<p>Text.</p>' },
		{ id => 3, slug => 'the-slug', title => ' ' },
		{ id => 4, title => 'Odd', html => '<!-- one --><p>a</p><!-- two -->'
			. '<figure class="kg-card kg-bookmark-card"> '
			. '<a href="javascript:x"> <b>t</b></a></figure>'
			. '<figure class="kg-card kg-bookmark-card"> '
			. '<a href="https://b.example/"> </a></figure>' },
	],
	tags => [{ id => 98 }, { id => 99, name => 'y' x 201 },
		map { +{ id => $_, name => "tag $_" } } 1 .. 60],
	posts_tags => [{ post_id => 1, tag_id => 97 }, { post_id => 1, tag_id => 98 },
		{ post_id => 1, tag_id => 99 }, { post_id => 1, tag_id => 1 },
		map { +{ post_id => 1, tag_id => $_ } } 1 .. 60],
	users => [{ id => 1, name => 'Ada' }, { id => 2, name => 'Bob' }],
	posts_authors => [{ post_id => 1, author_id => 2, sort_order => 1 },
		{ post_id => 1, author_id => 1, sort_order => 0 }],
}) };
told($long, qr/the title was cut to 300 characters/, 'a title that is too long');
told($long, qr/the tag was cut to 200 characters/, 'a tag that is too long');
told($long, qr/tags after the first 50 were dropped/, 'tags that are too many');
told($long, qr/the slug "Not A Slug!" became "not-a-slug"/, 'a slug with other characters');
told($long, qr/only the first of 2 authors was kept/, 'a second author');
told($long, qr/canonical address "ftp:.*only http and https/,
	'a canonical address that is not an address');
my $text = markdown($long);
like $text, qr/^title: x{300}$/m, 'the title is as long as it may be';
like $text, qr/^slug: not-a-slug$/m, 'the article has that slug';
like $text, qr/^lang: ar$/m, 'a post may be in another language';
like $text, qr/^author: Ada$/m, 'the first author is the first by their order';
my ($tags) = $text =~ /^tags: \[(.*)\]$/m;
my @tags = split /, /, $tags;
is scalar @tags, 50, 'fifty tags are kept';
is scalar(grep { $_ eq 'tag 1' } @tags), 1, 'each of them once';
told($bare, qr/there is no title; it was made of the first words/, 'no title');
is $bare->{slug}, 'text', 'without a slug too it has that of its title';
told($slug, qr/there is no title, and no text to make one of/, 'a post without any words');
like markdown($slug), qr/^title: the-slug$/m, 'the slug is the title then';
told($odd, qr/comments? .*dropped/, 'comments that are not Ghost\'s');
told($odd, qr/the link to "javascript:x" stays as text/,
	'a card that links to no address');
told($odd, qr/a bookmark card became a link/, 'a card without a title');
like markdown($odd), qr{\[https://b\.example/\]\(https://b\.example/\)},
	'which has its address for a title';

# ---- dates

for my $at (10**15, '9223372036854775807', -1) {
	Galley::spew($path, '{"data":{"posts":[{"id":1,"title":"T","published_at":'
		. "$at}]}}");
	my $done = $galley->command(qw(article import --from ghost --workspace),
		$workspace, $path);
	is "$done->{exit} $done->{signal}", '1 0', "a date of $at is refused";
	like $done->{err}, qr/posts\[0\]\.published_at must be a date/,
		'by its name';
}

# ---- fields of WordPress plugins

my ($known, $unknown) = @{ imported('wordpress', wxr([
	{ id => 1, excerpt => 'Short', meta => { _yoast_wpseo_title =>
		'%%title%% %%page%%%%sep%% %%excerpt%% 100%%',
		rank_math_description => '%excerpt_only%!' } },
	{ id => 2, meta => { _yoast_wpseo_title => '%%title%% %%cf_x%%' },
		creator => 'nobody', terms => [['category', 'Uncategorized'],
			['nav_menu', 'Main']] },
	{ id => '', title => 'Nothing' },
], site => 'https://garden.example///'))->{articles} };
like markdown($known), qr/"metaTitle":"Post 1 – Short 100%%"/,
	'known variables are filled in';
like markdown($known), qr/^description: "Short!"$/m, 'of both plugins';
told($unknown, qr/nothing is known of %%cf_x%%/, 'an unknown variable');
like markdown($unknown), qr/^author: nobody$/m,
	'an author that is described nowhere has the login for a name';
is $known->{source}, 'wordpress:https://garden.example#1',
	'slashes at the end of a site do not belong to it';
my $done = imported('wordpress', wxr([{ id => '', title => 'Nothing' }]));
is_deeply $done->{skipped}, { 'without a number' => 1 },
	'a post that has no number is skipped';
$done = imported('wordpress', wxr([{ id => 7, content =>
	'[gallery ids="8"]' }, { id => 8, type => 'attachment', status => 'inherit',
	attachment_url => 'https://garden.example/a<b>.png' }]));
unlike markdown($done->{articles}[0]), qr/<b>/, 'no address becomes markup';
$done = imported('wordpress', wxr([{ id => 9, terms => [map {
	['post_tag', "t$_"] } 1 .. 2100] }]));
told($done->{articles}[0], qr/tags after the first 50 were dropped/,
	'terms without end');
$text = wxr([{ id => 10, terms => [['post_tag', 'x']] }]) =~
	s/<category domain="post_tag"/<category/r;
like markdown(imported('wordpress', $text)->{articles}[0]), qr/^section: x$/m,
	'a term without domain is a category';

# ---- pictures

mkdir $galley->scratch . '/uploads';
Galley::spew($galley->scratch . "/uploads/$_.png", $png) for 'a', 'a300x200';
Galley::spew($galley->scratch . '/uploads/plain', $png);
my $uploads = $galley->scratch . '/uploads';
my $at = 'https://www.garden.example/wp-content/uploads';
$done = imported('wordpress', wxr([{ id => 20, content => join '',
	map { "<p><img src=\"$_\" alt=\"A\"></p>" } "$at/a.png", "$at/plain",
	"$at/a300x200.png", "$at/gone300x200.png", "$at/gone", 'https://[/a.png',
	'https://img.garden.example/wp-content/uploads/a.png' }],
	site => 'https://www.garden.example'), '--media', $uploads);
is $done->{pictures}{stored}, 4, 'pictures of the site are taken from a folder';
$done = imported('ghost', '{"data":{"posts":[{"id":21,"title":"T","html":'
	. '"<img src=\"https://any.example/content/images/a.png\">"}]}}', '--media',
	$uploads);
is $done->{pictures}{stored}, 1, 'pictures of every site, when none was named';
$done = imported('wordpress', wxr([{ id => 23, content =>
	"<img src=\"$at/a.png\">" }], site => 'garden'), '--media', $uploads);
is $done->{pictures}{stored}, 0, 'of no site, when the named one is not an address';
my $many = join '', map { "<p><img src=\"$at/a.png?$_\"></p>" } 1 .. 499;
$done = imported('wordpress', wxr([{ id => 22, content => "<h2>A</h2>$many"
	. "<h2>B</h2>$many<h2>C</h2>" . "<p><img src=\"$at/a.png\"></p>" x 9 }],
	site => 'https://www.garden.example'), '--media', $uploads);
is $done->{pictures}{stored}, 1000, 'a thousand pictures of a post are taken';
told($done->{articles}[0], qr/more than 1000 pictures/, 'others stay, and a note says so');
# ---- blocks that flatten, and videos

my ($page) = @{ imported('wordpress', wxr([{ id => 901, title => 'Blocks', content =>
	"<!-- wp:columns -->\n<div class=\"wp-block-columns\"><!-- wp:column -->\n<p>Left.</p>\n<!-- /wp:column --><!-- wp:column -->\n"
	. "<p>Right.</p>\n<!-- /wp:column --></div>\n<!-- /wp:columns -->\n<!-- wp:columns {\"a\":1} --><p>Again.</p><!-- /wp:columns -->\n"
	. "<!-- wp:buttons --><div><!-- wp:button --><div><a href=\"https://b.example/\">Press</a></div><!-- /wp:button --></div><!-- /wp:buttons -->\n"
	. "<!-- wp:gallery --><figure><figure><img src=\"https://b.example/a.png\" alt=\"\"></figure></figure><!-- /wp:gallery -->\n"
	. "<p>[youtube https://www.youtube.com/watch?v=abc]</p>\n<p>[youtube=https://youtu.be/def]</p>\n"
	. "<p><a href=\"https://www.google.com/url?q=https://c.example/\">Far</a></p>" }]))->{articles} };
told($page, qr/^columns stand one below the other now\.$/, 'columns, once');
told($page, qr/^buttons became links\.$/, 'buttons');
told($page, qr/^a gallery became single pictures\.$/, 'a gallery');
ok +(grep { /^\[youtube\] became a link\.$/ } @{ $page->{notes} }), 'a video';
told($page, qr{the link leads to https://c\.example/ itself, not over www\.google\.com}, 'a redirect');
my $said = markdown($page);
like $said, qr/Left\.\n\nRight\./, 'their texts are kept';
like $said, qr/\Q$_\E/, "$_ stays" for 'https://www.youtube.com/watch?v=abc', 'https://youtu.be/def',
	'[Press](https://b.example/)', '[Far](https://c.example/)';

done_testing;
