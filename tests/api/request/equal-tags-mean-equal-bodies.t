# Proves, over random histories, that equal URL and ETag mean equal bodies, and that every GET
# answers 304 to its own tag (docs/design.md §4.3). SEED=N replays a history.
# suite: fast twins
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley;

my $seed = $ENV{SEED} // time % 100000;
srand $seed;
note "SEED=$seed";

my $galley = Galley->new;
my $workspace = $galley->workspace(website => 'https://www.example.com',
	address_pattern => '/{slug}');
my $key = $galley->key($workspace, 'articles:read', 'drafts:read');
my @ids = $galley->import_text($workspace,
	map { "# Article number $_\n\nText $_.\n" } 1 .. 5);

my @actions = (
	sub { $galley->command(qw(article publish --again), $ids[rand @ids]) },
	sub { $galley->command(qw(article unpublish), $ids[rand @ids]) },
	sub { $galley->command(qw(article delete), $ids[rand @ids]) },
	sub { $galley->command(qw(article undelete), $ids[rand @ids]) },
	sub { $galley->must(qw(article set), $ids[rand @ids],
		'title=Title ' . int rand 3) },
	sub { $galley->must(qw(workspace set), $workspace,
		'author_name=' . ('', 'A', 'B')[rand 3]) },
	sub { $galley->must(qw(article set), $ids[rand @ids],
		'published_url=' . ('', 'https://www.example.com/u')[rand 2]) },
	sub { $galley->must(qw(article set), $ids[rand @ids],
		'created_at=2026-0' . (1 + int rand 3) . '-01T00:00:00Z') },
	sub { $galley->sql('DELETE FROM export') },
);
my @targets = ('/connection', '/articles', '/articles?limit=2',
	'/articles?limit=2&offset=1', '/articles?drafts=true', '/sync',
	'/sync?limit=2', map { ("/articles/$_", "/articles/$_?drafts=true") }
	@ids[0, 1]);

my (%body_of, $repeats);
my ($different, $not_304) = (0, 0);
for my $round (1 .. 40) {
	$actions[rand @actions]->();
	for my $target (@targets) {
		my $answer = $galley->get($target, key => $key);
		next if $answer->{status} == 404;
		die "$target: $answer->{status}" if $answer->{status} != 200;
		my $tag = $answer->{headers}{etag};
		my $known = $body_of{"$target $tag"};
		$repeats++ if defined $known;
		$different++ if defined $known && $known ne $answer->{body};
		$body_of{"$target $tag"} = $answer->{body};
	}
	my $target = $targets[rand @targets];
	my $answer = $galley->get($target, key => $key);
	next if $answer->{status} == 404;
	my $again = $galley->get($target, key => $key, headers =>
		{ 'If-None-Match' => $answer->{headers}{etag} });
	$not_304++ if $again->{status} != 304 || $again->{body} ne ''
		|| $again->{headers}{etag} ne $answer->{headers}{etag};
}
is $different, 0, 'equal URL and ETag: equal bodies';
cmp_ok $repeats, '>', 100, 'which was compared often enough';
is $not_304, 0, 'every GET answers 304 to its own tag';

my $tag = $galley->get('/articles', key => $key)->{headers}{etag};
like $tag, qr/^"[0-9a-f]{32}"$/, 'strong, 32 hex digits';
my $bare = substr $tag, 1, 32;
my %matches = (
	$tag => 1, "W/$tag" => 1, '*' => 1, "\"x\", $tag" => 1,
	"W/\"x\",W/$tag , \"y\"" => 1, "\"$bare-gzip\"" => 1,
	"W/\"$bare-br\"" => 1, "\"$bare;gzip\"" => 1, "\"$bare--gzip\"" => 1,
	$bare => 0, "\"$bare-other\"" => 0, "\"x$bare\"" => 0, '"' => 0,
	"\"$bare" => 1, '' => 0, '* , x' => 0, "garbage, $tag" => 1,
);
for my $value (sort keys %matches) {
	my $status = $galley->get('/articles', key => $key,
		headers => { 'If-None-Match' => $value })->{status};
	is $status, $matches{$value} ? 304 : 200, "If-None-Match: $value";
}

done_testing;
