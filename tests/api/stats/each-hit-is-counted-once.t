#!/usr/bin/perl
# Counting the hits of readers (docs/pages.md §9): what is counted of a line, the caps of a day,
# lines and files that are none, and a runner that is killed behind each step.
use strict;
use warnings;
use utf8;

use Fcntl qw(:flock);
use Test::More;

use lib 'tests/lib';
use FaultPoints qw(met_points);
use Galley;
use Galley::Hits qw(line_of);

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output todo_output);

my $galley = Galley->new(build => 'test');
my $hits = Galley::Hits->new($galley);
my $shop = $galley->workspace(name => 'Shop');
my $other = $galley->workspace(name => 'Elsewhere');
my ($article) = $galley->import_text($shop, "# One\n\nText.\n");
my ($foreign) = $galley->import_text($other, "# Two\n\nText.\n");
my $now = time;
my $today = int($now / 86400);

# ---- what is counted

$hits->write(
	{ workspace => $shop, article => $article, path => '/blog/one', referrer => 'News.example',
		campaign => 'mail / letter / may', width => 'm', language => 'de', visitor => 'AAAAAAAA' },
	{ workspace => $shop, article => substr($article, 0, 8), path => '/blog/one',
		referrer => 'news.example', visitor => 'AAAAAAAA', at => $now - 1 },
	{ workspace => $shop, article => $foreign, path => '/blog/two', visitor => 'BBBBBBBB' },
	{ workspace => $shop, article => 'ffffffff-ffff-4fff-8fff-ffffffffffff', width => 'zz',
		path => '/u/ann@example.com/7d793037a0760186574b0282f2f435e7', language => 'x' },
	{ workspace => $shop, path => '/bots', bot => 'crawler' },
	{ workspace => $other, path => '/else' },
	{ workspace => '11111111-1111-4111-8111-111111111111', path => '/nobody' },
	{ workspace => $shop, kind => 2 }, { workspace => $shop, kind => 2 },
	{ workspace => $shop, kind => 3 });
$hits->count;
is($hits->sum('views', $shop), 4, 'each view counts');
is($hits->sum('visitors', $shop), 3, 'visitors count once');
is_deeply($hits->labels('path', $shop), { '/blog/one' => 2, '/blog/two' => 1, '/u/:x/:x' => 1 },
	'paths count, without what looks like an address or a token');
is($hits->sum('article', $shop), 2, 'an article counts where the workspace has it');
is_deeply($hits->labels('referrer', $shop), { 'news.example' => 2 }, 'referrers count');
is($hits->sum('referrer of an article', $shop), 2, 'and those of an article');
is_deeply($hits->labels('campaign', $shop), { 'mail / letter / may' => 1 }, 'campaigns count');
is_deeply($hits->labels('language', $shop), { de => 1 }, 'a language that is none does not');
is_deeply($hits->labels('width', $shop), { m => 1 }, 'nor does a width');
is_deeply($hits->labels('bot', $shop), { crawler => 1 }, 'bots are apart');
is($hits->health('accepted', $shop), 5, 'all that was taken is known');
is($hits->health('refused_origin', $shop), 2, 'and what was refused');
is($hits->health('without_consent', $shop), 1, 'for both reasons');
is($hits->sum('views', $other), 1, 'another workspace has its own');
is($hits->sql('SELECT count(*) AS n FROM viewed')->[0]{n}, 2, 'and one that is not there has none');
is($hits->sql("SELECT max(last_hit_at) AS n FROM viewed WHERE workspace = '$shop'")->[0]{n},
	$now * 1_000_000, 'the last hit is known');
is_deeply([$hits->files], [], 'no file is left');
is_deeply($hits->sql('SELECT name FROM segment'), [], 'nor its name');

$hits->write({ workspace => $shop, path => '/blog/one', visitor => 'AAAAAAAA',
	article => substr $foreign, 0, 8 });
$hits->count;
is($hits->sum('article', $shop), 2, 'the first digits of an article of another workspace are none');
is($hits->sum('visitors', $shop), 3, 'a visitor of the day counts once, in whatever file');
is($hits->sum('views', $shop), 5, 'and is a view');

# ---- lines that are none

my $good = line_of({ workspace => $other, path => '/good' });
$hits->append("\n$good\nnonsense\n\0\0\0\n" . substr($good, 0, 40) . "\n$good\n"
	. 'x' x 2_500_000 . "\n$good\n" . "\xff\xfe\n9\t1\n1\t\t\t\n$good\n" . substr($good, 0, -3));
$hits->count;
is($hits->labels('path', $other)->{'/good'}, 4, 'bytes that are no line spoil no other line');
is_deeply([$hits->files], [], 'and the file is counted');
my $mebibyte = "\n$good\n";
$mebibyte .= 'x' x (1024 * 1024 - length($mebibyte) - 1) . "\n";
$hits->append($mebibyte);
$hits->count;
is($hits->labels('path', $other)->{'/good'}, 5, 'a file that ends where a read ends');
is_deeply([$hits->files], [], 'is counted, too');

# ---- files that are none

my $folder = $galley->home . '/run/hits';
mkdir "$folder/" . 'd' x 32;
symlink '/etc/passwd', "$folder/" . 'e' x 32;
POSIX::mkfifo("$folder/" . 'f' x 32, 0600);
Galley::spew("$folder/notes.txt", 'not ours');
$hits->write({ workspace => $other, path => '/beside' });
$hits->count;
is($hits->labels('path', $other)->{'/beside'}, 1, 'files of others stop nothing');
ok(-e "$folder/notes.txt" && -l "$folder/" . 'e' x 32, 'and stay');
rmdir "$folder/" . 'd' x 32;
unlink "$folder/" . 'e' x 32, "$folder/" . 'f' x 32, "$folder/notes.txt";

# A writer that hangs.
$hits->write({ workspace => $other, path => '/hangs' });
open my $writer, '>>', "$folder/open" or die $!;
flock $writer, LOCK_EX;
rename "$folder/open", "$folder/" . 'a' x 32;
$hits->write({ workspace => $other, path => '/passes' });
$hits->count;
is($hits->labels('path', $other)->{'/passes'}, 1, 'a writer that hangs holds up no other file');
is($hits->labels('path', $other)->{'/hangs'}, undef, 'its own waits');
syswrite $writer, "\n" . line_of({ workspace => $other, path => '/hangs' }) . "\n";
close $writer;
$hits->count;
is($hits->labels('path', $other)->{'/hangs'}, 2, 'and is counted with what it wrote');

# ---- caps

my $flood = $galley->workspace(name => 'Flood');
my %caps = (path => 1000, referrer => 200, campaign => 100, language => 100, bot => 20);
$hits->write(map { { workspace => $flood, path => "/p/$_", referrer => "r$_.example",
	campaign => "c$_", language => chr(97 + $_ % 26) . chr(97 + $_ / 26 % 26), width => 'm',
	article => $foreign, visitor => sprintf '%08d', $_ } } 1 .. 700);
$hits->write(map { { workspace => $flood, bot => "bot-$_" } } 1 .. 30);
$hits->count;
$hits->write(map { { workspace => $flood, path => "/p/$_", referrer => "r$_.example" } } 1, 650 .. 1100);
$hits->count;
is($hits->sum('path', $flood), 1152, 'each view has a path');
for my $kind (sort keys %caps) {
	my $labels = $hits->labels($kind, $flood);
	is(scalar(grep { $_ ne '(other)' } keys %$labels), $caps{$kind}, "$kind: a day has so many");
	ok($labels->{'(other)'} > 0, '    and the rest is (other)');
}
is($hits->sum('language', $flood), 700, 'nothing is lost by a cap');
is($hits->sum('visitors', $flood), 701, 'visitors are told apart');

# A day has 200,000 visitors: each is a row, and a stranger can make up as many as there are hits.
sub seen { return $hits->sql('SELECT count(*) AS n FROM seen s JOIN viewed w ON w.id = s.viewed_id'
	. " WHERE w.workspace = '$flood'")->[0]{n} }
my $seen = seen();
$hits->sql('UPDATE view SET count = 199999 WHERE kind = 2 AND viewed_id ='
	. " (SELECT id FROM viewed WHERE workspace = '$flood')");
$hits->write(map { { workspace => $flood, visitor => sprintf 'late%04d', $_ } } 1 .. 50);
$hits->count;
$hits->write({ workspace => $flood, visitor => 'late0099' }, { workspace => $shop, visitor => 'late0099' });
$hits->count;
is($hits->sum('visitors', $flood), 200_000, 'but no more than a day may have');
is(seen(), $seen + 1, '    and nothing is stored of the others');
is($hits->sum('path', $flood), 1203, '    whose views count');
is($hits->sum('visitors', $shop), 4, '    as do the visitors of another workspace');

# ---- what was refused of no workspace

sub refused {
	my (@days) = @_;
	Galley::spew("$folder/refused", pack 'q<16', map({ @$_ } @days), (0) x (16 - 4 * @days));
	chown $galley->owner_ids, "$folder/refused" if $> == 0;
	$hits->count;
	return join ' ', map { "$_->{kind}:$_->{count}" } @{ $hits->sql('SELECT kind, sum(count)'
		. ' AS count FROM health WHERE viewed_id = 0 GROUP BY kind ORDER BY kind') };
}
is(refused([$today, 5, 3, 1], [$today - 1, 2, 0, 0]), '4:7 5:3 6:1', 'refusals of a day are taken over');
is(refused([$today, 6, 3, 1]), '4:8 5:3 6:1', 'as whole counts');
is(refused([$today, 1, 0, 0]), '4:8 5:3 6:1', 'and never get less');
unlink "$folder/refused";

# ---- kills

my $round = 0;
sub round { return map { { workspace => $shop, path => "/round/$round", visitor => "r$_" . '0' x 6 } } 0 .. 9 }
my (undef, $met) = met_points($galley, sub {
	$round++;
	$hits->write(round());
	return $hits->runner($_[0]);
});
my @points = sort grep { /^hits-/ } keys %$met;
is_deeply(\@points,
	[qw(hits-claimed hits-committed hits-counted hits-forgotten hits-removed)],
	'counting has these steps');
for my $point (@points) {
	$round++;
	$hits->write(round());
	$hits->runner({ GALLEY_FAULT => "$point:1:kill" });
	$hits->write(round());
	$hits->count;
	$hits->count;
	is($hits->labels('path', $shop)->{"/round/$round"}, 20, "killed at $point: each hit is counted once");
}
# A disk that is full, or fails, at some operation of the runner.
for my $fault (map { my $n = $_; map { "vfs-write:$n:$_" } qw(ENOSPC EIO) } 1, 4, 9) {
	$round++;
	$hits->write(round());
	$hits->runner({ GALLEY_FAULT => $fault });
	$hits->write(round());
	$hits->count for 1 .. 2;
	is($hits->labels('path', $shop)->{"/round/$round"}, 20, "$fault: each hit is counted once");
}
is_deeply([$hits->files], [], 'no file is left');
is_deeply($hits->sql('SELECT name FROM segment'), [], 'nor a name');

done_testing();
