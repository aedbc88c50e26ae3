# A client may send the body of an order slowly. Proves that the key must be good when the head
# arrives and also when the order is made: otherwise nothing is ordered, written, published or
# charged. No other client waits while the body arrives.
use strict;
use warnings;
use lib 'tests/lib';
use Galley;
use Galley::Process qw(become);
use JobRun;
use Galley::JSON ();
use POSIX ();
use Test::More;

my $jobs = JobRun->new(credits => 1000);
my $galley = $jobs->galley;
my $counted = $galley->home . '/run/keys.rl';
my $body = '{"image":false}';
my $processes = 0;

# What says that a key was counted: the limiter's file, or its table.
sub counts {
	return join ' ', map { "$_->{key_id} $_->{times}[0]" } @{ $galley->sql(
		'SELECT key_id, times FROM limit_key ORDER BY key_id') } if $galley->{database};
	return -e $counted ? Galley::slurp($counted) : '';
}
sub wait_for_count {
	my ($before) = @_;
	JobRun::wait_until(60, sub { return counts() ne $before }) or die 'the order does not begin';
}

# The same by FastCGI, in a process of its own.
sub begin_by_fastcgi {
	my ($program, $env) = @_;
	my $process = Galley::FastCGI->new($galley->programs . "/cgi-bin/$program",
		$galley->scratch . '/' . ++$processes . '.socket', [$galley->owner_ids]);
	my $before = counts();
	my $peer = $process->begin($env);
	wait_for_count($before);
	return { process => $process, peer => $peer };
}

# Starts an order and returns {pid, to, from} once its key was found good.
sub begin {
	my ($key, $idempotency) = @_;
	my ($program, $env) = Galley::Request::request_env('POST', '/generate',
		key => $key, body => $body,
		headers => { 'Idempotency-Key' => $idempotency });
	return begin_by_fastcgi($program, $env) if $galley->{database};
	my $before = counts();
	pipe my $input, my $to or die "pipe: $!";
	pipe my $from, my $output or die "pipe: $!";
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		close $_ for $to, $from;
		become($galley->owner_ids) if $> == 0;
		POSIX::dup2(fileno $input, 0);
		POSIX::dup2(fileno $output, 1);
		%ENV = %$env;
		exec $galley->programs . "/cgi-bin/$program" or POSIX::_exit(127);
	}
	close $_ for $input, $output;
	wait_for_count($before);
	return { pid => $pid, to => $to, from => $from };
}

# Sends the body and returns the answer.
sub end {
	my ($order) = @_;
	return Galley::Request::split_answer($order->{process}->finish($order->{peer}, $body))
		if $order->{process};
	my ($to, $from) = @$order{qw(to from)};
	syswrite $to, $body;
	close $to;
	my $text = do { local $/; <$from> };
	waitpid $order->{pid}, 0;
	return Galley::Request::split_answer({ out => $text, err => '',
		exit => $? >> 8, signal => $? & 127 });
}

sub count { return $galley->sql('SELECT count(*) AS n FROM job')->[0]{n} }

# A workspace of the account, with a key that may order.
sub orderer {
	my $workspace = $galley->workspace(account => $jobs->account);
	my $key = $galley->key($workspace, qw(articles:read articles:generate));
	my $listed = $galley->must(qw(key list --workspace), $workspace);
	return { workspace => $workspace, key => $key, id => $listed->[0]{id},
		name => $galley->must(qw(workspace show), $workspace)->{name} };
}

my $slow = begin($jobs->key, 'slow');
my $answer = end($slow);
is $answer->{status}, 200, 'a body that comes late is an order';
$galley->must(qw(job cancel), $answer->{json}{id});
my ($balance, $number) = ($jobs->balance, count());

my @changes = (
	['a key that is revoked', 401, 'unauthorized', sub {
		$galley->must(qw(key revoke), $_[0]{id});
	}],
	['a key that expires', 401, 'unauthorized', sub {
		$galley->sql('UPDATE api_key SET expires_at = '
			. (time - 1) . "000000 WHERE uuid = '$_[0]{id}'");
	}],
	['a key that loses its scope', 403, 'forbidden', sub {
		$galley->sql("UPDATE api_key SET scopes = 'articles:read'"
			. " WHERE uuid = '$_[0]{id}'");
	}],
	['a workspace that is deleted', 401, 'unauthorized', sub {
		$galley->must(qw(workspace delete), $_[0]{workspace}, '--confirm',
			$_[0]{name});
	}],
	['an account that is suspended', 403, 'forbidden', sub {
		$galley->must(qw(account suspend), $jobs->account);
	}],
);
for my $change (@changes) {
	my ($name, $status, $code, $code_of) = @$change;
	my $who = orderer();
	my $order = begin($who->{key}, 'in between');
	$code_of->($who);
	is_error end($order), $status, $code, "$name while the body comes";
	is count(), $number, '  there is no job';
	is_deeply $jobs->balance, $balance, '  and nothing is reserved';
}
$galley->must(qw(account resume), $jobs->account);

# An accepted order goes on without its key.
my $who = orderer();
my $accepted = end(begin($who->{key}, 'accepted'))->{json}{id};
$galley->must(qw(key revoke), $who->{id});
is $jobs->run->{exit}, 0, 'a run';
is $galley->sql("SELECT status FROM job WHERE uuid = '$accepted'")->[0]{status},
	'completed', 'an order of a key that was revoked later is done';

# Only an older release left open jobs in deleted workspaces: such a job only ends.
$who = orderer();
my $left = end(begin($who->{key}, 'left over'))->{json}{id};
$balance = $jobs->balance;
$galley->sql("UPDATE workspace SET deleted_at = 1 WHERE uuid = '$who->{workspace}'");
my $calls = $jobs->calls;
is $jobs->run->{exit}, 0, 'a run';
is_deeply $galley->sql('SELECT status, error_code AS code, cost FROM job'
	. " WHERE uuid = '$left'"), [{ status => 'failed', code => 'cancelled',
	cost => 0 }], 'a job whose workspace was deleted is cancelled';
is scalar($jobs->calls), $calls, 'no provider is asked';
is $jobs->balance->{reserved}, $balance->{reserved} - 20, 'its credits are back';

# With a rollback journal, a snapshot would block all writers.
$galley->sql('PRAGMA journal_mode = DELETE') if !$galley->{database};
$slow = begin($jobs->key, 'slow again');
my @others = map { $jobs->order("beside-$_", { image => JSON::PP::false })->{status} }
	1, 2;
is "@others", '200 200', 'others order while a body comes slowly';
is end($slow)->{status}, 200, 'and so does the slow one';

# A file that replaces the database meanwhile is the database.
if ($galley->{database}) {
	is $jobs->broken, '', 'verify finds nothing';
	done_testing;
	exit;
}
$slow = begin($jobs->key, 'into the file that is there');
my $path = $galley->home . '/db/galley.db';
$galley->sql("VACUUM INTO '$path.new'");
chmod 0600, "$path.new";
rename "$path.new", $path or die "$path: $!";
my $made = end($slow)->{json}{id};
is $galley->sql("SELECT count(*) AS n FROM job WHERE uuid = '$made'")->[0]{n}, 1,
	'an order is in the database that is there when it is made';
is $jobs->broken, '', 'verify finds nothing';
done_testing;
