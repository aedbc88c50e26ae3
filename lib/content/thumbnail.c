#include "content/thumbnail.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>
#include <png.h>
#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/picture-format.h"

#define COMMENT_MAX 65533 /* bytes of a segment of a JPEG */

#define DAMAGED "it is damaged"
#define TOO_MUCH "it takes too much memory"

/* What is read, and what becomes of it. A reader says the size of the pixels that it will give
 * (begin()), then gives each row (add_row()). */
struct making {
	struct ctx *c;
	const unsigned char *bytes;
	size_t len;

	int orientation; /* 1 to 8, as EXIF says it; from 5 on rows are columns */
	int64_t width, height; /* of the rows as they are read */
	int64_t left, top, of_width, of_height; /* the part of them that is shown */
	int64_t to_width, to_height; /* of the thumbnail, not yet turned */
	int64_t y; /* the next row */
	uint64_t (*sums)[5]; /* of the pixels of each box of a row: red, green, blue, alpha, count;
				the colours times alpha */
	unsigned char *pixels; /* red, green, blue, alpha */
	int64_t done; /* rows of `pixels` */
};

/* ---- smaller */

/* Cuts what is too long off both ends: what is left has at most three times its height, or three
 * halves of its width. */
static void
cut(int64_t *from, int64_t *side, int64_t other, bool is_width)
{
	int64_t most = other * 3 / (is_width ? 1 : 2);

	if (*side <= most)
		return;
	*from = (*side - most) / 2;
	*side = most;
}

/* Decides what is shown of rows of this size, and how large. */
static void
plan(struct making *m, int64_t width, int64_t height)
{
	bool turned = m->orientation >= 5;
	int64_t *upright;

	m->width = m->of_width = width;
	m->height = m->of_height = height;
	m->left = m->top = 0;
	cut(&m->left, &m->of_width, height, !turned);
	cut(&m->top, &m->of_height, width, turned);
	m->to_width = m->of_width;
	m->to_height = m->of_height;
	upright = turned ? &m->to_height : &m->to_width;
	if (*upright > THUMBNAIL_WIDTH) {
		int64_t was = *upright, *other = turned ? &m->to_width : &m->to_height;
		*upright = THUMBNAIL_WIDTH;
		*other = (*other * THUMBNAIL_WIDTH + was / 2) / was;
		if (*other == 0)
			*other = 1;
	}
}

/* Returns by how much a decoder may make it smaller itself: there are still two pixels for each. */
static int64_t
reduction(struct making *m, int64_t width, int64_t height)
{
	int64_t times;

	plan(m, width, height);
	times = m->of_width / (2 * m->to_width);
	if (times > m->of_height / (2 * m->to_height))
		times = m->of_height / (2 * m->to_height);
	return times > 1 ? times : 1;
}

static void
begin(struct making *m, int64_t width, int64_t height)
{
	plan(m, width, height);
	m->sums = arena_array(m->c->arena, (size_t)m->to_width, sizeof(*m->sums));
	memset(m->sums, 0, (size_t)m->to_width * sizeof(*m->sums));
	m->pixels = arena_array(m->c->arena, (size_t)(m->to_width * m->to_height), 4);
	memset(m->pixels, 0, (size_t)(m->to_width * m->to_height * 4));
}

/* Writes the row of the thumbnail whose boxes are full. */
static void
end_row(struct making *m)
{
	unsigned char *to = m->pixels + m->done++ * m->to_width * 4;

	for (int64_t x = 0; x < m->to_width; x++, to += 4) {
		const uint64_t *sum = m->sums[x];
		for (int i = 0; i < 3 && sum[3] > 0; i++)
			to[i] = (unsigned char)((sum[i] + sum[3] / 2) / sum[3]);
		to[3] = (unsigned char)((sum[3] + sum[4] / 2) / sum[4]);
	}
	memset(m->sums, 0, (size_t)m->to_width * sizeof(*m->sums));
}

/* Takes the next row, four bytes a pixel. */
static void
add_row(struct making *m, const unsigned char *row)
{
	int64_t y = m->y++ - m->top;

	if (y < 0 || y >= m->of_height)
		return;
	row += m->left * 4;
	for (int64_t x = 0; x < m->of_width; x++, row += 4) {
		uint64_t *sum = m->sums[x * m->to_width / m->of_width];
		for (int i = 0; i < 3; i++)
			sum[i] += (uint64_t)row[i] * row[3];
		sum[3] += row[3];
		sum[4]++;
	}
	if ((y + 1) * m->to_height / m->of_height > m->done)
		end_row(m);
}

/* ---- JPEG */

/* It is kept across longjmp(), so it is in the arena. */
struct jpeg_reading {
	struct jpeg_error_mgr fault; /* first: libjpeg gives it back */
	struct jpeg_decompress_struct j;
	jmp_buf back;
	const char *why;
};

static _Noreturn void
jpeg_failed(j_common_ptr j)
{
	struct jpeg_reading *r = (struct jpeg_reading *)j->err;

	r->why = j->err->msg_code == JERR_OUT_OF_MEMORY ? TOO_MUCH : DAMAGED;
	longjmp(r->back, 1);
}

static void
jpeg_said(j_common_ptr j, int level)
{
	(void)j, (void)level;
}

static void
jpeg_orientation(struct making *m, const struct jpeg_decompress_struct *j)
{
	for (const struct jpeg_marker_struct *s = j->marker_list; s != NULL; s = s->next) {
		if (s->data_length > 6 && memcmp(s->data, "Exif\0", 6) == 0)
			m->orientation = picture_orientation(s->data + 6, s->data_length - 6);
	}
}

/* Makes red, green and blue of inks. Adobe's programs write them as what is left white. */
static void
jpeg_uncover(unsigned char *row, JDIMENSION width, bool adobe)
{
	for (JDIMENSION x = 0; x < width; x++, row += 4) {
		unsigned white = adobe ? row[3] : 255U - row[3];
		for (int i = 0; i < 3; i++)
			row[i] = (unsigned char)((adobe ? row[i] : 255U - row[i]) * white / 255);
		row[3] = 255;
	}
}

static void
jpeg_decode(struct making *m, struct jpeg_decompress_struct *j)
{
	unsigned char *row;
	bool inks;

	jpeg_mem_src(j, m->bytes, m->len);
	jpeg_save_markers(j, JPEG_APP0 + 1, COMMENT_MAX);
	(void)jpeg_read_header(j, TRUE);
	jpeg_orientation(m, j);
	inks = j->jpeg_color_space == JCS_CMYK || j->jpeg_color_space == JCS_YCCK;
	j->out_color_space = inks ? JCS_CMYK : JCS_EXT_RGBA;
	j->scale_num = 1;
	j->scale_denom = 8;
	while (j->scale_denom > reduction(m, j->image_width, j->image_height))
		j->scale_denom /= 2;
	(void)jpeg_start_decompress(j);
	begin(m, j->output_width, j->output_height);
	row = arena_alloc(m->c->arena, (size_t)j->output_width * 4);
	while (j->output_scanline < j->output_height) {
		(void)jpeg_read_scanlines(j, &row, 1);
		if (inks)
			jpeg_uncover(row, j->output_width, j->saw_Adobe_marker);
		add_row(m, row);
	}
}

static const char *
read_jpeg(struct making *m)
{
	struct jpeg_reading *r = arena_alloc(m->c->arena, sizeof(*r));

	memset(r, 0, sizeof(*r));
	r->j.err = jpeg_std_error(&r->fault);
	r->fault.error_exit = jpeg_failed;
	r->fault.emit_message = jpeg_said;
	if (setjmp(r->back) == 0) {
		jpeg_create_decompress(&r->j);
		jpeg_decode(m, &r->j);
	}
	jpeg_destroy_decompress(&r->j);
	return r->why;
}

/* ---- PNG */

struct png_source {
	const unsigned char *p;
	size_t left;
};

static void
png_give(png_structp png, png_bytep to, size_t len)
{
	struct png_source *s = png_get_io_ptr(png);

	if (len > s->left)
		png_error(png, "cut off");
	memcpy(to, s->p, len);
	s->p += len;
	s->left -= len;
}

static _Noreturn void
png_failed(png_structp png, png_const_charp what)
{
	(void)what;
	png_longjmp(png, 1);
}

static void
png_said(png_structp png, png_const_charp what)
{
	(void)png, (void)what;
}

/* A laced picture comes in seven passes over all rows. */
static void
png_decode(struct making *m, png_structp png, png_infop info)
{
	struct png_source source = { m->bytes, m->len };
	size_t width, height, all;
	unsigned char *rows;
	int passes;

	png_set_read_fn(png, &source, png_give);
	png_set_user_limits(png, PICTURE_SIDE_MAX, PICTURE_SIDE_MAX);
	png_set_chunk_malloc_max(png, 1024 * 1024);
	png_read_info(png, info);
	png_set_expand(png);
	png_set_scale_16(png);
	png_set_gray_to_rgb(png);
	png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
	passes = png_set_interlace_handling(png);
	png_read_update_info(png, info);
	width = png_get_image_width(png, info);
	height = png_get_image_height(png, info);
	if (png_get_rowbytes(png, info) != width * 4)
		png_error(png, "another form");
	begin(m, (int64_t)width, (int64_t)height);
	all = passes > 1 ? height : 1;
	rows = arena_array(m->c->arena, width * all, 4);
	for (int pass = 1; pass < passes; pass++) {
		for (size_t y = 0; y < height; y++)
			png_read_row(png, rows + y * width * 4, NULL);
	}
	for (size_t y = 0; y < height; y++) {
		unsigned char *row = all > 1 ? rows + y * width * 4 : rows;
		png_read_row(png, row, NULL);
		add_row(m, row);
	}
}

static const char *
read_png(struct making *m)
{
	png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, png_failed, png_said);
	png_infop info = png == NULL ? NULL : png_create_info_struct(png);
	/* It is kept across longjmp(). */
	const char *volatile why = DAMAGED;

	if (info == NULL)
		return TOO_MUCH;
	if (setjmp(png_jmpbuf(png)) == 0) {
		png_decode(m, png, info);
		why = NULL;
	}
	png_destroy_read_struct(&png, &info, NULL);
	return why;
}

/* ---- WebP */

static const char *
webp_why(VP8StatusCode status)
{
	return status == VP8_STATUS_OUT_OF_MEMORY ? TOO_MUCH : DAMAGED;
}

static const char *
webp_decode(struct making *m, const uint8_t *bytes, size_t len)
{
	WebPDecoderConfig d;
	VP8StatusCode status;
	int64_t times;

	if (!WebPInitDecoderConfig(&d))
		return DAMAGED;
	status = WebPGetFeatures(bytes, len, &d.input);
	if (status != VP8_STATUS_OK)
		return webp_why(status);
	times = reduction(m, d.input.width, d.input.height);
	d.options.use_scaling = times > 1;
	d.options.scaled_width = (int)(d.input.width / times);
	d.options.scaled_height = (int)(d.input.height / times);
	d.output.colorspace = MODE_RGBA;
	status = WebPDecode(bytes, len, &d);
	if (status != VP8_STATUS_OK) {
		WebPFreeDecBuffer(&d.output);
		return webp_why(status);
	}
	begin(m, d.output.width, d.output.height);
	for (int y = 0; y < d.output.height; y++)
		add_row(m, d.output.u.RGBA.rgba + (ptrdiff_t)y * d.output.u.RGBA.stride);
	WebPFreeDecBuffer(&d.output);
	return NULL;
}

static const char *
read_webp(struct making *m)
{
	const WebPData all = { m->bytes, m->len };
	WebPDemuxer *parts = WebPDemux(&all);
	const char *why = DAMAGED;
	WebPIterator frame;

	if (parts == NULL)
		return why;
	if (WebPDemuxGetFrame(parts, 1, &frame)) {
		why = webp_decode(m, frame.fragment.bytes, frame.fragment.size);
		WebPDemuxReleaseIterator(&frame);
	}
	WebPDemuxDelete(parts);
	return why;
}

/* ---- GIF */

#define GIF_CODES 4096
#define GIF_WIDTH_MAX 12

struct gif {
	struct making *m;
	const unsigned char *p, *end;
	/* Of the blocks of a frame. */
	size_t block; /* bytes that are left of the present one */
	uint32_t bits;
	int bit_count;
	/* A code is what `before` is, and one byte more; `head` is its first one. */
	uint16_t before[GIF_CODES];
	unsigned char last[GIF_CODES], head[GIF_CODES];
	unsigned char reversed[GIF_CODES];
};

struct gif_frame {
	size_t left, top, width, height;
	bool laced;
	int clear; /* the colour that is none; -1: each is one */
	const unsigned char *colours; /* three bytes each */
	size_t colour_count;
	unsigned char *pixels; /* of one byte, in the order of the file */
};

static size_t
gif_number(const unsigned char *p)
{
	return (size_t)p[0] | (size_t)p[1] << 8;
}

/* Returns so many bytes, or NULL at the end. */
static const unsigned char *
gif_take(struct gif *g, size_t len)
{
	const unsigned char *p = g->p;

	if ((size_t)(g->end - p) < len)
		return NULL;
	g->p += len;
	return p;
}

/* Returns the next code of `width` bits, or -1 at the end. */
static int
gif_code(struct gif *g, int width)
{
	const unsigned char *p;
	int code;

	for (; g->bit_count < width; g->bit_count += 8) {
		if (g->block == 0) {
			p = gif_take(g, 1);
			if (p == NULL || *p == 0)
				return -1;
			g->block = *p;
		}
		p = gif_take(g, 1);
		if (p == NULL)
			return -1;
		g->block--;
		g->bits |= (uint32_t)*p << g->bit_count;
	}
	code = (int)(g->bits & ((1U << width) - 1));
	g->bits >>= width;
	g->bit_count -= width;
	return code;
}

/* Writes the pixels of a code, as far as there is room. Returns how much that was. */
static size_t
gif_expand(struct gif *g, int code, int first, unsigned char *to, size_t room)
{
	size_t count = 0;

	for (; code >= first; code = g->before[code])
		g->reversed[count++] = g->last[code];
	g->reversed[count++] = (unsigned char)code;
	if (room > count)
		room = count;
	for (size_t i = 0; i < room; i++)
		to[i] = g->reversed[count - 1 - i];
	return room;
}

/* Unpacks the pixels of a frame (LZW). What is cut off or wrong stays the first colour. */
static void
gif_unpack(struct gif *g, const struct gif_frame *f, int least)
{
	const int clear = 1 << least, end = clear + 1, first = clear + 2;
	int next = first, width = least + 1, old = -1, code;
	size_t at = 0, all = f->width * f->height;

	for (int i = 0; i < clear; i++)
		g->last[i] = g->head[i] = (unsigned char)i;
	while (at < all && (code = gif_code(g, width)) >= 0 && code != end) {
		if (code == clear) {
			next = first;
			width = least + 1;
			old = -1;
			continue;
		}
		if (code > (old < 0 ? clear : next))
			return;
		if (old >= 0 && next < GIF_CODES) {
			g->before[next] = (uint16_t)old;
			g->head[next] = g->head[old];
			/* A code may be the one that is made here. */
			g->last[next] = g->head[code];
			if (++next == 1 << width && width < GIF_WIDTH_MAX)
				width++;
		}
		at += gif_expand(g, code, first, f->pixels + at, all - at);
		old = code;
	}
}

/* Reads the table of colours that these flags tell of. */
static bool
gif_colours(struct gif *g, unsigned flags, struct gif_frame *f)
{
	if ((flags & 0x80) == 0)
		return true;
	f->colour_count = (size_t)2 << (flags & 7);
	f->colours = gif_take(g, 3 * f->colour_count);
	return f->colours != NULL;
}

/* Passes over an extension, but for the colour that is none. */
static bool
gif_extension(struct gif *g, struct gif_frame *f)
{
	const unsigned char *label = gif_take(g, 1), *size, *p;

	while (label != NULL && (size = gif_take(g, 1)) != NULL) {
		if (*size == 0)
			return true;
		p = gif_take(g, *size);
		if (p == NULL)
			return false;
		if (*label == 0xF9 && *size == 4)
			f->clear = (p[0] & 1) != 0 ? p[3] : -1;
	}
	return false;
}

/* Gives the picture's row y, of which the frame may be a part. `row` is that of the frame. */
static void
gif_row(const struct gif_frame *f, const unsigned char *row, size_t width, unsigned char *to)
{
	memset(to, 0, width * 4);
	to += f->left * 4;
	for (size_t x = 0; row != NULL && x < f->width; x++, to += 4) {
		if (row[x] == f->clear || row[x] >= f->colour_count)
			continue;
		memcpy(to, f->colours + (size_t)3 * row[x], 3);
		to[3] = 255;
	}
}

static void
gif_paint(struct making *m, const struct gif_frame *f, size_t width, size_t height)
{
	static const unsigned char begins[] = { 0, 4, 2, 1 }, steps[] = { 8, 8, 4, 2 };
	size_t *order = arena_array(m->c->arena, f->height, sizeof(*order)), n = 0;
	unsigned char *row = arena_alloc(m->c->arena, width * 4);

	for (size_t y = 0; y < f->height; y++)
		order[y] = y;
	for (int pass = 0; f->laced && pass < 4; pass++) {
		for (size_t y = begins[pass]; y < f->height; y += steps[pass])
			order[y] = n++;
	}
	begin(m, (int64_t)width, (int64_t)height);
	for (size_t y = 0; y < height; y++) {
		bool in = y >= f->top && y - f->top < f->height;
		gif_row(f, in ? f->pixels + order[y - f->top] * f->width : NULL, width, row);
		add_row(m, row);
	}
}

/* Reads the frame that begins here, and paints it. */
static const char *
gif_frame(struct gif *g, struct gif_frame *f, size_t width, size_t height)
{
	const unsigned char *p = gif_take(g, 9), *least;

	if (p == NULL)
		return DAMAGED;
	f->left = gif_number(p);
	f->top = gif_number(p + 2);
	f->width = gif_number(p + 4);
	f->height = gif_number(p + 6);
	f->laced = (p[8] & 0x40) != 0;
	if (f->width == 0 || f->height == 0 || f->left + f->width > width ||
	    f->top + f->height > height || !gif_colours(g, p[8], f) || f->colours == NULL)
		return DAMAGED;
	least = gif_take(g, 1);
	if (least == NULL || *least < 1 || *least > 8)
		return DAMAGED;
	f->pixels = arena_array(g->m->c->arena, f->width, f->height);
	memset(f->pixels, 0, f->width * f->height);
	gif_unpack(g, f, *least);
	gif_paint(g->m, f, width, height);
	return NULL;
}

static const char *
read_gif(struct making *m)
{
	struct gif *g = arena_alloc(m->c->arena, sizeof(*g));
	struct gif_frame f = { .clear = -1 };
	const unsigned char *head, *kind;

	memset(g, 0, sizeof(*g));
	g->m = m;
	g->p = m->bytes;
	g->end = g->p + m->len;
	head = gif_take(g, 13);
	if (head == NULL || !gif_colours(g, head[10], &f))
		return DAMAGED;
	while ((kind = gif_take(g, 1)) != NULL) {
		if (*kind == ',')
			return gif_frame(g, &f, gif_number(head + 6), gif_number(head + 8));
		if (*kind != '!' || !gif_extension(g, &f))
			return DAMAGED;
	}
	return DAMAGED;
}

/* ---- what comes out */

/* Returns where the pixel of the read rows is once the picture is upright. */
static size_t
place(const struct making *m, int64_t x, int64_t y)
{
	const int64_t right = m->to_width - 1 - x, below = m->to_height - 1 - y;
	const int64_t at[][2] = { { x, y }, { right, y }, { right, below }, { x, below }, { y, x },
		{ below, x }, { below, right }, { y, right } };
	const int64_t *to = at[m->orientation - 1];

	return (size_t)(to[1] * (m->orientation >= 5 ? m->to_height : m->to_width) + to[0]);
}

/* Returns the pixels upright, as WebPPicture has them. */
static uint32_t *
upright(const struct making *m)
{
	uint32_t *out =
	    arena_array(m->c->arena, (size_t)(m->to_width * m->to_height), sizeof(*out));
	const unsigned char *p = m->pixels;

	for (int64_t y = 0; y < m->to_height; y++) {
		for (int64_t x = 0; x < m->to_width; x++, p += 4)
			out[place(m, x, y)] = (uint32_t)p[3] << 24 | (uint32_t)p[0] << 16 |
					      (uint32_t)p[1] << 8 | p[2];
	}
	return out;
}

/* Encodes it with this quality; false where it cannot be. */
static bool
encode(const struct making *m, uint32_t *pixels, int quality, WebPMemoryWriter *w)
{
	bool turned = m->orientation >= 5, done;
	WebPPicture p;
	WebPConfig how;

	if (!WebPPictureInit(&p) || !WebPConfigPreset(&how, WEBP_PRESET_PHOTO, (float)quality))
		return false;
	how.alpha_quality = quality;
	p.use_argb = 1;
	p.width = (int)(turned ? m->to_height : m->to_width);
	p.height = (int)(turned ? m->to_width : m->to_height);
	p.argb = pixels;
	p.argb_stride = p.width;
	p.writer = WebPMemoryWrite;
	p.custom_ptr = w;
	done = WebPEncode(&how, &p);
	WebPPictureFree(&p);
	return done;
}

static const char *
write_out(const struct making *m, const void **out, size_t *out_len)
{
	WebPMemoryWriter w;
	const char *why = "it cannot be made small enough";

	for (int quality = 75; why != NULL && quality >= 0; quality -= 25) {
		WebPMemoryWriterInit(&w);
		/* Encoding changes clear pixels. */
		if (encode(m, upright(m), quality, &w) && w.size <= THUMBNAIL_BYTES_MAX) {
			*out = memcpy(arena_alloc(m->c->arena, w.size), w.mem, w.size);
			*out_len = w.size;
			why = NULL;
		}
		WebPMemoryWriterClear(&w);
	}
	return why;
}

const char *
thumbnail_make(struct ctx *c, const void *bytes, size_t len, const void **out, size_t *out_len)
{
	struct making m = { .c = c, .bytes = bytes, .len = len, .orientation = 1 };
	struct picture is;
	const char *why;

	if (picture_read(c, bytes, len, &is) != NULL)
		return DAMAGED;
	if (strcmp(is.extension, "jpg") == 0)
		why = read_jpeg(&m);
	else if (strcmp(is.extension, "png") == 0)
		why = read_png(&m);
	else if (strcmp(is.extension, "webp") == 0)
		why = read_webp(&m);
	else
		why = read_gif(&m);
	return why != NULL ? why : write_out(&m, out, out_len);
}
