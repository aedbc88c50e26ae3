#!/usr/bin/perl
# The step-up (docs/console.md §3.4): ten minutes after the last proof, what is important asks
# who it is; the form is kept sealed meanwhile, and is done once.
# suite: fast
use strict;
use warnings;

use lib 'tests/lib';
use Galley::Console;
use Test::More;

my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my $password = 'plum-cart-seven-windows';
my $workspace = $galley->workspace(name => 'First');
my $olga = $console->person(role => 'owner', workspace => $workspace, email => 'o@example.org');

# Sets the password through the front door.
my $reset = sub {
	my $by = $console->browser;
	$by->post('/start', [make => '']);
	open my $file, '<', $galley->home . '/run/console/code.txt' or die;
	my ($code) = readline($file) =~ /(\S+)/;
	$by->post('/start', [code => $code, email => 'y@example.org', name => 'Y',
		password => $password])->status == 303 or die;
	$console->sql("UPDATE person SET password = (SELECT password FROM person"
		. " WHERE login = 'y\@example.org') WHERE id = $olga->{id}");
};
$reset->();

sub workspaces { return scalar @{ $galley->must(qw(workspace list)) } }

# Returns the answer to the form that deletes the workspace.
sub press {
	my ($browser, $name) = @_;
	return $browser->get("/$workspace/settings/delete")->press('Delete this workspace',
		'Name of the workspace' => $name);
}

my $browser = $console->as($olga, proved => 700);
my $before = workspaces();
my $token = $browser->cookies->{'__Host-galley'};
my $page = press($browser, 'Wrong name');
is $page->status, 200, 'the question is 200';
is $page->heading, 'Is it you?', 'it asks who it is';
is $page->{address}, "/console/$workspace/settings/delete", 'at the same address';
unlike $page->body, qr/Wrong name/, 'the form is not in the page';
is workspaces(), $before, 'and nothing is done';
my ($held) = @{ $console->sql('SELECT hex(fields) AS fields FROM held') };
unlike pack('H*', $held->{fields}), qr/Wrong name/, 'the form is kept sealed';

my $back = $page->follow('Back, and do nothing');
is $back->{address}, "/console/$workspace/settings/delete", 'the question has a way back to the page of the form';
is workspaces(), $before, 'where nothing is done';
is $console->as($console->person(role => 'operator'), proved => 700)->get('/instance/restore')
	->follow('Back, and do nothing')->{address}, '/console/instance', 'a page that asks leads to the one above';

my $wrong = $page->submit('Continue', Password => 'not-the-password');
is $wrong->status, 422, 'a wrong password is refused';
ok $wrong->error('Password'), 'beside its field';
is $browser->cookies->{'__Host-galley'}, $token, 'with no other token';
is $page->submit('Continue', Password => '')->status, 422, 'no password, too';

my $done = $page->submit('Continue', Password => $password);
is $done->status, 422, 'after the right one the form is read as it was sent';
like $done->error('Name of the workspace'), qr/./, 'with what was wrong in it';
isnt $browser->cookies->{'__Host-galley'}, $token, 'the session has another token';
is $browser->request('GET', '/')->status, 200, 'which works';
my $old = $console->browser;
$old->cookies->{'__Host-galley'} = $token;
is $old->request('GET', '/')->status, 303, 'the old one does not';
is $console->sql('SELECT count(*) AS n FROM held')->[0]{n}, 0, 'nothing is kept any more';
is $page->submit('Continue', Password => $password)->status, 403,
	'the page of the old token is of another session';

# An operator may have it asked sooner, or always.
for my $case ([1, 30, 'Wrong'], [1, 70, 'Is it you?'], [0, 0, 'Is it you?']) {
	my ($minutes, $ago, $heading) = @$case;
	$galley->conf(console_step_up_minutes => $minutes);
	my $shown = press($console->as($olga, proved => $ago), 'Wrong name');
	$heading eq 'Wrong' ? is $shown->status, 422, "$minutes minute: $ago s ago is fresh"
		: is $shown->heading, $heading, "$minutes minutes: $ago s ago is asked again";
}
my $always = press($console->as($olga), 'Wrong name')->submit('Continue', Password => $password);
is $always->status, 422, 'and the answer to it is the answer to the form';
$galley->conf(console_step_up_minutes => 10);

# A session that somebody left open is no place to try passwords.
my $gil = $console->person(role => 'owner', workspace => $workspace, email => 'gil@example.org');
$console->sql("UPDATE person SET password = (SELECT password FROM person WHERE id = $olga->{id}) WHERE id = $gil->{id}");
my $guessing = press($console->as($gil, proved => 700), 'Wrong name');
my @guesses = map { $guessing->submit('Continue', Password => "guess-$_-of-many")->status } 1 .. 11;
is $guesses[0], 422, 'a wrong password is told';
is $guesses[-1], 429, 'ten of them make the person wait';
is $guessing->submit('Continue', Password => $password)->status, 429, 'whatever the password is then';

# A form that is kept for too long, or for somebody else.
my $late = $console->as($olga, proved => 700);
$page = press($late, 'First');
$late->{env} = { GALLEY_CLOCK => 650 };
is $page->submit('Continue', Password => $password)->status, 409,
	'after ten minutes the form is not kept';
is workspaces(), $before, 'and nothing is done';
is $late->request('GET', '/')->status, 200, 'the session goes on';

# The whole way.
$browser = $console->as($olga, proved => 700);
$page = press($browser, 'First')->press('Continue', Password => $password);
is workspaces(), $before - 1, 'the right password lets the form through'
	or diag $page->text;

done_testing;
