# Proves that galley job create orders without a key, by the rules and prices of POST /generate,
# and makes one job or prints the reason. A job has a key or an orderer, and every command shows
# both kinds.
use strict;
use warnings;
use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use JobRun;

my $jobs = JobRun->new(credits => 100, conf => { jobs_per_hour => 3 });
my $galley = $jobs->galley;
my @mine = ('--workspace', $jobs->workspace);
my $user = getpwuid($>);

sub create { return $galley->command(qw(job create), @_) }
sub count { return $galley->sql('SELECT count(*) AS n FROM job')->[0]{n} }

# Refused: no job, no credit
sub refused {
	my ($exit, $sentence, $name, @words) = @_;
	my ($jobs_then, $balance) = (count(), $jobs->balance);
	my $done = create(@words);
	is $done->{exit}, $exit, $name;
	like $done->{err}, $sentence, '  in words';
	unlike $done->{err}, qr/Retry-After|maxCredits|researchId|publisher/,
		'  which are for the operator';
	is count(), $jobs_then, '  no job';
	is_deeply $jobs->balance, $balance, '  no credit was moved';
}
refused(2, qr/--kind is article or research/, 'another kind', @mine, '--kind', 'poem');
refused(2, qr/--max is a number of credits from 1 to 1000000/, 'no guard', @mine, '--max', 0);
refused(2, qr/--topic has at most 1500 characters/, 'a long topic', @mine, '--topic',
	'x' x 1501);
refused(2, qr/--research takes the id/, 'an id that is none', @mine, '--research', 'x');
refused(1, qr/The research brief: This workspace has no research brief.*--research/, 'an unknown brief', @mine,
	'--research', '00000000-0000-4000-8000-000000000000');
refused(1, qr/There is no workspace Nowhere/, 'an unknown workspace', '--workspace', 'Nowhere');
refused(1, qr/reserves 30 credits, more than the 29 that are allowed\. Nothing was reserved; --max allows more/,
	'a price above --max', @mine, '--max', 29);
$galley->must(qw(account suspend), $jobs->account);
refused(1, qr/suspended and cannot order; galley account resume/, 'a suspended account', @mine);
$galley->must(qw(account resume), $jobs->account);
my $poor = $galley->workspace(account => $galley->must(qw(account create Poor --verified
	--credits 19))->{id});
refused(1, qr/reserves 20 credits; the account Poor has 19 available.* credits grant/,
	'too few credits', '--workspace', $poor, '--no-image');
my $new = $galley->workspace(account => $galley->must(qw(account create New))->{id});
refused(1, qr/not verified and cannot order; galley account verify/, 'an account that is not'
	. ' verified', '--workspace', $new);

# Ordered
my $made = create(@mine, '--topic', 'Bees', '--no-image');
is $made->{exit}, 0, 'an order';
my $job = $made->{json};
is_deeply [@$job{qw(kind status topic image auto_publish cost reserved_credits ordered_by)}],
	['article', 'queued', 'Bees', JSON::PP::false, JSON::PP::false, 20, 20, $user],
	'what was ordered, and by whom';
is $jobs->balance->{reserved}, 20, 'its price is reserved';
is_deeply $galley->sql('SELECT api_key_id, ordered_by FROM job'),
	[{ api_key_id => undef, ordered_by => $user }], 'it has an orderer and no key';
like Galley::slurp($galley->home . '/log/operator.log'),
	qr/job create .*changed: $job->{id}; done/, 'operator.log names it';
is $jobs->job($job->{id})->{status}, 'queued', 'the API shows it';
$jobs->run;
is $jobs->job($job->{id})->{status}, 'completed', 'the runner writes it';
is $jobs->article($job->{id})->{title}, 'Bees', 'as ordered';

# By a brief, with --wait
my $runner = $jobs->start;
my $brief = create(@mine, qw(--kind research --wait));
is "$brief->{exit} $brief->{json}{status}", '0 completed', '--wait: until it has ended';
like $brief->{err}, qr/\AJob \S+ is ordered\..*\ndone\n/s, 'and its end is told';
my $third = create(@mine, '--research', $brief->{json}{id}, '--topic', 'steps 4x0.5',
	qw(--no-image --publish --wait));
like $third->{err}, qr/\nwriting\ndone\n/, 'its stages are shown';
is "$third->{exit} $third->{json}{status}", '0 completed', 'an article by the brief';
is $galley->get("/articles/$third->{json}{article_id}", key => $jobs->key)->{status}, 200,
	'--publish publishes it';
refused(1, qr/has ordered its 3 jobs of one hour \(jobs_per_hour in galley\.conf\)\. Order again in \d+ s/,
	'the hour counts them', @mine, '--no-image');
$galley->conf(jobs_per_hour => 0);
my $failed = create(@mine, '--topic', 'refuse provider_refused', qw(--no-image --wait));
is "$failed->{exit} $failed->{json}{status}", '1 failed', '--wait: exit 1 where it failed';
like $failed->{err}, qr/is ordered/, 'it was ordered';
kill TERM => $runner;
JobRun::ended($runner, 60);

# A wait that is broken off leaves one order, and its line in operator.log
my $err = $galley->scratch . '/err';
my $before = count();
my $wait = fork // die;
if (!$wait) {
	open STDOUT, '>', '/dev/null';
	open STDERR, '>', $err;
	$SIG{INT} = 'DEFAULT';
	exec $galley->programs . '/bin/galley', qw(job create --wait --no-image --topic Alone),
		@mine;
}
ok JobRun::wait_until(60, sub { -e $err && Galley::slurp($err) =~ /^queued$/m }), 'it waits';
kill INT => $wait;
waitpid $wait, 0;
is $? & 127, 2, 'Ctrl-C ends the wait';
is count(), $before + 1, 'one job is ordered';
my ($alone) = Galley::slurp($err) =~ /^Job (\S+) is ordered/;
is $jobs->job($alone)->{status}, 'queued', 'and goes on';
like Galley::slurp($galley->home . '/log/operator.log'), qr/changed: $alone; done/,
	'operator.log has it';

# The other commands show a job without a key, and one with a key
my $keyed = $jobs->ordered('keyed', topic => 'Wasps');
my $open = create(@mine, '--no-image')->{json}{id};
my %of = map { $_->{id} => $_ } @{ $galley->must(qw(job list), @mine) };
is $of{$job->{id}}{ordered_by}, $user, 'job list';
is $of{$keyed}{ordered_by}, undef, 'a key is no orderer';
is $galley->must(qw(job show), $open)->{ordered_by}, $user, 'job show';
sub shown {
	return Galley::Process::run_program([$galley->programs . '/bin/galley', qw(job show), @_],
		env => { PATH => '/usr/bin:/bin' })->{out};
}
like shown($open), qr/^by +\Q$user\E, without a key$/m, 'for people';
like shown($keyed), qr/^by +the key [0-9a-f-]{36}/m, 'a job with a key names it';
is $galley->command(qw(job cancel), $open)->{json}{status}, 'failed', 'job cancel';
my $dump = $galley->folder_of_owner('dump');
is $galley->command('dump', "$dump/all")->{exit}, 0, 'dump';
like Galley::slurp("$dump/all/workspaces/" . $jobs->workspace . '/jobs.json'),
	qr/"ordered_by":"\Q$user\E"/, 'writes it';
is $jobs->broken, '', 'verify finds nothing';

my $waiting = create(@mine, '--no-image')->{json}{id};
my $tar = $galley->folder_of_owner('backup') . '/all.tar';
is $galley->command('backup', $tar)->{exit}, 0, 'backup';
my $restored = $galley->command('restore', $tar, '--yes');
$restored = $galley->command('restore', $tar) if $restored->{exit} == 2;
is $restored->{exit}, 0, 'restore';
is $jobs->job($waiting)->{status}, 'failed', 'an open one is refunded';
is $jobs->job($job->{id})->{status}, 'completed', 'the others are as they were';
is $jobs->broken, '', 'verify finds nothing then';
is $jobs->balance->{reserved}, 0, 'nothing is held';
done_testing;
