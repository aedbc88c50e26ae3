#!/usr/bin/perl
# Damaged rows, which no program of Galley writes: a missing edition, tags that are not JSON, a
# content beyond its limit. Proves that every program that needs them stops, says what is wrong,
# and writes nothing.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Wxr;
use Test::More;

my $galley = Galley->new(conf => { kept_answers => 0 });
my $workspace = $galley->workspace;
my $key = $galley->key($workspace);
my $export = $galley->scratch . '/export.xml';
Galley::spew($export, wxr([{ id => 1, title => 'Two' }]));
my ($id) = $galley->import_text($workspace, "# One\n\nText.\n");
my $post = $galley->must(qw(article import --publish --from wordpress
	--workspace), $workspace, $export)->{articles}[0]{id};

# Returns all articles, and what is stored about them.
sub store {
	return $galley->sql('SELECT a.uuid, a.status, a.version, a.title, a.clock,'
		. ' x.revision FROM (SELECT *, (SELECT max(clock) FROM workspace) AS'
		. ' clock FROM article) a LEFT JOIN export x ON x.article_id = a.id'
		. ' ORDER BY a.id');
}

# With the damage of this SQL the command fails for the reason and changes nothing; the SQL in
# `repair` undoes the damage.
sub fails {
	my ($name, $damage, $repair, $reason, @words) = @_;
	$galley->sql("PRAGMA foreign_keys = off; PRAGMA ignore_check_constraints = on;"
		. $damage);
	my $before = store();
	my $done = $galley->command(@words);
	isnt $done->{exit}, 0, "$name: @words[0, 1] fails";
	is $done->{signal}, 0, "$name: by itself";
	like $done->{err} . $done->{out}, $reason, "$name: and says why";
	is_deeply store(), $before, "$name: nothing is written";
	$galley->sql("PRAGMA foreign_keys = off; PRAGMA ignore_check_constraints = on;"
		. $repair);
}

$galley->sql('CREATE TABLE away AS SELECT * FROM edition');
my @gone = ('DELETE FROM edition', 'INSERT INTO edition SELECT * FROM away',
	qr/lacks its edition 1/);
fails('no edition', @gone, qw(article publish --again), $id);
$galley->must(qw(workspace set), $workspace, 'author_name=Ada');
fails('no edition', @gone, qw(export refresh));
my $tags = "UPDATE article SET tags = 'TAGS' WHERE uuid = '$id'";
fails('tags that are no JSON', $tags =~ s/TAGS/x[]/r, $tags =~ s/TAGS/[]/r,
	qr/stored tags are not JSON: x/, qw(article publish --again), $id);
my $body = q{(SELECT '{"heading":"A","body":[' || group_concat(
	'{"type":"paragraph","text":"' || printf('%.9000c', 'x') || '"}') || ']}' FROM n)};
my $sections = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
	. " WHERE i < 100) UPDATE article SET content ="
	. " '{\"sections\":[' || $body || ',' || $body || ',' || $body || ']}'"
	. " WHERE uuid = '$post'";
my $whole = $galley->sql("SELECT content FROM article WHERE uuid = '$post'")
	->[0]{content};
my @long = ($sections,
	"UPDATE article SET content = '$whole'"
	. " WHERE uuid = '$post'",
	qr/longer than 2097152 bytes/);
Galley::spew($export, wxr([{ id => 1, title => 'Two', content => 'Other.' }]));
fails('a content too long', @long, qw(article import --from wordpress --workspace),
	$workspace, $export);
fails('a content too long', @long, qw(article diff), $post);
fails('a content too long', @long, qw(article publish --again), $post);
$galley->sql('DROP TABLE away');
is $galley->command('verify')->{exit}, 0, 'after the repair, verify finds nothing';
is $galley->get("/articles/$id", key => $key)->{status}, 200, 'and all is shown';
done_testing;
