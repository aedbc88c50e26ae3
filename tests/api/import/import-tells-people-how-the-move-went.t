#!/usr/bin/perl
# Proves that a move from another program ends with what people need to know: the number of
# articles, which of them are not public, what was skipped and lost and how often, and which
# pictures came and which did not. The report has a line for each. A move that cannot succeed is
# refused before anything is written.
use strict;
use warnings;

use lib 'tests/lib';

use FailingCall qw(failing);
use File::Copy ();
use Galley;
use Galley::Process qw(run_program);
use Galley::Wxr;
use Test::More;

my $galley = Galley->new;
my $workspace = $galley->workspace(website => 'https://garden.example',
	address_pattern => '/{slug}');
my $tool = $galley->home . '/bin/galley';
my $pictures = $galley->scratch . '/uploads';
mkdir $pictures;
File::Copy::copy('tests/fixtures/pictures/bands.png', "$pictures/bands.png") or die $!;
my $out = $galley->scratch . '/out';
mkdir $out;
chown $galley->owner_ids, $out if $> == 0;
my $file = $galley->scratch . '/garden.xml';
Galley::spew($file, wxr([
	{ id => 1, content => '<p>One.</p>'
		. '<img src="https://garden.example/uploads/bands.png" alt="Bands">'
		. '<img src="https://garden.example/uploads/gone.png" alt="Gone">'
		. '<img src="https://cdn.example/far.png" alt="Far">' },
	{ id => 2, content => '<p>Two.</p>[gallery ids="1"]<form>x</form>',
		name => 'post-2', status => 'private' },
	{ id => 3, type => 'nav_menu_item' },
	{ id => 4, content => '<p>Four.</p>', title => '' },
	{ id => 5, content => '<p>Five.</p>', name => 'post-1' },
]));

sub move {
	my ($option, @words) = @_;
	my $done = failing({ calls => [], %$option }, $tool, qw(article import --from
		wordpress --workspace), $workspace, @words);
	return ($done->{out}, $done->{err}, $done->{exit});
}

sub articles { return $galley->sql('SELECT count(*) AS n FROM article')->[0]{n} }

# ---- moves that cannot succeed
for my $case (
	[qr/--site must be an address such as/, '--site', 'nonsense'],
	[qr/--site must be an address such as/, '--site', 'https://garden.example/?p=1'],
	[qr/--media must be fetch, keep or a folder; nonsense is none/, '--media', 'nonsense'],
	[qr{none/report\.csv: No such file}, '--report', "$out/none/report.csv"],
) {
	my ($sentence, @words) = @$case;
	my (undef, $err, $exit) = move({}, @words, $file);
	isnt $exit, 0, "$words[0] " . $words[1] =~ s{.*/}{}r . ' is refused';
	like $err, $sentence, '  with the reason';
}
is articles(), 0, 'and nothing was written';

# ---- a dry run, the run, and the same run again
my ($dry, undef, $status) = move({}, '--dry-run', '--publish', '--media', $pictures, $file);
is $status, 0, 'a dry run';
like $dry, qr/^Nothing was written\. It would be: 4 created, 0 updated, 0 unchanged, 0 failed\.$/m,
	'says what would be done';
like $dry, qr/^Pictures to store: 1$/m, 'and which pictures';
is articles(), 0, 'and writes nothing';
my ($text, $err) = move({}, '--publish', '--media', $pictures, '--site',
	'https://garden.example///', '--report', "$out/report.csv", $file);
like $text, qr/^4 created, 0 updated, 0 unchanged, 0 failed\.$/m, 'how many articles';
like $text, qr/^Not for everyone there, and drafts here:\n  Post 2  \(status private\)$/m,
	'which of them are not public';
like $text, qr/^Skipped:\n       1  of type nav_menu_item$/m, 'what was no article';
like $text, qr/^What was lost, changed or not done:\n(?: +\d+  .+\n)+/m, 'what was lost, counted';
like $text, qr/^Pictures stored: 1$/m, 'how many pictures came';
like $text, qr/^Pictures that could not be had:\n(?:  \S+\n)*  \S+gone\.png$/m, 'which did not';
like $text, qr/^Pictures that still live elsewhere, by host:\n +\d  cdn\.example$/m,
	'and where the others are';
my $report = Galley::slurp("$out/report.csv");
like $report, qr/^file,source,title,id,slug,status,action,note\r\n/, 'the report has its head';
like $report, qr{,"wordpress:https://garden\.example#$_",}, "and a line for post $_"
	for 1, 2, 4, 5;
like $report, qr/,"skipped","of type nav_menu_item"\r\n/, 'and for what was skipped';
($text) = move({}, '--publish', '--media', $pictures, '--site', 'https://garden.example',
	$file);
like $text, qr/^0 created, 0 updated, 4 unchanged, 0 failed\.$/m,
	'the same again changes nothing';

# ---- a post that cannot be imported does not stop the others
my $bad = $galley->scratch . '/bad.xml';
Galley::spew($bad, wxr([{ id => 10, content => '<p>' . 'word ' x 250_000 . '</p>' },
	{ id => 11, content => '<p>Eleven.</p>' }]));
($text, $err, $status) = move({}, '--report', "$out/bad.csv", $bad);
is $status, 1, 'one post is too long';
like $text, qr/^1 created, 0 updated, 0 unchanged, 1 failed\.$/m, '  it is counted';
like $err, qr{bad\.xml: wordpress:https://garden\.example#10: \S}, '  and named';
like Galley::slurp("$out/bad.csv"), qr/#10",[^\n]*,"failed",/, '  in the report, too';

# ---- titles as people read them, and posts without one
my $odd = $galley->scratch . '/odd.xml';
my $long = 'The hive is set on the roof of the house by the river since spring. It hums.';
Galley::spew($odd, wxr([{ id => 20, content => '<p>Text.</p>', title => 'Q&amp;A: bees &amp; <em>wasps</em>',
		status => 'private' },
	{ id => 21, content => "<img src=\"https://cdn.example/far.png\" alt=\"Far\"><p>$long</p>",
		title => '', name => 'post-8' },
	{ id => 22, content => '<img src="https://cdn.example/far.png" alt="Far">', title => ' ',
		name => 'post-9' }]));
($text) = move({}, '--publish', '--report', "$out/odd.csv", $odd);
$report = Galley::slurp("$out/odd.csv");
like $report, qr/#20","Q&A: bees & wasps",/, 'the report has the title as it is read';
unlike $report, qr/&amp;|<em>/, '  and nothing of HTML';
like $text, qr/Q&A: bees & wasps/, 'what is not for everyone is named so, too';
my %row = map { $_->{slug} => $_ } @{ $galley->must(qw(article list)) };
is $row{'post-8'}{title}, "The hive is set on the roof of the house by the river since \x{2026}",
	'an untitled post has its first words for a title';
is $row{'post-8'}{status}, 'published', '  and is published';
is $row{'post-9'}{status}, 'draft', 'one without words stays a draft';
like $report, qr/,"draft","created","there is no title, and no text to make one of: it stays a draft/,
	'  which is told';
($text) = move({}, '--publish', $odd);
like $text, qr/^0 created, 0 updated, 3 unchanged, 0 failed\.$/m, 'again nothing changes';

# ---- a report on a full disk
SKIP: {
	skip 'only root sees which files a program names', 2 if $> != 0;
	($text, $err, $status) = move({ calls => ['write:error=ENOSPC'],
		path => "$out/full.csv" }, '--report', "$out/full.csv", $file);
	is $status, 1, 'a full disk is reported';
	like $err, qr/The report could not be written: No space left/, '  and why';
}

done_testing;
