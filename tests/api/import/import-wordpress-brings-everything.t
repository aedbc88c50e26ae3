#!/usr/bin/perl
# A WordPress export: proves that every field of a post that Galley has a place for is imported,
# that the same file again changes nothing, and that an import does not undo edits.
# suite: valgrind
use strict;
use warnings;
use utf8;

use lib 'tests/lib';

use Galley;
use Galley::Wxr;
use Test::More;

my $galley = Galley->new;
my $workspace = $galley->workspace(website => 'https://garden.example',
	address_pattern => '/{slug}');
my $key = $galley->key($workspace);

sub import_wordpress {
	my (@words) = @_;
	return $galley->must(qw(article import --from wordpress --workspace),
		$workspace, @words);
}

sub put {
	my ($name, $text) = @_;
	my $path = $galley->scratch . "/$name";
	Galley::spew($path, $text);
	return $path;
}

sub markdown {
	my ($id) = @_;
	return $galley->must(qw(article show), $id, qw(--as markdown))->{markdown};
}

sub shown {
	my ($id) = @_;
	return $galley->get("/articles/$id", key => $key)->{json}{data}[0];
}

# ---- the export of tests/fixtures

my $small = put('small.xml',
	Galley::slurp('tests/fixtures/wordpress/small.xml'));
my $dry = import_wordpress('--publish', '--dry-run', $small);
ok $dry->{dry_run}, 'a dry run says so';
is_deeply [map { "$_->{action} $_->{slug}" } @{ $dry->{articles} }],
	['created compost', 'created a-classic'], 'and lists what would be imported';
is_deeply $galley->sql('SELECT id FROM article'), [], 'but writes nothing';

my $done = import_wordpress('--publish', $small);
my ($compost, $classic) = @{ $done->{articles} };
is_deeply $done->{skipped}, { 'of type attachment' => 1 }, 'what is skipped';
is $compost->{source}, 'wordpress:https://garden.example#12', 'its key';
my $text = markdown($compost->{id});
like $text, qr/^$_$/m, "front matter: $_" for
	'title: "Compost & you"', 'slug: compost',
	'description: All about compost.', 'date: 2024-05-06T05:08:09Z',
	quotemeta('image: "https://garden.example/wp-content/uploads/2024/05/bin.png"'),
	'imageAlt: A bin of wood', 'imageCaption: The bin',
	quotemeta('tags: ["Heap & leaves"]'), 'section: Soil',
	'author: Ada Brown',
	quotemeta('published_url: "https://garden.example/2024/05/compost/"');
like $text, qr/"metaTitle":"Compost & you – Garden Notes"/,
	'Yoast\'s template is filled in';
like $text, qr{\[soil\]\(https://garden\.example/soil/\)},
	'a relative link is the site\'s';
like $text, qr{bin-300x200\.png "The bin in May"}, 'a picture with caption';
like $text, qr{^\[\S+\]\(https://video\.example/watch\?v=1\)$}m,
	'an embed is a link';
like $text, qr{^\[\S+\]\(https://map\.example/here\)$}m, 'an iframe too';
unlike $text, qr/comment|wp:/, 'no comments';
my $facts = $galley->must(qw(article show), $compost->{id});
is $facts->{first_published_at}, '2024-05-06T05:08:09.000000Z',
	'datePublished is the GMT date';
is $facts->{modified_at}, '2024-06-01T10:00:00.000000Z', 'dateModified too';

$text = markdown($classic->{id});
like $text, qr/^First line\\\nsecond line\.\n\nSecond paragraph/m,
	'paragraphs and breaks of the classic editor';
like $text, qr/"caption":"A \*fine\* bin"/, 'a [caption]';
like $text, qr{^\[\S+\]\(https://video\.example/watch\?v=2\)$}m,
	'an address on a line of its own is a link';
unlike $text, qr/contact-form/, 'an unknown shortcode goes';
ok scalar(grep { /\[contact-form-7\] was dropped/ } @{ $classic->{notes} }),
	'and is told';
like $text, qr/\\\[sic\\\]/, 'brackets that are text stay';
like $text, qr/^a\n\nb \[x=1\]$/m, 'code stays as it is';
like $text, qr/^- One\n- Two$/m, 'empty lines in a list have no effect';
like $text, qr/^!\[A bin of wood\]\(\S+bin\.png "The bin"\)/m, 'a gallery';
like $text, qr/^noindex: true$/m, 'Rank Math\'s noindex';
like $text, qr{^published_url: "https://elsewhere\.example/classic"$}m,
	'Rank Math\'s canonical address';
like $text, qr/"metaTitle":"A classic of the garden"/,
	'Rank Math\'s template is filled in';
like $text, qr/^description: Old and good\.$/m, 'Rank Math\'s description';
unlike $galley->get("/articles/$compost->{id}", key => $key)->{body},
	qr/ada\@garden|Somebody|stays private/,
	'no e-mail address and no reader\'s comment comes out';

# ---- the same file again

my $before = $galley->sql('SELECT id, uuid, status, changed_at, version,'
	. ' updated_at, hex(digest) AS d FROM article ORDER BY id');
$done = import_wordpress('--publish', $small, $small);
is_deeply [map { $_->{action} } @{ $done->{articles} }],
	[('unchanged') x 4], 'the same file again changes nothing';
is_deeply $galley->sql('SELECT id, uuid, status, changed_at, version,'
	. ' updated_at, hex(digest) AS d FROM article ORDER BY id'), $before,
	'really';

sub changed { return Galley::slurp($small) =~ s/\Q$_[0]\E/$_[1]/r }
my $newer = put('newer.xml', changed('is <strong>good', 'is <strong>best'));
$done = import_wordpress('--publish', $newer);
is_deeply [map { $_->{action} } @{ $done->{articles} }],
	[qw(updated unchanged)], 'a newer export changes the article';
like shown($compost->{id})->{html}, qr/best/, 'and publishes it';

$galley->must(qw(article set), $compost->{id}, 'title=Our own title');
is import_wordpress('--publish', $newer)->{articles}[0]{action}, 'unchanged',
	'an edited article stays when the same file is imported';
my $row = import_wordpress('--publish', $small)->{articles}[0];
is $row->{action}, 'unchanged', 'and when another file is imported';
ok scalar(grep { /edited here/ } @{ $row->{notes} }), 'which is told';
is $galley->must(qw(article show), $compost->{id})->{title}, 'Our own title',
	'the title is the edited one';
ok $galley->must(qw(article show), $compost->{id})->{changed},
	'the edit is not published by an import';
is import_wordpress('--publish', '--force', $small)->{articles}[0]{action},
	'updated', '--force overwrites it';
$galley->must(qw(article delete), $classic->{id});
$row = import_wordpress('--publish', $small)->{articles}[1];
is "$row->{action} $row->{status}", 'unchanged deleted',
	'an article in the trash stays there';
$galley->must(qw(article undelete), $classic->{id});
$row = import_wordpress('--publish', $small)->{articles}[1];
is "$row->{action} $row->{status}", 'unchanged draft',
	'an unpublished article stays a draft';

# ---- several files of one site, and names that clash

my $one = put('one.xml', wxr([{ id => 100, name => '%e6%97%a5%e6%9c%ac',
	meta => { _thumbnail_id => 102 } }, { id => 101, name => 'compost' }]));
my $two = put('two.xml', wxr([{ id => 102, type => 'attachment',
	status => 'inherit', attachment_url => 'https://garden.example/a.png' }]));
$done = import_wordpress($one, $two);
is $done->{articles}[0]{slug}, '日本', 'a slug in its own letters';
like markdown($done->{articles}[0]{id}), qr{^image: .*/a\.png"$}m,
	'a featured image in another file';
is $done->{articles}[1]{slug}, 'compost-2', 'a slug that is taken';

# ---- the report

my $folder = $galley->scratch . '/reports';
mkdir $folder;
chown $galley->owner_ids, $folder;
import_wordpress('--report', "$folder/r.csv", $one, $small);
my @lines = split /\r\n/, Galley::slurp("$folder/r.csv");
is $lines[0], 'file,source,title,id,slug,status,action,note', 'its columns';
is scalar(grep { /"skipped","of type attachment"$/ } @lines), 1,
	'a skipped item is in the report';
is scalar(grep { /contact-form-7/ } @lines), 1, 'and every loss';
is scalar(grep { /^"\Q$one\E","wordpress:\S+#100"/ } @lines), 1,
	'and every post';
done_testing;
