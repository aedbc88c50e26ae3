# Proves how the runner lives: it claims jobs for its time and lets the last provider finish, sees
# a new job within a second, ends on a signal, works alone, is silent, and reports a lasting fault
# once (docs/design.md §5).
use strict;
use warnings;
use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use Galley::Process qw(run_program);
use JobRun;

my $jobs = JobRun->new(credits => 100000, conf => { runner_seconds => 3 });
my $galley = $jobs->galley;

sub known { return $galley->must(qw(job show), $_[0]) }
sub tries { return scalar grep { /^$_[0] try/ } $jobs->calls }
sub output { my ($run) = @_; return "$run->{exit} $run->{out}$run->{err}" }

# A provider of nine calls of 0.4 s, a runner of 3 s
my $long = $jobs->ordered('long', topic => 'steps 9x0.4');
my $after = $jobs->ordered('after', topic => 'Bees');
my $run = $jobs->run(words => []);
is output($run), '0 ', 'a run is silent';
is $jobs->job($long)->{status}, 'completed',
	'a provider may take longer than the runner claims';
is tries($long), 1, 'in one try';
is $jobs->job($after)->{status}, 'queued', 'but nothing is claimed after that';
is output($jobs->run(words => [])), '0 ', 'the next run';
is $jobs->job($after)->{status}, 'completed', 'takes what was left';

# Reads how long an idle runner sleeps between two looks at the queue, from its system calls. A
# runner that is slow to start may have no time left to sleep.
my @sleeps;
for my $try (1 .. 5) {
	my $told = $galley->scratch . '/sleeps';
	run_program(['strace', '-qq', '-e', 'trace=ppoll', '-o', $told,
		$jobs->runner], env => $jobs->environment);
	last if @sleeps = Galley::slurp($told) =~ /^ppoll\((.*)/mg;
}
ok @sleeps > 0, 'an idle runner sleeps';
SKIP: {
	skip 'only root may see for how long', 1 if $> != 0;
	is_deeply [grep { !/^NULL, 0, \{tv_sec=0, / } @sleeps], [],
		'  for less than a second, between two looks at the queue';
}

# A runner ends well as soon as it handles its signals; SIGHUP is the last one.
sub takes_signals {
	my ($pid) = @_;
	return JobRun::wait_until(60, sub {
		my ($caught) = Galley::slurp("/proc/$pid/status")
			=~ /^Name:\s*job-runner\n.*^SigCgt:\s*([0-9a-f]+)/ms;
		return hex($caught // 0) & 1;
	});
}

# An idle runner, a new job
$galley->conf(runner_seconds => 3600);
my $runner = $jobs->start;
ok takes_signals($runner), 'a runner is there';
for my $n (1 .. 3) {
	my $id = $jobs->ordered("new-$n", topic => 'hang');
	ok JobRun::wait_until(60, sub { known($id)->{status} eq 'running' }),
		'a job ordered while it idles is claimed';
	$galley->must(qw(job cancel), $id);
}
my $hanging = $jobs->ordered('hanging', topic => 'orphan');
ok JobRun::wait_until(60, sub { grep { /^$hanging child/ } $jobs->calls }),
	'a provider hangs';
my ($child) = map { (split)[2] } grep { /^$hanging child/ } $jobs->calls;
my $second = $jobs->run(words => []);
is output($second), '0 ', 'a second runner ends at once, silently';
kill TERM => $runner;
is JobRun::ended($runner, 60), 0, 'SIGTERM ends the runner';
ok JobRun::wait_until(60, sub { !kill 0, $child }), '  and its provider, whole';
my $job = known($hanging);
is "$job->{status} $job->{tries} $job->{deaths}", 'running 0 0',
	'  this counts as no try and no death';
ok !$job->{leased} && !defined $job->{run_after}, '  the job is due at once';
$galley->must(qw(job cancel), $hanging);
for my $signal (qw(TERM INT HUP)) {
	my $idle = $jobs->start;
	takes_signals($idle);
	kill $signal => $idle;
	is JobRun::ended($idle, 60), 0, "SIG$signal ends an idle runner";
}

# Oldest first
my @order = map { $jobs->ordered("order-$_", topic => "Number $_") } 1 .. 5;
$jobs->run;
my %place;
$place{$_} //= keys %place
	for grep { $place{$_} || 1 } map { /^(\S+) try/ } $jobs->calls;
is_deeply [sort { $place{$a} <=> $place{$b} } @order], \@order,
	'jobs are taken in the order in which they came';

# A lasting fault is reported once, also to the log of cron.
$galley->conf(provider => '/nonexistent/provider');
my @told;
for my $n (1 .. 3) {
	my $id = $jobs->ordered("unconfigured-$n", topic => 'x');
	push @told, $jobs->run;
	my $failed = $jobs->job($id);
	is "$failed->{status} $failed->{error_code} $failed->{cost}",
		'failed provider_not_configured 0', 'a provider that is not there';
}
like $told[0]{err}, qr/provider = \/nonexistent\/provider/, 'the operator is told';
is $told[1]{err} . $told[2]{err}, '', 'once';
$jobs->provider('fake');
$jobs->ordered('again', topic => 'Bees');
is output($jobs->run), '0 ', 'a provider that is there ends the fault';
$galley->conf(provider => 'relative/path');
$jobs->ordered('told again', topic => 'x');
like $jobs->run->{err}, qr/relative/, 'and the next fault is told';
$jobs->provider('fake');

my $waits = $jobs->ordered('no room', topic => 'Bees');
my %no_room = (env => { GALLEY_FAULT => 'runner-room:1:ENOSPC' });
my $narrow = $jobs->run(%no_room);
like $narrow->{err}, qr/less than 64 MiB/, 'too little room is told';
is $jobs->run(%no_room)->{err}, '', 'once';
is known($waits)->{status}, 'queued', 'and nothing is claimed';
is output($jobs->run), '0 ', 'until there is room';
is known($waits)->{status}, 'completed', 'then it is';

my $conf = Galley::slurp($galley->home . '/galley.conf');
Galley::spew($galley->home . '/galley.conf', "nonsense\n");
my @broken = map { $jobs->run } 1, 2;
is "$broken[0]{exit} $broken[1]{exit}", '1 1', 'a broken galley.conf';
like $broken[0]{err}, qr/galley\.conf, line 1/, 'is told with its line';
is $broken[1]{err}, '', 'once';
Galley::spew($galley->home . '/galley.conf', $conf);
is output($jobs->run), '0 ', 'a corrected one works';
Galley::spew($galley->home . '/galley.conf', "nonsense\n");
isnt $jobs->run->{err}, '', 'and the fault is told when it comes again';
Galley::spew($galley->home . '/galley.conf', $conf);

# The runner's other tasks: a changed public_url is a settings change
my $before = $galley->sql('SELECT settings_count AS n FROM workspace')->[0]{n};
$galley->conf(public_url => 'https://new.example.com');
$jobs->run;
is $galley->sql('SELECT public_url AS u FROM workspace')->[0]{u},
	'https://new.example.com', 'a changed public_url is taken over';
is $galley->sql('SELECT settings_count AS n FROM workspace')->[0]{n},
	$before + 1, 'as a settings change';
my ($article) = $galley->import_text($jobs->workspace, "# Stale\n\nText.\n");
sub fresh {
	return $galley->sql("SELECT x.revision AS r FROM export x JOIN article a"
		. " ON a.id = x.article_id WHERE a.uuid = '$article'")->[0]{r}
		eq $galley->get("/articles/$article", key => $jobs->key)
			->{json}{data}[0]{revision};
}
$galley->must(qw(workspace set), $jobs->workspace, 'publisher_name=Else');
ok !fresh(), 'after a settings change stored exports are stale';
$jobs->run;
ok fresh(), 'the runner renews them';

# Sentences for people
my $status = $jobs->run(words => ['--status']);
like $status->{out}, qr/^Cron last started the runner \d+ s ago\./m,
	'--status: when cron came';
like $status->{out}, qr/^No runner is at work\.$/m, '--status: who works';
like $status->{out}, qr/^No job waits\.$/m, '--status: what waits';
my %said = (
	'steps 9x0' => [ 'provider-step-read:4:kill',
		qr/is worked on: stage writing, try 1, lease for \d+ s more; 3 steps stored$/ ],
	'retry 9' => [ 'none:1:kill', qr/waits \d+ s for try 2: It is too busy\.$/ ],
);
for my $topic (sort keys %said) {
	my $id = $jobs->ordered("status-$topic", topic => $topic);
	$jobs->run(env => { GALLEY_FAULT => $said{$topic}[0] });
	like $jobs->run(words => ['--status'])->{out},
		qr/^$id  article   $said{$topic}[1]/m, "--status: $topic";
	$galley->must(qw(job cancel), $id);
}
$jobs->ordered('queued', topic => 'Bees');
like $jobs->run(words => ['--status'])->{out},
	qr/is queued since \d+ s$/m, '--status: queued';
unlink $galley->home . '/run/runner.seen';
like $jobs->run(words => ['--status'])->{out},
	qr/Cron has never started.*crontab -e.*\* \* \* \* \* \S+\/bin\/job-runner/s,
	'--status: it says what to do about a missing cron';
is $jobs->run(words => ['--nonsense'])->{exit}, 2, 'a usage error';
is $jobs->run(env => { GATEWAY_INTERFACE => 'CGI/1.1' })->{exit}, 2,
	'not under a web server';
is $jobs->broken, '', 'verify finds nothing';

# An instance whose database is away
rename $galley->home . '/db/galley.db', $galley->home . '/away' or die $!;
is output(run_program([$galley->programs . '/bin/task-runner', '--once'], env => $jobs->environment,
	as => [$galley->owner_ids])), '0 ', 'without a database task-runner has nothing to do';
rename $galley->home . '/away', $galley->home . '/db/galley.db' or die $!;
done_testing;
