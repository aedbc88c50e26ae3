# Proves that paging by cursor and by offset shows each article once (docs/contract.md §4.2,
# docs/design.md §4.10-12).
# suite: fast twins
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley;

my $galley = Galley->new;
my $workspace = $galley->workspace;
my $key = $galley->key($workspace, 'articles:read', 'drafts:read');
my @published = $galley->import_text($workspace,
	map { "---\ndate: 2026-0" . (1 + $_ % 3) . "-01\n---\n\n# Article $_\n\nText $_.\n" }
	1 .. 13);
my @drafts = $galley->import_text($workspace, { publish => 0 },
	map { "---\ndate: 2026-0" . (1 + $_ % 3) . "-01\n---\n\n# Draft $_\n\nText $_.\n" }
	1 .. 6);

# Returns the ids in the order of the contract: creation time and id, newest first.
sub expected {
	my ($where) = @_;
	return map { $_->{uuid} } @{ $galley->sql("SELECT uuid FROM article"
		. " WHERE $where ORDER BY created_at DESC, uuid DESC") };
}

sub page {
	my ($query) = @_;
	my $answer = $galley->get("/articles?$query", key => $key);
	is $answer->{status}, 200, "page $query" or diag $answer->{body};
	return $answer->{json};
}

sub by_cursor {
	my ($query) = @_;
	my ($cursor, @ids) = ('');
	for (1 .. 50) {
		my $page = page("$query&cursor=$cursor");
		push @ids, map { $_->{id} } @{ $page->{data} };
		is !!$page->{pagination}{has_more},
			defined $page->{pagination}{next_cursor}, 'has_more fits';
		$cursor = $page->{pagination}{next_cursor} // last;
	}
	return @ids;
}

for my $limit (1, 4, 13, 100) {
	is_deeply [by_cursor("limit=$limit")], [expected("status = 'published'")],
		"published, $limit a page: in order, each once";
	is_deeply [by_cursor("limit=$limit&drafts=true")],
		[expected("status <> 'deleted'")], "with drafts, $limit a page";
}

my ($offset, @ids) = (0);
while (defined $offset) {
	my $page = page("limit=5&offset=$offset");
	push @ids, map { $_->{id} } @{ $page->{data} };
	is $page->{pagination}{offset}, $offset, 'the offset is echoed';
	is $page->{pagination}{limit}, 5, 'and the limit';
	$offset = $page->{pagination}{next_offset};
}
is_deeply \@ids, [expected("status = 'published'")], 'by offset too';
is_deeply page('offset=100')->{pagination}, { limit => 20, offset => 100,
	has_more => JSON::PP::false, next_cursor => undef, next_offset => undef },
	'beyond the end: empty, and the end';

my $first = page('limit=5');
my $cursor = $first->{pagination}{next_cursor};
is page("limit=5&cursor=$cursor")->{pagination}{offset}, undef,
	'with a cursor there is no offset';
is page("limit=5&cursor=$cursor&offset=0")->{pagination}{next_offset}, undef,
	'nor a next one';
is page('limit=5')->{pagination}{next_cursor}, $cursor, 'cursors are deterministic';
is_error $galley->get("/articles?cursor=$cursor&offset=1", key => $key), 400,
	'invalid_request', 'a cursor and an offset: 400';
is_error $galley->get("/articles?cursor=$cursor&drafts=true", key => $key), 400,
	'invalid_request', 'a cursor with another drafts filter: 400';
is $galley->get("/articles?cursor=$cursor&limit=2",
	key => $galley->key($workspace))->{status}, 200,
	'a cursor is bound neither to key nor to limit';

# Any change of one byte
my @accepted = grep {
	my $changed = $cursor;
	my $old = substr $changed, $_, 1;
	substr $changed, $_, 1, $old eq 'A' ? 'B' : 'A';
	$galley->get("/articles?cursor=$changed", key => $key)->{status} != 400;
} 0 .. length($cursor) - 1;
is_deeply \@accepted, [], 'no changed byte is accepted';
is_error $galley->get("/articles?cursor=${cursor}A", key => $key), 400,
	'invalid_request', 'nor one more';
is_error $galley->get('/articles?cursor=' . substr($cursor, 0, -1), key => $key),
	400, 'invalid_request', 'nor one less';
is_error $galley->get("/sync?cursor=$cursor", key => $key), 400,
	'invalid_request', 'nor the cursor of another endpoint';

# The article of a cursor is deleted; the list goes on at the same place
my $last = $first->{data}[-1]{id};
my @rest = map { $_->{id} } @{ page("cursor=$cursor&limit=100")->{data} };
$galley->must(qw(article delete), $last);
is_deeply [map { $_->{id} } @{ page("cursor=$cursor&limit=100")->{data} }],
	\@rest, 'a cursor is valid though its article is gone';

done_testing;
