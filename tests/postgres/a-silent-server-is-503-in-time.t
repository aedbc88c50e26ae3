#!/usr/bin/perl
# Proves, for the build STORE=pg, that a server that says nothing is 503 once the deadline is over,
# and that nothing is cancelled (docs/postgres.md §7); and that a host that lost its power in the
# middle of a transaction holds no lock for long; and that hosts which say nothing are passed over.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::PostgresProxy;
use Galley::Process qw(patience);
use Galley::Request qw(request_env split_answer);
use IO::Socket::INET ();
use JobRun;
use Test::More;
use Time::HiRes qw(sleep time);

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my ($folder) = $ENV{GALLEY_CLUSTER} =~ /host=(\S+)/;
my $jobs = JobRun->new(build => '', credits => 100_000);
my $galley = $jobs->galley;
my $proxy = Galley::PostgresProxy->new("$folder/.s.PGSQL.5432");
$galley->database_at($proxy->address);
my ($article) = $galley->import_text($jobs->workspace, "# One\n\nText.\n");

# The answer of a process of the program, or of the one that is kept.
sub ask {
	my ($method, $target, $order, $process) = @_;
	my $body = defined $order ? '{"image":false}' : undef;
	my ($program, $env) = request_env($method, $target, key => $jobs->key, body => $body,
		headers => defined $order ? { 'Idempotency-Key' => $order } : {});
	return split_answer($process ? $process->request($env, $body)
		: $galley->persistent($program, $env, $body));
}

sub order { return ask('POST', '/generate', @_) }

my %waiting;

# Starts a request in a process of its own, and returns once it came to what the rule is like.
sub start {
	my ($name, $ask, %rule) = @_;
	my ($program) = $ask->[0] eq 'GET' ? 'articles' : 'generate';
	my $process = Galley::FastCGI->new($galley->programs . "/cgi-bin/$program",
		$galley->scratch . "/$name.socket", [$galley->owner_ids]);
	$process->start;
	ask(@{ $ask }[0, 1], defined $ask->[2] ? "warm-$name" : undef, $process);
	$proxy->arm(%rule, do => 'hold');
	my $pid = open(my $pipe, '-|') // die "fork: $!";
	if ($pid == 0) {
		my $began = time;
		my $answer = ask(@$ask, $process);
		printf "%d %.1f\n", $answer->{status}, time - $began;
		STDOUT->flush;
		POSIX::_exit(0);
	}
	for (1 .. 400 * patience()) {
		last if defined $proxy->seen->{done};
		sleep 0.01;
	}
	isnt $proxy->seen->{done}, undef, "$name waits";
	$waiting{$name} = [$pipe, $process];
}

# What an order writes last.
my $last = '^> Execute INSERT INTO ledger';
start('a-read', ['GET', "/articles/$article"], like => '^> Execute SELECT a\.id');
start('a-beginning', ['GET', "/articles/$article"], like => '^< CommandComplete BEGIN');
start('a-commit', ['POST', '/generate', 'a-commit'], after => $last, like => '^< CommandComplete COMMIT');
# The server has no half of a message: of such a host only the probes of its connection tell.
start('an-order', ['POST', '/generate', 'an-order'], like => '^> Bind INSERT INTO ledger');
$proxy->arm;
my %least = ('a-read' => 4, 'a-beginning' => 4, 'a-commit' => 10, 'an-order' => 10);
for my $name (sort keys %least) {
	my $pipe = $waiting{$name}[0];
	my ($status, $seconds) = split ' ', <$pipe>;
	is $status, 503, "$name gets 503";
	cmp_ok $seconds, '>=', $least{$name} - 0.2, '  not before the deadline';
	cmp_ok $seconds, '<', $least{$name} + 4 * patience(), '  and soon after it';
	close $pipe;
}
my @said = @{ $proxy->seen->{messages} };
is_deeply [grep { /CancelRequest/ } @said], [], 'nothing is cancelled';
is_deeply [grep { /Startup/ } @said], [], 'nobody connects again when the time is over';
my $free = 0;
for (1 .. 600 * patience()) {
	last if $free = !$galley->sql("SELECT count(*) AS n FROM pg_stat_activity WHERE state ="
		. " 'idle in transaction' AND datname = '$galley->{database_name}'")->[0]{n};
	sleep 0.05;
}
ok $free, 'the server gives up a transaction that nobody ends';
is order('an-order')->{status}, 200, 'and the same order is taken';
is order('a-commit')->{headers}{'idempotent-replayed'}, 'true', 'the one that was committed is found';
$proxy->cut;

# ---- hosts that say nothing, before one that does

my @silent = map { IO::Socket::INET->new(Listen => 16, LocalAddr => '127.0.0.1') } 1, 2;
my @ports = map { $_->sockport } @silent;
$galley->database_at("host=127.0.0.1,127.0.0.1,$folder port=$ports[0],$ports[1],5432");
$_->stop for values %{ $galley->{fcgi} };
is ask('GET', "/articles/$article")->{status}, 200, 'two silent hosts are passed over';
$galley->database_at($proxy->address);
is $jobs->broken, '', 'galley verify finds nothing';
done_testing;
