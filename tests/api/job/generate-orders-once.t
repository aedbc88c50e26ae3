# Proves that orders at once make one job for one Idempotency-Key, never more jobs than the credits
# pay for, and never more than the hour allows; and that a killed order leaves nothing, or the whole
# order (docs/contract.md §4.6, docs/platform.md §3.5 K1 to K6, C1 to C3).
# suite: postgres
use strict;
use warnings;
use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use Time::HiRes ();
use Galley;
use JobRun;

my $jobs = JobRun->new(credits => 20);
my $galley = $jobs->galley;
my $plain = { image => JSON::PP::false };

sub count { return $galley->sql("SELECT count(*) AS n FROM $_[0]")->[0]{n} }

# fifty equal orders
my @same = JobRun::at_once(map {
	sub {
		my $answer = $jobs->order('same', $plain);
		return [ @{$answer}{qw(status exit json)},
			$answer->{headers}{'idempotent-replayed'} // 'no' ];
	}
} 1 .. 50);
is scalar(grep { $_->[0] == 200 && $_->[1] == 0 } @same), 50,
	'50 equal orders at once: 50 answers';
my %answers = map { Galley::JSON->new->canonical->encode($_->[2]) => 1 } @same;
is scalar(keys %answers), 1, 'all equal';
is scalar(grep { $_->[3] eq 'no' } @same), 1, 'one of them made the job';
is count('job'), 1, 'one job';
is count("ledger WHERE kind = 'reserve'"), 1, 'one reservation';

# forty orders with credits for seven
$galley->must(qw(credits grant), $jobs->account, 140, '--ref', 'for seven');
my @poor = JobRun::at_once(map {
	my $n = $_;
	sub { return $jobs->order("different-$n", $plain)->{status} }
} 1 .. 40);
is scalar(grep { $_ == 200 } @poor), 7, '40 orders, credits for 7: 7 jobs';
is scalar(grep { $_ == 402 } @poor), 33, 'and 33 times 402';
is_deeply $jobs->balance,
	{ granted => 160, available => 0, reserved => 160, spent => 0 },
	'the account is empty, not overdrawn';

# twenty-five orders in an hour that allows twenty
my $busy = JobRun->new(credits => 100000, conf => { jobs_per_hour => 20 });
my @hour = JobRun::at_once(map {
	my $n = $_;
	sub {
		my $answer = $busy->order("hour-$n", $plain);
		return [ $answer->{status}, $answer->{headers}{'retry-after'},
			$answer->{json}{code} ];
	}
} 1 .. 25);
is scalar(grep { $_->[0] == 200 } @hour), 20, '25 orders in an hour: 20 jobs';
my @late = grep { $_->[0] == 429 } @hour;
is scalar(@late), 5, 'and 5 times 429';
is scalar(grep { $_->[1] > 3590 && $_->[1] <= 3600 } @late), 5,
	'with the wait';

# The wait is exact, whatever the clock does. Seconds may pass between the reading of the clock and
# the order.
my @around = Time::HiRes::time();
my $again = $busy->order('exact', $plain);
push @around, Time::HiRes::time();
my $wait = $again->{headers}{'retry-after'};
my $end = 3600 + $busy->galley->sql('SELECT min(created_at) AS t FROM job')
	->[0]{t} / 1e6;
ok $wait < $end - $around[0] + 2 && $wait > $end - $around[1] - 2,
	"Retry-After is exact: $wait";
my $number = 0;
for my $case ([sub { -86400 }, 200], [sub { -3600 }, 200],
	[sub { int $end - 30 - time }, 429], [sub { int $end + 2 - time }, 200],
	[sub { 7200 }, 200], [sub { 86400 }, 200]) {
	my ($step, $status) = ($case->[0]->(), $case->[1]);
	my $answer = $busy->order('at-' . ++$number, $plain,
		env => { GALLEY_CLOCK => $step });
	is $answer->{status}, $status, "an order at $step s";
}
is_error $busy->order('still', $plain), 429, 'rate_limited',
	'jobs made by a clock ahead or behind do not empty the hour';
$busy->galley->conf(jobs_per_hour => 2);
@around = Time::HiRes::time();
my $fewer = $busy->order('fewer', $plain);
push @around, Time::HiRes::time();
is $fewer->{status}, 429, 'a smaller limit';
my $rows = $busy->galley->sql('SELECT created_at AS t FROM job WHERE created_at'
	. ' <= ' . int($around[1] * 1e6) . ' ORDER BY created_at DESC LIMIT 2');
$end = $rows->[1]{t} / 1e6 + 3600;
$wait = $fewer->{headers}{'retry-after'};
ok $wait < $end - $around[0] + 2 && $wait > $end - $around[1] - 2,
	'waits until few enough are left';
$busy->galley->conf(jobs_per_hour => 0);
is $busy->order('no limit', $plain)->{status}, 200, 'no limit';
is $busy->broken, '', 'verify finds nothing';

# A kill anywhere in an order
my $killed = JobRun->new(credits => 10000);
my %left = ('db-begun' => 0, 'order-looked-up' => 0, 'job-inserted' => 0,
	'ledger-added' => 0, 'job-reserved' => 0, 'db-before-commit' => 0,
	'db-after-commit' => 1, 'before-answer' => 1);
for my $place (sort keys %left) {
	my $env = { GALLEY_FAULT => "$place:1:kill" };
	my $before = $killed->balance;
	my $dead = $killed->order("killed-$place", $plain, env => $env);
	is $dead->{signal}, 9, "killed at $place";
	is $before->{available} - $killed->balance->{available},
		20 * $left{$place}, '  reserved: ' . ($left{$place} ? 'all' : 'nothing');
	my $retry = $killed->order("killed-$place", $plain);
	is $retry->{status}, 200, '  the same order again';
	is $retry->{headers}{'idempotent-replayed'},
		$left{$place} ? 'true' : undef, '  is new, or found';
	is $before->{available} - $killed->balance->{available}, 20,
		'  reserved once';
}
is $killed->galley->sql('SELECT count(*) AS n FROM job')->[0]{n},
	scalar(keys %left), 'one job for each';
is $killed->broken, '', 'verify finds nothing';
done_testing;
