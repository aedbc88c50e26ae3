#!/usr/bin/perl
# Your account (docs/console.md §3.1, §3.2, §4.2): password, authenticator, recovery codes,
# sessions; and the second step of the sign-in.
# suite: fast
use strict;
use warnings;

use lib 'tests/lib';
use Digest::SHA qw(hmac_sha1);
use Galley::Console;
use Test::More;

my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my $password = 'plum-cart-seven-windows';
my $email = 'ada@example.org';
my $at = 1_800_000_000; # the clock of all requests
sub env { return (env => { GALLEY_CLOCK => '@' . ($at + ($_[0] // 0)) * 1_000_000 }) }
sub browser { return $console->browser(env($_[0])) }

# Signs in; returns the answer.
sub sign_in {
	my ($by, $typed, @more) = @_;
	return $by->post('/sign-in', [email => $email, password => $typed, @more]);
}

# The first operator has the password.
my $ada = browser();
$ada->post('/start', [make => '']);
my $file = $galley->home . '/run/console/code.txt';
utime $at, $at, $file;
open my $open, '<', $file or die;
my ($code) = readline($open) =~ /(\S+)/;
my $started = $ada->post('/start', [code => $code, email => $email, name => 'Ada',
	password => $password]);
is $started->status, 303, 'an operator' or diag $started->text;

# ---- the page, and the password

my $page = $ada->get('/')->follow('Your account');
is $page->heading, 'Your account', 'the page is in the navigation';
my $other = browser();
sign_in($other, $password);
my $changed = $page->press('Change password', 'Present password' => 'wrong',
	'New password' => 'pear-barn-eleven-doors');
is $changed->status, 422, 'the present password must be right';
ok $changed->error('Present password'), 'else it is refused beside its field';
$changed = $page->press('Change password', 'Present password' => $password,
	'New password' => 'short');
ok $changed->error('New password'), 'a new one must be good';
my $token = $ada->cookies->{'__Host-galley'};
$changed = $page->press('Change password', 'Present password' => $password,
	'New password' => 'pear-barn-eleven-doors');
like $changed->notice, qr/password was changed/, 'the password is changed';
isnt $ada->cookies->{'__Host-galley'}, $token, 'the session has another token';
is $other->request('GET', '/')->status, 303, 'all other sessions ended';
is sign_in(browser(), $password)->status, 422, 'the old password is none';
$password = 'pear-barn-eleven-doors';

# ---- sessions

is sign_in($other, $password)->status, 303, 'the new one signs in';
$page = $ada->get('/me');
like $page->text, qr/Where you are signed in.*127\.0\.0\.1/, 'the sessions are listed';
is $page->press('End')->notice, 'Ended.', 'one of them is ended';
is $other->request('GET', '/')->status, 303, 'it is over';
my $uuid = $console->sql('SELECT uuid FROM session')->[0]{uuid};
my $eve = $console->as($console->person(email => 'eve@example.org'), env(0));
$console->sql("UPDATE session SET created_at = $at * 1000000, proved_at = $at * 1000000,"
	. " ends_at = ($at + 9000) * 1000000 WHERE uuid <> '$uuid'");
my ($form, $sent) = $ada->get('/me')->sends('Sign out everywhere');
is $eve->request('GET', '/me')->status, 200, 'another person has the same page';
is $eve->post("/me/sessions/$uuid", $sent)->status, 403, 'a form of another session is none';
is $ada->request('GET', '/')->status, 200, 'and ends nothing';

# ---- the own sign-ins

# Rows of the list, newest first: what, when, address, times.
sub events {
	my ($main) = $_[0]->body =~ m{<caption>Sign-ins and failures(.*?)</table>}s or return;
	return map { [map { s/<[^>]*>//gr } m{<t[hd]\b[^>]*>(.*?)</t[hd]>}gs] }
		$main =~ m{<tr>(<th scope="?row.*?)</tr>}gs;
}
sub note_events {
	open my $out, '>>', $galley->home . '/log/sign-in.log' or die;
	print $out map { "$_\n" } @_;
	close $out;
}
my @events = events($ada->get('/me'));
is_deeply [map { $_->[0] } @events], ['Session ended', 'Password changed', 'Wrong password',
	'Signed in', 'Became the first operator'],
	'the own sign-ins, failures and changes are listed, the newest first';
is_deeply [events($eve->get('/me'))], [], 'and nobody else\'s';
my $of_ada = $console->sql("SELECT uuid FROM person WHERE login = '$email'")->[0]{uuid};
note_events('2027-01-15T08:01:30Z wrong-password person=- address=192.0.2.201',
	map { "2027-01-15T08:02:${_}Z wrong-code person=$of_ada address=192.0.2.$_" } 10 .. 40);
rename $galley->home . '/log/sign-in.log', $galley->home . '/log/sign-in.log.1' or die;
note_events("2027-01-15T08:03:01.000000Z <b>x person=$of_ada address=<i>",
	"2027-01-15T08:02:00Z wrong-code person=$of_ada address=192.0.2.40 again=6",
	"2027-01-15T08:03:02Z sign-in person=$uuid address=192.0.2.202",
	"2027-01-15T08:03:02Z others=9", "person=$of_ada address=192.0.2.203", '',
	'x' x 9000 . " person=$of_ada address=192.0.2.204");
@events = events($ada->get('/me'));
is scalar @events, 20, 'twenty are listed';
is_deeply $events[0], ['Something else', '15 Jan 2027, 8:03', '&lt;i&gt;', 1],
	'what nobody knows is a text';
is_deeply $events[1], ['Wrong code', '15 Jan 2027, 8:02', '192.0.2.40', 7],
	'a sum belongs to its event, also in the log before';
is_deeply $events[19][2], '192.0.2.22', 'older ones are not';
unlike $ada->get('/me')->body, qr/192\.0\.2\.20\d/, 'nor what is nobody\'s, or no event';
unlink map { $galley->home . "/log/$_" } 'sign-in.log', 'sign-in.log.1';
is_deeply [events($ada->get('/me'))], [], 'no log, no list';

# ---- the authenticator

# The code that an authenticator shows (RFC 6238).
sub totp {
	my ($secret, $time) = @_;
	my $bits = join '', map { sprintf '%05b', index('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', $_) }
		split //, $secret;
	my $mac = hmac_sha1(pack('Q>', int($time / 30)), pack 'B*', $bits);
	my $offset = ord(substr $mac, -1) & 15;
	return sprintf '%06d', (unpack('N', substr $mac, $offset, 4) & 0x7fffffff) % 1_000_000;
}

my $late = browser(700);
%{ $late->cookies } = %{ $ada->cookies };
is $late->get('/me/authenticator')->heading, 'Is it you?', 'the authenticator asks who it is';
$page = $late->get('/me/authenticator')->press('Continue', Password => $password);
is $page->heading, 'Authenticator', 'and opens with the password';
my ($secret) = map { $_->{text} =~ s/ //gr } $page->all('code');
is length $secret, 32, 'the secret is shown';
ok scalar($page->all('svg')), 'and drawn';
is $page->press('Confirm', Code => '000000')->status, 422, 'a wrong code confirms nothing';
is_deeply [$page->press('Confirm', Code => '000000')->all('code')]->[0]{text},
	[$page->all('code')]->[0]{text}, 'and the secret stays';
$page = $page->press('Confirm', Code => totp($secret, $at + 700));
is $page->heading, 'Recovery codes', 'the right code does'
	or diag $page->text;
my @codes = map { $_->{text} } $page->all('code');
is scalar @codes, 10, 'ten recovery codes are shown';
is $page->press('Sign out')->heading, 'Sign in', 'that page has the session\'s token';

# ---- the second step

my $two = browser(800);
$page = sign_in($two, $password)->landed;
is $page->heading, 'Sign in', 'the password alone does not sign in';
ok $page->field('Code'), 'a code is asked for';
ok !$two->cookies->{'__Host-galley-device'}, 'the browser is not known yet';
my $half = $two->cookies->{'__Host-galley'};
for my $row ($console->routes) {
	next if $row->{access} == 2;
	my $path = $row->{path} =~ s/\b(?:W|A|ID|NAME)\b/$uuid/gr;
	my $answer = $two->request($row->{method}, $path, body => '');
	is $answer->status, 303, "a half session does not reach $row->{method} $row->{path}";
}
is $page->press('Sign in', Code => '000000')->status, 422, 'a wrong code is refused';
{
	# The way back, for a wrong account or without the authenticator.
	my $held = 'SELECT uuid FROM held';
	$console->sql('INSERT INTO held (uuid, person_id, kind, target, fields, created_at) SELECT \''
		. Galley::Console::uuid() . "', id, 'ended', '/', X'00', ${at}000000 FROM person WHERE login = '$email'");
	my ($sessions, $kept) = map { scalar @{ $console->sql($_) } } 'SELECT id FROM session', $held;
	my $by = browser(800);
	my $asked = $by->post('/sign-in', [email => $email, password => $password, then => '/me'])->landed;
	my $back = $asked->submit('Back to the first step');
	is $back->header('location'), '/console/sign-in?then=%2Fme', 'the second step has a way back';
	ok !$by->cookies->{'__Host-galley'}, 'without the half session\'s cookie';
	ok $back->landed->field('Password'), 'to the password';
	is @{ $console->sql('SELECT id FROM session') }, $sessions, 'the half session has ended';
	is @{ $console->sql($held) }, $kept, 'and what is held stays';
	is $asked->submit('Back to the first step')->header('location'), '/console/sign-in?then=%2Fme',
		'sent again it leads there, too';
	is $asked->submit('Sign in', Code => totp($secret, $at + 800))->status, 422, 'the old page signs in no more';
	$console->sql('DELETE FROM held');
}
is $page->press('Sign in', Code => totp($secret, $at + 700))->status, 422,
	'a code works once';
my $answer = $page->submit('Sign in', Code => totp($secret, $at + 800));
is $answer->status, 303, 'the right code signs in';
like $answer->header('location'), qr/wrong-codes/, 'and the person hears of the wrong ones';
isnt $two->cookies->{'__Host-galley'}, $half, 'with another token';
is $two->request('GET', '/')->status, 200, 'the session is whole';

my $three = browser(900);
$page = sign_in($three, $password)->landed;
is $page->press('Sign in', Code => '111111')->status, 422, 'wrong code' for 1 .. 5;
$answer = $page->submit('Sign in', Code => totp($secret, $at + 900));
is $answer->status, 422, 'after five wrong codes the sign-in begins again';
ok $answer->field('Password'), 'with the password';
$page = sign_in($three, $password)->landed;
is $page->press('Sign in', Code => lc $codes[0])->heading, 'Home', 'a recovery code signs in';
$page = sign_in(my $four = browser(900), $password)->landed;
is $page->press('Sign in', Code => $codes[0])->status, 422, 'once';
is $page->press('Sign in', Code => '222222')->status, 422, 'wrong code' for 1 .. 4;
$page = sign_in($four, $password)->landed;
is $page->press('Sign in', Code => '333333')->status, 422, 'wrong code' for 1 .. 5;
$page = sign_in($four, $password)->landed;
$answer = $page->submit('Sign in', Code => $codes[1]);
is $answer->status, 429, 'ten failures of all sessions make the person wait';
ok $answer->header('retry-after'), 'for a time that is told';

# ---- recovery codes and removal

$page = $three->get('/me')->follow('Authenticator and recovery codes');
my $new = $page->submit('New recovery codes');
is $new->status, 200, 'new codes are shown on the answer itself';
isnt +($new->all('code'))[0]{text}, $codes[0], 'and are others';
my ($again, $fields) = $page->sends('New recovery codes');
$new = $three->post($again->{action}, $fields, whole => 1);
unlike $new->body, qr/<code>[A-Z2-7]{4} /, 'the same form again shows none';
$page = $three->get('/me/authenticator');
is $page->press('Remove', 'New password' => 'nine-char')->status, 422,
	'without the authenticator a password must be longer';
{
	# It went meanwhile, and comes back.
	my $whose = "login = '$email'";
	$console->sql("CREATE TABLE away AS SELECT factor FROM person WHERE $whose");
	$console->sql("UPDATE person SET factor = NULL WHERE $whose");
	my $refused = $page->press('Remove', 'New password' => 'kiwi-shed-twelve-stairs');
	is $refused->status, 409, 'an authenticator that is not there is not removed';
	like $refused->text, qr/There is no authenticator any more.*Scan this/s, 'and the page says so';
	ok $refused->field('Code'), '  with the way to set one up';
	# A form that the page does not have: this instance sends no mails.
	my %form = @{ ($refused->sends('Confirm'))[1] };
	$refused = $three->post('/me/mails', [token => $form{token}, mails => 1]);
	is $refused->status, 409, 'a form that the page does not have is refused';
	like $refused->text, qr/Something is wrong.*Change password/s, '  in words, on the page';
	$refused = $page->press('New recovery codes');
	is $refused->status, 409, 'it gets no codes either';
	like $refused->text, qr/There is no authenticator any more/, '  and the page says so';
	$console->sql("UPDATE person SET factor = (SELECT factor FROM away) WHERE $whose");
	$console->sql('DROP TABLE away');
}
is $page->press('Remove', 'New password' => 'kiwi-shed-twelve-stairs')->notice,
	'The authenticator was removed. All other sessions ended.', 'it is removed';
is sign_in(browser(900), 'kiwi-shed-twelve-stairs')->landed->heading, 'Home',
	'and the password alone signs in';

# ---- the language

use utf8;
binmode Test::More->builder->$_, ':encoding(UTF-8)' for qw(output failure_output);
sub frame { return join ' ', map { $_[0]->body =~ /<html[^>]* $_="([^"]*)"/ } qw(lang dir) }
$page = $three->get('/me');
is frame($page), 'en ltr', 'a page is in English';
is $page->press('Change language', Language => 'English')->notice, 'Changed.', 'a choice';
$page = $three->get('/me');
my ($choice, $said) = $page->sends('Change language', Language => 'ar-XB');
is $three->post($choice->{action}, [map { $_ eq 'ar-XB' ? 'de' : $_ } @$said], whole => 1)->status,
	422, 'of another language is none';
$page = $page->press('Change language', Language => 'ar-XB');
is frame($page), 'ar-XB rtl', 'the next page is in the other language';
like $page->heading, qr/^\x{27e6}.*\x{27e7}$/, 'with its words';
is frame(browser(900)->get('/sign-in')), 'en ltr', 'of the sign-in the browser decides';
for my $case (['ar-XB', 'ar-XB rtl'], ['de, AR-xb-x;q=0.5, en;q=0.4', 'ar-XB rtl'],
		['en-GB,ar-XB;q=0.9', 'en ltr'], ['ar-XB;q=0, *', 'en ltr'], ['ru', 'en ltr'],
		['ar', 'ar rtl'], ['de, ar-EG', 'ar rtl'],
		[',;q=,' x 500, 'en ltr']) {
	is frame(browser(900)->request('GET', '/sign-in', headers => { 'Accept-Language' =>
		$case->[0] })), $case->[1], 'Accept-Language: ' . substr $case->[0], 0, 40;
}
is browser(900)->request('GET', '/sign-in', headers => { 'Accept-Language' => 'ar' })->heading,
	'تسجيل الدخول', 'a language of po/';
like browser(900)->request('POST', '/sign-in', body => '', headers => { 'Accept-Language' =>
	'ar-XB', Origin => undef })->text, qr/\x{27e6}/, 'a refusal has it, too';
my $store = $galley->home . '/people/console.db';
if ($galley->{database}) {
	$galley->database_at('host=/nonexistent');
} else {
	rename $store, "$store.away" or die "$store: $!";
	Galley::spew($store, 'no database' x 1000);
	chown $galley->owner_ids, $store if $> == 0;
}
my $last = browser(900)->request('GET', '/sign-in', headers => { 'Accept-Language' => 'ar' });
is frame($last), 'ar rtl', 'the last words of a console that fails, too';
like $last->text, qr{أخفقت لوحة التحكم|تعذّر على لوحة}, 'with their sentence' or diag $last->status, $last->text;
$last = $three->get('/me');
cmp_ok $last->status, '>=', 500, 'to who is signed in, as the browser asks';
if ($galley->{database}) {
	$galley->database_at($ENV{GALLEY_CLUSTER} =~ s/ .*//r);
} else {
	unlink $store;
	rename "$store.away", $store or die "$store: $!";
}
like $galley->command('person', 'set', $email, 'language=de')->{err},
	qr/does not have the language de; it has en, ar/, 'galley person set knows the languages';
$galley->must('person', 'set', $email, 'language=en');
is frame($three->get('/me')), 'en ltr', 'and sets one of them';

# ---- what a check says of a place
my $where = $galley->workspace;
$galley->must('person', 'set', $email, '--workspace', $where, '--role', 'owner');
my ($about) = $galley->import_text($where, { publish => 0 },
	"# A title\n\n## Here\n\nHere is lorem ipsum, and nothing else is.\n");
like $three->get("/$where/articles/$about/publish")->text, qr/lorem ipsum" in section "Here"/, 'a place';
$galley->must('person', 'set', $email, 'language=ar');
like $three->get("/$where/articles/$about/publish")->text, qr/القسم "Here"/, 'has its word in each language';
$galley->must('person', 'set', $email, 'language=en');

# ---- everywhere

$page = $three->get('/me')->submit('Sign out everywhere');
is $page->header('clear-site-data'), undef, 'Sign out everywhere takes no cookies of other hosts';
like $page->header('set-cookie'), qr/^__Host-galley=;[^,]*Max-Age=0[^,]*$/, 'but the session\'s alone';
is $console->sql("SELECT count(*) AS n FROM session JOIN person ON person.id = person_id"
	. " WHERE login = '$email'")->[0]{n}, 0, 'and ends all sessions';

done_testing;
