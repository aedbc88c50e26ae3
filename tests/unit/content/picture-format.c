/* suite: fast */
#include "content/picture-format.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx ctx = { .arena = &arena };

static void
add_number(struct buf *b, uint32_t value, int size, bool little)
{
	for (int i = 0; i < size; i++)
		buf_add_char(b, (char)(value >> 8 * (little ? i : size - 1 - i)));
}

/* CRC-32 bit by bit: not the way of picture.c. */
static uint32_t
crc(const char *bytes, size_t len)
{
	uint32_t value = 0xFFFFFFFF;

	for (size_t i = 0; i < 8 * len; i++) {
		uint32_t bit = (uint32_t)((unsigned char)bytes[i / 8] >> i % 8 & 1);
		value = value >> 1 ^ (((value ^ bit) & 1) != 0 ? 0xEDB88320 : 0);
	}
	return ~value;
}

static void
png_chunk(struct buf *b, const char *type, const void *data, size_t len)
{
	size_t at = b->len + 4;

	add_number(b, (uint32_t)len, 4, false);
	buf_add_text(b, type);
	buf_add(b, data, len);
	add_number(b, crc(b->data + at, len + 4), 4, false);
}

static void
png_head_of(struct buf *b, uint32_t width, uint32_t height, int depth, int color)
{
	struct buf head;

	buf_init(&head, &arena, 100);
	add_number(&head, width, 4, false);
	add_number(&head, height, 4, false);
	buf_add_char(&head, (char)depth);
	buf_add_char(&head, (char)color);
	buf_add(&head, "\0\0\0", 3);
	buf_add(b, "\x89PNG\r\n\x1A\n", 8);
	png_chunk(b, "IHDR", head.data, head.len);
}

static void
png_head(struct buf *b, uint32_t width, uint32_t height, int color)
{
	png_head_of(b, width, height, 8, color);
}

static void
png(struct buf *b, uint32_t width, uint32_t height)
{
	png_head(b, width, height, 2);
	png_chunk(b, "tEXt", "Title\0A", 7);
	png_chunk(b, "IDAT", "abc", 3);
	png_chunk(b, "IDAT", "d", 1);
	png_chunk(b, "IEND", "", 0);
}

/* Orientation 6 of a little-endian EXIF block: the camera was turned. */
static const char turned[] = "\xFF\xE1\x00\x22"
			     "Exif\0\0"
			     "II*\0\x08\0\0\0"
			     "\x01\0"
			     "\x12\x01\x03\0\x01\0\0\0\x06\0\0\0"
			     "\0\0\0\0";

static void
jpeg(struct buf *b, uint32_t width, uint32_t height, const char *frame, bool orientation)
{
	buf_add(b, "\xFF\xD8\xFF\xE0\0\4ab", 8);
	if (orientation)
		buf_add(b, turned, 36);
	buf_add(b, frame, 2);
	buf_add(b, "\0\x0B\x08", 3);
	add_number(b, height, 2, false);
	add_number(b, width, 2, false);
	buf_add(b, "\1\1\x11\0", 4);
	buf_add(b, "\xFF\xDA\0\x08\1\1\0\0\x3F\0", 10);
	buf_add(b,
	    "ab\xFF\0cd\xFF\xD0"
	    "ef",
	    10);
	buf_add(b, "\xFF\xD9", 2);
}

static void
gif(struct buf *b, uint32_t width, uint32_t height)
{
	buf_add_text(b, "GIF89a");
	add_number(b, width, 2, true);
	add_number(b, height, 2, true);
	buf_add(b,
	    "\x80\0\0"
	    "abcdef",
	    9);
	buf_add(b, "\x21\xF9\4abcd\0", 8);
	buf_add(b, "\x2C\0\0\0\0\1\0\1\0\0\2\2ab\0", 15);
	buf_add(b, ";", 1);
}

static void
riff(struct buf *b, const struct buf *chunks)
{
	buf_add_text(b, "RIFF");
	add_number(b, (uint32_t)chunks->len + 4, 4, true);
	buf_add_text(b, "WEBP");
	buf_add(b, chunks->data, chunks->len);
}

static void
webp_chunk(struct buf *b, const char *type, const void *data, size_t len)
{
	buf_add_text(b, type);
	add_number(b, (uint32_t)len, 4, true);
	buf_add(b, data, len);
	if (len % 2 != 0)
		buf_add_char(b, '\0');
}

static void
lossy(struct buf *chunks, uint32_t width, uint32_t height)
{
	struct buf data;

	buf_init(&data, &arena, 100);
	buf_add(&data, "\x10\0\0\x9D\x01\x2A", 6);
	add_number(&data, width, 2, true);
	add_number(&data, height, 2, true);
	buf_add_char(&data, 'x');
	webp_chunk(chunks, "VP8 ", data.data, data.len);
}

static void
lossless(struct buf *chunks, uint32_t width, uint32_t height)
{
	struct buf data;

	buf_init(&data, &arena, 100);
	buf_add_char(&data, 0x2F);
	add_number(&data, (width - 1) | (height - 1) << 14, 4, true);
	webp_chunk(chunks, "VP8L", data.data, data.len);
}

static void
extended(struct buf *chunks, uint32_t width, uint32_t height, int flags)
{
	struct buf data;

	buf_init(&data, &arena, 100);
	add_number(&data, (uint32_t)flags, 4, true);
	add_number(&data, width - 1, 3, true);
	add_number(&data, height - 1, 3, true);
	webp_chunk(chunks, "VP8X", data.data, data.len);
}

/* What picture_read() says of the bytes: "image/png 3x2", or the refusal. */
static const char *
said(const struct buf *b)
{
	struct picture picture;
	struct err *err = picture_read(&ctx, b->data, b->len, &picture);

	if (err != NULL)
		return err->message;
	return arena_printf(&arena, "%s %s %lldx%lld", picture.type, picture.extension,
	    (long long)picture.width, (long long)picture.height);
}

static struct buf
empty(void)
{
	struct buf b;

	buf_init(&b, &arena, PICTURE_BYTES_MAX + 4096);
	return b;
}

/* One good file of each kind. */
enum { KINDS = 7 };

static struct buf
sample(int kind)
{
	struct buf b = empty(), chunks = empty();

	switch (kind) {
	case 0:
		png(&b, 300, 200);
		break;
	case 1:
		jpeg(&b, 300, 200, "\xFF\xC0", false);
		break;
	case 2:
		jpeg(&b, 300, 200, "\xFF\xC2", true);
		break;
	case 3:
		gif(&b, 300, 200);
		break;
	case 4:
		lossy(&chunks, 300, 200);
		riff(&b, &chunks);
		break;
	case 5:
		lossless(&chunks, 300, 200);
		riff(&b, &chunks);
		break;
	default:
		extended(&chunks, 300, 200, 0x10);
		webp_chunk(&chunks, "ALPH", "abc", 3);
		lossy(&chunks, 300, 200);
		riff(&b, &chunks);
	}
	return b;
}

static void
test_kinds(void)
{
	static const char *const want[KINDS] = { "image/png png 300x200", "image/jpeg jpg 300x200",
		"image/jpeg jpg 200x300", "image/gif gif 300x200", "image/webp webp 300x200",
		"image/webp webp 300x200", "image/webp webp 300x200" };
	static const char *const names[KINDS] = { "PNG", "JPEG", "a JPEG that a camera turned",
		"GIF", "WebP with losses", "WebP without losses", "WebP with an alpha channel" };

	for (int kind = 0; kind < KINDS; kind++) {
		struct buf b = sample(kind);
		is_text(said(&b), want[kind], "%s is read", names[kind]);
		arena_reset(&arena);
	}
}

/* Every file that ends too early is refused. */
static void
test_truncated(void)
{
	for (int kind = 0; kind < KINDS; kind++) {
		struct buf b = sample(kind);
		size_t whole = b.len, wrong = 0;
		for (b.len = 0; b.len < whole; b.len++) {
			/* A pad byte may be missing. */
			if (strncmp(said(&b), "The picture ", 12) != 0)
				wrong++;
		}
		is_int((int64_t)wrong, 0, "kind %d is refused at every shorter length", kind);
		arena_reset(&arena);
	}
}

/* Each byte of a PNG counts. */
static void
test_damaged(void)
{
	struct buf b = sample(0);
	size_t wrong = 0;

	for (size_t i = 0; i < 8 * b.len; i++) {
		b.data[i / 8] = (char)(b.data[i / 8] ^ 1 << i % 8);
		if (strncmp(said(&b), "The picture ", 12) != 0)
			wrong++;
		b.data[i / 8] = (char)(b.data[i / 8] ^ 1 << i % 8);
	}
	is_int((int64_t)wrong, 0, "a PNG with one wrong bit is refused");
	arena_reset(&arena);
}

/* What picture_read() says has this in it. */
static void
says(const struct buf *b, const char *want, const char *name)
{
	const char *got = said(b);

	if (!ok(strstr(got, want) != NULL, "%s: %s", name, want))
		printf("#  got: %s\n", got);
	arena_reset(&arena);
}

static void
test_sizes(void)
{
	struct buf b = empty();

	png(&b, PICTURE_SIDE_MAX, 1);
	is_text(said(&b), "image/png png 8192x1", "8192 pixels fit");
	b = empty();
	png(&b, PICTURE_SIDE_MAX + 1, 1);
	says(&b, "8193 × 1 pixels; at most", "one pixel more");
	b = empty();
	png(&b, 0, 5);
	says(&b, "has no size", "a picture without width");
	b = empty();
	jpeg(&b, 5, 0, "\xFF\xC0", false);
	says(&b, "has no size", "a picture without height");
	b = empty();
	png(&b, 1, 1);
	while (b.len <= PICTURE_BYTES_MAX)
		buf_add_char(&b, 'x');
	says(&b, "longer than 32 MiB", "more than 32 MiB");
}

static void
test_lies(void)
{
	struct buf b = empty(), chunks = empty();

	says(&b, "not a PNG, JPEG, WebP or GIF", "no bytes");
	b = empty();
	buf_add_text(&b, "<svg xmlns='http://www.w3.org/2000/svg'></svg>");
	says(&b, "not a PNG, JPEG, WebP or GIF", "SVG");
	b = empty();
	png(&b, 3, 2);
	buf_add_text(&b, "<script>");
	says(&b, "something after its end", "a PNG with more behind it");
	b = empty();
	png_head(&b, 3, 2, 2);
	png_chunk(&b, "IEND", "", 0);
	says(&b, "no pixels", "a PNG without pixels");
	b = empty();
	png_head(&b, 3, 2, 3);
	png_chunk(&b, "IDAT", "a", 1);
	png_chunk(&b, "IEND", "", 0);
	says(&b, "no palette", "a PNG without its palette");
	b = empty();
	png_head(&b, 3, 2, 5);
	says(&b, "IHDR", "a PNG of a kind that there is not");
	b = empty();
	gif(&b, 3, 2);
	buf_add_char(&b, 'x');
	says(&b, "something after its end", "a GIF with more behind it");
	b = empty();
	jpeg(&b, 3, 2, "\xFF\xC9", false);
	says(&b, "browsers do not show", "a JPEG that browsers cannot show");
	b = empty();
	chunks = empty();
	extended(&chunks, 3, 2, 0);
	lossy(&chunks, 4, 2);
	riff(&b, &chunks);
	says(&b, "two different sizes", "a WebP with two sizes");
	b = empty();
	chunks = empty();
	extended(&chunks, 3, 2, 0);
	riff(&b, &chunks);
	says(&b, "no pixels", "a WebP without pixels");
	b = empty();
	chunks = empty();
	webp_chunk(&chunks, "WAVE", "abcdefgh", 8);
	riff(&b, &chunks);
	says(&b, "no pixels", "a RIFF file of another kind");
}

#define BYTES(text) (text), sizeof(text) - 1
#define START "\xFF\xD8"
#define FRAME "\xFF\xC0\0\x0B\x08\0\2\0\3\1\1\x11\0"
#define SCAN "\xFF\xDA\0\x08\1\1\0\0\x3F\0"
#define END "\xFF\xD9"
#define EXIF                                                                                       \
	"\xFF\xE1\0\x22"                                                                           \
	"Exif\0\0"

static void
test_jpeg_segments(void)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *said, *name;
	} cases[] = {
		{ BYTES(START FRAME FRAME SCAN END), "two frames", "a JPEG with two frames" },
		{ BYTES(START "\xFF\xC0\0\x0B\x0C\0\2\0\3\1\1\x11\0" SCAN END), "frame is wrong",
		    "a JPEG of twelve bits" },
		{ BYTES(START SCAN FRAME END), "before its frame",
		    "a JPEG whose pixels come first" },
		{ BYTES(START FRAME "x" SCAN END), "does not begin",
		    "a JPEG with a byte between its segments" },
		{ BYTES(START FRAME "\xFF\xD0" SCAN END), "wrong place",
		    "a JPEG that restarts before it has begun" },
		{ BYTES(START FRAME END), "no pixels", "a JPEG without pixels" },
		{ BYTES(START FRAME "\xFF\xDA\0\1" END), "length is wrong",
		    "a JPEG whose segment is shorter than its own length" },
		{ BYTES(START "\xFF\xFF\x01" FRAME SCAN END), "image/jpeg jpg 3x2",
		    "fill bytes and TEM" },
		{ BYTES(START "\xFF\xE1\0\7"
			      "Exif\0" FRAME SCAN END),
		    "image/jpeg jpg 3x2", "an EXIF block that is too short" },
		{ BYTES(START EXIF "MM\0*\0\0\0\x08"
				   "\0\1"
				   "\x01\x12\0\3\0\0\0\1\0\x08\0\0"
				   "\0\0\0\0" FRAME SCAN END),
		    "image/jpeg jpg 2x3", "a big-endian EXIF block" },
		{ BYTES(START EXIF "MM\0*\0\0\0\x08"
				   "\0\1"
				   "\x01\x1A\0\3\0\0\0\1\0\x08\0\0"
				   "\0\0\0\0" FRAME SCAN END),
		    "image/jpeg jpg 3x2", "an EXIF block without an orientation" },
		{ BYTES(START EXIF "MM\0*\x7F\0\0\x08"
				   "\0\1"
				   "\x01\x12\0\3\0\0\0\1\0\x08\0\0"
				   "\0\0\0\0" FRAME SCAN END),
		    "image/jpeg jpg 3x2", "an EXIF directory outside of its block" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf b = empty();
		buf_add(&b, cases[i].bytes, cases[i].len);
		says(&b, cases[i].said, cases[i].name);
	}
}

/* A decoder goes through the whole picture for each scan. */
static void
test_jpeg_scans(void)
{
	for (int scans = 100; scans <= 101; scans++) {
		struct buf b = empty();
		buf_add(&b, BYTES(START FRAME));
		for (int i = 0; i < scans; i++)
			buf_add(&b, BYTES(SCAN));
		buf_add(&b, BYTES(END));
		says(&b, scans == 100 ? "image/jpeg jpg 3x2" : "too many scans",
		    "a JPEG with many scans");
	}
}

static void
test_png_chunks(void)
{
	static const struct {
		int color;
		const char *chunks[5], *said, *name;
	} cases[] = {
		{ 2, { "IDAT", "tEXt", "IDAT" }, "not together", "a PNG whose pixels are torn" },
		{ 3, { "PLTE", "PLTE", "IDAT" }, "palette is wrong", "a PNG with two palettes" },
		{ 2, { "IDAT", "PLTE" }, "palette is wrong", "a PNG whose palette comes late" },
		{ 3, { "PLTE", "IDAT" }, "image/png png 3x2", "a PNG with its palette" },
		{ 2, { "IHDR", "IDAT" }, "IHDR", "a PNG with two heads" },
		{ 2, { "ABCD", "IDAT" }, "does not know",
		    "a PNG with a chunk that its reader must know" },
		{ 2, { "abCD", "IDAT" }, "image/png png 3x2",
		    "a PNG with a chunk that its reader need not know" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf b = empty();
		png_head(&b, 3, 2, cases[i].color);
		for (int k = 0; cases[i].chunks[k] != NULL; k++)
			png_chunk(&b, cases[i].chunks[k], "abc", 3);
		png_chunk(&b, "IEND", "", 0);
		says(&b, cases[i].said, cases[i].name);
	}
}

/* Each color type with its depths (PNG, table 11.1). */
static void
test_png_depths(void)
{
	static const int depths[][5] = { { 1, 2, 4, 8, 16 }, { 0 }, { 8, 16 }, { 1, 2, 4, 8 },
		{ 8, 16 }, { 0 }, { 8, 16 }, { 0 } };

	for (int color = 0; color < 8; color++) {
		bool as_told = true;
		for (int depth = 1; depth <= 17; depth++) {
			struct buf b = empty();
			bool fits = false;
			for (int i = 0; i < 5; i++)
				fits = fits || depths[color][i] == depth;
			png_head_of(&b, 3, 2, depth, color);
			if (color == 3)
				png_chunk(&b, "PLTE", "abc", 3);
			png_chunk(&b, "IDAT", "abc", 3);
			png_chunk(&b, "IEND", "", 0);
			as_told = as_told && (strcmp(said(&b), "image/png png 3x2") == 0) == fits;
		}
		ok(as_told, "PNG's color type %d has its depths", color);
	}
}

static void
test_png_begins(void)
{
	struct buf b = empty();

	buf_add(&b, "\x89PNG\r\n\x1A\n", 8);
	png_chunk(&b, "IDAT", "abc", 3);
	png_chunk(&b, "IEND", "", 0);
	says(&b, "first chunk is not IHDR", "a PNG without a head");
}

#define GIF "GIF87a\3\0\2\0\0\0\0"
#define GIF_FRAME "\x2C\0\0\0\0\1\0\1\0\0"

static void
test_gif_blocks(void)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *said, *name;
	} cases[] = {
		{ BYTES(GIF GIF_FRAME "\2\1a\0;"), "image/gif gif 3x2", "a GIF of 1987" },
		{ BYTES(GIF ";"), "no pixels", "a GIF without pixels" },
		{ BYTES(GIF "?"), "none of GIF's", "a GIF with another block" },
		{ BYTES(GIF GIF_FRAME "\x9\1a\0;"), "code size", "a GIF with a code size of nine" },
		{ BYTES(GIF GIF_FRAME "\1\1a\0;"), "code size", "a GIF with a code size of one" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf b = empty();
		buf_add(&b, cases[i].bytes, cases[i].len);
		says(&b, cases[i].said, cases[i].name);
	}
}

#define LOSSY "\x10\0\0\x9D\x01\x2A\3\0\2\0"
#define LOSSLESS "\x2F\x02\x40\0\0"
#define HEAD "\0\0\0\0\2\0\0\1\0\0"
#define MOVING "\2\0\0\0\2\0\0\1\0\0"

static void
test_webp_chunks(void)
{
	static const struct {
		struct {
			const char *type, *data;
			size_t len;
		} chunks[3];
		const char *said, *name;
	} cases[] = {
		{ { { "VP8 ", BYTES(LOSSY) } }, "image/webp webp 3x2", "a WebP of one chunk" },
		{ { { "VP8 ", BYTES("\x11\0\0\x9D\x01\x2A\3\0\2\0") } }, "do not begin",
		    "a WebP whose frame is no key frame" },
		{ { { "VP8L", BYTES("\x2E\x02\x40\0\0") } }, "do not begin",
		    "a WebP without losses and its signature" },
		{ { { "VP8X", BYTES("\0\0\0\0\2\0\0\1") } }, "VP8X", "a WebP whose head is short" },
		{ { { "VP8X", BYTES(HEAD) }, { "VP8 ", BYTES(LOSSY) },
		      { "VP8L", BYTES(LOSSLESS) } },
		    "none belong", "a WebP with pixels twice" },
		{ { { "VP8X", BYTES(MOVING) }, { "VP8 ", BYTES(LOSSY) } }, "none belong",
		    "an animation with a still picture" },
		{ { { "VP8X", BYTES(MOVING) }, { "ANMF", BYTES("abcdefghijklmnop") } },
		    "image/webp webp 3x2", "an animation" },
		{ { { "VP8X", BYTES(MOVING) }, { "ANMF", BYTES("short") } }, "a frame of it",
		    "an animation with a short frame" },
		{ { { "VP8X", BYTES(HEAD) }, { "ANMF", BYTES("abcdefghijklmnop") } },
		    "a frame of it", "a still picture with a frame" },
		{ { { "VP8 ", BYTES(LOSSY) }, { "EXIF", BYTES("ab") } }, "none belongs",
		    "a simple WebP with a second chunk" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf b = empty(), chunks = empty();
		for (int k = 0; k < 3 && cases[i].chunks[k].type != NULL; k++)
			webp_chunk(&chunks, cases[i].chunks[k].type, cases[i].chunks[k].data,
			    cases[i].chunks[k].len);
		riff(&b, &chunks);
		says(&b, cases[i].said, cases[i].name);
	}
}

static void
test_webp_lengths(void)
{
	struct buf b = empty(), chunks = empty();

	webp_chunk(&chunks, "VP8 ", LOSSY, 10);
	chunks.data[4] = 11;
	riff(&b, &chunks);
	says(&b, "chunk's length is wrong", "a WebP chunk longer than its file");
	b = empty();
	chunks = empty();
	extended(&chunks, 3, 2, 0);
	buf_add_text(&chunks, "VP8 ");
	riff(&b, &chunks);
	says(&b, "cut off", "a WebP that ends within a chunk's head");
}

static void
test_tails(void)
{
	struct buf b = sample(1);

	buf_add_text(&b, "a preview that the camera put there");
	is_text(
	    said(&b), "image/jpeg jpg 300x200", "what a camera puts behind a JPEG does not matter");
	arena_reset(&arena);
}

int
main(void)
{
	arena_init(&arena, (size_t)128 * 1024 * 1024);
	test_kinds();
	test_truncated();
	test_damaged();
	test_sizes();
	test_lies();
	test_jpeg_segments();
	test_jpeg_scans();
	test_png_chunks();
	test_png_depths();
	test_png_begins();
	test_gif_blocks();
	test_webp_chunks();
	test_webp_lengths();
	test_tails();
	arena_release(&arena);
	return done_testing();
}
