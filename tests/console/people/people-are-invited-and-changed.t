#!/usr/bin/perl
# The screens of people: who manages a place invites, changes roles, ends memberships; acts on a
# person belong to who manages all accounts of that person; nobody gives more than they have;
# the last manager stays; nobody sees people of another customer.
#
use strict;
use warnings;
use utf8;

use Test::More;

use lib 'tests/lib';
use Galley::Console;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);
my $console = Galley::Console->new;
my $galley = $console->galley;
my $account = $galley->account;
my $workspace = $galley->workspace(name => 'First', account => $account);
my $second = $galley->workspace(name => 'Second', account => $account);
my $other = $galley->workspace(name => 'Other');
my $olga = $console->person(name => 'Olga', email => 'olga@example.org', role => 'owner',
	account => $account);
my $owner = $console->as($olga);
my $people = "/$account/people";

sub rights_of {
	my ($email) = @_;
	return [map { join ' ', $_->{place}, @{$_}{qw(may_write may_publish may_manage)},
		defined $_->{begun_at} ? 'begun' : 'invited' } @{ $console->sql('SELECT m.*'
		. ' FROM membership m JOIN person p ON p.id = m.person_id WHERE p.login = '
		. Galley::Console::quoted(lc $email) . ' ORDER BY m.id') }];
}
sub person_of { return $console->sql('SELECT * FROM person WHERE login = '
	. Galley::Console::quoted(lc $_[0]))->[0] }
sub link_of { return $_[0]->body =~ m{(https://galley\.example/console/(?:invite|reset)/ab_\w+)} ? $1 : undef }
sub buttons { return map { $_->{label} } map { @{ $_->{buttons} } } $_[0]->forms }
# The row of a person in a list leads to the page of the membership.
sub page_of {
	my ($browser, $list, $name) = @_;
	my ($found) = grep { $_->[0] eq $name && $_->[1] =~ m{^/console\Q$list\E/} }
		$browser->get($list)->links;
	return $found && $browser->get($found->[1], whole => 1);
}

# ---- the list and an invitation
my $page = $owner->get($people);
is $page->status, 200, 'the people of an account are a page';
is $page->heading, 'People', 'with its heading';
like $page->text, qr/Olga.*olga\@example\.org.*Owner.*Active/, 'which names them';
$page = $owner->get("/$workspace/people");
is $page->status, 200, 'so are those of a workspace';
$page = $page->follow('People of the whole account');
is $page->{address}, "/console$people", 'which lead to those of the account';

for my $case (
	['no address', 'E-mail', qr/filled in/, 'E-mail' => ''],
	['no e-mail address', 'E-mail', qr/./, 'E-mail' => 'nobody'],
	['no name', 'Name', qr/filled in/, Name => ''],
	['a name that is too long', 'Name', qr/too long/, Name => 'x' x 201],
	(map { [sprintf('the invisible name %vX', $_), 'Name', qr/a visible character/, Name => $_] } "\x{A0}",
		"\x{2028}", "\x{E0001}", "\x{3164}", "\x{2800}", "\x{200B}", "\x{200D}", "\x{301}",
		"Dana\x{E0041}", "Dana\x{200B}", "Dana\x{2028}B"),
	['a member', 'E-mail', qr/is a member already/, 'E-mail' => 'OLGA@example.org'],
) {
	my ($name, $field, $error, @typed) = @$case;
	my $refused = $page->browser->get($people)->press('Invite', 'E-mail' => 'new@example.org',
		Name => 'New', Role => 'writer', @typed);
	ok $refused->status == 422 || $refused->status == 409, "$name: refused";
	like $refused->error($field) // '', $error, "$name: beside the field";
}
is person_of('new@example.org'), undef, 'none of these was made';
for my $name ("Dana\x{A0}B", "\x{646}\x{6CC}\x{645}\x{200C}\x{641}\x{627}", '&', "\x{1F9E1}", '7') {
	is $owner->get($people)->press('Invite', 'E-mail' => 'new@example.org', Name => $name,
		Role => 'writer')->status, 200, sprintf 'the name %vX is one', $name;
}
$galley->must(qw(person remove --erase new@example.org));

my $nasty = qq{<b>Ünï</b> & "x"};
my ($form, $sent) = $page->sends('Invite', 'E-mail' => 'Nina@Example.org', Name => $nasty,
	Role => 'writer');
my $made = $owner->post($form->{action}, [@$sent], whole => 1);
is $made->status, 200, 'an invitation shows its link';
my $link = link_of($made);
like $link // '', qr{/console/invite/ab_invite_\w{40}$}, 'which is a link';
is_deeply rights_of('nina@example.org'), ["$account 1 0 0 invited"], 'it is an invitation';
my $again = $owner->post($form->{action}, [@$sent], whole => 1);
is $again->status, 200, 'the same form again is answered';
is link_of($again), undef, 'without the link';
$page = $owner->get($people);
like $page->text, qr{\Q$nasty\E.*Nina\@Example\.org.*Writer.*Invited}, 'the list says invited';

# ---- an invitation tells nobody who is known
my $known = $console->person(name => 'Known Person', email => 'known@example.org', role => 'owner',
	workspace => $other);
my $invited = $page->browser->get($people)->press('Invite', 'E-mail' => 'known@example.org',
	Name => 'Typed', Role => 'editor');
is $invited->status, 200, 'a known person is invited with the same words';
is $invited->heading, $made->heading, 'on the same page';
$page = $owner->get($people);
like $page->text, qr/Typed/, 'the typed name is shown';
unlike $page->text, qr/Known Person/, 'and not the real one';
my @of_new = buttons(page_of($owner, $people, $nasty));
is_deeply [buttons(page_of($owner, $people, 'Typed'))], \@of_new,
	'both have the same buttons';
ok !(grep { /Reset|Disable|Remove|End sessions/ } @of_new), 'none acts on the person';

# ---- invite again, change the role, end
my $member = page_of($owner, $people, $nasty);
is $member->heading, $nasty, 'the page of a member';
my $newer = $member->press('Invite again');
is $newer->status, 200, 'invited again';
isnt link_of($newer), $link, 'with another link';
is $member->submit('Change role', Role => 'editor')->status, 303, 'the role is changed';
is_deeply rights_of('nina@example.org'), ["$account 1 1 0 invited"], 'as it was said';
$member = page_of($owner, $people, 'Typed');
my $asked = $member->asked('End membership');
is $asked->heading, 'End this membership?', '"End membership" asks';
like $asked->text, qr/Typed \S+ \S.* ?The link in the invitation no longer works/, '  names it and says what will happen';
is $asked->link('Leave it as it is'), $member->{address}, '  and leads back';
my ($end, $fields) = $asked->sends('End membership');
my $over = $owner->post($end->{action}, [@$fields], whole => 1);
is $over->status, 303, 'a membership ends';
is_deeply rights_of('known@example.org'), ["$other 1 1 1 begun"], 'and no other one';
my $same = $owner->post($end->{action}, [@$fields], whole => 1);
is $same->status, 303, 'the same form again has the same answer';
is $same->header('location'), $over->header('location'), 'and says the same';

# ---- acts on a person
my $mia = $console->person(name => 'Mia', email => 'mia@example.org', role => 'writer',
	workspace => $workspace);
$console->sql("UPDATE person SET password = 'x' WHERE id IN ($mia->{id}, $olga->{id})");
my $of_mia = sub { page_of($owner, $people, $_[0] // 'Mia') };
my $reset = $of_mia->()->press('Reset');
is $reset->status, 200, 'a reset shows its link';
like link_of($reset) // '', qr{/console/reset/ab_reset_}, 'which is one';
my $session = $console->as($mia);
is $session->get('/')->status, 200, 'Mia is signed in';
is $of_mia->()->submit('End sessions')->status, 303, 'her sessions end';
is $session->request('GET', '/')->status, 303, 'and she is not';
my $wrong = $of_mia->()->press('Change', 'E-mail' => 'olga@example.org');
is $wrong->status, 409, 'an address that somebody has is refused';
is $of_mia->()->submit('Change', 'E-mail' => 'mia2@example.org', Name => 'Mia Two')->status, 303,
	'name and address change';
is person_of('mia2@example.org')->{name}, 'Mia Two', 'as was said';
like $of_mia->('Mia Two')->asked('Disable')->text, qr/Mia Two ?The person cannot sign in any more.*Enable/,
	'"Disable" says what will happen';
is $of_mia->('Mia Two')->submit('Disable')->status, 303, 'she is disabled';
ok person_of('mia2@example.org')->{disabled_at}, 'so she is';
like $owner->get($people)->text, qr/Mia Two.*Disabled/, 'the list says so';
is $of_mia->('Mia Two')->submit('Enable')->status, 303, 'and enabled';
ok !person_of('mia2@example.org')->{disabled_at}, 'again';
like $of_mia->('Mia Two')->asked('Remove')->text, qr/Mia Two ?All memberships.*cannot be undone/, '"Remove", too';
is $of_mia->('Mia Two')->submit('Remove')->status, 303, 'she is removed';
is_deeply rights_of('mia2@example.org'), [], 'and a member of nothing';
is $of_mia->('Mia Two'), undef, 'nor in the list';

# Of somebody who is a member elsewhere, too, this account ends its own membership alone.
my $both = $console->person(name => 'Both', email => 'both@example.org', role => 'writer',
	workspace => $workspace);
$console->member($both, role => 'writer', workspace => $other);
$member = page_of($owner, $people, 'Both');
is_deeply [sort { $a cmp $b } grep { $_ ne 'Sign out' } buttons($member)],
	['Change role'], 'a member of two customers is not acted on';
is $member->asked($_), undef, "  nor has a way to $_" for 'Disable', 'Remove';
is $owner->get(($member->{address} =~ s{^/console}{}r) . "/$_")->status, 403, "  nor a question to $_" for 'disable', 'remove';
like $member->asked('End membership')->text, qr/cannot open this place any more.*invited again/, '  a membership ends';
my $forged = $owner->post("$people/" . ($member->{address} =~ m{([^/]+)$})[0] . '/disable',
	[map { $_->{name}, $_->{value} } grep { $_->{name} =~ /^(?:token|number)$/ }
		@{ $member->form('Change role')->{fields} }]);
ok $forged->status == 403 || $forged->status == 409, 'nor by a form that is not there';
ok !person_of('both@example.org')->{disabled_at}, 'and is not disabled';

# ---- the last manager
my $own = page_of($owner, $people, 'Olga');
my $last = $own->press('Change role', Role => 'writer');
is $last->status, 409, 'the last manager keeps the role';
like $last->summary, qr/last person who manages/, 'and is told why';
my $stays = page_of($owner, $people, 'Olga')->press('End membership');
is $stays->status, 409, 'and stays';
like $stays->summary, qr/last person who manages/, 'and is told why';
like $stays->text, qr/You cannot open this place any more/, 'beside what it would do';
is_deeply rights_of('olga@example.org'), ["$account 1 1 1 begun"], 'with all rights';

# ---- who ends the own membership is led to a page that is there
my $two = $console->person(name => 'Second', email => 'second@example.org', role => 'owner', account => $account);
my $leaving = $console->as($two);
my $home = page_of($leaving, $people, 'Second')->press('End membership');
is $home->status, 200, 'the own membership ends';
is $home->notice, 'Ended.', 'and the page says so';
is $leaving->get($people)->status, 404, 'as the place may not be opened any more';

# ---- nobody gives more than they have; a workspace is not its account
my $walt = $console->person(name => 'Walt', email => 'walt@example.org', role => 'owner',
	workspace => $workspace);
my $local = $console->as($walt);
$page = $local->get("/$workspace/people");
is $page->status, 200, 'who manages a workspace sees its people';
is $local->get($people)->status, 404, 'and not those of the account';
is_deeply [grep { $_ ne 'Sign out' } buttons(page_of($local, "/$workspace/people", 'Olga'))], [],
	'nothing is offered for who manages the account';
my $limited = $console->person(name => 'Lim', role => 'reader', workspace => $workspace);
$console->sql("UPDATE membership SET may_manage = 1 WHERE person_id = $limited->{id}");
my $lim = $console->as($limited);
$page = $lim->get("/$workspace/people");
is $page->link('People of the whole account'), undef, 'nor leads to the account';
is $page->field('Role'), undef, 'who may only manage gives none of the roles';
is $lim->get("/$second/people")->status, 404, 'nor in another workspace';

# ---- a link begins all that is open in an account, so who makes it may give all of that
my $small = $console->as($console->person(name => 'Small', role => 'owner',
	workspace => $workspace));
is $owner->get($people)->press('Invite', 'E-mail' => 'chief@example.org', Name => 'Chief',
	Role => 'owner')->status, 200, 'an owner of the account is invited';
$made = $small->get("/$workspace/people")->press('Invite', 'E-mail' => 'chief@example.org',
	Name => 'Chief', Role => 'writer');
is link_of($made), undef, 'who manages one workspace gets no link for that person';
is $made->status, 403, 'and is refused';
is_deeply rights_of('chief@example.org'), ["$account 1 1 1 invited"], 'nothing changed';
$made = $owner->get("/$workspace/people")->press('Invite', 'E-mail' => 'low@example.org',
	Name => 'Low', Role => 'writer');
$made = page_of($small, "/$workspace/people", 'Low')->press('Invite again');
$link = link_of($made);
ok $link, 'of a writer of that workspace there is one';
$galley->must(qw(person set low@example.org --role owner --account), $account);
is $console->browser->get($link =~ s{.*/console}{}r)->status, 410,
	'which is over as soon as the person is invited to more';
$link = link_of(page_of($small, "/$workspace/people", 'Low')->press('Invite again'));
is $link, undef, 'and there is no other';

# ---- who has not proved lately who they are is asked
my $stale = $console->as($olga, proved => 3600);
is $stale->get($people)->press('Invite', 'E-mail' => 'later@example.org', Name => 'Later',
	Role => 'writer')->heading, 'Is it you?', 'an invitation asks';
is person_of('later@example.org'), undef, 'and waits';
for my $button ('Change role', 'End membership') {
	is page_of($stale, $people, 'Both')->press($button)->heading, 'Is it you?', "$button asks";
}
is_deeply rights_of('both@example.org'), ["$workspace 1 0 0 begun", "$other 1 0 0 begun"],
	'and waits';

# ---- others
my $stranger = $console->as($known);
is $stranger->get($people)->status, 404, 'people of another customer are not there';
is $stranger->get("/$workspace/people")->status, 404, 'neither are those of a workspace';
my ($id) = page_of($owner, $people, 'Olga')->{address} =~ m{([^/]+)$};
is $stranger->get("/$other/people/$id")->status, 404, 'nor a member by an own address';
for my $role (qw(writer reviewer editor reader)) {
	my $as = $console->as($console->person(role => $role, workspace => $workspace));
	is $as->get("/$workspace/people")->status, 403, "$role: no people";
}
# The last act in this account, for who manages it; the last sign-in for operators alone. An
# invitation tells nothing of who is known.
my @past = (person_of('olga@example.org')->{uuid}, person_of('both@example.org')->{uuid},
	person_of('chief@example.org')->{uuid});
my ($foreign) = $console->sql("SELECT account FROM membership WHERE place = '$other'")->[0]{account};
for (
	['operator', "c[1] r person=$past[0] account=$account key create x", 2],
	['operator', "c[1] r person=$past[1] account=$foreign key create x", 3],
	['operator', "c[1] r person=$past[2] account=$account key create x", 4],
	['operator', "c[1] r person=$past[1] account=$account key create x", 1],
	['sign-in', "sign-in person=$past[0] address=192.0.2.1", 5],
	['sign-in', "wrong-password person=$past[0] address=192.0.2.1", 6],
	['sign-in', "sign-in person=$past[2] address=192.0.2.1", 7],
) {
	my ($log, $text, $day) = @$_;
	open my $out, '>>', $galley->home . "/log/$log.log" or die;
	print $out "2099-01-0${day}T10:11:12.000000Z $text\n";
	close $out;
}
$page = $owner->get($people);
my $text = $page->text;
like $text, qr/State ?Last act ?O ?Olga/, 'the list has the last act, and no sign-in';
like $text, qr/State.*?Olga.*?Active ?2 Jan 2099, 10:11/, 'of a member in this account';
like $text, qr/Both.*?Active ?1 Jan 2099, 10:11/, 'and not in another one';
unlike $text, qr/[3-7] Jan 2099/, 'nor of who is only invited';
$page = $console->as($console->person(role => 'operator'))->get($people);
is $page->status, 200, 'an operator sees them';
like $page->text, qr/Last act ?Last sign-in ?O ?Olga.*?2 Jan 2099, 10:11 ?5 Jan 2099, 10:11/,
	'and the last sign-in';
unlike $page->text, qr/[3467] Jan 2099/, 'of members only';
my $log = do { open my $f, '<', $galley->home . '/log/operator.log' or die; local $/; <$f> };
like $log, qr/person=$olga->{uuid} \S+ person disable $mia->{uuid}/, 'the journal names who';
unlike $log, qr/ab_invite_\w|ab_reset_\w/, 'and never a link';

# ---- who may not give any right any more

my $late = $console->person(role => 'owner', workspace => $workspace, name => 'Late');
$page = $console->as($late)->get("/$workspace/people");
$console->sql("UPDATE membership SET may_write = 0, may_publish = 0 WHERE person_id = $late->{id}");
$page = $page->press('Invite', 'E-mail' => 'none@example.org', Name => 'None');
is $page->status, 422, 'invites nobody';
like $page->text, qr/Something is wrong/, '  and hears why, though the form has gone';
is @{ $console->sql("SELECT id FROM membership WHERE invited_email = 'none\@example.org'") }, 0, '  and nobody is invited';
done_testing;
