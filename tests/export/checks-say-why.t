#!/usr/bin/perl
# An article that passes all 24 publishing checks, and for each check a change
# that fails it: the API says so, `galley article show` says why and where.
# Checks 4, 5 and 18 cannot fail on what an import gives (rendering makes one h1
# and skips no level, a citation without source is text): tests/unit/export/checks.c
# fails them.
use strict;
use warnings;
use utf8;

use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use Test::More;

binmode $_, ':utf8' for Test::More->builder->output,
	Test::More->builder->failure_output;

my $galley = Galley->new(conf => {
	public_url => 'https://cms.example.net' });
my %settings = (
	website => 'https://www.example.com',
	address_pattern => '/blog/{slug}',
	author_name => 'Dana Reyes',
	author_url => 'https://www.example.com/about/dana',
	publisher_name => 'Example Green',
	publisher_logo_url => 'https://www.example.com/logo.png',
);
my $workspace = $galley->workspace(name => 'Complete', %settings);
my $folder = $galley->scratch;
Galley::spew("$folder/cover.png",
	Galley::slurp('tests/fixtures/languages/cover.png'));
my $good = Galley::slurp('db/demo/en/01-compost-in-a-small-flat.md');
utf8::decode($good);
$good =~ s/^image: .*/image: cover.png/m or die;
my $long = 'and then ' x 31 . 'it ends';

# What `article show` says of a text: {LABEL => REASON} of what fails. The same
# path is the same article.
sub failing {
	my ($text, $in) = @_;
	my $path = "$folder/article.md";
	Galley::spew($path, $text);
	my ($row) = @{ $galley->must(qw(article import --workspace), $in, $path) };
	my $done = run_program([$galley->programs . '/bin/galley',
		qw(article show), $row->{id}]);
	utf8::decode($done->{out});
	die "article show: $done->{err}" if $done->{exit} != 0;
	like $done->{out}, qr/\d+ of 24 pass/, 'all 24 are told';
	return { map { /^  - (.*?): (.*)/ ? ($1, $2)
		: /^  - (.*)/ ? ($1, '') : () } split /\n/, $done->{out} };
}

my $wrong = failing($good, $workspace);
is_deeply $wrong, {}, 'a good article passes all of them';

# Number, label, reason, and what is put in the place of what.
my @changes = (
	[1, 'Title is between 20 and 70 characters', qr/7/,
		qr/^title: .*/m => 'title: Compost'],
	[2, 'Meta description is between 70 and 160 characters', qr/9/,
		qr/^description: .*/m => 'description: Too short'],
	[3, 'Title and description differ', qr/./,
		qr/^description: .*/m =>
			'description: How to compost in a small flat, without smell'],
	[6, 'No duplicate headings', qr/What goes in/,
		qr/^## Use it well/m => '## What goes in'],
	[7, 'At least three sections', qr/1 section/,
		qr/^## (?:What goes|Set up|The weekly|Use it).*/m => ''],
	[8, 'Every section has text', qr/Use it well/,
		qr/^Fresh compost is strong\..*/m => 'Compost is strong.[^rhs]'],
	[9, 'Article has enough text', qr/600/,
		qr/^## Why.*(?=^\[\^epa\]:)/ms =>
			"## A[^epa]\n\nOne.\n\n## B[^cornell]\n\nTwo.\n\n## C\n\nThree.[^rhs]\n\n"],
	[10, 'Sentences are readable', qr/64|and then/,
		qr/^Leave out meat/m => "It is $long. Leave out meat"],
	[11, 'No repeated paragraphs', qr/The gain is larger/,
		qr/^(The gain is larger.*\n)/m => undef],
	[12, 'No placeholder text', qr/lorem ipsum/i,
		qr/^Leave out meat/m => 'Lorem ipsum dolor sit amet. Leave out meat'],
	[13, 'Text matches the article language', qr/German|English/,
		qr/^slug:/m => "lang: de\nslug:"],
	[14, 'Cover image is present', qr/./, qr/^image.*\n/m => ''],
	[15, 'Cover image has alternative text', qr/./, qr/^imageAlt.*\n/m => ''],
	[16, 'Cover image is at least 1200 pixels wide', qr/640/,
		qr/^image: .*/m => 'image: small.png'],
	[17, 'At least two references', qr/1|one/i,
		qr/^\[\^(?:cornell|rhs)\]:.*\n/m => ''],
	[19, 'Every listed reference is cited', qr/Soil/,
		qr/\z/ => "\n## References\n\n- [Soil](https://www.example.org/soil)\n"],
	[20, 'References use HTTPS and are unique', qr/Compost physics|cornell/,
		qr{https://compost\.css} => 'http://compost.css'],
	[21, 'Links are valid', qr/nowhere/,
		qr/^Leave out meat/m => '[Leave](https://nowhere/) out meat'],
);

# A PNG of 640 x 360 pixels of one colour.
Galley::spew("$folder/small.png", do {
	require Compress::Zlib;
	my $chunk = sub { my $part = join '', @_;
		pack('N', length($part) - 4) . $part
			. pack('N', Compress::Zlib::crc32($part)) };
	"\x89PNG\r\n\x1a\n" . $chunk->('IHDR', pack('NNC5', 640, 360, 1, 0, 0, 0, 0))
		. $chunk->('IDAT', Compress::Zlib::compress("\0" x (81 * 360)))
		. $chunk->('IEND');
});

for (@changes) {
	my ($number, $label, $reason, $from, $to) = @$_;
	my $text = $good;
	my $count = $text =~ s/$from/$to \/\/ "$1\n$1"/ge;
	die "$number changes nothing" if !$count;
	my $wrong = failing($text, $workspace);
	ok exists $wrong->{$label}, "check $number fails: $label"
		or diag(join "\n", %$wrong);
	like $wrong->{$label} // '', $reason, '… and says why';
}

# What the workspace lacks.
for (
	[22, 'Canonical address is configured', 'website'],
	[23, 'Publisher name and logo are configured', 'publisher_logo_url'],
	[24, 'Structured data is complete', 'author_url'],
) {
	my ($number, $label, $setting) = @$_;
	my $other = $galley->workspace(name => "Without $setting", %settings,
		$setting => '');
	my $wrong = failing($good, $other);
	ok exists $wrong->{$label}, "check $number fails: $label"
		or diag(join "\n", %$wrong);
	isnt $wrong->{$label} // '', '', '… and says why';
}

done_testing;
