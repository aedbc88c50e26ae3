#!/usr/bin/perl
# One text of SQL serves SQLite and PostgreSQL (HACKING.md, the rules): each statement of
# the floors above the store is one literal, uses no word that only one of them knows,
# gives each bound name a type by a column beside it, and sorts by no column that may be
# NULL, because the two stores sort NULL to different ends. What may be NULL is what
# db/schema.sql, db/console/schema.sql, db/stats/schema.sql and db/guards.sql say.
# suite: fast
use strict;
use warnings;

use lib 'tests/lib';

use Galley::Sql;
use Test::More;

sub slurp {
	my ($path) = @_;
	open my $file, '<', $path or die "$path: $!";
	local $/;
	return scalar <$file>;
}

# ---- what may be NULL

# {TABLE => {COLUMN => 1 if it is never NULL, else 0}}
my %never_null;
my $schema = (slurp('db/schema.sql') . slurp('db/console/schema.sql')
	. slurp('db/stats/schema.sql')) =~ s/--[^\n]*//gr;
while ($schema =~ /CREATE TABLE (\w+) \(\n(.*?)\n\) STRICT/gs) {
	my ($table, $body) = ($1, $2);
	while ($body =~ /^\t([a-z_]+) ((?:TEXT|INTEGER|BLOB)\b[^\n]*)/mg) {
		my ($column, $type) = ($1, $2);
		$never_null{$table}{$column} = $type =~ /NOT NULL|PRIMARY KEY/ ? 1 : 0;
	}
	my ($key) = $body =~ /^\tPRIMARY KEY \(([^)]*)\)/m or next;
	$never_null{$table}{$_} = 1 for split /, /, $key;
}
# The guards refuse NULL in a column that is part of "(NEW.a || NEW.b …) IS NULL".
for my $guard (split /^END;/m, slurp('db/guards.sql')) {
	my ($table) = $guard =~ / INSERT ON main\.(\w+)/ or next;
	my ($columns) = $guard =~ /WHERE \(((?:NEW\.\w+[\s|]*)+)\) IS NULL/ or next;
	$never_null{$table}{$_} = 1 for $columns =~ /NEW\.(\w+)/g;
}

# ---- one statement

# Words that only one of the two stores knows, or that mean different things in them.
my @words = (
	[qr/\bCAST\s*\(|::/ => 'a CAST'],
	[qr/\b(?:TRUE|FALSE)\b/ => 'a boolean'],
	[qr/\b(?:INSERT|UPDATE)\s+OR\b|\bREPLACE\s+INTO\b/ => 'OR IGNORE or the like'],
	[qr/^\s*(?:PRAGMA|REPLACE|CREATE|DROP|ALTER)\b/ => 'a statement that is not of all stores'],
	[qr/\b(?:GLOB|LIKE|ILIKE|COLLATE|MATCH|REGEXP|ISNULL|NOTNULL|INDEXED)\b/ => 'an operator of one store'],
	[qr/\b(?:rowid|_rowid_|oid|sqlite_\w+|pg_\w+)\b/ => 'a name of one store'],
	[qr/\b(?:ifnull|iif|printf|format|hex|unhex|typeof|instr|total|group_concat|string_agg
		|random|randomblob|last_insert_rowid|changes|date|time|datetime|julianday
		|strftime|unixepoch|now|to_char|greatest|least|json\w*)\s*\(/x => 'a function of one store'],
	[qr/\b(?:min|max)\s*\((?:[^(),]|\([^()]*\))*,/ => 'min() or max() of several values'],
	[qr/\bcurrent_(?:time|date|timestamp)\b/ => 'the clock of the store'],
	[qr/\bIS\s+(?:NOT\s+)?(?!NOT\b|NULL\b|DISTINCT\b)/ => 'IS of a value'],
	[qr/\bLIMIT\s+[^\s,]+\s*,/ => 'LIMIT with a comma'],
	[qr/\bCROSS\s+JOIN\s+\w+(?:\s+\w+)?\s+(?:ON|USING)\b/ => 'CROSS JOIN with ON'],
	[qr/==|"|`|\[/ => 'a spelling of SQLite'],
);

my $keyword = qr/^(?:SELECT|FROM|WHERE|AND|OR|NOT|IN|IS|NULL|VALUES|SET|LIMIT|OFFSET|CASE|WHEN|THEN|ELSE|END|ORDER|BY|ON|BETWEEN|EXISTS)$/;
my $compare = qr/^(?:=|<>|<|>|<=|>=)$/;

sub is_column { return defined $_[0] && $_[0] =~ /^[a-z_]+(?:\.[a-z_]+)?$/ && $_[0] !~ /$keyword/i; }

# Whether the name at this place of the words is beside a column, or is the value for one.
sub has_column {
	my ($i, @w) = @_;
	my ($before, $after) = ($i > 0 ? $w[$i - 1] : '', $w[$i + 1] // '');
	return 1 if $before =~ /^(?:LIMIT|OFFSET)$/;
	return 1 if $before =~ /$compare|^[-+]$/ && ($w[$i - 2] eq ')' || is_column($w[$i - 2]));
	return 1 if $after =~ /$compare|^[-+]$/ && is_column($w[$i + 2]);
	# In a row of values, but not among the arguments of a function.
	return 0 if $before !~ /^[(,]$/ || $after !~ /^[),]$/;
	my $depth = 0;
	for (my $at = $i - 1; $at > 0; $at--) {
		$depth++ if $w[$at] eq ')';
		next if $w[$at] ne '(' || $depth-- > 0;
		return $w[$at - 1] eq 'VALUES' || $w[$at - 1] =~ $compare
			|| $w[$at - 1] eq 'IN' && is_column($w[$at - 2]);
	}
	return 0;
}

# The names that have no column beside their first place, or a name beside them.
sub untyped {
	my ($text) = @_;
	my @w = $text =~ /'(?:[^']|'')*'|:?\w+(?:\.\w+)?|<>|<=|>=|\|\||[^\s\w]/g;
	my (%seen, @untyped);
	for my $i (grep { $w[$_] =~ /^:/ } 0 .. $#w) {
		push @untyped, $w[$i] if !$seen{ $w[$i] }++ && !has_column($i, @w)
			|| $i > 1 && $w[$i - 2] =~ /^:/ && $w[$i - 1] =~ /$compare|^[-+*\/|]+$/;
	}
	return @untyped;
}

# The items of a list, without what is in parentheses.
sub items {
	my ($list) = @_;
	1 while $list =~ s/\([^()]*\)//g;
	return map { s/^\s+|\s+$//gr } split /,/, $list;
}

# The columns of ORDER BY that may be NULL, or that are no columns.
sub sorts_null {
	my ($text) = @_;
	my (%table, %outer, @null);
	while ($text =~ /(\bLEFT\s+)?\b(?:FROM|JOIN)\s+([a-z_]+)(?:\s+([a-z]\w*)\b)?/g) {
		my $alias = $3 // $2;
		$table{$alias} = $2;
		$outer{$alias} = 1 if $1;
	}
	while ($text =~ /\bORDER BY\s+((?:[^()]|\([^()]*\))*?)(?=\bLIMIT\b|\)|$)/g) {
		for my $item (items($1)) {
			my $column = $item =~ s/\s+(?:ASC|DESC)$//r;
			if ($column =~ /^\d+$/) {
				my ($list) = $text =~ /^\s*SELECT\s+(.*?)\s+FROM\b/;
				$column = (items($list))[$column - 1];
			}
			my ($alias, $name) = $column =~ /^(?:(\w+)\.)?(\w+)$/
				or push(@null, $item), next;
			my @owners = grep { exists $never_null{ $table{$_} }{$name} }
				defined $alias ? $alias : keys %table;
			push @null, $item if !@owners
				|| grep { $outer{$_} || !$never_null{ $table{$_} }{$name} } @owners;
		}
	}
	return @null;
}

# What is wrong with a statement.
sub faults {
	my ($statement) = @_;
	return 'is no literal' if !$statement->{literal};
	my $text = $statement->{text} =~ s{/\*.*?\*/}{ }gr;
	my $code = $text =~ s/'(?:[^']|'')*'/''/gr;
	my %named = map { ($_ => 1) } $code =~ /(:[a-z_]\w*)/g;
	my %given = map { ($_ => 1) } @{ $statement->{values} // [keys %named] };
	return ((map { "gives $_ no value" } grep { !$given{$_} } sort keys %named),
		(map { "has no $_" } grep { !$named{$_} } sort keys %given),
		(map { "has $_->[1]" } grep { $code =~ /$_->[0]/i } @words),
		(map { "gives $_ no type" } untyped($text)),
		(map { "sorts by $_, which may be NULL" } sorts_null($code)));
}

# ---- the check can see

sub faults_of { return join '; ', faults({ text => $_[0], literal => 1 }); }

my %wrong = (
	q{SELECT CAST(name AS TEXT) FROM account} => 'has a CAST',
	q{INSERT OR IGNORE INTO origin (url) VALUES (:url)} => 'has OR IGNORE or the like',
	q{UPDATE account SET verified = TRUE} => 'has a boolean',
	q{SELECT 1 FROM job WHERE (a = b) IS NOT 1} => 'has IS of a value',
	q{SELECT 1 FROM api_key WHERE id > min(:at, id)}
		=> 'has min() or max() of several values; gives :at no type',
	q{SELECT 1 FROM article a CROSS JOIN edition e ON e.article_id = a.id}
		=> 'has CROSS JOIN with ON',
	q{SELECT last_insert_rowid()} => 'has a function of one store',
	q{SELECT id FROM job WHERE :workspace IN (0, workspace_id)} => 'gives :workspace no type',
	q{UPDATE job SET cost = :a - :b WHERE id = :id} => 'gives :b no type',
	q{SELECT :a FROM job} => 'gives :a no type',
	q{SELECT id FROM workspace ORDER BY website, id LIMIT 1}
		=> 'sorts by website, which may be NULL',
	q{SELECT id, deleted_at FROM workspace ORDER BY 2 DESC}
		=> 'sorts by 2 DESC, which may be NULL',
	q{SELECT w.id FROM job j LEFT JOIN workspace w ON w.id = j.workspace_id ORDER BY w.id}
		=> 'sorts by w.id, which may be NULL',
	q{SELECT id FROM job ORDER BY coalesce(run_after, 0)}
		=> 'sorts by coalesce, which may be NULL',
);
is faults_of($_), $wrong{$_}, "seen: $wrong{$_}" for sort keys %wrong;
is join('; ', faults({ text => 'SELECT id FROM job WHERE uuid = :uuid', literal => 1, values => [':id'] })),
	'gives :uuid no value; has no :id', 'seen: other names of values than those of the SQL';
is faults_of($_), '', "right: $_" for q{SELECT id FROM job WHERE (workspace_id = :w OR :w = 0)
	ORDER BY created_at, id LIMIT :n}, q{INSERT INTO origin (article_id, url) VALUES (:a, :u)
	ON CONFLICT (article_id) DO UPDATE SET url = excluded.url},
	q{SELECT 1 FROM article a WHERE (a.created_at, a.uuid) < (:created, :uuid)};

# ---- the statements

my @statements = Galley::Sql::statements();
my $with = grep { $_->{values} } @statements;
cmp_ok $with, '>', 470, "the values of $with statements were read";
my $called = grep { $_->{called} } @statements;
cmp_ok $called, '>', 480, "$called statements that are prepared were read, " . @statements . ' literals';
my @faults = map { my $s = $_; map { "$s->{place}: $_" } faults($s) } @statements;

# What is excused, one a line, "file: function: what is wrong"; the list only shrinks.
my %excused = map { ($_ => 1) } grep { /\S/ && !/^#/ } split /\n/,
	slurp('tests/house/sql-of-one-store');
is_deeply [grep { !$excused{$_} } @faults], [], 'each of them serves both stores';
delete @excused{@faults};
is_deeply [sort keys %excused], [], 'nothing is excused that need not be';
# ---- what the SQLite of a release has not

# The suite runs with Debian's SQLite, which has it.
my %part = (
	COMPILEOPTION_DIAGS => qr/compile_options?\b|sqlite_compileoption/,
	DATETIME_FUNCS => qr/\b(?:date|time|datetime|julianday|strftime|unixepoch|timediff)\s*\(\s*(?:'|[a-z]+\.|NEW\b|OLD\b)|\bCURRENT_(?:DATE|TIME|TIMESTAMP)\b/,
	DESERIALIZE => qr/sqlite3_(?:de)?serialize\b/,
	EXPLAIN => qr/\bEXPLAIN\b/,
	JSON => qr/\bjson_(?:each|tree|extract|valid|group_\w+|insert|set|patch|quote|type|array_length)\s*\(\s*(?:'|[a-z]+\.)|\bjson\s*\(\s*'/,
	WINDOWFUNC => qr/\)\s*OVER\s*\(/,
);
my ($omitted) = slurp('musl/library.sh') =~ /^for part in ([A-Z_ ]+); do$/m;
is_deeply [sort split ' ', $omitted], [sort keys %part], 'what it omits is known';
my @where = grep { !m{^db/pg/} } split /\n/, `git ls-files 'db/*.sql' 'lib/*.c' 'console/*.c' 'bin/*.c' 'cgi-bin/*.c'`;
cmp_ok scalar @where, '>', 300, 'all files are there';
for my $name (sort keys %part) {
	is_deeply [grep { (slurp($_) =~ s{/\*.*?\*/|--[^\n]*}{}gsr) =~ $part{$name} } grep { !m{/store/pg/} } @where], [],
		"nobody asks the SQLite of a release for $name";
}

done_testing;
