#!/usr/bin/perl
# Proves, for the build STORE=pg, that the limit of a key is exact over all hosts (docs/postgres.md
# §6): four hosts, one key, 200 requests at the same time, 120 are answered; that they count failures
# of keys from an address together; and that the count comes in the message that asks for the key.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Request qw(request_env split_answer);
use POSIX ();
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my $one = Galley->new(conf => { requests_per_minute => 120 });
my $workspace = $one->workspace;
my @keys = map { $one->key($workspace) } 1, 2;
my @hosts = ($one, map { $one->another_host } 2 .. 4);

# The answer of a host's one FastCGI process.
sub ask {
	my ($host, $key, %option) = @_;
	my ($program, $env) = request_env('GET', '/connection', key => $key, %option);
	return split_answer($host->persistent($program, $env));
}

# Each host has processes of its own; all begin at once.
pipe my $gate, my $open or die "pipe: $!";
pipe my $ready, my $said or die "pipe: $!";
my @children;
for my $n (0 .. 7) {
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		close $open;
		my $host = $hosts[$n % 4];
		my $process = Galley::FastCGI->new($host->programs . '/cgi-bin/connection',
			$host->home . "/run/test-$n.socket", [$host->owner_ids]);
		my ($program, $env) = request_env('GET', '/connection', key => $keys[0]);
		my ($other, $warm) = request_env('GET', '/connection', key => $keys[1]);
		$process->request($warm);
		syswrite $said, 'r';
		sysread $gate, my $byte, 1;
		my $answered = grep { $process->request($env)->{out} =~ /^Status: 200 / } 1 .. 25;
		$process->stop;
		POSIX::_exit($answered);
	}
	push @children, $pid;
}
close $gate;
for (@children) { sysread $ready, my $byte, 1 or die 'a child ended' }
close $open;
my @answered = map { waitpid $_, 0; $? >> 8 } @children;
my $sum = 0;
$sum += $_ for @answered;
is $sum, 120, "200 requests at four hosts: 120 are answered (@answered)";
my $refused = ask($one, $keys[0]);
is_error $refused, 429, 'rate_limited', 'the next one is refused';
like $refused->{headers}{ratelimit}, qr/^"key";r=0;t=\d+$/, 'with what is left';
cmp_ok $refused->{headers}{'retry-after'}, '<=', 60, 'and the seconds to wait';
like ask($hosts[2], $keys[1])->{headers}{ratelimit}, qr/^"key";r=111;/,
	'another key has a window of its own, of nine requests';

# Keys that fail, from one address at four hosts.
my $unknown = $one->key($workspace);
$one->must(qw(key revoke), $one->must(qw(key list --workspace), $workspace)->[-1]{id});
my @failures = map { ask($hosts[$_ % 4], $unknown, env => { REMOTE_ADDR => '192.0.2.7' })->{status} }
	1 .. 32;
is join(' ', @failures), join(' ', (401) x 30, (429) x 2), 'thirty failures of an address, at all hosts';
is ask($one, $unknown, env => { REMOTE_ADDR => '192.0.2.8' })->{status}, 401, 'another one may fail';
is ask($one, $keys[1], env => { REMOTE_ADDR => '192.0.2.7' })->{status}, 200, 'a good key is answered';

# The tool knows when a key was used last.
my ($used) = grep { defined $_->{last_used_at} } @{ $one->must(qw(key list --workspace), $workspace) };
like $used->{last_used_at} // '', qr/^20\d\d-/, 'the last use of a key is known';

# An unlogged table costs no write to the disk, and is empty after a crash of the server.
is $one->sql("SELECT count(*) AS n FROM pg_class WHERE relname LIKE 'limit\\_%' AND relkind = 'r'"
	. " AND relpersistence = 'u'")->[0]{n}, 3, 'the tables are not logged';
done_testing;
