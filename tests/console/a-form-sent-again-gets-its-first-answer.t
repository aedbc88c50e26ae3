# The same form again gets the first answer (docs/console.md §3.7), whatever others did meanwhile,
# and what was refused is not said to be done. What was typed for an article that somebody else
# moved to the trash meanwhile is not lost.
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley::Console;

my $console = Galley::Console->new;
my $galley = $console->galley;
my $workspace = $galley->workspace(name => 'First');
my ($ada, $ben) = map { $console->as($console->person(name => $_, role => 'owner',
	workspace => $workspace)) } qw(Ada Ben);
my ($id, @others) = $galley->import_text($workspace, { publish => 0 },
	map { "# Article $_\n\nText $_.\n" } 1 .. 4);
my $at = "/$workspace/articles/$id";

# Sends a form twice; `between` is called between the two. Returns both answers.
sub twice {
	my ($browser, $page, $between, @pressed) = @_;
	my ($form, $sent) = $page->sends(@pressed);
	my @answers = $browser->post($form->{action}, $sent, whole => 1);
	$between->();
	return (@answers, $browser->post($form->{action}, $sent, whole => 1));
}
sub title { return $galley->must(qw(article show), $id)->{title} }
sub ben_says { my ($title) = @_; return sub { $ben->get($at)->press('Save', Title => $title) } }

# ---- a save
for my $case ([[Title => 'Of Ada'], 'saved'], [[], 'unchanged'],
	[['Section' => 'Soil', Comment => 'Look.'], 'saved']) {
	my ($typed, $notice) = @$case;
	my $page = $ada->get($at);
	my ($one, $two) = twice($ada, $page, ben_says("Of Ben, $notice"), 'Save', @$typed);
	is $one->status, 303, "a save that is told '$notice'";
	like $one->header('location'), qr/notice=$notice$/, 'says so';
	is $two->status, 303, 'the same form again is no clash with what came later';
	is $two->header('location'), $one->header('location'), 'it gets the first answer';
	is title(), "Of Ben, $notice", 'and nothing is done twice';
}
my $page = $ada->get($at);
ben_says('Of Ben')->();
my ($one, $two) = twice($ada, $page, sub {}, 'Save', Section => 'Merged');
like $one->header('location'), qr/notice=merged$/, 'a save that is merged';
is $two->header('location'), $one->header('location'), 'is told so twice';
($one, $two) = twice($ada, $ada->get($at), sub {}, 'Add comment', Comment => 'A word.');
like $one->header('location'), qr/notice=commented$/, 'a comment';
is $two->header('location'), $one->header('location'), 'is told so twice';
is $galley->sql("SELECT count(*) AS n FROM comment WHERE text = 'A word.'")->[0]{n}, 1,
	'and is there once';

# ---- many articles, of which some are left
my $list = "/$workspace/articles";
$galley->must(qw(article publish), $others[0]);
$page = $ada->get($list)->submit('Unpublish', 'Article 2' => 1, 'Article 3' => 1);
($one, $two) = twice($ada, $page, sub { $galley->must(qw(article publish), $others[0]) }, 'Unpublish 1 article');
is $_->status, 303, 'an act on many' for $one, $two;
is $two->header('location'), $one->header('location'), 'leads to the same answer twice';
like $two->landed->notice, qr/^1 article was unpublished\. ?Article 2 ?1 was not: ?Article 3 . It is not published/,
	'which tells what was done and what was left';
is $galley->must(qw(article show), $others[0])->{status}, 'published', 'and nothing is done twice';

# ---- an article that is destroyed, but was restored before
$galley->must(qw(article delete), $others[1]);
$page = $ada->get("$list/$others[1]")->asked('Delete for good');
$galley->must(qw(article undelete), $others[1]);
($one, $two) = twice($ada, $page, sub {}, 'Delete 1 article for good');
is $one->status, 409, 'what is not in the trash any more is not destroyed';
is $two->status, 409, 'and the same form again does not say that it was';
is $galley->must(qw(article show), $others[1])->{status}, 'draft', 'it is there';

# ---- an article that somebody moves to the trash while another one writes
$page = $ada->get($at);
$galley->must(qw(article delete), $id);
$page = $page->press('Save', Title => 'Typed for an hour', Text => 'A long text.');
is $page->status, 409, 'nothing is saved into the trash';
like $page->summary, qr/This article is in the trash, so nothing was saved/, 'the page says why';
is $page->value('Title'), 'Typed for an hour', 'and holds the title that was typed';
is $page->value('Text'), 'A long text.', 'and the text';
$galley->must(qw(article undelete), $id);
is $page->press('Save')->value('Title'), 'Typed for an hour', 'restored, it is saved';
done_testing;
