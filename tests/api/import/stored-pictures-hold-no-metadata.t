#!/usr/bin/perl
# Proves that a stored picture, which is published, holds no metadata: no place, no name of an
# owner, no comment, no thumbnail. Its pixels are unchanged.
use strict;
use warnings;

use lib 'tests/lib';

use Compress::Zlib qw(compress);
use File::Basename qw(basename);
use Galley;
use Galley::Picture qw(png png_chunk icc_profile jpeg_with webp_with gif_with);
use Galley::Process qw(run_program);
use Galley::JSON ();
use Test::More;

my $galley = Galley->new;
my $workspace = $galley->workspace;
my $folder = $galley->scratch . '/posts';
my $media = $galley->programs . '/htdocs/media';
my %fixture = map { m{bands\.(\w+)$} => Galley::slurp($_) } glob 'tests/fixtures/pictures/bands.*';
mkdir $folder or die "mkdir: $!";

sub exiftool {
	my $done = run_program(['exiftool', @_]);
	die "exiftool @_: $done->{err}" if $done->{exit};
	return $done->{out};
}

# Returns what exiftool finds in a file, without the facts that every picture has.
sub metadata {
	my ($path) = @_;
	my $found = Galley::JSON->new->utf8->decode(exiftool(qw(-j -a -G0:1), $path))->[0];
	return grep { !/^(SourceFile|ExifTool|File|Composite|ICC_Profile|JFIF|RIFF)/
		&& !/^PNG:(Image(Width|Height)|BitDepth|ColorType|Compression|Filter|Interlace)$/
		&& !/^GIF:(GIFVersion|Image(Width|Height)|HasColorMap|ColorResolutionDepth|BitsPerPixel|BackgroundColor|AnimationIterations)$/
	} sort keys %$found;
}

# Makes a new article whose cover is these bytes; returns the command's result, and the row of
# the picture.
my $number = 0;
sub cover {
	my ($name, $bytes) = @_;
	my $path = $galley->scratch . '/' . ++$number . "-$name";
	Galley::spew($path, $bytes);
	my ($id) = $galley->import_text($workspace, { publish => 0 },
		"# Cover $number\n\nText.\n");
	my $done = $galley->command(qw(article set), $id, "image=$path");
	my ($row) = @{ $galley->sql("SELECT media.* FROM article JOIN media"
		. " ON instr(image, media.digest) > 0 WHERE uuid = '$id'") };
	return ($done, $row, $row && Galley::slurp("$media/" . $row->{digest}
		. { 'image/png' => '.png', 'image/jpeg' => '.jpg', 'image/gif' => '.gif',
		'image/webp' => '.webp' }->{ $row->{type} }));
}

sub digest { return (split ' ', run_program(['b2sum', qw(-l 256), '-'],
	input => $_[0])->{out})[0] }

# ---- metadata of cameras and editors, written by a program that knows all kinds

for my $kind (sort keys %fixture) {
	my $path = "$folder/$kind.$kind";
	Galley::spew($path, $fixture{$kind});
	my @exif = $kind eq 'gif' ? () : qw(-GPSLatitude=52.5 -GPSLatitudeRef=N -GPSLongitude=13.4
		-GPSLongitudeRef=E -EXIF:OwnerName=Olga -EXIF:SerialNumber=SERIAL77);
	exiftool(qw(-q -overwrite_original), @exif, '-XMP:Creator=Olga', '-XMP:City=Berlin',
		$kind =~ /jpg|gif/ ? '-Comment=my secret' : (),
		$kind eq 'jpg' ? '-IPTC:By-line=Olga' : (),
		$kind eq 'png' ? ('-PNG:Author=Olga', '-PNG:CreationTime=2020:01:01 00:00:00') : (),
		$path);
	cmp_ok(scalar metadata($path), '>', 1, "$kind: there is metadata");
}
my @kinds = sort keys %fixture;
Galley::spew("$folder/post.md", join "\n\n", "---\ntitle: Pictures\nimage: jpg.jpg\n---",
	map { "![Picture]($_.$_)" } @kinds);
my $done = $galley->must(qw(article import --publish --workspace), $workspace, $folder);
is $done->[0]{action}, 'created', 'pictures with metadata are imported';
is_deeply [map { metadata($_) } glob "$media/*"], [], 'exiftool finds none of it in what is stored';
for my $kind (@kinds) {
	my ($row) = @{ $galley->sql("SELECT digest FROM media WHERE source_digest = '"
		. digest(Galley::slurp("$folder/$kind.$kind")) . "'") };
	is $row->{digest}, digest($fixture{$kind}),
		"$kind: what is left is the file without it, byte for byte, and known by its source";
}
is $galley->must(qw(article import --workspace), $workspace, $folder)->[0]{action},
	'unchanged', 'importing again is unchanged';

# A picture that is given again is the one that was stored first, whichever release cleaned it.
my $given = "$folder/png.png";
$galley->sql("UPDATE media SET source_digest = NULL");
$galley->sql("UPDATE media SET source_digest = '" . digest(Galley::slurp($given))
	. "' WHERE type = 'image/webp'");
my (undef, $row) = cover('again.png', Galley::slurp($given));
is $row->{type}, 'image/webp', 'the same source is the same stored picture';

# ---- each kind of picture

for my $kind (@kinds) {
	my ($set, $row, $stored) = cover("clean.$kind", $fixture{$kind});
	is $stored, $fixture{$kind}, "$kind: a clean one stays byte for byte";
	is $row->{source_digest}, undef, '  and is its own source' unless $kind eq 'webp';
}

my $jpg = $fixture{jpg};
my $turned = jpeg_with($jpg, [0xE1, "Exif\0\0II*\0\x08\0\0\0\x02\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0"
	. "\x0F\x01\x02\0\x0B\0\0\0\x26\0\0\0\0\0\0\0My camera!\0"]);
my ($set, $stored);
($set, $row, $stored) = cover('turned.jpg', $turned);
is "$row->{width}x$row->{height}", '30x40', 'a JPEG that a camera turned: the size as it is seen';
unlike $stored, qr/camera/, 'its maker is gone';
is length $stored, length($jpg) + 36, 'the orientation stays, and nothing else';
Galley::spew($galley->scratch . '/o.jpg', $stored);
is_deeply [metadata($galley->scratch . '/o.jpg')], [map { "EXIF:IFD0:$_" } 'Orientation'],
	'exiftool finds no more';
my $rest = jpeg_with($jpg, [0xE0, "JFXX\0\x13\1\1abc"], [0xE2, "MPF\0secret"],
	[0xE2, "urn:iso:std:iso:ts:21496:-1\0secret"], [0xED, "Photoshop 3.0\0secret"],
	[0xFE, 'secret']) . "\xFF\xD8second picture\xFF\xD9";
is +(cover('rest.jpg', $rest))[2], $jpg, 'previews, second pictures, gain maps and comments are gone';
my $large = icc_profile(70_000);
$stored = (cover('profile.jpg', jpeg_with(substr($jpg, 0, 2) . $jpg =~ s/^.*?(?=\xFF\xDB)//sr,
	[0xE2, "ICC_PROFILE\0\1\2" . substr $large, 0, 60_000],
	[0xE2, "ICC_PROFILE\0\2\2" . substr $large, 60_000])))[2];
unlike $stored, qr/ICC_PROFILE/, 'a profile of more than 64 KiB is gone';
my $fitting = icc_profile(65_519);
$stored = (cover('parts.jpg', jpeg_with($jpg, [0xE2, "ICC_PROFILE\0\1\2$fitting"],
	[0xE2, "ICC_PROFILE\0\2\2" . 'Olga' x 15_000])))[2];
unlike $stored, qr/Olga/, 'nor what comes as a further part behind a whole profile';

my $plain = png(5, 3);
my $whole = png(5, 3, before => [png_chunk('gAMA', pack 'N', 45455), png_chunk('sRGB', "\0"),
	png_chunk('iCCP', "p\0\0" . compress(icc_profile(200)))]);
is +(cover('kept.png', $whole))[2], $whole, 'PNG: the chunks that colours need stay';
is +(cover('secret.png', png(5, 3, before => [png_chunk('tEXt', "Author\0Olga"),
	png_chunk('zTXt', "Comment\0\0" . compress('Olga')), png_chunk('tIME', "\x07\xE4\1\1\0\0\0"),
	png_chunk('gAMA', 'Olga lives here'), png_chunk('puNK', 'Olga')],
	after => [png_chunk('iTXt', "XML:com.adobe.xmp\0\0\0\0\0Olga"), png_chunk('gAMA', 'Olga')])))[2],
	$plain, 'PNG: texts, dates and what nobody knows are gone, before and after the pixels';
is +(cover('behind.png', png(5, 3, data => compress(("\0" . "\x80" x 5) x 3) . 'Olga lives here')))[2],
	$plain, 'PNG: so is what follows the end of its pixels in their chunk';
is +(cover('large.png', png(5, 3, before => [png_chunk('iCCP', "p\0\0" . compress(icc_profile(70_000)))])))[2],
	$plain, 'PNG: a profile of more than 64 KiB is gone';
my $frame = pack 'NNNNNnnCC', 1, 2, 2, 0, 0, 1, 10, 0, 0;
my $moving = png(5, 3, before => [png_chunk('acTL', pack 'NN', 2, 0), png_chunk('fcTL', pack 'NNNNNnnCC', 0, 5, 3, 0, 0, 1, 10, 0, 0)],
	after => [png_chunk('fcTL', $frame), png_chunk('fdAT', pack('N', 2) . compress("\0\x80\x80" x 2))]);
is +(cover('moving.png', $moving))[2], $moving, 'PNG: an animation stays';

my $webp = $fixture{webp};
my $with = webp_with($webp, ['EXIF', "II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0\1\0\0\0\0\0\0\0"],
	['XMP ', '<x>Olga</x>'], ['Olga', 'lives here']);
substr $with, 20, 1, chr(ord(substr $with, 20, 1) | 0x0C);
is +(cover('with.webp', $with))[2], $webp, 'WebP: EXIF, XMP and unknown chunks are gone, and their flags';

my $gif = $fixture{gif};
is +(cover('with.gif', gif_with($gif, [0xFE, 'Olga'], [0xFF, 'ICCRGBG1012', 'Olga'], [0x01, 'x' x 12, 'Olga'],
	[0xFF, 'XMP DataXMP', '<x>Olga</x>'])))[2], $gif, 'GIF: comments, texts and foreign blocks are gone';
my $loop = gif_with($gif, [0xFF, 'NETSCAPE2.0', "\1\0\0"], [0xF9, "\4\1\0\0"]);
is +(cover('loop.gif', $loop))[2], $loop, 'GIF: how often and how long it is shown stays';

# ---- refused, in a sentence

my $count = () = glob "$media/*";
my $sideways = "II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0\6\0\0\0\0\0\0\0";
my @refused = (
	['turned.png', png(5, 3, before => [png_chunk('eXIf', $sideways)]), qr/not upright.*save it as a JPEG/],
	['turned.webp', webp_with($webp, ['EXIF', $sideways]), qr/not upright.*save it as a JPEG/],
	['turned2.webp', webp_with($webp, ['EXIF', "Exif\0\0$sideways"]), qr/not upright/],
	['short.png', png(5, 3, rows => 2), qr/rows of it are missing/],
	['lace.png', png(5, 3, interlace => 1), qr/rows of it are missing/],
	['long.png', png(5, 3, rows => 4), qr/more pixels than its size/],
	['cut.png', png(5, 3, data => substr(compress("\0" . "\x80" x 5 . "\0" . "\x80" x 5 . "\0" . "\x80" x 5), 0, -3)), qr/cut off/],
	['torn.png', png(5, 3, data => 'no zlib at all'), qr/pixels are damaged/],
	['bomb.png', png(5, 3, before => [png_chunk('iCCP', "p\0\0" . compress(icc_profile(5_000_000)))]),
		qr/unpacks to more than 1 MiB/],
	['frame.png', png(5, 3, before => [png_chunk('acTL', pack 'NN', 2, 0)], after => [png_chunk('fdAT', 'abcdef')]), qr/frame of it is wrong/],
	['frames.png', png(5, 3, before => [png_chunk('acTL', pack 'NN', 2, 0)], after => [png_chunk('fcTL', $frame)]), qr/rows of it are missing/],
	['many.png', png(8000, 8000, rows => 1), qr/at most 40 million/],
	['table.jpg', jpeg_with($jpg, [0xDB, 'Olga']), qr/table of it is wrong/],
);
for (@refused) {
	my ($name, $bytes, $why) = @$_;
	my ($set, $row) = cover($name, $bytes);
	is $set->{exit}, 1, "$name is refused";
	like $set->{err}, $why, '  and told why';
	is $row, undef, '  and not there';
}
is scalar(() = glob "$media/*"), $count, 'nothing of what was refused is stored';
done_testing;
