#!/usr/bin/perl
# Who made a key is noted. When that person's rights end, the keys that the person made are
# named to the person who ended them, to be revoked in a second step, which can be done again; nobody
# sees or revokes keys of a workspace that they do not manage (docs/console.md §2.4).
use strict;
use warnings;
use utf8;

use Test::More;

use lib 'tests/lib';
use Galley::Console;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);
my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my ($account, $foreign_account) = ($galley->account, $galley->account);
my $first = $galley->workspace(name => 'First', account => $account);
my $second = $galley->workspace(name => 'Second', account => $account);
my $foreign = $galley->workspace(name => 'Foreign', account => $foreign_account);
my $owner = $console->as($console->person(name => 'Olga', role => 'owner',
	account => $account));
my $stranger = $console->as($console->person(name => 'Sven', role => 'owner',
	account => $foreign_account));
my $neighbour = $console->as($console->person(name => 'Nadia', role => 'owner',
	workspace => $second));
my $operator = $console->as($console->person(name => 'Otto', role => 'operator'));
$console->sql("UPDATE person SET password = 'x'");

sub member {
	my ($name) = @_;
	my $person = $console->person(name => $name, role => 'owner', account => $account);
	$console->member($person, role => 'owner', account => $foreign_account);
	$console->sql("UPDATE person SET password = 'x' WHERE id = $person->{id}");
	my $browser = $console->as($person);
	for my $place ($first, $second, $foreign) {
		is $browser->get("/$place/keys/new")->press('Create key', Name => "Of $name")->status,
			200, "$name makes a key";
	}
	return $person;
}
sub good {
	my ($person) = @_;
	return join ' ', map { $_->{name} } @{ $galley->sql('SELECT w.name FROM key_more m'
		. ' JOIN api_key k ON k.id = m.key_id JOIN workspace w ON w.id = k.workspace_id'
		. " WHERE m.person = '$person->{uuid}' AND k.revoked_at IS NULL ORDER BY w.name") };
}
sub page_of {
	my ($browser, $list, $name) = @_;
	my ($found) = grep { $_->[0] eq $name && $_->[1] =~ m{^/console\Q$list\E/} }
		$browser->get($list)->links;
	return $browser->get($found->[1], whole => 1);
}

my $max = member('Max');
is good($max), 'First Foreign Second', 'three keys have their maker';
like $owner->get("/$first/keys")->follow('Of Max')->text, qr/Made by ?Max/, 'its page says who made it';
$galley->key($first);
is $galley->sql('SELECT count(*) AS n FROM key_more')->[0]{n}, 3, 'the tool is nobody';

my $page = page_of($owner, "/$account/people", 'Max')->press('End membership');
is $page->heading, 'Keys that this person made', 'the end of a membership names the keys';
unlike $page->text, qr/Foreign/, 'and none of another account';
is good($max), 'First Foreign Second', 'and ends none of them by itself';
my ($form, $sent) = $page->sends('Revoke', 'Of Max · First' => 1);
my $told = $owner->post($form->{action}, [@$sent], whole => 1);
is $told->status, 303, 'the chosen one is revoked';
is good($max), 'Foreign Second', 'and no other';
is $told->landed->notice, '1 key was revoked.Of Max · First', 'which is named';
is $owner->post($form->{action}, [@$sent], whole => 1)->landed->notice, '1 key was revoked.Of Max · First',
	'the same form again says the same';
is good($max), 'Foreign Second', 'and does nothing more';
$page = $owner->get($page->{address}, whole => 1);
my $none = $page->press('Revoke');
is $none->status, 422, 'where nothing is chosen';
like $none->summary, qr/Choose keys first/, '    that is said';
my $late = $owner->get($page->{address}, whole => 1);
$galley->must(qw(key revoke), map { $_->{uuid} } @{ $galley->sql('SELECT k.uuid FROM api_key k JOIN key_more m ON m.key_id = k.id'
	. " JOIN workspace w ON w.id = k.workspace_id WHERE m.person = '$max->{uuid}' AND w.name = 'Second'") });
$late = $late->press('Revoke', 'Of Max · Second' => 1);
like $late->notice, qr/^0 keys were revoked\. ?1 was not: ?Of Max · Second \x{2013} It was revoked before\.$/,
	'a key that was revoked meanwhile is named, and why it was not';
$page = $late;
like $page->text, qr/No key that this person made is good any more/, 'then there is none';
is good($max), 'Foreign', 'that this owner manages';

# Who manages one workspace sees its keys alone, and who manages none sees nothing.
my $mia = member('Mia');
my $keys = sub { "/$_[0]/people/$mia->{uuid}/keys" };
like $neighbour->get($keys->($second))->text, qr/Second/, 'a neighbour sees those of one';
unlike $neighbour->get($keys->($second))->text, qr/First/, 'and not those beside it';
unlike $stranger->get($keys->($foreign))->text, qr/First|Second/, 'nor does another customer';
($form, $sent) = $owner->get($keys->($account))->sends('Revoke', 'Of Mia · First' => 1);
my %foreign = (@{ ($stranger->get($keys->($foreign))->sends('Revoke'))[1] });
my ($chosen) = grep { /^key-/ } @$sent;
my $strange = $stranger->post($keys->($foreign), [%foreign, $chosen => 'on']);
is $strange->status, 303, 'a key of another customer in a form';
like $strange->landed->notice, qr/^0 keys were revoked\. ?1 was not: ?There is no such key\.$/, 'is told nothing of';
is good($mia), 'First Foreign Second', 'is not revoked';

# Disabling, removing and lowering lead there, too; raising does not.
is $operator->get($keys->($account))->status, 200, 'an operator sees them';
$page = page_of($operator, "/$account/people", 'Mia');
is $page->press('Change role', Role => 'editor')->heading, 'Keys that this person made',
	'a lower role names the keys';
is page_of($operator, "/$account/people", 'Mia')->press('Change role', Role => 'owner')->heading,
	'People', 'a higher one does not';
is page_of($operator, "/$account/people", 'Mia')->press('Disable')->heading,
	'Keys that this person made', 'disabling does';
like page_of($operator, "/$account/people", 'Mia')->follow('Keys that this person made')->text,
	qr/First.*Foreign|Foreign.*First/s, 'an operator finds them later, in every account';
is page_of($operator, "/$account/people", 'Mia')->press('Remove')->heading,
	'Keys that this person made', 'removal does';

# A rotated key has a new maker.
($form, $sent) = $owner->get("/$first/keys")->follow('Of Mia')->sends('Rotate');
is $owner->post($form->{action}, [@$sent], whole => 1)->status, 200, 'a key is rotated';
is $galley->sql("SELECT count(*) AS n FROM key_more WHERE person = '$owner->{person}{uuid}'")
	->[0]{n}, 1, 'by who rotated it';

done_testing;
