#!/usr/bin/perl
# Proves, for the build STORE=pg, what each end of a COMMIT and each fault of the server means
# (docs/postgres.md §7): an outcome that nobody knows is 503, and the same order sent again finds
# its job, or makes it.
# suite: postgres
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
my $jobs = JobRun->new(build => '', credits => 100_000);
my $galley = $jobs->galley;
my $proxy = Galley::PostgresProxy->new("$folder/.s.PGSQL.5432");
$galley->database_at($proxy->address);
my $orders = 0;

sub order {
	my ($name) = @_;
	my $body = '{"image":false}';
	my ($program, $env) = request_env('POST', '/generate', key => $jobs->key, body => $body,
		headers => { 'Idempotency-Key' => $name });
	return split_answer($galley->persistent($program, $env, $body));
}

# ---- the end of a COMMIT

# What an order writes last.
my $last = '^> Execute INSERT INTO ledger';
my $says = 'Galley::PostgresProxy::Message';
no strict 'refs';
my @ends = (
	['the answer says ROLLBACK', 0, after => $last, like => '^> Bind COMMIT', do => 'say',
		bytes => &{"${says}::bind"}('ROLLBACK')],
	['a standby may lack it', 1, after => $last, like => '^< CommandComplete COMMIT',
		do => 'before',
		bytes => &{"${says}::warning"}('01000', 'canceling wait for synchronous replication')],
	['the answer is swallowed', 1, after => $last, like => '^< CommandComplete COMMIT', do => 'swallow'],
	['the connection is lost with the answer', 1, after => $last, like => '^< CommandComplete COMMIT', do => 'cut'],
	['the connection is lost before', 0, after => $last, like => '^> Execute COMMIT', do => 'cut'],
	['the connection is lost when it was sent', undef, after => $last, like => '^> Execute COMMIT', do => 'cut-after'],
	['the connection is lost behind an answer', undef, after => $last, like => '^< CommandComplete INSERT', do => 'cut-after'],
);
for my $end (@ends) {
	my ($name, $done, %rule) = @$end;
	order('before-' . ++$orders);
	$proxy->arm(%rule);
	my $began = time;
	is_error order("order-$orders"), 503, 'service_unavailable', $name;
	cmp_ok time - $began, '<', 9, '  before the deadline' if ($rule{do} // '') =~ /^cut/;
	isnt $proxy->seen->{done}, undef, '  at the COMMIT';
	$proxy->arm;
	my $again = order("order-$orders");
	is $again->{status}, 200, '  the same order again';
	is $again->{headers}{'idempotent-replayed'}, $done ? 'true' : undef,
		'  ' . ($done ? 'finds its job' : 'makes the job') if defined $done;
	$orders++;
}
is $galley->sql('SELECT count(*) AS n FROM job')->[0]{n}, $orders, 'one job for each order';
is $jobs->balance->{reserved}, 20 * $orders, 'reserved once';

# ---- faults of the server, which abort the transaction

my %means = ((map { $_ => 503 } qw(08006 40001 40P01 42501 42P01 53100 53300 55P03 57014 57P01 57P03 25006 25P03
	58030)),
	map { $_ => 500 } qw(22012 23505 XX000 XX001));
order('warm');
for my $state (sort keys %means) {
	order("warm-$state");
	$proxy->arm(like => '^< BindComplete', at => 4, do => 'fail',
		bytes => &{"${says}::error"}($state, 'made for the test'));
	my $answer = order("state-$state");
	is_error $answer, $means{$state}, $means{$state} == 503 ? 'service_unavailable' : 'internal_error',
		"SQLSTATE $state";
	unlike $answer->{body}, qr/made for the test/, '  is told to nobody';
	$proxy->arm;
}
is $jobs->broken, '', 'galley verify finds nothing';
# ---- a migration

# It gives the rights again where nothing else is to be done.
$proxy->arm(like => '^< CommandComplete COMMIT', always => 1, do => 'before',
	bytes => &{"${says}::warning"}('01000', 'canceling wait for synchronous replication'));
my $migrated = $galley->command('migrate');
isnt $migrated->{exit}, 0, 'a standby may lack what a migration committed';
like $migrated->{err} . $migrated->{out}, qr/[Aa] standby may lack what was done/, '  which says so';
$proxy->arm;
is $galley->command('migrate')->{exit}, 0, '  and is done when it is said again';

done_testing;
