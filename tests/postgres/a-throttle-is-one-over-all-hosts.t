#!/usr/bin/perl
# Proves, for the build STORE=pg, that tries to sign in are counted over all hosts (docs/postgres.md
# §6): wrong passwords for one person, and those from one address, wherever they are sent, also at the
# same time; that a right one is given back at all hosts; that a browser that is known does not wait
# for others; and that the table holds no address and no login, and is not logged.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley::Console;
use POSIX ();
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my $first = Galley::Console->new(build => 'test');
my $one = $first->galley;
my $password = 'plum-cart-nine-walls';
my $known = $first->browser;
$known->get('/start')->press('Make a code');
my ($code) = Galley::slurp($one->home . '/run/console/code.txt') =~ /^(\S+)/;
is $known->get('/start')->press('Continue', Code => $code)->press('Continue', 'E-mail' => 'olga@example.org',
	Name => 'Olga', 'New password' => $password)->heading, 'Home', 'an operator is there';

# Every host has the key of the day from the database: its task runner writes it.
my @hosts = ($one, map { $one->another_host(build => 'test') } 2 .. 3);
sub runner {
	my ($host) = @_;
	return Galley::Process::run_program([$host->programs . '/bin/task-runner', '--once'],
		as => [$host->owner_ids])->{exit};
}
is runner($_), 0, 'the task runner of a host runs' for @hosts;
my @consoles = ($first, map { Galley::Console->of($_, 'https://galley.example') } @hosts[1, 2]);

# Returns the answer of a host to a try.
sub try_at {
	my ($host, $login, $typed, $address, %option) = @_;
	my $browser = $option{browser} // $consoles[$host]->browser;
	return $browser->post('/sign-in', [email => $login, password => $typed],
		env => { REMOTE_ADDR => $address, %{ $option{env} // {} } });
}
sub statuses { return join ' ', map { $_->status } @_ }

# A right password is given back at all hosts.
is statuses(map { try_at($_ % 3, 'olga@example.org', $password, '192.0.2.80') } 1 .. 12), join(' ', (303) x 12),
	'twelve right passwords are no failure';
$known = $first->browser;
try_at(0, 'olga@example.org', $password, '192.0.2.81', browser => $known);

# Ten failures of a login, whether or not somebody has it, at any hosts.
for my $login ('olga@example.org', 'nobody@example.org') {
	is statuses(map { try_at($_ % 3, $login, 'wrong-wrong-wrong', "192.0.2.$_") } 1 .. 10),
		join(' ', (422) x 10), "ten failures of $login at three hosts";
	my @then = map { try_at($_, $login, $password, '192.0.2.99') } 0 .. 2;
	is statuses(@then), '429 429 429', 'then a wait at each';
	like $then[2]->header('retry-after'), qr/^(?:[1-9]|[1-5]\d|60)$/, 'of a minute at most';
}

my $device = '__Host-galley-device';
my $there = $consoles[2]->browser;
$there->cookies->{$device} = $known->cookies->{$device};
is try_at(2, 'olga@example.org', $password, '192.0.2.98', browser => $there)->status, 303,
	'but not in a browser that is known, at any host';

# Thirty failures of an address.
is statuses(map { try_at($_ % 3, "x$_\@example.org", 'wrong-wrong-wrong', '198.51.100.1') } 1 .. 30),
	join(' ', (422) x 30), 'thirty failures of an address at three hosts';
is statuses(map { try_at($_, 'y@example.org', 'wrong-wrong-wrong', '198.51.100.1') } 0 .. 2),
	'429 429 429', 'then it waits at each';
is try_at(1, 'y@example.org', 'wrong-wrong-wrong', '198.51.100.2')->status, 422, 'another one may try';

# All at once: of 24 tries at a login ten may come.
my @children = map {
	my $n = $_;
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		my $came = grep {
			try_at($n % 3, 'crowd@example.org', 'wrong-wrong-wrong', "203.0.113.$n")->status == 422
		} 1 .. 4;
		POSIX::_exit($came);
	}
	$pid;
} 1 .. 6;
my $came = 0;
for my $pid (@children) {
	waitpid $pid, 0;
	$came += $? >> 8;
}
is $came, 10, 'of 24 tries at the same time ten may come';

# The table.
is $one->sql("SELECT relpersistence AS p FROM pg_class WHERE relname = 'limit_place'", 'console')->[0]{p},
	'u', 'the table is not logged';
my $rows = $one->sql("SELECT number || ' ' || encode(bytes, 'escape') AS t FROM limit_place", 'console');
cmp_ok scalar @$rows, '>', 20, 'it has places';
unlike join("\n", map { $_->{t} } @$rows), qr/example|olga|198[.]51/, 'that name nobody';
cmp_ok -s $_->home . '/run/console/throttle' // 0, '<=', 4096, 'and no host has a count of tries of its own'
	for @hosts;
done_testing;
