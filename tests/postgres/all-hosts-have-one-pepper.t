#!/usr/bin/perl
# Proves, for the build STORE=pg, that a host with another pepper than that of the database answers
# 503 and names the file in its log, instead of 401 to every customer; that the tool says it in a
# sentence; and that the host answers once it has the file, by the same process (docs/postgres.md
# §6).
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Request qw(request_env split_answer);
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my $one = Galley->new;
my $key = $one->key($one->workspace);
my $two = $one->another_host;
my $pepper = $two->home . '/db/pepper';
my $right = Galley::slurp($pepper);

# The answer of a host's one FastCGI process.
sub ask {
	my ($host, $target) = @_;
	my ($program, $env) = request_env('GET', $target, key => $key);
	return split_answer($host->persistent($program, $env));
}

is $one->sql('SELECT count(pepper_check) AS n FROM store')->[0]{n}, 1,
	'the database knows its pepper';
unlike $one->sql('SELECT pepper_check AS it FROM store')->[0]{it}, qr/\Q@{[unpack 'H16', $right]}/,
	'but not the pepper itself';
is ask($_, '/articles')->{status}, 200, 'both hosts answer' for $one, $two;

Galley::spew($pepper, 'x' x 32);
$_->stop for values %{ $two->{fcgi} };
my $answer = ask($two, '/articles');
is_error $answer, 503, 'service_unavailable', 'with another pepper it is 503, never 401';
unlike $answer->{body}, qr/pepper/, 'which tells nothing about the machine';
like Galley::slurp($two->home . '/log/requests.log'),
	qr/\Q$pepper\E is not the pepper of this database: copy the file from a host/,
	'the log names the file, and what to do';
my $tool = $two->command(qw(account list));
isnt $tool->{exit}, 0, 'the tool refuses, too';
like $tool->{err}, qr/^galley: The pepper of this host is not that of the database\.$/m,
	'in a sentence';
is ask($one, '/articles')->{status}, 200, 'the other host answers';

# While a restore runs the file holds two.
Galley::spew($pepper, ('x' x 32) . $right);
is ask($two, '/articles')->{status}, 200, 'with both peppers of a restore it answers';
$_->stop for values %{ $two->{fcgi} };
unlink $pepper;
is ask($two, '/articles')->{status}, 500, 'without the file it is a fault, as with SQLite';
Galley::spew($pepper, $right);
chmod 0600, $pepper;
chown $two->owner_ids, $pepper if $> == 0;
is ask($two, '/articles')->{status}, 200, 'with the right file the host answers again';
done_testing;
