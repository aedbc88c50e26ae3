# When Apache's mod_cgid has an answer, it checks whether the program is dead; if not, it checks
# again 10 ms later. So a program whose output is a connection to a named socket, as with
# mod_cgid, ends before its answer is sent, and a successor sends it (lib/system/successor.h).
# Proves this with an answer that is longer than a connection holds, and that is not read before
# the program has ended.
use strict;
use warnings;
use lib 'tests/lib';
use Galley;
use Galley::Process qw(become);
use Galley::Request qw(request_env split_answer);
use IO::Socket::UNIX;
use POSIX qw(WNOHANG);
use Socket qw(SOCK_STREAM);
use Test::More;

plan skip_all => 'made for x86-64' if `uname -m` ne "x86_64\n";
plan skip_all => 'who watches a process knows none that takes its place'
	if Galley::is_watched();

# Its only children are those that it waits for.
$Galley::Process::alone = 1;

my $galley = Galley->new;
my $workspace = $galley->workspace(account => $galley->account('--credits', 1000));
my $key = $galley->key($workspace, qw(articles:read articles:generate));
my $text = join "\n\n", map { "Compost needs air, water and time. " x 30 } 1 .. 60;
my ($id) = $galley->import_text($workspace, map { "# Article $_\n\n$text\n" } 1 .. 20);
my $list = $galley->get('/articles?limit=20', key => $key);
cmp_ok length $list->{body}, '>', 500_000, 'a long answer';

my $path = $galley->scratch . '/named';
my $named = IO::Socket::UNIX->new(Type => SOCK_STREAM, Local => $path, Listen => 5)
	or die "$path: $!";

# Starts a program with one end of a connection as its output; returns its process and the other
# end.
sub start {
	my ($output, $method, $target, %option) = @_;
	my ($program, $env) = request_env($method, $target, key => $key, %option);
	$env->{PATH} //= '/usr/bin:/bin';
	my ($here, $there);
	if ($output eq 'named') {
		$here = IO::Socket::UNIX->new(Type => SOCK_STREAM, Peer => $path)
			or die "$path: $!";
		$there = $named->accept or die "accept: $!";
	} elsif ($output eq 'pipe') {
		pipe $here, $there or die "pipe: $!";
	} else {
		($here, $there) = IO::Socket::UNIX->socketpair(AF_UNIX, SOCK_STREAM, 0)
			or die "socketpair: $!";
	}
	my $body = $option{body} // '';
	pipe my $stdin, my $input or die "pipe: $!";
	syswrite $input, $body;
	close $input;
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		become($galley->owner_ids) if $> == 0;
		POSIX::dup2(fileno $stdin, 0);
		POSIX::dup2(fileno $there, 1);
		POSIX::close($_) for 3 .. 30;
		%ENV = %$env;
		my $path = $galley->programs . "/cgi-bin/$program";
		my @words = ($option{limited} ? qw(prlimit --nproc=1:1) : (), $path);
		exec { $words[0] } @words or POSIX::_exit(127);
	}
	close $stdin;
	close $there;
	return ($pid, $here);
}

# Waits until a process (-1: any child) ends within the seconds; returns its id.
sub ends {
	my ($pid, $seconds) = @_;
	for (1 .. 50 * $seconds) {
		my $ended = waitpid $pid, WNOHANG;
		return $ended if $ended != 0;
		select undef, undef, undef, 0.02;
	}
	return 0;
}

sub rest { my ($from) = @_; local $/; return split_answer({ out => <$from>, err => '' }) }

for my $kept (0, 4096, 4096) {
	$galley->conf(kept_answers => $kept);
	my ($pid, $here) = start('named', 'GET', '/articles?limit=20');
	is ends($pid, 20), $pid, 'who was asked has ended, and nothing was read yet';
	is $?, 0, 'well';
	my $answer = rest($here);
	is "$answer->{status} $answer->{body}", "200 $list->{body}", 'the answer is whole';
	my $successor = ends(-1, 20);
	cmp_ok $successor, '>', 0, 'another sent it';
	isnt $successor, $pid, 'of its own id';
	is $?, 0, 'which ends well';
	is waitpid(-1, WNOHANG), -1, 'and is the only one';
}

for my $output (qw(pipe pair)) {
	my ($pid, $here) = start($output, 'GET', '/articles?limit=20');
	is ends($pid, 0.3), 0, "$output: nobody is known to look, so one process does all";
	is rest($here)->{body}, $list->{body}, 'the answer is whole';
	is ends($pid, 20), $pid, 'and it ends';
	is waitpid(-1, WNOHANG), -1, 'alone';
}

# The switch of galley.conf
{
	$galley->conf(successor => 'off');
	my ($pid, $here) = start('named', 'GET', '/articles?limit=20');
	is ends($pid, 0.3), 0, 'successor = off: the process itself sends the answer';
	is rest($here)->{body}, $list->{body}, 'the answer is whole';
	is ends($pid, 20), $pid, 'and it ends';
	is waitpid(-1, WNOHANG), -1, 'alone';
	$galley->conf(successor => 'on');
}

# A kept answer that is only a head
my $tag = $galley->get("/articles/$id", key => $key)->{headers}{etag};
for my $round (1, 2) {
	my ($pid, $here) = start('named', 'GET', "/articles/$id",
		headers => { 'If-None-Match' => $tag });
	is rest($here)->{status}, 304, 'a 304';
	is ends($pid, 20), $pid, 'is sent';
}
is waitpid(-1, WNOHANG), -1, 'and a kept one by the process itself';

# An order is in the database, and no descriptor is left open
my ($pid, $here) = start('named', 'POST', '/generate',
	headers => { 'Idempotency-Key' => 'a' }, body => '{"topic":"Compost"}');
is ends($pid, 20), $pid, 'an order: who was asked has ended';
my $job = rest($here);
is $job->{status}, 200, 'it is answered';
cmp_ok ends(-1, 20), '>', 0, 'by a successor';
is $galley->get("/jobs/$job->{json}{id}", key => $key)->{json}{status}, 'queued',
	'it is there';

# A system that allows no new process
SKIP: {
	skip 'the owner may make processes all the same', 3 if ($galley->owner_ids)[0] == 0;
	($pid, $here) = start('named', 'GET', "/articles/$id", limited => 1);
	is rest($here)->{status}, 200, 'no successor can be made: an answer all the same';
	is ends($pid, 20), $pid, 'and its process ends';
	is waitpid(-1, WNOHANG), -1, 'alone';
}

# A closed connection
($pid, $here) = start('named', 'GET', '/articles?limit=20');
is ends($pid, 20), $pid, 'the client';
close $here;
cmp_ok ends(-1, 20), '>', 0, 'goes away, and the successor ends';
like Galley::slurp($galley->home . '/log/requests.log'), qr/the client went away$/m,
	'the log says so';

done_testing;
