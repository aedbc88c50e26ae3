#!/usr/bin/perl
# `galley stats erase` (docs/pages.md §9): the counts of a workspace on some days or all, those that
# are not counted yet, and the bytes of the file.
use strict;
use warnings;

use POSIX qw(strftime);
use Test::More;

use lib 'tests/lib';
use Galley;
use Galley::Hits;
use Terminal qw(on_terminal);

use constant DAY => 86400;

my $galley = Galley->new(build => 'test');
my $hits = Galley::Hits->new($galley);
my $shop = $galley->workspace(name => 'Shop');
my $other = $galley->workspace(name => 'Elsewhere');
my ($article) = $galley->import_text($shop, "# One\n\nText.\n");
my $now = time;
my $today = int($now / DAY);

sub date { return strftime('%Y-%m-%d', gmtime $_[0] * DAY) }
sub hit { my ($workspace, $days, $secret) = @_; return { workspace => $workspace, path => "/$secret",
	referrer => "$secret.example", campaign => $secret, article => $article, visitor => 'VISITOR1',
	at => $now - $days * DAY, day => $today - $days } }
# What of the files of the counts holds a text.
sub holding { my ($text) = @_; my $home = $galley->home;
	return map { s{.*/}{}r } grep { Galley::slurp($_) =~ /\Q$text\E/ } glob "$home/stats/*" }

$hits->write(map({ hit($shop, $_, "secret-$_") } 0 .. 5), hit($other, 0, 'stays'));
$hits->write({ workspace => $shop, kind => 2 });
$hits->count;
ok(holding('secret-3'), 'what is counted is in the file');

# ---- some days

my $done = $galley->command(qw(stats erase --workspace Shop --from), date($today - 4), '--to', date($today - 2));
is($done->{exit}, 2, 'where nobody can be asked it wants --yes');
like($done->{err}, qr/say --yes/, '    and says so');
is($hits->sum('views', $shop), 6, '    and erases nothing');
is($galley->command(qw(stats erase --yes --workspace Shop --from soon))->{exit}, 1, 'a day that is none is refused');
is($galley->command(qw(stats erase --yes --workspace Nobody))->{exit}, 1, 'a workspace that is none, too');
is($galley->command(qw(stats erase --yes --workspace Shop --from), date($today), '--to',
	date($today - 1))->{exit}, 1, 'and days from behind');
$hits->write(map { hit($shop, $_, "late-$_") } 0 .. 5); # they are not counted yet
$done = $galley->must(qw(stats erase --yes --workspace Shop --from), date($today - 4), '--to', date($today - 2));
is_deeply($done, { workspace => $shop, from => date($today - 4), to => date($today - 2), views => 3 },
	'days are erased');
is_deeply([sort keys %{ $hits->days('views', $shop) }], [$today - 5, $today - 1, $today], 'these and no others');
is_deeply([map { holding("secret-$_") } 2 .. 4], [], 'nothing of them is in the file or its log');
ok(holding("secret-$_"), "the day $_ before still is") for 0, 1, 5;
$hits->count;
is_deeply($hits->days('views', $shop), { map { ($today - $_) => 2 } 0, 1, 5 },
	'what was not counted yet is erased, too');
is_deeply([map { holding("late-$_") } 2 .. 4], [], 'and never was in the file');
$hits->write(hit($shop, 3, 'again'), { %{ hit($shop, 3, 'again') }, at => $now + 60, day => $today });
$hits->count;
is_deeply([sort grep { /again/ } keys %{ $hits->labels('path', $shop) }], ['/again'],
	'hits that come later count');

# ---- all of it

sub kill_at { return $galley->command({ env => { GALLEY_FAULT => 'stats-erased:1:kill' } },
	qw(stats erase --yes --workspace Shop)) }
is(kill_at()->{signal}, 9, 'an erasure that is killed before its end');
is($hits->sum('views', $shop), 7, '    erases nothing');
$done = $galley->must(qw(stats erase --yes --workspace Shop));
is($done->{views}, 7, 'all days are erased');
is($hits->sql("SELECT count(*) AS n FROM viewed WHERE workspace = '$shop'")->[0]{n}, 0, 'nothing is left');
is($hits->sql('SELECT count(*) AS n FROM seen s WHERE NOT EXISTS (SELECT 1 FROM viewed v'
	. ' WHERE v.id = s.viewed_id)')->[0]{n}, 0, 'no visitor, either');
is_deeply([holding('secret'), holding('late')], [], 'no byte of it is in the file');
is($hits->sum('views', $other), 1, 'another workspace keeps its own');
is($hits->sql('SELECT count(*) AS n FROM erased')->[0]{n}, 1, 'one mark is left');
$hits->count({ GALLEY_CLOCK => 800 * DAY });
is($hits->sql('SELECT count(*) AS n FROM erased')->[0]{n}, 0, 'until nothing so old is counted');
like(Galley::slurp($galley->home . '/log/operator.log'), qr/stats erase/, 'the operator\'s log tells of it');

# ---- a person at a terminal

$hits->write(hit($shop, 0, 'asked'));
$hits->count;
my @erase = ($galley->programs . '/bin/galley', qw(stats erase --workspace Shop));
$done = on_terminal({ type => "n\n", after => qr/Go on/ }, @erase);
is($done->{exit}, 1, 'a person is asked');
like($done->{screen}, qr/readers of Shop \($shop\) on all days will be erased/, '    about what is meant');
is($hits->sum('views', $shop), 1, '    and may say no');
$done = on_terminal({ type => "y\n", after => qr/Go on/ }, @erase);
is($done->{out}, "Erased: 1 view of Shop, and all else that was counted on all days.\n", 'or yes');
is($hits->sum('views', $shop), 0, '    and it is done');

done_testing();
