# Proves that the database itself refuses wrong rows, whatever statement writes them and with
# foreign keys off: overdrafts, second settlements, changed, deleted and replaced movements, jobs
# that do not begin as queued or go backwards (docs/design.md §5). Programs without the guards of
# db/guards.sql may write neither jobs nor movements.
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley;
use Galley::Process qw(run_program);
use JobRun;

my $jobs = JobRun->new(credits => 100);
my $galley = $jobs->galley;
my $guards = Galley::slurp(Galley::top() . '/db/guards.sql');
my $second = $galley->must(qw(account create Second --verified --credits 100))
	->{id};
$galley->key($galley->workspace(account => $second), 'articles:generate');

# With PostgreSQL the guards are part of the schema, for every program, and the table's own constraints
# are asked before the guard that looks at what was written.
my $postgres = $galley->{database};
my $constraint = $postgres ? qr/violates (?:unique|foreign key|check|not-null) constraint/ : qr/(?!)/;

# Runs SQL through the store's shell, with the guards of Galley's connections. Returns its
# standard error.
sub shell {
	my ($sql) = @_;
	return $galley->psql(in_words_of_postgres($sql))->{err} if $postgres;
	return run_program(['sqlite3', $galley->home . '/db/galley.db'],
		input => ".dbconfig enable_trigger off\n$guards$sql;\n",
		as => [$galley->owner_ids])->{err};
}

# PostgreSQL has no words for what happens instead of a refusal, but for rows that are left out.
sub in_words_of_postgres {
	my ($sql) = @_;
	my $left_out = $sql =~ s/^INSERT OR IGNORE/INSERT/ ? ' ON CONFLICT DO NOTHING' : '';
	$sql =~ s/^(INSERT|UPDATE) OR \w+/$1/;
	return Galley::Postgres::worded($sql =~ s/randomblob\(16\)/x'${\('ab' x 16)}'/r) . $left_out;
}

# Does the same without the guards.
sub other_program {
	my ($sql) = @_;
	return run_program(['sqlite3', $galley->home . '/db/galley.db', $sql],
		as => [$galley->owner_ids])->{err};
}

sub refused {
	my ($sql, $because, $name) = @_;
	my $before = state();
	like shell($sql), qr/$because|$constraint/, $name;
	is state(), $before, '  nothing changed';
}

sub state {
	my $rows = $postgres ? 'TABLE ledger; TABLE job;' : 'SELECT * FROM ledger; SELECT * FROM job;';
	$rows .= ' SELECT id, granted, available, reserved, spent FROM account ORDER BY id';
	return $galley->psql($rows)->{out} if $postgres;
	return run_program(['sqlite3', $galley->home . '/db/galley.db', $rows],
		as => [$galley->owner_ids])->{out};
}

# Return the SQL of a job and of a movement, with the given unusual values.
sub job {
	my (%with) = @_;
	my %job = (id => 50, uuid => "'00000000-0000-4000-8000-000000000050'",
		account_id => 1, workspace_id => 1, api_key_id => 1,
		kind => "'article'", topic => "''", image => 0,
		auto_publish => 0, article_uuid => "'x'", reserved_credits => 20,
		cost => 20, created_at => 5, %with);
	my $or = delete $job{or} // '';
	my @names = sort keys %job;
	return "INSERT $or INTO job (" . join(', ', @names) . ') VALUES ('
		. join(', ', @job{@names}) . ')';
}

sub move {
	my ($or, @values) = @_;
	return "INSERT $or INTO ledger (account_id, number, kind, job_id, ref,"
		. ' available, reserved, spent, available_after,'
		. " reserved_after, spent_after, at) VALUES ("
		. join(', ', map { defined ? $_ : 'NULL' } @values, 9) . ')';
}

my $open = $jobs->ordered('open');
my $ended = $jobs->ordered('ended', topic => 'refuse provider_refused');
$jobs->run;
# account 1: grant 100; reserve, settle 7; reserve, refund
my $queued = $jobs->ordered('queued');
my %id = map { $_->{uuid} => $_->{id} } @{ $galley->sql(
	'SELECT id, uuid FROM job') };
my ($done, $failed, $waits) = @id{$open, $ended, $queued};
is state() =~ tr/\n//, 12, 'seven movements, three jobs, two accounts';

my $born = qr/born once, queued/;
refused job(status => "'completed'", cost => 5, settled_at => 6), $born,
	'a job born completed';
refused job(status => "'running'"), $born, 'a job born running';
refused job(status => "'failed'", cost => 0, settled_at => 6, error => "'x'",
	error_code => "'timeout'"), $born, 'a job born failed';
refused job(id => $done, or => 'OR REPLACE'), $born, 'a job replaced by id';
refused job(uuid => "'$open'", or => 'OR REPLACE'), $born,
	'a job replaced by uuid';
refused job(account_id => 2), $born, 'a job of another account';
refused job(workspace_id => 2), $born, 'a job of another workspace';
refused job(api_key_id => 2), $born, 'a job of another key';
refused job(api_key_id => 'NULL'), $born, 'a job that nobody ordered';
refused job(ordered_by => "'me'"), $born, 'a job of a key and an orderer';
my @operator = (api_key_id => 'NULL', ordered_by => "'me'");
refused job(@operator, ordered_by => "''"), $born, 'a job of an orderer without a name';
refused job(@operator, account_id => 2), $born, 'a job without a key of another account';
sub meanwhile {
	my ($change, $sql, $because, $name) = @_;
	refused "BEGIN; UPDATE $change WHERE id = 1; $sql; ROLLBACK", $because, $name;
}
meanwhile 'api_key SET revoked_at = 1', job(), $born, 'a job of a revoked key';
meanwhile 'api_key SET expires_at = 5', job(), $born, 'a job of an expired key';
meanwhile 'workspace SET deleted_at = 1', job(), $born, 'a job of a deleted workspace';
meanwhile 'workspace SET deleted_at = 1', job(@operator), $born,
	'a job without a key of a deleted workspace';
refused job(reserved_credits => 0, cost => 0), qr/ordered whole/,
	'a job for nothing';
refused job(article_uuid => 'NULL'), qr/ordered whole/, 'an article without id';
refused job(id => -1), qr/CHECK/, 'a job with an id below 1';
refused job($_ => 'NULL'), qr/ordered whole/, "a job without $_"
	for qw(uuid topic image auto_publish cost kind created_at steps);

my $forwards = qr/forwards only/;
for my $change ('reserved_credits = 1, cost = 1', 'account_id = 2',
	'workspace_id = 2', 'api_key_id = 2', 'api_key_id = NULL', "ordered_by = 'me'",
	"uuid = 'x'", 'created_at = 1',
	"kind = 'research'", "topic = 'other'", 'image = 1', 'auto_publish = 1',
	"article_uuid = 'y'", 'research_id = 1', 'id = 77') {
	refused "UPDATE job SET $change WHERE id = $waits", $forwards,
		"an open job with $change";
}
for my $or ('', 'OR IGNORE', 'OR REPLACE', 'OR FAIL') {
	refused "UPDATE $or job SET status = 'queued', cost = 20,"
		. " settled_at = NULL, stage = 'queued' WHERE id = $done",
		$forwards, "a completed job again, $or";
}
meanwhile 'workspace SET deleted_at = 1',
	"UPDATE job SET stage = 'writing' WHERE id = $waits", $forwards,
	'a job that goes on in a deleted workspace';
refused "UPDATE job SET stage = 'image' WHERE id = $failed", $forwards,
	'a failed job changed';
refused "UPDATE job SET status = 'completed', cost = 7, settled_at = 9"
	. " WHERE id = $waits", $forwards, 'a job completed unsettled';
refused "UPDATE job SET status = 'failed', cost = 0, settled_at = 9,"
	. " error = 'x', error_code = 'timeout' WHERE id = $waits", $forwards,
	'a job failed without refund';
my $states = qr/one of its states/;
for my $change ('status = NULL', 'steps = NULL', 'tries = NULL', 'cost = 5', "stage = 'resting'", 'tries = 5', 'deaths = 6',
	"error_code = 'other'", 'claimed_at = 1', "brief = '{}'",
	"lease_token = x'00'", "status = 'running', lease_token = randomblob(16)") {
	refused "UPDATE job SET $change WHERE id = $waits", $states,
		"an open job with $change";
}

# movements: the account's next number is 7
my $kinds = qr/of one of its kinds/;
my $continues = qr/continues the balance/;
my $fits = qr/fits its open job/;
my $once = qr/made once/;
refused move('', 1, 7, "'revoke'", undef, "'r'", -74, 0, 0, -1, 20, 7),
	$kinds, 'an overdraft';
for my $or ('OR IGNORE', 'OR REPLACE', 'OR FAIL') {
	refused move($or, 1, 7, "'revoke'", undef, "'r'", -74, 0, 0, 0, 20, 7),
		$continues, "an overdraft with a false balance, $or";
}
refused move('', 1, 7, "'grant'", undef, "'g'", 5, 0, 0, 79, 20, 7), $continues,
	'a false balance';
refused move('', 1, 8, "'grant'", undef, "'g'", 5, 0, 0, 78, 20, 7), $continues,
	'a gap';
refused move('OR REPLACE', 1, 6, "'grant'", undef, "'g'", 5, 0, 0, 78, 20, 7),
	$continues, 'the last movement replaced';
refused move('OR REPLACE', 1, 1, "'grant'", undef, "'g'", 5, 0, 0, 78, 20, 7),
	$continues, 'the first movement replaced';
refused move('', 3, 1, "'grant'", undef, "'g'", 5, 0, 0, 5, 0, 0), $continues,
	'an account that is not there';
refused move('', 1, 7, "'grant'", undef, "'account create'", 5, 0, 0, 78, 20,
	7), $once, 'a grant twice under one reference';
refused move('', 1, 7, "'reserve'", $waits, undef, -20, 20, 0, 53, 40, 7),
	$once, 'a second reservation';
refused move('', 1, 7, "'reserve'", $done, undef, -20, 20, 0, 53, 40, 7),
	$fits, 'a reservation for what has ended';
refused move('', 2, 2, "'reserve'", $waits, undef, -20, 20, 0, 80, 20, 0),
	$fits, 'a reservation on another account';
refused move('', 1, 7, "'settle'", $waits, undef, 13, -20, 7, 86, 0, 14), $fits,
	'a settlement of what never ran';
refused move('', 1, 7, "'settle'", $done, undef, 13, -20, 7, 86, 0, 14), $fits,
	'a second settlement';
refused move('', 1, 7, "'refund'", $done, undef, 20, -20, 0, 93, 0, 7), $fits,
	'a refund after the settlement';
refused move('', 1, 7, "'refund'", $waits, undef, 10, -10, 0, 83, 10, 7), $fits,
	'a refund of half';
refused move('', 1, 7, "'settle'", $waits, undef, -5, -20, 25, 68, 0, 32),
	$kinds, 'a charge above the reservation';
refused move('', 1, 7, "'refund'", 99, undef, 20, -20, 0, 93, 0, 7), $fits,
	'a refund of no job';
refused move('', 1, 7, "'grant'", undef, "'g'", 5, 'NULL', 0, 78, 20, 7), $kinds,
	'a movement without an amount';
refused move('', 1, 7, "'grant'", $waits, undef, 5, 0, 0, 78, 20, 7), $kinds,
	'a grant for a job';
refused move('', 1, 7, "'gift'", undef, "'g'", 5, 0, 0, 78, 20, 7), $kinds,
	'an unknown kind';
for my $or ('', 'OR IGNORE', 'OR REPLACE', 'OR ROLLBACK') {
	refused "UPDATE $or ledger SET at = 1", qr/append-only/,
		"a change of movements, $or";
}
refused 'DELETE FROM ledger', qr/append-only/, 'all movements deleted';
refused 'DELETE FROM ledger WHERE number = 1', qr/append-only/,
	'one movement deleted';
refused 'UPDATE account SET available = 1000 WHERE id = 1', qr/CHECK|moved by the ledger alone/,
	'an account with more than it was granted';
if ($postgres) {
	refused 'UPDATE account SET granted = granted + 50, available = available + 50 WHERE id = 2',
		qr/moved by the ledger alone/, 'credits that the ledger does not know';
	refused "INSERT INTO account (uuid, name, granted, available, created_at) VALUES ('u', 'n', 5, 5, 1)",
		qr/begins without credits/, 'an account that begins with credits';
	refused 'TRUNCATE ledger CASCADE', qr/append-only/, 'all movements at once';
}

# Programs that are not Galley's: with PostgreSQL all of the above.
my $others = qr/only Galley's programs/;
for my $sql ($postgres ? () : (job(), "UPDATE job SET stage = 'writing' WHERE id = $waits",
	"UPDATE OR IGNORE job SET stage = 'writing'",
	move('', 1, 7, "'grant'", undef, "'g'", 5, 0, 0, 78, 20, 7))) {
	my $before = state();
	like other_program($sql), $others, "another program: $sql";
	is state(), $before, '  nothing changed';
}
like $postgres ? shell($_) : other_program($_), qr/append-only/, "another program: $_"
	for 'UPDATE ledger SET at = 1', 'DELETE FROM ledger';

# Damage that only verify can see
is $jobs->broken, '', 'verify finds nothing';
my %damage = (
	'UPDATE account SET granted = granted + 50, available = available + 50'
		. ' WHERE id = 2' => qr/not the sum of its movements/,
	'UPDATE account SET available = available - 5, reserved = reserved + 5'
		. ' WHERE id = 1' => qr/not those of its open jobs/,
	"PRAGMA foreign_keys = OFF; DELETE FROM job WHERE id = $done"
		=> qr/another account than its job/,
);
for my $sql (sort keys %damage) {
	$postgres ? $galley->sql($sql) : is shell($sql), '', "damage: $sql";
	like $jobs->broken, $damage{$sql}, '  verify sees it';
}
done_testing;
