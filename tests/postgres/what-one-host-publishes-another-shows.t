#!/usr/bin/perl
# Proves, for the build STORE=pg, that no host sends a cached answer that is not right any more
# (docs/postgres.md §5): an article is published and withdrawn on one host, and after each command another
# host's lasting processes are asked for it, for what changed (/sync) and for its public page. None of them
# may be stale. And that each table of which a transaction must declare that it changes it
# (lib/store/db-change.h) draws a stamp: the next answer of the other host shows what changed, a draft and
# settings too; that what changes nothing of it leaves the answer in memory; and that an answer is of one
# moment although the stamps change between the look at the key and the snapshot.
#
# STALE says how often (100; 2,000 with `make check-fresh`). make check-postgres runs it; the suite for SQLite
# leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Consumer;
use Galley::PostgresProxy;
use Galley::Process qw(run_program);
use Galley::Request qw(request_env split_answer);
use POSIX ();
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my $one = Galley->new(conf => { requests_per_minute => 0, public_url => 'https://galley.example' });
my $workspace = $one->workspace(pages => 'notes', website => 'https://www.example.com',
	address_pattern => '/{slug}');
my $key = $one->key($workspace);
my ($id) = $one->import_text($workspace, "---\ntitle: Moths\nslug: moths\n---\n\nText.\n");
my $two = $one->another_host;

# The answer of the second host's one FastCGI process of the program.
sub ask {
	my ($target) = @_;
	my ($program, $env) = request_env('GET', $target, key => $key);
	return split_answer($two->persistent($program, $env));
}
# By one stranger of many: an address may ask for 600 pages in a minute.
my $stranger = 0;
sub page {
	$stranger++;
	return split_answer($two->persistent('pages', { GATEWAY_INTERFACE => 'CGI/1.1',
		PATH => '/usr/bin:/bin', REQUEST_METHOD => 'GET', REQUEST_URI => '/pages/notes/moths',
		SCRIPT_NAME => '/pages', PATH_INFO => '/notes/moths', QUERY_STRING => '', HTTPS => 'on',
		HTTP_HOST => 'galley.example', REMOTE_ADDR => sprintf '10.%d.%d.1', $stranger >> 8, $stranger & 255 }));
}
my $consumer = Galley::Consumer->new(sub { return ask($_[0]) });
$consumer->sync;
my $page = page();
is $page->{status}, 200, 'the other host shows the page';
is ask("/articles/$id")->{status}, 200, 'and the article';
is_deeply [keys %{ $consumer->{store} }], [$id], 'and announces it';

my ($stale, $shown, @first) = (0, 1);
my $times = $ENV{STALE} // 100;
for my $n (1 .. $times) {
	$shown = !$shown;
	my $done = run_program([$one->programs . '/bin/galley', 'article',
		$shown ? ('publish', '--unfinished') : 'unpublish', $id], env => { %ENV });
	die "galley: $done->{err}" if $done->{exit} != 0;
	my $want = $shown ? 200 : 404;
	# The feed announces what is shown; what is not is a 404.
	$shown ? $consumer->sync : $consumer->remove_gone;
	my @seen = (ask("/articles/$id")->{status}, page()->{status},
		exists $consumer->{store}{$id} ? 200 : 404);
	next if !grep { $_ != $want && !($_ == 410 && $want == 404) } @seen;
	$stale++;
	push @first, "$n: @seen, not $want" if @first < 3;
}
is $stale, 0, "$times changes on one host: the other one's next answers show each";
diag $_ for @first;

# ---- each table that is guarded

$one->must(qw(article publish --unfinished), $id) if !$shown;
my $key_id = $one->must(qw(key create --workspace), $workspace, qw(--scope articles:read --scope drafts:read));
$key = $key_id->{key};
my ($draft) = $one->import_text($workspace, { publish => 0 }, "# Draft\n\nText.\n");
my @targets = ("/articles/$id", "/articles/$draft?drafts=true", '/articles?drafts=true', '/sync', '/connection');
# What changes a table, and which of the targets must show it.
my %change = (
	article => [sub { $one->must(qw(article set), $draft, 'title=Another') }, $targets[1], $targets[2]],
	edition => [sub {
		$one->must(qw(article set), $id, 'title=Butterflies');
		$one->must(qw(article publish --unfinished), $id);
	}, $targets[0], $targets[2], $targets[3]],
	workspace => [sub { $one->must(qw(workspace set), $workspace, 'publisher_name=Somebody', 'name=Renamed') }, @targets],
	api_key => [sub { $one->must(qw(key revoke), $key_id->{id}) }, @targets],
);
my ($guarded) = Galley::slurp('lib/store/db-change.h') =~ /db_guarded\[\] = \{(.*?)\n\};/s;
is_deeply [sort keys %change], [sort $guarded =~ /\{ "(\w+)"/g], 'each guarded table is changed here';

sub was_cached { return Galley::slurp($two->home . '/log/requests.log') =~ / kept\n\z/ }
sub shown { return map { my $answer = ask($_); $_ => "$answer->{status} $answer->{body}" } @targets }
for my $table (qw(article edition workspace api_key)) {
	my %before = shown();
	for my $target (@targets) {
		my $answer = ask($target);
		is "$answer->{status} $answer->{body}", $before{$target}, "$target, again";
		ok was_cached(), '  is of memory';
	}
	my ($change, @changed) = @{ $change{$table} };
	$change->();
	my %after = shown();
	isnt $after{$_}, $before{$_}, "  $table was changed at one host: the next answer of the other is another"
		for @changed;
}
$key = $one->key($workspace, 'articles:read');
ask("/articles/$id");
$one->must(qw(account create Somebody));
ask("/articles/$id");
ok !was_cached(), 'a new account belongs to the keys';
ask("/articles/$id");
ok was_cached(), 'an answer is in memory';
$one->must(qw(job list));
ask("/articles/$id");
ok was_cached(), '  and stays there if nothing changes';

# ---- between the look at the key and the snapshot

my ($folder) = $ENV{GALLEY_CLUSTER} =~ /host=(\S+)/;
my $proxy = Galley::PostgresProxy->new("$folder/.s.PGSQL.5432");
$two->database_at($proxy->address);
# Waits for messages that are like the pattern.
sub await_messages {
	my ($like) = @_;
	for (1 .. 1000) {
		return if join("\n", @{ $proxy->seen->{messages} }) =~ $like;
		select undef, undef, undef, 0.01;
	}
	die "no message like $like";
}
# Of none there is an answer in memory.
for my $target ("/articles/$id?drafts=false", '/articles?limit=7') {
	pipe my $read, my $write or die "pipe: $!";
	$proxy->arm;
	ask("/articles?limit=9&offset=" . length $target);
	await_messages(qr/> Execute COMMIT\n(?:.*\n)*< ReadyForQuery\z/);
	$proxy->arm;
	$proxy->delay(100_000);
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		close $read;
		my $answer = ask($target);
		print {$write} "$answer->{status} $answer->{body}";
		close $write;
		POSIX::_exit(0);
	}
	close $write;
	await_messages(qr/< ReadyForQuery/);
	$proxy->pause(1);
	# A request is done again within two seconds: the tool would take too long.
	$one->sql("WITH a AS (UPDATE content.article SET modified_at = modified_at + 1000000 WHERE uuid = '$id')"
		. " UPDATE content.stamp SET value = value + 1 WHERE slot = (SELECT id FROM content.workspace"
		. " WHERE uuid = '$workspace')");
	$proxy->pause(0);
	my $said = do { local $/; <$read> };
	waitpid $pid, 0;
	$proxy->delay(0);
	like $said, qr/\A200 /, "$target, changed within the request: answered";
	like Galley::slurp($two->home . '/log/requests.log'), qr/the read is done once more/, '  it was read once more';
	for ('the next answer', 'and one that is cached') {
		my $answer = ask($target);
		is "$answer->{status} $answer->{body}", $said, "  $_";
	}
	ok was_cached(), '  it was';
}
done_testing;
