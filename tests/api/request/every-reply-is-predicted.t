#!/usr/bin/perl
# Proves that an independent model of the whole service (tests/lib/Model.pm) predicts every answer
# of every endpoint and command, under publishing, edits, settings, orders, runners, kills, races
# and clocks that step or stop.
#
# It plays 30 seeds of 50 steps, or as many as SEEDS says (`make check-model`: 1,000), from
# MODEL_FIRST on (1). A failing seed is printed: MODEL_SEED=N replays it and prints each step,
# MODEL_STEPS=N only its first steps. Operations at once may end in another order in the replay;
# all else is the same.
# suite: slow postgres
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley;
use Model::Play;

my $first = $ENV{MODEL_SEED} // $ENV{MODEL_FIRST} // 1;
my $last = $ENV{MODEL_SEED} // $first + ($ENV{SEEDS} // 30) - 1;
my $steps = $ENV{MODEL_STEPS} // 50;

my $play = Model::Play->new(Galley->new(build => 'test'));
for my $seed ($first .. $last) {
	my $wrong = $play->seed($seed, $steps);
	diag join "\n", map { "  $_" } @{ $play->{history} } if $ENV{MODEL_SEED};
	ok !defined $wrong, "seed $seed" or diag "$wrong\nMODEL_SEED=$seed replays it.";
}
diag join ', ', map { "$play->{counts}{$_} $_" } sort keys %{ $play->{counts} };
done_testing;
