#!/usr/bin/perl
# Imports the same file or export again after changes. Proves that dates, addresses and texts
# follow the file, that slugs stay, that an article leaves the trash only with --force, and that
# a text which is too long leaves the article as it was.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Wxr;
use Test::More;

my $galley = Galley->new;
my $workspace = $galley->workspace(website => 'https://garden.example',
	address_pattern => '/{slug}');
my $path = $galley->scratch . '/text.md';
my $export = $galley->scratch . '/export.xml';

sub told { return join ' ', @{ $_[0]{notes} } }

# ---- a file

sub file {
	my ($text, @words) = @_;
	Galley::spew($path, $text);
	return $galley->command(qw(article import --publish --workspace), $workspace,
		@words, $path)->{json}[0];
}

sub head {
	my ($url, $date) = @_;
	return "---\ntitle: One\ndate: $date\ncanonical: https://a.example/$url\n---\n";
}

my $first = file(head('one', '2024-05-06') . "Text.\n");
is file(head('one', '2024-05-06') . "Text.\n")->{action}, 'unchanged',
	'the same address and date are no change';
is file(head('two', '2024-05-06') . "Text.\n")->{action}, 'updated',
	'another address is a change';
my $facts = $galley->must(qw(article show), $first->{id});
is $facts->{published_url}, 'https://a.example/two', 'and it is set';
is file(head('two', '2024-05-07') . "Text.\n")->{action}, 'updated',
	'another date is a change';
$facts = $galley->must(qw(article show), $first->{id});
is $facts->{created_at}, '2024-05-07T00:00:00.000000Z', 'and it is set';

my $long = join "\n\n", map { $_ % 150 ? 'x' x 9000 : "## Part $_" } 1 .. 300;
my $done = file(head('three', '2024-05-07') . $long);
is $done->{status}, 'failed', 'a text that is too long is refused';
like told($done), qr/content is longer than 2097152 bytes/, 'with the reason';
$facts = $galley->must(qw(article show), $first->{id});
is $facts->{published_url}, 'https://a.example/two', 'and nothing is changed';
my $markup = join "\n\n", map { $_ % 150 ? '"' x 9000 : "## Part $_" } 1 .. 100;
$done = file(head('three', '2024-05-07') . $markup);
is $done->{status}, 'failed', 'so is one whose page would be too long';
like told($done), qr/finished article would be longer than 3145728 bytes/,
	'with its own reason';
is $galley->command('verify')->{exit}, 0, 'the store is whole';

# ---- an export

sub post {
	my ($item, @words) = @_;
	Galley::spew($export, wxr([{ id => 1, %$item }]));
	return $galley->command(qw(article import --from wordpress --publish
		--workspace), $workspace, @words, $export)->{json}{articles}[0];
}

$first = post({ content => '<p>One.</p>', name => 'one-there' });
$done = post({ content => '<p>Two.</p>', name => 'two-there' });
is "$done->{action} $done->{slug}", 'updated one-there',
	'a slug that changed in the export stays in the article';
like told($done), qr/Its slug is two-there there; here it stays one-there/,
	'a note says so';
$galley->must(qw(article set), $first->{id}, 'published_url=');
$done = post({ content => '<p>Three.</p>', name => 'two-there' });
$facts = $galley->must(qw(article show), $first->{id});
is $facts->{published_url}, 'https://garden.example/post-1/',
	'a removed address is a change';
$done = post({ content => '<p>Four.</p>', modified_gmt => '2999-01-01 00:00:00' });
$facts = $galley->must(qw(article show), $first->{id});
cmp_ok $facts->{modified_at}, 'lt', '2999', 'nothing was changed in the future';

$galley->must(qw(article delete), $first->{id});
$done = post({ content => '<p>Five.</p>' });
is $done->{action}, 'unchanged', 'an article in the trash stays there';
$done = post({ content => '<p>Five.</p>' }, '--force');
is "$done->{action} $done->{status}", 'updated published', '--force brings it back';
like $galley->must(qw(article show), $first->{id}, qw(--as markdown))->{markdown},
	qr/^Five\.$/m, 'with the present text of the export';

$long = join '', map { $_ % 150 ? '<p>' . 'x' x 9000 . '</p>' : "<h2>$_</h2>" }
	1 .. 300;
$done = post({ content => $long });
is $done->{status}, 'failed', 'a post that is too long is refused';
like told($done), qr/content is longer than 2097152 bytes/, 'with the reason';
$done = post({ id => 2, content => $long });
is $done->{status}, 'failed', 'a new one, too';
$markup = join '', map { $_ % 150 ? '<p>' . '"' x 9000 . '</p>' : "<h2>$_</h2>" }
	1 .. 100;
$done = post({ content => $markup });
like told($done), qr/finished article would be longer/,
	'so is one whose page would be too long';
like $galley->must(qw(article show), $first->{id}, qw(--as markdown))->{markdown},
	qr/^Five\.$/m, 'the article is as it was';
is scalar @{ $galley->sql('SELECT id FROM article') }, 2, 'and there is no other';

# ---- slugs

$galley->sql('INSERT INTO article_name (workspace_id, kind, name, article_id)'
	. " WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n"
	. " WHERE i < 100000) SELECT workspace_id, 'slug', 'many-' || i, id"
	. " FROM n, article WHERE slug = 'one-there'");
sub many {
	my ($id) = @_;
	return post({ id => $id, name => 'many' });
}
is many(10)->{slug}, 'many', 'a slug that is free is taken';
like told(many(11)), qr/The slug many belongs to the article/,
	'a slug is refused when a hundred thousand numbered ones are taken';
done_testing;
