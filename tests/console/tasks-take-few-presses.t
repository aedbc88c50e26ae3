#!/usr/bin/perl
# What people do most takes few presses from Home: a link, a button, a box that is ticked. Typing is not
# counted. Without a script: what a script adds saves presses, and costs none.
use strict;
use warnings;
use utf8;

use File::Copy qw(copy);
use Test::More;

use lib 'tests/lib';
use Galley::Console;
use Galley::Hits;

my $console = Galley::Console->new;
my $galley = $console->galley;
my $account = $galley->account;
my $w = $galley->workspace(name => 'First', account => $account);
my $owner = $console->as($console->person(name => 'Olga', role => 'owner', account => $account));
my ($page, $presses);

# Each begins at Home, which costs nothing.
sub begin {
	$page = $owner->get("/$w");
	$presses = 0;
	return;
}
sub follow {
	my ($text) = @_;
	$presses++;
	$page = $page->follow($text);
	return;
}

# Presses a button. Each box that is ticked before is a press, too.
sub press {
	my ($button, %given) = @_;
	$presses += 1 + grep { ($page->field($_)->{type} // '') =~ /^(?:checkbox|radio)$/ } keys %given;
	$page = $page->press($button, %given);
	return;
}
sub at_most {
	my ($most, $task) = @_;
	cmp_ok $presses, '<=', $most, "$task: $presses";
	return;
}

# ---- publishing: a draft whose checks fail shows them once more

begin();
follow('New article');
ok $page->field('Title'), 'the form of a new article';
at_most 1, 'begin an article';
$page->press('Save', Title => 'Herbs on a balcony', Text => "Basil grows there.\n");

begin();
follow('Sites');
press('Turn on', 'Word of the pages' => 'herbs');
like $page->notice, qr/^The pages are on/, 'the pages are on';
at_most 2, 'turn on the pages';

begin();
follow('Herbs on a balcony');
press('Publish');
press('Publish');
is $page->heading, 'Published', 'it is published';
at_most 3, 'publish a draft whose checks fail';
$presses = 0;
press('Undo');
is_deeply $galley->sql('SELECT status FROM article'), [{ status => 'draft' }], 'it is a draft again';
at_most 1, 'take it back at once';
$page = $page->press('Publish')->press('Publish');
like $page->link('Open it'), qr{/pages/herbs/}, 'a link leads to the page of the article';

# A draft of one's own whose checks pass.
{
	my $demo = $galley->must('demo')->{workspaces}[0]{id};
	my $folder = $galley->scratch;
	copy("db/demo/meter.png", $folder) or die "meter.png: $!";
	Galley::spew("$folder/own.md", Galley::slurp('db/demo/en/02-measure-what-your-devices-use.md')
		=~ s/^title:.*/title: Measure what your kitchen uses in a week/mr =~ s/^(?:slug|date|lastmod):.*\n//mgr);
	my $id = $galley->must(qw(article import --workspace), $demo, "$folder/own.md")->[0]{id};
	my ($in) = map { $_->{uuid} } @{ $galley->sql(
		"SELECT uuid FROM account WHERE id = (SELECT account_id FROM workspace WHERE uuid = '$demo')") };
	my $writer = $console->as($console->person(name => 'Wanda', role => 'editor', account => $in));
	$writer->get("/$demo/articles/$id")->press('Save', Title => 'Measure what your kitchen uses in a month');
	($page, $presses) = ($writer->get("/$demo"), 0);
	follow('Measure what your kitchen uses in a month');
	press('Publish');
	is $page->heading, 'Published', 'a draft without faults is published' or diag $page->text;
	at_most 2, 'publish a draft of yours';
}

# ---- many

$galley->import_text($w, { publish => 1 }, "# Plant $_\n\nText.\n") for 1 .. 5;
begin();
follow('Articles');
like $page->form('search')->{action}, qr{/articles$}, 'what a word is typed into is on the list';
at_most 1, 'find an article by a word';
press('Unpublish', map { ("Plant $_" => 1) } 1 .. 5);
press('Unpublish 5 articles');
is $galley->sql("SELECT count(*) AS n FROM article WHERE status = 'draft' AND title LIKE 'Plant %'")->[0]{n}, 5, 'five are drafts';
at_most 8, 'unpublish five at once';

my $hits = Galley::Hits->new($galley);
$hits->write({ workspace => $w, article => $galley->sql("SELECT uuid FROM article WHERE status = 'published'")->[0]{uuid} });
$hits->count;
begin();
like $page->text, qr/Readers ?Statistics ?1 in 30 days/, 'Home says how many readers there were';
follow('Statistics');
is $page->heading, 'Statistics', 'one press shows more';
at_most 1, 'readers of 30 days';

# ---- keys and people: to copy what is shown is a press, too

begin();
follow('Keys');
follow('New key') if $page->link('New key');
press('Create key', Name => 'Website');
like $page->body, qr/ab_live_\w+/, 'the key is shown';
$presses++;
at_most 4, 'make a key and copy it';

begin();
follow('People');
press('Invite', 'E-mail' => 'xaver@example.org', Name => 'Xaver');
like $page->text, qr/ab_invite_\w+/, 'the link is shown';
$presses++;
at_most 3, 'invite somebody';

done_testing;
