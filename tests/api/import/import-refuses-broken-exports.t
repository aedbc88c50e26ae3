#!/usr/bin/perl
# Proves that a malformed export is refused with its line or member, and that nothing of it, or
# of the files beside it, is written.
# suite: valgrind
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Wxr;
use Test::More;

# The test build is used, because it overwrites released memory.
my $galley = Galley->new(build => 'test');
my $workspace = $galley->workspace;

sub refused {
	my ($program, $text, $reason, $name) = @_;
	my $path = $galley->scratch . '/export';
	Galley::spew($path, $text);
	refused_file($program, $path, $reason, $name);
}

sub refused_file {
	my ($program, $path, $reason, $name) = @_;
	my $good = $galley->scratch . '/good';
	Galley::spew($good, $program eq 'wordpress' ? wxr([{ id => 1 }])
		: '{"data":{"posts":[{"id":"g","title":"Good"}]}}');
	my $done = $galley->command(qw(article import --from), $program,
		'--workspace', $workspace, $good, $path);
	is "$done->{exit} $done->{signal}", '1 0', "$name is refused";
	like $done->{err}, $reason, "$name: what is wrong, and where";
	is_deeply $galley->sql('SELECT id FROM article'), [],
		"$name: nothing is written";
}

my $whole = wxr([{ id => 1, content => "<p>One</p>\n<p>Two</p>" }]);
my ($before) = $whole =~ m{\A(.*?)</wp:status>}s;
my $line = 1 + ($before =~ tr/\n//);
refused('wordpress', substr($whole, 0, length($whole) / 2),
	qr/export: line \d+: this is no XML/, 'a file that was cut off');
refused('wordpress', $whole =~ s{</wp:status>}{</wp:state>}r,
	qr/export: line $line: this is no XML: mismatched tag/, 'a wrong tag');
refused('wordpress', $whole =~ s/One/\x01/r,
	qr/export: line \d+: this is no XML/, 'a control character');
refused('wordpress', $whole =~ s/One/\xff/r,
	qr/export: line \d+: this is no XML/, 'bytes that are no UTF-8');
refused('wordpress', '', qr/export: line 1: /, 'an empty file');
refused('wordpress', "<html>\n<body></body></html>",
	qr/line 1: it begins with <html>/, 'a web page');
refused('wordpress', "<rss><channel><item><title>x</title></item></channel></rss>",
	qr/line 1: .*no WordPress export/, 'another feed');
my $bomb = '<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa">'
	. join('', map { my ($x, $y) = ($_, chr(1 + ord $_));
		"<!ENTITY $y \"" . "&$x;" x 10 . '">' } 'a' .. 'h') . ']>';
refused('wordpress', $whole =~ s/<rss/$bomb\n<rss/r,
	qr/line 2: a document type is not taken/, 'entities in entities');
refused('wordpress', $whole =~ s/<rss/<!DOCTYPE rss SYSTEM "file:\/\/\/etc\/passwd"><rss/r,
	qr/line 2: a document type is not taken/, 'an outside document type');

refused('wordpress', '<rss><item/></rss>',
	qr/line 1: <item> stands where <channel> must/, 'an item beside its channel');
refused('wordpress', "<rss><channel>\n</channel></rss>",
	qr/line 2: there is no <wp:wxr_version>/, 'a feed without anything');
my $long = 'x' x (8 * 1024 * 1024 + 1);
refused('wordpress', $whole =~ s/One/$long/r,
	qr/line \d+: a text is longer than 8 MiB/, 'a text without end');

# ---- files that are no exports

my $scratch = $galley->scratch;
my $unreadable = "$scratch/unreadable";
Galley::spew($unreadable, $whole);
chmod 0, $unreadable;
mkdir "$scratch/folder";
for my $program (qw(wordpress ghost)) {
	refused_file($program, "$scratch/gone", qr/gone: No such file/,
		"$program: a file that is not there");
	refused_file($program, $unreadable, qr/unreadable: Permission denied/,
		"$program: a file that may not be read");
	refused_file($program, "$scratch/folder", qr/folder: (?:line 1: )?Is a directory/,
		"$program: a folder");
}
Galley::spew("$scratch/large", '');
truncate "$scratch/large", 128 * 1024 * 1024 + 1;
refused_file('ghost', "$scratch/large", qr/large is longer than 128 MiB/,
	'a file without end');

refused('ghost', '{"db":[{"data":{"posts":[', qr/line 1, column \d+/,
	'JSON that was cut off');
refused('ghost', '[]', qr/data must be an object/, 'an array');
refused('ghost', '{"db":[]}', qr/db\[0\]\.data must be an object/,
	'an empty database');
refused('ghost', '{"data":{"posts":{}}}', qr/data\.posts must be an array/,
	'posts that are not an array');
refused('ghost', '{"data":{"posts":[3]}}',
	qr/data\.posts\[0\] must be an object/, 'a post that is not an object');
refused('ghost', '{"data":{"posts":[{"id":"1","title":{}}]}}',
	qr/posts\[0\]\.title must be a text/, 'a title that is no text');
refused('ghost', '{"data":{"posts":[{"id":"1"},{"title":"x"}]}}',
	qr/posts\[1\] has no id/, 'a post without id');
refused('ghost', '{"data":{"posts":[{"id":"1","published_at":"soon"}]}}',
	qr/posts\[0\]\.published_at must be a date/, 'a date that is not a date');
refused('ghost', '{"data":{"posts":[{"id":"1","id":"2"}]}}',
	qr/line 1.*duplicate/i, 'a member twice');
refused('ghost', '{"data":{"posts":[{"id":"1","html":"__GHOST_URL__/a"}]}}',
	qr/--site/, 'addresses whose site is not known');

my $done = $galley->command(qw(article import --from ghost --workspace),
	$workspace, $galley->scratch . '/good');
is $done->{json}{articles}[0]{action}, 'created', 'the good file alone is taken';
$done = $galley->command(qw(article import --from blogger --workspace),
	$workspace, '/dev/null');
like $done->{err}, qr/wordpress or ghost, not blogger/, 'an unknown program';
done_testing;
