# The fault points of a test build (lib/system/fault.h): which points exist, and which of
# them a run passed.
package FaultPoints;

use strict;
use warnings;

use Exporter 'import';

use Galley;
use Galley::Process qw(run_program);
use Galley::Schema qw(schema_number schema_text);

our @EXPORT_OK = qw(fault_points met_points older_database);

# Returns the sorted names of all fault points in the test build's programs. Providers have
# none.
sub fault_points {
	my %name;
	my $build = Galley::build('test');
	for my $program (grep { -x && !/provider-|\.[a-z]+$/ }
		glob "$build/{cgi-bin,bin}/*") {
		my $done = run_program([$program, '--faults']);
		$name{$_} = 1 for grep { /^[a-z-]+$/ } split /\n/, $done->{out};
	}
	return sort keys %name;
}

# Calls the code with an environment for the programs that it runs. Returns the code's result
# and how often each point was passed: ($value, {NAME => COUNT}).
sub met_points {
	my ($galley, $code) = @_;
	my $log = $galley->home . '/log/faults';
	unlink $log;
	my $value = $code->({ GALLEY_FAULT_LOG => $log });
	my %met;
	if (-e $log) {
		$met{$_}++ for split /\n/, Galley::slurp($log);
	}
	return ($value, \%met);
}

# Gives the instance a new database of the schema before this one, with an
# account and its grant in it.
sub older_database {
	my ($galley) = @_;
	my $number = schema_number('content') - 1;
	my $db = $galley->home . '/db/galley.db';
	unlink $db, "$db-wal", "$db-shm";
	my $done = run_program(['sqlite3', $db], as => [$galley->owner_ids],
		input => join "\n", '.dbconfig enable_trigger off',
		'PRAGMA journal_mode = WAL;', 'BEGIN;',
		schema_text('content', $number),
		'PRAGMA application_id = 0x67616c6c;',
		"PRAGMA user_version = $number;",
		"INSERT INTO account (uuid, name, granted, available, created_at)"
		. " VALUES ('00000000-0000-4000-8000-000000000001', 'Older', 5, 5, 1);",
		"INSERT INTO ledger (account_id, number, kind, ref, available,"
		. ' reserved, spent, available_after, reserved_after, spent_after,'
		. " at) VALUES (1, 1, 'grant', 'old', 5, 0, 0, 5, 0, 0, 1);",
		'COMMIT;');
	die "sqlite3: $done->{err}" if $done->{err} ne '';
	chmod 0600, $db;
}

1;
