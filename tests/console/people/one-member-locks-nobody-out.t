#!/usr/bin/perl
# suite: fast
# A member who signs in as often as possible, or opens many pages, keeps nobody else from signing in
# and gets no tries more than others (docs/console.md §3.1, §3.3, §3.5), through the program.
use strict;
use warnings;

use Fcntl qw(F_SETLK F_WRLCK O_CREAT O_RDWR);

use lib 'tests/lib';
use Galley::Console;
use Test::More;

my $console = Galley::Console->new(build => 'test');
my $home = $console->galley->home;
my $workspace = $console->galley->workspace;
my $password = 'plum-cart-seven-windows';
my $clock = 40 * 86400;

# One password is hashed, and is that of all.
my $start = $console->browser;
$start->post('/start', [make => '']);
my ($code) = Galley::slurp("$home/run/console/code.txt") =~ /^(\S+)/;
$start->get('/start')->press('Continue', Code => $code)->press('Continue', 'E-mail' => 'first@example.org',
	Name => 'First', 'New password' => $password);
sub person {
	my $person = $console->person(@_, role => 'writer', workspace => $workspace);
	$console->sql("UPDATE person SET password = (SELECT password FROM person WHERE login ="
		. " 'first\@example.org') WHERE id = $person->{id}");
	return $person;
}

# Each try comes from an address of its own, or from that one.
my $host = 0;
sub try {
	my ($person, $typed, %option) = @_;
	$option{address} //= sprintf '198.51.%d.%d', ++$host / 250, $host % 250;
	return ($option{browser} // $console->browser)->post('/sign-in',
		[email => $person->{email}, password => $typed],
		env => { REMOTE_ADDR => $option{address}, GALLEY_CLOCK => $clock + ($option{at} // 0) });
}

# Keeps slots of hashing: their numbers. A lock goes with the process that has it.
sub busy {
	my @held;
	for (@_) {
		sysopen my $file, "$home/run/console/hashing-$_", O_RDWR | O_CREAT or die "hashing-$_: $!";
		chmod 0666, $file;
		my $whole = pack 'ssx4qql', F_WRLCK, 0, 0, 0, 0;
		fcntl $file, F_SETLK, $whole or die "hashing-$_: $!";
		push @held, $file;
	}
	return \@held;
}

# ---- a 503 is no failure

my $anna = person(email => 'anna@example.org');
my $held = busy(0 .. 3);
my @answers = map { try($anna, $password) } 1 .. 15;
is_deeply [map { $_->status } @answers], [(503) x 15], 'while all slots are taken nobody signs in';
is $answers[14]->header('retry-after'), 2, '  who is told when to come again';
undef $held;
is try($anna, $password)->status, 303, 'when one is free, the person is not locked out';

# Failures before it are not forgotten: else a busy console would be a way to try more.
my $ben = person(email => 'ben@example.org');
is try($ben, 'wrong-wrong-wrong')->status, 422, 'a wrong password' for 1 .. 9;
$held = busy(0 .. 3);
is try($ben, $password)->status, 503, 'a try that finds no slot' for 1 .. 3;
undef $held;
is try($ben, 'wrong-wrong-wrong')->status, 422, 'a tenth failure';
is try($ben, $password)->status, 429, 'then the person waits';

# A step-up, too.
my $here = $console->as($anna, proved => 3600);
$held = busy(0 .. 3);
my $page = $here->get('/me');
my $change = sub {
	return $page->submit('Change password', 'Present password' => $_[0], 'New password' => 'x');
};
is $change->($password)->status, 503, 'without a slot a present password is not compared' for 1 .. 12;
undef $held;
is $change->('wrong-wrong-wrong')->status, 422, '  and that is no failure either';

# ---- right passwords

my $cleo = person(email => 'cleo@example.org');
my $known = $console->browser;
is try($cleo, $password, browser => $known)->status, 303, 'a member signs in';
is_deeply [map { try($cleo, $password, browser => $_ % 2 ? $known : undef)->status } 2 .. 20],
	[(303) x 19], '  twenty times';
my $more = try($cleo, $password);
is $more->status, 429, '  and then waits';
like $more->header('retry-after'), qr/^(?:600|[1-5]\d\d)$/, '  for ten minutes at most';
is try($cleo, $password, browser => $known)->status, 429, '  in a browser that is known, too';
is try($anna, $password)->status, 303, '  and nobody else does';
is try($cleo, $password, at => 601)->status, 303, 'ten minutes after the first it may come';

# ---- sessions

sub sessions {
	my ($person) = @_;
	return $console->sql("SELECT count(*) AS n FROM session WHERE person_id = $person->{id}")->[0]{n};
}
my $dora = person(email => 'dora@example.org');
my @own = map { $console->as($dora, proved => 600 - $_) } 1 .. 60;
is sessions($dora), 60, 'a person of an older release has sixty sessions';
my $browser = $console->browser;
is $browser->post('/sign-in', [email => $dora->{email}, password => $password])->status, 303,
	'and signs in';
is sessions($dora), 50, 'fifty are left';
is $browser->get('/')->status, 200, 'this one';
is $own[59]->get('/')->status, 200, 'the newest';
is $own[0]->request('GET', '/')->status, 303, 'and not the oldest';

# ---- a proxy

# Addresses have places for a day; sessions begin today.
my $eve = person(email => 'eve@example.org');
my $at = '203.0.113.5';
my $reader = $console->as($eve, env => { REMOTE_ADDR => $at });
is $reader->request('GET', '/me')->status, 200, 'a member looks at pages' for 1 .. 95;
is try({ email => "x$_\@example.org" }, 'wrong-wrong-wrong', address => $at, at => -$clock)->status, 422,
	'a stranger fails there' for 1 .. 30;
is try({ email => 'y@example.org' }, 'wrong-wrong-wrong', address => $at, at => -$clock)->status, 429,
	'thirty failures are enough, however many pages a member opens';
$_->request('GET', '/me', env => { REMOTE_ADDR => $at })
	for map { $console->as($_) } $anna, $cleo, map { person() } 1 .. 30;
is try({ email => 'z@example.org' }, 'wrong-wrong-wrong', address => $at, at => -$clock)->status, 422,
	'where nearly all people come from, an address refuses nobody';

done_testing;
