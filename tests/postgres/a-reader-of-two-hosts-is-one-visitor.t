#!/usr/bin/perl
# Proves, for the build STORE=pg, that a reader whose hits are taken by two hosts on one day is one
# visitor (docs/postgres.md §6): the key of the day is the same on all hosts, and is written before it
# is needed. The hits themselves stay files of their host, and its task runner counts them, each once.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Hits;
use Galley::JSON ();
use POSIX qw(strftime);
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my $json = Galley::JSON->new->utf8->canonical;
my $noon = int(time / 86400) * 86400 + 12 * 3600;
my $one = Galley->new(build => 'test', conf => { public_url => 'https://galley.example' });
my $two = $one->another_host(build => 'test');
my %hits = (one => Galley::Hits->new($one), two => Galley::Hits->new($two));
my $workspace = $one->workspace(analytics_enabled => 'true',
	analytics_origins => 'https://www.site.example', time_zone => 'UTC');
my $site = $one->sql('SELECT analytics_site_id AS id FROM workspace')->[0]{id};

# Sends a hit of the one reader; returns the status.
sub hit {
	my ($host, $path, $hours) = @_;
	return $host->request(POST => '/collect', program => 'collect',
		body => $json->encode({ site_id => $site, path => $path, consent => JSON::PP::true() }),
		headers => { Origin => 'https://www.site.example', 'User-Agent' => 'Firefox', 'Accept-Language' => 'en' },
		env => { REMOTE_ADDR => '203.0.113.7', GALLEY_CLOCK => '@' . ($noon + 3600 * ($hours // 0)) * 1_000_000 })->{status};
}

sub runner {
	my ($name, $hours) = @_;
	my $done = $hits{$name}->runner({ GALLEY_CLOCK => '@' . ($noon + 3600 * ($hours // 0)) * 1_000_000 });
	is $done->{exit}, 0, "the task runner of host $name runs" or diag $done->{err};
}

sub keys_of { return { map { (m{([^/]+)\z})[0] => unpack 'H*', Galley::slurp($_) } glob $_[0]->home . '/run/days/*' } }
sub day { return strftime '%Y-%m-%d', gmtime $noon + 86400 * $_[0] }
sub counted { return join ' ', map { $hits{one}->sum($_, $workspace) } qw(views visitors) }

is hit($two, '/early'), 503, 'a host whose task runner has not run yet takes no hits';
runner($_) for qw(one two);
my $keys = keys_of($one);
is_deeply [sort keys %$keys], [map { day($_) } 0 .. 2], 'a host has the keys of these days, and of the next';
is_deeply keys_of($two), $keys, 'which are those of the other host';
is hit($_, '/'), 204, 'a hit is taken' for $one, $two, $two;
is counted(), '0 0', 'hits are files of their host';
ok -s $_->home . '/run/hits/open', 'each has some' for $one, $two;
runner('two');
is counted(), '2 1', 'a task runner counts those of its host';
ok -s $one->home . '/run/hits/open', 'and leaves those of the other one alone';
runner('one');
is counted(), '3 1', 'three views, one visitor';
runner($_) for qw(one two);
is counted(), '3 1', 'each is counted once';

# A host whose task runner rests has no key one day: its collector draws one, and no hit is lost.
my $rested = 24 * 5;
is hit($two, '/', $rested), 204, 'a host without a key takes a hit';
my $drawn = keys_of($two)->{ day(5) };
runner('one', $rested);
isnt keys_of($one)->{ day(5) }, $drawn, 'the other one has drawn the key of all';
runner('two', $rested);
is_deeply keys_of($two), keys_of($one), 'which both have from then on';
is_deeply [sort keys %{ keys_of($two) }], [map { day($_) } 5 .. 7], 'and none of days that are over';
is_deeply [map { $_->{day} } @{ $one->sql('SELECT day FROM day_key ORDER BY day', 'stats') }],
	[map { int($noon / 86400) + $_ } 5 .. 7], 'the database has no other ones either';
is $one->sql("SELECT relpersistence AS p FROM pg_class WHERE relname = 'day_key'", 'stats')->[0]{p}, 'u',
	'and keeps no log of them';
hit($_, '/', $rested) for $one, $two;
runner($_, $rested) for qw(one two);
is counted(), '6 3', 'a reader of that day is two visitors at most';

# A crash of the server empties a table without a log: the files of the hosts fill it again.
my $kept = keys_of($two);
$one->sql('DELETE FROM day_key', 'stats');
runner($_, $rested) for qw(two one);
is_deeply [keys_of($one), keys_of($two)], [$kept, $kept], 'keys outlive a crash of the server';
done_testing;
