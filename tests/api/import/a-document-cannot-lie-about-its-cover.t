#!/usr/bin/perl
# Proves that type and size of a cover are those of the stored picture, whatever the front
# matter's `galley` says about it. About a picture on another server only possible values are
# believed.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Picture qw(png);
use Galley::JSON ();
use Test::More;

my $galley = Galley->new;
$galley->conf(public_url => 'https://cms.example.net');
my $workspace = $galley->workspace;
my $key = $galley->key($workspace);
my $json = Galley::JSON->new->canonical->ascii;
my $path = $galley->scratch . '/post.md';
Galley::spew($galley->scratch . '/real.png', png(640, 360));

# Imports a document whose front matter makes these claims about its cover.
sub said {
	my ($cover, $galley_says, $more) = @_;
	Galley::spew($path, join "\n", '---', 'title: The cover of it', "image: \"$cover\"",
		$more // (), 'galley: ' . $json->encode($galley_says), '---', '', 'Text.', '');
	my $done = $galley->command(qw(article import --publish --workspace), $workspace, $path);
	return ($done, $done->{json}[0]{id}
		&& $galley->get("/articles/$done->{json}[0]{id}", key => $key)->{json}{data}[0]);
}

Galley::spew($path, "---\ntitle: The cover of it\nimage: real.png\n---\n\nText.\n");
my ($first) = @{ $galley->must(qw(article import --publish --workspace), $workspace, $path) };
my ($media) = $galley->must(qw(article show), $first->{id}, qw(--as markdown))->{markdown}
	=~ /^image: "?(media:\w+\.png)/m;
my $huge = 9_000_000_000_000_000_000;

for my $lie ({ type => 'image/png', width => $huge, height => $huge },
	{ type => 'image/jpeg', width => 1, height => 1 }, { type => '</script>', width => -5, height => -5 },
	{ type => "image/png\n", width => 100, height => 0 }, { width => 'x' }) {
	for my $id ('', "id: $first->{id}") {
		my ($done, $article) = said($media, { image => { url => $media, %$lie } }, $id);
		is "$article->{image_width}x$article->{image_height}", '640x360',
			'the size is that of the picture: ' . $json->encode($lie) . " $id" or diag explain($done->{json}, $article->{image_url});
		unlike $article->{head_html} . $article->{json_ld}, qr/$huge|image\/jpeg|<\/script>.*<\/script>.*<\/script>/s,
			'  and nothing of the lie is in the page';
	}
}

# A picture whose file is lost still has a row.
my ($name) = $media =~ /media:(.*)/;
my $file = $galley->programs . "/htdocs/media/$name";
rename $file, "$file.away" or die "rename: $!";
my ($done, $article) = said($media, { image => { url => $media, type => 'image/gif', width => 7, height => 7 } });
is "$article->{image_width}x$article->{image_height}", '640x360', 'its row says it where the file is lost';
rename "$file.away", $file;

# A picture on another server.
my $web = 'https://www.example.com/cover.png';
for my $lie ({ width => $huge, height => $huge }, { width => -1, height => -1 }, { width => 5, height => 0 },
	{ type => 'text/html', width => 5, height => 5 }, { type => 'image/png" onload="x' }) {
	($done, $article) = said($web, { image => { url => $web, %$lie } });
	is $article->{image_width}, undef, 'about a picture on another server this is not believed: ' . $json->encode($lie);
	ok scalar(grep { /a type or a size of the cover that no picture has/ } @{ $done->{json}[0]{notes} }),
		'  and a note says so' or diag explain $done->{json};
}
($done, $article) = said($web, { image => { url => $web, type => 'image/webp', width => 1200, height => 630 } });
is "$article->{image_width}x$article->{image_height}", '1200x630', 'possible values are believed';

# Other members of `galley` have their limits.
for (['metaTitle', "two\nlines", qr/meta_title must be one line/], ['metaTitle', 'x' x 301, qr/meta_title has 301/],
	['metaTitle', "a\x{202E}b", qr/meta_title must be one line|control/], ['imageAlt', "two\nlines", qr/imageAlt/],
	['labels', { faqs => "two\nlines" }, qr/labels/], ['sections', [{ id => 'a b', heading => '' }], qr/id/]) {
	my ($member, $value, $why) = @$_;
	($done) = said($media, { $member => $value });
	is $done->{exit}, 1, "galley.$member is checked";
	like $done->{err}, $why, '  and told' or diag explain($done->{json}, $article->{image_url});
}
done_testing;
