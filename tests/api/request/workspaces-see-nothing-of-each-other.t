# Two workspaces of one account: proves that no key shows anything of the other workspace, on any
# endpoint, with any id, cursor or token of the other (docs/contract.md §1, §5.3).
# suite: fast twins
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley;

my $galley = Galley->new;
my $account = $galley->account;
my @side = map {
	my $workspace = $galley->workspace(account => $account, name => "Side $_");
	my @ids = $galley->import_text($workspace,
		map { "# Secret$_ number $_\n\nText of Secret.\n" } map { $_ } 1 .. 4);
	my ($draft) = $galley->import_text($workspace, { publish => 0 },
		"# Draft of side\n\nText.\n");
	{ workspace => $workspace, ids => \@ids, draft => $draft,
	  key => $galley->key($workspace, 'articles:read', 'drafts:read') };
} 1, 2;

for my $me (0, 1) {
	my ($own, $other) = @side[$me, 1 - $me];
	my @foreign = ($other->{workspace}, @{ $other->{ids} }, $other->{draft});
	my $mentions = sub {
		my ($answer) = @_;
		return grep { index($answer->{raw}, $_) >= 0 } @foreign;
	};
	my %mine = (key => $own->{key});

	for my $target ('/connection', '/articles', '/articles?drafts=true',
		'/articles?limit=2&offset=1', '/sync', '/sync?limit=1') {
		my $answer = $galley->get($target, %mine);
		is $answer->{status}, 200, "side $me: $target";
		is_deeply [$mentions->($answer)], [], 'names nothing of the other';
	}
	is $galley->get('/connection', %mine)->{json}{workspace}{id},
		$own->{workspace}, 'the key identifies its workspace';
	is scalar @{ $galley->get('/articles?drafts=true', %mine)->{json}{data} }, 5,
		'and lists its own articles';

	for my $id (@{ $other->{ids} }, $other->{draft}) {
		for my $query ('', '?drafts=true') {
			my $answer = $galley->get("/articles/$id$query", %mine);
			is_error $answer, 404, 'not_found', "the other's $id$query: 404";
		}
	}
	my $there = $galley->get("/articles/$other->{ids}[0]",
		key => $other->{key});
	is_error $galley->get("/articles/$other->{ids}[0]", %mine,
		headers => { 'If-None-Match' => $there->{headers}{etag} }),
		404, 'not_found', "the other's ETag opens nothing";

	my $list = $galley->get('/articles?limit=1', key => $other->{key})->{json};
	is_error $galley->get("/articles?cursor=$list->{pagination}{next_cursor}",
		%mine), 400, 'invalid_request', "the other's list cursor: 400";
	my $sync = $galley->get('/sync?limit=1', key => $other->{key})->{json};
	is_error $galley->get("/sync?cursor=$sync->{pagination}{next_cursor}", %mine),
		400, 'invalid_request', "the other's sync cursor: 400";
	my $since = $sync->{checkpoint};
	my $answer = $galley->get("/sync?since=$since"
		. "&settings_revision=$sync->{settings_revision}", %mine);
	is_deeply [$mentions->($answer)], [], "the other's pair: a scan of one's own";
	is scalar @{ $answer->{json}{data} }, 4, 'a full one';
}

my @tags = map { $galley->get('/articles', key => $_->{key})->{headers}{etag} }
	@side;
isnt $tags[0], $tags[1], 'ETags of the two differ';

done_testing;
