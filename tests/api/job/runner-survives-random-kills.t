# Orders and runners work at once and are killed at random moments and places. Proves that
# afterwards every job has ended once, every reservation is closed once, and every article is
# there once and whole (docs/platform.md §3.3, §3.5).
#
# There are 60 jobs, or GALLEY_KILL_JOBS (`make check-kill`: 500). The seed is printed;
# GALLEY_KILL_SEED repeats its choices, though not its timing.
# suite: slow
use strict;
use warnings;
use lib 'tests/lib';
use Galley::JSON ();
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep time);
use JobRun;

my $wanted = $ENV{GALLEY_KILL_JOBS} || 60;
my $seed = $ENV{GALLEY_KILL_SEED} || time ^ $$;
my $limit = 60 + $wanted;
srand $seed;
diag "seed $seed, $wanted jobs";

my $jobs = JobRun->new(credits => 20 * $wanted, conf => { runner_seconds => 2 });
my $galley = $jobs->galley;
my @topics = ('Bees', 'Bees', 'steps 3x0.01', 'steps 3x0.01', 'retry 1',
	'refuse provider_refused', 'signal 9', 'fork', 'complain', 'garbage');
my @order_places = qw(db-begun order-looked-up job-inserted ledger-added
	job-reserved db-before-commit db-after-commit before-answer);
my @runner_places = qw(db-begun db-before-commit db-after-commit job-claim-written
	runner-claimed provider-started provider-step-read job-step-written
	runner-result job-article-inserted job-article-published ledger-added
	job-settled job-completed job-refunded job-failed runner-failed
	runner-finished runner-house);

sub any { return $_[rand @_] }

# Plays one client: it repeats each order until it is answered, killed or not.
sub order_all {
	my ($client, $count) = @_;
	my %id;
	for my $n (1 .. $count) {
		my $topic = any(@topics);
		for my $try (1 .. 50) {
			my %env = rand() < 0.3
				? (GALLEY_FAULT => any(@order_places) . ':1:kill') : ();
			my $answer = $jobs->order("client-$client-$n", {
				topic => $topic, image => JSON::PP::false,
				autoPublish => $n % 2 ? JSON::PP::true
					: JSON::PP::false }, env => \%env);
			if ($answer->{status} == 200) {
				$id{ $answer->{json}{id} } = $topic;
				last;
			}
			sleep 0.01;
		}
		sleep rand 0.02;
	}
	return \%id;
}

# Runs one runner after the other; most of them die.
sub run_until {
	my ($stop) = @_;
	my $killed = 0;
	until (-e $stop) {
		my %env;
		$env{GALLEY_FAULT} = any(@runner_places) . ':'
			. (1 + int rand 12) . ':kill' if rand() < 0.5;
		my $pid = $jobs->start(env => \%env);
		my $end = time + 0.1 + rand 0.7;
		my $gone;
		sleep 0.01 until time > $end
			|| ($gone = waitpid($pid, POSIX::WNOHANG()) == $pid);
		next if $gone && ++$killed;
		kill any(qw(KILL KILL KILL TERM)), $pid;
		waitpid $pid, 0;
		$killed++;
	}
	return $killed;
}

# Makes retries due at once, so that the test need not wait for them.
sub hurry {
	my ($stop) = @_;
	until (-e $stop) {
		eval { $jobs->due_now };
		sleep 0.2;
	}
	return 1;
}

my $clients = 4;
my $stop = $galley->scratch . '/stop';
my ($first, $second) = map { my $n = $_; sub { srand $seed + $n;
	return run_until($stop) } } 101, 102;
my $stopper = sub {
	my $until = time + $limit;
	sleep 0.5 until time > $until || eval {
		$galley->sql('SELECT count(*) AS n FROM job WHERE settled_at IS NOT'
			. ' NULL')->[0]{n} >= $wanted };
	Galley::spew($stop, '');
	return 1;
};
my @made = JobRun::at_once(
	map({ my $n = $_; sub { srand $seed + $n;
		return order_all($n, $wanted / $clients) } } 1 .. $clients),
	$first, $second, sub { hurry($stop) }, $stopper);
my %topic = map { %$_ } @made[0 .. $clients - 1];
my $kills = $made[$clients] + $made[$clients + 1];
diag "$kills runners ended or were killed";

is scalar(keys %topic), $wanted, 'every client got an id for every order';
is $galley->sql('SELECT count(*) AS n FROM job')->[0]{n}, $wanted,
	'as many jobs as orders';
# the remaining jobs run undisturbed
for (1 .. 20) {
	last if !$galley->sql('SELECT count(*) AS n FROM job WHERE settled_at IS'
		. ' NULL')->[0]{n};
	my $run = $jobs->run;
	is "$run->{exit} $run->{signal}", '0 0', 'a run in peace'
		or diag($run->{err});
	$jobs->due_now;
}
my $rows = $galley->sql('SELECT j.uuid, status, cost, error_code, article_uuid,'
	. ' auto_publish, (SELECT count(*) FROM ledger l WHERE l.job_id = j.id'
	. " AND l.kind = 'reserve') AS reserved,"
	. ' (SELECT count(*) FROM ledger l WHERE l.job_id = j.id'
	. " AND l.kind <> 'reserve') AS closed, (SELECT a.status || a.version"
	. ' FROM article a WHERE a.uuid = j.article_uuid) AS article FROM job j');
my @wrong;
my %ended;
for my $row (@$rows) {
	my $topic = $topic{ $row->{uuid} } // 'unknown';
	my $poison = ($row->{error_code} // '') eq 'internal_error';
	$ended{$poison ? 'poison' : $row->{status}}++;
	my $good = $poison || ($topic =~ /^(?:refuse|signal|garbage)/
		? $row->{status} eq 'failed' : $row->{status} eq 'completed');
	my $article = $row->{article} // 'none';
	$good &&= $article eq ($row->{status} eq 'failed' ? 'none'
		: $row->{auto_publish} ? 'published1' : 'draft0');
	$good &&= $row->{reserved} == 1 && $row->{closed} == 1;
	$good &&= $row->{cost} == ($row->{status} eq 'failed' ? 0 : 7);
	push @wrong, join ' ', $topic, map { $_ // '-' } %$row if !$good;
}
is_deeply \@wrong, [], 'every job ended once, as its order had to';
diag join ', ', map { "$ended{$_} $_" } sort keys %ended;
is $galley->sql('SELECT count(*) AS n FROM article')->[0]{n},
	$ended{completed} // 0, 'one article for each completed job';
is $galley->sql("SELECT count(*) AS n FROM article a WHERE a.status ="
	. " 'published' AND (SELECT count(*) FROM edition e WHERE e.article_id ="
	. ' a.id) <> 1')->[0]{n}, 0, 'published articles have one edition';
my $balance = $jobs->balance;
is $balance->{reserved}, 0, 'nothing is held';
is $balance->{spent}, 7 * ($ended{completed} // 0), 'the completed are charged';
is $jobs->broken, '', 'verify finds nothing';
is_deeply [glob $galley->home . '/run/try-*'], [], 'no folder stays behind';
done_testing;
