#!/usr/bin/perl
# Proves, for the build STORE=pg, that a connection to the database may be lost at each message of
# the protocol (docs/postgres.md §7): a GET, an order, a publication and the work of the job runner
# then end with the right answer or with 503, and what is repeated happens once. The answer to
# COMMIT is among these messages.
#
# The runner's messages are thousands: its COMMITs, their answers, and places by chance. SEED
# chooses other places; GALLEY_FAULT_ALL=1 takes all of them.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::PostgresProxy;
use Galley::Request qw(request_env split_answer);
use JobRun;
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my ($folder) = $ENV{GALLEY_CLUSTER} =~ /host=(\S+)/;
my $jobs = JobRun->new(build => '', credits => 1_000_000);
my $galley = $jobs->galley;
my $proxy = Galley::PostgresProxy->new("$folder/.s.PGSQL.5432");
$galley->database_at($proxy->address);
my $seed = $ENV{SEED} // time;
srand $seed;
diag "SEED=$seed";

sub ask {
	my ($method, $target, $body, %headers) = @_;
	my ($program, $env) = request_env($method, $target, key => $jobs->key,
		body => $body, headers => \%headers);
	return split_answer($galley->persistent($program, $env, $body));
}

# Ends the FastCGI processes: the next request connects again, and prepares its statements again.
sub forget {
	delete $_->{pid} for map { $_->stop; $_ } values %{ $galley->{fcgi} // {} };
}

# Returns how many messages `act` needs.
sub messages_of {
	my ($act) = @_;
	$proxy->arm;
	$act->();
	return scalar @{ $proxy->seen->{messages} };
}

# Calls `act` with each message cut once, or with one of `every`, as a cold or a warm process has
# them; `check` then returns what is wrong.
sub sweep {
	my ($name, $act, $check, %option) = @_;
	my $every = $ENV{GALLEY_FAULT_ALL} ? 1 : $option{every} // 1;
	$act->('warm') if $option{warm};
	forget() if !$option{warm};
	my $count = messages_of(sub { $act->('count') });
	my (@wrong, %status);
	for (my $n = 1 + int rand $every; $n <= $count; $n += $every) {
		$option{warm} ? $act->("warm-$n") : forget();
		$proxy->arm(at => $n, do => 'cut');
		my $got = $act->($n);
		my $cut = $proxy->seen->{done} // last;
		$proxy->arm;
		$status{$got}++;
		my $wrong = $check->($n, $got);
		push @wrong, "$n, $cut: $wrong" if $wrong;
	}
	is_deeply \@wrong, [], sprintf '%s, cut at one of %d of %d messages (%s)', $name, $every, $count,
		join ', ', map { "$_: $status{$_}" } sort keys %status;
	return \%status;
}

# ---- the runner

sub left { return $galley->sql('SELECT count(*) AS n FROM job WHERE settled_at IS NULL')->[0]{n} }

# Orders, runs the runner with a rule, and then until the job has ended; returns what is wrong.
my $works = 0;
my $seen;
sub work {
	my (%rule) = @_;
	my $id = $jobs->ordered('work-' . ++$works, autoPublish => JSON::PP::true);
	$proxy->arm(%rule);
	my @exits = $jobs->run->{exit};
	$seen = $proxy->seen;
	$proxy->arm;
	while (left() && @exits < 20) {
		$jobs->due_now;
		push @exits, $jobs->run->{exit};
	}
	my $job = $jobs->job($id);
	return if $job->{status} eq 'completed' && $jobs->article($id);
	return ($seen->{done} // 'nothing') . ": $job->{status}, exits @exits";
}

is work(), undef, 'the runner works';
work();
my @messages = @{ $seen->{messages} };
my @commits = grep { $messages[$_] =~ /^(?:> Execute|< CommandComplete) COMMIT/ } 0 .. $#messages;
cmp_ok @commits, '>=', 8, 'in several transactions';
my @places = $ENV{GALLEY_FAULT_ALL} ? 0 .. $#messages : (@commits, map { int rand @messages } 1 .. 20);
is_deeply [map { work(at => $_ + 1, do => 'cut') // () } @places], [],
	sprintf 'cut at %d of its %d messages it does each work once', scalar @places, scalar @messages;
is $galley->sql("SELECT count(*) AS n FROM job WHERE status = 'completed'")->[0]{n}, $works,
	'each job has ended once';
is $galley->sql('SELECT count(*) AS n FROM article')->[0]{n}, $works, 'and has one article';
is_deeply [@{ $jobs->balance }{qw(reserved available)}], [0, 1_000_000 - 7 * $works],
	'and was paid once';

# ---- a GET

my ($article) = $galley->import_text($jobs->workspace, "# One\n\nText.\n");
my $good = ask('GET', "/articles/$article")->{body};

sub get {
	my $answer = ask('GET', "/articles/$article");
	return $answer->{status} == 200 && $answer->{body} ne $good ? 'another' : $answer->{status};
}

sub get_is_well {
	my ($n, $got) = @_;
	return "the answer is $got" if $got !~ /^(?:200|503)$/;
	my $again = get();
	return $again eq '200' ? undef : "then $again";
}

sweep('a GET of a new process', \&get, \&get_is_well);
sweep('a GET', \&get, \&get_is_well, warm => 1);

# ---- an order

my (%first, %orders);
my $times = 0;

sub order {
	my ($n) = @_;
	my $key = "order-$times-$n";
	$orders{$key} = 1;
	my $answer = ask('POST', '/generate', '{"image":false}', 'Idempotency-Key' => $key);
	$first{$n} = $answer->{json}{id} if $answer->{status} == 200;
	return $answer->{status};
}

sub order_is_well {
	my ($n, $got) = @_;
	return "the answer is $got" if $got !~ /^(?:200|503)$/;
	my $id = $first{$n};
	my $again = order($n);
	return "then $again" if $again != 200;
	return 'another job' if $got == 200 && $id ne $first{$n};
	return;
}

my $statuses = sweep('an order of a new process', \&order, \&order_is_well);
cmp_ok $statuses->{503} // 0, '>', 10, 'some were 503';
$times++;
sweep('an order', \&order, \&order_is_well, warm => 1);
is $galley->sql('SELECT count(*) AS n FROM job')->[0]{n}, $works + keys %orders, 'one job for each key';
is $jobs->balance->{reserved}, 20 * keys %orders, 'reserved once';

# ---- a publication

my @drafts = $galley->import_text($jobs->workspace, { publish => 0 }, map { "# Draft $_\n\nText.\n" } 1 .. 600);

sub publish {
	my ($n) = @_;
	my $id = $n =~ /^\d+$/ ? $drafts[$n] : $drafts[0];
	my $done = $galley->command(qw(article publish --unfinished), $id);
	return $done->{signal} ? "signal $done->{signal}" : $done->{exit};
}

sub publication_is_well {
	my ($n, $got) = @_;
	my $again = publish($n);
	return "the answer is $got, then $again" if $again ne '0';
	my $editions = $galley->sql('SELECT count(*) AS n FROM edition e JOIN article a'
		. " ON a.id = e.article_id WHERE a.uuid = '$drafts[$n]'")->[0]{n};
	return $editions == 1 ? undef : "$editions editions";
}

$statuses = sweep('a publication', \&publish, \&publication_is_well, every => 6);
is_deeply [grep { /signal/ } keys %$statuses], [], 'no program crashed';

is $jobs->broken, '', 'galley verify finds nothing';
done_testing;
