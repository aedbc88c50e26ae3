#!/usr/bin/perl
# Invitations and resets of the console (docs/console.md §2.2, §2.6): GET uses nothing up, a
# link works once, a person who is known joins in the own session alone.
# suite: fast
use strict;
use warnings;

use lib 'tests/lib';
use Galley::Console;
use Test::More;

my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my $password = 'plum-cart-seven-windows';
my ($one, $two) = map { $galley->account } 1, 2;
my $w = $galley->workspace(account => $one);
my $w2 = $galley->workspace(account => $one);
my $elsewhere = $galley->workspace(account => $two);

# Returns the path of a link that the tool printed.
sub path_of {
	my ($made) = @_;
	my ($path) = $made->{link} =~ m{^https://galley\.example/console(/.*)};
	return $path;
}

# Whether the membership of a workspace has begun.
sub begun {
	my ($place) = @_;
	return $console->sql("SELECT count(begun_at) AS n FROM membership WHERE place = '$place'")
		->[0]{n};
}

sub sign_in {
	my ($by, $email, $typed) = @_;
	return $by->post('/sign-in', [email => $email, password => $typed]);
}

# ---- a new person

$galley->must(qw(person create ada@example.org --name Ada --role writer --workspace), $w);
my $link = path_of($galley->must(qw(person invite ada@example.org)));
like $link, qr{^/invite/ab_invite_}, 'a link';
my $ada = $console->browser;
my $page = $ada->get($link);
is $page->status, 200, 'the invitation is a page';
is $ada->get($link)->status, 200, 'GET uses nothing up';
is $page->value('Name'), 'Ada', 'the name is filled in';
$page = $ada->get($link)->press('Continue', 'New password' => 'short');
is $page->status, 422, 'a short password is refused';
ok $page->error('New password'), 'beside its field';
my $first = $ada->get($link);
$page = $first->press('Continue', Name => 'Ada L.', 'New password' => $password);
is $page->heading, 'Home', 'the person is signed in';
like $page->notice, qr/Welcome/, 'and greeted';
ok begun($w), 'and is a member';
is $first->submit('Continue', 'New password' => $password)->status, 410, 'the link works once';
is $ada->get($link)->status, 410, 'and is over';
is $ada->get('/invite/ab_invite_' . '0' x 40)->status, 404, 'an unknown link is 404';
is $ada->get($link =~ s/invite/reset/r)->status, 404, 'a link of another kind, too';
is sign_in($console->browser, 'ada@example.org', $password)->status, 303, 'the password is set';
is $galley->must(qw(person show ada@example.org))->{name}, 'Ada L.', 'and the name';

# ---- a person who is known

$galley->must(qw(person set ada@example.org --workspace), $w2, qw(--role writer));
$link = path_of($galley->must(qw(person invite ada@example.org --workspace), $w2));
my $stranger = $console->browser;
$page = $stranger->get($link);
is $page->status, 200, 'signed out, the link of a known person is a page';
my $refused = $page->submit('Continue', Name => 'Eve', 'New password' => 'other-plum-cart-windows');
is $refused->status, 409, 'whose form for somebody new is refused';
like $refused->summary, qr/Sign in/, 'with what to do';
is $refused->value('Name'), 'Eve', 'and keeps what was typed';
like $page->link('Sign in as ada@example.org'), qr{/sign-in\?then=}, 'it leads to the sign-in';
$page = $page->follow('Sign in as ada@example.org')->press('Sign in',
	'E-mail' => 'ada@example.org', Password => $password);
is $page->heading, 'Invitation', 'and back';
$page = $page->press('Continue');
is $page->heading, 'Home', 'a second workspace of the account needs no password';
ok begun($w2), 'the membership began';

$galley->must(qw(person set ada@example.org --workspace), $elsewhere, qw(--role writer));
$link = path_of($galley->must(qw(person invite ada@example.org --workspace), $elsewhere));
ok !begun($elsewhere), 'nothing has begun before';
$page = $ada->get($link);
ok $page->field('New password'), 'another account asks for a new password';
my $token = $ada->cookies->{'__Host-galley'};
$page = $page->press('Continue', 'New password' => 'pear-barn-eleven-doors');
is $page->heading, 'Home', 'and the person joins';
ok begun($elsewhere), 'the membership began';
isnt $ada->cookies->{'__Host-galley'}, $token, 'with a new token';
is $stranger->request('GET', '/')->status, 303, 'all other sessions ended';
is sign_in($console->browser, 'ada@example.org', $password)->status, 422,
	'the old password is none';

# ---- a known person who cannot sign in: operators see it, and only they end it

my $mark = $console->person(name => 'Mark', email => 'mark@example.org', role => 'writer',
	workspace => $w);
$console->sql("UPDATE person SET password = 'x' WHERE id = $mark->{id}");
$galley->must(qw(person set mark@example.org --role writer --workspace), $elsewhere);
my $marks = path_of($galley->must(qw(person invite mark@example.org --workspace), $elsewhere));
my $operator = $console->as($console->person(name => 'Otto', role => 'operator'));
unlike $operator->get('/')->text, qr/Somebody cannot sign in/, 'nobody asks for help';
$page = $console->browser->get($marks)->press('I cannot sign in');
like $page->notice, qr/operators .* are told/, 'who cannot sign in says so';
$console->browser->get($marks)->press('I cannot sign in');
is $console->browser->post('/invite/ab_invite_' . '0' x 40 . '/help', [])->status, 404,
	'with a link that is known';
is_deeply $console->sql('SELECT login FROM person WHERE locked_out_at IS NOT NULL'),
	[{ login => 'mark@example.org' }], 'it is noted once';
like $operator->get('/')->text, qr/Somebody cannot sign in/, 'Home tells the operators';
like $operator->get('/instance')->text, qr/Mark.*mark\@/s, 'and leads to the list';
unlike $console->as($mark)->get('/')->text, qr/cannot sign in/, 'and nobody else';
is $console->as($mark)->post("/help/$mark->{uuid}", [])->status, 404, 'who cannot end it';
is $operator->get('/instance')->follow('Mark')->heading, 'Mark', 'it leads to the person';
$page = $operator->get('/instance')->press('Done');
is $page->notice, 'Ended.', 'an operator ends it';
unlike $page->text, qr/I cannot sign in|Mark/, 'and nothing of it is left on the page';
is $console->browser->post("$link/help", [])->status, 410, 'a link that is over tells nobody';

# ---- a reset

$link = path_of($galley->must(qw(person reset ada@example.org)));
like $link, qr{^/reset/ab_reset_}, 'a reset link';
my $late = $console->browser(env => { GALLEY_CLOCK => 3700 });
is $late->get($link)->status, 410, 'it lives an hour';
is_deeply [map { sign_in($console->browser(env => { REMOTE_ADDR => "192.0.2.$_" }), 'ada@example.org',
	'wrong-wrong-wrong')->status } 1 .. 10], [(422) x 9, 429], 'who forgot a password waits';
my $again = $console->browser;
$page = $again->get($link)->press('Continue', 'New password' => 'fig-roof-twelve-stairs');
is $page->heading, 'Home', 'the new password signs in';
is $ada->request('GET', '/')->status, 303, 'all other sessions ended';
is $again->get($link)->status, 410, 'the link works once';
is sign_in($console->browser, 'ada@example.org', 'fig-roof-twelve-stairs')->status, 303,
	'the new password is set, and the wait is over';

# Of a disabled person no link works.
$link = path_of($galley->must(qw(person reset ada@example.org)));
$galley->must(qw(person disable ada@example.org));
is $console->browser->get($link)->status =~ /^4(?:04|10)$/, 1, 'of a disabled person none works';

open my $log, '<', $galley->home . '/log/requests.log' or die;
unlike join('', <$log>), qr/ab_(?:invite|reset)_[0-9a-z]{12}/, 'no log shows a link';

# ---- a session that was left open is worth no new password

my $zoe = $console->person(name => 'Zoe', email => 'zoe@example.org', role => 'writer',
	workspace => $w);
$console->sql("UPDATE person SET password = 'x' WHERE uuid = '$zoe->{uuid}'");
my $before_zoe = begun($elsewhere);
$galley->must(qw(person set zoe@example.org --role writer --workspace), $elsewhere);
$link = path_of($galley->must(qw(person invite zoe@example.org)));
my $form = $console->as($zoe)->get($link);
ok $form->field('New password'), 'who proved lately who they are is asked for a new password';
$page = $console->as($zoe, proved => 3600)->get($link);
is $page->field('New password'), undef, 'who did not is not';
like $page->text, qr/sign in again/i, 'but must sign in again';
is $console->as($zoe, proved => 3600)->post($link, [password => $password])->status, 409,
	'and a form that was kept does nothing';
is $console->sql("SELECT password FROM person WHERE uuid = '$zoe->{uuid}'")->[0]{password}, 'x',
	'the password is the old one';
is begun($elsewhere), 0 + $before_zoe, 'nor has anything begun';

done_testing;
