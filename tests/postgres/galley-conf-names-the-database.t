#!/usr/bin/perl
# Proves, for the build STORE=pg, that `database` of galley.conf says where the database is, and
# `database_password_file` where its password is (docs/postgres.md §1, §7): a mistake in either is 503
# with a sentence in the log, and requests are answered once it is corrected, with nothing restarted by hand; and that nobody
# learns the password from a list of processes, a log, an error, or the memory of a program. And
# that a database of an older schema is refused by the programs of the next release until galley
# migrate brings it up.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Postgres;
use Galley::Process qw(run_program);
use Galley::Request qw(request_env split_answer);
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my $password = "pass:word/$$-" . time;
my $cluster = Galley::Postgres->new(settings => { max_connections => 40 });
$cluster->must('postgres', "CREATE ROLE shop LOGIN PASSWORD '$password'");
$cluster->must('postgres', 'CREATE DATABASE shop OWNER shop');
my $rules = $cluster->host . '/data/pg_hba.conf';
Galley::spew($rules, "local all shop scram-sha-256\n" . Galley::slurp($rules));
$cluster->must('postgres', 'SELECT pg_reload_conf()');

my $address = sprintf 'host=%s user=shop dbname=shop', $cluster->host;
my $galley = Galley->new(init => 0);
my $conf = $galley->home . '/galley.conf';
my $file = $galley->home . '/db/password';
Galley::spew($file, '*:*:*:shop:' . $password =~ s/([:\\])/\\$1/gr . "\n");
chmod 0600, $file;
chown $galley->owner_ids, $file if $> == 0;

sub read_log { return join '', map { Galley::slurp($_) } glob $galley->home . '/log/*' }

# ---- init

my $tool = $galley->command('init', '--database', "$address password=$password");
isnt $tool->{exit}, 0, 'init refuses an address with a password';
like $tool->{err}, qr/database must hold no password: .*database_password_file/, 'with the way out';
unlike $tool->{err} . $tool->{out}, qr/\Q$password/, 'and does not repeat it';
unlink $conf;
$galley->must('init', '--database', $address, '--database-password-file', $file);
like Galley::slurp($conf), qr/^database = \Q$address\E$/m, 'init writes the address';
unlike Galley::slurp($galley->home . '/db/galley.db'), qr/host=/, 'which is in no other file';
$galley->conf(require_https => 'off', requests_per_minute => 0);
my $workspace = $galley->workspace;
my $key = $galley->key($workspace);

# ---- mistakes, and their end

my ($program, $env) = request_env('GET', '/articles', key => $key);
sub ask { return split_answer($galley->persistent($program, $env)) }

is ask()->{status}, 200, 'a process answers';
my $pid;
sub cut { $cluster->must('postgres', "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'shop'") }

sub is_mistake {
	my ($name, $make, $undo, $says) = @_;
	$make->();
	cut();
	# A confined process whose galley.conf was replaced answers once more by the last good settings,
	# and ends.
	my $answer;
	for (1 .. 20) {
		$answer = ask();
		last if $answer->{status} == 503 && read_log() =~ $says;
	}
	is_error $answer, 503, 'service_unavailable', $name;
	like read_log(), $says, 'the log says what is wrong';
	my $said = $galley->command(qw(account list));
	isnt $said->{exit}, 0, 'the tool ends' if $name !~ /right/;
	unlike $said->{err}, qr/\Q$password/, 'and tells no password';
	$undo->();
	is ask()->{status}, 200, 'once it is corrected it answers';
}

is_mistake 'a password file that others may read', sub { chmod 0644, $file },
	sub { chmod 0600, $file }, qr/can be read by others: chmod 600 it/;
my $was = Galley::slurp($file);
is_mistake 'another password', sub { Galley::spew($file, "*:*:*:shop:wrong\n"); chmod 0600, $file },
	sub { Galley::spew($file, $was); chmod 0600, $file }, qr/password authentication failed/;
is_mistake 'a password that was changed at the server',
	sub { $cluster->must('postgres', "ALTER ROLE shop PASSWORD 'other'") },
	sub { $cluster->must('postgres', "ALTER ROLE shop PASSWORD '$password'") },
	qr/password authentication failed/;
is_mistake 'a password file elsewhere', sub { $galley->conf(database_password_file => '/etc/passwd') },
	sub { $galley->conf(database_password_file => $file) }, qr{/etc/passwd must be in };
is_mistake 'a wrong port', sub { $galley->conf(database => "$address port=1") },
	sub { $galley->conf(database => $address) }, qr/\.s\.PGSQL\.1"/;
is_mistake 'a right that is missing',
	sub { $cluster->must('shop', 'REVOKE ALL ON content.api_key FROM shop') },
	sub { $cluster->must('shop', 'GRANT ALL ON content.api_key TO shop') }, qr/42501/;

# ---- who could learn the password

$pid = $galley->{fcgi}{articles}{pid};
unlike read_log(), qr/\Q$password/, 'no log has the password';
like Galley::slurp("/proc/$pid/cmdline"), qr/articles/, 'a process of the list';
unlike join('', map { eval { Galley::slurp($_) } // '' } glob '/proc/[0-9]*/cmdline'), qr/\Q$password/,
	'no command line has it';
my @owner = $galley->owner_ids;
for my $name (qw(environ mem)) {
	my $done = run_program(['head', '-c', '1', "/proc/$pid/$name"], as => [@owner]);
	like $done->{err}, qr/Permission denied/, "its user cannot read /proc/PID/$name";
}
kill ABRT => $pid;
waitpid $pid, 0;
is $? & 128, 0, 'a process that is aborted leaves no core' if $? != -1;

# ---- the next release

my $test = Galley->new(build => 'test', init => 0);
$cluster->must('postgres', 'CREATE DATABASE older OWNER shop');
my $copy = $test->home . '/db/password';
Galley::spew($copy, $was);
chmod 0600, $copy;
chown $test->owner_ids, $copy if $> == 0;
$galley = $test;
$test->must('init', '--database', $address =~ s/dbname=shop/dbname=older/r,
	'--database-password-file', $copy);
$test->conf(require_https => 'off', requests_per_minute => 0);
$workspace = $test->workspace;
$key = $test->key($workspace);
my ($id) = $test->import_text($workspace, "# Kept\n\nText.\n");
{
	local $ENV{GALLEY_NEXT} = 1;
	my $refused = $test->command(qw(account list));
	isnt $refused->{exit}, 0, 'a program of the next release refuses the database';
	like $refused->{err} . read_log(), qr/schema/, 'and says why';
	my $done = $test->command('migrate');
	is $done->{exit}, 0, 'galley migrate brings it up' or diag $done->{err};
	my ($row) = @{ $done->{json} ? [$done->{json}] : [] };
	is $row->{to}, $row->{from} + 1, 'by one schema';
	is $test->command(qw(account list))->{exit}, 0, 'then the next release works with it';
	is $test->command('verify')->{exit}, 0, 'and galley verify finds nothing';
}
is $cluster->must('older', "SELECT count(*) FROM content.account WHERE nickname <> 'called ' || name") + 0,
	0, 'the step filled its column';
is $cluster->must('older', 'SELECT count(*) FROM content.made_up') + 0, 1, 'and its table';
is $cluster->must('older', "SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal") + 0,
	$cluster->must('shop', "SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal") + 0,
	'the guards are there';
isnt $test->command(qw(account list))->{exit}, 0, 'a program of this release refuses it now';
done_testing;
