#!/usr/bin/perl
# Proves, for the build STORE=pg, that a request makes few journeys to the server (docs/postgres.md
# §5): a GET of an article one, an order five, a list three, however long its page is, and no GET more than four;
# and that 16 accounts order more than five times as fast as one when the server is 500 us away.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::FastCGI;
use Galley::PostgresProxy;
use Galley::Request qw(request_env split_answer);
use POSIX ();
use Test::More;
use Time::HiRes qw(time);

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my ($folder) = $ENV{GALLEY_CLUSTER} =~ /host=(\S+)/;
my $galley = Galley->new(conf => { jobs_per_hour => 1000 });
my $proxy = Galley::PostgresProxy->new("$folder/.s.PGSQL.5432");
my @keys = map {
	my $account = $galley->account('--credits', 100_000);
	$galley->key($galley->workspace(account => $account), 'articles:generate');
} 1 .. 17;
my $workspace = $galley->workspace;
my $reader = $galley->key($workspace);
my @ids = $galley->import_text($workspace, map { "# Title $_\n\nText.\n" } 1 .. 60);
$galley->database_at($proxy->address);

# Waits for the answer that nobody waits for, to the end of a snapshot, and returns what was seen.
sub settled {
	my $seen;
	for (1 .. 200) {
		$seen = $proxy->seen;
		last if ($seen->{messages}[-1] // '') eq '< ReadyForQuery';
		select undef, undef, undef, 0.01;
	}
	return $seen;
}

# The answer, after one that prepares the statements, and its journeys.
sub journeys {
	my ($name, $most, $ask) = @_;
	is $ask->()->{status}, 200, $name;
	settled();
	$proxy->arm;
	my $answer = $ask->();
	is $answer->{status}, 200, '  again';
	cmp_ok settled()->{trips}, '<=', $most, "  in $most journeys at most";
	return $answer;
}

sub get {
	my ($target, %option) = @_;
	my ($program, $env) = request_env('GET', $target, key => $reader, %option);
	return split_answer($galley->persistent($program, $env));
}

my $times = 0;

sub order {
	my ($key, $process) = @_;
	my ($program, $env) = request_env('POST', '/generate', key => $key, body => '{"image":false}',
		headers => { 'Idempotency-Key' => $$ . '-' . ++$times });
	return split_answer($process ? $process->request($env, '{"image":false}')
		: $galley->persistent($program, $env, '{"image":false}'));
}

my $one = journeys('an article', 1, sub { get("/articles/$ids[0]") });
is $one->{json}{data}[0]{id}, $ids[0], '  it is that one';
for my $limit (1, 20, 50) {
	my $page = journeys("a page of $limit", 3, sub { get("/articles?limit=$limit") });
	is @{ $page->{json}{data} }, $limit, '  whole';
}
journeys('the connection', 3, sub { get('/connection') });
journeys('the first page of /sync', 4, sub { get('/sync') });
order($keys[16]);
my $order = journeys('an order', 5, sub { order($keys[16]) });
is $order->{json}{status}, 'queued', '  it is queued';

# ---- at a distance

$proxy->delay(500);

# Orders of the first `count` accounts in a second.
sub orders {
	my ($count, $seconds) = @_;
	my @from;
	for my $n (0 .. $count - 1) {
		my $pid = open(my $pipe, '-|') // die "fork: $!";
		if ($pid == 0) {
			my $process = Galley::FastCGI->new($galley->programs . '/cgi-bin/generate',
				$galley->scratch . "/orders-$n.socket", [$galley->owner_ids]);
			my ($done, $wrong, $began) = (0, 0, undef);
			while (!$began || time < $began + $seconds) {
				$wrong++ if order($keys[$n], $process)->{status} != 200;
				$began ? $done++ : ($began = time);
			}
			printf "%f %d\n", $done / (time - $began), $wrong;
			STDOUT->flush;
			$process->stop;
			POSIX::_exit(0);
		}
		push @from, $pipe;
	}
	my ($sum, $wrong) = (0, 0);
	for my $pipe (@from) {
		my ($rate, $refused) = split ' ', <$pipe> // '0 1';
		$sum += $rate;
		$wrong += $refused;
		close $pipe;
	}
	is $wrong, 0, "$count accounts order";
	return $sum;
}

# Others may use the machine: one of three looks must show it.
my $times_as_many = 0;
for (1 .. 3) {
	my ($one, $many) = (orders(1, 2), orders(16, 2));
	$times_as_many = $many / ($one || 1);
	diag sprintf '%.0f and %.0f orders a second', $one, $many;
	last if $times_as_many >= 5;
}
cmp_ok $times_as_many, '>=', 5, '16 accounts order five times as much as one';
is $galley->command('verify')->{exit}, 0, 'galley verify finds nothing';
done_testing;
