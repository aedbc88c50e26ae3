#!/usr/bin/perl
# The screen of all accounts: operators create, verify, suspend and resume; a suspended account
# changes nothing; nobody else sees it.
#
use strict;
use warnings;
use utf8;

use Test::More;

use lib 'tests/lib';
use Galley::Console;

my $console = Galley::Console->new;
my $galley = $console->galley;
my $operator = $console->as($console->person(role => 'operator'));

sub account { my ($found) = grep { $_->{name} eq $_[0] } @{ $galley->must(qw(account list)) };
	return $found }
sub press_of {
	my ($page, $id, $verb) = @_;
	my ($form) = grep { $_->{action} eq "/console/customers/$id/$verb" } $page->forms;
	return undef if !$form;
	return ($form->{action}, [map { $_->{name}, $_->{value} } @{ $form->{fields} }]);
}

my $page = $operator->get('/customers');
is $page->status, 200, 'no customer is a page';
is $page->heading, 'Customers', 'with its heading';
like $page->text, qr/There is no account yet/, 'it says what to do first';
my $made = $page->submit('Create account', Name => 'Acme <b>&</b> "Sons"');
is $made->status, 303, 'an account is created';
is $made->header('location'), '/console/customers?notice=created', 'and the list is shown';
my $acme = account('Acme <b>&</b> "Sons"');
ok !$acme->{verified}, 'it is not verified';
$page = $made->landed;
like $page->text, qr{Acme <b>&</b> "Sons"}, 'its name comes back to the letter';

is $page->link($acme->{name}), "/console/$acme->{id}/people", 'and leads to its people';

# ---- what is wrong
for my $case (
	['no name', '', qr/filled in/],
	['a name of 201 characters', 'x' x 201, qr/200/],
	['a name that another has', 'Acme <b>&</b> "Sons"', qr/of this name already/],
) {
	my ($name, $typed, $error) = @$case;
	my $refused = $operator->get('/customers')->press('Create account', Name => $typed);
	ok $refused->status == 422 || $refused->status == 409, "$name: refused";
	like $refused->error('Name') // '', $error, "$name: beside the field";
	is $refused->value('Name'), $typed, "$name: which keeps it";
}
is scalar(@{ $galley->must(qw(account list)) }), 1, 'none of these was made';
my ($form, $sent) = $operator->get('/customers')->sends('Create account',
	Name => 'Acme <b>&</b> "Sons"', 'Although there is one of this name' => 1, Verified => 1);
is $operator->post($form->{action}, [@$sent], whole => 1)->status, 303,
	'a second one of the name is made when that is said';
is $operator->post($form->{action}, [@$sent], whole => 1)->status, 303, 'the same form again';
is scalar(@{ $galley->must(qw(account list)) }), 2, 'makes nothing';
is $galley->must(qw(account list))->[1]{verified}, JSON::PP::true, 'it is verified';

# ---- verify, suspend, resume
$page = $operator->get('/customers');
my ($to, $fields) = press_of($page, $acme->{id}, 'verify');
is $operator->post($to, [@$fields], whole => 1)->status, 303, 'verified';
ok $galley->must(qw(account show), $acme->{id})->{verified}, 'so it is';
$page = $operator->get('/customers');
is press_of($page, $acme->{id}, 'verify'), undef, 'what is done has no button';
is press_of($page, $acme->{id}, 'resume'), undef, 'nor what cannot be done';

my $workspace = $galley->workspace(account => $acme->{id});
my $owner = $console->as($console->person(role => 'owner', workspace => $workspace));
my $keys = $owner->get("/$workspace/keys");
($to, $fields) = press_of($page, $acme->{id}, 'suspend');
is $operator->post($to, [@$fields], whole => 1)->status, 303, 'suspended';
ok $galley->must(qw(account show), $acme->{id})->{suspended}, 'so it is';
is $owner->get("/$workspace/keys")->status, 200, 'its people read';
is $keys->press('Create key', Label => 'x')->status, 403, 'and change nothing';
$page = $operator->get('/customers');
like $page->text, qr/Suspended/, 'the list says so';
($to, $fields) = press_of($page, $acme->{id}, 'resume');
is $operator->post($to, [@$fields], whole => 1)->status, 303, 'resumed';
ok !$galley->must(qw(account show), $acme->{id})->{suspended}, 'so it is';
is $owner->get("/$workspace/keys")->press('Create key', Label => 'x')->status, 200,
	'its people change things again';

# ---- what goes wrong
like $operator->get('/customers')->text, qr{Acme <b>&</b> "Sons"Verified0just now}, 'nothing is wrong with it'
	or diag $operator->get('/customers')->text;
$galley->must(qw(credits grant), $acme->{id}, 1000, '--ref', 'R1');
my @jobs = map { $galley->must(qw(job create --topic), "Topic $_", '--no-image', '--workspace', $workspace)->{id} } 1 .. 3;
$galley->sql("UPDATE job SET settled_at = created_at, cost = 0, status = 'failed', stage = 'writing',"
	. " error = 'No.', error_code = 'provider_unavailable' WHERE uuid IN ('$jobs[0]', '$jobs[1]')");
$galley->sql("UPDATE job SET settled_at = settled_at - 8 * 86400000000 WHERE uuid = '$jobs[1]'");
my $soon = time + 86400 * 13;
$galley->key($workspace);
$galley->sql("UPDATE api_key SET expires_at = ${soon}000000, lifetime = ${soon}000000 - created_at WHERE id = (SELECT max(id) FROM api_key)");
like $operator->get('/customers')->text, qr{Acme <b>&</b> "Sons"Verified\d+Failed orders: 1Ending keys: 1just now},
	'an order that failed in the last week, and a key that ends soon'
	or diag $operator->get('/customers')->text;
$galley->sql("UPDATE api_key SET expires_at = expires_at + 2 * 86400000000,"
	. ' lifetime = lifetime + 2 * 86400000000 WHERE expires_at > 0');
like $operator->get('/customers')->text, qr{Acme <b>&</b> "Sons"Verified\d+Failed orders: 1just now}, 'not one that ends later';

# ---- others
is $owner->get('/customers')->status, 404, 'who is no operator sees no customers';
my $mine = $owner->get("/$workspace/keys")->form('Create key');
my @own = map { $_->{name}, $_->{value} } grep { $_->{name} =~ /^(?:token|number)$/ }
	@{ $mine->{fields} };
for my $verb (qw(verify suspend resume)) {
	is $owner->post("/customers/$acme->{id}/$verb", \@own)->status, 404,
		"who manages a workspace cannot $verb its account";
	is $console->as($console->person(role => 'owner', account => $acme->{id}))
		->post("/customers/$acme->{id}/$verb", \@own)->status, 403,
		"nor who manages the account";
}
is $operator->post('/customers/00000000-0000-4000-8000-000000000000/verify', \@own)->status, 404,
	'an account that is not there';
ok !$galley->must(qw(account show), $acme->{id})->{suspended}, 'nothing was done';
done_testing;
