#!/usr/bin/perl
# Proves that every edition can be shown, compared with and restored, and that restoring changes
# the working copy and nothing that readers see.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Terminal qw(on_terminal);
use Test::More;

my $galley = Galley->new;
my $workspace = $galley->workspace(website => 'https://example.com',
	address_pattern => '/blog/{slug}');
my $key = $galley->key($workspace);
my $tool = $galley->home . '/bin/galley';
my ($id) = $galley->import_text($workspace, <<'TEXT');
---
title: Compost
slug: compost
---

Keep the bin between 15 and 20 degrees, and turn it weekly.

## Set up

The first paragraph stays.

- one
- two
TEXT

sub edit {
	my ($perl) = @_;
	my $editor = $galley->scratch . '/editor';
	Galley::spew($editor, "#!/usr/bin/perl -0777 -pi\n$perl\n");
	chmod 0755, $editor;
	return $galley->must({ env => { EDITOR => $editor, VISUAL => '' } },
		qw(article edit), $id);
}

sub said { return scalar qx($tool article @_ 2>&1) }

my $first = $galley->get("/articles/$id", key => $key)->{json}{data}[0];
like said('diff', $id), qr/^The working copy is edition 1, published 20\S+Z\.$/,
	'nothing changed yet';
edit('s/20 degrees/25 degrees/; s/- two\n/- two\n- three\n/; s/title: Compost/title: Compost at home/;');
my $text = said('diff', $id);
like $text, qr/^From edition 1, published .* to the working copy:$/m, 'a change is told';
like $text, qr/^~ title: Compost \{\+at home\+\}$/m, 'a field, word by word';
like $text, qr/^~ Keep the bin between 15 and \[-20-\]\{\+25\+\} degrees,/m,
	'a word in a paragraph';
like $text, qr/^\+ - three$/m, 'an item more';
unlike $text, qr/stays\./, 'what stays is left out';
my $diff = $galley->must(qw(article diff), $id);
is_deeply [sort keys %$diff], [qw(changed id lines published_at version)],
	'members of the JSON';
is $diff->{changed}, JSON::PP::true, 'it says so';
is_deeply [map { $_->{text} } grep { $_->{change} eq 'removed' } @{ $diff->{lines} }],
	['title: Compost', 'Keep the bin between 15 and 20 degrees, and turn it weekly.'],
	'lines as they were';

# The text of todo callouts is part of no edition; their number is.
$galley->must(qw(article publish), $id);
edit('s/\z/\n> [!TODO]\n> Ask Ann.\n/;');
$diff = $galley->must(qw(article diff), $id);
is $diff->{changed}, JSON::PP::true, 'a todo makes the next edition an unfinished one';
is_deeply [map { "$_->{change} $_->{text}" } grep { $_->{change} ne 'kept' }
	@{ $diff->{lines} }], ['added unfinished: 1'], 'and is no difference else';
edit('s/\n> \[!TODO\]\n> Ask Ann.\n//;');

my $editions = $galley->must(qw(article history), $id);
is_deeply [map { "$_->{version} $_->{title} " . ($_->{shown} ? 1 : 0) } @$editions],
	['2 Compost at home 1', '1 Compost 0'], 'the history, newest first';
like said('history', $id), qr/^EDITION .*\n2 .* yes .*Compost at home\n1 .* - .*Compost\n/,
	'for people too';

# Each edition in each form.
edit('s/weekly/daily/;');
my %as = map { $_ => $galley->must(qw(article show --edition 1 --as), $_, $id) }
	qw(page head html markdown json jsonld);
like $as{html}{html}, qr/15 and 20 degrees/, 'an edition as html';
like $as{markdown}{markdown}, qr/^title: Compost\n.*^id: "?$id"?\n/ms, 'as Markdown';
is $as{json}{title}, 'Compost', 'as the object of the API';
like $as{head}{head}, qr{<title>Compost</title>}, 'its head';
ok exists $as{jsonld}{'@graph'}, 'its graph';
like $as{page}{page}, qr/<main>.*15 and 20 degrees/s, 'its page';
is_deeply $galley->must(qw(article show --published --as json), $id),
	$galley->get("/articles/$id", key => $key)->{json}{data}[0],
	'--published is what the API shows, revision and all';
is $galley->must(qw(article show --published), $id)->{version}, 2,
	'its facts';
like said('show', $id, '--edition', 1), qr/^title +Compost\nslug .*^version +1\n.*checks/ms,
	'facts of an edition, for people';
for my $case ([[qw(--edition 3)], qr/has no edition 3/, 1],
	[[qw(--edition x)], qr/x is no number/, 2],
	[[qw(--edition 1 --published)], qr/two different things/, 2],
	[[qw(--as pdf)], qr/--as is page, head, /, 2]) {
	my ($words, $reason, $exit) = @$case;
	my $done = $galley->command(qw(article show), $id, @$words);
	is $done->{exit}, $exit, "show @$words is refused";
	like $done->{err}, $reason, 'with its reason';
}

# Back to the first edition: readers see no change.
my $before = $galley->get("/articles/$id", key => $key)->{body};
my $done = $galley->must(qw(article revert --edition 1), $id);
is $done->{title}, 'Compost', 'the working copy is as it was';
is $done->{moved}, undef, 'at its address';
is $galley->get("/articles/$id", key => $key)->{body}, $before, 'readers see nothing';
like said('diff', $id, '--edition', 1), qr/is edition 1,/, 'nothing differs from it';
$galley->must(qw(article publish), $id);
is_deeply $galley->get("/articles/$id", key => $key)->{json}{data}[0]{content},
	$first->{content}, 'until it is published';

# A slug is restored only when the command asks for it.
$galley->must(qw(article set --move), $id, 'slug=compost-at-home');
$galley->must(qw(article publish), $id);
is $galley->must(qw(article revert --edition 1), $id)->{slug}, 'compost-at-home',
	'revert keeps the address';
like said('revert', $id, '--edition 1'), qr/slug stays compost-at-home; it was compost\./,
	'and says so';
is_deeply $galley->must(qw(article revert --edition 1 --move), $id)->{moved},
	{ from => 'https://example.com/blog/compost-at-home',
		to => 'https://example.com/blog/compost' }, 'but for --move';

# Unpublished changes would be lost: on a terminal the command asks first.
$galley->must(qw(article set), $id, 'section=Unpublished');
$done = on_terminal({ type => "n\n" }, $tool, qw(article revert --edition 2), $id);
like $done->{screen}, qr/never\s+published.*Go on\? \[y\/N\]/s, 'it is asked first';
is $done->{exit}, 1, 'no is exit 1';
like said('show', $id, '--as markdown'), qr/^section: Unpublished$/m, 'and changes nothing';
$done = on_terminal({ type => "y\n" }, $tool, qw(article revert --edition 2), $id);
is $done->{exit}, 0, 'yes goes on';
unlike said('show', $id, '--as markdown'), qr/^section: /m, 'and the change is gone';

# Dates of a document are those of its edition.
my ($dated) = $galley->import_text($workspace,
	"---\ntitle: Dated\ndate: 2024-01-01\nlastmod: 2024-02-03\n---\n\nText.\n");
is_deeply $galley->must(qw(article show --published --as json), $dated),
	$galley->get("/articles/$dated", key => $key)->{json}{data}[0],
	'an imported edition is what the API shows';

my $draft = $galley->must(qw(article create --title Draft))->{id};
is_deeply $galley->must(qw(article history), $draft), [], 'a draft has no history';
for my $words ([qw(diff)], [qw(revert --edition 1)]) {
	like $galley->command('article', @$words, $draft)->{err},
		qr/never published: it has no edition/, "nor a @$words";
}
is $galley->command(qw(article show --published), $draft)->{exit}, 1,
	'nor is it published';

done_testing;
