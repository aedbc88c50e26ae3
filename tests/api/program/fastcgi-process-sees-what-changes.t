# Proves that a FastCGI process notices changes of everything that it has open or remembers:
# another database file, another schema, galley.conf, the pepper, removed files of run/, a log
# that was moved away.

use strict;
use warnings;

use lib 'tests/lib';
use Test::More;
use Galley;
use Galley::FastCGI;
use Galley::Process qw(run_program);
use Galley::Request qw(request_env split_answer);

my $galley = Galley->new;
my $workspace = $galley->workspace(name => 'Before');
my $key = $galley->key($workspace);
my $process = Galley::FastCGI->new($galley->programs . '/cgi-bin/connection',
	$galley->scratch . '/connection.socket', [$galley->owner_ids]);

sub get {
	my (undef, $env) = request_env(GET => '/connection', key => $key, @_);
	return split_answer($process->request($env, undef));
}

sub name_of { return $_[0]{json}{workspace}{name} }

is name_of(get()), 'Before', 'a process answers';
my $pid = $process->{pid};

# Returns the files that it has open between two requests. The connection of the last request is
# closed only after its answer has been read.
sub open_files {
	my @links;
	for (1 .. 200) {
		@links = map { readlink // () } glob "/proc/$pid/fd/*";
		last if 1 == grep { /^socket:/ } @links;
		select undef, undef, undef, 0.02;
	}
	return sort @links;
}
my @open = open_files();

# ---- the database

my $db = $galley->home . '/db/galley.db';
$galley->sql('PRAGMA wal_checkpoint(TRUNCATE)');
run_program(['cp', '-p', $db, "$db.other"]);
run_program(['sqlite3', "$db.other", "UPDATE workspace SET name = 'After'"],
	as => [$galley->owner_ids]);
unlink glob "$db-*";
rename "$db.other", $db or die "rename: $!";
is name_of(get()), 'After', 'another file in its place is the database';

sub rename_to { $galley->must(qw(workspace set), $workspace, "name=$_[0]") }
rename_to('Later');
is name_of(get()), 'Later', 'what others write is seen';

my $archive = $galley->scratch . '/backup.tar';
chown $galley->owner_ids, $galley->scratch;
$galley->must('backup', $archive);
rename_to('Latest');
is name_of(get()), 'Latest', 'a backup changes nothing';
$galley->must('restore', $archive);
is name_of(get()), 'Later', 'what was restored is answered';

# A confined process may not read a file that took the place of one of its files: it answers those
# that have connected with what it knows, and ends. This asks until the next process answers.
sub get_of_next {
	my $answer;
	for (1 .. 20) {
		$answer = get(@_);
		is $answer->{status}, 200, 'each of them answers';
		last if ($process->{pid} // $pid) != $pid;
	}
	isnt $process->{pid}, $pid, 'a process that may not read a new file ends';
	$pid = $process->{pid};
	return $answer;
}

# ---- galley.conf: twice of the same size, in the same moment

for my $quota (100 .. 104) {
	$galley->conf(requests_per_minute => $quota);
	like get_of_next()->{headers}{'ratelimit-policy'}, qr/q=$quota;/,
		"the next one has read galley.conf ($quota)";
}

# ---- require_https: no request by plain http is answered by the settings of before

my %plain = (env => { HTTPS => undef });
is get(%plain)->{status}, 200, 'plain http is answered while it may be';
$galley->conf(require_https => 'on');
my $first = get(%plain);
is_error $first, 503, 'service_unavailable', 'a process that may not read the new file answers nothing by it';
is $first->{headers}{'retry-after'}, '1', 'for a moment';
is get(%plain)->{status}, 403, 'the next one knows that https is required';
$pid = $process->{pid};
is get()->{status}, 200, 'which others use';
$galley->conf(require_https => 'off');
is get()->{status}, 200, 'a request by https is answered by the old file';
get_of_next();
for my $https (qw(on off on off)) {
	$pid = $process->{pid};
	$galley->must(qw(config set), "require_https=$https");
	is get(%plain)->{status}, $https eq 'on' ? 403 : 200,
		"after galley config set require_https $https the first request knows it";
	# It ends after its answer.
	is $process->{pid} // $pid, $pid, 'from a process of before';
	get_of_next();
}

# ---- the pepper: with another one no key is good

my $pepper = $galley->home . '/db/pepper';
my $bytes = Galley::slurp($pepper);
# A very new file is read each time; an older one is remembered.
select undef, undef, undef, 0.1 while time <= (stat $pepper)[10] + 3;
get();
for my $round (1, 2) {
	for my $good (0, 1) {
		Galley::spew("$pepper.new", $good ? $bytes : 'x' x length $bytes);
		chmod 0600, "$pepper.new";
		chown $galley->owner_ids, "$pepper.new";
		rename "$pepper.new", $pepper or die "rename: $!";
		is get()->{status}, $good ? 200 : 401,
			'the pepper is read when it has changed' for 1 .. 3;
	}
}

# ---- the files of run/

# Uses a key of its own, so that none of its requests leaves the window meanwhile.
my $counted = $galley->key($workspace);
sub left { return (get(key => $counted)->{headers}{ratelimit} =~ /r=(\d+)/)[0] }
my $left = left();
is left(), $left - 1, 'the limiter counts';
unlink glob $galley->home . '/run/*.rl';
get_of_next();
my $fresh = left();
cmp_ok $fresh, '>=', $left, 'again in a file of its own';
is $galley->get('/connection', key => $counted)->{headers}{ratelimit}
	=~ s/.*r=(\d+).*/$1/r, $fresh - 1, 'which others count in, too';
unlink $galley->home . '/run/generation';
rename_to("Name $_"), is name_of(get()), "Name $_", 'run/generation is made again'
	for 1 .. 3;
# The database is open once an answer was not kept.
rename_to($_), get() for 'Last but one', 'Later';
$pid = $process->{pid};
@open = open_files();

# ---- the log

my $log = $galley->home . '/log/requests.log';
rename $log, "$log.1" or die "rename: $!";
my $tries = 0;
while (!-s $log && $tries++ < 100) {
	select undef, undef, undef, 0.05;
	get();
}
like Galley::slurp($log), qr/connection\[$pid\]/,
	'a new log begins when the log was moved away';

is $process->{pid}, $pid, 'the last of it was one process';
is_deeply [open_files()], \@open, 'which has the same files open as at first';

# ---- the schema

my $version = $galley->sql('PRAGMA user_version')->[0]{user_version};
$galley->schema($version + 1);
my $answer = get();
is_error $answer, 503, 'service_unavailable', 'another schema is not its own';
isnt $answer->{headers}{'retry-after'}, undef, 'which may pass';
is $process->{pid}, undef, 'that was its end';
is_error get(), 503, 'service_unavailable', 'and so it is with the next';
$galley->schema($version);
is name_of(get()), 'Later', 'until the schema is right';
is $process->stop, 0, 'told to end, it ends well';

done_testing;
