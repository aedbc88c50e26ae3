#!/usr/bin/perl
# Proves, for the build STORE=pg, what a restore on one host means for a process of another one that
# has its connection open (docs/postgres.md §6, §8): a reader that waits for the restore sees what was
# restored, and no empty tables; after the restore of a backup with another pepper the answer is 503,
# never 401 to every customer, until the host has the pepper; and a backup that has begun sees all
# three schemas at one moment: no restore comes in between.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Process qw(become run_program);
use Galley::Request qw(request_env split_answer);
use POSIX qw(WUNTRACED);
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my $one = Galley->new(build => 'test');
my $workspace = $one->workspace;
my $key = $one->key($workspace);
$one->import_text($workspace, "# One\n\nText.\n");
my $two = $one->another_host(build => 'test');
# Then a request begins with its snapshot, and counts nothing before it.
$two->conf(requests_per_minute => 0);
my $folder = $one->folder_of_owner('archives');
my $database = "$ENV{GALLEY_CLUSTER} dbname=$one->{database_name}";

sub ask {
	my ($host, $with) = @_;
	my ($program, $env) = request_env('GET', '/articles', key => $with // $key);
	return split_answer($host->persistent($program, $env));
}

sub wait_for {
	my ($holds) = @_;
	for (1 .. 1200) {
		return 1 if $holds->();
		select undef, undef, undef, 0.05;
	}
	return 0;
}

# Whether a connection waits for a lock with this query.
sub waits {
	my ($like) = @_;
	return $one->sql("SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
		. " AND datname = '$one->{database_name}' AND query LIKE '$like'")->[0]{n} > 0;
}

# Starts the tool of a host, in the background.
sub start {
	my ($host, $fault, @arguments) = @_;
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		become($host->owner_ids) if $> == 0;
		$ENV{GALLEY_FAULT} = $fault if $fault;
		open STDOUT, '>', '/dev/null';
		exec $host->programs . '/bin/galley', @arguments;
	}
	return $pid;
}

is ask($_)->{status}, 200, 'both hosts answer' for $one, $two;

# ---- a reader that waits

$one->must('backup', "$folder/same.tar");
my $restore = start($one, 'exchange-before-commit:1:stop', 'restore', '--yes', "$folder/same.tar");
waitpid $restore, WUNTRACED;
like Galley::slurp("/proc/$restore/stat"), qr/\) T /, 'a restore stops before its end';
my $reader = fork // die "fork: $!";
POSIX::_exit(ask($two)->{status} == 200 ? 0 : 1) if $reader == 0;
ok wait_for(sub { return waits('BEGIN %') || waitpid($reader, POSIX::WNOHANG()) }), 'a reader waits';
kill CONT => $restore;
waitpid $restore, 0;
is $?, 0, 'the restore ends well';
waitpid $reader, 0;
my $log = Galley::slurp($two->home . '/log/requests.log');
unlike $log, qr/has schema 0/, 'the reader sees no empty tables';
# On a machine that did much else it had waited for too long.
is $?, 0, 'it sees what was restored' if $log !~ /55P03/;
is ask($two)->{status}, 200, 'the host answers';

# ---- another pepper

my $other = Galley->new(build => 'test');
my $restored = $other->key($other->workspace(name => 'Other'));
$other->must('backup', "$folder/other.tar");
is ask($_)->{status}, 200, 'both hosts have a connection' for $one, $two;
$one->must(qw(restore --yes), "$folder/other.tar");
is ask($one, $restored)->{status}, 200, 'the host that restored knows the keys of the backup';
is_error ask($two, $restored), 503, 'service_unavailable',
	'the other one says 503, with the connection that it had';
like Galley::slurp($two->home . '/log/requests.log'), qr{/db/pepper is not the pepper of this database},
	'and its log names the file';
my $pepper = $two->home . '/db/pepper';
Galley::spew($pepper, Galley::slurp($one->home . '/db/pepper'));
is ask($two, $restored)->{status}, 200, 'with the file it answers';

# ---- a backup is of one moment

open my $psql, '|-', 'psql', '-X', '-q', '-d', $database or die "psql: $!";
$psql->autoflush;
print {$psql} "BEGIN; LOCK TABLE content.workspace_more IN ACCESS EXCLUSIVE MODE;\n";
ok wait_for(sub { return $one->sql("SELECT count(*) AS n FROM pg_locks WHERE granted AND mode ="
	. " 'AccessExclusiveLock' AND relation = 'content.workspace_more'::regclass")->[0]{n} }),
	'a table is held';
my $backup = start($two, undef, 'backup', "$folder/moment.tar");
ok wait_for(sub { return waits('COPY %') || waitpid($backup, POSIX::WNOHANG()) }), 'a backup waits for it';
for my $schema (qw(content console stats)) {
	my $done = run_program(['psql', '-X', '-q', '-d', $database, '-c', "SET lock_timeout = 200",
		'-c', "BEGIN; LOCK TABLE $schema.store IN ACCESS EXCLUSIVE MODE"]);
	like $done->{err}, qr/lock timeout/, "meanwhile nobody replaces $schema";
}
print {$psql} "COMMIT;\n";
close $psql;
waitpid $backup, 0;
is $?, 0, 'the backup ends well';
is $one->command(qw(restore --check), "$folder/moment.tar")->{exit}, 0, 'and is whole';
done_testing;
