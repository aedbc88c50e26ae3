#!/usr/bin/perl
# What becomes of counts of readers with time (docs/pages.md §9): visitors end with their day,
# referrers of articles after 30 days, days after stats_months, and all with their workspace.
use strict;
use warnings;

use Test::More;

use lib 'tests/lib';
use Galley;
use Galley::Hits;

use constant DAY => 86400;

my $galley = Galley->new(build => 'test');
my $hits = Galley::Hits->new($galley);
my $shop = $galley->workspace(name => 'Shop');
my $doomed = $galley->workspace(name => 'Doomed');
my ($article) = $galley->import_text($shop, "# One\n\nText.\n");
my $now = time;
my $today = int($now / DAY);

# The task runner of some days later.
sub later { my ($days, %env) = @_; return { GALLEY_CLOCK => int($days * DAY), %env } }
sub seen { return $hits->sql('SELECT count(*) AS n FROM seen')->[0]{n} }

$hits->write(map { { workspace => $shop, article => $article, path => '/a',
	referrer => 'news.example', at => $now - $_ * DAY } } 0, 29, 40, 800);
$hits->write({ workspace => $doomed, path => '/b' }, { workspace => $doomed, kind => 2 });
$hits->count;
is($hits->sum('views', $shop), 4, 'hits of old days count on their days');
is($hits->days('views', $shop)->{ $today - 40 }, 1, 'which their lines name');
is(seen(), 2, 'visitors of days that are over are not kept');

# ---- visitors

$hits->count(later(0.2));
is(seen(), 2, 'those of a day stay while it is that day somewhere');
my $over = ($today + 1.5) - $now / DAY;
$hits->count(later($over - 0.01));
is(seen(), 2, 'until the last clock has left it');
$hits->count(later($over + 0.01));
is(seen(), 0, 'and are then removed, without a further hit');

# ---- days

# Each workspace is looked at once in 24 hours: at the end of tomorrow, whatever time it is now.
$hits->count(later($today + 1.9985 - $now / DAY));
is($hits->sum('visitors', $shop), 3, 'the counts of days stay without their visitors');
is($hits->sum('views', $shop), 3, 'days before the last 25 months are removed');
is_deeply([sort keys %{ $hits->days('referrer of an article', $shop) }], [$today - 29, $today],
	'referrers of an article are kept 30 days');
is($hits->sum('referrer', $shop), 3, 'those of the workspace as long as its days');
$galley->conf(stats_months => 1);
$hits->runner(later(4, GALLEY_FAULT => 'stats-purged:1:kill'));
is($hits->sum('views', $shop), 3, 'a runner that is killed removes nothing');
$hits->count(later(4));
is($hits->sum('views', $shop), 1, 'stats_months says how long') or diag explain $hits->days('views', $shop);
is($hits->sql('SELECT count(*) AS n FROM viewed_article')->[0]{n}, 1, 'the article stays while it counts');
$hits->count(later(6));
is($hits->sum('article', $shop), 1, 'what is young enough stays');
$hits->count(later(40));
is($hits->sum('article', $shop), 0, 'the month is over');
is($hits->sql('SELECT count(*) AS n FROM viewed_article')->[0]{n}, 0, 'and nothing names the article');

# ---- workspaces

$hits->write({ workspace => $doomed, path => '/b', at => $now + 40 * DAY });
$hits->count(later(40));
is($hits->sum('views', $doomed), 1, 'a workspace has counts');
$galley->must(qw(workspace delete), $doomed, '--confirm', 'Doomed');
$hits->count(later(42));
is($hits->sql("SELECT count(*) AS n FROM viewed WHERE workspace = '$doomed'")->[0]{n}, 0,
	'which end with it');
is($hits->sql('SELECT count(*) AS n FROM health')->[0]{n}, 0, 'the health of its collector, too');

# ---- clocks that were wrong

$hits->write({ workspace => $shop, path => '/future', at => $now + 400 * DAY },
	{ workspace => $shop, path => '/day', day => 3 });
$hits->count;
is_deeply($hits->days('views', $shop), { $today => 2 }, 'times that cannot be are of today');

done_testing();
