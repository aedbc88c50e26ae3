# Proves that the model of Galley (tests/lib/Model.pm) predicts what people do in the console
# (docs/console.md §7): the answer of every press, what the API serves then, what `galley article
# show` says, and the History. Several people with different roles in three accounts save, merge,
# clash, publish, set dates and restore; forms are sent twice and processes are killed; roles end
# between two presses; the operator and sites work at the same time.
#
# It plays 3 seeds of 40 steps, or as many as SEEDS says, from MODEL_FIRST on (1);
# `make check-console-model` plays 300. A failing seed is printed: MODEL_SEED=N replays it and prints each step,
# MODEL_STEPS=N only its first steps.
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley;
use Model::Visit;

my $first = $ENV{MODEL_SEED} // $ENV{MODEL_FIRST} // 1;
my $last = $ENV{MODEL_SEED} // $first + ($ENV{SEEDS} // 3) - 1;
my $steps = $ENV{MODEL_STEPS} // 40;

my $visit = Model::Visit->new(Galley->new(build => 'test'));
for my $seed ($first .. $last) {
	my $wrong = $visit->seed($seed, $steps);
	diag join "\n", map { "  $_" } @{ $visit->{history} } if $ENV{MODEL_SEED};
	ok !defined $wrong, "seed $seed" or diag "$wrong\nMODEL_SEED=$seed replays it.";
}
diag join ', ', map { "$visit->{counts}{$_} $_" } sort keys %{ $visit->{counts} };
done_testing;
