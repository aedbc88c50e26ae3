#!/usr/bin/perl
# suite: fast
# Sign in, Start and Sign out of the console (docs/console.md §2.7, §3.1 to §3.5, §3.10, §3.11),
# through the program.
use strict;
use warnings;

use lib 'tests/lib';
use Galley::Console;
use Test::More;

my $console = Galley::Console->new(build => 'test');
my $home = $console->galley->home;
my $password = 'plum-cart-seven-windows';
my $minute = 60;

sub slurp {
	open my $file, '<', $_[0] or return '';
	local $/;
	return scalar <$file>;
}

# The rows of a table of people/console.db.
sub count { return $console->sql("SELECT count(*) AS n FROM $_[0]")->[0]{n} }

sub later { return $console->browser(env => { GALLEY_CLOCK => $_[0] }, @_[1 .. $#_]) }

# ---- start

my $owner = $console->browser;
my $page = $owner->get('/start');
is $page->status, 200, 'Start answers who is signed out';
like $page->text, qr{run/console/code\.txt}, 'and names the file of the code';
$page = $page->press('Continue', Code => 'ab_code_' . 'a' x 20);
is $page->status, 422, 'a code that was never made is refused';
ok $page->error('Code'), 'beside its field';
$page = $owner->get('/start')->press('Make a code');
is $page->notice, 'A code was made.', 'a code is made';
my $file = "$home/run/console/code.txt";
is sprintf('%o', (stat $file)[2] & 07777), '600', 'its file is for its owner alone';
my ($code) = slurp($file) =~ /^(ab_code_[a-z2-7]{20})\n\z/;
ok $code, 'and holds a code';
$owner->post('/start', [make => '']);
is slurp($file), "$code\n", 'a good code is never replaced';
is $owner->get("/start?code=$code")->value('Code'), $code, 'a link may fill the code in';

chmod 0644, $file;
is $owner->get('/start')->press('Continue', Code => $code)->status, 422,
	'a file that others can read is no code';
chmod 0600, $file;
is later(25 * 3600)->post('/start', [code => $code])->status, 422,
	'after a day the code is not good any more';
is $owner->request('GET', '/start', env => { DOCUMENT_ROOT => $home })->status, 403,
	'below a document root the page refuses';
is $owner->post('/start', [make => ''], env => { DOCUMENT_ROOT => $home })->status, 403,
	'and makes nothing';
is $owner->request('GET', '/start', env => { DOCUMENT_ROOT => "$home/htdocs" })->status, 200,
	'but not beside one';

$page = $owner->get('/start')->press('Continue', Code => " $code ");
is $page->status, 200, 'the code leads on';
for my $bad (['short', qr/12 characters/], ['aaaaaaaaaaaaaaaa', qr/letter/],
	['owner@example.org1', qr/names/]) {
	my $refused = $page->press('Continue', 'E-mail' => 'Owner@example.org', Name => 'Olga',
		'New password' => $bad->[0]);
	is $refused->status, 422, "the password $bad->[0] is refused";
	like $refused->error('New password'), $bad->[1], 'with a reason';
	is $refused->value('Name'), 'Olga', 'and the rest stays';
	unlike $refused->body, qr/\Q$bad->[0]\E/, 'the password is not in the page'
		if $bad->[0] ne 'short';
}
$page = $page->press('Continue', 'E-mail' => 'Owner@example.org', Name => 'Olga',
	'New password' => $password);
is $page->status, 200, 'the first operator is made';
is $page->heading, 'Home', 'and is signed in';
ok !-e $file, 'the code is used up';
is_deeply $console->sql('SELECT email, login, name FROM person'),
	[{ email => 'Owner@example.org', login => 'owner@example.org', name => 'Olga' }],
	'the person is there';
like $console->sql('SELECT password FROM person')->[0]{password}, qr/^\$argon2id\$/,
	'with the hash of the password';
is $owner->get('/start')->press('Continue', Code => $code)->status, 422,
	'the code works once';

# ---- sign in

my $browser = $console->browser;
$page = $browser->request('GET', '/me?x=1');
is $page->status, 303, 'signed out, every address leads to the sign-in';
$page = $browser->request('GET', '/');
is $page->header('location'), '/console/sign-in', 'without a way back for Home';
for my $then ('//evil.example', '/\\evil.example', '/../x', 'https://evil.example', '/x y',
	'/' . 'a' x 2000) {
	my $got = $browser->request('GET', '/sign-in?then='
		. ($then =~ s/([^\w.])/sprintf '%%%02X', ord $1/ger));
	is $got->value('then'), '/', 'not back to ' . substr $then, 0, 20;
}
for (['/console/me', '/me'], ['/console/me?x=/console/me', '/me?x=/console/me'], ['/console', '/'],
	['/console?x', '/?x'], ['/consoles', '/consoles'], ['/console//evil.example', '/']) {
	my ($then, $to) = @$_;
	is $browser->request('GET', '/sign-in?then=' . ($then =~ s/([^\w.])/sprintf '%%%02X', ord $1/ger))
		->value('then'), $to, "then=$then leads to $to";
}
like $browser->get('/sign-in')->text, qr/I cannot sign in.*manages your account.*Reset.*operator/s,
	'who forgot the password is told whom to ask';
is $browser->get('/sign-in')->follow('Start')->heading, 'Start', 'and an operator where to go';

sub enter {
	my ($by, $login, $typed, @more) = @_;
	return $by->get('/sign-in?then=%2F%3Fa%3Db')->submit('Sign in', 'E-mail' => $login,
		Password => $typed, @more);
}

my @refused = map { enter($browser, @$_) } ['owner@example.org', 'wrong' x 4],
	['nobody@example.org', $password];
is $_->status, 422, 'a failed sign-in is 422' for @refused;
is $refused[0]->summary, $refused[1]->summary,
	'a wrong password and an unknown address have one sentence';
ok !$_->header('set-cookie'), 'and no cookie' for @refused;
is $_->header('cache-control'), 'no-store', 'and are kept nowhere' for @refused;
unlike $_->body, qr/plum-cart|wrongwrong/, 'and do not show what was typed' for @refused;

$page = enter($browser, 'OWNER@example.org', $password);
is $page->status, 303, 'the right password signs in, whatever the case of the address';
is $page->header('location'), '/console/?a=b', 'and leads back';
my $cookie = $page->header('set-cookie');
$cookie = join ', ', @$cookie if ref $cookie;
like $cookie, qr{__Host-galley=[\w-]{43}; Path=/; Secure; HttpOnly; SameSite=Lax(?:,|$)},
	'the session\'s cookie is closed, and ends with the browser';
like $cookie, qr{__Host-galley-device=[\w-]{22}; Path=/; Max-Age=34560000; Secure; HttpOnly; SameSite=Lax},
	'the device is known from now on';
is $browser->get('/')->heading, 'Home', 'the cookie opens the console';
is $browser->request('GET', '/sign-in')->status, 303, 'who is signed in needs no sign-in';

# A cookie from before the sign-in is never adopted.
my $planted = $console->browser;
my $token = 'A' x 43;
$planted->cookies->{'__Host-galley'} = $token;
enter($planted, 'owner@example.org', $password);
isnt $planted->cookies->{'__Host-galley'}, $token, 'a planted cookie is replaced';
my $first = $planted->cookies->{'__Host-galley'};
enter($planted->{console}->browser, 'owner@example.org', $password);
my $before = count('session');
is $planted->post('/sign-in', ['email', 'owner@example.org', 'password', $password])->status,
	303, 'signing in again works';
isnt $planted->cookies->{'__Host-galley'}, $first, 'with a new token';
is count('session'), $before, 'and the session of the old cookie ends';
my $old = $console->browser;
$old->cookies->{'__Host-galley'} = $first;
is $old->request('GET', '/')->status, 303, 'the old token opens nothing';

# ---- sign out

$page = $browser->get('/')->submit('Sign out');
is $page->status, 303, 'Sign out is a form of every page';
is $page->header('clear-site-data'), undef, 'it takes no cookies of other hosts';
like $page->header('set-cookie'), qr/^__Host-galley=;[^,]*Max-Age=0[^,]*$/, 'but the session\'s alone';
is $page->landed->notice, 'You are signed out.', 'and says so';
is $browser->request('GET', '/')->status, 303, 'the session is gone';
ok !$browser->cookies->{'__Host-galley'}, 'and the cookie';
ok $browser->cookies->{'__Host-galley-device'}, 'the browser stays known';
$page = $planted->post('/sign-out', [token => 'x' x 32]);
is $page->status, 403, 'Sign out needs the session\'s token';
is $planted->request('GET', '/')->status, 200, 'else nothing ends';
is $browser->post('/sign-out', [])->header('location'), '/console/sign-in',
	'signed out, it leads to the sign-in';
is $browser->request('GET', '/sign-out')->status, 303, 'GET signs nobody out';

# ---- the end of a session

my $resting = $console->browser;
enter($resting, 'owner@example.org', $password);
my %cookies = %{ $resting->cookies };
sub with_cookies {
	my $by = later($_[0]);
	%{ $by->cookies } = %cookies;
	return $by;
}
is with_cookies(11 * 3600)->request('GET', '/')->status, 200, 'a session rests for 11 hours';
is with_cookies(22 * 3600)->request('GET', '/?again')->status, 200,
	'counted from its last use';
is with_cookies(23 * 3600 + 1800)->request('GET', '/')->status, 303,
	'a page that asks for itself is no use';
# In use all the time, a page each eleven hours.
$resting = $console->browser;
enter($resting, 'owner@example.org', $password);
%cookies = %{ $resting->cookies };
is_deeply [grep { with_cookies($_ * 11 * 3600)->request('GET', '/')->status != 200 } 1 .. 15], [],
	'on another device a session that is used lives on';
is with_cookies(7 * 86400 - 60)->request('GET', '/')->status, 200, 'until seven days are over';
is with_cookies(7 * 86400 + 60)->request('GET', '/')->status, 303, 'and no longer';
$resting = $console->browser;
enter($resting, 'owner@example.org', $password, 'This is my own device' => 1);
%cookies = %{ $resting->cookies };
is with_cookies(29 * 86400)->request('GET', '/')->status, 200,
	'on an own device a session lives 30 days';
is with_cookies(30 * 86400 + 60)->request('GET', '/')->status, 303, 'and no longer';

# ---- disabled

my $other = $console->person(role => 'operator', email => 'other@example.org');
$console->sql('UPDATE person SET password = (SELECT password FROM person WHERE login ='
	. ' \'owner@example.org\') WHERE login = \'other@example.org\'');
my $gone = $console->browser;
is enter($gone, 'other@example.org', $password)->status, 303, 'another person signs in';
$console->sql('UPDATE person SET disabled_at = 1 WHERE login = \'other@example.org\'');
is $gone->request('GET', '/')->status, 303, 'disabled, the session is over';
$page = enter($gone, 'other@example.org', $password);
is $page->status, 422, 'and there is no other one';
is $page->summary, $refused[0]->summary, 'with the sentence of all';

# ---- too many failures

my $from = sub { (env => { REMOTE_ADDR => $_[0], GALLEY_CLOCK => 40 * 86400 + ($_[1] // 0) }) };
my $try = sub {
	my ($login, $typed, $address, $at) = @_;
	return $console->browser->post('/sign-in', [email => $login, password => $typed],
		$from->($address, $at));
};
for my $login ('owner@example.org', 'nobody2@example.org') {
	my @status = map { $try->($login, 'wrong-wrong-wrong', "192.0.2.$_")->status } 1 .. 10;
	is_deeply \@status, [(422) x 10], "ten failures of $login";
	my $answer = $try->($login, $password, '192.0.2.99');
	is $answer->status, 429, 'then a wait, whatever the password';
	like $answer->header('retry-after'), qr/^(?:[1-9]|[1-5]\d|60)$/, 'of a minute at most';
}
is $try->('owner@example.org', $password, '192.0.2.99', 61)->status, 303,
	'after it the right password signs in';

my $known = $console->browser;
$known->cookies->{'__Host-galley-device'} = $resting->cookies->{'__Host-galley-device'};
$try->('owner@example.org', 'wrong-wrong-wrong', "192.0.2.$_", 100) for 1 .. 10;
is $try->('owner@example.org', $password, '192.0.2.98', 100)->status, 429,
	'others can make a person wait';
is $known->post('/sign-in', [email => 'owner@example.org', password => $password],
	$from->('192.0.2.98', 100))->status, 303, 'but not in a browser that is known';
$try->("x$_\@example.org", 'wrong-wrong-wrong', '198.51.100.1', 200) for 1 .. 30;
is $try->('y@example.org', 'wrong-wrong-wrong', '198.51.100.1', 200)->status, 429,
	'thirty failures of an address are enough';

# ---- the log

my $log = slurp("$home/log/sign-in.log");
like $log, qr/Z first-operator person=[0-9a-f-]{36} address=127\.0\.0\.1$/m, 'the log has the start';
like $log, qr/Z sign-in person=/, 'sign-ins';
like $log, qr/Z wrong-password person=-/, 'failures';
like $log, qr/Z sign-out person=/, 'and sign-outs';
like $log, qr/ again=\d+$/m, 'summed by the minute';
unlike $log, qr/example|wrong-wrong|plum/, 'and nothing that was typed';

# ---- an operator who cannot sign in

$owner->post('/start', [make => ''], $from->('127.0.0.1'));
my ($again) = slurp($file) =~ /^(\S+)/;
utime 40 * 86400 + time, 40 * 86400 + time, $file;
my $late = later(40 * 86400 + 300);
$page = $late->get('/start')->press('Continue', Code => $again);
is $page->status, 200, 'a later code resets an operator';
$page = $page->press('Continue', Operator => 'Olga (Owner@example.org)',
	'New password' => 'another-plum-in-a-cart');
is $page->heading, 'Home', 'who is signed in then';
is count('session'), 1, 'all other sessions are over';
is $try->('owner@example.org', 'another-plum-in-a-cart', '127.0.0.1', 310)->status, 303,
	'and the wait is over, too';
is $try->('owner@example.org', $password, '127.0.0.1', 310)->status, 422,
	'the old password is none';

done_testing;
