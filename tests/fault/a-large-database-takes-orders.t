#!/usr/bin/perl
# The installed programs, with all their limits, take and do 5,000 orders on a database of 700 MB.
# Proves that no limit of a process limits the database (docs/platform.md §7: a limit on the size
# of files would fail every checkpoint, and then every write, for ever).
#
# It runs only with GALLEY_LARGE_ORDERS, the number of orders: make check-large.
use strict;
use warnings;
use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use Galley;
use JobRun;

my $orders = $ENV{GALLEY_LARGE_ORDERS}
	or plan skip_all => 'it takes minutes: make check-large';
my $mib = 700;
my $jobs = JobRun->new(build => '', credits => 20 * $orders,
	provider => 'instant', conf => { kept_answers => 0 });
my $galley = $jobs->galley;
my $db = $galley->home . '/db/galley.db';

# A table that no program uses makes the database large.
$galley->sql('CREATE TABLE ballast (x)');
$galley->sql('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n'
	. ' WHERE i < 50) INSERT INTO ballast SELECT randomblob(1048576) FROM n;'
	. ' PRAGMA wal_checkpoint(TRUNCATE)') for 1 .. $mib / 50;
cmp_ok -s $db, '>', $mib << 20, "the database has $mib MiB";
my $before = -s $db;

my ($largest, @wrong) = 0;
for my $n (1 .. $orders) {
	my $answer = $jobs->order("order-$n", { image => JSON::PP::false,
		autoPublish => JSON::PP::true });
	push @wrong, "order $n: $answer->{status}" if $answer->{status} != 200;
	my $log = -s "$db-wal" // 0;
	$largest = $log if $log > $largest;
	next if $n % 500 && $n != $orders;
	my $run = $jobs->run(seconds => 600);
	push @wrong, "run after $n: $run->{err}" if $run->{exit} || $run->{signal};
	my $page = $galley->get('/articles?limit=100', key => $jobs->key);
	diag "$n orders, the log had at most $largest bytes";
	push @wrong, "page after $n: $page->{status}" if $page->{status} != 200;
}
is_deeply \@wrong, [], "$orders orders and their work: all answered";
cmp_ok $largest, '<', 1 << 20, 'the log stays short' or diag $largest;
is $galley->sql("SELECT count(*) AS n FROM job WHERE status = 'completed'")->[0]{n},
	$orders, 'every job is completed';
is scalar(@{ $galley->sql('SELECT 1 FROM edition') }), $orders, 'and published';
cmp_ok -s $db, '>', $before, 'the database has grown';
is $galley->command({ seconds => 600 }, 'backup', $galley->home . '/db/b.tar')
	->{exit}, 0, 'it can be backed up';
is $galley->command({ seconds => 600 }, 'verify')->{exit}, 0, 'and is sound';
done_testing;
