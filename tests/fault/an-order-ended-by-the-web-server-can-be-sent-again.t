#!/usr/bin/perl
# The web server ends an order that takes too long. Proves that the client gets a 504 in JSON, and
# that the same order sent again finds the job that was made, or makes it (docs/platform.md §3.5,
# K7; docs/design.md §4.17).
use strict;
use warnings;
use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use Galley;
use JobRun;

my $jobs = JobRun->new(credits => 1000);
my $galley = $jobs->galley;

# A header field names the place where the request stops.
my $server = $galley->serve(extra => <<'CONF');
CGIDScriptTimeout 1s
SetEnvIf X-Fault "^(.+)$" GALLEY_FAULT=$1
CONF

sub order {
	my ($name, %headers) = @_;
	return $server->post('/generate', key => $jobs->key,
		body => '{"image":false}',
		headers => { 'Idempotency-Key' => $name, %headers });
}

my %left = ('db-begun' => 0, 'job-reserved' => 0, 'db-before-commit' => 0,
	'db-after-commit' => 1, 'before-answer' => 1);
for my $place (sort keys %left) {
	my $before = $jobs->balance->{available};
	my $late = order("late-$place", 'X-Fault' => "$place:1:sleep=60000");
	is $late->{status}, 504, "ended at $place";
	like $late->{headers}{'content-type'}, qr{^application/json}, '  in JSON';
	my $again = order("late-$place");
	is $again->{status}, 200, '  the same order again';
	is $again->{headers}{'idempotent-replayed'}, $left{$place} ? 'true' : undef,
		'  ' . ($left{$place} ? 'finds its job' : 'makes the job');
	is $before - $jobs->balance->{available}, 20, '  reserved once';
}
is $galley->sql('SELECT count(*) AS n FROM job')->[0]{n}, scalar(keys %left),
	'one job for each';
is $server->get('/connection', key => $jobs->key)->{status}, 200,
	'no process blocks the database';
is $jobs->broken, '', 'verify finds nothing';
done_testing;
