#include "provider/cover/cover-paint.h"

#include <math.h>

#include <cairo.h>
#include <fontconfig/fontconfig.h>

#include "base/digest.h"
#include "base/log.h"
#include "content/lang.h"
#include "provider/cover/cover-text.h"
#include "provider/cover/cover.h"

/* The layout, in pixels. */
enum {
	TITLE_TOP = 80,
	BAR_TOP = 528,
	BAR_WIDTH = 72,
	BAR_HEIGHT = 8,
	FOOT_TOP = 562,
	FOOT_SIZE = 30
};

struct colour {
	double red, green, blue;
};

#define RGB(hex)                                                                                   \
	{                                                                                          \
		(double)((hex) >> 16 & 255) / 255, (double)((hex) >> 8 & 255) / 255,               \
		    (double)((hex)&255) / 255                                                      \
	}

/* Dark grounds: white text on them has a contrast of at least 7 : 1. */
static const struct palette {
	struct colour from, to; /* the ground, corner to corner */
	struct colour shape; /* large and faint */
	struct colour accent; /* small and bright */
} palettes[] = {
	{ RGB(0x12355B), RGB(0x0B1F38), RGB(0x5FA8D3), RGB(0xF4B860) },
	{ RGB(0x14463B), RGB(0x0A2722), RGB(0x6FC2A0), RGB(0xF2D16B) },
	{ RGB(0x4A1D3F), RGB(0x260E22), RGB(0xD987B4), RGB(0xF6B26B) },
	{ RGB(0x5A2A1A), RGB(0x2E140C), RGB(0xE79A6B), RGB(0xF7D488) },
	{ RGB(0x2C2A5E), RGB(0x151433), RGB(0x9794E0), RGB(0x7FE0D0) },
	{ RGB(0x124A57), RGB(0x09262D), RGB(0x65BFCF), RGB(0xF3A76C) },
	{ RGB(0x33383F), RGB(0x181B1F), RGB(0x98A6B5), RGB(0x8BD3A9) },
	{ RGB(0x5B1F2B), RGB(0x2C0E14), RGB(0xE28A94), RGB(0xF3CF7A) },
};

struct cover {
	cairo_t *cairo;
	bool rtl;
	const struct palette *palette;
	unsigned char seed[8]; /* the shapes are computed from it */
};

static void
set_colour(struct cover *v, const struct colour *colour, double alpha)
{
	cairo_set_source_rgba(v->cairo, colour->red, colour->green, colour->blue, alpha);
}

static void
choose(struct cover *v, const char *title, const char *publisher)
{
	struct digest d;

	digest_begin(&d, sizeof(v->seed), "cover");
	digest_text(&d, title);
	digest_text(&d, publisher);
	digest_end(&d, v->seed);
	v->palette = &palettes[v->seed[0] % (sizeof(palettes) / sizeof(*palettes))];
}

/* Returns a number between `low` and `high` that seed byte `i` decides. */
static double
vary(const struct cover *v, int i, double low, double high)
{
	return low + (high - low) * v->seed[i] / 255;
}

/* Mirrors a place, so that strong shapes are on the side away from the text. */
static double
mirrored(const struct cover *v, double x)
{
	return v->rtl ? COVER_WIDTH - x : x;
}

static void
draw_ground(struct cover *v)
{
	const struct palette *p = v->palette;
	cairo_pattern_t *ground =
	    cairo_pattern_create_linear(mirrored(v, COVER_WIDTH), 0, mirrored(v, 0), COVER_HEIGHT);

	cairo_pattern_add_color_stop_rgb(ground, 0, p->from.red, p->from.green, p->from.blue);
	cairo_pattern_add_color_stop_rgb(ground, 1, p->to.red, p->to.green, p->to.blue);
	cairo_set_source(v->cairo, ground);
	cairo_paint(v->cairo);
	cairo_pattern_destroy(ground);
}

/* Draws rings around a point in the lower corner away from the text, the outer ones
 * fainter, and a bright dot on the second ring, where there is no text. */
static void
draw_rings(struct cover *v)
{
	double x = vary(v, 1, 1040, 1120), y = vary(v, 2, 440, 560);
	double step = vary(v, 3, 46, 66), angle = vary(v, 4, 4.3, 5.1);
	double dot_x = x + step * 2.2 * cos(angle);
	double dot_y = y + step * 2.2 * sin(angle);

	set_colour(v, &v->palette->shape, 0.16);
	cairo_arc(v->cairo, mirrored(v, x), y, step * 1.5, 0, 2 * M_PI);
	cairo_fill(v->cairo);
	for (int ring = 2; ring <= 7; ring++) {
		set_colour(v, &v->palette->shape, 0.34 - 0.04 * ring);
		cairo_set_line_width(v->cairo, step * 0.36);
		cairo_arc(v->cairo, mirrored(v, x), y, step * (ring + 0.2), 0, 2 * M_PI);
		cairo_stroke(v->cairo);
	}
	set_colour(v, &v->palette->accent, 0.95);
	cairo_arc(v->cairo, mirrored(v, dot_x), dot_y, 17, 0, 2 * M_PI);
	cairo_fill(v->cairo);
}

static void
draw_bar(struct cover *v)
{
	double left = v->rtl ? COVER_WIDTH - COVER_MARGIN - BAR_WIDTH : COVER_MARGIN;

	set_colour(v, &v->palette->accent, 1);
	cairo_rectangle(v->cairo, left, BAR_TOP, BAR_WIDTH, BAR_HEIGHT);
	cairo_fill(v->cairo);
}

/* Returns whether there is a font. Pango ends the process if it finds none. */
static bool
have_fonts(void)
{
	FcFontSet *fonts = FcInit() ? FcConfigGetFonts(FcConfigGetCurrent(), FcSetSystem) : NULL;

	if (fonts != NULL && fonts->nfont > 0)
		return true;
	log_line("cover: no fonts are installed");
	return false;
}

static bool
save(cairo_t *cairo, const char *path)
{
	cairo_status_t status = cairo_status(cairo);

	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_write_to_png(cairo_get_target(cairo), path);
	if (status == CAIRO_STATUS_SUCCESS)
		return true;
	log_line("cover: %s", cairo_status_to_string(status));
	return false;
}

static bool
draw(struct ctx *c, struct cover *v, const char *title, const char *publisher, const char *language)
{
	struct cover_text text = { v->cairo, language, v->rtl };

	draw_ground(v);
	draw_rings(v);
	cairo_set_source_rgb(v->cairo, 1, 1, 1);
	if (!cover_text_title(c, &text, title, TITLE_TOP)) {
		log_line("cover: the fonts here have no glyphs for the title");
		return false;
	}
	draw_bar(v);
	cairo_set_source_rgba(v->cairo, 1, 1, 1, 0.82);
	cover_text_line(&text, publisher, FOOT_SIZE, FOOT_TOP);
	return true;
}

bool
cover_paint(
    struct ctx *c, const char *title, const char *publisher, const char *language, const char *path)
{
	struct cover v = { .rtl = lang_is_rtl(language) };

	if (!have_fonts())
		return false;
	v.cairo =
	    cairo_create(cairo_image_surface_create(CAIRO_FORMAT_RGB24, COVER_WIDTH, COVER_HEIGHT));
	choose(&v, title, publisher);
	return draw(c, &v, title, publisher, language) && save(v.cairo, path);
}
