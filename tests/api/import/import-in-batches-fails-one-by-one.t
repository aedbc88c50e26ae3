#!/usr/bin/perl
# Files are imported in batches, each in one transaction. Proves that a bad file in a batch fails
# alone, that a file which is refused half-way leaves nothing, that a killed import leaves whole
# articles, and that the same command again imports the rest.
use strict;
use warnings;

use lib 'tests/lib';

use FailingCall qw(failing);
use Galley;
use Galley::Process qw(run_program);
use Galley::Text qw(article_text);
use Galley::JSON ();
use POSIX ();
use Test::More;

my $count = 96;
my $galley = Galley->new(build => 'test');
my $folder = $galley->scratch . '/site';
mkdir $folder;
Galley::spew(sprintf('%s/%03d.md', $folder, $_), article_text($_, 1000))
	for 1 .. $count;

sub workspace {
	return $galley->workspace(website => 'https://example.com',
		address_pattern => '/{slug}');
}

sub import_folder {
	my ($workspace, $env) = @_;
	return $galley->command({ env => $env // {} }, qw(article import
		--publish --workspace), $workspace, $folder);
}

sub inside {
	my ($workspace) = @_;
	return "(SELECT id FROM workspace WHERE uuid = '$workspace')";
}

sub number {
	my ($query) = @_;
	return $galley->sql($query)->[0]{n};
}

sub actions {
	my ($done) = @_;
	my %n;
	$n{ $_->{action} // $_->{status} }++ for @{ $done->{json} };
	return join ' ', map { "$_ $n{$_}" } sort keys %n;
}

# ---- many files, few transactions, their order kept

my $workspace = workspace();
my $log = $galley->scratch . '/faults';
Galley::spew($log, '');
chmod 0666, $log;
my $done = import_folder($workspace, { GALLEY_FAULT_LOG => $log });
is actions($done), "created $count", 'all are created';
my $commits = () = Galley::slurp($log) =~ /^import-written$/mg;
cmp_ok $commits, '<', $count / 2, "in few transactions ($commits)";
my $key = $galley->key($workspace);
my @listed = map { $_->{slug} } @{ $galley->get('/articles?limit=100',
	key => $key)->{json}{data} };
is_deeply \@listed, [map { sprintf '%03d', $_ } reverse 1 .. $count],
	'the list has them in the order of their files';
is number('SELECT count(*) AS n FROM article a JOIN export x ON'
	. ' x.article_id = a.id AND length(x.body) = a.export_length'),
	$count, 'each is rendered';

# ---- bad ones among good ones

# A file that is refused after its row was written: the article was changed meanwhile.
my $stale = $done->{json}[40]{id};
my $document = $galley->must(qw(article show), $stale, qw(--as markdown));
$galley->must(qw(article set), $stale, 'title=Changed here');
Galley::spew("$folder/041.md", $document->{markdown} . "\nMore.\n");
Galley::spew("$folder/010.md", "Not text: \xff\n");
Galley::spew("$folder/020.md", "---\ntitle: [\n---\n");
Galley::spew("$folder/030.md", "---\ntitle: Thirty\nslug: '031'\n---\n\nText.\n");
Galley::spew("$folder/031.md", "---\ntitle: New\n---\n\nNew text.\n");
Galley::spew("$folder/042.md", "---\ntitle: New too\n---\n\nNew text.\n");
my $before = number("SELECT max(clock) AS n FROM workspace");
$done = import_folder($workspace);
is $done->{exit}, 1, 'the exit status tells of bad files';
is actions($done), 'failed 4 unchanged ' . ($count - 6) . ' updated 2',
	'and fail alone';
is_deeply [map { $_->{path} =~ /(\d+)\.md/ } grep { $_->{status} eq 'failed' }
	@{ $done->{json} }], ['010', '020', '030', '041'], 'by name';
like $done->{json}[40]{notes}[0], qr/was changed after/, 'with the reason';
is $galley->must(qw(article show), $stale)->{title}, 'Changed here',
	'an article that was refused late is as it was';
is number("SELECT count(*) AS n FROM edition WHERE article_id ="
	. " (SELECT id FROM article WHERE uuid = '$stale')"), 1,
	'and has no new edition';
is number("SELECT count(*) AS n FROM article WHERE title LIKE 'New%'"
	. " AND status = 'published'"), 2, 'its neighbours are imported';
is number("SELECT count(*) AS n FROM article WHERE changed_at > $before"), 2,
	'nothing else is announced';
is $galley->command('verify')->{exit}, 0, 'verify finds nothing';

# ---- killed

Galley::spew(sprintf('%s/%03d.md', $folder, $_), article_text($_, 1000))
	for 10, 20, 30, 31, 41, 42;
$workspace = workspace();
for my $point (qw(change-stamped:7:kill import-written:2:kill
	db-after-commit:2:kill)) {
	$done = import_folder($workspace, { GALLEY_FAULT => $point });
	is $done->{signal}, 9, "$point kills";
	my $in = inside($workspace);
	my $whole = number("SELECT count(*) AS n FROM article a JOIN export x"
		. " ON x.article_id = a.id AND length(x.body) = a.export_length"
		. " WHERE workspace_id = $in AND status = 'published'");
	is number("SELECT count(*) AS n FROM article WHERE workspace_id = $in"),
		$whole, "and leaves whole articles ($whole)";
}
$done = import_folder($workspace);
is $done->{exit}, 0, 'the same command again imports the rest';
is scalar(grep { $_->{status} eq 'published' } @{ $done->{json} }), $count,
	'and lists all';
is number('SELECT count(*) AS n FROM article WHERE workspace_id = '
	. inside($workspace)), $count, 'none is there twice';

# ---- stored articles are listed, however the import ends

my $tool = $galley->programs . '/bin/galley';
sub in_text {
	my ($env, @words) = @_;
	return run_program([$tool, @words, qw(article import --publish --workspace),
		$workspace, $folder], env => { %ENV, %$env });
}
sub is_told {
	my ($out, $name) = @_;
	my @ids = $out =~ /^created +([\da-f-]{36}) /mg;
	my $list = join ',', map { "'$_'" } @ids;
	is number("SELECT count(*) AS n FROM article WHERE uuid IN ($list)"), @ids,
		"$name: all " . @ids . ' that are listed are stored';
	return @ids;
}
$workspace = workspace();
$done = in_text({ GALLEY_FAULT => 'import-written:3:kill' });
cmp_ok scalar(is_told($done->{out}, 'killed')), '>', 0, 'and some are';
$done = in_text({});
like $done->{out}, qr/^$count of $count files: \d+ created, 0 updated, \d+ unchanged, 0 failed\.$/m,
	'the end says how many of how many';

# Ctrl-C, and a supervisor's SIGTERM: the batch under way is finished.
for my $way ('in text', 'as JSON') {
	$workspace = workspace();
	my $out = $galley->scratch . '/out';
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		open STDOUT, '>', $out or POSIX::_exit(126);
		open STDERR, '>', "$out.err" or POSIX::_exit(126);
		$ENV{GALLEY_FAULT} = 'import-written:2:stop';
		exec $tool, $way eq 'in text' ? () : '--json', qw(article import --publish
			--workspace), $workspace, $folder or POSIX::_exit(127);
	}
	waitpid $pid, POSIX::WUNTRACED();
	kill TERM => $pid;
	kill CONT => $pid;
	waitpid $pid, 0;
	is $? >> 8, 128 + 15, "stopped $way: the status tells of it";
	my $text = Galley::slurp($out);
	my $stored = number('SELECT count(*) AS n FROM article WHERE workspace_id = '
		. inside($workspace));
	my $listed = $way eq 'in text' ? is_told($text, $way)
		: @{ Galley::JSON->new->utf8->decode($text) };
	is $listed, $stored, '  what is stored is listed';
	cmp_ok $stored, '<', $count, '  some articles are not stored';
	like Galley::slurp("$out.err"), qr/^galley: stopped: $stored of $count files were imported, 0 failed, \d+ are left\. The same command again/,
		'  and it says what to do';
}

# The number of writes of a whole import into the log; the disk is full after three quarters.
$workspace = workspace();
my $trace = $galley->scratch . '/trace';
run_program(['strace', '-f', '-qq', '-o', $trace, '-e', 'trace=pwrite64', '-P',
	$galley->home . '/db/galley.db-wal', $tool, qw(article import --publish --workspace),
	$workspace, $folder]);
my $late = int(0.75 * (() = Galley::slurp($trace) =~ /pwrite64/g));
SKIP: {
	skip 'only root sees which files a program names', 8 if $> != 0;
	for my $way ('in text', 'as JSON') {
		$workspace = workspace();
		$done = failing({ calls => ["pwrite64:error=ENOSPC:when=$late+"],
			path => $galley->home . '/db/galley.db-wal' }, $tool,
			$way eq 'in text' ? () : '--json', qw(article import --publish --workspace),
			$workspace, $folder);
		is $done->{exit}, 1, "a full disk, $way";
		my $stored = number('SELECT count(*) AS n FROM article WHERE workspace_id = '
			. inside($workspace));
		my $listed = $way eq 'in text' ? is_told($done->{out}, 'a full disk')
			: @{ Galley::JSON->new->utf8->decode($done->{out}) };
		is $listed, $stored, '  what is stored is listed';
		like $done->{err}, qr/^galley: The disk is full: make room on it, and say it again\.
galley: $stored of $count files were imported, 0 failed, \d+ are left\. The same command/,
			'  said in sentences';
		unlike $done->{err}, qr/database or disk|INSERT|database \(/, '  and in no other words';
	}
	like Galley::slurp($galley->home . '/log/operator.log'),
		qr/article import .*; changed: [\da-f-]{36}.*and it is not known what else; died$/m,
		'the operator\'s log names the stored articles';
}

# An import goes on when the reader of its output is gone.
$workspace = workspace();
$done = run_program(['sh', '-c', "'$tool' article import --workspace $workspace $folder | head -1"]);
is number('SELECT count(*) AS n FROM article WHERE workspace_id = ' . inside($workspace)),
	$count, 'all is imported though the reader is gone';

# ---- memory

my $plain = Galley->new;
$workspace = $plain->workspace;
$folder = $plain->scratch . '/site';
mkdir $folder;
Galley::spew("$folder/$_.md", article_text($_, 8000)) for 1 .. 400;
my $limit = Galley::is_watched() ? 'unlimited' : 131072;
$done = run_program(['sh', '-c', "ulimit -v $limit && exec \"\$@\"", 'sh',
	$plain->programs . '/bin/galley', qw(article import --workspace),
	$workspace, $folder]);
is "$done->{exit} $done->{err}", '0 ', "400 files of 8 KB fit $limit KiB";

# ---- other writers meanwhile

my $plain_key = $plain->key($workspace, qw(articles:read articles:generate));
$plain->must(qw(credits grant), $plain->sql('SELECT uuid FROM account'
	. ' ORDER BY id DESC LIMIT 1')->[0]{uuid}, 100_000, qw(--ref test));
$plain->conf(jobs_per_hour => 0);
$plain->must(qw(workspace set), $workspace, 'author_name=Jane');
my $pid = fork // die "fork: $!";
if ($pid == 0) {
	open STDOUT, '>', '/dev/null';
	exec $plain->programs . '/bin/galley', qw(article import --publish
		--workspace), $workspace, $folder or POSIX::_exit(127);
}
my ($orders, $wrong) = (0, 0);
do {
	my $answer = $plain->post('/generate', key => $plain_key,
		headers => { 'Idempotency-Key' => 'order-' . ++$orders },
		body => '{"kind":"research","topic":"Compost"}');
	# An import under a checker holds the lock longer than an order may wait.
	$wrong++ if $answer->{status} != 200
		&& !(Galley::is_watched() && $answer->{status} == 503);
} while waitpid($pid, POSIX::WNOHANG()) != $pid;
is $?, 0, 'an import ends well beside other writers';
is $wrong, 0, "and all of $orders orders were taken meanwhile";

done_testing;
