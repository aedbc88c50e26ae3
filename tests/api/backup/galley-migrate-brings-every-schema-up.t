# Proves that `galley migrate` brings up a database of each older schema, with rows in all of its
# tables: all answers are as before, and verify is clean. A database that Galley did not make so
# is refused by the name of the difference, and stays as it was.
#
# The old databases are made from the steps of db/before/, one more each time, and from
# released schemas (tests/lib/Galley/Schema.pm). Their rows are
# those of a present instance, as far as the schema had their tables and columns; a migration
# that changes the meaning of a column adds to rows_of().

use strict;
use warnings;

use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use Galley;
use Galley::Process qw(run_program);
use Galley::Schema qw(schema_number schema_text);

my $galley = Galley->new;
my $account = $galley->account;
$galley->must(qw(credits grant), $account, 1000, '--ref', 'one');
my $workspace = $galley->workspace(account => $account,
	website => 'https://www.example.com', address_pattern => '/blog/{slug}');
my $key = $galley->key($workspace,
	qw(articles:read drafts:read articles:generate));
my @ids = $galley->import_text($workspace,
	map { "# Article $_\n\nText of **$_**.\n\n## More\n\nEnd.\n" } 1 .. 5);
push @ids, $galley->import_text($workspace, { publish => 0 },
	"# A draft\n\nText.\n");
$galley->must(qw(article unpublish), $ids[4]);
$galley->must(qw(article set), $ids[1], 'tags=Hens,Ünd,hens', 'section=News', 'slug=moved', '--move');
$galley->must(qw(article publish), $ids[1]);
$galley->must(qw(article set), $ids[0], 'title=Another title');
my @jobs = map {
	$galley->post('/generate', key => $key, body => '{"topic":"Compost","image":false}',
		headers => { 'Idempotency-Key' => $_ })->{json}{id}
} 1 .. 2;
run_program([$galley->programs . '/bin/job-runner', '--once'],
	as => [$galley->owner_ids]);
push @jobs, $galley->post('/generate', key => $key,
	body => '{"topic":"Mulch"}', headers => { 'Idempotency-Key' => 3 })->{json}{id};

my @targets = ('/connection', '/pricing', '/articles', '/articles?drafts=true',
	'/sync', map { "/articles/$_?drafts=true" } @ids);
my @job_targets = map { "/jobs/$_" } @jobs;

# Returns the answers, without fields that differ from request to request.
sub answers {
	return { map {
		my $answer = $galley->get($_, key => $key);
		($_ => "$answer->{status} " . ($answer->{headers}{etag} // '') . ' '
			. $answer->{body} =~ s/"(?:request_id|checkpoint)":"[^"]*",?//gr)
	} @_ };
}

my $before = answers(@targets);
my $jobs_before = answers(@job_targets);
like $before->{$_}, qr/^200 /, "$_ reads" for sort keys %$before;
like $jobs_before->{$_}, qr/^200 /, "$_ reads" for sort keys %$jobs_before;

my $db = $galley->home . '/db/galley.db';
$galley->sql('PRAGMA wal_checkpoint(TRUNCATE)');
my $today = $galley->scratch . '/today.db';
run_program(['cp', '-p', $db, $today]);
my $newest = schema_number('content');
my $schema_now = schema_of($db);

sub sqlite {
	my ($file, $sql) = @_;
	my $done = run_program(['sqlite3', '-bail', $file], input => $sql);
	die "sqlite3: $done->{err}" if $done->{exit} != 0 || $done->{err} ne '';
	return split /\n/, $done->{out};
}

# Returns the text of each object of a database's schema.
sub schema_of {
	my ($file) = @_;
	return join "\n", sqlite($file, 'SELECT type, name, sql FROM sqlite_master'
		. ' ORDER BY type, name');
}

# Fills the tables that `$file` has, without its triggers: rows are inserted with their history.
sub rows_of {
	my ($file, $schema) = @_;
	my ($list) = sqlite($file, "SELECT json_group_array(sql || ';')"
		. " FROM sqlite_master WHERE type = 'trigger'");
	my $triggers = join "\n", @{ Galley::JSON->new->utf8->decode($list) };
	my @names = sqlite($file,
		"SELECT name FROM sqlite_master WHERE type = 'trigger'");
	my $sql = "ATTACH '$today' AS today; BEGIN;"
		. join '', map { "DROP TRIGGER $_;" } @names;
	for my $table (sqlite($file, "SELECT name FROM sqlite_master"
			. " WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")) {
		my $columns = join ', ', sqlite($file,
			"SELECT name FROM pragma_table_info('$table')");
		$sql .= "INSERT INTO main.$table ($columns)"
			. " SELECT $columns FROM today.$table;";
	}
	$sql .= 'UPDATE account SET granted = 0, available = 0, reserved = 0,'
		. ' spent = 0;' if $schema < 2;
	sqlite($file, "$sql$triggers COMMIT;");
}

# Puts the present rows into the instance as a database of an older schema, and migrates it.
sub become_old {
	my ($schema, $change) = @_;
	my $old = $galley->scratch . "/schema-$schema.db";
	sqlite($old, 'PRAGMA journal_mode = WAL;' . join "\n",
		schema_text('content', $schema));
	rows_of($old, $schema);
	sqlite($old, "PRAGMA application_id = 1734437996;"
		. " PRAGMA user_version = $schema");
	sqlite($old, $change) if $change;
	chown $galley->owner_ids, $old;
	chmod 0600, $old;
	unlink glob "$db*";
	rename $old, $db or die "rename: $!";
}

for my $schema (1 .. $newest - 1) {
	become_old($schema);
	is_error $galley->get('/articles', key => $key), 503,
		'service_unavailable', "schema $schema: the API waits";
	my $done = $galley->command('migrate');
	is $done->{exit}, 0, "schema $schema is brought up" or diag $done->{err};
	is_deeply [@{ $done->{json} }{qw(from to)}], [$schema, $newest],
		'and it says from where to where';
	is schema_of($db), $schema_now,
		'its schema is that of a new database, text by text';
	is_deeply answers(@targets), $before, 'everything reads as before';
	is_deeply answers(@job_targets), $jobs_before, 'jobs, too'
		if $schema >= 2;
	$done = $galley->command('verify');
	is $done->{exit}, 0, 'verify is clean' or diag $done->{out}, $done->{err};
	is $galley->command(qw(workspace set), $workspace, 'author_name=Ada')
		->{exit}, 0, 'and it can be written';
}

# The job runner makes origins those that browsers send; what is none stays for a person to look at.
my %origins = (analytics_origins => 'https://b%C3%BCcher.example:443 what',
	embed_origins => 'https://a.example. https://a.example');
become_old($newest - 1, 'UPDATE workspace SET ' . join ', ',
	map { "$_ = '$origins{$_}'" } sort keys %origins);
$galley->must('migrate');
run_program([$galley->programs . '/bin/job-runner', '--once'],
	as => [$galley->owner_ids]);
my $shown = $galley->must(qw(workspace show), $workspace);
is_deeply [@{$shown}{qw(analytics_origins embed_origins)}],
	[['https://xn--bcher-kva.example', 'what'], ['https://a.example']],
	'origins are brought into the form of browsers';

for my $case (
	[qr/the table mine is not Galley's/, 'CREATE TABLE mine (a); INSERT INTO mine VALUES (1)'],
	[qr/the index my index is not Galley's/, 'CREATE INDEX "my index" ON article (title)'],
	[qr/the table article has another text/, 'ALTER TABLE article ADD COLUMN mine TEXT'],
	[qr/the view mine is not Galley's/, 'CREATE VIEW mine AS SELECT * FROM article'],
	[qr/a row of account is not as Galley writes them \(CHECK/, "UPDATE account SET name = ''"],
	[qr/a row of export refers to one that is not there/, "INSERT INTO export VALUES (99, 'x', 'y')"],
) {
	my ($named, $change) = @$case;
	become_old(7, $change); # the last schema without CHECKs
	my $done = $galley->command('migrate');
	is $done->{exit}, 1, "refused: $change";
	like $done->{err}, $named, 'it is named';
	like $done->{err}, qr/Nothing was changed|nothing was changed/, 'and what was done';
	like $done->{err}, qr/sqlite3 shell, and migrate again; say galley migrate\./, 'and what to do';
	is +(sqlite($db, 'PRAGMA user_version'))[0], 7, 'the schema is the old one';
}

done_testing;
