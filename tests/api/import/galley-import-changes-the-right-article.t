#!/usr/bin/perl
# Proves which article a file changes: the one with its id, the one that its path made, or a new
# one; and that a file is imported whole or not at all.
# suite: fast valgrind
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Test::More;

my $galley = Galley->new;
my $workspace = $galley->workspace(website => 'https://example.com',
	address_pattern => '/{slug}');
my $key = $galley->key($workspace, qw(articles:read drafts:read));
my $folder = $galley->scratch . '/site';
mkdir $folder;

sub put {
	my ($name, $text) = @_;
	Galley::spew("$folder/$name", $text);
	return "$folder/$name";
}

sub import_files {
	my (@words) = @_;
	return $galley->command(qw(article import --workspace), $workspace,
		@words);
}

sub one {
	my $done = import_files(@_);
	return $done->{json}[0];
}

sub exported {
	my ($id) = @_;
	my $done = $galley->command(qw(article show), $id, qw(--as markdown));
	return $done->{json}{markdown};
}

# ---- created, unchanged, updated

my $path = put('first.md', "---\ntitle: First\n---\n\nOne.\n");
my $row = one($path);
is_deeply [sort keys %$row], [sort qw(path id slug status action notes missing_pictures)],
	'a row of the result';
is $row->{path}, $path, 'path';
is $row->{slug}, 'first', 'slug of the file name';
is $row->{status}, 'draft', 'a draft without --publish';
is $row->{action}, 'created', 'created';
my $id = $row->{id};
$row = one($path);
is "$row->{id} $row->{action}", "$id unchanged", 'the same path is the same';
put('first.md', "---\ntitle: First\n---\n\nTwo.\n");
$row = one($path, '--publish');
is "$row->{id} $row->{action} $row->{status}", "$id updated published",
	'a changed file updates, and publishes';
$row = one($path, '--publish');
is $row->{action}, 'unchanged', 'an unchanged published article stays published';
is $galley->must(qw(article show), $id)->{version}, 1, 'no second edition';
put('first.md', "---\ntitle: First\n---\n\nThree.\n");
$row = one($path);
is "$row->{action} $row->{status}", 'updated published',
	'without --publish a change is pending';
ok $galley->must(qw(article show), $id)->{changed}, 'pending changes';
like $galley->get("/articles/$id", key => $key)->{json}{data}[0]{html},
	qr/Two/, 'the API shows the edition';
is one($path, '--publish')->{action}, 'updated', '--publish shows them';
link $path, "$folder/link.md";
unlink "$folder/link.md";
symlink $path, "$folder/link.md";
is one("$folder/link.md")->{id}, $id, 'a link is the file that it leads to';
unlink "$folder/link.md";

# ---- dates and drafts

$row = one(put('dated.md', "---\ntitle: Dated\ndate: 2020-05-01\n"
	. "lastmod: 2021-06-02\n---\n\nText.\n"), '--publish');
my $shown = $galley->must(qw(article show), $row->{id});
is $shown->{created_at}, '2020-05-01T00:00:00.000000Z', 'date: created_at';
is $shown->{first_published_at}, '2020-05-01T00:00:00.000000Z',
	'date: the first publication';
is $shown->{modified_at}, '2021-06-02T00:00:00.000000Z', 'lastmod: modified';
$row = one(put('draft.md', "---\ntitle: Draft\ndraft: true\n---\n\nText.\n"),
	'--publish');
is $row->{status}, 'draft', 'draft: true imports as a draft';
like "@{ $row->{notes} }", qr/marked as a draft/, 'and says so';
$row = one(put('future.md', "---\ntitle: Future\ndate: 9998-01-01\n---\n\n"
	. "Text.\n"), '--publish');
is $row->{status}, 'draft', 'a date in the future imports as a draft, too';

# ---- folders

mkdir "$folder/sub";
mkdir "$folder/sub/post";
mkdir "$folder/.hidden";
put('sub/b.markdown', "# B\n\nText.\n");
put('sub/a.md', "# A\n\nText.\n");
put('sub/c.txt', "no\n");
put('sub/post/index.md', "# Post\n\nText.\n");
put('.hidden/x.md', "# X\n\nText.\n");
my $done = import_files("$folder/sub/");
is_deeply [map { substr $_->{path}, length $folder } @{ $done->{json} }],
	['/sub/a.md', '/sub/b.markdown', '/sub/post/index.md'],
	'folders are walked in the order of their paths, Markdown only';
is $done->{json}[2]{slug}, 'post', 'index takes the name of its folder';
is import_files($folder . '/.hidden')->{exit}, 0,
	'a hidden folder that is named is read';
mkdir "$folder/empty";
is import_files("$folder/empty")->{exit}, 1, 'nothing to import is exit 1';
is import_files("$folder/nowhere")->{exit}, 1, 'a missing path too';

# ---- files whose names have no meaning

for my $name ('post', 'Untitled 2', '2026-11-22', '2026-11-22-draft') {
	my $file = put("$name.md", "# My first article\n\nText.\n");
	my $row = one($file, '--publish');
	like $row->{slug}, qr/^my-first-article(?:-\d)?$/, "$name.md takes the slug of its title";
	put("$name.md", "# Another title\n\nText.\n");
	my $again = one($file, '--publish');
	is_deeply [@{$again}{qw(id slug action)}], [@{$row}{qw(id slug)}, 'updated'],
		'imported again, it is the same article at the same address';
}
is one(put('post-office.md', "# Letters\n\nText.\n"))->{slug}, 'post-office',
	'a name with a meaning is kept';

# ---- a file that fails

put('bad.md', "---\ntitle: [\n---\n\nText.\n");
put('good.md', "# Good\n\nText.\n");
$done = import_files("$folder/bad.md", "$folder/good.md");
is $done->{exit}, 1, 'exit 1 when one failed';
is $done->{json}[0]{status}, 'failed', 'its status says so';
is $done->{json}[0]{id}, undef, 'and it made no article';
ok @{ $done->{json}[0]{notes} } > 0, 'with the reason';
is $done->{json}[1]{action}, 'created', 'the others are imported';
like $done->{err}, qr/bad\.md: .*line/, 'standard error names file and line';

put('taken.md', "---\ntitle: Taken\nslug: first\n---\n\nText.\n");
$done = import_files("$folder/taken.md");
is $done->{exit}, 1, 'an explicit slug that is taken fails';
mkdir "$folder/more";
put('more/first.md', "---\ntitle: Derived\n---\n\nText.\n");
$row = one("$folder/more/first.md");
is $row->{slug}, 'first-2', 'a derived one gets a number';
like "@{ $row->{notes} }", qr/first-2/, 'and says so';

# ---- id and base

my $text = exported($id);
like $text, qr/^id: .*\Q$id/m, 'an export has the id';
like $text, qr/^base: .*b1_/m, 'and the base';
is one(put('copy.md', $text))->{action}, 'unchanged',
	'an untouched round trip changes nothing';
my $edited = $text =~ s/Three\./Four./r;
$row = one(put('copy.md', $edited));
is "$row->{id} $row->{action}", "$id updated", 'the article of the id changes';
is one("$folder/copy.md")->{action}, 'unchanged',
	'the same text again, with its old base, changes nothing';
$done = import_files(put('copy.md', $text =~ s/Three\./Five./r));
is $done->{exit}, 1, 'a text made before that change is refused';
like $done->{err}, qr/changed after this text was made/, 'saying why';
like exported($id), qr/Four\./, 'and nothing is overwritten';
is import_files('--force', "$folder/copy.md")->{exit}, 0, '--force does';
like exported($id), qr/Five\./, 'overwrite it';
my $other = $galley->workspace(name => 'Other');
$done = $galley->command(qw(article import --workspace), $other,
	put('moved.md', $text));
$row = $done->{json}[0];
is $row->{action}, 'created', 'an id of another workspace makes a new article';
isnt $row->{id}, $id, 'with an id of its own';
like "@{ $row->{notes} }", qr/\Q$id\E.*ignored/, 'and says so';

# ---- the trash

$galley->must(qw(article delete), $id);
is_error $galley->get("/articles/$id", key => $key), 404, 'not_found',
	'a deleted article is gone at once';
$row = one($path);
is "$row->{id} $row->{action} $row->{status}", "$id updated draft",
	'importing its path takes it out of the trash, as a draft';

# ---- images

my $png = pack 'H*', '89504e470d0a1a0a0000000d4948445200000001000000010802000000'
	. '907753de0000000c4944415478da63f8cfc0000003010100f7034143'
	. '0000000049454e44ae426082';
Galley::spew("$folder/dot.png", $png);
put('pictured.md', "---\ntitle: Pictured\nimage: dot.png\nimageAlt: A dot here\n"
	. "---\n\n## Part\n\n![A dot](dot.png)\n");
$row = one("$folder/pictured.md", '--publish');
my ($media) = @{ $galley->sql('SELECT * FROM media') };
is $media->{type}, 'image/png', 'a picture beside the document is stored';
is "$media->{width}x$media->{height}", '1x1', 'with its size';
my $file = $galley->programs . "/htdocs/media/$media->{digest}.png";
is Galley::slurp($file), $png, 'under the digest of its bytes';
is sprintf('%04o', (stat $file)[2] & 07777), '0644', 'readable by the web server';
Galley::spew("$folder/dot.png", substr $png, 0, 50);
put('broken.md', "# Broken\n\n![A dot](dot.png)\n");
$row = one("$folder/broken.md");
is $row->{action}, 'created', 'a picture that was cut off does not stop it';
like "@{ $row->{notes} }", qr/dot\.png/, 'and is reported';
is scalar @{ $galley->sql('SELECT * FROM media') }, 1, 'and not stored';

is_deeply $galley->command('verify')->{exit}, 0, 'the store is sound after all';

done_testing;
