# provider-openai: proves that a later try asks only for steps that no earlier try has stored.
use strict;
use warnings;

use lib 'tests/lib';
use FakeOpenAI;
use OpenAIRun;
use Test::More;

# Runs one try of an article job that breaks at this request (0: at none).
sub try_once {
	my ($break, $steps, %option) = @_;
	my $fake = FakeOpenAI->start(sub {
		my ($request) = @_;
		return failure(401, {}) if $request->{n} == $break;
		return good($request);
	});
	my $done = OpenAIRun->new($fake)->order(steps => $steps, %option);
	my @asked = map { $_->{step} . ($_->{section} // '') } $fake->requests;
	return ($done, \@asked);
}

my ($whole, $all) = try_once(0, {}, image => 1);
my @order = @$all;
is_deeply \@order, [qw(research outline section1 section2 section3 closing
	image)], 'a whole job';

for my $break (1 .. 6) {
	my ($first, $asked) = try_once($break, {}, image => 1);
	is $first->{result}, undef, "stopped at $order[$break - 1]";
	is scalar keys %{ $first->{steps} }, $break - 1,
		'what came before it is stored';
	my ($second, $rest) = try_once(0, $first->{steps}, image => 1);
	is_deeply $rest, [@order[$break - 1 .. $#order]],
		'the next try goes on from there';
	is_deeply $second->{result}, $whole->{result}, 'with the same result';
	is_deeply $second->{usage}, $whole->{usage},
		'and the usage of all tries';
}

my ($done, $asked) = try_once(0, $whole->{steps});
is_deeply $asked, [], 'with all steps stored nothing is asked';
ok $done->{result}, 'and there is a result';
is $done->{result}{image}, undef, 'without image, as ordered';

for my $spoilt (
	['outline', {}], ['outline', { answer => { title => 'x' },
		input_tokens => 1, output_tokens => 1 }],
	['section-2', { %{ $whole->{steps}{'section-2'} }, input_tokens => -1 }],
	['closing', { %{ $whole->{steps}{closing} },
		answer => { %{ $whole->{steps}{closing}{answer} }, tags => 1 } }],
	['research', { %{ $whole->{steps}{research} }, answer => 'text' }],
) {
	my ($name, $output) = @$spoilt;
	my ($done, $asked) = try_once(0, { %{ $whole->{steps} },
		$name => $output });
	is_deeply $asked, [$name =~ s/-//r], "a useless stored $name is asked for again";
	ok $done->{result}, 'and the job is done';
}

done_testing;
