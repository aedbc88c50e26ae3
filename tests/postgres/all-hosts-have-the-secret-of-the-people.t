#!/usr/bin/perl
# Proves, for the build STORE=pg, that a host with another people/secret than that of the database lets
# nobody in and says why (docs/postgres.md §6): its console is 503 and its log names the file, instead of
# a wrong password for everybody and throttles of its own; the API goes on; doctor and the tool say it
# in a sentence; with the right file the same process goes on. That a restore with people makes their
# secret that of the database, so that another host is 503 until it has the file, and that such a
# restore goes on wherever it was killed. And that a database which knows no secret learns it.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Console;
use Galley::Process qw(run_program);
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my $URL = 'https://galley.example';
my $password = 'plum-cart-nine-walls';

sub secret_of { return $_[0]->home . '/people/secret' }

# Writes a file of an instance's user, in place of the one that is there.
sub put {
	my ($host, $path, $bytes) = @_;
	Galley::spew($path, $bytes);
	chmod 0600, $path;
	chown $host->owner_ids, $path if $> == 0;
}

# Makes a pair of hosts.
sub pair {
	my $one = Galley->new(build => 'test', conf => { public_url => $URL });
	return ($one, $one->another_host(build => 'test'));
}

sub log_of { return join '', map { Galley::slurp($_) } glob $_[0]->home . '/log/*' }
sub page { return Galley::Console->of($_[0], $URL)->browser->request('GET', '/sign-in') }

# What galley doctor says of the server.
sub finding {
	my ($host) = @_;
	my $done = run_program([$host->programs . '/bin/galley', 'doctor']);
	my ($level, $said) = $done->{out} =~ /^(\w+) +server +(.*)/m;
	return "$level: " . $said =~ s/; fix: /; /r;
}

# ---- another secret

my ($one, $two) = pair();
my $key = $one->key($one->workspace);
my %console = (one => Galley::Console->of($one, $URL), two => Galley::Console->of($two, $URL));
my $start = $console{one}->browser;
$start->get('/start')->press('Make a code');
my ($code) = Galley::slurp($one->home . '/run/console/code.txt') =~ /^(\S+)/;
is $start->get('/start')->press('Continue', Code => $code)->press('Continue', 'E-mail' => 'olga@example.org',
	Name => 'Olga', 'New password' => $password)->heading, 'Home', 'an operator is there';

sub sign_in {
	my ($name) = @_;
	return $console{$name}->browser->post('/sign-in', [email => 'olga@example.org', password => $password])->status;
}
is sign_in($_), 303, "and signs in at host $_" for qw(one two);
is $one->sql('SELECT count(pepper_check) AS n FROM store', 'console')->[0]{n}, 1, 'the database knows the secret';
unlike $one->sql('SELECT pepper_check AS it FROM store', 'console')->[0]{it},
	qr/\Q@{[unpack 'H16', Galley::slurp(secret_of($one))]}/, 'but not the secret itself';
like finding($two), qr/^ok: /, 'doctor finds nothing';

my $right = Galley::slurp(secret_of($two));
put($two, secret_of($two), 'x' x 32);
$_->stop for values %{ $two->{fcgi} };
is sign_in('two'), 503, 'with another secret nobody is told of a wrong password';
like log_of($two), qr/\Q@{[secret_of($two)]}\E is not the secret of the people in this database: copy the file from a host/,
	'the log names the file, and what to do';
unlike page($two)->text, qr/secret/, 'which no page tells';
is $two->get('/articles', key => $key)->{status}, 200, 'its API goes on';
is sign_in('one'), 303, 'so does the other host';
my $tool = $two->command(qw(person list));
isnt $tool->{exit}, 0, 'the tool refuses';
like $tool->{err}, qr{^galley: The file people/secret of this host is not that of the database\.$}m, 'in a sentence';
like finding($two), qr{^BAD: the file people/secret of this host is not that of the database; copy people/secret from},
	'doctor says it, with the fix';
put($two, secret_of($two), $right);
is sign_in('two'), 303, 'with the right file the host goes on';

unlink secret_of($two);
like finding($two), qr{^BAD: \S+/people/secret: No such file.*; copy the file}, 'doctor names a file that is missing';
put($two, secret_of($two), $right);

# ---- a database that does not know it

$one->sql('UPDATE console.store SET pepper_check = NULL');
is sign_in('two'), 303, 'a database that knows no secret compares none';
like finding($one), qr/^warn: the database does not know people\/secret.*; say galley migrate/, 'doctor warns';
is $one->command('migrate')->{exit}, 0, 'galley migrate';
like finding($one), qr/^ok: /, 'makes it that of this host';
is sign_in('two'), 303, 'and all go on';

# ---- a restore with people

my $folder = $one->folder_of_owner('archives');
$one->must('backup', "$folder/people.tar");
my ($new, $second) = pair();
is page($_)->status, 200, 'two hosts without people answer' for $new, $second;
for my $fault ('restore-people:1', 'exchange-before-commit:2') {
	my $done = $new->command({ env => { GALLEY_FAULT => "$fault:kill" } }, qw(restore --yes --people), "$folder/people.tar");
	is $done->{signal}, 9, "a restore is killed at $fault";
	is scalar @{ $new->must(qw(person list)) }, 0, 'nobody is there yet';
}
is $new->command(qw(restore --yes --people), "$folder/people.tar")->{exit}, 0, 'said again it goes on';
is page($new)->status, 200, 'the host that restored answers';
is scalar @{ $new->must(qw(person list)) }, 1, 'with its people';
is page($second)->status, 503, 'the other one says 503, with the connection that it had';
put($second, $second->home . '/db/pepper', Galley::slurp($new->home . '/db/pepper'));
is page($second)->status, 503, 'also with the pepper';
like log_of($second), qr{/people/secret is not the secret of the people}, 'its log names the other file';
put($second, secret_of($second), Galley::slurp(secret_of($new)));
is page($second)->status, 200, 'with both files it answers';
like finding($second), qr/^ok: /, 'and doctor finds nothing';
is $new->command('verify')->{exit}, 0, 'nor does galley verify';
done_testing;
