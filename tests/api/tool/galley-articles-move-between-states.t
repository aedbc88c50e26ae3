#!/usr/bin/perl
# Proves that publish, unpublish, delete and undelete show in the next request, print what they
# did, and refuse what makes no sense.
# suite: fast valgrind
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Test::More;

my $galley = Galley->new;
my $workspace = $galley->workspace;
my $key = $galley->key($workspace);
my $drafts = $galley->key($workspace, qw(articles:read drafts:read));

# Returns when /sync announced the article last.
sub sync_of {
	my ($id) = @_;
	my ($entry) = grep { $_->{id} eq $id }
		@{ $galley->get('/sync', key => $key)->{json}{data} };
	return $entry->{revision};
}

my $id = $galley->must(qw(article create --title), 'An empty draft')->{id};
is $galley->must(qw(article show), $id)->{slug}, 'an-empty-draft',
	'create makes the slug of the title';
is $galley->must(qw(article show), $galley->must(qw(article create --title),
	'An empty draft')->{id})->{slug}, 'an-empty-draft-2',
	'and a number where it is taken';
is_error $galley->get("/articles/$id", key => $key), 404, 'not_found',
	'a draft is not shown';
is $galley->get("/articles/$id?drafts=true", key => $drafts)->{status}, 200,
	'but to a drafts key';

my ($row) = @{ $galley->must(qw(article publish), $id) };
is_deeply [sort keys %$row], [sort qw(id slug status version action notes)],
	'members of a result';
is "$row->{status} $row->{version} $row->{action}", 'published 1 published',
	'published';
ok scalar(grep { /Article has enough text/ } @{ $row->{notes} }),
	'the checks that fail are named';
is $galley->get("/articles/$id", key => $key)->{status}, 200,
	'it is shown at once';
my $stamp = sync_of($id);
($row) = @{ $galley->must(qw(article publish), $id) };
is "$row->{status} $row->{version} $row->{action}", 'published 1 unchanged',
	'publishing what has not changed says so, and makes no edition';
is sync_of($id), $stamp, 'nor is it announced';
like qx($galley->{home}/bin/galley article publish $id),
	qr/is published as it is already .*: nothing is announced\. --again/,
	'which people are told, and how to say it all the same';
($row) = @{ $galley->must(qw(article publish --again), $id) };
is "$row->{version} $row->{action}", '2 published', '--again makes an edition';
isnt sync_of($id), $stamp, 'which is announced';

my $done = $galley->command(qw(article undelete), $id);
is $done->{exit}, 1, 'what is not in the trash cannot be taken out';
like $done->{err}, qr/not in the trash/, 'and is told so';
$galley->must(qw(article unpublish), $id);
is_error $galley->get("/articles/$id", key => $key), 404, 'not_found',
	'unpublished: gone at once';
is $galley->command(qw(article unpublish), $id)->{exit}, 1,
	'twice is refused';
$galley->must(qw(article delete), $id);
is_error $galley->get("/articles/$id?drafts=true", key => $drafts), 404,
	'not_found', 'deleted: gone for everybody';
is $galley->command(qw(article publish), $id)->{exit}, 1,
	'what is in the trash cannot be published';
is scalar @{ $galley->must(qw(article list)) }, 1, 'nor is it listed';
is $galley->must(qw(article list --status deleted))->[0]{id}, $id,
	'unless asked for';
like qx($galley->{home}/bin/galley article undelete $id), qr/draft now/,
	'undelete says that it is a draft';
is $galley->must(qw(article show), $id)->{status}, 'draft', 'which it is';
like qx($galley->{home}/bin/galley article publish $id),
	qr/published.*Checks that fail:\n  - /s, 'people read the checks too';
like qx($galley->{home}/bin/galley article unpublish $id),
	qr/Copies on customers' sites stay until their next sync\. .*within ten minutes;.*within an hour on a site that has more\s+than 1,000/s,
	'and what unpublishing does not do, and when sites follow';

# Several articles at once: unknown ids change nothing; the others are done.
my $two = $galley->must(qw(article create --title Two))->{id};
$done = $galley->command(qw(article publish), $two,
	'00000000-0000-4000-8000-000000000000');
is $done->{exit}, 1, 'an unknown id among several is exit 1';
is $galley->must(qw(article show), $two)->{status}, 'draft',
	'and nothing was done';
$galley->must(qw(article delete), $id);
$done = $galley->command(qw(article publish), $two, $id);
is $done->{exit}, 1, 'one that cannot be published is exit 1';
is_deeply [map { $_->{id} } @{ $done->{json} }], [$two], 'the other one is';

# Pending changes of a published article are never exported.
$galley->must(qw(article set), $two, 'title=Changed');
is $galley->get("/articles/$two", key => $key)->{json}{data}[0]{title}, 'Two',
	'a saved change is not shown';
is $galley->must(qw(article show), $two, qw(--as json))->{title}, 'Changed',
	'but in the working copy';
like qx($galley->{home}/bin/galley article show $two), qr/^changed +yes/m,
	'which show tells';
$galley->must(qw(article set), $two, 'published_url=https://example.com/two');
is $galley->get("/articles/$two", key => $key)->{json}{data}[0]{seo}{canonical},
	'https://example.com/two', 'the published URL acts at once';

for my $as (qw(json html markdown)) {
	is $galley->command(qw(article show), $two, '--as', $as)->{exit}, 0,
		"show --as $as";
}
like qx($galley->{home}/bin/galley article show $two --as html),
	qr/^<article .*<\/article>\n$/s, 'html for people is the html itself';
is $galley->command(qw(article show), $two, qw(--as pdf))->{exit}, 2,
	'another form is a usage error';

done_testing;
