#!/usr/bin/perl
# The other store (docs/postgres.md): PostgreSQL takes the three schemas as db/pg/translate.sh
# writes them, with the tables, columns, keys and indexes that SQLite has, and it prepares each
# statement of the floors above the store, in the schema of one of the stores.
use strict;
use warnings;

use lib 'tests/lib';

use Galley::Postgres;
use Galley::Process qw(run_program);
use Galley::Sql;
use Test::More;

my $cluster = Galley::Postgres->new;
plan skip_all => Galley::Postgres::missing() if !$cluster;

my %schema = (content => 'db/schema.sql', console => 'db/console/schema.sql',
	stats => 'db/stats/schema.sql');
my @stores = qw(content console stats);

sub translated {
	my ($name, $file) = @_;
	my $done = run_program(['sh', 'db/pg/translate.sh', $name, $file]);
	die "translate.sh: $done->{err}" if $done->{exit} != 0;
	return $done->{out};
}

# ---- the schemas

$cluster->must('postgres', 'CREATE DATABASE galley');
for my $store (@stores) {
	my $done = $cluster->psql('galley', translated($store, $schema{$store}));
	is $done->{err}, '', "PostgreSQL takes the schema of $store";
}

# What a schema holds, a line for each: the table, its columns with type and duty, what it refers
# to, its indexes with their columns. SQLite says it in its words, and PostgreSQL's are replaced.
sub lines_of_sqlite {
	my ($file) = @_;
	open my $text, '<', $file or die "$file: $!";
	local $/;
	my $done = run_program(['sqlite3', ':memory:'], input => <$text> . <<~'SQL');
		SELECT 'column', t.name, c.name, c.type, c."notnull" OR c.pk > 0, c.pk
			FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table';
		SELECT 'reference', t.name, f."from", f."table", f."to", f.on_delete
			FROM sqlite_master t, pragma_foreign_key_list(t.name) f WHERE t.type = 'table';
		SELECT 'index', t.name, group_concat(x.name), i."unique", i.partial
			FROM sqlite_master t, pragma_index_list(t.name) i, pragma_index_info(i.name) x
			WHERE t.type = 'table' AND i.origin <> 'pk' GROUP BY t.name, i.name;
		SELECT 'default', t.name, c.name, c.dflt_value FROM sqlite_master t,
			pragma_table_info(t.name) c WHERE t.type = 'table' AND c.dflt_value IS NOT NULL;
		SQL
	die "sqlite3: $done->{err}" if $done->{err} ne '';
	return sort split /\n/, $done->{out};
}

sub lines_of_postgres {
	my ($store) = @_;
	my $out = $cluster->must('galley', <<~SQL);
		SET search_path = $store;
		SELECT 'column', c.relname, a.attname, CASE a.atttypid WHEN 20 THEN 'INTEGER'
			WHEN 25 THEN 'TEXT' WHEN 17 THEN 'BLOB' END, CASE WHEN a.attnotnull THEN 1 ELSE 0 END,
			coalesce(array_position(k.conkey, a.attnum), 0)
			FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
			LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'p'
			WHERE c.relkind = 'r' AND c.relnamespace = '$store'::regnamespace;
		SELECT 'reference', c.conrelid::regclass, a.attname, c.confrelid::regclass, b.attname,
			CASE c.confdeltype WHEN 'c' THEN 'CASCADE' ELSE 'NO ACTION' END
			FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid
				AND a.attnum = c.conkey[1]
			JOIN pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = c.confkey[1]
			WHERE c.contype = 'f' AND c.connamespace = '$store'::regnamespace;
		SELECT 'index', i.indrelid::regclass, (SELECT string_agg(a.attname, ',' ORDER BY n)
				FROM unnest(i.indkey) WITH ORDINALITY AS u (number, n)
				JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = u.number),
			CASE WHEN i.indisunique THEN 1 ELSE 0 END,
			CASE WHEN i.indpred IS NULL THEN 0 ELSE 1 END
			FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
			WHERE NOT i.indisprimary AND c.relnamespace = '$store'::regnamespace;
		SELECT 'default', c.relname, a.attname, replace(replace(replace(
				pg_get_expr(d.adbin, d.adrelid), '::text', ''), '::bigint', ''), ' COLLATE "C"', '')
			FROM pg_attrdef d JOIN pg_class c ON c.oid = d.adrelid
			JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.adnum
			WHERE c.relnamespace = '$store'::regnamespace;
		SQL
	return sort split /\n/, $out;
}

for my $store (@stores) {
	my @known = lines_of_sqlite($schema{$store});
	cmp_ok scalar @known, '>', 30, "$store: " . @known . ' lines are compared';
	is_deeply [lines_of_postgres($store)], \@known, "$store: both stores hold the same";
}
my $collations = $cluster->must('galley', <<~'SQL');
	SELECT count(*) FROM information_schema.columns WHERE data_type = 'text'
		AND table_schema IN ('content', 'console', 'stats') AND collation_name <> 'C';
	SQL
is $collations, "0\n", 'every text is compared byte by byte';

# ---- the statements

# The statement with numbers in place of names, as PostgreSQL wants it.
sub numbered {
	my ($text) = @_;
	my (%number, $count);
	$text =~ s{'(?:[^']|'')*'|/\*.*?\*/|:([a-z_]\w*)}
		{ defined $1 ? '$' . ($number{$1} //= ++$count) : $& }ge;
	return $text =~ s/\s+/ /gr;
}

# What is wrong with each of the statements in this schema: '' if nothing is.
sub prepared {
	my ($store, @texts) = @_;
	my $at = 0;
	my $done = run_program([Galley::Postgres::programs() . '/psql', '-X', '-q', '-d', $cluster->address('galley'), '-f', '-'],
		input => join "\n", "SET search_path = $store;",
			map { 'PREPARE s' . $at++ . " AS $_;" } map { numbered($_) } @texts);
	my @wrong = ('') x @texts;
	$wrong[$1 - 2] ||= $2 while $done->{err} =~ /^psql:<stdin>:(\d+): ERROR:\s+(.*)/mg;
	return @wrong;
}

my @known_wrong = prepared('content', 'SELECT 1 FROM nothing',
	'SELECT id FROM account WHERE verified', 'SELECT id FROM account WHERE uuid = :uuid');
like $known_wrong[0], qr/does not exist/, 'a table that is not there is seen';
like $known_wrong[1], qr/type boolean/, 'a number for a truth is seen';
is $known_wrong[2], '', 'and what is right passes';

my @statements = grep { $_->{literal} } Galley::Sql::statements();
cmp_ok scalar @statements, '>', 480, @statements . ' statements were read';
my %wrong = map { ($_ => "$statements[$_]{place}: $statements[$_]{text}") } 0 .. $#statements;
for my $store (@stores) {
	my @left = sort { $a <=> $b } keys %wrong;
	my @said = prepared($store, map { $statements[$_]{text} } @left);
	for my $i (0 .. $#left) {
		if ($said[$i] eq '') {
			delete $wrong{ $left[$i] };
		} elsif ($said[$i] !~ /^relation .* does not exist/) {
			$wrong{ $left[$i] } .= "\n\t$store: $said[$i]";
		}
	}
}
is_deeply [map { $wrong{$_} } sort { $a <=> $b } keys %wrong], [],
	'PREPARE takes each of them';
done_testing;
