#!/usr/bin/perl
# The system refuses a runner space, pipes, processes, files, or calls that an old kernel does
# not have. Proves that no job is lost, that none is charged without its result, and that the
# next run does it. Everything in a provider's folder is removed, and output that is too long is
# refused.
use strict;
use warnings;

use lib 'tests/lib';

use FailingCall qw(failing);
use Galley;
use JobRun;
use Galley::JSON ();
use Terminal qw(on_terminal);
use Test::More;

my $jobs = JobRun->new(provider => 'fake', credits => 100_000,
	conf => { provider_timeout_s => 120 });
my $galley = $jobs->galley;
my $home = $galley->home;
my $number = 0;
my $done = 0;

sub ordered { return $jobs->ordered('order-' . ++$number, @_) }

# Runs a runner in which calls fail.
sub run_failing {
	my (%option) = @_;
	return failing({ env => $jobs->environment, as => [$galley->owner_ids], %option },
		$jobs->runner, '--once');
}

# ---- the system: [what, call]
my $provider = $galley->scratch . '/fake';
for my $case (
	['room for a folder', 'mkdir:error=ENOSPC'], ['pipes', 'pipe2:error=EMFILE'],
	['a process', 'clone:error=EAGAIN'],
	['a parent', 'getppid:retval=1'],
) {
	my ($what, $call) = @$case;
	my $id = ordered();
	my $run = run_failing(calls => [$call]);
	is $run->{signal}, 0, "a runner without $what ends by itself";
	is $jobs->job($id)->{status}, 'running', '  and has not done the job';
	is $jobs->balance->{spent}, $done * 7, '  nothing is charged';
	$jobs->due_now;
	$run = $jobs->run;
	is $jobs->job($id)->{status}, 'completed', '  the next run does it';
	is $jobs->balance->{spent}, ++$done * 7, '  which is charged once';
	is_deeply [glob "$home/run/try-*"], [], '  no folder is left';
}

my $shut = ordered();
chmod 0644, $provider;
$jobs->run;
chmod 0755, $provider;
my $failed = $jobs->job($shut);
is "$failed->{status} $failed->{error_code} $failed->{cost}", 'failed provider_not_configured 0',
	'a program that may not be run is no passing fault';

my $old = ordered(topic => 'where');
is run_failing(calls => ['close_range:error=ENOSYS'])->{exit}, 0, 'a kernel without close_range';
like $jobs->article($old)->{html}, qr/fds 0,? ?1,? ?2\b(?! [3-9])/, 'closes all the same';
$done++;

for my $case (['the lock', "$home/run/runner.lock", 1], ['runner.seen', "$home/run/runner.seen", 0]) {
	my ($what, $path, $exit) = @$case;
	my $id = ordered();
	my $lock = -e $path;
	rename $path, "$path.aside";
	mkdir $path;
	my $run = $jobs->run;
	is $run->{exit} != 0, $exit != 0, "$what is a folder: exit $exit";
	rmdir $path;
	rename "$path.aside", $path if $lock;
	$jobs->run if $exit;
	is $jobs->job($id)->{status}, 'completed', '  the job is done';
	$done++;
}
is $jobs->balance->{spent}, $done * 7, 'each was charged once';

# ---- two runners, on a terminal
ordered(topic => 'hang');
my $first = $jobs->start(words => ['--once']);
JobRun::wait_until(60, sub { grep { /try/ } ($jobs->calls)[-1] }) or die 'no runner came';
JobRun::wait_until(60, sub { glob "$home/run/try-*" }) or die 'no try began';
my $told = on_terminal({ out => 'screen' }, $jobs->runner, '--once');
like $told->{screen}, qr/another runner is at work/, 'a second one says so on a terminal';
my $words = Galley::Process::run_program([$jobs->runner, '--status'],
	env => $jobs->environment, as => [$galley->owner_ids])->{out};
like $words, qr/^A runner is at work \(process $first\)\.$/m, '--status names it';
kill KILL => $first;
waitpid $first, 0;
$galley->must(qw(job cancel), $_->{id}) for grep { !$_->{settled_at} && !$_->{completed_at}
	&& ($_->{status} // '') =~ /running|queued/ } @{ $galley->must(qw(job list)) };

# ---- the output and the files of providers; the test writes what the provider prints
my $said = "$home/log/said";
my $program = $galley->scratch . '/says';
Galley::spew($program, "#!/bin/sh\ncat >/dev/null\n. $home/log/does\ncat $said\n");
chmod 0755, $program;
$galley->conf(provider => $program);
my $json = Galley::JSON->new->utf8->canonical;
my %usage = (input_tokens => 1000, output_tokens => 2000, images => 0);

sub article {
	return { title => 'Said', description => 'What it is about.', image => undef,
		content => { sections => [{ heading => 'First', body => [
			{ type => 'paragraph', text => 'Text.' }] }] }, @_ };
}

# Orders a job, lets the provider do and print this, and returns the job.
sub after {
	my ($does, $lines, %members) = @_;
	Galley::spew("$home/log/does", $does);
	Galley::spew($said, join '', map { (ref $_ ? $json->encode($_) : $_) . "\n" } @$lines);
	my $id = ordered(%members);
	$jobs->run;
	return $jobs->job($id);
}

my $result = { result => article(), usage => \%usage };
my $job = after('mkdir -p a/b/c; echo x >a/b/c/d; chmod 0 a/b; ln -s / all; mkfifo p;'
	. ' i=0; while [ $i -lt 40 ]; do mkdir d; cd d; i=$((i+1)); done', [$result]);
is $job->{status}, 'completed', 'folders, links and pipes in its folder';
ok -e '/etc/passwd', 'the target of a link stays';
my ($deep) = glob "$home/run/try-*";
ok !defined $deep || -d $deep, 'and only files that nobody can remove may be left';
system 'rm', '-rf', $deep if defined $deep;
is after(':', [$json->encode($result) . " \r"])->{status}, 'completed',
	'spaces at the end of a line are ignored';
for my $case (
	['many values', [map { '{"stage":"writing","x":[' . join(',', ('1') x 200_000) . ']}' }
		1 .. 12], qr/too many values/],
	['large steps', [map { { step => "s$_", output => 'x' x 4_000_000 } } 1 .. 6],
		qr/too many bytes in its steps/],
	['a brief with a source that has no name', [{ result => { brief => { topic => 'x',
		summary => '', angle => '', audience => '', outline => [], questions => [],
		keywords => [], related => [], sources => [{ id => ' ', title => 'T',
		url => undef }] } }, usage => \%usage }], qr/id must not be empty/, kind => 'research'],
	['a brief of more than a MiB', [{ result => { brief => { topic => 'x',
		summary => '', angle => '', audience => '', questions => [], keywords => [],
		related => [], sources => [], outline => [map { { heading => 'H',
			points => [('x' x 1000) x 100] } } 1 .. 12] } }, usage => \%usage }],
		qr/has more than 1048576 bytes/, kind => 'research'],
	['an article that may not be published', [{ result => article(content => {
		sections => [{ heading => 'First', body => [{ type => 'paragraph',
			text => "Cites.[^r9]" }] }] }), usage => \%usage }], qr/r9/, autoPublish =>
		JSON::PP::true],
) {
	my ($what, $lines, $sentence, %members) = @$case;
	my $refused = after(':', $lines, %members);
	is "$refused->{status} " . ($refused->{error_code} // ''), 'failed invalid_output',
		"$what: refused";
	like $refused->{error}, $sentence, '  with the reason';
	is $refused->{cost}, 0, '  and refunded';
}
my $bytes = pack 'H*', '47494638396101000100800000000000ffffff2c00000000010001000002024401003b';
my $gif = after("printf '" . join('', map { sprintf '\\%03o', ord } split //, $bytes) . "' >cover.gif",
	[{ result => article(image => { file => 'cover.gif', alt => 'A' }),
		usage => { %usage, images => 1 } }], image => JSON::PP::true);
is $gif->{status}, 'completed', 'a GIF for a cover is left out';
is $jobs->broken, '', 'the store is sound';

# ---- an account with the largest possible number of credits
my $rich = $galley->must(qw(account create Rich --verified))->{id};
$galley->sql("UPDATE account SET granted = 5000000000000000000, available = 5000000000000000000 WHERE uuid = '$rich'");
my $grant = $galley->command(qw(credits grant), $rich, 1, qw(--ref one));
is $grant->{exit}, 1, 'credits have a limit';
like $grant->{err}, qr/The account's credits cannot be counted any higher\./, '  and the reason is printed';

done_testing;
