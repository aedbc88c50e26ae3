# Proves that a full and an incremental sync end with a store that is equal to the published set,
# through edits, unpublishing, settings changes and crashes of the consumer between any two steps
# (docs/contract.md §4.4.6). SEED=N replays a history.
# suite: fast twins
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley;
use Galley::Consumer;

my $seed = $ENV{SEED} // time % 100000;
srand $seed;
note "SEED=$seed";

my $galley = Galley->new;
my $workspace = $galley->workspace(website => 'https://www.example.com',
	address_pattern => '/{slug}');
my $key = $galley->key($workspace);
my @ids = $galley->import_text($workspace,
	map { "# Article number $_\n\nText $_.\n" } 1 .. 12);
my $get = sub { $galley->get($_[0], key => $key) };

sub published {
	my %set;
	my $cursor = '';
	do {
		my $page = $get->("/articles?limit=100&cursor=$cursor")->{json};
		$set{ $_->{id} } = $_->{revision} for @{ $page->{data} };
		$cursor = $page->{pagination}{next_cursor} // '';
	} while $cursor ne '';
	return \%set;
}

sub held {
	my ($consumer) = @_;
	my $store = $consumer->{store};
	return { map { $_ => $store->{$_}{revision} } keys %$store };
}

my $plain = Galley::Consumer->new($get);
$plain->sync;
is_deeply held($plain), published(), 'a full scan';
my $pair = $plain->{pair};
$plain->sync;
is_deeply $plain->{pair}, $pair, 'a quiet feed keeps its checkpoint';

my @moves = (
	sub { my $id = $ids[rand @ids];
		$galley->must(qw(article set), $id, 'title=Title ' . rand);
		$galley->command(qw(article publish --again), $id) },
	sub { $galley->command(qw(article unpublish), $ids[rand @ids]) },
	sub { $galley->command(qw(article publish --again), $ids[rand @ids]) },
	sub { $galley->must(qw(workspace set), $workspace,
		'author_name=' . ('A', 'B', 'C')[rand 3]) },
	sub { $galley->must(qw(article set), $ids[rand @ids],
		'published_url=https://www.example.com/' . int rand 3) },
);
my $moving = Galley::Consumer->new($get, crash => sub {
	$moves[rand @moves]->() if rand() < 0.15;
	die "crash\n" if rand() < 0.1;
});
my $crashes = 0;
for my $round (1 .. 25) {
	$moves[rand @moves]->();
	eval { $moving->sync; 1 } or do {
		die $@ if $@ ne "crash\n";
		$crashes++;
	};
}
cmp_ok $crashes, '>', 3, 'the consumer crashed in between';
delete $moving->{crash};
$moving->sync;
$moving->remove_gone;
is_deeply held($moving), published(), 'and ends with the published set';
$plain->sync;
$plain->remove_gone;
is_deeply held($plain), published(), 'so does one that slept meanwhile';

# An in-progress cursor and a settings change
my $first = $get->('/sync?limit=1')->{json};
$galley->must(qw(workspace set), $workspace, 'author_name=Someone else');
my $late = $get->("/sync?limit=1&cursor=$first->{pagination}{next_cursor}");
is_error $late, 400, 'invalid_request', 'a settings change ends a scan';
like $late->{json}{error}, qr/Restart it from the stored pair/, 'and says how to go on';
my $now = $get->('/sync?limit=100')->{json};
my $full = $get->('/sync?limit=100&since='
	. Galley::Consumer::escape($first->{checkpoint})
	. "&settings_revision=$first->{settings_revision}")->{json};
is scalar @{ $full->{data} }, scalar @{ $now->{data} },
	'a settings revision of before: a full scan';
my $ahead = $get->('/sync?limit=100&since=2099-01-01T00:00:00Z'
	. "&settings_revision=$now->{settings_revision}")->{json};
is scalar @{ $ahead->{data} }, scalar @{ $now->{data} },
	'a since after the checkpoint: a full scan';

# A scan keeps its end: an article that is published during the scan is in the next one
my $one = $get->('/sync?limit=1')->{json};
$galley->import_text($workspace, "# Published during the scan\n\nText.\n");
my $two = $get->("/sync?limit=1&cursor=$one->{pagination}{next_cursor}")->{json};
is $two->{checkpoint}, $one->{checkpoint}, 'every page has the scan\'s checkpoint';
is $two->{settings_revision}, $one->{settings_revision}, 'and settings revision';

# The overlap of five minutes is inclusive
$galley->sql("UPDATE workspace SET clock = 2000000000000000,"
	. " announced_at = 2000000000000000");
$galley->sql("UPDATE article SET changed_at = 1999999000000000 + id"
	. " WHERE status = 'published'");
my ($edge) = map { $_->{uuid} } @{ $galley->sql("SELECT uuid FROM article"
	. " WHERE status = 'published' ORDER BY id LIMIT 1") };
my $settings = $get->('/sync')->{json}{settings_revision};
for my $case ([0, 1, 'exactly five minutes before'], [1, 0, 'a microsecond more']) {
	my ($later, $listed, $name) = @$case;
	my $at = $galley->sql("SELECT changed_at FROM article WHERE uuid = '$edge'")
		->[0]{changed_at} + 300 * 1000000 + $later;
	my $since = sprintf '2033-05-18T%02d:%02d:%02d.%06dZ',
		(gmtime $at / 1000000)[2, 1, 0], $at % 1000000;
	my $page = $get->("/sync?limit=100&since=$since&settings_revision=$settings");
	is scalar(grep { $_->{id} eq $edge } @{ $page->{json}{data} }), $listed, $name;
}

done_testing;
