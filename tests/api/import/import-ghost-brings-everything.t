#!/usr/bin/perl
# A Ghost export: proves that every field of a post that Galley has a place for is imported, and
# that importing the same file again changes nothing.
# suite: valgrind
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::JSON ();
use Test::More;

my $galley = Galley->new;
my $workspace = $galley->workspace(website => 'https://garden.example');

sub import_ghost {
	my ($text, @words) = @_;
	my $path = $galley->scratch . '/export.json';
	Galley::spew($path, $text);
	return $galley->must(qw(article import --from ghost --publish),
		qw(--site https://garden.example/ --workspace), $workspace,
		@words, $path);
}

sub markdown {
	my ($id) = @_;
	return $galley->must(qw(article show), $id, qw(--as markdown))->{markdown};
}

my $small = Galley::slurp('tests/fixtures/ghost/small.json');
import_ghost($small, '--dry-run');
is_deeply $galley->sql('SELECT id FROM article'), [], 'a dry run writes nothing';
my $done = import_ghost($small);
my $post = $done->{articles}[0];
is "$post->{action} $post->{status} $post->{slug}",
	'created published compost', 'a post';
my $text = markdown($post->{id});
like $text, qr/^\Q$_\E$/m, "front matter: $_" for
	'title: "Compost & you"', 'description: All about compost.',
	'date: 2024-05-06T05:08:09Z',
	'image: "https://garden.example/content/images/2024/05/bin.png"',
	'imageAlt: A bin of wood', 'imageCaption: The bin',
	'tags: [Soil, Heap]',
	'author: {name: Ada Brown, url: "https://ada.example"}',
	'published_url: "https://garden.example/compost/"';
like $text, qr/"metaTitle":"Compost for beginners"/, 'the search title';
like $text, qr{\[soil\]\(https://garden\.example/soil/\)},
	'__GHOST_URL__ is the site';
like $text, qr{^!\[A bin\]\(https://garden\.example/content/images/2024/05/bin\.png "The bin in May"\)$}m,
	'a picture with its caption';
like $text, qr{^\[Worms at work\]\(https://other\.example/worms\)$}m,
	'a bookmark card is a link';
like $text, qr{^\[\S+\]\(https://map\.example/here\)$}m, 'an embed is a link';
is $galley->must(qw(article show), $post->{id})->{modified_at},
	'2024-06-01T10:00:00.000000Z', 'dateModified';
is_deeply [map { $_->{action} } @{ import_ghost($small)->{articles} }],
	[qw(unchanged unchanged)], 'the same file again changes nothing';

# ---- an old export: data at the top, numbers for ids, milliseconds

$done = import_ghost(Galley::JSON->new->encode({ meta => { version => '000' },
	data => { posts => [{ id => 7, title => 'Old', slug => 'old',
		html => '<p>Text.</p>', page => 0, status => 'published',
		published_at => 1388318400000, author_id => 3,
		meta_title => 'Old search title' },
		{ id => 8, title => 'Static', slug => 'static', page => 1 }],
		users => [{ id => 3, name => 'Bo' }],
		tags => [{ id => 5, name => 'Leaf' }],
		posts_tags => [{ post_id => 7, tag_id => 5 }] } }));
$text = markdown($done->{articles}[0]{id});
like $text, qr/^\Q$_\E$/m, "old form: $_" for 'date: 2013-12-29T12:00:00Z',
	'author: Bo', 'tags: [Leaf]';
like $text, qr/Old search title/, 'old form: the search title';
is_deeply $done->{skipped}, { 'of type page' => 1 }, 'old form: a page';

# ---- a text that exists only in the editor's own form

$done = import_ghost('{"data":{"posts":[{"id":"9","title":"Empty",'
	. '"slug":"empty","lexical":"{}","html":null,"status":"draft"}]}}');
ok scalar(grep { /was not read/ } @{ $done->{articles}[0]{notes} }),
	'a post without HTML is reported';
done_testing;
