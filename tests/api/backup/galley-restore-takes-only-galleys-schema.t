#!/usr/bin/perl
# Proves that a backup is refused if its database has a table, index, trigger or view more or less
# than this release makes, or one with another text. The refusal names the object; nothing of it
# runs, and nothing changes. Older schemas are brought up and then compared.
use strict;
use warnings;

use lib 'tests/lib';

use FaultPoints qw(older_database);
use Galley;
use Test::More;

my $galley = Galley->new(build => 'test');
my $home = $galley->home;
my $workspace = $galley->workspace;
$galley->import_text($workspace, "# One\n\nText.\n");
my $good = "$home/db/good.tar";
$galley->must('backup', $good);
my $older = Galley->new(build => 'test');
older_database($older);
$older->must('backup', $older->home . '/db/older.tar');
my $old = "$home/db/older.tar";
Galley::spew($old, Galley::slurp($older->home . '/db/older.tar'));

# Returns a backup whose database was changed by the sqlite3 shell.
sub changed {
	my ($from, $sql) = @_;
	my $folder = $galley->scratch . '/files';
	my $tar = "$home/db/changed.tar";
	system('rm', '-rf', $folder) == 0 && mkdir $folder or die;
	system('tar', '-xf', $from, '-C', $folder) == 0 or die;
	open my $shell, '|-', 'sqlite3', "$folder/galley.db" or die;
	print $shell ".dbconfig defensive off\n", $sql, "\n";
	close $shell or die "sqlite3: $?";
	unlink $tar;
	system('tar', '--format=ustar', '-cf', $tar, '-C', $folder, 'galley.db', 'pepper',
		'galley.conf') == 0 or die;
	chown $galley->owner_ids, $tar if $> == 0;
	return $tar;
}

sub surgery {
	my ($name, $from, $to) = @_;
	return "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, '$from',"
		. " '$to') WHERE name = '$name'; PRAGMA writable_schema = RESET; VACUUM;";
}

my $rows = sub { return $galley->sql('SELECT epoch FROM workspace') };
my $before = $rows->();
for my $case (
	['a foreign trigger', "CREATE TRIGGER grows AFTER UPDATE ON workspace BEGIN"
		. ' UPDATE account SET verified = 1; END;', qr/the trigger grows is not Galley's/],
	['a foreign view', 'CREATE VIEW seen AS SELECT * FROM api_key;',
		qr/the view seen is not Galley's/],
	['a foreign table', 'CREATE TABLE more (x);', qr/the table more is not Galley's/],
	['a foreign index', 'CREATE INDEX slow ON account (name);', qr/the index slow is not/],
	['an index with a name of statistics', "CREATE INDEX hides ON account (name); PRAGMA"
		. " writable_schema = ON; UPDATE sqlite_master SET name = 'sqlite_stat9', sql ="
		. " 'CREATE INDEX sqlite_stat9 ON account (name)' WHERE name = 'hides';"
		. ' PRAGMA writable_schema = OFF;', qr/the index sqlite_stat9 is not Galley's/],
	['no index', 'DROP INDEX article_announced;', qr/the index article_announced is missing/],
	['no trigger', 'DROP TRIGGER ledger_undeleted;',
		qr/the trigger ledger_undeleted is missing/],
	['a table without its CHECK', surgery('account',
		'CHECK (granted = available + reserved + spent)', 'CHECK (1)'),
		qr/the table account has another text/],
	['a column more', 'ALTER TABLE media ADD COLUMN more TEXT;',
		qr/the table media has another text/],
	['another trigger of that name', 'DROP TRIGGER ledger_undeleted; CREATE TRIGGER'
		. ' ledger_undeleted BEFORE DELETE ON ledger BEGIN SELECT 1; END;',
		qr/the trigger ledger_undeleted has another text/],
) {
	my ($what, $sql, $sentence) = @$case;
	for my $from ($good, $old) {
		my $file = changed($from, $sql);
		for my $check ([], ['--check']) {
			my $done = $galley->command('restore', $file, @$check);
			is $done->{exit}, 1, "$what: refused @$check" . ($from eq $old ? ', of an older schema' : '');
			like $done->{err}, $sentence, '  by its name';
		}
	}
}
is_deeply $rows->(), $before, 'nothing has changed';

# Changes that make no difference.
for my $case (
	['statistics', 'ANALYZE;'],
	['a comment', surgery('media', '-- BLAKE2b', '-- a BLAKE2b')],
	['nothing', ''],
) {
	for my $from ($good, $old) {
		my $done = $galley->command('restore', changed($from, $case->[1]));
		is $done->{exit}, 0, "$case->[0]: restored" or diag $done->{err};
	}
}
is $galley->command('verify')->{exit}, 0, 'the store is sound';

done_testing;
