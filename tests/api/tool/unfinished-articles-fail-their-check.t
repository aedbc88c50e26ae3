#!/usr/bin/perl
# An article whose working copy has callouts of kind todo is unfinished. Proves that `article
# publish` refuses it and names each place. If --unfinished or an order's autoPublish publishes it,
# it is hidden from search engines and fails its check until it is published finished. The count is
# stored with the edition, so that a second rendering gives the same bytes.
use strict;
use warnings;
use utf8;

use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use Galley::JSON ();
use JobRun;
use Test::More;

my $check = 'No placeholder text';
my $open = 'index, follow, max-image-preview:large, max-snippet:-1, max-video-preview:-1';
my $text = <<'END';
---
title: Compost
---
Compost turns peels into soil.

> [!TODO]
> Say for whom this is.

## The bin

Five litres are enough for two.

> [!TODO] Photo
> Take a picture of the *bin*, with the lid open and both of the shelves in view please.
END

my $galley = Galley->new;
my $workspace = $galley->workspace;
$galley->must(qw(workspace set), $workspace, 'website=https://www.example.com',
	'address_pattern=/blog/{slug}');
my $key = $galley->key($workspace);
my $drafts = $galley->key($workspace, qw(articles:read drafts:read));

sub tool { return run_program([$galley->home . '/bin/galley', @_]) }

sub file_of {
	my ($name, $content) = @_;
	my $path = $galley->scratch . "/$name.md";
	open my $out, '>:utf8', $path or die "$path: $!";
	print $out $content;
	close $out or die "$path: $!";
	return $path;
}

# Returns what the API shows of the article: [robots of both views, whether its check passes].
sub shown {
	my ($id) = @_;
	my $article = $galley->get("/articles/$id?drafts=true", key => $drafts)
		->{json}{data}[0];
	my ($robots) = $article->{head_html} =~ /<meta name="robots" content="([^"]*)">/;
	my ($found) = grep { $_->{label} eq $check } @{ $article->{publishing_checks} };
	return [$robots, $article->{seo}{robots}, $found->{passed} ? 1 : 0];
}

# ---- refusals and their sentences
my ($id) = $galley->import_text($workspace, $text);
my $row = $galley->must(qw(article show), $id);
is "$row->{status} $row->{unfinished}", 'draft 2', 'an unfinished draft';
my $draft = shown($id);
is_deeply $draft, ['noindex, nofollow', 'noindex, nofollow', 0], 'as drafts are';
my $done = tool(qw(article publish), $id);
is $done->{exit}, 1, 'publishing it is refused';
like $done->{err}, qr/^galley: Compost \(\Q$id\E\) is not finished: 2 places are left to write:
  - the beginning: Say for whom this is\.
  - The bin: Take a picture of the bin, .*
.*galley article edit \Q$id\E.*\n.*--unfinished/m, 'each place is named, and what to do';
is $galley->get("/articles/$id", key => $key)->{status}, 404, 'nothing is published';
is $galley->command(qw(article publish), $id)->{exit}, 1, 'programs are refused, too';
like tool(qw(article publish --at 2999-01-01T00:00:00Z), $id)->{err}, qr/ is not finished: 2 places /,
	'it gets no date by itself';
is $galley->must(qw(article show), $id)->{publish_at}, undef, 'and has none';

# ---- published unfinished
$row = $galley->must(qw(article publish --unfinished), $id)->[0];
is "$row->{status} $row->{version} $row->{action}", 'published 1 published',
	'--unfinished publishes it';
is_deeply [grep { /^$check: 2 places/ } @{ $row->{notes} }],
	["$check: 2 places had something to do when it was published."],
	'and says what is the matter';
is_deeply shown($id), ['noindex, follow', 'noindex, follow', 0],
	'search engines are told not to list it, and the check fails';
unlike $galley->get("/articles/$id", key => $key)->{body}, qr/Say for whom/,
	'the notes are in no published bytes';
is $galley->must(qw(article list --workspace), $workspace)->[0]{unfinished}, 2,
	'article list has the number';
like tool(qw(article list --workspace), $workspace)->{out},
	qr/TO DO.*\n\S+ +published +- +2 /, '  for people too';
like tool(qw(article show), $id)->{out}, qr/^unfinished +2 places are left to write$/m,
	'article show says so';
my $checked = $galley->must(qw(article check --workspace), $workspace)->{failing}[0];
is $checked->{unfinished}, 2, 'article check has it';
like tool(qw(article check --workspace), $workspace)->{out},
	qr/^  2 places are left to write\.$/m, '  for people too';
is_deeply [map { $_->{unfinished} } @{ $galley->must(qw(article history), $id) }], [2],
	'and the history';
is $galley->must(qw(article show --published), $id)->{unfinished}, 2, 'and the edition';
is $galley->must(qw(article publish --unfinished), $id)->[0]{action}, 'unchanged',
	'the same again is no change';

# ---- rendered again, by a reader and by a refresh, the bytes are the same
my $before = $galley->get("/articles/$id", key => $key);
$galley->must(qw(workspace set), $workspace, 'author_name=Dana');
my $stale = $galley->get("/articles/$id", key => $key);
isnt $stale->{json}{data}[0]{revision}, $before->{json}{data}[0]{revision},
	'settings changed';
is_deeply shown($id), ['noindex, follow', 'noindex, follow', 0],
	'a reader that renders it again gets the same bytes';
$galley->must(qw(export refresh));
is $galley->get("/articles/$id", key => $key)->{body}, $stale->{body},
	'and so does what is stored';
is $galley->command('verify')->{exit}, 0, 'verify finds digests and exports right';

# ---- finished
my $finished = "---\nid: $id\ntitle: Compost\n---\nCompost turns peels into soil.\n\n"
	. "## The bin\n\nFive litres are enough for two.\n";
$galley->must(qw(article import --workspace), $workspace, file_of('finished', $finished));
$row = $galley->must(qw(article publish), $id)->[0];
is "$row->{version} $row->{action}", '2 published', 'what is finished is published';
is_deeply shown($id), [$open, $open, 1], 'listed, and the check passes';
my ($same) = @{ $galley->sql("SELECT a.digest = e.digest AS same, e.unfinished AS left"
	. " FROM article a JOIN edition e ON e.id = a.edition_id WHERE a.uuid = '$id'") };
is "$same->{same} $same->{left}", '1 0',
	'the digest of a finished edition is that of editions before there was the count';
like tool(qw(article revert --edition 1), $id)->{err},
	qr/^Edition 1 was published unfinished: /, 'going back to one says what it lacks';
is $galley->must(qw(article show), $id)->{unfinished}, 0, 'its places are gone';
$galley->must(qw(article set), $id, 'noindex=true');
$galley->must(qw(article publish), $id);
is_deeply shown($id), ['noindex, follow', 'noindex, follow', 1],
	'an article that wants to be hidden is, and passes';

# ---- import --publish
for my $where (['a list', "- One\n\n  > [!TODO]\n  > Say more.\n"],
	['a quote', "> One\n>\n> > [!TODO]\n> > Say more.\n"],
	['a note', "> [!NOTE]\n> One\n>\n> > [!TODO]\n> > Say more.\n"],
	['a footnote', "One[^1].\n\n[^1]: A book.\n\n    > [!TODO]\n    > Say which.\n"],
	['a quote of a footnote', "One[^1].\n\n[^1]: A book.\n\n    > A\n    >\n    > > [!TODO]\n    > > Say which.\n"]) {
	my ($name, $body) = @$where;
	my $in = $galley->must(qw(article import --publish --workspace), $workspace,
		file_of('in ' . $name, "# In $name\n\nText.\n\n$body"))->[0];
	is "$in->{status} " . $galley->must(qw(article show), $in->{id})->{unfinished}, 'draft 1', "something to do in $name is counted";
}
my $file = file_of('unfinished', $text =~ s/Compost/Worms/gr);
$row = $galley->must(qw(article import --publish --workspace), $workspace, $file)->[0];
is "$row->{status} $row->{action}", 'draft created', 'import --publish leaves a draft';
like join("\n", @{ $row->{notes} }),
	qr/^It is not finished \(2 places are left to write\): imported as a draft; --unfinished publishes it\.$/m,
	'with a line';
$row = $galley->must(qw(article import --publish --unfinished --workspace), $workspace,
	$file)->[0];
is "$row->{status} $row->{action}", 'published updated', '--unfinished publishes it';
is shown($row->{id})->[0], 'noindex, follow', 'hidden';

# ---- an order with autoPublish, as in the contract
my $true = JSON::PP::true;
for my $language (qw(en ar ja)) {
	my $jobs = JobRun->new(provider => 'outline', language => $language);
	my $job = $jobs->ordered('o', topic => 'Compost', autoPublish => $true);
	$jobs->run;
	my $article = $jobs->article($job);
	is "$article->{status} $article->{seo}{robots}", 'published noindex, follow',
		"$language: an outline is published, and hidden";
	my ($found) = grep { $_->{label} eq $check } @{ $article->{publishing_checks} };
	is $found->{passed}, JSON::PP::false, "$language: its check fails";
	my @texts = map { $_->{type} eq 'paragraph' ? $_->{text} : () }
		map { @{ $_->{body} } } @{ $article->{content}{sections} };
	cmp_ok scalar(@texts), '>=', 4, "$language: each section says something";
	is_deeply [grep { !/[.。]$/ } @texts[0 .. 3]], [], "$language: in whole sentences";
	is_deeply [map { @{ $_->{callouts} } } @{ $article->{content}{sections} }], [],
		"$language: without its notes";
}

done_testing;
