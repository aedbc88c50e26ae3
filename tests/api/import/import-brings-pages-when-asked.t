#!/usr/bin/perl
# galley article import --from wordpress|ghost --pages: proves that pages become articles only when
# that is asked for, under the rules of posts (private ones and drafts are drafts), that what cannot be
# a whole article of its own is a draft, that old addresses and links lead to them, and that the same
# export again, with or without the option, changes nothing.
# suite: fast
use strict;
use warnings;
use utf8;

use lib 'tests/lib';

use Galley;
use Galley::JSON ();
use Galley::Process qw(run_program);
use Galley::Wxr;
use Test::More;

my $galley = Galley->new;
my $workspace = $galley->workspace(website => 'https://new.example',
	address_pattern => '/blog/{slug}/');
my $path = $galley->scratch . '/export';
my $old = 'https://garden.example';
my $shell = '<!-- wp:shortcode -->[contact-form-7 id="12"]<!-- /wp:shortcode -->';
Galley::spew($path, wxr([
	{ id => 1, name => 'first', content => "<p>Read <a href=\"/about/team/\">who we are</a>.</p>" },
	page(2, 'about'), page(3, 'team', link => "$old/about/team/"),
	page(4, 'team', link => "$old/shop/team/"), page(5, 'home', link => "$old/"),
	page(6, 'inside', status => 'private'), page(7, 'later', status => 'draft'),
	page(8, 'locked', password => 'secret'), page(9, 'news', content => ''),
	page(10, 'contact', content => $shell), page(11, 'gone', status => 'trash')]));

sub page {
	my ($id, $name, %more) = @_;
	return { id => $id, name => $name, type => 'page', link => "$old/$name/",
		title => ucfirst $name, date_gmt => '2019-05-06 05:08:09', %more };
}

sub imported {
	my (@words) = @_;
	return $galley->must(qw(article import --publish --workspace), $workspace, @words, $path);
}

sub counts {
	my ($done) = @_;
	my %count;
	$count{ $_->{action} }++ for @{ $done->{articles} };
	return \%count;
}

# ---- WordPress

my @wordpress = qw(--from wordpress);
my $done = imported(@wordpress);
is_deeply counts($done), { created => 1 }, 'without the option no page is an article';
is_deeply $done->{skipped}, { 'of type page' => 10 }, 'and all are counted';
my $said = run_program([$galley->programs . '/bin/galley', qw(article import --workspace), $workspace,
	@wordpress, $path])->{out};
like $said, qr/With --pages, pages become articles, too\./, 'the option is named';

is_deeply counts(imported(@wordpress, qw(--pages --dry-run))), { created => 9, unchanged => 1 },
	'a dry run counts them';
$done = imported(@wordpress, '--pages');
is_deeply counts($done), { created => 9, unchanged => 1 }, 'with it they are';
is_deeply $done->{skipped}, { 'with status trash' => 1 }, 'but for what is in the trash';
my %page = map { ($_->{source} =~ /#(\d+)$/)[0] => $_ } @{ $done->{articles} };
is_deeply { map { $_ => $page{$_}{status} } keys %page }, { (map { $_ => 'published' } 1 .. 5),
	(map { $_ => 'draft' } 6 .. 10) }, 'what was for everyone, and has words, is published';
for my $case ([6, qr/not for everyone there \(status private\)/, 'a private one'],
	[8, qr/not for everyone there \(it has a password\)/, 'one with a password'],
	[9, qr/the page has no text of its own: it stays a draft/, 'the page of the posts'],
	[10, qr/the page has no text of its own: it stays a draft/, 'one that a plugin fills'],
	[5, qr/it was the front page of the site, of which no redirect is made/, 'the front page'],
	[4, qr/The slug team is taken; this is team-2/, 'a second one of the name']) {
	my ($id, $like, $name) = @$case;
	ok +(grep { /$like/ } @{ $page{$id}{notes} }), "$name is named"
		or diag explain $page{$id}{notes};
}
is $page{3}{slug}, 'team', 'the slug is the last part of the path';
my $shown = $galley->must(qw(article show), $page{2}{id});
is $shown->{created_at}, '2019-05-06T05:08:09.000000Z', 'the date is the one that it had';

my $key = $galley->key($workspace, 'articles:read');
my @listed = map { $_->{slug} } @{ $galley->get('/articles', key => $key)->{json}{data} };
is $listed[0], 'first', 'so that old pages are behind newer posts';
is_deeply [sort @listed], [qw(about first home team team-2)], 'only what is for readers is shown';

# ---- addresses and links

my $map = run_program([$galley->programs . '/bin/galley', qw(article addresses --as nginx --workspace),
	$workspace])->{out};
like $map, qr{^\t"/about/team/" "https://new\.example/blog/team/";$}m, 'a redirect of a page below another';
like $map, qr{^\t"/shop/team/" "https://new\.example/blog/team-2/";$}m, 'and of the other one of its name';
unlike $map, qr{^\t"/" }m, 'none of the whole site';
unlike $map, qr{inside|locked|later|news|contact}, 'none of a draft';
like $galley->get("/articles/$page{1}{id}", key => $key)->{body},
	qr{href=\\"\Q$old\E/about/team/\\"}, 'a link to a page leads where the redirect is';

# ---- again

is_deeply counts(imported(@wordpress, '--pages')), { unchanged => 10 }, 'again: nothing changes';
is_deeply counts(imported(@wordpress)), { unchanged => 1 }, 'again without it: neither';
is $galley->sql("SELECT count(*) AS n FROM article WHERE status = 'published'")->[0]{n}, 5,
	'and the pages stay what they are';
$galley->must(qw(article delete), $page{2}{id});
is_deeply counts(imported(@wordpress, '--pages')), { unchanged => 10 }, 'what was deleted here stays so';

# ---- Ghost

my $n = 0;
Galley::spew($path, Galley::JSON->new->utf8->encode({ db => [{ data => { posts => [map { {
	id => 'p' . ++$n, uuid => "uuid-$n", slug => "ghost-$n", html => '<p>Text.</p>',
	status => 'published', visibility => 'public', created_at => '2024-05-05T10:00:00.000Z',
	title => "Ghost $n", %$_ } } { type => 'post' }, { type => 'page' }, { page => 1 },
	{ type => 'page', visibility => 'members' }, { type => 'snippet' }] } }] }));
my @ghost = (qw(--from ghost --site), $old);
is_deeply counts(imported(@ghost)), { created => 1 }, 'Ghost: no page without the option';
$done = imported(@ghost, '--pages');
is_deeply [map { $_->{status} } @{ $done->{articles} }], [qw(published published published draft)],
	'with it in both forms; one for members is a draft';
is_deeply $done->{skipped}, { 'of type snippet' => 1 }, 'and nothing else';

like $galley->command(qw(article import --pages --workspace), $workspace, $path)->{err},
	qr/--pages goes with --from only/, 'Markdown has no pages';
done_testing;
