# Proves when the tokens x1_, s1_ and m1_ (docs/design.md §3) and ETags change, and when they stay.
# suite: fast twins
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley;

my $galley = Galley->new;
my $workspace = $galley->workspace(website => 'https://www.example.com',
	address_pattern => '/blog/{slug}', publisher_name => 'Example');
my $key = $galley->key($workspace, 'articles:read', 'drafts:read');
my ($id) = $galley->import_text($workspace, "# One article\n\nSome text.\n");
my ($bystander) = $galley->import_text($workspace, "# Another one\n\nText.\n");
my ($draft) = $galley->import_text($workspace, { publish => 0 },
	"# A draft\n\nText.\n");

sub tokens {
	my $article = $galley->get("/articles/$id", key => $key);
	my $other = $galley->get("/articles/$bystander", key => $key);
	my $sync = $galley->get('/sync', key => $key)->{json};
	my %manifest = map { $_->{id} => $_->{revision} } @{ $sync->{data} };
	my $shown = $article->{json}{data}[0];
	return {
		x => $shown->{revision} // 'gone',
		bytes => $article->{body},
		tag => $article->{headers}{etag} // 'gone',
		list => $galley->get('/articles', key => $key)->{headers}{etag},
		other => $other->{json}{data}[0]{revision},
		s => $sync->{settings_revision},
		m => $manifest{$id} // 'gone',
	};
}

my (%seen_s, %seen_m, %bytes_of);
my $before = tokens();
like $before->{x}, qr/^x1_[0-9a-f]{32}$/, 'x1_';
like $before->{s}, qr/^s1_[0-9a-f]{32}$/, 's1_';
like $before->{m}, qr/^m1_[0-9a-f]{32}$/, 'm1_';

# changes(NAME, 'x m', CODE) checks that exactly these tokens change.
sub changes {
	my ($name, $wanted, $do) = @_;
	my %may = map { $_ => 1 } split ' ', $wanted;
	$seen_s{ $before->{s} } = $seen_m{ $before->{m} } = 1;
	$do->();
	my $after = tokens();
	for my $token (qw(x s m other tag list)) {
		if ($may{$token}) {
			isnt $after->{$token}, $before->{$token}, "$name: $token changes";
		} else {
			is $after->{$token}, $before->{$token}, "$name: $token stays";
		}
	}
	ok !$seen_s{ $after->{s} }, "$name: s1_ never returned" if $may{s};
	ok !$seen_m{ $after->{m} }, "$name: m1_ never returned"
		if $may{m} && $after->{m} ne 'gone';
	my $known = $bytes_of{ $after->{x} } //= $after->{bytes};
	is $after->{bytes}, $known, "$name: equal x1_ mean equal bytes";
	$before = $after;
}

my $set = sub { my @set = @_; sub { $galley->must(qw(workspace set), $workspace, @set) } };
my $edit = sub { my @set = @_; sub { $galley->must(qw(article set), $id, @set) } };

changes('nothing', '', sub { });
changes('a draft save of a published article', '', $edit->('title=A new title'));
changes('a save of an unpublished one', '',
	sub { $galley->must(qw(article set), $draft, 'title=Another draft') });
changes('publishing it', 'x m tag list', sub { $galley->must(qw(article publish --again), $id) });
changes('publishing again without a change', 'x m tag list',
	sub { $galley->must(qw(article publish --again), $id) });
changes('a re-render', '', sub {
	$galley->sql('DELETE FROM export');
	$galley->must(qw(export refresh));
});
changes('a deleted cache', '', sub { $galley->sql('DELETE FROM export') });
changes('a published URL', 'x m tag list',
	$edit->('published_url=https://www.example.com/u1'));
changes('another one', 'x m tag list',
	$edit->('published_url=https://www.example.com/u2'));
changes('the first one again', 'x m tag list',
	$edit->('published_url=https://www.example.com/u1'));
changes('the same one', '', $edit->('published_url=https://www.example.com/u1'));
my @settings = (
	['website=https://www.example.org', 'website=https://www.example.com'],
	['address_pattern=/news/{slug}', 'address_pattern=/blog/{slug}'],
	['publisher_name=Another', 'publisher_name=Example'],
	['publisher_logo_url=https://www.example.com/l.png', 'publisher_logo_url='],
	['author_name=Dana', 'author_name='],
	['author_url=https://www.example.com/dana', 'author_url='],
	['language=de', 'language=en'],
);
for (@settings) {
	my ($there, $back) = @$_;
	changes($there, 'x s m other tag list', $set->($there));
	changes("$there, once more", '', $set->($there));
	changes("$back (back)", 'x s m other tag list', $set->($back));
}
changes('a name that is not the brand', '', $set->('name=Renamed'));
changes('analytics', '', $set->('analytics_enabled=true',
	'analytics_origins=https://www.example.com'));
changes('no publisher: the name is the brand', 'x s m other tag list',
	$set->('publisher_name='));
changes('a name that is the brand', 'x s m other tag list', $set->('name=Renamed again'));
$set->('publisher_logo_url=https://www.example.com/l.png')->();
$before = tokens();
changes('a publisher who is named like the workspace', 'x s m other tag list',
	$set->('publisher_name=Renamed again'));
changes('public_url', 'x s m other tag list', sub {
	$galley->conf(public_url => 'https://cms.example.net');
	$galley->must(qw(workspace list));
});
changes('unpublishing', 'x m tag list', sub { $galley->must(qw(article unpublish), $id) });
changes('publishing after it', 'x m tag list',
	sub { $galley->must(qw(article publish --again), $id) });

done_testing;
