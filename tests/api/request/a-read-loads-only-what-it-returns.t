# Proves that with 50,000 articles in one workspace, list, detail and sync read only the rows that
# they return, by index, and that a change holds the lock no longer than in a small workspace. The
# counters are SQLite's own; the test build writes them to GALLEY_STATS. ARTICLES=N for more.
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley;

my $count = $ENV{ARTICLES} // 50_000;
my $galley = Galley->new(build => 'test', conf => { kept_answers => 0 });
my $workspace = $galley->workspace;
my $key = $galley->key($workspace, 'articles:read', 'drafts:read');
my ($published) = $galley->import_text($workspace, "# The model\n\nText.\n");
my ($draft) = $galley->import_text($workspace, { publish => 0 },
	"# The other model\n\nText.\n");

# Returns each statement's counters of one request: {SQL => [scans, sorts, steps]}.
my $stats = $galley->scratch . '/stats';
sub counters {
	my ($target) = @_;
	open my $empty, '>', $stats or die "$stats: $!";
	close $empty;
	chmod 0666, $stats;
	my $answer = $galley->get($target, key => $key,
		env => { GALLEY_STATS => $stats });
	is $answer->{status}, 200, "$target: 200" or diag $answer->{err};
	my %sum;
	for (split /\n/, Galley::slurp($stats)) {
		my ($scans, $sorts, $steps, $sql) = split / /, $_, 4;
		$sum{scans} += $scans;
		$sum{sorts} += $sorts;
		$sum{steps} += $steps;
	}
	return ($answer->{json}, \%sum);
}

# Returns the steps of a command until its commit, at which it is killed.
sub steps_held {
	my (@words) = @_;
	Galley::spew($stats, '');
	chmod 0666, $stats;
	my $done = $galley->command({ env => { GALLEY_STATS => $stats,
		GALLEY_FAULT => 'db-before-commit:1:kill' } }, @words);
	is $done->{signal}, 9, "@words[0, 1]: killed before its commit";
	my $sum = 0;
	$sum += (split / /)[2] for grep { /^\d/ } split /\n/, Galley::slurp($stats);
	return $sum;
}

# Makes copies of the two articles, with dates of their own.
sub grow {
	my ($to) = @_;
	my $columns = join ', ', map { $_->{name} }
		grep { $_->{name} !~ /^(?:id|uuid|slug|created_at|changed_at)$/ }
		@{ $galley->sql('PRAGMA table_info(article)') };
	$galley->sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1"
		. " FROM n WHERE i < $to) INSERT INTO article (uuid, slug,"
		. " created_at, changed_at, $columns)"
		. " SELECT printf('%08x-0000-4000-8000-%012x', i * 2654435761 % 4294967296, i),"
		. " 'copy-' || i, 1700000000000000 + i * 7919 % $to * 1000000,"
		. " 1700000000000000 + i * 104729 % $to, $columns"
		. " FROM n JOIN article a ON a.uuid = CASE WHEN i % 5 = 0"
		. " THEN '$draft' ELSE '$published' END");
	my $frozen = join ', ', map { $_->{name} }
		grep { $_->{name} !~ /^(?:id|article_id)$/ }
		@{ $galley->sql('PRAGMA table_info(edition)') };
	$galley->sql("INSERT INTO edition (article_id, $frozen) SELECT a.id, "
		. join(', ', map { "e.$_" } split /, /, $frozen)
		. " FROM article a JOIN edition e ON e.id = a.edition_id"
		. " WHERE a.slug LIKE 'copy-%'");
	$galley->sql("UPDATE article SET edition_id = (SELECT e.id FROM edition e"
		. " WHERE e.article_id = article.id) WHERE slug LIKE 'copy-%'"
		. " AND status = 'published'");
	$galley->sql('UPDATE workspace SET clock = 1800000000000000');
}

my @targets = ('/articles', '/articles?limit=100', '/articles?drafts=true',
	"/articles/$published", "/articles/$draft?drafts=true", '/sync',
	'/sync?limit=100');
my %changes = ('a setting' => [qw(workspace set), $workspace, 'author_name=Jane'],
	'a title' => [qw(article set), $published, 'title=Other'],
	'an edition' => [qw(article publish), $draft],
	'an end' => [qw(article unpublish), $published],
	'a key' => [qw(key create --scope articles:read --workspace), $workspace]);
grow(200);
my %held = map { $_ => steps_held(@{ $changes{$_} }) } sort keys %changes;
my %small = map { $_ => (counters($_))[1] } @targets;
$galley->sql("DELETE FROM edition WHERE article_id IN (SELECT id FROM article"
	. " WHERE slug LIKE 'copy-%'); DELETE FROM article"
	. " WHERE slug LIKE 'copy-%'");
grow($count);
is $galley->sql('SELECT count(*) AS n FROM article')->[0]{n}, $count + 2,
	"$count articles";
for my $target (@targets) {
	my ($json, $sum) = counters($target);
	is $sum->{scans}, 0, "$target: no table is scanned";
	is $sum->{sorts}, 0, "$target: nothing is sorted";
	cmp_ok $sum->{steps}, '<=', $small{$target}{steps} * 1.1 + 50,
		"$target: as many steps as among 200 ($small{$target}{steps})";
	my $cursor = $json->{pagination}{next_cursor} // next;
	my $next = $target . ($target =~ /\?/ ? '&' : '?') . "cursor=$cursor";
	my (undef, $page) = counters($next);
	cmp_ok $page->{steps}, '<=', $small{$target}{steps} * 1.1 + 50,
		'the next page too';
}
my ($page) = counters('/articles?limit=1');
for (1 .. 30) {
	($page) = ($galley->get('/articles?limit=100&cursor='
		. $page->{pagination}{next_cursor}, key => $key)->{json});
}
my (undef, $deep) = counters('/articles?limit=100&cursor='
	. $page->{pagination}{next_cursor});
cmp_ok $deep->{steps}, '<=', $small{'/articles?limit=100'}{steps} * 1.1 + 50,
	'deep in the list too';
my (undef, $offset) = counters('/articles?limit=1&offset=' . int($count / 2));
is $offset->{scans} + $offset->{sorts}, 0, 'an offset walks the index alone';
my (undef, $since) = counters('/sync?since=2027-01-01T00:00:00Z&settings_revision='
	. $galley->get('/sync?limit=1', key => $key)->{json}{settings_revision});
cmp_ok $since->{steps}, '<', 300, 'a quiet feed costs nothing';
# lib/article/article-list.c
my ($listed) = Galley::slurp('lib/article/article-row.h') =~ /ROW_LISTED\b(.*?)#define/s;
my $columns = join '', $listed =~ /"(.*?)"/g;
my $plan = $galley->sql("EXPLAIN QUERY PLAN SELECT $columns"
	. " FROM article a WHERE a.workspace_id = 1 AND a.status = 'published'"
	. ' ORDER BY 4 DESC, 2 DESC LIMIT 20');
like $plan->[0]{detail}, qr/COVERING INDEX article_listed/,
	'a list asks its index alone';
for my $change (sort keys %changes) {
	cmp_ok steps_held(@{ $changes{$change} }), '<=', $held{$change} * 1.1 + 50,
		"$change: as many as among 200 ($held{$change})";
}

done_testing;
