#!/usr/bin/perl
# Proves, for the build STORE=pg, what happens where each COMMIT waits for a standby and there is none
# (docs/postgres.md §4): once one waits, other writes are 503 at once and leave no connection behind
# them; reading goes on, doctor says what it is; and when a standby is there, each order is done
# once.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Postgres;
use Galley::Process qw(patience run_program);
use Galley::Request qw(request_env split_answer);
use Test::More;
use Time::HiRes qw(sleep time);

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my $cluster = Galley::Postgres->new(settings => { max_connections => 40 });
local $ENV{GALLEY_CLUSTER} = sprintf 'host=%s user=galley', $cluster->host;
my $galley = Galley->new(conf => { requests_per_minute => 0, jobs_per_hour => 0 });
my @keys = map {
	$galley->key($galley->workspace(account => $galley->account('--credits', 1000)),
		qw(articles:read articles:generate))
} 1 .. 6;

sub ask {
	my ($method, $path, %option) = @_;
	my ($program, $env) = request_env($method, $path, %option);
	return split_answer($galley->persistent($program, $env, $option{body} // ''));
}
sub order {
	my ($key) = @_;
	return ask('POST', '/generate', key => $key, body => '{"image":false}',
		headers => { 'Idempotency-Key' => 'once' });
}
sub waiting {
	return 0 + $cluster->must('postgres',
		"SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
}
sub tell_server { $cluster->must('postgres', $_) for @_, 'SELECT pg_reload_conf()' }
sub until_true {
	my ($test) = @_;
	for (1 .. 100 * patience()) {
		return 1 if $test->();
		sleep 0.1;
	}
	return 0;
}
sub standbys {
	my $done = run_program([$galley->programs . '/bin/galley', 'doctor']);
	return $done->{out} =~ /^(\w+ +standbys +.*)/m ? $1 : $done->{out} . $done->{err};
}

is ask('GET', '/articles', key => $keys[0])->{status}, 200, 'the API answers';
my $jobs = $galley->sql('SELECT count(*) AS n FROM job')->[0]{n};
tell_server("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
ok until_true(sub { $cluster->must('postgres', 'SHOW synchronous_standby_names') =~ /nobody/ }),
	'each COMMIT waits for a standby that is not there';

is_error order($keys[0]), 503, 'service_unavailable', 'the first order waits in vain';
is waiting(), 1, '  and its connection stays';
my $began = time;
my @answers = map { order($_) } @keys[1 .. 5];
is_error $_, 503, 'service_unavailable', 'another account orders' for @answers;
like $answers[0]{headers}{'retry-after'}, qr/^[1-9]$/, '  and is told when to come again';
cmp_ok time - $began, '<', 8 * patience(), '  at once';
is waiting(), 1, '  and no connection more is taken';
is_error order($keys[0]), 503, 'service_unavailable', 'so it is with the first order, sent again';
cmp_ok waiting(), '==', 1, '  which does not wait for its own lock';
is ask('GET', '/articles', key => $_)->{status}, 200, 'reading goes on' for @keys;
like Galley::slurp($galley->home . '/log/requests.log'), qr/a COMMIT waits for a standby, so no write begins/,
	'the log says why';
like standbys(), qr/^BAD +standbys +1 write waits for a standby that confirms nothing.*; fix: bring a standby back/, 'so does doctor';

tell_server('ALTER SYSTEM RESET synchronous_standby_names');
ok until_true(sub { waiting() == 0 }), 'when no standby is needed, what waited is done';
is order($_)->{status}, 200, 'each account orders' for @keys;
is $galley->sql('SELECT count(*) AS n FROM job')->[0]{n} - $jobs, 6, 'once';
like standbys(), qr/^\w+ +standbys +there is no standby/, 'doctor sees no wait any more';

done_testing;
