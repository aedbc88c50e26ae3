#!/usr/bin/perl
# Pictures beside a document: stored with the type and size that is in the file,
# whatever its name says; one that was cut off or lies is no picture, and said
# so; one without alternative text fails a check.
use strict;
use warnings;
use utf8;

use lib 'tests/lib';

use Galley;
use Test::More;

my $galley = Galley->new(conf => {
	public_url => 'https://cms.example.net' });
my $workspace = $galley->workspace(website => 'https://www.example.com',
	address_pattern => '/blog/{slug}');
my $key = $galley->key($workspace, qw(articles:read drafts:read));
my $folder = $galley->scratch;

# The type and size of each file of tests/fixtures/pictures.
my %pictures = (
	png => ['image/png', 24, 16],
	jpg => ['image/jpeg', 40, 30],
	webp => ['image/webp', 32, 18],
	gif => ['image/gif', 12, 10],
);

# Imports a document with a cover and an inline image: {row, article}.
sub imported {
	my ($name, %more) = @_;
	my $alt = $more{alt} // 'Two bands of colour';
	Galley::spew("$folder/article.md", "---\ntitle: Two bands\nimage: $name\n"
		. "imageAlt: $alt\n---\n\n## One\n\nText.\n\n![$alt]($name)\n");
	my ($row) = @{ $galley->must(qw(article import --workspace), $workspace,
		"$folder/article.md") };
	return { row => $row, article => $galley->get(
		"/articles/$row->{id}?drafts=true", key => $key)->{json}{data}[0] };
}

sub stored {
	return scalar @{ $galley->sql('SELECT digest FROM media') };
}

for my $kind (sort keys %pictures) {
	my ($type, $width, $height) = @{ $pictures{$kind} };
	my $bytes = Galley::slurp("tests/fixtures/pictures/bands.$kind");
	# The name is that of another kind.
	my $name = $kind eq 'png' ? 'bands.jpg' : 'bands.png';
	Galley::spew("$folder/$name", $bytes);
	my $done = imported($name);
	my $article = $done->{article};
	my ($image) = @{ $article->{seo}{openGraph}{images} };
	like $article->{image_url},
		qr{^https://cms\.example\.net/media/[0-9a-f]{64}\.$kind$},
		"$kind: stored under its digest, named by what it is";
	is "$article->{image_width}x$article->{image_height}",
		"${width}x$height", "$kind: the size of the cover";
	is "$image->{type} $image->{width}x$image->{height}",
		"$type ${width}x$height", "$kind: its type";
	my $img = qq{<img src="$article->{image_url}" alt="Two bands of colour" }
		. qq{width="$width" height="$height" decoding="async"};
	like $article->{html}, qr/\Q$img>/, "$kind: the cover in html";
	like $article->{html}, qr/\Q$img loading="lazy">/,
		"$kind: the inline image";
	my ($file) = $article->{image_url} =~ m{/media/(.*)};
	is Galley::slurp($galley->programs . "/htdocs/media/$file"), $bytes,
		"$kind: its bytes";

	my $before = stored();
	my $half = int length($bytes) / 2;
	my $head = $kind eq 'jpg' ? 'GIF89a' : "\xff\xd8\xff\xe0";
	my %bad = (
		'cut in the middle' => substr($bytes, 0, $half),
		'without its last byte' => substr($bytes, 0, -1),
		'nothing but a head' => substr($bytes, 0, 12),
		'with the head of another kind' =>
			$head . substr($bytes, length $head),
	);
	for my $what (sort keys %bad) {
		Galley::spew("$folder/bad.$kind", $bad{$what});
		my $done = imported("bad.$kind");
		like "@{ $done->{row}{notes} }", qr/bad\.$kind/,
			"$kind $what: said so";
		unlike $done->{article}{html}, qr/cms\.example\.net/,
			"$kind $what: not shown as stored";
		is stored(), $before, "$kind $what: not stored";
	}
}

# What is none of the four.
for (['text.png', 'not a picture'], ['empty.png', ''],
	['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
	['page.gif', '<html><script>alert(1)</script>']) {
	my ($name, $bytes) = @$_;
	my $before = stored();
	Galley::spew("$folder/$name", $bytes);
	my $done = imported($name);
	like "@{ $done->{row}{notes} }", qr/\Q$name\E/, "$name: said so";
	is stored(), $before, "$name: not stored";
}

# Alternative text.
sub passes {
	my ($article, $label) = @_;
	my ($check) = grep { $_->{label} eq $label }
		@{ $article->{publishing_checks} };
	return $check->{passed} ? 1 : 0;
}

my $label = 'Cover image has alternative text';
Galley::spew("$folder/bands.png",
	Galley::slurp('tests/fixtures/pictures/bands.png'));
is passes(imported('bands.png')->{article}, $label), 1, 'a text passes';
is passes(imported('bands.png', alt => '""')->{article}, $label), 0,
	'none does not';
is passes(imported('bands.png', alt => 'Two bands')->{article}, $label), 0,
	'nor does the title';
is $galley->command('verify')->{exit}, 0, 'the store is sound after all';

done_testing;
