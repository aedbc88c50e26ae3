#!/usr/bin/perl
# Proves, for the build STORE=pg, that an answer of many rows is read piece by piece
# (lib/store/pg/pg-stmt.c): the tool needs no more memory than a piece of it, no row is left out
# between two pieces, other questions may be asked meanwhile, and reading may end early.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

# More than a piece has at most, and more than is repaired at once.
my $COUNT = 620;

my $galley = Galley->new;
my $workspace = $galley->workspace(website => 'https://www.example.com',
	address_pattern => '/blog/{slug}', publisher_name => 'Example');
my @ids = $galley->import_text($workspace, map { "# Title $_\n\nText $_.\n" } 1 .. $COUNT);

# ---- every row, once, in its order

my @order = map { $_->{uuid} } @{ $galley->sql(
	'SELECT uuid FROM article ORDER BY created_at DESC, uuid DESC') };
is scalar @order, $COUNT, "$COUNT articles are there";
is_deeply $galley->must(qw(article list -q)), \@order, 'the list of ids has each';
is_deeply [map { $_->{id} } @{ $galley->must(qw(article list)) }], \@order,
	'so has the list with what is left to write';
is_deeply [map { $_->{id} } @{ $galley->must(qw(article list --search text)) }], \@order,
	'and that of a search';
is scalar @{ $galley->must(qw(article list --limit 100)) }, 100, 'a part of it has its length';

# ---- nested questions, and an early end

my $found = $galley->command('verify');
is $found->{exit}, 0, 'verify finds nothing' or diag $found->{err};
$galley->sql('DELETE FROM listed');
$galley->sql("UPDATE edition SET content = replace(content, 'Text 7.', 'Text 8.') WHERE id IN"
	. " (SELECT edition_id FROM article WHERE uuid = '$ids[6]')");
$found = $galley->command('verify');
is $found->{exit}, 1, 'verify finds what is wrong';
like $found->{out} . $found->{err}, qr/$ids[6]: edition 1 is not what its digest says/,
	'and names the edition';
$galley->sql("UPDATE edition SET content = replace(content, 'Text 8.', 'Text 7.') WHERE id IN"
	. " (SELECT edition_id FROM article WHERE uuid = '$ids[6]')");
like $galley->command(qw(verify --quick))->{out}, qr/pages list it otherwise/, 'and pages that list nothing';
$galley->must(qw(verify --repair));
is $galley->sql("SELECT count(*) AS n FROM listed WHERE kind = 'all'")->[0]{n}, $COUNT,
	'which are repaired, 500 at a time';

# ---- memory

SKIP: {
	skip 'watched programs need more memory', 3 if Galley::is_watched();
	# 100 MB of editions: none of them names the picture.
	my $columns = join ', ', qw(published_at digest unfinished title slug language author_name
		author_url noindex meta_title meta_description section tags image image_type image_width
		image_height image_generated);
	$galley->sql("INSERT INTO edition (article_id, version, content, $columns) SELECT article_id,"
		. " n + 1, repeat('many words ', 10000), $columns FROM edition e"
		. " CROSS JOIN generate_series(1, 1000) n WHERE article_id ="
		. " (SELECT id FROM article WHERE uuid = '$ids[0]')");
	my $picture = $galley->reachable('tests/fixtures/pictures/bands.png');
	$galley->must(qw(article set), $ids[1], "image=$picture");
	$galley->must(qw(article delete), $ids[1], '--yes');
	my $done = run_program(['sh', '-c', 'ulimit -d 40000; exec "$@"', '-', $galley->programs
		. '/bin/galley', qw(article purge --yes), $ids[1]]);
	is $done->{exit}, 0, 'a purge that reads 100 MB needs less than 40 MB' or diag $done->{err};
	like $done->{out}, qr/Destroyed with it: 1 picture/, 'and finds that nothing else names the picture';
	is $galley->sql('SELECT count(*) AS n FROM media')->[0]{n}, 0, 'which is gone';
}

done_testing;
