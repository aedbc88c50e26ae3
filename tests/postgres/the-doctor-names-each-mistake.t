#!/usr/bin/perl
# Proves, for the build STORE=pg, that galley doctor names each mistake that an operator makes with a
# server, and its fix (docs/postgres.md §7): a wrong port, a password or a name that is not the
# server's, another pepper, a collation, an encoding, missing rights, an old server, a standby alone, no
# connection left, no or an asynchronous standby. And that the API answers 503 in each case in which
# it cannot work, says in its log why, and answers again once the mistake is corrected. And that
# galley init refuses such a database with a sentence, and makes nothing.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Postgres;
use Galley::PostgresProxy;
use Galley::Process qw(patience run_program);
use Galley::Request qw(request_env split_answer);
use Test::More;
use Time::HiRes qw(sleep time);

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

# ---- a server, which is reached by TCP at an address of its own

sub address_of { return sprintf '127.%d.%d.%d', $_[0], $$ >> 8 & 255, $$ & 255 || 1 }
my ($ip, $second) = map { address_of($_) } 71, 72;
my $password = "secret-$$-" . time;
my $cluster = Galley::Postgres->new(settings => { listen_addresses => $ip, max_connections => 150 });
my $rules = $cluster->host . '/data/pg_hba.conf';
Galley::spew($rules, "host all shop 0.0.0.0/0 scram-sha-256\nhost all all 0.0.0.0/0 trust\n"
	. "host replication all 0.0.0.0/0 trust\n" . Galley::slurp($rules));
sub sql { return $cluster->must('shop', $_[0]) }
$cluster->must('postgres', $_) for "CREATE ROLE shop LOGIN PASSWORD '$password'",
	'CREATE DATABASE shop OWNER shop',
	q(CREATE DATABASE ascii OWNER shop ENCODING SQL_ASCII TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'),
	'CREATE DATABASE theirs', 'CREATE DATABASE filled OWNER shop', 'SELECT pg_reload_conf()';
$cluster->must('filled', 'CREATE TABLE notes (text TEXT)');
my $proxy = Galley::PostgresProxy->new("$ip:5432");
my $old = Galley::PostgresProxy::Message::parameter('server_version', '13.14 (Debian 13.14-1)');
sub be_old { $proxy->arm(like => '^< ParameterStatus server_version ', always => 1, do => 'say', bytes => $old) }

my $address = "host=$ip user=shop dbname=shop";
my $galley = Galley->new(init => 0);
our $conf = $galley->home . '/galley.conf';
our $file = $galley->home . '/db/password';

sub write_passwords {
	Galley::spew($file, "*:*:*:shop:$_[0]\n");
	chmod 0600, $file;
	chown $galley->owner_ids, $file if $> == 0;
}
write_passwords($password);
unlink $conf;

# ---- galley init

sub is_refused {
	my ($name, $at, $says) = @_;
	my $done = $galley->command('init', '--database', $at, '--database-password-file', $file);
	isnt $done->{exit}, 0, "init refuses $name";
	like $done->{err} . $done->{out}, $says, '  and says so';
	unlike $done->{err} . $done->{out}, qr/\Q$password/, '  without the password';
	ok !-e $galley->home . '/db/galley.db' && !-e $conf, '  and makes nothing';
}

is_refused 'a server that does not answer', "$address port=1", qr/no server answers: .*port 1/;
is_refused 'an encoding', $address =~ s/dbname=shop/dbname=ascii/r, qr/is in SQL_ASCII, and Galley needs UTF8/;
is_refused 'a database of others', $address =~ s/dbname=shop/dbname=theirs/r,
	qr/role shop may make no schema in the database theirs: GRANT CREATE ON DATABASE theirs TO shop/;
is_refused 'one that holds something', $address =~ s/dbname=shop/dbname=filled/r,
	qr/database filled is not empty: it has public\.notes/;
be_old();
is_refused 'an old server', $address =~ s/host=\S+/$proxy->address/er,
	qr/the server is PostgreSQL 13\.14, and Galley needs 15 or newer/;
$proxy->arm;
$galley->must('init', '--database', $address, '--database-password-file', $file);
$galley->conf(require_https => 'off', requests_per_minute => 0);
my $key = $galley->key($galley->workspace);
{
	my $one = $galley;
	$galley = Galley->new(init => 0);
	unlink $galley->home . '/galley.conf';
	local ($conf, $file) = ($galley->home . '/galley.conf', $galley->home . '/db/password');
	write_passwords($password);
	is_refused 'the database of another instance', $address,
		qr/shop holds a Galley already: for another web host copy galley\.conf/;
	$galley = $one;
}

# ---- mistakes

my ($program, $env) = request_env('GET', '/articles', key => $key);
sub ask { return split_answer($galley->persistent($program, $env)) }
sub read_log { return Galley::slurp($galley->home . '/log/requests.log') }
sub cut { $cluster->must('postgres', "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'shop'") }

# {CHECK => "LEVEL: MESSAGE; FIX"} of galley doctor.
sub findings {
	my $done = run_program([$galley->programs . '/bin/galley', 'doctor']);
	unlike $done->{out} . $done->{err}, qr/\Q$password/, '  doctor tells no password';
	my %found;
	for my $line (split /\n/, $done->{out}) {
		my ($level, $check, $says) = $line =~ /^(\w+) +(server|standbys|connections) +(.*)/ or next;
		$found{$check} = "$level: " . $says =~ s/; fix: /; /r;
	}
	return \%found;
}

# Makes a mistake, asks, and corrects it. Without `log` the API works all the same.
sub is_named {
	my ($name, %of) = @_;
	$of{make}->();
	cut() if !$of{alone};
	my $check = $of{check} // 'server';
	my $found = findings();
	like $found->{$check} // 'nothing', $of{says}, $name;
	like $found->{$check} // '', qr/; ./, '  with its fix' if ($found->{$check} // '') !~ /^ok/;
	if ($of{log}) {
		my ($answer, $took);
		# A confined process whose galley.conf was replaced answers once more.
		for (1 .. 20) {
			my $began = time;
			$answer = ask();
			$took = time - $began;
			last if $answer->{status} == 503 && read_log() =~ $of{log};
		}
		is_error $answer, 503, 'service_unavailable', '  the API answers 503';
		cmp_ok $took, '<', 6 * patience(), '  in time';
		like read_log(), $of{log}, '  its log says why';
	} else {
		is ask()->{status}, 200, '  the API answers';
	}
	$of{undo}->();
	my $status = 0;
	for (1 .. 3) {
		last if ($status = ask()->{status}) == 200;
	}
	is $status, 200, '  and answers once it is corrected';
}

sub conf_is { my %to = @_; return sub { $galley->conf(%to) } }
sub as_shop {
	my ($statement) = @_;
	return sub { sql("SET ROLE shop; $statement") };
}

is ask()->{status}, 200, 'a process answers';
like findings()->{server}, qr/^ok: the server takes writes/, 'and doctor finds the server good';

is_named 'a wrong port', make => conf_is(database => "$address port=1"), undo => conf_is(database => $address),
	says => qr/^BAD: \Q$ip\E, port 1: no server answers: .*refused.*; see that PostgreSQL runs there, and that host and port/,
	log => qr/port 1 failed: Connection refused/;
is_named 'a password that was changed at the server',
	make => sub { sql("ALTER ROLE shop PASSWORD 'other'") }, undo => sub { sql("ALTER ROLE shop PASSWORD '$password'") },
	says => qr/^BAD: .*takes another password \(28P01: .*; write the role's password/,
	log => qr/password authentication failed/;
is_named 'no password for the server', make => sub { write_passwords('') }, undo => sub { write_passwords($password) },
	says => qr/^BAD: .*wants a password, and there is none.*; write host:port:database:user:password/,
	log => qr/no password supplied/;
is_named 'another database', make => conf_is(database => $address =~ s/dbname=shop/dbname=shoop/r),
	undo => conf_is(database => $address),
	says => qr/^BAD: .*no such database \(3D000: .*; correct the name/, log => qr/database "shoop" does not exist/;
is_named 'another role', make => sub { $galley->conf(database => $address =~ s/user=shop/user=shoop/r) },
	undo => conf_is(database => $address),
	says => qr/^BAD: .*does not let this role in \(28000: .*; see user of the address/, log => qr/role "shoop" does not exist/;
is_named 'a database without Galley', make => conf_is(database => $address =~ s/dbname=shop/dbname=filled/r),
	undo => conf_is(database => $address), says => qr/^BAD: the database holds no Galley; correct the name/,
	log => qr{42P01|schema};
is_named 'an encoding', make => conf_is(database => $address =~ s/dbname=shop/dbname=ascii/r),
	undo => conf_is(database => $address),
	says => qr/^BAD: the database is in SQL_ASCII, and Galley needs UTF8; make a database in UTF8/,
	log => qr/the database is in SQL_ASCII, and Galley needs UTF8/;

my $pepper = $galley->home . '/db/pepper';
my $right = Galley::slurp($pepper);
is_named 'another pepper', make => sub { Galley::spew($pepper, 'x' x 32) }, undo => sub { Galley::spew($pepper, $right) },
	says => qr/^BAD: the pepper of this host is not that of the database; copy db\/pepper from a host/,
	log => qr/is not the pepper of this database: copy the file/;
is_named 'another collation',
	make => as_shop('ALTER TABLE content.workspace ALTER COLUMN name TYPE text COLLATE "und-x-icu"'),
	undo => as_shop('ALTER TABLE content.workspace ALTER COLUMN name TYPE text COLLATE "C"'),
	says => qr/^BAD: the column content\.workspace\.name of the database has another collation than C.*; ALTER TABLE/,
	log => qr/column content\.workspace\.name of the database has another collation than C/;
is_named 'a schema that may not be used', make => as_shop('REVOKE USAGE ON SCHEMA content FROM shop'),
	undo => as_shop('GRANT USAGE ON SCHEMA content TO shop'),
	says => qr/^BAD: the role shop may not use the schema content; GRANT USAGE ON SCHEMA content TO shop/,
	log => qr/42501\): permission denied for schema content/;
is_named 'a table that may not be read', make => as_shop('REVOKE SELECT ON content.api_key FROM shop'),
	undo => as_shop('GRANT SELECT ON content.api_key TO shop'),
	says => qr/^BAD: the role shop may not read the table content\.api_key; GRANT/,
	log => qr/42501\): permission denied for table api_key/;
is_named 'no connection left', make => sub { sql('ALTER ROLE shop CONNECTION LIMIT 0') },
	undo => sub { sql('ALTER ROLE shop CONNECTION LIMIT -1') },
	says => qr/^BAD: .*no connection left \(53300: .*; raise max_connections/, log => qr/too many connections/;
is_named 'an old server', make => sub { be_old(); $galley->conf(database => $address =~ s/host=\S+/$proxy->address/er) },
	undo => conf_is(database => $address),
	says => qr/^BAD: the server is PostgreSQL 13\.14, and Galley needs 15 or newer; install PostgreSQL 15/,
	log => qr/the server is PostgreSQL 13\.14, and Galley needs 15 or newer/;

# ---- what the API does not notice

is_named 'few connections', check => 'connections', make => sub { sql('ALTER ROLE shop CONNECTION LIMIT 50') },
	undo => sub { sql('ALTER ROLE shop CONNECTION LIMIT -1') }, alone => 1,
	says => qr/^warn: the server takes 50 connections, and Galley may need 81 on each of 1 web hosts beside 20 .*; set max_connections = 101/;
like findings()->{connections}, qr/^ok: the server has room: 81 connections of 150/, 'with more there is room';
like findings()->{standbys}, qr/^warn: there is no standby: what was acknowledged dies with the disk.*; synchronous_standby_names/,
	'no standby';
my $standby = $cluster->standby(undef, settings => { listen_addresses => $second, max_connections => 150 });

# Waits until doctor says so of standbys; the server's reload takes a moment.
sub standbys_are {
	my ($says, $name) = @_;
	my $found = '';
	for (1 .. 30 * patience()) {
		last if ($found = findings()->{standbys}) =~ $says;
		sleep 0.2;
	}
	like $found, $says, $name;
}
standbys_are qr/^warn: replication is asynchronous: .*; synchronous_standby_names/, 'asynchronous replication';
$cluster->must('postgres', $_) for q(ALTER SYSTEM SET synchronous_standby_names = '*'), 'SELECT pg_reload_conf()';
standbys_are qr/^ok: a standby has what was acknowledged/, 'a standby that each write waits for';
is_named 'a standby as the only host', make => conf_is(database => $address =~ s/\Q$ip/$second/r),
	undo => conf_is(database => $address),
	says => qr/^BAD: \Q$second\E, port 5432, takes no writes: it is a standby.*; name the primary/,
	log => qr/session is (?:read-only|not)|hot standby|not accepting/;
is_named 'a standby beside the primary', make => conf_is(database => $address =~ s/\Q$ip/$second,$ip/r),
	undo => conf_is(database => $address), says => qr/^ok: the server takes writes/;
$standby->stop;
standbys_are qr/^warn: each write waits for a standby, and none is there.*; bring a standby back/, 'a standby that is lost';
$cluster->must('postgres', $_) for 'ALTER SYSTEM RESET synchronous_standby_names', 'SELECT pg_reload_conf()';
is_named 'a lost host beside the primary', make => conf_is(database => $address =~ s/\Q$ip/$second,$ip/r),
	undo => conf_is(database => $address),
	says => qr/^warn: another host takes writes, but \Q$second\E, port 5432: no server answers: .*; see that PostgreSQL runs/;
unlike join('', map { Galley::slurp($_) } glob $galley->home . '/log/*'), qr/\Q$password/, 'no log has the password';
done_testing;
