# Kills the runner at every named place of a job's way (docs/platform.md §3.5, K8 to K13). Proves
# that the next run goes on from the stored steps, that the job ends once, that there is one
# article, and that the customer is charged once.
# suite: slow
use strict;
use warnings;
use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use JobRun;

my $jobs = JobRun->new(credits => 100000);
my $galley = $jobs->galley;

# the place, how often it is passed before the kill, the steps that are stored by then
my @places = (
	[ 'runner-locked', 1 ], [ 'runner-house', 1 ],
	[ 'job-claim-written', 1 ], [ 'runner-claimed', 1 ],
	[ 'provider-started', 1 ],
	[ 'provider-step-read', 1 ], [ 'job-step-written', 1 ],
	[ 'provider-step-read', 2 ], [ 'job-step-written', 2 ],
	[ 'runner-result', 1 ],
	[ 'job-article-inserted', 1 ], [ 'job-article-published', 1 ],
	[ 'export-stored', 1 ],
	[ 'ledger-added', 1 ], [ 'job-settled', 1 ], [ 'job-completed', 1 ],
	[ 'runner-finished', 1 ],
	map({ [ 'db-begun', $_ ] } 1 .. 5),
	map({ [ 'db-before-commit', $_ ] } 1 .. 5),
	map({ [ 'db-after-commit', $_ ] } 1 .. 5),
);
my $number = 0;
for my $place (@places) {
	my ($name, $nth) = @$place;
	my $at = "$name:$nth";
	my $id = $jobs->ordered('job-' . ++$number, topic => 'steps 2x0',
		autoPublish => JSON::PP::true);
	my $dead = $jobs->run(env => { GALLEY_FAULT => "$at:kill" });
	is $dead->{signal}, 9, "killed at $at";
	my $stored = Galley::JSON->new->utf8->decode($galley->sql(
		"SELECT steps FROM job WHERE uuid = '$id'")->[0]{steps});
	my $next = $jobs->run;
	is "$next->{exit} $next->{signal} $next->{err}", '0 0 ', '  the next run';
	my $job = $jobs->job($id);
	is "$job->{status} $job->{cost}", 'completed 7', '  completes it';
	my @calls = grep { /^$id step-/ } $jobs->calls;
	my %again = map { $_ => scalar grep { /step-\Q$_\E$/ } @calls } 1, 2;
	is_deeply [ map { $again{$_} > 1 ? "step-$_" : () }
		map { s/step-//r } keys %$stored ], [],
		'  stored steps are not done again' if %$stored;
	is scalar(@{ $galley->sql("SELECT 1 FROM article WHERE uuid ="
		. " '$job->{article_id}'") }), 1, '  one article';
}
is scalar(@{ $galley->sql('SELECT 1 FROM article') }), $number,
	'as many articles as jobs';
is scalar(@{ $galley->sql('SELECT 1 FROM edition') }), $number,
	'each published once';
my $sync = $galley->get('/sync?limit=100', key => $jobs->key)->{json};
is scalar(@{ $sync->{data} }), $number, 'all of them are in /sync';
is $jobs->balance->{spent}, 7 * $number, 'each charged once';

# The same for jobs that fail: they are refunded once.
for my $name ('ledger-added', 'job-refunded', 'job-failed', 'runner-failed',
	'db-before-commit', 'db-after-commit') {
	my $nth = $name =~ /^db/ ? 2 : 1;
	my $id = $jobs->ordered("fail-$name", topic => 'refuse provider_refused');
	is $jobs->run(env => { GALLEY_FAULT => "$name:$nth:kill" })->{signal}, 9,
		"a failing job, killed at $name";
	$jobs->run;
	is $jobs->job($id)->{status}, 'failed', '  is failed by the next run';
}
is $jobs->balance->{reserved}, 0, 'no credit is reserved';

# With a cover: the file is written before the article that names it.
for my $name ('media-written', 'job-article-inserted', 'db-after-commit') {
	my $id = $jobs->ordered("cover-$name", topic => 'image',
		image => JSON::PP::true);
	my $nth = $name =~ /^db/ ? 3 : 1;
	$jobs->run(env => { GALLEY_FAULT => "$name:$nth:kill" });
	$jobs->run;
	is $jobs->job($id)->{cost}, 17, "a cover, killed at $name";
	unlink glob $galley->programs . '/htdocs/media/*.png'
		if $name eq 'media-written';
	$galley->sql('DELETE FROM media') if $name eq 'media-written';
	$galley->must(qw(article delete), $jobs->job($id)->{article_id});
}

# A job that kills each of its workers.
my $poison = $jobs->ordered('poison', topic => 'poison');
for my $death (1 .. 5) {
	is $jobs->job($poison)->{status}, $death == 1 ? 'queued' : 'running',
		"before death $death";
	$jobs->run(env => { GALLEY_FAULT => 'provider-started:1:kill' });
}
$jobs->run;
my $job = $jobs->job($poison);
is "$job->{status} $job->{error_code} $job->{cost}", 'failed internal_error 0',
	'five deaths fail it';
# A stored step makes it worth going on.
my $long = $jobs->ordered('long', topic => 'steps 9x0.2');
$jobs->run(env => { GALLEY_FAULT => 'provider-step-read:2:kill' }) for 1 .. 8;
my $known = $galley->must(qw(job show), $long);
is "$known->{status} $known->{deaths}", 'running 0',
	'a new step resets the count of deaths';
$jobs->run;
is $jobs->job($long)->{status}, 'completed', 'and the job completes';
is scalar(grep { /^$long step/ } $jobs->calls), 9 + 8,
	'one step is lost with each death, none with a stored one';
is $jobs->broken, '', 'verify finds nothing';
is_deeply [glob $galley->home . '/run/try-*'], [], 'no folder stays behind';
done_testing;
