# Proves that a program is confined before it reads a stranger's order: it can start no program,
# gains no rights and leaves no core file (docs/platform.md §7). The test reads what the kernel
# says about a process that waits for the rest of a body. tests/unit/system/harden.c tries the
# forbidden calls.
use strict;
use warnings;
use lib 'tests/lib';
use Galley;
use Test::More;

plan skip_all => 'the kernel does not tell' if !-r '/proc/self/status'
	|| Galley::slurp('/proc/self/status') !~ /^Seccomp:/m;

my $galley = Galley->new(conf => { require_https => 'off' });
my $workspace = $galley->workspace;
my $key = $galley->key($workspace, 'articles:generate');
my ($program, $env) = Galley::Request::request_env('POST', '/generate',
	key => $key, chunked => 1, body => '',
	headers => { 'Idempotency-Key' => 'a' });

pipe(my $stdin, my $body) or die $!;
pipe(my $answer, my $stdout) or die $!;
my $child = fork // die $!;
if (!$child) {
	open(STDIN, '<&', $stdin) && open(STDOUT, '>&', $stdout)
		&& open(STDERR, '>', '/dev/null') or die $!;
	close $_ for $stdin, $body, $answer, $stdout;
	my ($uid, $gid) = $galley->owner_ids;
	($(, $)) = ($gid, "$gid $gid") if $> == 0;
	($<, $>) = ($uid, $uid) if $> == 0;
	%ENV = %$env;
	exec { $galley->programs . "/cgi-bin/$program" } $program or die $!;
}
close $stdin;
close $stdout;

# When the kernel says that the process waits for more, it has read the first half of an order:
# then everything before the body is done.
syswrite $body, '{"topic": ';
my $waits;
for (1 .. 600) {
	$waits = Galley::slurp("/proc/$child/wchan") =~ /pipe_read/
		&& Galley::slurp("/proc/$child/status") =~ /^Seccomp:\s*2/m;
	last if $waits || waitpid($child, 1) != 0;
	select undef, undef, undef, 0.02;
}
my $status = Galley::slurp("/proc/$child/status");
my $limits = Galley::slurp("/proc/$child/limits");
like($status, qr/^NoNewPrivs:\s*1$/m, 'it can gain no rights');
like($status, qr/^Seccomp:\s*2$/m, 'its system calls are filtered');
like($limits, qr/^Max core file size\s+0\s+0\s/m, 'it leaves no core file');
like($limits, qr/^Max processes\s+4096\s+4096\s/m, 'it makes few processes, if any');
like($limits, qr/^Max file size\s+unlimited/m, 'files have any size');
is(scalar(grep { readlink("/proc/$child/fd/$_") =~ /^pipe/ }
	grep { /^\d+$/ } map { m{([^/]+)$} } glob "/proc/$child/fd/*"), 2,
	'of what was open before it holds its input and output alone');

syswrite $body, '"Compost"}';
close $body;
my $said = do { local $/; <$answer> };
waitpid $child, 0;
is($?, 0, 'and ends well');
like($said, qr/^Status: 402 /, 'with its answer: the account is empty');

done_testing();
