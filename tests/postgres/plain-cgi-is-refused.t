#!/usr/bin/perl
# Proves, for the build STORE=pg, that a program which the web server starts as plain CGI answers
# 503 with the body of every refusal, and that the log names the reason (docs/postgres.md §1); and
# that the tool works, and the same program answers a shell.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use Galley::Request qw(request_env split_answer);
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my $galley = Galley->new;
my $key = $galley->key($galley->workspace, qw(articles:read articles:generate));
my $log = $galley->home . '/log/requests.log';
my %order = (body => '{"type":"research","topic":"Paper"}',
	headers => { 'Idempotency-Key' => 'plain', 'Content-Type' => 'application/json' });

for my $ask (['GET', '/articles'], ['GET', '/sync'], ['POST', '/generate', %order]) {
	my ($method, $target, %option) = @$ask;
	my ($program, $env) = request_env($method, $target, key => $key, %option);
	my @run = (["@{[$galley->programs]}/cgi-bin/$program"], env => $env,
		input => $option{body}, as => [$galley->owner_ids]);
	my $plain = split_answer(run_program(@run, plain => 1));
	is_error $plain, 503, 'service_unavailable', "$method $target: plain CGI is refused";
	is $plain->{headers}{'retry-after'}, 60, 'with the seconds to wait';
	unlike $plain->{body}, qr/CGI|PostgreSQL|STORE/, 'and nothing about the machine';
	like Galley::slurp($log), qr/$plain->{headers}{'x-request-id'} .*by FastCGI only.*plain CGI/,
		'the log names the reason';
	isnt split_answer(run_program(@run))->{status}, 503, 'by FastCGI it is not';
}
my $console = split_answer(run_program([$galley->programs . '/cgi-bin/console'], plain => 1,
	as => [$galley->owner_ids], env => { GATEWAY_INTERFACE => 'CGI/1.1', PATH => '/usr/bin:/bin',
		SERVER_PROTOCOL => 'HTTP/1.1', REQUEST_METHOD => 'GET', HTTP_HOST => '127.0.0.1',
		HTTPS => 'on', REMOTE_ADDR => '127.0.0.1', SCRIPT_NAME => '/console',
		PATH_INFO => '/sign-in', REQUEST_URI => '/console/sign-in' }));
is $console->{status}, 503, 'the console refuses, too';
like $console->{body}, qr/<html/, 'in its own form';

my $shell = run_program([$galley->programs . '/cgi-bin/articles', 'GET', '/', '--key', $key,
	'--instance', $galley->home], env => { PATH => '/usr/bin:/bin' }, as => [$galley->owner_ids]);
like $shell->{out}, qr/^Status: 200 /, 'a shell is answered';
is $galley->command(qw(account list))->{exit}, 0, 'the tool works';
done_testing;
