/* suite: fast */
/* What a thumbnail shows of each kind of picture: its size, which way up it is, its colours, what
 * is seen through, and that what is wrong gets none. The inputs are made here, by the libraries'
 * encoders and by one of GIF. */
#include "content/thumbnail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>
#include <webp/decode.h>
#include <webp/encode.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx ctx = { .arena = &arena };

struct bytes {
	unsigned char *p;
	size_t len;
};

/* ---- the pictures: red, green, blue and white quarters, in reading order */

static const unsigned char quarters[4][4] = { { 255, 0, 0, 255 }, { 0, 255, 0, 255 },
	{ 0, 0, 255, 255 }, { 255, 255, 255, 255 } };

static int
quarter(int x, int y, int width, int height)
{
	return (y >= height / 2 ? 2 : 0) + (x >= width / 2 ? 1 : 0);
}

enum { ADOBE = 1, GREY = 2, PROGRESSIVE = 4, INKS = 8, NOISE = 16 };

/* Fills a row of a JPEG. */
static void
jpeg_row(unsigned char *row, int y, int width, int height, int how)
{
	int parts = (how & INKS) != 0 ? 4 : (how & GREY) != 0 ? 1 : 3;

	for (int x = 0; x < width; x++) {
		const unsigned char *of = quarters[quarter(x, y, width, height)];
		for (int i = 0; i < parts; i++) {
			int value = i < 3 ? of[i] : 255; /* no black */
			if ((how & INKS) != 0 && (how & ADOBE) == 0)
				value = 255 - value;
			row[x * parts + i] = (unsigned char)value;
		}
	}
}

static struct bytes
jpeg(int width, int height, int orientation, int how)
{
	unsigned char exif[] = "Exif\0\0MM\0*\0\0\0\x08\0\1\x01\x12\0\3\0\0\0\1\0?\0\0\0\0\0\0";
	unsigned char *row = arena_alloc(&arena, (size_t)width * 4), *out = NULL;
	struct jpeg_compress_struct j;
	struct jpeg_error_mgr fault;
	unsigned long len = 0;

	j.err = jpeg_std_error(&fault);
	jpeg_create_compress(&j);
	jpeg_mem_dest(&j, &out, &len);
	j.image_width = (JDIMENSION)width;
	j.image_height = (JDIMENSION)height;
	j.input_components = (how & INKS) != 0 ? 4 : (how & GREY) != 0 ? 1 : 3;
	j.in_color_space = (how & INKS) != 0   ? JCS_CMYK
			   : (how & GREY) != 0 ? JCS_GRAYSCALE
					       : JCS_RGB;
	jpeg_set_defaults(&j);
	if ((how & PROGRESSIVE) != 0)
		jpeg_simple_progression(&j);
	if ((how & INKS) != 0)
		j.write_Adobe_marker = (how & ADOBE) != 0;
	jpeg_start_compress(&j, TRUE);
	exif[25] = (unsigned char)orientation;
	jpeg_write_marker(&j, JPEG_APP0 + 1, exif, sizeof(exif) - 1);
	for (int y = 0; y < height; y++) {
		jpeg_row(row, y, width, height, how);
		(void)jpeg_write_scanlines(&j, &row, 1);
	}
	jpeg_finish_compress(&j);
	jpeg_destroy_compress(&j);
	return (struct bytes) { out, len };
}

static void
png_add(png_structp png, png_bytep p, size_t len)
{
	struct bytes *out = png_get_io_ptr(png);

	out->p = realloc(out->p, out->len + len);
	memcpy(out->p + out->len, p, len);
	out->len += len;
}

static void
png_flush_nothing(png_structp png)
{
	(void)png;
}

/* With alpha every quarter but the first one can be half seen through. Noise is incompressible. */
static struct bytes
png(int width, int height, int depth, int type, int laced, int how)
{
	png_color colours[4];
	png_byte alphas[4] = { 255, 128, 128, 0 };
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	png_infop info = png_create_info_struct(png);
	struct bytes out = { NULL, 0 };
	size_t row_len;
	unsigned char **rows = arena_array(&arena, (size_t)height, sizeof(*rows));
	unsigned seed = 1;

	for (int i = 0; i < 4; i++)
		colours[i] = (png_color) { quarters[i][0], quarters[i][1], quarters[i][2] };
	png_set_write_fn(png, &out, png_add, png_flush_nothing);
	png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, depth, type, laced, 0, 0);
	if (type == PNG_COLOR_TYPE_PALETTE) {
		png_set_PLTE(png, info, colours, 4);
		png_set_tRNS(png, info, alphas, 4, NULL);
	}
	png_write_info(png, info);
	row_len = png_get_rowbytes(png, info);
	for (int y = 0; y < height; y++) {
		rows[y] = arena_alloc(&arena, row_len);
		memset(rows[y], 0, row_len);
		for (size_t i = 0; (how & NOISE) != 0 && i < row_len; i++)
			rows[y][i] = (unsigned char)((seed = seed * 1103515245 + 12345) >> 16);
		for (int x = 0; (how & NOISE) == 0 && x < width; x++) {
			int q = quarter(x, y, width, height);
			if (type == PNG_COLOR_TYPE_PALETTE)
				rows[y][x / 4] |= (unsigned char)(q << (6 - x % 4 * 2));
			else if (depth == 16)
				for (int i = 0; i < 4; i++)
					rows[y][x * 8 + i * 2] = rows[y][x * 8 + i * 2 + 1] =
					    i < 3 ? quarters[q][i] : alphas[q];
			else
				rows[y][x] = (unsigned char)(q * 80);
		}
	}
	png_write_image(png, rows);
	png_write_end(png, info);
	png_destroy_write_struct(&png, &info);
	return out;
}

/* ---- GIF, with LZW */

struct gif_out {
	struct bytes out;
	unsigned bits;
	int count;
	unsigned char block[256];
};

static void
gif_byte(struct bytes *out, int byte)
{
	out->p = realloc(out->p, out->len + 1);
	out->p[out->len++] = (unsigned char)byte;
}

static void
gif_end_block(struct gif_out *g)
{
	for (int i = 0; g->block[0] > 0 && i <= g->block[0]; i++)
		gif_byte(&g->out, g->block[i]);
	g->block[0] = 0;
}

static void
gif_code(struct gif_out *g, int code, int width)
{
	g->bits |= (unsigned)code << g->count;
	for (g->count += width; g->count >= 8; g->count -= 8, g->bits >>= 8) {
		g->block[++g->block[0]] = (unsigned char)g->bits;
		if (g->block[0] == 255)
			gif_end_block(g);
	}
}

/* Packs as encoders do; once the table is full it stays so, as some leave it. */
static void
gif_pack(struct gif_out *g, const unsigned char *p, size_t len, int least)
{
	static int next_of[4096][256];
	int clear = 1 << least, next = clear + 2, width = least + 1, old = p[0];

	memset(next_of, 0, sizeof(next_of));
	gif_code(g, clear, width);
	for (size_t i = 1; i < len; i++) {
		int found = next_of[old][p[i]];
		if (found != 0) {
			old = found;
			continue;
		}
		gif_code(g, old, width);
		if (next < 4096) {
			if (next == 1 << width && width < 12)
				width++;
			next_of[old][p[i]] = next++;
		}
		old = p[i];
	}
	gif_code(g, old, width);
	/* The reader has made one entry more by now. */
	if (next < 4096 && next == 1 << width && width < 12)
		width++;
	gif_code(g, clear + 1, width);
	if (g->count > 0)
		gif_code(g, 0, 8 - g->count);
	gif_end_block(g);
	gif_byte(&g->out, 0);
}

/* A picture with a frame of the same size, or one that leaves an edge of 10. */
static struct bytes
gif(int width, int height, bool laced, int clear, int edge)
{
	static const int begins[] = { 0, 4, 2, 1 }, steps[] = { 8, 8, 4, 2 };
	int w = width - 2 * edge, h = height - 2 * edge;
	unsigned char *pixels = arena_alloc(&arena, (size_t)w * (size_t)h), *p = pixels;
	unsigned char *at;
	struct gif_out g = { .bits = 0 };
	char head[200];
	int len = 0, noise = 1;

	for (int pass = laced ? 0 : 4; pass < 5; pass++) {
		for (int y = pass < 4 ? begins[pass] : 0; y < h && (pass < 4 || !laced);
		     y += pass < 4 ? steps[pass] : 1) {
			at = p;
			for (int x = 0; x < w; x++)
				*p++ = (unsigned char)quarter(x, y, w, h);
			/* So that the table gets full: what has the same colour in two places. */
			for (int x = 0; x < w; x++)
				at[x] |=
				    (unsigned char)(((noise = noise * 69069 + 1) >> 16 & 1) << 2);
		}
	}
	memcpy(head, "GIF89a", 6);
	len = 6;
	head[len++] = (char)(width & 255), head[len++] = (char)(width >> 8);
	head[len++] = (char)(height & 255), head[len++] = (char)(height >> 8);
	head[len++] = (char)0x82, head[len++] = 0, head[len++] = 0;
	for (int i = 0; i < 8; i++)
		for (int k = 0; k < 3; k++)
			head[len++] = (char)quarters[i & 3][k];
	memcpy(head + len, "!\xF9\4\0\0\0\0\0,", 9);
	if (clear >= 0)
		head[len + 3] = 1, head[len + 6] = (char)clear;
	len += 9;
	for (int i = 0; i < 2; i++)
		head[len++] = (char)edge, head[len++] = 0;
	head[len++] = (char)(w & 255), head[len++] = (char)(w >> 8);
	head[len++] = (char)(h & 255), head[len++] = (char)(h >> 8);
	head[len++] = laced ? 0x40 : 0, head[len++] = 3;
	for (int i = 0; i < len; i++)
		gif_byte(&g.out, head[i]);
	gif_pack(&g, pixels, (size_t)w * (size_t)h, 3);
	gif_byte(&g.out, ';');
	return g.out;
}

static struct bytes
webp(int width, int height)
{
	unsigned char *pixels = arena_array(&arena, (size_t)(width * height), 4);
	struct bytes out;

	for (int i = 0; i < width * height; i++) {
		int q = quarter(i % width, i / width, width, height);
		memcpy(pixels + i * 4, quarters[q], 4);
		if (q == 3)
			pixels[i * 4 + 3] = 0;
	}
	out.len = WebPEncodeLosslessRGBA(pixels, width, height, width * 4, &out.p);
	return out;
}

/* ---- what is seen */

static const unsigned char *
look(struct bytes in, int *width, int *height, const char *name)
{
	const void *made = NULL;
	unsigned char *copy = malloc(in.len); /* so that reading beyond it is seen */
	const unsigned char *pixels = NULL;
	const char *why;
	size_t len = 0;

	memcpy(copy, in.p, in.len);
	why = thumbnail_make(&ctx, copy, in.len, &made, &len);
	if (ok(why == NULL, "%s has a thumbnail", name))
		pixels = WebPDecodeRGBA(made, len, width, height);
	else
		printf("#  got: %s\n", why);
	ok(len <= THUMBNAIL_BYTES_MAX, "  of %zu bytes", len);
	free(copy);
	return pixels;
}

/* The letters are the quarters that are to be seen: r g b w, "-" for one that is seen through, "?"
 * for another colour; NULL: whatever. */
static void
shows(struct bytes in, int width, int height, const char *want, const char *name)
{
	int w = 0, h = 0;
	const unsigned char *pixels = look(in, &w, &h, name);
	char got[5] = "????";

	is_int(w * 1000 + h, width * 1000 + height, "  of %d by %d", width, height);
	for (int i = 0; pixels != NULL && i < 4; i++) {
		const unsigned char *p =
		    pixels + 4 * ((i / 2 * 2 + 1) * h / 4 * w + (i % 2 * 2 + 1) * w / 4);
		int near = 0;
		for (int q = 0; q < 4; q++) {
			int far = 0;
			for (int k = 0; k < 3; k++)
				far += abs(p[k] - quarters[q][k]);
			if (far < 60)
				got[i] = "rgbw"[q], near++;
		}
		if (p[3] < 20)
			got[i] = '-';
	}
	if (want != NULL)
		ok(strcmp(got, want) == 0, "  and shows %s (%s)", want, got);
	WebPFree((void *)(uintptr_t)pixels);
	free(in.p);
	arena_reset(&arena);
}

static void
test_jpeg(void)
{
	static const char *const turned[] = { "rgbw", "grwb", "wbgr", "bwrg", "rbgw", "brwg",
		"wgbr", "gwrb" };

	for (int i = 1; i <= 8; i++)
		shows(jpeg(800, 600, i, 0), 160, i < 5 ? 120 : 213, turned[i - 1], "a turned JPEG");
	shows(jpeg(8000, 1000, 1, 0), 160, 53, "rgbw", "a long one, of which the middle is shown");
	shows(jpeg(100, 3000, 6, 0), 160, 53, "brwg", "a high one that is long when it is upright");
	shows(jpeg(100, 3000, 1, 0), 100, 150, "rgbw", "a high one");
	shows(jpeg(1, 1, 1, 0), 1, 1, "wwww", "one of a pixel");
	shows(jpeg(1000, 700, 1, PROGRESSIVE), 160, 112, "rgbw", "one that becomes clear slowly");
	shows(jpeg(500, 400, 1, INKS | ADOBE), 160, 128, "rgbw", "one of inks, of Adobe");
	shows(jpeg(500, 400, 1, INKS), 160, 128, "rgbw", "one of inks");
	shows(jpeg(500, 400, 1, GREY), 160, 128, "w??w", "a grey one");
}

static void
test_png(void)
{
	shows(
	    png(400, 300, 16, PNG_COLOR_TYPE_RGB_ALPHA, 0, 0), 160, 120, "rgb-", "16 bits, alpha");
	shows(png(400, 300, 16, PNG_COLOR_TYPE_RGB_ALPHA, 1, 0), 160, 120, "rgb-", "laced");
	shows(png(401, 301, 2, PNG_COLOR_TYPE_PALETTE, 0, 0), 160, 120, "rgb-", "a palette");
	shows(png(401, 301, 2, PNG_COLOR_TYPE_PALETTE, 1, 0), 160, 120, "rgb-", "a laced palette");
	shows(png(30, 20, 8, PNG_COLOR_TYPE_GRAY, 0, 0), 30, 20, "???w", "grey, and small");
	shows(png(161, 400, 8, PNG_COLOR_TYPE_RGB_ALPHA, 0, NOISE), 160, 240, NULL, "noise");
}

static void
test_others(void)
{
	struct bytes moving;

	shows(webp(320, 200), 160, 100, "rgb-", "a WebP");
	shows(webp(5000, 4000), 160, 128, "rgb-", "a large WebP");
	moving.p = (unsigned char *)(uintptr_t)fileio_read(
	    &arena, "tests/fuzz/corpus/picture-clean/webp-moving", 10000, &moving.len);
	moving.p = memcpy(malloc(moving.len), moving.p, moving.len);
	shows(moving, 32, 18, NULL, "a WebP that moves");
	shows(gif(320, 200, false, -1, 0), 160, 100, "rgbw", "a GIF");
	shows(gif(320, 200, true, -1, 0), 160, 100, "rgbw", "a laced GIF");
	shows(gif(641, 400, false, -1, 0), 160, 100, "rgbw", "a GIF of many colours' rows");
	shows(gif(160, 160, true, -1, 10), 160, 160, "rgbw", "a GIF whose frame is smaller");
}

static void
has_none(struct bytes in, const char *name)
{
	const void *made;
	const char *why;
	size_t len;

	why = thumbnail_make(&ctx, in.p, in.len, &made, &len);
	ok(why != NULL && strcmp(why, "it is damaged") == 0, "%s has none", name);
	free(in.p);
	arena_reset(&arena);
}

static void
test_damaged(void)
{
	struct bytes in = png(400, 300, 8, PNG_COLOR_TYPE_GRAY, 0, NOISE);

	in.p[in.len / 2] ^= 1;
	has_none(in, "a PNG whose checksum is wrong");
	in = webp(320, 200);
	memset(in.p + 40, 0xFF, in.len - 40);
	has_none(in, "a WebP without sense");
	in = gif(320, 200, false, -1, 0);
	in.p[37 + 8 + 10] = 12;
	has_none(in, "a GIF with codes of 12 bits");
	in = (struct bytes) { memcpy(malloc(9), "<svg/>...", 9), 9 };
	has_none(in, "what is no picture");
	/* What is wrong within a JPEG or a GIF is grey or the first colour: libjpeg goes on. */
	in = jpeg(400, 300, 1, 0);
	memset(in.p + in.len / 2, 0x55, in.len / 2 - 2);
	free((void *)(uintptr_t)look(in, &(int) { 0 }, &(int) { 0 }, "half of a JPEG"));
	free(in.p);
}

int
main(void)
{
	arena_init(&arena, (size_t)512 * 1024 * 1024);
	test_jpeg();
	test_png();
	test_others();
	test_damaged();
	arena_release(&arena);
	return done_testing();
}
