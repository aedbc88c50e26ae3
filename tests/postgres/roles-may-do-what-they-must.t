#!/usr/bin/perl
# Proves, for the build STORE=pg, the rights of the three users of the database (docs/postgres.md §9,
# db/pg/rights/): the user of the API may ask each statement that its programs hold, and has no right that
# none of them needs: nothing of people, no key of a day, no form; the user of the console, the
# runners and the tool may ask every statement of Galley; neither moves a balance, grants
# credits to itself, or changes a table. Each signs in by a password of its own, from files that the
# API's programs do not reach. A right that is missing is 503 with a sentence, and `galley migrate`
# gives it again; a database of one user becomes one of three as INSTALL.md says.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Postgres;
use Galley::Process qw(run_program);
use Galley::Request qw(request_env split_answer);
use Galley::Sql;
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my $cluster = Galley::Postgres->new(settings => { max_connections => 60 });
my %password = map { $_ => "$_-$$-" . time } qw(shop shop_api shop_owner);
# The administrator's own file, for other names.
my $users = Galley::slurp(Galley::top() . '/examples/several-hosts/users.sql');
$users =~ s/\bgalley/shop/g;
$users =~ s/(CREATE ROLE (\w+) LOGIN PASSWORD )'[A-Z]+-PASSWORD'/$1'$password{$2}'/g;
$cluster->must('postgres', $users);
my $rules = $cluster->host . '/data/pg_hba.conf';
Galley::spew($rules, "local all shop,shop_api,shop_owner scram-sha-256\n" . Galley::slurp($rules));
$cluster->must('postgres', 'SELECT pg_reload_conf()');

# What PostgreSQL says when a user runs the SQL.
sub said {
	my ($user, $sql, $database) = @_;
	my $done = run_program([Galley::Postgres::programs() . '/psql', '-X', '-q', '-A', '-t', '-d',
		sprintf('host=%s user=%s dbname=%s', $cluster->host, $user, $database // 'shop'), '-f', '-'],
		input => $sql, env => { %ENV, PGPASSWORD => $password{$user} // '' });
	return $done->{err} . $done->{out};
}

sub refuses {
	my ($user, $sql, $why, $name) = @_;
	like said($user, $sql), $why // qr/permission denied|must be owner|no permission/, $name // "$user: $sql";
}

sub secret {
	my ($galley, $path, @users) = @_;
	Galley::spew($path, join '', map { "*:*:*:$_:$password{$_}\n" } @users);
	chmod 0600, $path;
	chown $galley->owner_ids, $path if $> == 0;
	return $path;
}

sub read_log { my ($galley) = @_; return join '', map { Galley::slurp($_) } glob $galley->home . '/log/*' }

# ---- init

my $address = sprintf 'host=%s user=shop dbname=shop', $cluster->host;
my $galley = Galley->new(init => 0);
unlink $galley->home . '/galley.conf';
my %file = (
	database_password_file => secret($galley, $galley->home . '/people/password', 'shop'),
	database_api_password_file => secret($galley, $galley->home . '/db/password', 'shop_api'),
	database_owner_password_file => secret($galley, $galley->scratch . '/owner', 'shop_owner'),
);
$galley->must('init', '--database', $address, '--database-api-user', 'shop_api',
	'--database-owner-user', 'shop_owner', map { ('--' . tr/_/-/r, $file{$_}) } sort keys %file);
$galley->conf(require_https => 'off', requests_per_minute => 0, jobs_per_hour => 0);
is $cluster->must('shop', "SELECT string_agg(DISTINCT tableowner, ',') FROM pg_tables"
	. " WHERE schemaname IN ('content', 'console', 'stats')"), "shop_owner\n", 'the tables are the owner\'s';

# ---- each statement

# Which of these statements the user may not run, in one of these schemas.
sub forbidden {
	my ($user, $stores, $texts, $database) = @_;
	my @left = @$texts;
	my @wrong;
	for my $store (@$stores) {
		my ($at, @lines) = (0);
		for my $text (@left) {
			my (%number, $count);
			my $numbered = $text =~ s{'(?:[^']|'')*'|/\*.*?\*/|::\w+|:([a-z_]\w*)}
				{ defined $1 ? '$' . ($number{$1} //= ++$count) : $& }ger =~ s/\s+/ /gr;
			my %dollar = map { $_ => 1 } $numbered =~ /\$(\d+)/g;
			my $values = join ',', ('NULL') x keys %dollar;
			$values = "($values)" if $values;
			push @lines, "PREPARE s$at AS $numbered; EXPLAIN EXECUTE s$at$values;";
			$at++;
		}
		my $out = said($user, join("\n", "SET search_path = $store;", @lines), $database);
		my %said;
		while ($out =~ /^psql:<stdin>:(\d+): ERROR:\s+(.*)/mg) { $said{ $1 - 2 } //= $2 }
		push @wrong, map { "$said{$_}: $left[$_]" } grep { ($said{$_} // '') =~ /denied/ } sort keys %said;
		@left = map { $left[$_] } grep { ($said{$_} // '') =~ /does not exist/ } 0 .. $#left;
	}
	return @wrong, map { "not prepared: $_" } @left;
}

# The linker keeps of the library what a program calls, so its statements are those that it asks.
sub statements_of {
	my ($program) = @_;
	my $done = run_program(['strings', '-n', '12', $galley->programs . "/cgi-bin/$program"]);
	return grep { !/%/ && /^(?:SELECT|INSERT|UPDATE|DELETE|WITH)\s.*\b(?:FROM|INTO|SET)\s+\S/ }
		split /\n/, $done->{out};
}

my %seen;
# A request of the API names its account alone: it locks no workspace, and draws no stamp.
my @api = grep { !$seen{$_}++ && !/FROM workspace WHERE id = :id FOR|^UPDATE content\.stamp/ } map { statements_of($_) }
	qw(articles connection generate jobs pricing sync pages picture);
cmp_ok scalar @api, '>', 25, @api . ' statements of the API were read out of its programs';
# Beginnings of transactions, which are put together (lib/store/pg/pg-transaction.c).
push @api, 'SELECT 1 FROM content.account WHERE id = 1 FOR NO KEY UPDATE',
	'SELECT number FROM content.store', 'SELECT value FROM content.stamp', 'SELECT times FROM content.limit_key FOR UPDATE',
	"INSERT INTO content.limit_key VALUES (1, '{}')", 'UPDATE content.limit_key SET times = times',
	'SELECT times FROM content.limit_network FOR UPDATE',
	"INSERT INTO content.limit_network VALUES (true, 1, '{}')",
	'UPDATE content.limit_network SET times = times';
is_deeply [forbidden('shop_api', ['content'], \@api)], [], 'it may ask each of them';
my @all = map { $_->{text} } grep { $_->{literal} } Galley::Sql::statements();
cmp_ok scalar @all, '>', 400, @all . ' statements of Galley were read';
is_deeply [forbidden('shop', [qw(content console stats)], \@all)], [], 'the programs may ask all of them';

# Without any one of its rights a statement is refused: none is too many.
my @rights = split /\n/, $cluster->must('shop', <<~'SQL');
	SELECT privilege_type || ' ON ' || table_schema || '.' || table_name
		FROM information_schema.table_privileges WHERE grantee = 'shop_api' ORDER BY 1;
	SELECT DISTINCT p.privilege_type || ' (' || string_agg(p.column_name, ', ') OVER w || ') ON '
		|| p.table_schema || '.' || p.table_name
		FROM information_schema.column_privileges p WHERE p.grantee = 'shop_api' AND NOT EXISTS (SELECT 1
			FROM information_schema.table_privileges t WHERE t.grantee = p.grantee
			AND t.table_name = p.table_name AND t.privilege_type = p.privilege_type)
		WINDOW w AS (PARTITION BY p.table_name, p.privilege_type) ORDER BY 1;
	SQL
cmp_ok scalar @rights, '>', 20, @rights . ' rights of the API are looked at';
for my $right (@rights) {
	$cluster->must('shop', "REVOKE $right FROM shop_api");
	my ($table) = $right =~ /(\w+)$/;
	isnt scalar(() = forbidden('shop_api', ['content'], [grep { /\b$table\b/ } @api])), 0,
		"$right is needed";
	$cluster->must('shop', "GRANT $right TO shop_api");
}

# ---- what the API's programs do

my $account = $galley->account;
my $workspace = $galley->workspace(account => $account);
$galley->must(qw(credits grant), $account, 100, '--ref', 'first');
my $key = $galley->key($workspace, qw(articles:read articles:generate));
my ($article) = $galley->import_text($workspace, "# A text\n\nText.\n");
my ($program, $env) = request_env('GET', '/articles', key => $key);
sub ask { return split_answer($galley->persistent($program, $env)) }
is ask()->{status}, 200, 'a process of the API answers';
like $cluster->must('shop', "SELECT string_agg(DISTINCT usename, ',') FROM pg_stat_activity"
	. " WHERE datname = 'shop' AND application_name = 'galley'"), qr/^shop_api$/, 'it signed in as its own user';
my $order = $galley->post('/generate', key => $key, body => '{"topic":"A topic"}',
	headers => { 'Idempotency-Key' => 'an-order' });
is $order->{status}, 200, 'an order is taken' or diag explain $order;
is $cluster->must('shop', 'SELECT available || \' \' || reserved FROM content.account'), "70 30\n",
	'and the trigger moved the balance';

# ---- what it may not

refuses('shop_api', $_) for 'SELECT * FROM console.person', 'SELECT * FROM console.session',
	'SELECT * FROM stats.day_key', 'SELECT * FROM stats.view', 'SELECT * FROM content.form',
	'SELECT * FROM content.comment', 'SELECT * FROM content.key_more',
	'UPDATE content.account SET available = 1000000', 'UPDATE content.account SET granted = 5, spent = 5',
	'INSERT INTO content.account (uuid, name, granted, created_at) VALUES (\'x\', \'x\', 0, 1)',
	'UPDATE content.job SET reserved_credits = 1', 'UPDATE content.job SET account_id = 2',
	'DELETE FROM content.job', 'DELETE FROM content.ledger', 'UPDATE content.ledger SET spent = 0',
	'UPDATE content.api_key SET scopes = scopes', 'INSERT INTO content.api_key (uuid) VALUES (\'x\')',
	'UPDATE content.store SET number = 1', 'CREATE TABLE content.mine (a BIGINT)', 'CREATE SCHEMA mine',
	'DROP TRIGGER job_moved ON content.job', 'ALTER TABLE content.ledger DISABLE TRIGGER USER',
	'TRUNCATE content.ledger', 'SET ROLE shop', 'SET ROLE shop_owner',
	'SET session_replication_role = replica', 'SET SESSION AUTHORIZATION shop_owner';
refuses('shop_api', 'CREATE TEMP TABLE mine (a BIGINT)');
refuses('shop_api', $_) for 'SELECT lo_creat(-1)', 'SELECT lo_create(0)', "SELECT lo_from_bytea(0, 'a')",
	"SELECT lo_import('/etc/passwd')", "SELECT pg_read_file('/etc/passwd')", 'SELECT * FROM pg_authid',
	'BEGIN; LOCK TABLE content.job', 'BEGIN; LOCK TABLE content.account',
	"SELECT nextval('content.job_id_seq')", 'SET temp_file_limit = -1', 'CREATE EXTENSION hstore',
	"SELECT public.bt_index_check('content.job_pkey'::regclass, TRUE)";
refuses('shop_api', "COPY (SELECT 1) TO PROGRAM 'id'", qr/must be superuser/);
$cluster->must('shop', 'GRANT TEMP ON DATABASE shop TO shop_api');
my $grant = "INSERT INTO content.ledger (account_id, number, kind, ref, available, reserved, spent,"
	. " available_after, reserved_after, spent_after, at) SELECT id, 3, 'grant', 'mine', 500, 0, 0,"
	. ' available + 500, reserved, spent, 1 FROM content.account';
refuses('shop_api', $grant, qr/may not grant credits/, 'shop_api: a grant of credits');
refuses('shop_api', 'UPDATE content.account SET created_at = 0', qr/stays/, 'shop_api: the only column that it may lock by');
refuses('shop_api', 'CREATE TEMP TABLE ledger AS SELECT 1 AS job_id, \'reserve\' AS kind, 0 AS spent;'
	. " UPDATE content.job SET status = 'failed', cost = 0, settled_at = 1, error = 'x',"
	. " error_code = 'timeout'", qr/ends with the ledger/, 'shop_api: a table of its own in place of the ledger');

refuses('shop', $_) for 'UPDATE content.account SET available = 1000000',
	'UPDATE content.account SET granted = granted + 5, spent = spent + 5', 'DELETE FROM content.account',
	'INSERT INTO content.account (uuid, name, granted, available, created_at) VALUES (\'x\', \'x\', 5, 5, 1)',
	'UPDATE content.ledger SET spent = 0', 'DELETE FROM content.ledger', 'TRUNCATE content.ledger',
	'UPDATE content.store SET number = 1', 'CREATE TABLE content.mine (a BIGINT)',
	'DROP TRIGGER account_moved ON content.account', 'ALTER TABLE content.account DISABLE TRIGGER USER',
	'SET ROLE shop_owner';
refuses('shop_owner', 'UPDATE content.account SET available = available + 5, granted = granted + 5',
	qr/moved by the ledger alone/, 'the owner, too, moves a balance by the ledger');
is $cluster->must('shop', 'SELECT available || \' \' || reserved FROM content.account'), "70 30\n",
	'the balance is what it was';
is $galley->command('verify')->{exit}, 0, 'and galley verify finds nothing';
unlike said('shop', "SELECT public.bt_index_check('content.job_pkey'::regclass, TRUE)"), qr/ERROR/,
	'and may compare indexes with their tables';

# ---- what only the owner does, by the tool

is $galley->command(qw(stats erase --yes --workspace), $workspace)->{exit}, 0, 'counts are erased, and their tables written again';
is $galley->command('migrate')->{exit}, 0, 'galley migrate finds all as it is';

# ---- mistakes, and their end

sub soon {
	my ($name, $says) = @_;
	my $answer;
	for (1 .. 20) {
		$answer = ask();
		last if $answer->{status} == 503 && read_log($galley) =~ $says;
	}
	is_error $answer, 503, 'service_unavailable', $name;
	like read_log($galley), $says, 'the log says what is wrong';
}

sub finding {
	my ($of) = @_;
	my $done = run_program([$of->programs . '/bin/galley', 'doctor']);
	my ($level, $said) = $done->{out} =~ /^(\w+) +users +(.*)/m;
	return "$level: " . $said =~ s/; fix: /; /r;
}
like finding($galley), qr/^ok: each user of the database has the rights that it needs, and no more/, 'doctor finds nothing';
for my $wrong (
	['REVOKE SELECT ON content.share FROM shop_api', 'GRANT SELECT ON content.share TO shop_api',
		qr/^BAD: the user shop_api of the API lacks a right: SELECT ON content\.share .*; say galley migrate/],
	['REVOKE INSERT (topic) ON content.job FROM shop_api', 'GRANT INSERT (topic) ON content.job TO shop_api',
		qr/^BAD: .* lacks a right: INSERT ON content\.job \(topic\)/],
	['GRANT SELECT ON console.person TO shop_api', 'REVOKE SELECT ON console.person FROM shop_api',
		qr/^warn: the user shop_api of the API may do more than it needs: SELECT ON console\.person .*; say galley migrate/],
	['GRANT UPDATE (available) ON content.account TO shop_api', 'REVOKE UPDATE (available) ON content.account FROM shop_api',
		qr/^warn: .* may do more than it needs: UPDATE ON content\.account \(available\)/],
	['GRANT TRUNCATE ON content.ledger TO shop_api', 'REVOKE TRUNCATE ON content.ledger FROM shop_api',
		qr/^warn: .* TRUNCATE ON content\.ledger/],
	['GRANT shop_owner TO shop_api', 'REVOKE shop_owner FROM shop_api', qr/^warn: the user shop_api .* more than it needs.*a member of/],
	['REVOKE DELETE ON console.session FROM shop', 'GRANT DELETE ON console.session TO shop',
		qr/^BAD: the user shop of the programs lacks a right: DELETE ON console\.session/],
	['GRANT UPDATE (spent) ON content.account TO shop', 'REVOKE UPDATE (spent) ON content.account FROM shop',
		qr/^warn: the user shop of the programs may do more than it needs: UPDATE ON content\.account \(spent\)/],
	['GRANT UPDATE ON stats.store TO shop', 'REVOKE UPDATE ON stats.store FROM shop',
		qr/^warn: the user shop .*: UPDATE ON stats\.store/],
) {
	my ($make, $undo, $says) = @$wrong;
	$cluster->must('shop', $make);
	like finding($galley), $says, "doctor: $make";
	$cluster->must('shop', $undo);
}
like finding($galley), qr/^ok: /, 'and finds nothing when all is as it was';
$galley->conf(database_api_user => 'nobody_here');
like finding($galley), qr/^BAD: the database has no user nobody_here; make it/, 'nor a user who is not there';
$galley->conf(database_api_user => 'shop_api');

$cluster->must('shop', 'REVOKE SELECT ON content.article FROM shop_api');
soon('a right that is missing', qr/42501.*permission denied for table article/);
is $galley->command('migrate')->{exit}, 0, 'galley migrate gives it again';
is ask()->{status}, 200, 'and it answers';

my $inside = secret($galley, $galley->home . '/db/other', 'shop');
$galley->conf(database_password_file => $inside);
my $tool = $galley->command(qw(account list));
isnt $tool->{exit}, 0, 'the programs\' password where the API reaches it is refused';
like $tool->{err}, qr{database_password_file: \S+ must be in \S+/people, which the API's programs do not reach},
	'with a sentence';
is ask()->{status}, 200, 'while the API answers';
$galley->conf(database_password_file => $file{database_password_file},
	database_api_password_file => $file{database_password_file});
soon('the API\'s password where it does not reach it', qr{database_api_password_file: \S+ must be in \S+/db});
$galley->conf(%file);
is ask()->{status}, 200, 'once it is corrected it answers';
unlike read_log($galley), qr/\Q$_/, 'no log has a password' for values %password;

# ---- the next release

$cluster->must('postgres', 'CREATE DATABASE next OWNER shop_owner');
my $next = Galley->new(build => 'test', init => 0);
unlink $next->home . '/galley.conf';
$next->must('init', '--database', $address =~ s/dbname=shop/dbname=next/r,
	'--database-password-file', secret($next, $next->home . '/people/password', 'shop', 'shop_owner'),
	'--database-api-user', 'shop_api', '--database-owner-user', 'shop_owner',
	'--database-api-password-file', secret($next, $next->home . '/db/password', 'shop_api'));
$next->conf(require_https => 'off', requests_per_minute => 0);
$workspace = $next->workspace;
{
	local $ENV{GALLEY_NEXT} = 1;
	is $next->command('migrate')->{exit}, 0, 'the owner brings the schema up';
	is $next->command('verify')->{exit}, 0, 'the programs work with it';
}
is_deeply [forbidden('shop_api', ['content'], \@api, 'next')], [], 'and the API keeps its rights';
unlike said('shop', 'SELECT count(*) FROM content.made_up', 'next'), qr/ERROR/, 'the programs may read a new table';
like said('shop_api', 'SELECT count(*) FROM content.made_up', 'next'), qr/permission denied/, 'and the API may not';
like said('shop', 'UPDATE content.account SET spent = 1', 'next'), qr/permission denied/, 'no balance is moved there';

# ---- one user becomes three

$cluster->must('postgres', 'CREATE DATABASE one OWNER shop');
my $one = Galley->new(init => 0);
unlink $one->home . '/galley.conf';
my $was = secret($one, $one->home . '/db/password', 'shop');
$one->must('init', '--database', $address =~ s/dbname=shop/dbname=one/r, '--database-password-file', $was);
$one->conf(require_https => 'off', requests_per_minute => 0);
my $reader = $one->key($one->workspace);
is $one->get('/articles', key => $reader)->{status}, 200, 'with one user the API answers';
like finding($one), qr/^note: all programs are one user of the database: .*; give the API a user of its own/, 'doctor notes it';
$cluster->must('one', 'ALTER DATABASE one OWNER TO shop_owner; REASSIGN OWNED BY shop TO shop_owner;');
$one->conf(database_api_user => 'shop_api', database_owner_user => 'shop_owner',
	database_api_password_file => secret($one, $was, 'shop_api'),
	database_password_file => secret($one, $one->home . '/people/password', 'shop', 'shop_owner'));
isnt $one->command(qw(account list))->{exit}, 0, 'who lost the tables has no rights';
my $done = $one->command('migrate');
is $done->{exit}, 0, 'galley migrate gives them' or diag $done->{err};
is $one->command(qw(account list))->{exit}, 0, 'then the tool works';
like finding($one), qr/^ok: /, 'doctor finds the users good';
is $one->get('/articles', key => $reader)->{status}, 200, 'and the API, by its own user';
like said('shop_api', 'SELECT count(*) FROM console.person', 'one'), qr/permission denied/, 'who sees no people';
done_testing;
