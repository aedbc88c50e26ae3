#!/usr/bin/perl
# Proves that a post which was not public in WordPress or Ghost is not public after an import
# with --publish, and that each such post is named.
# suite: valgrind
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Wxr;
use Galley::JSON ();
use Test::More;

my $galley = Galley->new;

sub import_from {
	my ($program, $text, @words) = @_;
	my $workspace = $galley->workspace;
	my $path = $galley->scratch . '/export';
	Galley::spew($path, $text);
	my $done = $galley->must(qw(article import --publish --from), $program,
		'--workspace', $workspace, @words, $path);
	my $key = $galley->key($workspace, 'articles:read');
	my $public = $galley->get('/articles', key => $key)->{json}{data};
	return ($done, { map { $_->{slug} => 1 } @$public });
}

sub is_hidden {
	my ($done, $public, $slug, $name) = @_;
	my ($row) = grep { ($_->{slug} // '') eq $slug } @{ $done->{articles} };
	is $row->{status}, 'draft', "$name is a draft";
	ok scalar(grep { /not for everyone there/ } @{ $row->{notes} }),
		"$name is named";
	ok !$public->{$slug}, "$name is not public";
}

# ---- WordPress

my $future = '2099-01-01 00:00:00';
my @hidden = (
	{ id => 1, name => 'a-private', status => 'private' },
	{ id => 2, name => 'a-pending', status => 'pending' },
	{ id => 3, name => 'a-future', status => 'future', date_gmt => $future },
	{ id => 4, name => 'a-password', password => 'secret' },
	{ id => 5, name => 'of-a-plugin', status => 'wc-secret' },
);
my ($done, $public) = import_from('wordpress', wxr([@hidden,
	{ id => 6, name => 'for-all' },
	{ id => 7, name => 'a-draft', status => 'draft',
		date_gmt => '0000-00-00 00:00:00' },
	{ id => 8, name => 'dated-ahead', date_gmt => $future },
	{ id => 9, name => 'gone', status => 'trash' },
	{ id => 10, name => 'half', status => 'auto-draft' },
	{ id => 11, name => 'old', type => 'revision', status => 'inherit' },
	{ id => 12, name => 'page', type => 'page' },
	{ id => 13, name => 'shop', type => 'product' }]));
is_hidden($done, $public, $_->{name}, $_->{name}) for @hidden;
is_deeply [sort keys %$public], ['for-all'], 'only what was for everyone';
is_deeply $done->{skipped}, { 'with status trash' => 1,
	'with status auto-draft' => 1, 'of type revision' => 1,
	'of type page' => 1, 'of type product' => 1 }, 'what is skipped';
is_deeply $galley->sql("SELECT count(*) AS n FROM article WHERE slug IN"
	. " ('gone', 'half', 'old', 'page', 'shop')"), [{ n => 0 }],
	'is no article at all';

# ---- Ghost

my $n = 0;
sub ghost_post {
	my ($slug, %more) = @_;
	return { id => 'p' . ++$n, uuid => "uuid-$n", title => $slug,
		slug => $slug, html => '<p>Text.</p>', type => 'post',
		status => 'published', visibility => 'public',
		created_at => '2024-05-05T10:00:00.000Z',
		updated_at => '2024-05-05T10:00:00.000Z',
		published_at => '2024-05-05T10:00:00.000Z', %more };
}
my %secret = (members => [visibility => 'members'],
	paid => [visibility => 'paid'], tiers => [visibility => 'tiers'],
	filter => [visibility => 'label:vip'],
	scheduled => [status => 'scheduled',
		published_at => '2099-01-01T00:00:00.000Z'],
	sent => [status => 'sent']);
my @posts = map { ghost_post($_, @{ $secret{$_} }) } sort keys %secret;
my $mail = ghost_post('mail');
($done, $public) = import_from('ghost', Galley::JSON->new->utf8->encode({ db => [{
	data => { posts => [@posts, $mail, ghost_post('for-all'),
		ghost_post('draft', status => 'draft'),
		ghost_post('page', type => 'page')],
		posts_meta => [{ post_id => $mail->{id}, email_only => 1 }] } }] }));
is_hidden($done, $public, $_, $_) for sort(keys %secret), 'mail';
is_deeply [sort keys %$public], ['for-all'], 'only what was for everyone';
is_deeply $done->{skipped}, { 'of type page' => 1 }, 'what is skipped';

done_testing;
