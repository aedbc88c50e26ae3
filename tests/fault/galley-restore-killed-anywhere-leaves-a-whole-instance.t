#!/usr/bin/perl
# Proves that a restore which is killed at any of its steps leaves the instance as it was or as
# the backup has it: the keys at once, all else with the next command or the next run of the
# runner. The restore can be repeated.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use POSIX qw(WUNTRACED);
use Test::More;

# Two instances with different peppers: no key would work in a mixture of them.
my $from = Galley->new(build => 'test');
my $there = $from->workspace(name => 'There');
my $new_key = $from->key($there);
$from->import_text($there, "# Restored\n\nText.\n");
$from->conf(jobs_per_hour => 3);
my $backup = $from->scratch . '/b.tar';
$from->must('backup', $from->home . '/db/b.tar');
Galley::spew($backup, Galley::slurp($from->home . '/db/b.tar'));
chmod 0644, $backup;

my $galley = Galley->new(build => 'test');
my $home = $galley->home;
my $here = $galley->workspace(name => 'Here');
my $old_key = $galley->key($here);
$galley->import_text($here, "# Present\n\nText.\n");
$galley->conf(jobs_per_hour => 5);
my $present = "$home/db/present.tar";
$galley->must('backup', $present);

sub titles {
	my ($key) = @_;
	my $answer = $galley->get('/articles', key => $key);
	return $answer->{status} if $answer->{status} != 200;
	return join ' ', map { $_->{title} } @{ $answer->{json}{data} };
}

my %ends;
my $kills = 0;
for my $fault ('archive-media:1', 'archive-written:1', 'restore-prepared:1',
	'restore-pending:1', 'restore-announced:1', 'restore-committed:1', 'restore-pepper:1',
	'restore-conf:1', 'db-begun:1', 'db-before-commit:1', 'db-after-commit:1',
	'db-before-commit:2', 'db-after-commit:2') {
	$galley->must('restore', $present);
	my $done = $galley->command({ env => { GALLEY_FAULT => "$fault:kill" } },
		'restore', $backup);
	my $killed = $done->{signal} == 9;
	ok $killed || $done->{exit} == 0, "$fault: killed, or not met"
		or diag $done->{err};
	is join(' ', sort(titles($old_key), titles($new_key))),
		$killed && $fault =~ /^restore-(?:committed|pepper|conf)/ || !$killed
			? '401 Restored' : '401 Present',
		"$fault: the keys of one of the two are good, without a pause";
	if (++$kills % 2) {
		is $galley->command(qw(account list))->{exit}, 0,
			"$fault: the next command works";
	} else {
		$done = run_program([$galley->programs . '/bin/job-runner', '--once'],
			env => { PATH => '/usr/bin:/bin' }, as => [$galley->owner_ids]);
		is $done->{exit}, 0, "$fault: the next run of the runner works"
			or diag $done->{err};
	}
	my ($old, $new) = (titles($old_key), titles($new_key));
	my $conf = Galley::slurp("$home/galley.conf");
	if ($old eq 'Present') {
		is $new, 401, "$fault: it is as it was";
		like $conf, qr/^jobs_per_hour = 5$/m, "$fault: galley.conf too";
		$ends{old}++;
	} else {
		is $new, 'Restored', "$fault: it is as the backup has it";
		is $old, 401, "$fault: and no key of before opens it";
		like $conf, qr/^jobs_per_hour = 3$/m, "$fault: galley.conf too";
		$ends{new}++ if $killed;
	}
	is $galley->command('verify')->{exit}, 0, "$fault: the store is sound";
	ok !-e "$home/db/restore-pending", "$fault: nothing is pending";
}
ok $ends{old}, 'some kills came before the change';
ok $ends{new}, 'some came after it';
$galley->must('restore', $backup);
is titles($new_key), 'Restored', 'a restore after all these works';
is_deeply [glob "$home/db/.restore-* $home/db/.copy.*"], [],
	'files of killed restores are removed';

# ---- other programs while a restore is stopped

# Runs code in a process that a fault point stops; returns its id once it is stopped.
sub stopped {
	my ($code) = @_;
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		$code->();
		POSIX::_exit(127);
	}
	waitpid $pid, WUNTRACED;
	Galley::slurp("/proc/$pid/stat") =~ /\) T / or die 'it did not stop';
	return $pid;
}

sub goes_on {
	my ($pid, $signal) = @_;
	kill $signal => $pid;
	waitpid $pid, 0;
	return $?;
}

my ($uid, $gid) = $galley->owner_ids;
my $out = $galley->scratch . '/answer';
$galley->must('restore', $present);
for my $place (qw(restore-announced restore-committed)) {
	my $pid = stopped(sub {
		Galley::Process::become($uid, $gid) if $> == 0;
		$ENV{GALLEY_FAULT} = "$place:1:stop";
		open STDOUT, '>', '/dev/null';
		exec $galley->programs . '/bin/galley', 'restore', $backup;
	});
	is titles($place eq 'restore-committed' ? $new_key : $old_key),
		$place eq 'restore-committed' ? 'Restored' : 'Present',
		"$place: keys are good while it is stopped there";
	my $done = $galley->command('backup', "$home/db/between.tar");
	is $done->{exit}, 1, "$place: no backup is made of a mixture";
	like $done->{err}, qr/A restore is at work/, 'saying why';
	ok !-e "$home/db/between.tar", 'and none is left behind';
	$done = $galley->command(qw(key create --scope articles:read));
	is $done->{exit}, 1, "$place: no key is made that would never work";
	like $done->{err}, qr/A restore is at work/, 'saying why';
	goes_on($pid, 'KILL');
	is $galley->command(qw(account list))->{exit}, 0, 'all is well after it';
	$galley->must('restore', $present);
}

# A reader whose snapshot is older than the pepper that it reads.
my $reader = stopped(sub {
	open STDOUT, '>', $out;
	Galley::Process::become($uid, $gid) if $> == 0;
	my ($program, $env) = Galley::Request::request_env('GET', '/articles',
		key => $new_key);
	%ENV = (%$env, GALLEY_FAULT => 'key-snapshot:1:stop');
	exec $galley->programs . "/cgi-bin/$program";
});
$galley->must('restore', $backup);
is goes_on($reader, 'CONT'), 0, 'a reader that slept through a restore ends well';
like Galley::slurp($out), qr/^Status: 200 /,
	'and knows the key that is good by now';

# ---- a lost pepper

$galley->must('restore', $present);
unlink "$home/db/pepper";
is titles($old_key), 500, 'without its pepper nothing works';
my $done = $galley->command('restore', $present);
is $done->{exit}, 0, 'but a restore' or diag $done->{err};
like $done->{err}, qr/pepper is damaged/, 'which tells';
is titles($old_key), 'Present', 'then all is well';

done_testing;
