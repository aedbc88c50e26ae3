#!/usr/bin/perl
# The screens of all accounts and of one: operators see first what needs a look, create, verify,
# suspend and resume; a suspended account changes nothing; nobody else sees it.
#
use strict;
use warnings;
use utf8;

use Test::More;

use lib 'tests/lib';
use Galley::Console;
use Galley::Process qw(run_program);

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
like $page->text, qr/No customer yet/, 'it says what a customer is';
my $made = $page->follow('New customer')->submit('Create account', Name => 'Acme <b>&</b> "Sons"');
is $made->status, 303, 'an account is created';
is $made->header('location'), '/console/customers?notice=created', 'and the list is shown';
my $acme = account('Acme <b>&</b> "Sons"');
ok !$acme->{verified}, 'it is not verified';
$page = $made->landed;
like $page->text, qr{Acme <b>&</b> "Sons"}, 'its name comes back to the letter';

my $at = "/customers/$acme->{id}";
is $page->link($acme->{name}), "/console$at", 'and leads to its page';
is $operator->get($at)->heading, $acme->{name}, '  which is about it';
is $operator->get($at)->link('People'), "/console/$acme->{id}/people", '  and leads to its people';

# ---- what is wrong
for my $case (
	['no name', '', qr/filled in/],
	['a name of 201 characters', 'x' x 201, qr/200/],
	(map { [sprintf('the invisible name %vX', $_), $_, qr/a visible character/] }
		"\x{A0}", "\x{3164}", "Acme\x{2028}", "Acme\x{E0001}"),
	['a name that another has', 'Acme <b>&</b> "Sons"', qr/of this name already/],
) {
	my ($name, $typed, $error) = @$case;
	my $refused = $operator->get('/customers/new')->press('Create account', Name => $typed);
	ok $refused->status == 422 || $refused->status == 409, "$name: refused";
	like $refused->error('Name') // '', $error, "$name: beside the field";
	is $refused->value('Name'), $typed, "$name: which keeps it";
}
is scalar(@{ $galley->must(qw(account list)) }), 1, 'none of these was made';
my ($form, $sent) = $operator->get('/customers/new')->sends('Create account',
	Name => 'Acme <b>&</b> "Sons"', 'Although there is one of this name' => 1, Verified => 1);
is $operator->post($form->{action}, [@$sent], whole => 1)->status, 303,
	'a second one of the name is made when that is said';
is $operator->post($form->{action}, [@$sent], whole => 1)->status, 303, 'the same form again';
is scalar(@{ $galley->must(qw(account list)) }), 2, 'makes nothing';
is $galley->must(qw(account list))->[1]{verified}, JSON::PP::true, 'it is verified';

# ---- verify, suspend, resume
$page = $operator->get($at);
my ($to, $fields) = press_of($page, $acme->{id}, 'verify');
is $operator->post($to, [@$fields], whole => 1)->status, 303, 'verified';
ok $galley->must(qw(account show), $acme->{id})->{verified}, 'so it is';
$page = $operator->get($at);
is press_of($page, $acme->{id}, 'verify'), undef, 'what is done has no button';
is press_of($page, $acme->{id}, 'resume'), undef, 'nor what cannot be done';

my $workspace = $galley->workspace(account => $acme->{id});
my $owner = $console->as($console->person(role => 'owner', workspace => $workspace));
my $keys = $owner->get("/$workspace/keys/new");
my $asked = $page->asked(['Suspend…', "/console$at/suspend"]);
is $asked->heading, 'Suspend this account?', '"Suspend" asks';
like $asked->text, qr{Acme <b>&</b> "Sons" ?Its public pages.* open nothing any more.*websites still read.* by the API},
	'  and says what readers and websites will find';
ok !$galley->must(qw(account show), $acme->{id})->{suspended}, '  nothing is done yet';
my $key = $galley->key($workspace);
($to, $fields) = press_of($asked, $acme->{id}, 'suspend');
is $operator->post($to, [@$fields], whole => 1)->status, 303, 'suspended';
ok $galley->must(qw(account show), $acme->{id})->{suspended}, 'so it is';
is $operator->get("/customers/$acme->{id}/suspend")->status, 409, 'and is not asked about again';
is $galley->get('/articles', key => $key)->{status}, 200, 'its websites read, as it was said';
is $owner->get("/$workspace/keys")->status, 200, 'its people read';
is $keys->press('Create key', Name => 'x')->status, 403, 'and change nothing';
like $operator->get('/customers?show=suspended')->text, qr{Acme <b>&</b> "Sons".*Suspended}, 'the list says so';
unlike $operator->get('/customers?show=look')->text, qr/Acme/, '  which needs no look any more';
$page = $operator->get($at);
like $page->text, qr/Suspended/, 'and so does its page';
($to, $fields) = press_of($page, $acme->{id}, 'resume');
is $operator->post($to, [@$fields], whole => 1)->status, 303, 'resumed';
ok !$galley->must(qw(account show), $acme->{id})->{suspended}, 'so it is';
is $owner->get("/$workspace/keys/new")->press('Create key', Name => 'x')->status, 200,
	'its people change things again';

# ---- what goes wrong
like $operator->get('/customers')->text, qr{Acme <b>&</b> "Sons"1 workspaceVerified00–}, 'nothing is wrong with it'
	or diag $operator->get('/customers')->text;
$galley->must(qw(credits grant), $acme->{id}, 1000, '--ref', 'R1');
my @jobs = map { $galley->must(qw(job create --topic), "Topic $_", '--no-image', '--workspace', $workspace)->{id} } 1 .. 3;
$galley->sql("UPDATE job SET settled_at = created_at, cost = 0, status = 'failed', stage = 'writing',"
	. " error = 'No.', error_code = 'provider_unavailable' WHERE uuid IN ('$jobs[0]', '$jobs[1]')");
$galley->sql("UPDATE job SET settled_at = settled_at - 8 * 86400000000 WHERE uuid = '$jobs[1]'");
my $soon = time + 86400 * 13;
$galley->key($workspace);
$galley->sql("UPDATE api_key SET expires_at = ${soon}000000, lifetime = ${soon}000000 - created_at WHERE id = (SELECT max(id) FROM api_key)");
like $operator->get('/customers')->text, qr{Last sign-in ?AAcme <b>&</b> "Sons"1 workspaceVerified\d+3 ?1 order failed 1 key ends soon},
	'an order that failed in the last week, and a key that ends soon'
	or diag $operator->get('/customers')->text;
$galley->sql("UPDATE api_key SET expires_at = expires_at + 2 * 86400000000,"
	. ' lifetime = lifetime + 2 * 86400000000 WHERE expires_at > 0');
$page = $operator->get('/customers');
like $page->text, qr{Verified\d+3 ?1 order failed (?!1 key)}, 'not one that ends later';
like $page->text, qr/2customers, 2 new.*3orders in 7 days.*1failed in 7 days.*0websites are silent/, 'the sums of them all' or diag $page->text;
like $page->text, qr/All 2 ?Needs a look 1 ?Suspended 0/, '  and how many need a look';
is scalar(() = $operator->get('/customers?show=look')->text =~ /Acme/g), 1, '  which alone are shown';
ok !(grep { $_->{action} eq '/console/customers' } $page->forms), 'so few need no search';
$galley->must(qw(account create), "Customer number $_") for 1 .. 8;
$page = $operator->get('/customers?search=NUMBER+7');
like $page->text, qr/Customer number 7/, 'of more one is found by its name';
unlike $page->text, qr/number 6|Acme/, '  alone';
like $operator->get('/customers?search=zzz&show=look')->text, qr/There is no such customer/, '  or it is said that there is none';
like $operator->get('/customers')->text, qr/Nothing starts the runners.*Instance/, 'what the instance needs is above all';

# ---- others
is $owner->get('/customers')->status, 404, 'who is no operator sees no customers';
my $mine = $owner->get("/$workspace/keys/new")->form('Create key');
my @own = map { $_->{name}, $_->{value} } grep { $_->{name} =~ /^(?:token|number)$/ }
	@{ $mine->{fields} };
for my $verb (qw(verify decline suspend resume)) {
	is $owner->post("/customers/$acme->{id}/$verb", \@own)->status, 404,
		"who manages a workspace cannot $verb its account";
	is $console->as($console->person(role => 'owner', account => $acme->{id}))
		->post("/customers/$acme->{id}/$verb", \@own)->status, 403,
		"nor who manages the account";
}
is $operator->post('/customers/00000000-0000-4000-8000-000000000000/verify', \@own)->status, 404,
	'an account that is not there';
ok !$galley->must(qw(account show), $acme->{id})->{suspended}, 'nothing was done';

# ---- an owner asks to have the account verified
my $small = $galley->must(qw(account create Small))->{id};
my $paper = $galley->workspace(account => $small);
my $boss = $console->as($console->person(role => 'owner', account => $small));
my $editor = $console->as($console->person(role => 'editor', account => $small));
my $manager = $console->as($console->person(role => 'owner', workspace => $paper));
sub state_of { return $galley->must(qw(account show), $small) }
sub can_ask { return scalar grep { $_->{label} eq 'Ask to be verified' } map { @{ $_->{buttons} } } $_[0]->forms }
sub noted { return scalar(() = Galley::slurp($galley->home . '/log/operator.log') =~ /account ask/g) }
for my $where ("/$paper/settings", "/$paper/settings/pings", "/$paper/orders/new") {
	ok can_ask($boss->get($where)), "$where: an owner can ask";
	next if $where =~ /settings/;
	ok !can_ask($_->get($where)), 'nobody else'
		for $editor, $manager, $operator;
	like $_->get($where)->text, qr/An owner of the account Small can ask the operators/, 'who learns whom to ask'
		for $editor, $manager;
}
is $_->post("/$small/verification", \@own)->status, 403 + ($_ == $manager), 'nor by force' for $editor, $manager;
is state_of()->{asked_at}, undef, 'nobody asked';
unlike $operator->get('/')->text, qr/Asks to be verified/, 'so nothing waits for the operator';
my ($asks, $older) = map { $boss->get("/$paper/settings") } 1, 2;
$page = $asks->press('Ask to be verified');
like $page->notice, qr/^Asked\./, 'one press';
like $page->text, qr/An owner asked to have this account verified: just now/, 'it is shown, with when';
ok !can_ask($page), 'once';
$asked = state_of()->{asked_at};
like $asked, qr/^20/, 'account show says when';
is +(grep { $_->{id} eq $small } @{ $galley->must(qw(account list)) })[0]{asked_at}, $asked, 'so does account list';
like run_program([$galley->programs . '/bin/galley', qw(account list)])->{out}, qr/Small +asks to be verified/, 'in words';
my $noted = noted();
$asks->press('Ask to be verified') for 1, 2;
is state_of()->{asked_at}, $asked, 'asked again changes nothing';
is noted(), $noted, 'and nothing is noted';
like $boss->get("/$small/activity")->text, qr/An owner asked to have the account verified/, 'Activity has it';
$page = $operator->get('/');
like $page->text, qr/Waiting for you.*Small\s*Asks to be verified/, 'it waits for operators, on Home';
unlike $boss->get('/')->text, qr/Asks to be verified/, 'and for no owner';
$page = $page->follow('Small')->press('Decline');
is state_of()->{asked_at}, undef, 'declined';
unlike $operator->get('/')->text, qr/Asks to be verified/, 'it waits no more';
like $boss->get("/$paper/orders/new")->text, qr/declined to verify this account: just now.*may ask again: \d+ \w+/, 'the owner sees that';
ok !can_ask($boss->get("/$paper/settings")), 'and cannot ask at once';
is $older->press('Ask to be verified')->status, 409, 'nor by a page from before';
$galley->sql("UPDATE account SET declined_at = declined_at - 8 * 86400000000 WHERE uuid = '$small'");
$boss->get("/$paper/settings")->press('Ask to be verified');
like $operator->get('/customers?show=look')->text, qr/Small.*Asks to be verified/, 'Customers says it, too';
my ($decline, $with) = press_of($operator->get("/customers/$small"), $small, 'decline');
ok $decline, '  and the page of the customer has the button';
$operator->get("/$small/verification")->press('Verify');
ok state_of()->{verified}, 'verified';
is state_of()->{asked_at}, undef, 'which ends the request';
is $operator->post($decline, [@$with], whole => 1)->status, 303, 'declined too late';
ok state_of()->{verified}, 'it stays verified';
is state_of()->{declined_at}, undef, 'and nothing was declined';
unlike $boss->get("/$paper/orders/new")->text, qr/ask/i, 'there is nothing to ask for';

# ---- more than a page holds
my @many = map { $galley->workspace(name => "Shop $_", account => $small) } 1 .. 100;
$page = $operator->get("/customers/$small");
like $page->text, qr/Only the 100 newest are named/, 'of 101 workspaces the newest are named';
is scalar(grep { my $id = $_; $page->body =~ m{"/console/$id"} } @many), 100, '  all of them';
unlike $page->body, qr{"/console/$paper"}, '  and not the oldest';
$page = $operator->get('/customers?search=Small');
ok $page->text !~ /are counted and found here/ && $page->link('Small'), 'few customers are all counted and found';
$galley->sql('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)'
	. " INSERT INTO account (uuid, name, created_at) SELECT printf('00000000-0000-4000-8000-%012d', i), 'More ' || i, 1"
	. ' FROM n');
$page = $operator->get('/customers?search=Small');
ok $page->text =~ /Only the 2,000 newest customers are counted and found here/, 'many are not';
is $page->link('Small'), undef, '  nor is an older one found';
isnt $operator->get('/customers?search=More+2000')->link('More 2000'), undef, '  but a newer one is';
done_testing;
