#!/usr/bin/perl
# A link opens nothing that its maker may not open any more: the rule that allowed it is asked of
# the maker again when it is used (docs/console.md §2.6). A reset ends when a password is set, a
# membership begins or rises, or all sessions of the person end; what a manager made ends when the
# manager is removed, disabled or lowered, and People shows it.
# suite: fast twins
use strict;
use warnings;

use lib 'tests/lib';
use Galley::Console;
use Galley::Process qw(run_program);
use Test::More;

my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my $password = 'plum-cart-seven-windows';
my ($account, $elsewhere) = map { $galley->account } 1, 2;
my $w = $galley->workspace(account => $account);
my $w2 = $galley->workspace(account => $account);
my $foreign = $galley->workspace(account => $elsewhere);
my $people = "/$account/people";
my $olga = add('Olga', role => 'owner', account => $account);
my $owner = $console->as($olga);
my $number = 0;

# A person who has a password.
sub add {
	my ($name, %option) = @_;
	my $person = $console->person(name => $name, email => lc("$name\@example.org"), %option);
	$console->sql("UPDATE person SET password = 'x' WHERE id = $person->{id}");
	return $person;
}
# A fresh manager of the account, and a fresh writer of it.
sub pair {
	$number++;
	return (add("Mia$number", role => 'owner', account => $account),
		add("Wim$number", role => 'writer', workspace => $w));
}
# The path of the link that a page shows or the tool printed.
sub path_of {
	my ($from) = @_;
	my $text = ref $from eq 'HASH' ? $from->{link} : $from->body;
	return $text =~ m{https://galley\.example/console(/(?:invite|reset)/ab_\w+)} ? $1
		: die "no link: $text";
}
sub row_of {
	my ($browser, $name) = @_;
	my ($found) = grep { $_->[0] eq $name } $browser->get($people)->links;
	return $browser->get(($found // die "no $name")->[1], whole => 1);
}
sub reset_by { return path_of(row_of($console->as($_[0]), $_[1]{name})->press('Reset')) }
sub invite_by {
	my ($by, $email, $role) = @_;
	return path_of($console->as($by)->get($people)->press('Invite', 'E-mail' => $email,
		Name => 'New', Role => $role));
}
# A link that is over is so for who looks at it, and for a form that was loaded before.
sub over {
	my ($link, $form, $what) = @_;
	my $before = $console->sql('SELECT count(begun_at) AS n, (SELECT count(*) FROM session) AS s,'
		. ' (SELECT count(*) FROM link WHERE used_at IS NOT NULL) AS u FROM membership');
	my $sent = $form->submit('Continue', 'New password' => $password);
	is $sent->status, 410, "$what: the form that was loaded before is refused";
	is $sent->header('set-cookie'), undef, "$what: and signs nobody in";
	is $console->browser->get($link)->status, 410, "$what: the link is over";
	is_deeply $console->sql('SELECT count(begun_at) AS n, (SELECT count(*) FROM session) AS s,'
		. ' (SELECT count(*) FROM link WHERE used_at IS NOT NULL) AS u FROM membership'),
		$before, "$what: nothing was used, and nothing began";
}
sub loaded { return $console->browser->get($_[0]) }

# ---- a reset lives as long as its maker may reset the person

{
	my ($mia, $wim) = pair();
	my $link = reset_by($mia, $wim);
	my $page = loaded($link)->press('Continue', 'New password' => $password);
	is $page->heading, 'Home', 'a manager resets a member of the account';
	$console->sql("UPDATE person SET password = 'x' WHERE id = $wim->{id}");
}
# Rights that change without an act of ours, as an older program would: the rule alone decides.
for my $case (
	['the member is one of another account, too', sub {
		$console->member($_[1], role => 'writer', workspace => $foreign) }],
	['the member is an operator', sub { $console->member($_[1], role => 'operator') }],
	['the member may do more than the maker', sub {
		$console->sql("UPDATE membership SET may_publish = 0 WHERE person_id = $_[0]{id}");
		$console->sql("UPDATE membership SET may_publish = 1 WHERE person_id = $_[1]{id}") }],
	['the maker manages one workspace only', sub {
		$console->sql("UPDATE membership SET kind = 'workspace', place = '$w'"
			. " WHERE person_id = $_[0]{id}") }],
	['the maker is disabled', sub {
		$console->sql("UPDATE person SET disabled_at = 1 WHERE id = $_[0]{id}") }],
	['the maker is no member', sub {
		$console->sql("DELETE FROM membership WHERE person_id = $_[0]{id}") }],
) {
	my ($what, $change) = @$case;
	my ($mia, $wim) = pair();
	my $link = reset_by($mia, $wim);
	my $form = loaded($link);
	$change->($mia, $wim);
	over($link, $form, "reset, $what");
}

# The same through the doors that people use: the member joins another account, or is made more.
sub joins {
	my ($person, @place) = @_;
	$galley->must(qw(person set), $person->{email}, @place);
	my $link = path_of($galley->must(qw(person invite), $person->{email}));
	my $page = $console->as($person)->get($link);
	is $page->press('Continue', $page->field('New password')
		? ('New password' => $password) : ())->heading, 'Home', "$person->{name} joins";
}
for my $case (
	['joined another account', sub { joins($_[0], '--workspace', $foreign, qw(--role writer)) }],
	['became an operator', sub { joins($_[0], qw(--operator --role operator)) }],
	['joined another workspace', sub { joins($_[0], '--workspace', $w2, qw(--role writer)) }],
	['was given more rights', sub { $galley->must(qw(person set), $_[0]{email}, '--workspace', $w,
		qw(--role editor)) }],
	['was disabled, and enabled', sub { $galley->must('person', $_, $_[0]{email})
		for qw(disable enable) }],
	['was signed out by the tool', sub { $galley->must(qw(person sign-out), $_[0]{email}) }],
	['signed out everywhere', sub { $console->as($_[0])->get('/me')->press('Sign out everywhere') }],
) {
	my ($what, $change) = @$case;
	for my $maker ('a manager', 'the tool') {
		my ($mia, $wim) = pair();
		my $link = $maker eq 'the tool' ? path_of($galley->must(qw(person reset), $wim->{email}))
			: reset_by($mia, $wim);
		my $form = loaded($link);
		$change->($wim);
		over($link, $form, "reset by $maker, $what");
	}
}
# A password that the person sets.
{
	my ($mia, $wim) = pair();
	my $first = path_of($galley->must(qw(person reset), $wim->{email}));
	loaded($first)->press('Continue', 'New password' => $password);
	my $link = reset_by($mia, $wim);
	my $form = loaded($link);
	my $own = $console->browser;
	$own->post('/sign-in', [email => $wim->{email}, password => $password]);
	is $own->get('/me')->press('Change password', 'Present password' => $password,
		'New password' => 'pear-barn-eleven-doors')->status, 200, 'an own new password';
	over($link, $form, 'reset, the person set a password');
}
# Start's code: the operator is reset, and a link that somebody made before is over.
{
	my $otto = add('Otto', role => 'operator');
	my $link = path_of($galley->must(qw(person reset otto@example.org)));
	my $form = loaded($link);
	my $start = $console->browser;
	$start->get('/start')->press('Make a code');
	my $code = Galley::slurp($galley->home . '/run/console/code.txt') =~ s/\s//gr;
	is $start->get('/start')->press('Continue', Code => $code)->press('Continue',
		Operator => "Otto (otto\@example.org)", 'New password' => $password)->heading, 'Home',
		'the code resets the operator';
	over($link, $form, "reset, Start's code");
	$console->sql("DELETE FROM membership WHERE person_id = $otto->{id}");
}

# ---- what a manager made ends with the manager

for my $case (
	['removed', sub { row_of($owner, $_[0]{name})->press('Remove') }],
	['no member', sub { row_of($owner, $_[0]{name})->press('End membership') }],
	['disabled', sub { row_of($owner, $_[0]{name})->press('Disable') }],
	['lowered', sub { row_of($owner, $_[0]{name})->press('Change role', Role => 'editor') }],
) {
	my ($what, $act) = @$case;
	my ($mia, $wim) = pair();
	my %link = (invitation => invite_by($mia, "back$number\@example.org", 'owner'),
		reset => reset_by($mia, $wim));
	my %form = map { $_ => loaded($link{$_}) } keys %link;
	my $kept = invite_by($olga, "kept$number\@example.org", 'writer');
	invite_by($mia, "else$number\@example.org", 'writer');
	$console->sql("UPDATE membership SET account = '$elsewhere', place = '$foreign' WHERE person_id ="
		. " (SELECT id FROM person WHERE email = 'else$number\@example.org')");
	my $page = row_of($owner, $mia->{name});
	unlike $page->text, qr/else$number\@/, "$what: links of other accounts are not listed";
	like $page->text, qr/Open links.*New.*back$number\@example\.org.*Invitation/,
		"$what: the member's page lists what is open";
	like $page->text, qr/Open links.*\Q$wim->{name}\E.*New password/, "$what: resets, too";
	like $owner->get($people)->text, qr/back$number\@example\.org ?Owner.*?\Q$mia->{name}\E ?Invited/,
		"$what: the list says who invited";
	$page = $act->($mia);
	over($link{$_}, $form{$_}, "$_, the maker is $what") for sort keys %link;
	like $page->text, qr/Links that have ended.*back$number\@example\.org/,
		"$what: the answer lists the links that ended";
	unlike $page->text, qr/kept$number/, "$what: and no other ones";
	is $console->browser->get($kept)->status, 200, "$what: a colleague's link is good";
	# Who comes back into the account finds none of them open.
	$console->sql("DELETE FROM membership WHERE person_id = $mia->{id}");
	$console->sql("UPDATE person SET disabled_at = NULL WHERE id = $mia->{id}");
	$console->member($mia, role => 'owner', account => $account);
	is $console->browser->get($link{invitation})->status, 410, "$what: they do not come back";
}
# The tool names them, too.
{
	my ($mia) = pair();
	for my $words (['disable'], ['remove', '--erase']) {
		$galley->must(qw(person enable), $mia->{email});
		invite_by($mia, "tool$number\@example.org", 'writer');
		my $done = run_program([$galley->programs . '/bin/galley', 'person', $words->[0],
			$mia->{email}, @$words[1 .. $#$words]], as => [$galley->owner_ids]);
		like $done->{out}, qr/invitation for tool$number\@example\.org.*has ended/,
			"person @$words names what ended";
	}
}
# What is less than before, and still enough, ends nothing.
{
	my ($mia) = pair();
	my $link = invite_by($mia, "less$number\@example.org", 'writer');
	$console->sql("UPDATE membership SET may_publish = 0 WHERE person_id = $mia->{id}");
	is $console->browser->get($link)->status, 200, 'who may still give it keeps the link';
	$galley->must(qw(person remove), $mia->{email}, '--erase');
	is $console->browser->get($link)->status, 404, 'of who is erased there is none';
}

done_testing;
