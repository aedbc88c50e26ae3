#!/usr/bin/perl
# The wall clock steps while a request, a command or the runner works. Proves that sync loses
# nothing, that jobs end once and never before they were ordered, and that limits recover
# (docs/platform.md §3.5, T1; steps between requests: tests/api/*/*clock*).
use strict;
use warnings;
use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use Galley;
use Galley::Consumer;
use JobRun;

my $jobs = JobRun->new(credits => 1000000);
my $galley = $jobs->galley;
my $key = $jobs->key;
my ($id) = $galley->import_text($jobs->workspace, "# One\n\nText.\n");
my $number = 0;
my %clock; # the environment of the next process
my $consumer = Galley::Consumer->new(sub {
	return $galley->get($_[0], key => $key, env => {%clock});
});

sub in_store { return join ' ', sort map { $_->{title} } values %{ $consumer->{store} } }
sub published {
	return join ' ', sort map { $_->{title} } @{ $galley->sql(
		"SELECT title FROM article WHERE status = 'published'") };
}

for my $step (-7200, 7200, 31536000) {
	# The clock of every process here steps on its way: content ...
	for my $place ('db-begun', 'change-stamped', 'db-before-commit',
		'db-after-commit') {
		my $title = 'Title-' . ++$number;
		$galley->must(qw(article set), $id, "title=$title");
		$galley->must({ env => { GALLEY_FAULT => "$place:1:clock=$step" } },
			qw(article publish --again), $id);
		%clock = (GALLEY_FAULT => "before-answer:1:clock=" . -$step);
		$consumer->sync;
		is in_store(), published(), "$place, $step s: sync has it";
	}
	# ... so are jobs, from their order to their end.
	for my $place ('db-begun:2', 'job-claim-written:1', 'runner-claimed:1',
		'provider-started:1', 'runner-result:1', 'job-settled:1') {
		my $order = $jobs->order('job-' . ++$number, { topic => "Job-$number",
			image => JSON::PP::false, autoPublish => JSON::PP::true },
			env => { GALLEY_FAULT => "job-inserted:1:clock=" . -$step });
		is $order->{status}, 200, "$place, $step s: an order";
		my $run = $jobs->run(env => { GALLEY_FAULT => "$place:clock=$step" });
		is "$run->{exit} $run->{signal} $run->{err}", '0 0 ', '  a run';
		$jobs->run;
		my $job = $jobs->job($order->{json}{id});
		is "$job->{status} $job->{cost}", 'completed 7', '  completes it';
		cmp_ok $job->{settled_at}, 'ge', $job->{created_at},
			'  not before it was ordered';
		$consumer->sync;
		is in_store(), published(), '  and sync has it';
	}
}
is $jobs->balance->{spent}, 7 * scalar(@{ $galley->sql('SELECT 1 FROM job') }),
	'each was charged once';
is $jobs->broken, '', 'verify finds nothing';

# A step within the request that takes the last place of a limit does not lock the key out.
$galley->conf(requests_per_minute => 3);
for my $step (-7200, 7200, 31536000) {
	my $fresh = $galley->key($jobs->workspace);
	my @status = map { $galley->get('/connection', key => $fresh, env => {
		GALLEY_FAULT => "before-answer:1:clock=$step", GALLEY_CLOCK => 0,
		})->{status} } 1 .. 4;
	is "@status", '200 200 200 429', "$step s: three of three";
	is $galley->get('/connection', key => $fresh,
		env => { GALLEY_CLOCK => 61 })->{status}, 200, '  and again after 61 s';
}
done_testing;
