#!/usr/bin/perl
# Proves, for the build STORE=pg, that a request makes few round trips to the server (docs/postgres.md
# §5): a GET whose answer is in memory one, an article and most others two, a list three, however long its
# page is, an order six; and that 16 accounts order more than five times as fast as one when the
# server is 500 us away.
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

# Returns the messages of a request and its round trips. `ends`: it has a snapshot, to whose end nobody
# waits for the answer, so this does.
sub seen_of {
	my ($ends, $ask) = @_;
	$proxy->arm;
	my $answer = $ask->();
	for (1 .. 1000) {
		my $seen = $proxy->seen;
		my $text = join "\n", @{ $seen->{messages} };
		return ($answer, $text, $seen->{trips})
			if $text =~ /< ReadyForQuery\z/ && (!$ends || $text =~ /> Execute COMMIT\n/);
		select undef, undef, undef, 0.01;
	}
	die 'the answer to the end did not come';
}

# The answer, after one that prepares the statements, and its round trips: the end of a snapshot is one
# more, which comes last.
sub trips {
	my ($name, $wanted, $ends, $ask) = @_;
	is((seen_of($ends, $ask))[0]{status}, 200, $name);
	my ($answer, $text, $trips) = seen_of($ends, $ask);
	is $answer->{status}, 200, '  again';
	is $trips, $wanted + $ends, "  in $wanted round trips";
	like $text, qr/^< ReadyForQuery\n> Bind COMMIT\n> Describe\n> Execute COMMIT\n> Sync\n(?:< .*\n?)*\z/m,
		'  nobody waits for the end' if $ends;
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

# Every GET is asked by another target, and so never in memory: articles of UUIDs that were not asked yet,
# a limit, a time.
my ($article, $since) = (0, 0);
my $one = trips('an article', 2, 1, sub { get('/articles/' . $ids[$article++]) });
is $one->{json}{data}[0]{id}, $ids[1], '  it is that one';
for (1, 20, 50) {
	my $limit = $_;
	my $page = trips("a page of $limit", 3, 1, sub { get('/articles?limit=' . $limit++) });
	is @{ $page->{json}{data} }, $limit - 1, '  whole';
}
trips('the first page of /sync', 2, 1, sub { get('/sync?since=2026-01-01T00:00:0' . $since++ . 'Z') });
trips("$_, in memory", 1, 0, sub { get($_) }) for "/articles/$ids[2]", '/articles?limit=20', '/connection', '/sync';
my @others = map { $galley->key($galley->workspace) } 1, 2;
trips('the connection', 2, 1, sub { get('/connection', key => shift @others) });
trips('an article, with a tag that it does not have', 3, 1,
	sub { get('/articles/' . $ids[10 + $article++], headers => { 'If-None-Match' => '"x"' }) });
order($keys[16]);
my $order = trips('an order', 6, 0, sub { order($keys[16]) });
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
