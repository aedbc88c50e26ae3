# Proves that a typo in galley.conf stops no customer: requests are answered by the last good
# settings, which only the tool and the runner store, and which never name a program to run.
# `galley config` finds faults and changes lines, and leaves the rest of the file as it is.
use strict;
use warnings;
use lib 'tests/lib';
use FailingCall qw(failing);
use Galley;
use Galley::Process qw(run_program);
use JobRun;
use Test::More;

my $jobs = JobRun->new(build => '');
my $galley = $jobs->galley;
my $home = $galley->home;
my $conf = "$home/galley.conf";
my $kept = "$home/good/galley.conf";
my ($id) = $galley->import_text($jobs->workspace, "# One\n\nText.\n");

sub tool { return run_program([$galley->programs . '/bin/galley', @_]) }

sub spoil {
	my ($from, $to) = @_;
	my $text = Galley::slurp($conf);
	$text =~ s/$from/$to/m or die "no $from";
	Galley::spew($conf, $text);
	return;
}

sub answers { return $galley->get("/articles/$id", key => $jobs->key) }

# ---- the stored settings, and the programs that store them

my $good = Galley::slurp($conf);
is tool(qw(account list))->{exit}, 0, 'a command reads good settings';
is Galley::slurp($kept), $good, 'and keeps them';
my @stat = stat $kept;
is sprintf('%04o', $stat[2] & 07777), '0600', 'for the owner alone';
is $stat[4], ($galley->owner_ids)[0], 'whose they are';
my $before = answers();
is $before->{status}, 200, 'an article is answered';

$galley->conf(jobs_per_hour => 5);
is answers()->{status}, 200, 'with other good settings, too';
is Galley::slurp($kept), $good, 'which no program of the API keeps';
$jobs->run;
is Galley::slurp($kept), Galley::slurp($conf), 'but the runner does';

# ---- one typo

my $job = $jobs->ordered('one', topic => 'Compost');
my $marker = $galley->folder_of_owner('marker');
Galley::spew($galley->scratch . '/evil', "#!/bin/sh\ntouch $marker/ran\n");
chmod 0755, $galley->scratch . '/evil';
Galley::spew($kept, Galley::slurp($kept)
	=~ s{^provider = .*}{"provider = " . $galley->scratch . '/evil'}emr);
for my $fault (['jobs_per_hour = \d+', 'jobs_per_huor = 5'],
	['require_https = off', 'require_https = maybe'],
	['^price_article = .*', "price_article = 1\nprice_article = 2"],
	['^#', "\xFF"]) {
	my $was = Galley::slurp($conf);
	spoil(@$fault);
	my $answer = answers();
	is $answer->{status}, 200, "$fault->[1]: customers are answered";
	is $answer->{body}, $before->{body}, 'as before';
	like Galley::slurp("$home/log/requests.log"), qr/galley\.conf.*last good settings/,
		'the log tells';
	my $done = tool(qw(account list));
	is $done->{exit}, 0, 'commands go on';
	like $done->{err}, qr/ATTENTION: \S+galley\.conf.*no job is begun/s, 'and say it loudly';
	is scalar(@{ $galley->command(qw(account list))->{json} }), 1, 'beside their JSON';
	$done = tool('doctor');
	like $done->{out}, qr/^BAD +galley\.conf .*last good settings.*config check/m,
		'doctor says it, with what to do';
	is tool(qw(config check))->{exit}, 1, 'config check finds it';
	Galley::spew($conf, $was);
}

spoil('jobs_per_hour = \d+', 'jobs_per_huor = 5');
my $copy = Galley::slurp($kept);
is $jobs->order('two', { topic => 'Mulch' })->{status}, 200, 'orders are taken';
my $run = $jobs->run;
is $run->{exit}, 1, 'the runner is not well';
like $run->{err}, qr/line \d+: jobs_per_huor.*did you mean jobs_per_hour/, 'and says why';
is $jobs->run->{err}, '', 'once';
is $jobs->job($job)->{status}, 'queued', 'it begins no job';
ok !-e "$marker/ran", 'and runs no program that the copy names';
like tool(qw(provider test))->{err}, qr/No provider is run while galley\.conf has a fault/,
	'nor does provider test';
is Galley::slurp($kept), $copy, 'what is faulty is never kept';
spoil('jobs_per_huor = 5', 'jobs_per_hour = 5');
$run = $jobs->run;
is "$run->{exit} $run->{err}", '0 ', 'without the fault it is well again';
is $jobs->job($job)->{status}, 'completed', 'and the job is done';

# ---- a file that is gone, and no copy

rename $conf, "$conf.aside" or die $!;
is answers()->{status}, 200, 'a file that is gone stops nobody';
rename "$conf.aside", $conf or die $!;
unlink $kept;
spoil('jobs_per_hour = \d+', 'jobs_per_huor = 5');
is answers()->{status}, 500, 'without a copy nothing is guessed';
like tool(qw(config check))->{out}, qr/answered with 500/, 'which config check says';
is tool(qw(account list))->{exit}, 1, 'a command, too, does nothing';
spoil('jobs_per_huor = 5', 'jobs_per_hour = 5');

# ---- config check

my $draft = $galley->scratch . '/draft.conf';
Galley::spew($draft, "pubic_url = https://a.example\n\nrequire_https = yes\nkept_answers\n");
my $done = $galley->command(qw(config check), $draft);
is $done->{exit}, 1, 'a file to come is checked';
is_deeply [map { $_->{line} } @{ $done->{json}{faults} }], [1, 3, 4], 'every fault is named';
like $done->{json}{faults}[0]{message}, qr/did you mean public_url/, 'with what was meant';
Galley::spew($draft, "require_https = off\n");
is tool(qw(config check), $draft)->{exit}, 0, 'one without a fault';
is tool(qw(config check /nowhere))->{exit}, 1, 'one that is not there';

# ---- config show

my $shown = $galley->must(qw(config show));
is $shown->{jobs_per_hour}, '5', 'show knows a value';
is scalar(grep { !/^(?:console_|(?:pages_url|pages_per_minute|account_mib|account_text_mib|collect_per_minute|stats_months|mail_command|database|database_\w+)$)/ } keys %$shown),
	scalar(() = Galley::slurp($conf) =~ /^\w+ *=/mg), 'and every key';
like tool(qw(config show log_keep))->{out}, qr/^log_keep = 4 +# the default$/, 'one of them';
is tool(qw(config show log_kept))->{exit}, 1, 'an unknown one is refused';

# ---- config set

sub differing {
	my ($old, $new) = @_;
	my @old = split /\n/, $old, -1;
	my @new = split /\n/, $new, -1;
	return map { "$old[$_] -> $new[$_]" } grep { $old[$_] ne $new[$_] } 0 .. $#old;
}

Galley::spew($conf, "# Mine.\n" . Galley::slurp($conf) . "# The end");
for my $who ('the one who is root', 'the owner') {
	my @as = $who eq 'the owner' ? (as => [$galley->owner_ids]) : ();
	my $set = sub { return run_program([$galley->programs . '/bin/galley', '--json',
		qw(config set), @_], @as) };
	my $old = Galley::slurp($conf);
	my $value = $who eq 'the owner' ? 7 : 6;
	$done = $set->("jobs_per_hour=$value", 'publisher=x');
	is $done->{exit}, 1, "$who: an unknown key is refused";
	like $done->{err}, qr/publisher is not a known key/, "$who: by name";
	is $set->("jobs_per_hour=$value", 'log_keep=100')->{exit}, 1,
		"$who: so is a value that does not fit";
	is $set->("provider=a\nb")->{exit}, 1, "$who: and one of two lines";
	is $set->('provider')->{exit}, 2, "$who: and a word without =";
	is Galley::slurp($conf), $old, "$who: nothing was changed";
	$done = $set->("jobs_per_hour=  $value ");
	is $done->{exit}, 0, "$who: one line is changed" or diag $done->{err};
	is_deeply [differing($old, Galley::slurp($conf))],
		[$value == 6 ? 'jobs_per_hour = 5 -> jobs_per_hour = 6'
			: 'jobs_per_hour = 6 -> jobs_per_hour = 7'], "$who: and no other";
	is Galley::slurp($kept), Galley::slurp($conf), "$who: and kept at once";
	like $set->("jobs_per_hour=$value")->{out}, qr/"changed":false/, "$who: again: no change";
	@stat = stat $conf;
	is sprintf('%04o %d', $stat[2] & 07777, $stat[4]), '0600 ' . ($galley->owner_ids)[0],
		"$who: owner and mode are as before";
	last if $> != 0;
}

my $text = Galley::slurp($conf);
$text =~ s/^\n# [^\n]*\n(?:# [^\n]*\n)*log_keep = [^\n]*\n//m or die;
Galley::spew($conf, $text);
is tool(qw(config set log_keep=9))->{exit}, 0, 'a key that is missing is added';
like Galley::slurp($conf), qr/\A\Q$text\E\n\n# .*\nlog_keep = 9\n\z/, 'with its explanation';
spoil('^log_keep = 9', "log_keep = 9\nlog_keep = 8");
is tool(qw(config set log_keep=3))->{exit}, 0, 'a key that is there twice';
is_deeply [Galley::slurp($conf) =~ /^(log_keep.*)/mg], ['log_keep = 3'], 'is there once then';
spoil('^require_https = off', 'require_https = maybe');
$done = tool(qw(config set log_keep=4));
is $done->{exit}, 1, 'a file that keeps a fault is not written';
like $done->{err}, qr/nothing was changed. Line \d+: require_https must be on or off/, 'and told';
is tool(qw(config set require_https=off log_keep=4))->{exit}, 0, 'the fault itself is fixed';
is answers()->{status}, 200, 'and all is well';

$done = tool(qw(config set public_url=https://cms.example.com));
like $done->{err}, qr{public_url is now https://cms\.example\.com for 1 workspace},
	'an address is taken over at once';
like Galley::slurp("$home/log/operator.log"), qr/config set public_url=https/, 'and noted';

# Changes at the same time: none is lost, and no reader meets half a file.
my @keys = qw(log_keep runner_seconds price_research credits_per_image kept_answers);
my @children = map {
	my $key = $_;
	my $pid = fork // die "fork: $!";
	if (!$pid) {
		my $failed = grep { tool(qw(config set), "$key=$_")->{exit} } 11 .. 20;
		require POSIX;
		POSIX::_exit($failed);
	}
	$pid;
} @keys;
my $reads = grep { answers()->{status} != 200 } 1 .. 20;
waitpid $_, 0 for @children;
is $reads, 0, 'requests meet whole files';
$shown = $galley->must(qw(config show), @keys);
is_deeply $shown, { map { $_ => '20' } @keys }, 'of five that write at once none is lost';

# A full disk, and a galley.conf that is not a file.
$text = Galley::slurp($conf);
$done = failing({ calls => ['fsync:error=ENOSPC:when=1'] },
	$galley->programs . '/bin/galley', qw(config set log_keep=5));
is $done->{exit}, 1, 'a full disk changes nothing';
is Galley::slurp($conf), $text, 'not a byte';
is_deeply [grep { !/\.htaccess$/ } glob "$home/.galley.conf*"], [], 'and leaves nothing';
rename $conf, "$conf.real" or die $!;
symlink "$conf.real", $conf or die $!;
like tool(qw(config set log_keep=5))->{err}, qr/It is a link: change the file/, 'a link is named';

# ---- pipes without a writer in the place of files

my $aside = "$home/galley.conf.aside";
rename $conf, $aside or die;
require POSIX;
POSIX::mkfifo($conf, 0600) or die;
chown $galley->owner_ids, $conf;
sub soon { my $done = run_program([$galley->programs . '/bin/galley', @_], seconds => 30);
	return "$done->{exit} $done->{out}$done->{err}" }
like soon(qw(account list)), qr/ATTENTION: .*It is no file/, 'a pipe for galley.conf: it is told';
like soon(qw(config check)), qr/^1 /, 'a fault';
like soon(qw(doctor)), qr/galley\.conf: It is no file/, 'which the doctor names, too';
is answers()->{status}, 200, 'requests are answered';
is $jobs->run(seconds => 30)->{exit}, 1, 'and the runner ends';
unlink $kept;
POSIX::mkfifo($kept, 0600) or die;
chown $galley->owner_ids, $kept;
like soon(qw(account list)), qr/^1 .*It is no file/s, 'another for the good settings: the tool ends';
is answers()->{status}, 500, 'requests are answered';
is $jobs->run(seconds => 30)->{exit}, 1, 'the runner ends';
unlink $conf;
rename $aside, $conf or die;
like soon(qw(account list)), qr/^0 /, 'all is well with the file';
is Galley::slurp($kept), Galley::slurp($conf), 'and it is kept again';

# ---- the keys of the console, which the API's programs pass over

my $tool = Galley->new;
my $other = $tool->home . '/galley.conf';
my $workspace = $tool->workspace;
my $reader = $tool->key($workspace);
my %usual = (console_url => '', pages_url => '', pages_per_minute => 600, console_idle_minutes => 720, console_days => 30,
	console_step_up_minutes => 10, account_mib => 5120, account_text_mib => 512, stats_months => 25,
	console_forms_per_minute => 120,
	collect_per_minute => 60, mail_command => '',
	(map { ("database_${_}user" => '', "database_${_}password_file" => '') } 'api_', 'owner_'),
	database_password_file => '',
	database => $ENV{GALLEY_CLUSTER} ? '' : 'sqlite');
$shown = $tool->must(qw(config show));
is_deeply { map { $_ => $shown->{$_} } keys %usual }, { %usual },
	'the keys of the console have defaults';
unlike Galley::slurp($other), qr/^(?:console_|pages_)/m, 'which are in no file that init writes';
$tool->must(qw(config set console_url=https://edit.example.com/ console_days=3));
like Galley::slurp($other), qr{^console_url = https://edit\.example\.com$}m, 'one is set';
is $tool->must(qw(config show console_days))->{console_days}, 3, 'and read';
is $tool->get('/articles', key => $reader)->{status}, 200, 'and the API goes on';
for my $wrong (['console_days', 31, qr/a number from 1 to 30/],
	['console_url', 'edit', qr/http or https address/],
	['database', 'postgresql://galley:hunter2@db/galley', qr/must hold no password/],
	['database', 'host=db password = hunter2', qr/must hold no password/],
	['database', 'postgresql://db/galley?password=hunter2', qr/must hold no password/],
	['database', $ENV{GALLEY_CLUSTER} ? 'sqlite' : 'postgresql://galley@db/galley', qr/built for .*install/],
	['database', 'mysql', qr{must be sqlite, postgresql://}],
	['database_password_file', 'password', qr/absolute path/], ['console_dayz', 3, qr/console_days\?/]) {
	my ($key, $value, $why) = @$wrong;
	my $refused = $tool->command('config', 'set', "$key=$value");
	like $refused->{err}, $why, "$key=$value is refused";
	unlike $refused->{err}, qr/hunter2/, 'and no password is told';
}
Galley::spew($other, Galley::slurp($other) . "console_days = 4\n");
my $faults = $tool->command(qw(config check))->{json}{faults};
like $faults->[0]{message}, qr/^console_days stands here twice/, 'a key that is there twice';
is $tool->get('/articles', key => $reader)->{status}, 200, 'is no fault for the API';

done_testing;
