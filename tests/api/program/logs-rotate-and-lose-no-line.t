#!/usr/bin/perl
# The runner rotates full logs while processes of one request and a process of many requests
# write. Proves that each request's line is in one of the files, once.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use Galley::Request qw(request_env split_answer);
use JobRun;
use Test::More;

my $jobs = JobRun->new(conf => { log_max_mib => 1, log_keep => 3 });
my $galley = $jobs->galley;
my $log = $galley->home . '/log';

# Makes a log too long, as the instance's owner.
sub fill {
	my ($name) = @_;
	my $done = run_program(['sh', '-c',
		'umask 077; yes xxxxxxxxxxxxxxx | head -c 1100000 >>"$0"', "$log/$name"],
		as => [$galley->owner_ids]);
	die "$name: $done->{err}" if $done->{exit};
}

# Makes a log that the owner may write.
sub mark {
	my ($name, $text) = @_;
	Galley::spew("$log/$name", $text);
	chown $galley->owner_ids, "$log/$name" if $> == 0;
}

sub files { return map { s{.*/}{}r } sort glob "$log/$_[0]*" }

# Returns the request ids in a log's files, one for each line.
sub logged {
	my %count;
	for my $file (glob "$log/requests.log*") {
		my $text = Galley::slurp($file);
		$count{$1}++ while $text =~ /^\S+ articles\[\d+\] ([0-9a-f-]{36}) GET /mg;
	}
	return \%count;
}

# ---- sizes and numbers

$galley->get('/articles', key => $jobs->key);
fill('requests.log');
fill('operator.log');
is $jobs->run->{exit}, 0, 'a run of the runner';
is_deeply [files('requests.log')], ['requests.log.1'], 'what is full is put aside';
is_deeply [files('operator.log')], ['operator.log.1'], 'each log of its own';
is_deeply [files('runner.log')], ['runner.log'], 'what is not full stays';
is sprintf('%04o', (stat "$log/requests.log.1")[2] & 07777), '0600',
	'what was put aside is private';
$galley->get('/articles', key => $jobs->key);
is sprintf('%04o', (stat "$log/requests.log")[2] & 07777), '0600',
	'and so is the new one';
for my $round (2 .. 5) {
	unlink "$log/requests.log";
	mark("requests.log", $round);
	fill('requests.log');
	$jobs->run;
}
is_deeply [files('requests.log')], [map { "requests.log.$_" } 1 .. 3],
	'no more than log_keep are kept';
is_deeply [map { substr Galley::slurp("$log/requests.log.$_"), 0, 1 } 1 .. 3],
	[5, 4, 3], 'the newest first';
$galley->conf(log_keep => 1);
fill('requests.log');
$jobs->run;
# What was changed is kept a year, whatever log_keep says.
my $day = 86_400;
for my $case ([1, 10], [2, 300], [3, 400], [5, 500]) {
	mark("operator.log.$case->[0]", $case->[0]);
	utime time - $case->[1] * $day, time - $case->[1] * $day, "$log/operator.log.$case->[0]";
}
fill('operator.log');
$jobs->run;
is_deeply [files('requests.log')], ['requests.log.1'],
	'fewer when log_keep is made smaller';
is_deeply [map { substr Galley::slurp("$log/$_"), 0, 1 }
	grep { !/log\.1$/ } files('operator.log')], [1, 2], 'of changes those of a year stay';
$galley->conf(log_max_mib => 0, log_keep => 3);
fill('requests.log');
$jobs->run;
is_deeply [files('requests.log')], ['requests.log', 'requests.log.1'],
	'0 leaves it to the host';
$galley->conf(log_max_mib => 1);
fill('runner.log');
my $before = (stat "$log/runner.log")[1];
$jobs->run;
is((stat "$log/runner.log.1")[1], $before, 'the runner puts its own aside');

# ---- killed in between

for my $n (1 .. 3) {
	unlink glob "$log/requests.log*";
	mark($_, "$_\n") for 'requests.log.2', 'requests.log.1', 'requests.log';
	fill('requests.log');
	$jobs->run(env => { GALLEY_FAULT => "log-rename:$n:kill" });
	$jobs->run;
	is_deeply [sort map { (split /\n/, Galley::slurp($_))[0] }
		glob "$log/requests.log*"],
		['requests.log', 'requests.log.1', 'requests.log.2'],
		"killed at rename $n, nothing is lost";
}

# ---- under load

unlink glob "$log/requests.log*";
$galley->conf(log_keep => 20);
my $stop = $galley->scratch . '/stop';
sub ask_until_stopped {
	my ($ask) = @_;
	my @ids;
	do {
		my $answer = $ask->();
		push @ids, $answer->{headers}{'x-request-id'};
	} until -e $stop || @ids == 20000;
	$_->stop for values %{ $galley->{fcgi} // {} };
	return \@ids;
}
my ($program, $env) = request_env('GET', '/articles', key => $jobs->key);
my ($one, $two, $lasting, $rotations) = JobRun::at_once(
	sub { ask_until_stopped(sub { $galley->get('/articles', key => $jobs->key) }) },
	sub { ask_until_stopped(sub { $galley->get('/articles', key => $jobs->key) }) },
	sub { ask_until_stopped(sub { split_answer(
		$galley->persistent($program, $env)) }) },
	sub {
		my $broken;
		for my $round (1 .. 8) {
			fill('requests.log');
			$broken ||= $jobs->run->{exit};
		}
		Galley::spew($stop, '');
		return -1 if $broken;
		return scalar files('requests.log');
	});
cmp_ok $rotations, '>=', 8, 'rotated under load' or diag $rotations;
my @asked = (@$one, @$two, @$lasting);
my $count = logged();
ok @$one && @$two && @$lasting, scalar(@asked) . ' requests meanwhile';
is_deeply [grep { ($count->{$_} // 0) != 1 } @asked], [],
	'each has its line, once';

# ---- a process of many requests goes on in the new file

sub lasting { return split_answer($galley->persistent($program, $env))
	->{headers}{'x-request-id'} }
my $first = lasting();
fill('requests.log');
$jobs->run;
select undef, undef, undef, 0.3; # it looks for its log four times a second
my $second = lasting();
like Galley::slurp("$log/requests.log.1"), qr/\Q$first/, 'what it wrote is put aside';
like Galley::slurp("$log/requests.log"), qr/\Q$second/,
	'and its next line is in the new file';

done_testing;
