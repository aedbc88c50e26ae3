#!/usr/bin/perl
# An invitation is for the address that was typed (docs/console.md §2.2): People shows it and mails
# go to it, whatever became of the person. Where somebody changes a person's address, what other
# accounts had open for the old one ends, and they are told; nothing of theirs is sent to the new one.
# suite: fast twins
use strict;
use warnings;
use utf8;

use lib 'tests/lib';
use Galley::Console;
use Galley::Process qw(run_program);
use Test::More;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);
my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my $password = 'plum-cart-seven-windows';
my ($one, $two) = map { $galley->account } 1, 2;
my $mias = $galley->workspace(account => $one);
my $beas = $galley->workspace(name => 'Of Bea', account => $two);
my $mia = $console->as($console->person(name => 'Mia', role => 'owner', account => $one));
my $bea = $console->as($console->person(name => 'Bea', role => 'owner', account => $two));
my $people = "/$two/people";

# ---- where mails go
my $box = $galley->folder_of_owner('box');
Galley::spew("$box/post", "#!/bin/sh\ncat >/dev/null\nprintf '%s\\n' \"\$*\" >>$box/sent\n");
chmod 0755, "$box/post";
chown $galley->owner_ids, "$box/post" if $> == 0;
$galley->conf(mail_command => "$box/post -f galley\@example.com");
# Returns to whom mails went since the last time.
sub sent {
	run_program([$galley->programs . '/bin/task-runner', '--once'], env => { PATH => '/usr/bin:/bin',
		GALLEY_POSTMAN => 2 }, as => [$galley->owner_ids], seconds => 60);
	my @to = -e "$box/sent" ? map { s/.* -- //r } split /\n/, Galley::slurp("$box/sent") : ();
	unlink "$box/sent";
	return join ' ', @to;
}

sub link_of { return $_[0]->body =~ m{galley\.example/console(/(?:invite|reset)/ab_\w+)} ? $1 : undef }
sub invite {
	my ($by, $account, $email, $name) = @_;
	return $by->get("/$account/people")->press('Invite', 'E-mail' => $email, Name => $name,
		Role => 'editor');
}
sub row_of {
	my ($by, $account, $name) = @_;
	my ($found) = grep { $_->[0] eq $name && $_->[1] =~ m{/people/} }
		$by->get("/$account/people")->links;
	return $found && $by->get($found->[1], whole => 1);
}
sub state_of {
	my ($account, $email) = @_;
	return join ',', map { $_->{state} } @{ $console->sql("SELECT CASE WHEN begun_at IS NOT NULL"
		. " THEN 'begun' ELSE 'open' END AS state FROM membership m JOIN person p"
		. " ON p.id = m.person_id WHERE m.account = '$account' AND p.login = '$email' ORDER BY m.id") };
}

# ---- the attack: who opened the first invitation owns the person, and moves the second one

my $link = link_of(invite($mia, $one, 'victim@example.org', 'Victim'));
is sent(), 'victim@example.org', 'the first account invites somebody';
is $console->browser->get($link)->press('Continue', 'New password' => $password)->heading, 'Home',
	'and opens the invitation itself';
my $page = invite($bea, $two, 'VICTIM@Example.org', 'The real one');
like $page->text, qr/sent to VICTIM\@Example\.org by mail/, 'the second one invites the same address';
my $beas_link = link_of($page);
is sent(), 'VICTIM@Example.org', 'as it was typed';
like $bea->get($people)->text, qr/The real one ?VICTIM\@Example\.org/, 'People shows the typed address';
is link_of(row_of($bea, $two, 'The real one')->press('Invite again')) =~ /ab_invite/, 1, 'again';
is sent(), 'VICTIM@Example.org', 'and again it goes to the typed address';

my $open = $bea->get((grep { $_->[0] eq 'The real one' } $bea->get($people)->links)[0][1], whole => 1);
is row_of($mia, $one, 'Victim')->submit('Change', 'E-mail' => 'attacker@example.net',
	Name => 'Victim')->status, 303, 'the first account changes the address';
is $console->browser->get($beas_link)->status, 410, 'what the second one sent is over';
my $again = $open->press('Invite again');
is $again->status, 409, 'a page that was open invites nobody again';
is link_of($again), undef, 'and shows no link';
is sent(), '', 'no mail goes to the new address';
my $list = $bea->get($people)->text;
like $list, qr/The real one ?VICTIM\@Example\.org.*Ended/, 'People says that the invitation has ended';
unlike $list, qr/attacker/, 'and does not tell the new address';
$page = row_of($bea, $two, 'The real one');
like $page->text, qr/address of this person was changed/, 'and why';
is_deeply [grep { $_ ne 'Sign out' } map { $_->{label} } map { @{ $_->{buttons} } } $page->forms],
	[], 'it offers no form';
like $page->asked('End membership')->text, qr/has ended already/, 'but to end it';
is $open->submit('Change role', Role => 'owner')->status, 404, 'a page that was open gives no role';
like $bea->get('/')->text, qr/The real one ?An invitation has ended/, 'Home tells it';
unlike $mia->get('/')->text, qr/An invitation has ended/, 'and not the others';
is $bea->get('/')->follow('The real one')->heading, 'The real one', 'and leads there';
is $galley->must(qw(person show attacker@example.net))->{memberships}[1]{state}, 'ended',
	'the tool says so, too';
isnt $galley->command(qw(person invite attacker@example.net --account), $two)->{exit}, 0,
	'and makes no link';

# The address can be invited again, and is somebody else.
$page = invite($bea, $two, 'victim@example.org', 'The real one');
$link = link_of($page);
is sent(), 'victim@example.org', 'the typed address is invited again';
unlike $bea->get('/')->text, qr/An invitation has ended/, 'which Home no longer tells';
is scalar(() = $bea->get($people)->text =~ /The real one/g), 1, 'nor does People';
$console->browser->get($link)->press('Continue', 'New password' => $password);
is state_of($two, 'victim@example.org'), 'begun', 'its owner joins';
is state_of($two, 'attacker@example.net'), '', 'and the other person is no member';

# ---- the same by the tool, and what stays

$console->person(name => 'Ada', email => 'ada@example.org', role => 'writer', workspace => $mias);
my $second = $galley->workspace(account => $one);
$galley->must(qw(person set ada@example.org --role writer --workspace), $second);
invite($bea, $two, 'ada@example.org', 'Ada');
$galley->must(qw(person set ada@example.org email=ada2@example.org));
like $bea->get($people)->text, qr/Ada ?ada\@example\.org.*Ended/, 'the tool ends it, too';
is $galley->must(qw(person invite ada2@example.org))->{id} =~ /-/, 1,
	'what the own account has open stays';
is sent(), 'ada2@example.org', 'and goes to the new address';
is row_of($bea, $two, 'Ada')->submit('End membership')->status, 303, 'the row is taken away';
is row_of($bea, $two, 'Ada'), undef, 'so it is';

# Nobody has come yet: an address of the only account that invited is put right.
invite($bea, $two, 'tpyo@example.org', 'Typo');
sent();
$galley->must(qw(person set tpyo@example.org email=typo@example.org));
like $bea->get($people)->text, qr/Typo ?typo\@example\.org.*Invited/, 'a wrong letter is put right';
$galley->must(qw(person invite typo@example.org));
is sent(), 'typo@example.org', 'and the invitation goes there';
invite($mia, $one, 'typo@example.org', 'Typo');
sent();
$galley->must(qw(person set typo@example.org email=mine@example.org));
like $bea->get($people)->text, qr/Typo ?typo\@example\.org.*Ended/, 'not where two accounts wait';
like $mia->get("/$one/people")->text, qr/Typo ?typo\@example\.org.*Ended/, 'for none of them';
# The same address with other letters is the same login.
invite($bea, $two, 'case@example.org', 'Case');
$console->member({ id => $console->sql("SELECT id FROM person WHERE login = 'case\@example.org'")
	->[0]{id}, name => 'Case' }, role => 'writer', workspace => $mias);
$galley->must(qw(person set case@example.org email=Case@Example.org));
like $bea->get($people)->text, qr/Case ?case\@example\.org.*Invited/, 'other letters end nothing';

done_testing;
