#!/usr/bin/perl
# Acts on many articles (docs/console.md §4.3): one transaction does all of them or none; what
# cannot be done with an article is listed with its reason, and is done with the others. What takes
# something from readers, or cannot be undone, is asked about first, on a page that says what happens
# to how many. The answer names act, articles and reasons, and has the way back. Who may not do it sees
# no button, and is refused.
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
my $other = $galley->workspace(name => 'Other');
my $list = "/$workspace/articles";
my %as = map {
	$_ => $console->as($console->person(role => $_, workspace => $workspace))
} qw(reader writer reviewer editor owner);
my @ids = $galley->import_text($workspace, { publish => 0 },
	map { "# Article $_\n\nText.\n" } 1 .. 9);
my ($todo) = $galley->import_text($workspace, { publish => 0 },
	"# Unfinished <&>\n\nText.\n\n> [!TODO]\n> Write this.\n");
my ($foreign) = $galley->import_text($other, { publish => 0 }, "# Foreign\n\nText.\n");

sub statuses {
	return join ' ', map { $_->{n} } @{ $galley->sql("SELECT substr(status, 1, 1) || count(*) AS n"
		. ' FROM article GROUP BY status ORDER BY status') };
}
sub acts {
	my ($page) = @_;
	return join ', ', map { $_->{label} } map { @{ $_->{buttons} } }
		grep { ($_->{id} // '') eq 'acts' } $page->forms;
}
# Chooses the articles with these titles and presses a button.
sub choose {
	my ($browser, $button, $address, @chosen) = @_;
	return $browser->get($address)->submit($button, map { ($_ => 1) } @chosen);
}

# ---- who has which buttons
my %wanted = (reader => ['', ''], writer => ['', ''],
	reviewer => ['Publish, Unpublish, Move to trash', 'Restore'],
	editor => ['Publish, Unpublish, Move to trash', 'Restore'],
	owner => ['Publish, Unpublish, Move to trash', 'Restore, Delete for good']);
$galley->must(qw(article delete), $ids[8]);
for my $role (sort keys %wanted) {
	is acts($as{$role}->get($list)), $wanted{$role}[0], "the buttons of a $role";
	is acts($as{$role}->get("$list?status=trash")), $wanted{$role}[1], 'and in the trash';
}
is statuses(), 'd1 d10', 'one is in the trash, ten are drafts';

# ---- who may not is refused
for my $role (qw(reader writer reviewer editor)) {
	my ($form, $sent) = $as{owner}->get("$list?status=trash")->sends('Delete for good',
		'Article 9' => 1);
	my %own = map { $_->{name} => $_->{value} } map { @{ $_->{fields} } }
		($as{$role}->get("$list?status=trash")->forms, $as{$role}->get('/me')->forms);
	for (my $i = 0; $i < @$sent; $i += 2) {
		$sent->[$i + 1] = $own{token} if $sent->[$i] eq 'token';
	}
	is $as{$role}->post($list, $sent)->status, 403, "a $role destroys nothing";
	next if $role =~ /reviewer|editor/;
	$sent->[-2] = $_, is $as{$role}->post($list, $sent)->status, 403, "nor by $_"
		for qw(publish unpublish trash restore nothing);
}
is statuses(), 'd1 d10', 'nothing was done';

# ---- nothing chosen, too many, another's
my $page = choose($as{editor}, 'Move to trash', $list);
is $page->status, 422, 'with nothing chosen it is refused';
like $page->summary, qr/Choose articles first/, 'and says why';
my ($form, $sent) = $as{editor}->get($list)->sends('Move to trash', 'Article 1' => 1);
$page = $as{editor}->post($list, [@$sent, map { (chosen => Galley::Console::uuid()) } 1 .. 200]);
is $page->status, 422, 'more than 200 are refused';
(undef, $sent) = $as{editor}->get($list)->sends('Move to trash');
$page = $as{editor}->post($list, [@$sent, chosen => $foreign, chosen => 'x', chosen => $ids[0],
	chosen => $ids[0]]);
is $page->status, 303, 'what can be done is done';
$page = $page->landed;
like $page->notice, qr/^1 article was moved to the trash\. ?Article 1 ?1 was not: ?$foreign \x{2013} It is not there any more\./,
	'and what cannot be done is named, with its reason';
unlike $page->text, qr/Foreign/, 'nothing of another workspace is told';
is $galley->must(qw(article show), $foreign)->{status}, 'draft', 'or done';
is statuses(), 'd2 d9', 'the other one was done';

{
	my ($form, $sent) = $as{editor}->get($list)->sends('Unpublish', 'Article 5' => 1);
	my %long = map { $_ => 1 } qw(search language tag status order many);
	for (my $i = 0; $i < @$sent; $i += 2) {
		$sent->[$i + 1] = "\"<b>%\x{e9}" x 100_000 if $long{ $sent->[$i] };
	}
	is $as{editor}->post($list, [map { utf8::encode(my $x = $_); $x } @$sent])->status, 422,
		'a list that was asked for in a million characters';
}

# ---- to the trash and back
$page = choose($as{editor}, 'Move to trash', "$list?order=oldest&search=article",
	'Article 2', 'Article 3');
is $page->status, 303, 'a draft takes nothing from readers: nobody is asked';
my $landed = $page->landed;
like $landed->notice, qr/^2 articles were moved to the trash\. ?Article 2 ?Article 3 ?Open the trash ?Undo$/,
	'the answer names act and articles, where they are, and the way back';
is $landed->value('Find in articles'), 'article', 'the list is the same';
$landed = $landed->follow('Open the trash');
is statuses(), 'd4 d7', 'four are there';
$page = choose($as{reviewer}, 'Restore', "$list?status=trash&chosen=all")->landed;
like $page->notice, qr/^4 articles were restored from the trash, as drafts\./, 'all are restored';
is statuses(), 'd11', 'as drafts';

# ---- publishing shows first what fails
$page = choose($as{reviewer}, 'Publish', $list, 'Article 1', 'Article 2', 'Unfinished <&>');
is $page->status, 200, 'a page is shown first';
is $page->heading, 'Publish 2 articles?', 'with how many';
like $page->text, qr/Readers can open them.*Article 1.*1 will be left.*Unfinished <&> . 1 place is left/s,
	'what fails and what is left';
is statuses(), 'd11', 'nothing is published yet';
my ($old, $old_sent) = $page->sends('Publish 2 articles');
$as{editor}->get("$list/$ids[1]")->press('Save', Text => 'Changed meanwhile.');
my $stale = $as{reviewer}->post($old->{action}, $old_sent, whole => 1);
is $stale->status, 409, 'what was changed since is not published';
like $stale->summary, qr/changed since this page was shown/, 'and it says why';
is statuses(), 'd11', 'none of them';
($form, $sent) = $stale->sends('Publish 2 articles');
$page = $as{reviewer}->post($form->{action}, $sent, whole => 1);
is $page->status, 303, 'looked at again, it is done';
my $answer = $page->landed;
like $answer->notice, qr/^2 articles were published\. ?Article 2 ?Article 1 ?1 was not: ?Unfinished <&> . 1 place is left to write\. ?Undo$/,
	'and told';
is statuses(), 'd9 p2', 'two are published';
my $again = $as{reviewer}->post($form->{action}, $sent, whole => 1);
is $again->status, 303, 'the same form again leads to the list';
is $again->landed->notice, $answer->notice, 'with the same answer';
unlike $as{editor}->request('GET', $page->header('location'), whole => 1)->text, qr/were published/,
	'which nobody else gets';
is $galley->sql('SELECT max(version) AS n FROM article')->[0]{n}, 1, 'and publishes nothing twice';
$page = choose($as{reviewer}, 'Publish', $list, 'Article 1');
is $page->heading, 'Nothing of this can be done', 'what is published is left';
like $page->text, qr/1 will be left.*published as it is already/s, 'with the reason';
ok !(grep { $_->{label} =~ /^Publish/ } map { @{ $_->{buttons} } } $page->forms), 'and no button';

# ---- unpublishing asks, and has a way back
sub facts {
	return join ' ', map { "$_->{status}/$_->{version}/$_->{modified_at}/$_->{edition_id}/"
		. ($_->{changed_at} > 0 ? 'told' : 'not') } @{ $galley->sql('SELECT status, version, modified_at,'
		. ' edition_id, changed_at FROM article WHERE version > 0 ORDER BY uuid') };
}
# A working copy that readers did not see yet, and another slug.
$as{editor}->get("$list/$ids[1]")->press('Save', Text => 'Not to be public.', Slug => 'another-slug');
my $shown = facts();
$page = choose($as{reviewer}, 'Unpublish', $list, 'Article 1', 'Article 2', 'Article 3');
is $page->status, 200, 'Unpublish asks first';
is $page->heading, 'Unpublish 2 articles?', 'with how many';
like $page->text, qr/Readers cannot open them any more.*Article 2 ?Article 1.*1 will be left.*Article 3 . It is not published/s,
	'what readers will see, which articles, and what is left';
is statuses(), 'd9 p2', 'nothing is done yet';
is $page->follow('Leave them')->heading, 'Articles', 'a link leaves them';
$answer = $page->press('Unpublish 2 articles');
like $answer->notice, qr/^2 articles were unpublished\. ?Article 2 ?Article 1 ?1 was not: ?Article 3 . It is not published\. ?Undo$/,
	'the answer names the act, the articles and the reason';
is statuses(), 'd11', 'it is done';
my $undone = $answer->press('Undo');
like $undone->notice, qr/^2 articles are published again\. ?Article 2 ?Article 1$/, 'Undo publishes them again';
is facts(), $shown, 'with the same editions and dates';
is $galley->sql("SELECT count(*) AS n FROM article WHERE version > 0 AND digest <> edition_of")->[0]{n}, 1,
	'and what was not public yet is not';
is $galley->must(qw(article show), $ids[1])->{slug}, 'another-slug', 'the working copy is as it was';
$galley->must('verify');
is $answer->press('Undo')->notice, $undone->notice, 'sent again it has the same answer';
is facts(), $shown, 'and does nothing';

# What somebody changed since is left, and named.
$answer = choose($as{reviewer}, 'Unpublish', $list, 'Article 1', 'Article 2')->press('Unpublish 2 articles');
$as{editor}->get("$list/$ids[0]")->press('Save', Text => 'Changed since.');
like $answer->press('Undo')->notice,
	qr/^1 article is published again\. ?Article 2 ?1 was not: ?Article 1 . Somebody changed it since\.$/,
	'what was changed since is left';
is statuses(), 'd10 p1', 'the other is published';
# So is one whose slug was taken meanwhile.
$answer = choose($as{reviewer}, 'Unpublish', $list, 'Article 2')->press('Unpublish 1 article');
$as{editor}->get("$list/$ids[7]")->press('Save', Slug => 'text-0002');
like $answer->press('Undo')->notice, qr/^0 articles are published again\. ?1 was not: ?Article 2 . .*text-0002/,
	'and one whose address another article has by now';
$as{editor}->get("$list/$ids[7]")->press('Save', Slug => 'article-8');

# A look that is old is no consent.
choose($as{reviewer}, 'Publish', $list, 'Article 2')->press('Publish 1 article');
$page = choose($as{reviewer}, 'Unpublish', $list, 'Article 2', 'Article 4');
choose($as{reviewer}, 'Publish', $list, 'Article 4')->press('Publish 1 article');
$stale = $page->submit('Unpublish 1 article');
is $stale->status, 409, 'what was published since is not unpublished';
is $stale->heading, 'Unpublish 2 articles?', 'but asked about';
like $stale->summary, qr/nothing was done/, 'with the reason';
is statuses(), 'd9 p2', 'nothing is done';
$answer = $stale->press('Unpublish 2 articles');
$galley->sql('UPDATE form SET created_at = created_at - 90000000000');
$page = $answer->submit('Undo');
is $page->status, 422, 'after a day it cannot be undone';
like $page->summary, qr/more than a day ago/, 'and that is said';
unlike $page->browser->request('GET', $answer->{address}, whole => 1)->text, qr/unpublished/, 'the answer is gone';
is statuses(), 'd11', 'nothing is done';

# Published ones ask before they go to the trash, and come back as they were.
choose($as{reviewer}, 'Publish', $list, 'Article 1')->press('Publish 1 article');
$shown = facts();
$page = choose($as{reviewer}, 'Move to trash', $list, 'Article 1', 'Article 3');
is $page->heading, 'Move 2 articles to the trash?', 'what readers have is asked about';
like $page->text, qr/1 of them is published/, 'with how many that are';
$answer = $page->press('Move 2 articles to the trash');
is statuses(), 'd2 d9', 'done';
like $answer->press('Undo')->notice, qr/^2 articles are out of the trash again\./, 'Undo takes both out';
is statuses(), 'd10 p1', 'the published one is published';
is facts(), $shown, 'as it was';

# What was public before is not undone: readers would lose it.
$as{editor}->get("$list/$ids[0]")->press('Save', Text => 'A new wording.');
$answer = choose($as{reviewer}, 'Publish', $list, 'Article 1', 'Article 4')->press('Publish 2 articles');
like $answer->notice, qr/1 was published before: its History/, 'what was public before is named';
like $answer->press('Undo')->notice, qr/^1 article is a draft again\. ?Article 4$/, 'the other is taken back';
is statuses(), 'd10 p1', 'and readers lose nothing';
choose($as{reviewer}, 'Unpublish', $list, 'Article 1')->press('Unpublish 1 article');

# A restore is taken back, and twenty and more are counted.
choose($as{editor}, 'Move to trash', $list, 'Article 1');
like choose($as{editor}, 'Restore', "$list?status=trash&chosen=all")->landed->press('Undo')->notice,
	qr/^1 article is in the trash again\./, 'a restore is taken back';
choose($as{editor}, 'Restore', "$list?status=trash&chosen=all");
{
	my @more = $galley->import_text($workspace, map { "# More $_\n\nText.\n" } 1 .. 22);
	my $asked = choose($as{editor}, 'Unpublish', "$list?many=1&search=more&chosen=all");
	is $asked->heading, 'Unpublish 22 articles?', 'all that are chosen are counted';
	is scalar(() = $asked->text =~ /More \d/g), 20, 'twenty are named';
	like $asked->text, qr/and 2 others/, 'and the others counted';
	my $told = $asked->press('Unpublish 22 articles');
	like $told->notice, qr/^22 articles were unpublished\.(?: ?More \d+){5} ?and 17 others ?Undo$/, 'so in the answer';
	is $told->press('Undo')->notice =~ /^22 articles are published again/, 1, 'all come back';
	$galley->must(qw(article delete), $_), $galley->must(qw(article purge --yes), $_) for @more;
}
is statuses(), 'd11', 'all are drafts again';
# Who lost the right, or is another, undoes nothing.
$answer = choose($as{reviewer}, 'Move to trash', $list, 'Article 5')->landed;
{
	my ($form, $sent) = $answer->sends('Undo');
	my %own = map { $_->{name} => $_->{value} } map { @{ $_->{fields} } } $as{editor}->get($list)->form('acts');
	for (my $i = 0; $i < @$sent; $i += 2) {
		$sent->[$i + 1] = $own{ $sent->[$i] } if $sent->[$i] =~ /^(?:token|number)$/;
	}
	is $as{editor}->post($form->{action}, $sent, whole => 1)->status, 422, "another's act is not undone";
	$console->sql("UPDATE membership SET may_publish = 0 WHERE person_id = $as{reviewer}{person}{id}");
	is $answer->submit('Undo')->status, 403, 'nor without the right';
	$console->sql("UPDATE membership SET may_publish = 1 WHERE person_id = $as{reviewer}{person}{id}");
	is statuses(), 'd1 d10', 'nothing is done';
	$answer->press('Undo');
}
is statuses(), 'd11', 'with it, it is';

# ---- killed anywhere: all or nothing
for my $point (qw(db-begun db-before-commit db-after-commit before-answer)) {
	my ($form, $sent) = $as{editor}->get($list)->sends('Move to trash',
		map { ("Article $_" => 1) } 1 .. 6);
	$as{editor}{env} = { GALLEY_FAULT => "$point:1:kill" };
	eval { $as{editor}->post($form->{action}, $sent, whole => 1) };
	$as{editor}{env} = {};
	like statuses(), qr/^(?:d11|d6 d5)$/, "killed at $point: all or nothing";
	is $as{editor}->post($form->{action}, $sent, whole => 1)->status, 303, 'sent again it is done';
	is statuses(), 'd6 d5', 'once';
	choose($as{editor}, 'Restore', "$list?status=trash&chosen=all");
}
is statuses(), 'd11', 'all are drafts again';

# ---- for good
choose($as{owner}, 'Move to trash', $list, map { "Article $_" } 1 .. 4);
my $late = $console->as($console->person(role => 'owner', workspace => $workspace), proved => 700);
$page = choose($late, 'Delete for good', "$list?status=trash", 'Article 1');
is $page->heading, 'Is it you?', 'deleting for good needs a fresh proof';
is statuses(), 'd4 d7', 'nothing is done yet';
$page = choose($as{owner}, 'Delete for good', "$list?status=trash", 'Article 1', 'Article 2');
is $page->heading, 'Delete 2 articles for good?', 'with it, it is asked about';
like $page->text, qr/cannot be undone.*Article 2 ?Article 1/s, 'with what is lost';
is statuses(), 'd4 d7', 'nothing is done yet';
{
	my ($one) = map { $_->{uuid} } @{ $galley->sql("SELECT uuid FROM article WHERE title = 'Article 2'") };
	my $trash = $as{editor}->get("$list/$one");
	$trash->press('Restore');
	$as{editor}->get("$list/$one")->press('Save', Text => 'Another text, which nobody saw before the press.');
	choose($as{editor}, 'Move to trash', $list, 'Article 2');
	my $pressed = $page->submit('Delete 2 articles for good');
	is $pressed->status, 409, 'an article that was edited meanwhile is not deleted unseen';
	is statuses(), 'd4 d7', 'nothing is done';
	$page = $pressed;
}
is $page->press('Delete 2 articles for good')->notice, '2 articles were deleted for good.', 'then they are deleted';
is statuses(), 'd2 d7', 'for good';
my $log = do { open my $f, '<', $galley->home . '/log/operator.log' or die; local $/; <$f> };
like $log, qr/article purge $ids[0]/, 'each is in the journal';
my %said;
push @{ $said{"$1 $3"} }, $2 while $log =~ /console\[\d+\] (\S+) .* article ([a-z]+) (\S{36})/g;
my %together = map { join(' ', @$_) => 1 } grep { @$_ > 1 } values %said;
is_deeply [sort keys %together], ['undelete publish'], 'and a press is told once for each article, or with what it needs';

done_testing;
