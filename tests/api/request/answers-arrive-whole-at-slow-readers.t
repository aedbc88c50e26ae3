# Proves that an answer arrives whole even if it is longer than a pipe or socket takes at once
# and its process is stopped in between. A reader that leaves ends only its own answer.
use strict;
use warnings;
use lib 'tests/lib';
use Galley;
use Galley::FastCGI;
use Galley::Process qw(as_cgi);
use Galley::Request qw(request_env split_answer);
use POSIX ();
use Test::More;

my $galley = Galley->new;
my $workspace = $galley->workspace;
my $key = $galley->key($workspace);
$galley->import_text($workspace, map { "# Article $_\n\n"
	. ('A paragraph has some length, so that the answer has, too. ' x 4
		. "\n\n") x 400 }
	1 .. 12);
my $target = '/articles?limit=12';
my $whole = $galley->get($target, key => $key);
cmp_ok length $whole->{body}, '>', 800_000, 'a long answer';

# Waits until a process sleeps in a write, and stops it for a moment: the kernel then ends the
# write with the bytes that were taken.
sub interrupt {
	my ($pid, $where) = @_;
	for (1 .. 6000) {
		last if Galley::slurp("/proc/$pid/wchan") =~ $where;
		select undef, undef, undef, 0.01;
	}
	like Galley::slurp("/proc/$pid/wchan"), $where, 'the process waits';
	kill STOP => $pid;
	waitpid $pid, POSIX::WUNTRACED();
	kill CONT => $pid;
}

# Starts a process for the request; returns its number and the end of its output.
sub started {
	my ($program, $env) = request_env('GET', $target, key => $key);
	my @words = as_cgi($galley->programs . "/cgi-bin/$program");
	pipe(my $answer, my $stdout) or die $!;
	my $pid = fork // die $!;
	return ($pid, $answer) if $pid;
	open(STDIN, '<', '/dev/null') && open(STDOUT, '>&', $stdout) or die $!;
	close $_ for $answer, $stdout;
	my ($uid, $gid) = $galley->owner_ids;
	($(, $)) = ($gid, "$gid $gid") if $> == 0;
	($<, $>) = ($uid, $uid) if $> == 0;
	%ENV = %$env;
	exec @words or die $!;
}

SKIP: {
	skip 'the kernel does not tell what a process waits for', 4
		if !-r "/proc/$$/wchan" || Galley::slurp("/proc/$$/wchan") eq '';
	my ($pid, $answer) = started();
	interrupt($pid, qr/pipe_w/);
	my $said = do { local $/; <$answer> };
	waitpid $pid, 0;
	is $?, 0, 'a process that was stopped ends well';
	my ($head, $body) = split /\r\n\r\n/, $said, 2;
	ok $body eq $whole->{body}, 'its answer is whole';
}

my ($pid, $answer) = started();
close $answer;
waitpid $pid, 0;
is $?, 0, 'where nobody reads the process ends by itself';

my $process = Galley::FastCGI->new($galley->programs . '/cgi-bin/articles',
	$galley->scratch . '/socket', [$galley->owner_ids]);
chmod 0777, $galley->scratch;
my (undef, $env) = request_env('GET', $target, key => $key);
my $bytes = join '', Galley::FastCGI::record(1, pack 'nCx5', 1, 0),
	Galley::FastCGI::record(4, Galley::FastCGI::params($env)),
	Galley::FastCGI::record(4, ''), Galley::FastCGI::record(5, '');
ok $process->request($env, '')->{out} =~ /^Status: 200 /, 'a FastCGI process';
my $lasting = $process->{pid};

sub asked {
	my $peer = $process->connection;
	syswrite $peer, $bytes;
	return $peer;
}

SKIP: {
	skip 'the kernel does not tell what a process waits for', 2
		if !-r "/proc/$$/wchan" || Galley::slurp("/proc/$$/wchan") eq '';
	my $peer = asked();
	interrupt($lasting, qr/sock|unix_stream/);
	my $out = '';
	while (read $peer, my $record, 8) {
		my (undef, $type, undef, $length) = unpack 'CCnn', $record;
		read $peer, my $content, $length if $length;
		$out .= $content if $type == 6 && $length;
	}
	ok +(split /\r\n\r\n/, $out, 2)[1] eq $whole->{body},
		'its answer is whole, too';
}

for my $read (0, 1000) {
	my $peer = asked();
	sysread $peer, my $some, $read if $read;
	close $peer;
}
like $process->request($env, '')->{out}, qr/^Status: 200 /,
	'after readers have left it answers others';
is $process->{pid}, $lasting, 'and is the same';

done_testing;
