#!/usr/bin/perl
# galley dump: proves that everything is there in open formats and without a secret, that the
# same content gives the same bytes, and that its Markdown, imported elsewhere, gives the same
# exports.
# suite: valgrind
use strict;
use warnings;

use lib 'tests/lib';

use File::Find ();
use Galley;
use Galley::Process qw(run_program);
use Galley::JSON ();
use JobRun;
use Test::More;

my $jobs = JobRun->new(provider => 'outline', build => '');
my $galley = $jobs->galley;
my $home = $galley->home;
my %settings = (website => 'https://www.example.com', language => 'en',
	address_pattern => '/blog/{slug}', publisher_name => 'Ärzte & Co');
my $workspace = $galley->workspace(account => $jobs->account, name => 'Blog',
	%settings);
my $key = $galley->key($workspace, qw(articles:read drafts:read));
$galley->must(qw(credits grant), $jobs->account, 5, '--ref', '=1+1');
$galley->reachable(Galley::top() . '/tests/fixtures/pictures/bands.png');

# ---- content of all kinds: every demo article, and hostile ones

my @demo = grep { !/^draft: true$/m } map { Galley::slurp($_) }
	sort glob Galley::top() . '/db/demo/*/*.md';
my @ids = $galley->import_text($workspace,
	map { s/^(?:image|id): .*\n//mgr } @demo);
push @ids, $galley->import_text($workspace,
	"---\ntitle: \"Quotes: \\\" and -- dashes\"\nimage: bands.png\ntags: [a, \"b, c\"]\n---\n\n"
	. "Text with `media:` in it, and a picture:\n\n![Alt](bands.png)\n\n"
	. "```\n---\nid: x\n---\n```\n\n## More\n\n- a\n- b\n\n> quoted\n");
my ($draft) = $galley->import_text($workspace, { publish => 0 }, "# Draft\n\nText.\n");
my ($gone) = $galley->import_text($workspace, "# Gone\n\nText.\n");
$galley->must(qw(article delete), $gone);
$galley->must(qw(article set), $ids[0], 'title=Changed since');
$galley->must(qw(article set), $ids[1], 'meta_title=Twice');
$galley->must(qw(article publish), $ids[1]);
my $job = $jobs->ordered('brief', topic => 'Compost', kind => 'research');
$jobs->run;

# ---- what the dump holds

my $dump = $galley->scratch . '/dump';
sub folder {
	my ($name) = @_;
	my $path = $galley->scratch . "/$name";
	mkdir $path;
	chown $galley->owner_ids, $path if $> == 0;
	return $path;
}
folder('dump');
my $told = $galley->must('dump', $dump);
is $told->{articles}, @ids + 2, 'the answer counts all articles';
my $json = Galley::JSON->new->utf8;
sub read_json { return $json->decode(Galley::slurp("$dump/$_[0]")) }
my $top = "workspaces/$workspace";
is_deeply [map { s{.*/(.*)\.md}{$1}r } sort glob "$dump/$top/published/*"], [sort @ids],
	'what is shown';
is_deeply [glob "$dump/$top/drafts/*"], ["$dump/$top/drafts/$draft.md"], 'drafts';
is_deeply [glob "$dump/$top/trash/*"], ["$dump/$top/trash/$gone.md"], 'the trash';
is_deeply [glob "$dump/$top/changes/*"], ["$dump/$top/changes/$ids[0].md"],
	'changes that are not published';
like Galley::slurp("$dump/$top/changes/$ids[0].md"), qr/^title: Changed since$/m,
	'as the working copy has them';
unlike Galley::slurp("$dump/$top/published/$ids[0].md"), qr/Changed since/,
	'beside the shown text';
my $article = read_json("$top/articles/$ids[1].json");
is_deeply [map { $_->{version} } @{ $article->{editions} }], [2, 1], 'every edition';
ok -e "$dump/$top/editions/$ids[1]-$_.md", "edition $_ as Markdown" for 1, 2;
ok $article->{content}{sections}, 'content as JSON';
is read_json("$top/workspace.json")->{pages_width}, 42, 'how its pages look';
is read_json("$top/workspace.json")->{publisher_name}, "\x{c4}rzte & Co", 'settings';
my ($account) = grep { $_->{id} eq $jobs->account } @{ read_json('accounts.json') };
my $ledger = read_json("ledger/$account->{id}.json");
is $ledger->[-1]{available_after}, $account->{available}, 'the ledger ends in the balance';
my @csv = split /\r\n/, Galley::slurp("$dump/ledger/$account->{id}.csv");
is scalar(@csv), 1 + @$ledger, 'in CSV as well';
like "@csv", qr/'=1\+1/, 'in which no formula is run';
my ($order) = @{ read_json('workspaces/' . $jobs->workspace . '/jobs.json') };
is $order->{job}{id}, $job, 'jobs';
ok $order->{job}{research}{outline}, 'and briefs';
is scalar(() = glob "$dump/media/*.png"), 1, 'images';
my $keys = read_json("$top/keys.json");
is $keys->[0]{scopes}, 'articles:read drafts:read', 'keys without their secrets';

# ---- no secret, and only the owner may read it

my $all = '';
my @open;
File::Find::find({ no_chdir => 1, wanted => sub {
	push @open, $_ if (stat)[2] & 077 && $_ ne $dump;
	$all .= Galley::slurp($_) if -f;
} }, $dump);
is_deeply \@open, [], 'only the owner may read it';
ok index($all, substr $key, 12, 30) < 0, 'no key is in it';
my $digest = $galley->sql('SELECT lower(hex(digest)) AS d FROM api_key')->[0]{d};
ok index($all, $digest) < 0, 'nor a digest of one';
ok index($all, Galley::slurp("$home/db/pepper")) < 0, 'nor the pepper';

# ---- a second dump

folder('again');
$galley->must('dump', $galley->scratch . '/again');
is run_program(['diff', '-r', $dump, $galley->scratch . '/again'])->{out}, '',
	'the same content gives the same bytes';
my $done = $galley->command('dump', $dump);
is $done->{exit}, 1, 'a folder that is not empty is refused';
like $done->{err}, qr/not empty/, 'saying so';
$done = $galley->command('dump', $galley->programs . '/htdocs/media/x');
is $done->{exit}, 1, 'a folder that the web server serves is refused, too';
unlike join(' ', glob($galley->programs . '/htdocs/media/*')), qr{/x$}, 'and not made';

# ---- into another instance

my $other = Galley->new;
my $there = $other->workspace(name => 'Blog', %settings);
my $other_key = $other->key($there, qw(articles:read drafts:read));
my $brought = $other->reachable($dump);
run_program(['chmod', '-R', 'a+rX', $brought]);
my $rows = $other->must(qw(article import --publish --workspace), $there,
	'--media', $brought, "$brought/$top/published");
is scalar(grep { $_->{status} eq 'published' } @$rows), scalar @ids,
	'all that was shown is published there';
is_deeply [grep { !/is no article of this workspace/ } map { @{ $_->{notes} } } @$rows],
	[], 'and nothing is lost';

# What differs between two instances: ids, revisions, dates of publishing.
sub shown {
	my ($from, $with, $id) = @_;
	my $article = $from->get("/articles/$id", key => $with)->{json}{data}[0];
	my $text = Galley::JSON->new->canonical->encode($article);
	$text =~ s/\Q$id\E/ID/g;
	$text =~ s/\bab-[0-9a-f]{8}\b/ab-ID/g;
	$text =~ s/"(?:revision|version|date_?[A-Za-z]*|[a-z_]+_at)":(?:"[^"]*"|\d+|null)//g;
	$text =~ s/\d{4}-\d\d-\d\dT[\d:.]+Z/TIME/g;
	$text =~ s/(\\?"date(?:Published|Modified)\\?":\\?)"[^"]*"/$1""/g;
	return $text;
}
my %to = map { $_->{path} =~ m{([0-9a-f-]{36})\.md$} ? ($1 => $_->{id}) : () } @$rows;
for my $id (@ids) {
	my @both = (shown($other, $other_key, $to{$id}), shown($galley, $key, $id));
	ok $both[0] eq $both[1], "article $id is exported alike" and next;
	my ($same) = ($both[0] ^ $both[1]) =~ /^(\0*)/;
	diag substr $_, length($same) > 40 ? length($same) - 40 : 0, 160 for @both;
}
my ($draft_row) = @{ $other->must(qw(article import --workspace), $there,
	'--media', $brought, "$brought/$top/drafts") };
is $draft_row->{status}, 'draft', 'drafts come as drafts';
my $media = sub { [map { s{.*/}{}r } glob $_[0]->programs . '/htdocs/media/*.png'] };
is_deeply $media->($other), $media->($galley), 'images came along';

done_testing;
