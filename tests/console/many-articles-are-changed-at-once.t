#!/usr/bin/perl
# Acts on many articles (docs/console.md §4.3): one transaction does all of them or none; what
# cannot be done with an article is listed with its reason, and is done with the others. Who may
# not do it sees no button, and is refused.
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
is $page->status, 200, 'what cannot be done is listed';
like $page->text, qr/1 article was changed.*It is not there any more.*Article 1/s, 'with its reason';
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
is $page->status, 303, 'all done: the list';
my $landed = $page->landed;
is $landed->notice, 'The chosen articles were moved to the trash. Open the trash',
	'a notice says so, and where they are';
is $landed->value('Search'), 'article', 'the list is the same';
$landed = $landed->follow('Open the trash');
is statuses(), 'd4 d7', 'four are there';
$page = choose($as{reviewer}, 'Restore', "$list?status=trash&chosen=all")->landed;
is $page->notice, 'The chosen articles were restored from the trash, as drafts.', 'all are restored';
is statuses(), 'd11', 'as drafts';

# ---- publishing shows first what fails
$page = choose($as{reviewer}, 'Publish', $list, 'Article 1', 'Article 2', 'Unfinished <&>');
is $page->status, 200, 'a page is shown first';
is $page->heading, 'Publish', 'with its heading';
like $page->text, qr/Will be published.*Article 1.*Will be left.*Unfinished <&> . 1 place is left/s,
	'what fails and what is left';
is statuses(), 'd11', 'nothing is published yet';
my ($old, $old_sent) = $page->sends('Publish');
$as{editor}->get("$list/$ids[1]")->press('Save', Text => 'Changed meanwhile.');
my $stale = $as{reviewer}->post($old->{action}, $old_sent, whole => 1);
is $stale->status, 409, 'what was changed since is not published';
like $stale->summary, qr/changed since this page was shown/, 'and it says why';
is statuses(), 'd11', 'none of them';
($form, $sent) = $stale->sends('Publish');
$page = $as{reviewer}->post($form->{action}, $sent, whole => 1);
is $page->status, 200, 'looked at again, it is done';
like $page->text, qr/2 articles were changed.*Not done.*Unfinished.*Done.*Article 1/s, 'and told';
is statuses(), 'd9 p2', 'two are published';
my $again = $as{reviewer}->post($form->{action}, $sent, whole => 1);
is $again->status, 303, 'the same form again leads to the list';
is $galley->sql('SELECT max(version) AS n FROM article')->[0]{n}, 1, 'and publishes nothing twice';
$page = choose($as{reviewer}, 'Publish', $list, 'Article 1');
like $page->text, qr/Will be left.*published as it is already/s, 'what is published is left';
ok !(grep { $_->{label} eq 'Publish' } map { @{ $_->{buttons} } } $page->forms), 'with no button';
$page = choose($as{reviewer}, 'Unpublish', $list, 'Article 1', 'Article 2', 'Article 3');
like $page->text, qr/Article 3 . It is not published/, 'what is no draft cannot be unpublished';
is statuses(), 'd11', 'the others are';

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
is $page->landed->notice, 'The chosen articles were deleted for good.', 'with it they are deleted';
is statuses(), 'd2 d7', 'for good';
my $log = do { open my $f, '<', $galley->home . '/log/operator.log' or die; local $/; <$f> };
like $log, qr/article purge $ids[0]/, 'each is in the journal';

done_testing;
