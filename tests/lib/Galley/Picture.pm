package Galley::Picture;
# Builds pictures byte by byte: pictures that no editor would save.
use strict;
use warnings;
use Compress::Zlib qw(compress crc32);
use Exporter qw(import);
our @EXPORT_OK = qw(png_chunk png icc_profile jpeg_with webp_with gif_with);

# png_chunk(TYPE, DATA) returns a chunk with its length and checksum.
sub png_chunk {
	my ($type, $data) = @_;
	return pack('N', length $data) . $type . $data . pack 'N', crc32("$type$data");
}

# png(WIDTH, HEIGHT, OPTION...) returns a grey picture of 8 bits. Options: `before` and `after`
# (chunks before and after the pixels), `rows` (their number when it is not HEIGHT),
# `interlace`, `data` (the packed rows).
sub png {
	my ($width, $height, %how) = @_;
	my $rows = $how{data} // compress(("\0" . "\x80" x $width) x ($how{rows} // $height));
	return "\x89PNG\r\n\x1A\n"
		. png_chunk('IHDR', pack 'NNCCCCC', $width, $height, 8, 0, 0, 0,
			$how{interlace} // 0)
		. join('', @{ $how{before} // [] }) . png_chunk('IDAT', $rows)
		. join('', @{ $how{after} // [] }) . png_chunk('IEND', '');
}

# Returns a colour profile of `size` bytes that has only a head.
sub icc_profile {
	my ($size) = @_;
	my $head = pack('N', $size) . "\0" x 32 . 'acsp';
	return $head . "\0" x ($size - length $head);
}

# jpeg_with(BYTES, [MARKER, DATA]...) returns the JPEG with segments after its first two bytes.
sub jpeg_with {
	my ($bytes, @segments) = @_;
	return substr($bytes, 0, 2) . join('', map {
		pack('CCn', 0xFF, $_->[0], 2 + length $_->[1]) . $_->[1] } @segments)
		. substr $bytes, 2;
}

# webp_with(BYTES, [NAME, DATA]...) returns the extended WebP with chunks at its end.
sub webp_with {
	my ($bytes, @chunks) = @_;
	$bytes .= $_->[0] . pack('V', length $_->[1]) . $_->[1]
		. "\0" x (length($_->[1]) % 2) for @chunks;
	substr $bytes, 4, 4, pack 'V', length($bytes) - 8;
	return $bytes;
}

# gif_with(BYTES, [LABEL, SUB-BLOCK...]...) returns the GIF with extensions before its last
# byte.
sub gif_with {
	my ($bytes, @extensions) = @_;
	return substr($bytes, 0, -1) . join('', map {
		my ($label, @blocks) = @$_;
		pack('CC', 0x21, $label) . join('', map { pack 'C/a', $_ } @blocks) . "\0"
	} @extensions) . ';';
}

1;
