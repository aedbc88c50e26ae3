#!/usr/bin/perl
# Proves, for the build STORE=pg, that a read whose connection to the database is lost, at any message,
# is done once more and answered (docs/postgres.md §7): the same bytes, by a new process and by one
# that has answered before. Lost twice it is 503, as is a read whose server is silent: that one is not
# done again. What writes is never done again.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::PostgresProxy;
use Galley::Request qw(request_env split_answer);
use Test::More;
use Time::HiRes qw(time);

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my ($folder) = $ENV{GALLEY_CLUSTER} =~ /host=(\S+)/;
my $galley = Galley->new(conf => { requests_per_minute => 0 });
my $account = $galley->must(qw(account create Customer --verified))->{id};
my $workspace = $galley->workspace(account => $account, website => 'https://www.example.com', pages => 'reads');
my $key = $galley->key($workspace);
my @articles = $galley->import_text($workspace, map { "# Text $_\n\nText.\n" } 1 .. 3);
my $proxy = Galley::PostgresProxy->new("$folder/.s.PGSQL.5432");
$galley->database_at($proxy->address);

sub ask {
	my ($method, $target, %option) = @_;
	my ($program, $env) = request_env($method, $target, key => $key, %option);
	return split_answer($galley->persistent($program, $env, $option{body} // ''));
}
sub forget {
	delete $_->{pid} for map { $_->stop; $_ } values %{ $galley->{fcgi} // {} };
}

# What of an answer must be the same.
sub kept { return join "\n", $_[0]->{status}, $_[0]->{body}, $_[0]->{headers}{etag} // '' }

# Asks with each message lost, or with one of `every`; `warm`: of a process that answered before.
sub sweep {
	my ($target, $warm, $every) = @_;
	my $good = kept(ask('GET', $target));
	my @wrong;
	forget() if !$warm;
	$proxy->arm;
	ask('GET', $target);
	my $count = @{ $proxy->seen->{messages} };
	for (my $n = 1 + int rand $every; $n <= $count; $n += $every) {
		$warm ? ask('GET', $target) : forget();
		$proxy->arm(at => $n, do => 'cut');
		my $answer = ask('GET', $target);
		my $cut = $proxy->seen->{done};
		$proxy->arm;
		push @wrong, "$n, " . ($cut // 'nothing') . ": $answer->{status}" if kept($answer) ne $good;
	}
	like $good, qr/^200\n/, "GET $target";
	is_deeply \@wrong, [], sprintf '  of a %s process is answered, cut at one of %d of %d messages',
		$warm ? 'warm' : 'new', $every, $count;
	return;
}
my $seed = $ENV{SEED} // time;
srand $seed;
diag "SEED=$seed";
sweep("/articles/$articles[0]", 1, 1);
sweep("/articles/$articles[0]", 0, 3);
sweep($_, 1, 4) for '/articles?limit=3', '/sync', '/connection';
my $log = Galley::slurp($galley->home . '/log/requests.log');
like $log, qr/the read is done once more/, 'the log says so';

# A server that is silent in a read: its time is over, and nothing is done again.
my $target = "/articles/$articles[0]";
ask('GET', $target);
my $again = () = $log =~ /once more/g;
$proxy->arm(like => '^< ', do => 'hold');
my $began = time;
is ask('GET', $target)->{status}, 503, 'a server that is silent: 503';
cmp_ok time - $began, '<', 12, '  in time';
is scalar(() = Galley::slurp($galley->home . '/log/requests.log') =~ /once more/g), $again, '  once';
$proxy->arm;
is ask('GET', $target)->{status}, 200, 'the next one is answered';

# An order is not done again: its client repeats it.
$proxy->arm(like => '^> .*(?:BEGIN|SELECT|EXECUTE)', after => '^< ReadyForQuery T', do => 'cut');
my $order = ask('POST', '/generate', body => '{"image":false}', headers => { 'Idempotency-Key' => 'one' });
is $order->{status}, 503, 'an order whose connection is lost is 503' if $proxy->seen->{done};
is scalar(() = Galley::slurp($galley->home . '/log/requests.log') =~ /once more/g), $again, '  and is not done again';
done_testing;
