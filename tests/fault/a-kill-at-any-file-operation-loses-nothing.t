#!/usr/bin/perl
# An order, the runner's work on it and a read are killed, or the disk fails, at their n-th
# operation on the database's files. Proves that the store stays whole, that the job is done once,
# that 200 means durable, and that a fault is answered with 503 or 500, never with 404 or 401
# (docs/platform.md §3.5: K16, P2).
#
# It tests every seventh n from a random one on (for a read every n); with GALLEY_FAULT_ALL every n
# (make check-faults). GALLEY_FAULT_START repeats a run's choice.
use strict;
use warnings;
use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use FaultPoints qw(met_points);
use JobRun;

my $jobs = JobRun->new(credits => 1000000, provider => 'fake',
	conf => { kept_answers => 0 });
my $galley = $jobs->galley;
my $stride = $ENV{GALLEY_FAULT_ALL} ? 1 : 7;
my $start = $ENV{GALLEY_FAULT_START} // int rand $stride;
diag "from operation $start on, every $stride" if $stride > 1;
my $number = 0;
my $done = 0;

sub order {
	my ($env) = @_;
	return $jobs->order("order-$number", { image => JSON::PP::false,
		autoPublish => JSON::PP::true, topic => 'Bees' }, env => $env);
}

# Returns the places n = start + k * stride of all that the code passes, and their number.
my %last;
sub places {
	my ($code, $stride, $start) = @_;
	my (undef, $met) = met_points($galley, $code);
	%last = %$met;
	my @place;
	for my $name ('vfs-op', 'vfs-sync', 'vfs-write', 'vfs-read') {
		my $step = $name eq 'vfs-sync' ? 1 : $stride;
		for (my $n = $step == 1 ? 1 : 1 + $start; $n <= ($met->{$name} // 0);
			$n += $step) {
			push @place, map { [$name, $n, $_] } $name eq 'vfs-op' ? qw(kill EIO)
				: $name eq 'vfs-write' ? ('EIO', 'ENOSPC') : 'EIO';
		}
	}
	diag scalar(@place), ' faults, ', $met->{'vfs-op'} + ($met->{'vfs-read'} // 0),
		' operations';
	return @place;
}

# Notes a line for each place that was wrong.
my @wrong;
sub check {
	my ($at, $right, $what) = @_;
	push @wrong, "$at: $what" if !$right;
	return $right;
}

# Two runs may differ by an operation or two: a run that ended well before a place near the end
# was not killed.
sub was_killed {
	my ($at, $place, $done, $well) = @_;
	my ($name, $n, $what) = @$place;
	return check($at, $done->{signal} == 0, "signal $done->{signal}") if $what ne 'kill';
	check($at, $done->{signal} == 9 || ($well && $n * 10 > 8 * $last{$name}),
		"signal $done->{signal}");
}

sub is_whole {
	my ($at) = @_;
	check($at, $jobs->broken eq '', 'verify: ' . $jobs->broken);
}

sub settled {
	my ($at, $id) = @_;
	my $run = $jobs->run;
	check($at, "$run->{exit} $run->{signal}" eq '0 0', "the next run: $run->{err}");
	my $job = $jobs->job($id);
	return check($at, "$job->{status} $job->{cost}" eq 'completed 7',
		"the job is $job->{status}, its cost $job->{cost}") && ++$done;
}

# ---- the order
for my $place (places(sub { order($_[0]) }, $stride, $start)) {
	my $at = 'an order at ' . join ':', @$place;
	$number++;
	my $first = order({ GALLEY_FAULT => join ':', @$place });
	was_killed($at, $place, $first, $first->{status} == 200);
	check($at, $first->{status} =~ /^(?:200|500|503)$/, "it answered $first->{status}")
		if $place->[2] ne 'kill';
	my $there = $galley->sql('SELECT count(*) AS n FROM job')->[0]{n};
	check($at, $there == $number + 1, 'it answered 200 and left no job')
		if $first->{status} == 200;
	check($at, $first->{json}{code} =~ /^(?:service_unavailable|internal_error)$/,
		$first->{raw}) if $first->{status} >= 500;
	is_whole($at);
	my $again = order({});
	check($at, $again->{status} == 200, "again: $again->{status}");
	check($at, $galley->sql('SELECT count(*) AS n FROM job')->[0]{n}
		== $number + 1, 'not one job');
}
is_deeply \@wrong, [], ++$number . ' orders: each made one job';
$jobs->run(seconds => 600); # all of them
is $jobs->balance->{spent}, 7 * ($done = $number), 'each was done and charged once';

# ---- the runner
@wrong = ();
order({});
for my $place (places(sub { $jobs->run(env => $_[0]) }, $stride, $start)) {
	my $at = 'the runner at ' . join ':', @$place;
	$number++;
	my $id = order({})->{json}{id};
	my $run = $jobs->run(env => { GALLEY_FAULT => join ':', @$place });
	was_killed($at, $place, $run, "$run->{exit} " . $jobs->job($id)->{status}
		eq '0 completed');
	is_whole($at);
	settled($at, $id);
}
is_deeply \@wrong, [], "$done jobs: each completed by the next run";
is $jobs->balance->{spent}, 7 * ++$done, 'each charged once';
is scalar(@{ $galley->sql('SELECT 1 FROM edition') }), $done,
	'each published once';

# ---- a read: every place of the few that it has
@wrong = ();
my $key = $jobs->key;
my ($whole) = map { $_->{body} } $galley->get('/articles', key => $key);
my $count = 0;
for my $place (places(sub { $galley->get('/articles', key => $key, env => $_[0]) }, 1, 0)) {
	my $at = 'a read at ' . join ':', @$place;
	my $answer = $galley->get('/articles', key => $key,
		env => { GALLEY_FAULT => join ':', @$place });
	$count++;
	if ($place->[2] eq 'kill') {
		check($at, $answer->{raw} eq '' || $answer->{body} eq $whole, 'half an answer');
	} elsif ($answer->{status} == 200) {
		check($at, $answer->{body} eq $whole, 'another answer');
	} else {
		check($at, $answer->{status} =~ /^50[03]$/ && $answer->{exit} == 0
			&& $answer->{json}, "status $answer->{status}");
	}
	check($at, $galley->get('/articles', key => $key)->{body} eq $whole,
		'the next one is another');
}
is_deeply \@wrong, [], "$count reads: whole, or a fault";
is $jobs->broken, '', 'verify finds nothing';
done_testing;
