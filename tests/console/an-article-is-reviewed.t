#!/usr/bin/perl
# A writer hands an article in with a comment, a person who publishes hands it back or publishes
# it, the writer takes it back, and everybody may say something (docs/console.md §2.1, §5.1). Who
# may not do it sees no button for it and is refused.
#
use strict;
use warnings;
use utf8;

use Test::More;

use lib 'tests/lib';
use Galley::Console;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output todo_output);

my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my $workspace = $galley->workspace(name => 'First');
my $articles = "/$workspace/articles";
my %as = map {
	$_ => $console->as($console->person(name => ucfirst $_, role => $_, workspace => $workspace))
} qw(reader writer reviewer editor);
my $second = $console->as($console->person(name => 'Second', role => 'writer',
	workspace => $workspace));

sub acts {
	my %review = map { $_ => 1 } 'Hand in for review', 'Hand back', 'Take back', 'Add comment';
	return join ', ', sort grep { $review{$_} } map { $_->{label} }
		map { @{ $_->{buttons} } } $_[0]->forms;
}
sub desk { return $galley->sql('SELECT count(*) AS n FROM desk')->[0]{n} }
sub comments {
	return map { $_->{kind} } @{ $galley->sql('SELECT kind FROM comment ORDER BY id') };
}

# ---- a writer begins an article and hands it in
my $page = $as{writer}->get("$articles/new");
is acts($page), 'Hand in for review', 'a new article can be handed in at once';
is acts($as{editor}->get("$articles/new")), '', 'who publishes need not';
my $hostile = "Please look:\n<script>alert(1)</script> & \"so\"";
my $wrong = $page->press('Hand in for review', Title => '', Comment => $hostile);
is $wrong->status, 422, 'an article without a title is not handed in';
is $wrong->value('Comment'), $hostile, 'the comment stays';
is desk(), 0, 'and nothing is stored';
$page = $wrong->press('Hand in for review', Title => 'Compost', Text => 'One.');
is $page->notice, 'Handed in for review.', 'it is saved and handed in' or BAIL_OUT($page->text);
my $at = $page->{address} =~ s/^\/console|\?.*//gr;
my ($id) = $at =~ m{([^/]+)$};
like $page->text, qr/In review Handed in by Writer, /, 'the page says so';
like $page->text, qr/Comments\s*Writer handed it in/s, 'with what was said';
like $page->body, qr/&lt;script&gt;alert/, 'as text';
is $page->value('Comment') // '', '', 'the field is empty again';
is acts($page), 'Add comment, Take back', 'the writer can take it back';
is acts($second->get($at)), 'Add comment', 'another writer cannot';
is acts($as{reader}->get($at)), 'Add comment', 'a reader can say something';
is acts($as{reviewer}->get($at)), 'Add comment, Hand back', 'who publishes can hand it back';
like $as{reader}->get("$at/history")->text, qr/Writer handed it in/, 'History shows it, too';

# Sends another's button with the person's own form.
sub sneak {
	my ($browser, $from, $button) = @_;
	my ($form, $sent) = $browser->get($from)->sends('Add comment', Comment => 'x');
	pop @$sent, pop @$sent;
	return $browser->post($form->{action}, [@$sent, $button => 1], whole => 1);
}
is sneak($second, $at, 'take-back')->status, 409, 'another writer is refused';
is sneak($second, $at, 'hand-back')->status, 403, 'and hands nothing back';
is sneak($as{reader}, $at, $_)->status, 403, "a reader: no $_"
	for qw(hand-in hand-back take-back save);
is sneak($as{reviewer}, $at, 'hand-in')->status, 403, 'a reviewer hands nothing in';
is sneak($as{editor}, $at, 'hand-in')->status, 409, 'it is not handed in twice';
is desk(), 1, 'it is in review still';

# ---- what is said
$page = $as{reader}->get($at)->press('Add comment', Comment => "First.\nSecond \x{1F600} שלום");
is $page->notice, 'Your comment was added.', 'a reader says something';
like $page->text, qr/Reader said,/, 'and is named';
my $empty = $as{reader}->get($at)->press('Add comment', Comment => " \n ");
is $empty->notice, 'Nothing had changed, so nothing was saved.', 'no words are no comment';
my $long = $as{reader}->get($at)->press('Add comment', Comment => 'x' x 10001);
is $long->status, 422, 'too long a comment is refused';
ok $long->error('Comment'), 'beside it';
is length $long->value('Comment'), 10001, 'and stays';
$page = $as{writer}->get($at)->press('Save', Text => 'One and a half.', Comment => 'A word more');
is $page->notice, 'Saved.', 'a comment is stored with a save';
like $page->text, qr/A word more/, 'and shown';
is_deeply [comments()], [qw(handed-in said said)], 'what was said, in its order';

# ---- it comes back
$page = $as{reviewer}->get($at);
my ($form, $sent) = $page->sends('Hand back', Comment => 'Too short');
my $done = $as{reviewer}->post($form->{action}, $sent, whole => 1);
is $done->landed->notice, 'Handed back.', 'a reviewer hands it back';
is desk(), 0, 'the row goes when nothing of it is set';
my $again = $as{reviewer}->post($form->{action}, $sent, whole => 1);
is $again->status, 303, 'the same form again says the same';
is_deeply [comments()], [qw(handed-in said said handed-back)], 'and says it once';
is $page->press('Hand back')->status, 409, 'what is not handed in is not handed back';
$page = $as{writer}->get($at);
is acts($page), 'Add comment, Hand in for review', 'it can be handed in again';
$page = $page->press('Hand in for review')->press('Take back');
is $page->notice, 'Taken back.', 'and taken back';

# ---- publishing ends it, however it is published
for my $way ('console', 'tool') {
	$as{writer}->get($at)->press('Hand in for review', Text => "Another for $way.");
	is desk(), 1, 'handed in';
	if ($way eq 'console') {
		is $as{reviewer}->get("$at/publish")->press('Publish')->heading, 'Published', 'published';
		is desk(), 0, 'its row is gone';
	} else {
		$galley->must(qw(article publish), $id);
		is desk(), 0, 'its row is gone';
	}
	$page = $as{writer}->get($at);
	unlike $page->text, qr/In review/, "published by the $way: the review has ended";
	is $page->press('Hand in for review')->status, 409, 'and there is nothing to hand in';
}
$page = $as{writer}->get($at)->press('Hand in for review', Text => 'Changed again.');
is $page->notice, 'Handed in for review.', 'a published article with changes is handed in';

# ---- two people, kills, and the end of the article
my $mine = $as{writer}->get($at);
$second->get($at)->press('Save', Text => 'Wholly different.');
my $clash = $mine->press('Take back', Text => 'Not the same.', Comment => 'While I wrote');
is $clash->status, 409, 'a clash with an act is shown';
$page = $clash->press('Save', 'place-1' => 'mine');
is $page->notice, 'Taken back.', 'and the act is done with the choice';
like $page->text, qr/While I wrote/, 'its comment, too';
for my $point (qw(db-begun db-before-commit db-after-commit before-answer)) {
	my $form = $as{writer}->get($at);
	my $before = desk() . ' ' . scalar comments();
	$as{writer}{env} = { GALLEY_FAULT => "$point:1:kill" };
	my $answer = eval { $form->press('Hand in for review', Comment => "Killed at $point") };
	$as{writer}{env} = {};
	my $after = desk() . ' ' . scalar comments();
	my ($desk, $count) = split / /, $before;
	ok $after eq $before || $after eq ($desk + 1) . ' ' . ($count + 1),
		"killed at $point: handed in with its comment, or neither";
	$answer = $form->press('Hand in for review', Comment => "Killed at $point");
	is $answer->status, 200, 'the same form again is done';
	is_deeply [desk(), scalar comments()], [$desk + 1, $count + 1], 'once';
	$as{writer}->get($at)->press('Take back');
}
$as{writer}->get($at)->press('Hand in for review');
$as{editor}->get($at)->press('Move to trash')->press('Move 1 article to the trash');
unlike $as{writer}->get($at)->text, qr/In review/, 'in the trash it is not in review';
is desk(), 0, 'the review has ended';
$console->as($console->person(role => 'owner', workspace => $workspace))->get($at)
	->follow('Delete for good')->press('Delete 1 article for good');
is $galley->sql('SELECT (SELECT count(*) FROM desk) + (SELECT count(*) FROM comment) AS n')
	->[0]{n}, 0, 'nothing is left of an article that was destroyed';

done_testing;
