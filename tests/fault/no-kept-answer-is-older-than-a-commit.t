#!/usr/bin/perl
# Readers race writers that publish, roll back, and are killed anywhere. Proves that no answer is
# older than the last commit that was acknowledged before the request, and that an answer which was
# kept at a generation is the database's answer at this generation (docs/speed.md §3).
# tests/fault/race.c does the work. GALLEY_RACES=N requests: `make check-race`.
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Time::HiRes qw(time);
use Galley;
use Galley::Process qw(run_program);

my $requests = $ENV{GALLEY_RACES} // 20_000;
# The instance is in memory, where commits take almost no time, so that there are many of them.
my $galley = Galley->new(build => 'test', -w '/dev/shm' ? (under => '/dev/shm') : ());
my $workspace = $galley->workspace(website => 'https://www.example.com');
my $key = $galley->key($workspace);
my ($id) = $galley->import_text($workspace, "# One\n\nText.\n");
my $race = $galley->reachable(Galley::build('test') . '/tests/fault/race');

my $began = time;
my $done = run_program([$race, $galley->home, $workspace, $id, $key, $requests],
	as => [$galley->owner_ids], seconds => 60 + $requests / 100);
is $done->{exit}, 0, "$requests requests" or diag substr $done->{err}, 0, 2000;
my %count = $done->{out} =~ /(\w+) (\d+)/g;
my $kept = $count{asked} - $count{computed};
note sprintf '%.0f s: %d answers, %d of them kept, %d not modified, %d under one'
	. ' generation; %d commits, %d writers killed', time - $began, $count{asked},
	$kept, @count{qw(unchanged stood commits killed)};
cmp_ok $count{asked}, '>=', $requests, 'all were answered';
cmp_ok $kept, '>', $requests / 10, "kept answers were used ($kept)";
cmp_ok $count{computed}, '>', $requests / 100, "and others ($count{computed})";
cmp_ok $count{unchanged}, '>', $requests / 100, "and 304s ($count{unchanged})";
cmp_ok $count{commits}, '>', $requests / 1000, "$count{commits} commits";
cmp_ok $count{killed}, '>', 0, "writers were killed ($count{killed})";
is $galley->command('verify')->{exit}, 0, 'verify finds nothing';
is_deeply [grep { /kept answers:/ } split /\n/,
	Galley::slurp($galley->home . '/log/requests.log')], [],
	'and the log holds no complaint';

done_testing;
