#!/usr/bin/perl
# Proves that a reader is answered while a writer is stopped anywhere: with the write lock,
# inside the sync of its commit, between commit and answer, and while the write-ahead log is
# copied into the database. A write waits for the disk at most three times, and the log that it
# leaves is short.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use Galley::Request qw(request_env);
use POSIX ();
use Test::More;

my $galley = Galley->new(build => 'test', conf => { jobs_per_hour => 0,
	kept_answers => 0 });
my $workspace = $galley->workspace(account => $galley->account('--credits',
	1_000_000));
my $key = $galley->key($workspace, qw(articles:read articles:generate));
my ($id) = $galley->import_text($workspace, "# Title\n\n" . 'Text. ' x 1500);
my $wal = $galley->home . '/db/galley.db-wal';
my $preload = $galley->scratch . '/count-syncs.so';
my $built = run_program(['gcc', '-shared', '-fPIC', '-o', $preload,
	Galley::top() . '/tests/fixtures/count-syncs.c']);
is "$built->{exit} $built->{err}", '0 ', 'the counter is built';
my $log = $galley->scratch . '/syncs';

# ---- how often a program waits for the disk

sub syncs {
	my ($work) = @_;
	Galley::spew($log, '');
	chmod 0666, $log;
	my $result = $work->({ LD_PRELOAD => $preload, GALLEY_SYNCS_LOG => $log });
	die 'it failed' if ref $result
		&& (($result->{status} // 200) != 200 || $result->{exit});
	return -s $log;
}

sub order {
	my ($name, $env) = @_;
	return $galley->post('/generate', key => $key, env => $env // {},
		headers => { 'Idempotency-Key' => $name },
		body => '{"kind":"research","topic":"Compost"}');
}

sub size_of_log { return -s $wal // 0 }

# The first change of a workspace writes the list of sites (run/sites), which is then the same.
$galley->command('workspace', 'set', $workspace, 'author_name=John');
order('first');
my $waits = syncs(sub { order('counted', $_[0]) });
ok $waits >= 1 && $waits <= 3, "an order waits for the disk ($waits times)";
is syncs(sub { order('counted', $_[0]) }), 0, 'the same order again none';
is syncs(sub { $galley->get("/articles/$id", key => $key, env => $_[0]) }), 0,
	'a reader none';
my $n = 0;
my $longest = $waits = 0;
for (1 .. 80) {
	my $now = syncs(sub { order('many-' . ++$n, $_[0]) });
	$waits += $now;
	$longest = size_of_log() if size_of_log() > $longest;
}
cmp_ok $waits / 80, '<=', 3, "80 orders waited $waits times";
cmp_ok $longest, '>', 0, 'a log is left to the next writer';
cmp_ok $longest, '<=', 256 * 1024 + 64 * 1024,
	"of at most 256 KiB and the last write ($longest)";
my $tool = syncs(sub { $galley->command({ env => $_[0] }, qw(workspace set),
	$workspace, 'author_name=Jane') });
cmp_ok $tool, '<=', 4, "a command of the tool waits $tool times";
is size_of_log(), 0, 'and leaves no log';

# ---- stopped writers

sub state_of {
	my ($pid) = @_;
	open my $file, '<', "/proc/$pid/stat" or return '';
	return (<$file> // '') =~ /\) (\S)/ ? $1 : '';
}

# Starts a program; returns its pid when it has stopped, or 0 when it ended.
sub stopped {
	my ($command, $env, $input) = @_;
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		Galley::Process::become($galley->owner_ids) if $> == 0;
		open STDIN, '<', $input;
		open STDOUT, '>', '/dev/null';
		%ENV = %$env;
		exec { $command->[0] } @$command or POSIX::_exit(127);
	}
	for (1 .. 6000) {
		return $pid if state_of($pid) =~ /[Tt]/;
		return 0 if waitpid($pid, POSIX::WNOHANG()) == $pid;
		select undef, undef, undef, 0.005;
	}
	kill KILL => $pid;
	waitpid $pid, 0;
	die "@$command does not stop";
}

# Asks all that a reader may ask while a writer is stopped; then lets the writer go on.
sub read_beside {
	my ($name, $pid) = @_;
	return fail("$name: it stops there") if !$pid;
	my @late = grep { $galley->get($_, key => $key)->{status} != 200 }
		"/articles/$id", '/articles', '/sync', '/connection';
	is "@late", '', "$name: readers are answered";
	is state_of($pid), 'T', "$name: while the writer was stopped";
	kill CONT => $pid;
	waitpid $pid, 0;
	is $?, 0, "$name: and went on";
}

sub order_stopped {
	my ($env) = @_;
	my $body = $galley->scratch . '/order';
	Galley::spew($body, '{"kind":"research","topic":"Compost"}');
	my ($program, $cgi) = request_env('POST', '/generate', key => $key,
		body => Galley::slurp($body),
		headers => { 'Idempotency-Key' => 'stopped-' . ++$n });
	return stopped([$galley->programs . "/cgi-bin/$program"],
		{ %$cgi, %$env }, $body);
}

sub command_stopped {
	my ($env, @words) = @_;
	my %plain = %ENV;
	delete $plain{GATEWAY_INTERFACE};
	return stopped([$galley->programs . '/bin/galley', @words],
		{ %plain, %$env }, '/dev/null');
}

read_beside("an order at $_", order_stopped({ GALLEY_FAULT => "$_:1:stop" }))
	for qw(db-begun job-reserved db-before-commit db-after-commit before-answer);
read_beside("a command at $_", command_stopped({ GALLEY_FAULT => "$_:1:stop" },
	qw(article publish --again), $id)) for qw(db-begun generation-odd db-before-commit
	generation-before-even);
read_beside('an order in its sync',
	order_stopped({ LD_PRELOAD => $preload, GALLEY_SYNCS_STOP => 1 }));

# A log of over 256 KiB, which the next writer copies into the database when it closes it: each
# of its waits is one more place at which it can be stopped.
sub long_log {
	my $tool = $galley->home . '/db/galley.db';
	my $holder = fork // die "fork: $!";
	if ($holder == 0) {
		Galley::Process::become($galley->owner_ids) if $> == 0;
		my $sql = "PRAGMA journal_mode; PRAGMA wal_autocheckpoint = 0;\n"
			. "CREATE TABLE filler (x);\n"
			. "INSERT INTO filler VALUES (randomblob(400000));\n"
			. "DROP TABLE filler;\n"
			. ".shell kill -9 \$PPID\n";
		open my $to, '|-', 'sqlite3', $tool or POSIX::_exit(1);
		open STDOUT, '>', '/dev/null';
		print $to $sql;
		close $to;
		POSIX::_exit(0);
	}
	waitpid $holder, 0;
}

for my $place (2 .. 3) {
	long_log();
	cmp_ok size_of_log(), '>', 256 * 1024, 'a long log was left';
	read_beside("an order that brings it back, wait $place", order_stopped(
		{ LD_PRELOAD => $preload, GALLEY_SYNCS_STOP => $place }));
	cmp_ok size_of_log(), '<=', 256 * 1024, 'it is brought back';
}
read_beside("a command as it closes, wait $_", command_stopped({ LD_PRELOAD =>
	$preload, GALLEY_SYNCS_STOP => $_ }, qw(article set), $id, "title=Title $_"))
	for 2 .. $tool;
for my $place (1 .. 2) {
	order("left-$place");
	cmp_ok size_of_log(), '>', 0, 'an order left a log';
	read_beside("a command that only reads, wait $place", command_stopped(
		{ LD_PRELOAD => $preload, GALLEY_SYNCS_STOP => $place },
		qw(account list)));
}
is $galley->command('verify')->{exit}, 0, 'verify finds nothing';

done_testing;
