#!/usr/bin/perl
# Proves that long work draws one line on a terminal, which is removed before other output and at
# the end, and that nothing of it is written to a pipe.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use Terminal qw(on_terminal);
use Test::More;

# The test build draws every step, even a fast one.
my $galley = Galley->new(build => 'test');
my $workspace = $galley->workspace(website => 'https://www.example.com', address_pattern => '/{slug}');
my $tool = $galley->home . '/bin/galley';
my $folder = $galley->scratch . '/texts';
mkdir $folder;
Galley::spew("$folder/$_.md", "# Title $_\n\nText.\n") for 1 .. 3;
Galley::spew("$folder/4.md", "---\ntitle: [\n---\nText.\n");

my $done = on_terminal({}, $tool, qw(article import), $folder);
like $done->{screen}, qr/\rImporting  \[#{5} {15}\]  25 %  1 of 4\e\[K/,
	'the first of four';
like $done->{screen}, qr/\e\[K\r\e\[Kgalley: \S+4\.md: /,
	'a complaint wipes the line first';
like $done->{screen}, qr/\r\e\[K\z/, 'nothing stays of it';
unlike $done->{out}, qr/\e/, 'standard output has none of it';
like $done->{out}, qr/^created /, 'but the result';

$done = on_terminal({ columns => 30 }, $tool, qw(article import), $folder);
my ($longest) = sort { $b <=> $a } map { length }
	$done->{screen} =~ /\r([^\r\e]*)\e\[K/g;
is $longest, 29, 'a narrow terminal is not overrun';

$done = on_terminal({ env => { TERM => 'dumb' } }, $tool,
	qw(article import), $folder);
unlike $done->{screen}, qr/Importing/, 'a dumb terminal sees nothing';

$done = on_terminal({}, $tool, 'verify');
like $done->{screen}, qr/\rChecking  \[#{20}\] 100 %  3 of 3\e\[K\r\e\[K\z/,
	'verify counts what takes long';

$galley->must(qw(article publish), map { $_->{id} } @{ $galley->must(qw(article list)) });
$done = on_terminal({}, $tool, 'verify-page', '--workspace', $workspace, '--allow-private',
	'--origin', 'http://127.0.0.1:1');
like $done->{screen}, qr/\rAsking  \[#{6,7} {13,14}\] +33 %  1 of 3\e\[K/, 'the first of three pages';

my $backup = $galley->home . '/db/b.tar';
$done = on_terminal({}, $tool, 'backup', $backup);
like $done->{screen}, qr{\rWriting  \d+\.\d MiB\e\[K\r\e\[K\z},
	'a backup tells what it has written';
$done = on_terminal({}, $tool, qw(restore --check), $backup);
like $done->{screen},
	qr{\rReading  \[#{19,20} ?\] +\d+ %  (\d+\.\d) of \1 MiB\e\[K\r\e\[K\z},
	'restore what it has read';
$done = on_terminal({}, $tool, 'dump', $galley->scratch . '/dump')
	if mkdir($galley->scratch . '/dump')
	&& ($> != 0 || chown $galley->owner_ids, $galley->scratch . '/dump');
like $done->{screen}, qr{\rWriting  \d+\e\[K\r\e\[K\z}, 'a dump its files';

$done = run_program([$tool, qw(article import), "$folder/1.md"]);
is $done->{err}, '', 'a pipe sees nothing';

done_testing;
