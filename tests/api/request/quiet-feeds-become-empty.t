#!/usr/bin/perl
# /sync lists again all changes within five minutes of the checkpoint (docs/contract.md §4.4.2).
# Proves that in a workspace without new changes, the runner's housekeeping moves the clock, so
# that its feed becomes empty; that it moves no other clock, and no clock twice; and that it loses
# no change that is made meanwhile.
use strict;
use warnings;

use lib 'tests/lib';

use JobRun;
use Galley::Consumer;
use Test::More;

my $jobs = JobRun->new;
my $galley = $jobs->galley;
my $after = 0; # seconds that the wall clock is ahead

sub clock_of {
	my ($workspace) = @_;
	return $galley->sql("SELECT clock, announced_at FROM workspace"
		. " WHERE uuid = '$workspace'")->[0];
}

# Returns the number of articles that one scan of a consumer lists.
sub scanned {
	my ($consumer) = @_;
	$consumer->{told} = 0;
	$consumer->sync;
	return $consumer->{told};
}

sub consumer {
	my ($workspace) = @_;
	my $key = $galley->key($workspace);
	my $consumer;
	$consumer = Galley::Consumer->new(sub {
		my $answer = $galley->get($_[0], key => $key,
			env => { GALLEY_CLOCK => $after });
		$consumer->{told} += @{ $answer->{json}{data} } if $_[0] =~ m{^/sync};
		return $answer;
	});
	return $consumer;
}

sub housekeeping {
	is $jobs->run(env => { GALLEY_CLOCK => $after })->{exit}, 0,
		"the runner runs $after s later";
}

my @workspaces = ($galley->workspace(name => 'Quiet'),
	$galley->workspace(name => 'Busy'));
my $never = $galley->workspace(name => 'Never');
my ($id, $busy) = map { $galley->import_text($_, "# A\n\nText.\n") } @workspaces;
my ($quiet, $other) = map { consumer($_) } @workspaces;
my $unused = clock_of($never);
is scanned($quiet), 1, 'a first scan is told the article';
is scanned($quiet), 1, 'it is told again: it just changed';
housekeeping();
is_deeply clock_of($never), $unused, 'a clock that nothing moved stays';
$after = 400;
is scanned($quiet), 1, 'it is told as long as nothing moves the clock';
$galley->must({ env => { GALLEY_CLOCK => $after } }, qw(article publish --again), $busy);
my $before = clock_of($workspaces[1]);
housekeeping();
cmp_ok clock_of($workspaces[0])->{clock}, '>',
	clock_of($workspaces[0])->{announced_at}, 'the quiet clock is moved';
is_deeply clock_of($workspaces[1]), $before, 'that of a busy workspace is not';
is scanned($quiet), 1, 'the scan that meets the moved clock is told once more';
is scanned($quiet), 0, 'from then on nothing';
cmp_ok scanned($other), '>', 0, 'the busy feed is not empty';
my $moved = clock_of($workspaces[0]);
$after = 800;
housekeeping();
is_deeply clock_of($workspaces[0]), $moved, 'a clock is moved once';
$galley->must({ env => { GALLEY_CLOCK => $after } }, qw(article publish --again), $id);
is scanned($quiet), 1, 'the next change is told';
done_testing;
