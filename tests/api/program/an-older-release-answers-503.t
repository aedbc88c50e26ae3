#!/usr/bin/perl
# Proves that programs of an older release, which ran or start while a newer one migrates the database,
# answer 503 with Retry-After, never 500, whatever the migration renamed: tables, columns, types,
# functions, or where the number of the schema is. The API's, the pages, the pictures and the console
# do, in new processes and in those that have answered before.
use strict;
use warnings;

use lib 'tests/lib';

use Galley::Console;
use Galley::FastCGI;
use Galley::Picture qw(png);
use Galley::Reader;
use Galley::Request qw(request_env split_answer);
use Test::More;

my $console = Galley::Console->new;
my $galley = $console->galley;
$galley->conf(requests_per_minute => 0);
my $reader = Galley::Reader->new($galley);
my $account = $galley->account;
$galley->must(qw(credits grant), $account, 10000, '--ref', 'gift');
my $workspace = $galley->workspace(account => $account);
my $key = $galley->key($workspace, 'articles:read', 'drafts:read', 'articles:generate');
my ($id) = $galley->import_text($workspace, "# Title\n\nText.\n");
$galley->must(qw(workspace set), $workspace, 'pages=notes');
my $order = $galley->post('/generate', key => $key, body => '{"kind":"research","topic":"A topic"}',
	headers => { 'Content-Type' => 'application/json', 'Idempotency-Key' => 'first' });
is $order->{status}, 200, 'an order is taken' or diag $order->{body};
my $job = $order->{json}{job_id} // $order->{json}{id};
my $olga = $console->as($console->person(name => 'Olga', role => 'owner', account => $account));

# ---- what is asked

# NAME => CODE that asks: one process for each request.
my %new = (
	(map { my $target = $_; "GET $target" => sub { $galley->get($target, key => $key) } }
		'/connection', '/articles', '/articles?drafts=true', "/articles/$id", "/articles/$id?format=json",
		'/sync', "/jobs/$job", '/pricing'),
	'POST /generate' => sub { $galley->post('/generate', key => $key,
		body => '{"kind":"research","topic":"Another"}',
		headers => { 'Content-Type' => 'application/json', 'Idempotency-Key' => 'second' }) },
	(map { my $path = $_; "GET /pages$path" => sub { $reader->get($path) } }
		'/notes/', '/notes/title', '/notes/feed.xml', '/notes/sitemap.xml'),
	(map { my $path = $_; "GET /console$path" => sub { raw($olga->request('GET', $path)) } }
		'/', "/$workspace/articles", "/$workspace/articles/$id", '/me', '/sign-in'),
	'POST /console' => sub { raw($olga->post("/$workspace/articles/$id", [title => 'x'])) },
	'sign in' => sub { raw($console->browser->post('/sign-in', [email => 'x@example.org', password => 'wrong-wrong'])) },
);
sub raw { return { status => $_[0]->status, headers => $_[0]{headers}, body => $_[0]->body } }
my @picture = ();
if ($ENV{GALLEY_CLUSTER}) {
	my $path = $galley->scratch . '/a.png';
	Galley::spew($path, png(9, 9));
	$galley->must(qw(article set), $id, "image=$path");
	my ($row) = @{ $galley->sql("SELECT image FROM article WHERE uuid = '$id'") };
	my $name = $row->{image} =~ s/^media://r;
	unlink $galley->programs . "/htdocs/media/$name";
	@picture = ('GET /media' => sub { $galley->request('GET', '/', program => 'picture',
		env => { PATH_INFO => "/$name", SCRIPT_NAME => '/media', REQUEST_URI => "/media/$name" }) });
	%new = (%new, @picture);
}

# And processes that have answered before: NAME => CODE.
my %lasting;
for my $program (qw(connection articles sync jobs pricing generate)) {
	my ($method, $target, @more) = $program eq 'generate' ? ('POST', '/generate',
		headers => { 'Content-Type' => 'application/json', 'Idempotency-Key' => 'third' })
		: ('GET', $program eq 'jobs' ? "/jobs/$job" : $program eq 'articles' ? "/articles/$id" : "/$program");
	my $body = $method eq 'POST' ? '{"kind":"research","topic":"A third"}' : undef;
	my (undef, $env) = request_env($method, $target, key => $key, body => $body, @more);
	my $process = Galley::FastCGI->new($galley->programs . "/cgi-bin/$program",
		$galley->scratch . "/$program.socket", [$galley->owner_ids]);
	$lasting{"$method $target"} = sub { split_answer($process->request($env, $body)) };
}

sub ask_all {
	my ($of) = @_;
	return { map { $_ => $of->{$_}() } sort keys %$of };
}

# Each answer must be a 503 that says when to come again; the ways in which they are others.
sub unlike_503 {
	my ($answers) = @_;
	return [map { my $got = $answers->{$_};
		($got->{status} == 503 && ($got->{headers}{'retry-after'} // '') =~ /^\d+$/) ? ()
			: "$_: $got->{status} " . ($got->{headers}{'retry-after'} // '') } sort keys %$answers];
}
sub statuses { return { map { $_ => $_[0]{$_}{status} } keys %{ $_[0] } } }

my $good = statuses(ask_all(\%new));
is scalar(grep { $_ >= 500 } values %$good), 0, 'all of it is answered before' or diag explain $good;
is scalar(grep { $_ >= 500 } values %{ statuses(ask_all(\%lasting)) }), 0, 'by lasting processes, too';

# ---- what migrations change

my %tables = (content => [qw(api_key workspace article export account edition article_name media job
	ledger form save save_was workspace_more word listed public_slug key_more desk comment share
	picture picture_use live)],
	console => [map { $_->{name} } @{ $galley->sql($ENV{GALLEY_CLUSTER}
		? "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'console' AND tablename <> 'store'"
		: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'", 'console') }]);
sub columns {
	my ($store, $table) = @_;
	return map { $_->{name} } @{ $galley->sql($ENV{GALLEY_CLUSTER}
		? "SELECT column_name AS name FROM information_schema.columns"
			. " WHERE table_schema = '$store' AND table_name = '$table'"
		: "SELECT name FROM pragma_table_info('$table')", $store) };
}
my %number = map { $_ => $galley->sql('PRAGMA user_version', $_)->[0]{user_version} } keys %tables;
sub numbered {
	my ($more) = @_;
	$galley->sql("PRAGMA user_version = @{[$number{$_} + $more]}", $_) for sort keys %number;
	# As galley migrate does: what is kept is forgotten.
	unlink map { $galley->home . "/run/$_" } qw(generation);
}

# Runs SQL of a migration, or of its way back.
sub change {
	my ($store, @sql) = @_;
	$galley->sql(join(";\n", $ENV{GALLEY_CLUSTER} ? () : 'PRAGMA legacy_alter_table = ON', @sql), $store) if @sql;
}
sub rename_tables {
	my ($from, $to) = @_;
	for my $store (sort keys %tables) {
		change($store, map { "ALTER TABLE $_$from RENAME TO $_$to" } @{ $tables{$store} });
	}
}
my %columns = map { my $store = $_; $store => { map { $_ => [columns($store, $_)] } @{ $tables{$store} } } } keys %tables;
sub rename_columns {
	my ($from, $to) = @_;
	for my $store (sort keys %columns) {
		for my $table (sort keys %{ $columns{$store} }) {
			change($store, map { "ALTER TABLE $table RENAME COLUMN $_$from TO $_$to" } @{ $columns{$store}{$table} });
		}
	}
}
my @changes = (
	['only the number', sub {}, sub {}],
	['every table', sub { rename_tables('', '_renamed') }, sub { rename_tables('_renamed', '') }],
	['every column', sub { rename_columns('', '_renamed') }, sub { rename_columns('_renamed', '') }],
);
push @changes, (
	['types of columns', sub { change(content => 'ALTER TABLE article ALTER COLUMN title TYPE VARCHAR(1000)',
		'ALTER TABLE workspace ALTER COLUMN name TYPE VARCHAR(1000)', 'ALTER TABLE job ALTER COLUMN topic TYPE VARCHAR(1000)');
		change(console => 'ALTER TABLE person ALTER COLUMN name TYPE VARCHAR(1000)') },
		sub { change(content => map { qq(ALTER TABLE $_ TYPE TEXT COLLATE "C") } 'article ALTER COLUMN title',
		'workspace ALTER COLUMN name', 'job ALTER COLUMN topic');
		change(console => 'ALTER TABLE person ALTER COLUMN name TYPE TEXT COLLATE "C"') }],
	['the function that counts', sub { change(content => 'ALTER ROUTINE limit_count RENAME TO limit_count_renamed') },
		sub { change(content => 'ALTER ROUTINE limit_count_renamed RENAME TO limit_count') }],
	['the table of counts', sub { change(content => 'ALTER TABLE limit_key RENAME TO limit_key_renamed') },
		sub { change(content => 'ALTER TABLE limit_key_renamed RENAME TO limit_key') }],
	['rights', sub { change(content => 'REVOKE SELECT ON article, workspace FROM galley_api, galley_programs') },
		sub { change(content => 'GRANT SELECT ON article, workspace TO galley_api, galley_programs') }],
	['where the number is', sub { change($_ => 'ALTER TABLE store RENAME COLUMN number TO number_renamed') for sort keys %tables },
		sub { change($_ => 'ALTER TABLE store RENAME COLUMN number_renamed TO number') for sort keys %tables }],
	['what holds the number', sub { change($_ => 'ALTER TABLE store RENAME TO store_renamed') for sort keys %tables },
		sub { change($_ => 'ALTER TABLE store_renamed RENAME TO store') for sort keys %tables }],
) if $ENV{GALLEY_CLUSTER};

for my $it (@changes) {
	my ($name, $do, $undo) = @$it;
	numbered(1);
	$do->();
	is_deeply unlike_503(ask_all(\%lasting)), [], "$name: 503 of processes that have answered before";
	is_deeply unlike_503(ask_all(\%new)), [], "$name: 503 of new ones";
	$undo->();
	numbered(0);
	is_deeply statuses(ask_all(\%new)), $good, "$name: undone, all is as it was";
	ask_all(\%lasting);
}
like Galley::slurp($galley->home . '/log/requests.log'), qr/schema \d+.*this program \d+/, 'the log says why';

done_testing;
