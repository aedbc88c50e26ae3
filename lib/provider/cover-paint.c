#include "provider/cover-paint.h"

#include <cairo.h>
#include <fontconfig/fontconfig.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

#include "base/buf.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/log.h"
#include "base/utf8.h"
#include "content/lang.h"
#include "provider/cover.h"
#include "provider/outline/title.h"

enum { COVER_MARGIN = 90, COVER_TEXT_WIDTH = 880 }; /* pixels */

struct cover_text {
	cairo_t *cairo;
	const char *language; /* a clean tag: chooses between glyphs (ja, zh) */
	bool rtl;
};

enum { /* pixels */
	TITLE_HEIGHT = 410, /* the most that a title may take */
	TITLE_SIZE_MAX = 128, /* of a title of one line */
	TITLE_SIZE_LINES = 92, /* of one of several */
	TITLE_SIZE_WORDS = 48, /* below this size words may be broken */
	TITLE_SIZE_MIN = 40, /* at it what does not fit is left out */
	TITLE_SIZE_STEP = 2
};

/* The first font that has a glyph draws it. */
#define FAMILIES                                                                                   \
	"Noto Sans, Noto Sans Arabic, Noto Sans Hebrew, Noto Sans "                                \
	"Devanagari, "                                                                             \
	"Noto Sans Thai, sans-serif, DejaVu Sans"

/* A text and the setting of its lines. */
struct lines {
	PangoLayout *layout;
	int size; /* of the letters */
	double height; /* from one baseline to the next */
};

/* Switches hinting and subpixels off, because the settings of this machine are for its
 * screen. */
static void
set_rendering(PangoContext *context)
{
	cairo_font_options_t *options = cairo_font_options_create();

	cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
	cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
	pango_cairo_context_set_font_options(context, options);
	pango_cairo_context_set_resolution(context, 96);
	cairo_font_options_destroy(options);
}

static PangoLayout *
layout_make(const struct cover_text *t, const char *text, int size, PangoWeight weight)
{
	PangoLayout *layout = pango_cairo_create_layout(t->cairo);
	PangoContext *context = pango_layout_get_context(layout);
	PangoFontDescription *font = pango_font_description_from_string(FAMILIES);

	pango_context_set_language(context, pango_language_from_string(t->language));
	pango_context_set_base_dir(context, t->rtl ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR);
	pango_context_set_round_glyph_positions(context, FALSE);
	set_rendering(context);
	pango_font_description_set_weight(font, weight);
	pango_font_description_set_absolute_size(font, (double)size * PANGO_SCALE);
	pango_layout_set_font_description(layout, font);
	pango_font_description_free(font);
	/* The language decides the direction, not the first letter. */
	pango_layout_set_auto_dir(layout, FALSE);
	pango_layout_set_width(layout, COVER_TEXT_WIDTH * PANGO_SCALE);
	pango_layout_set_text(layout, text, -1);
	return layout;
}

/* Returns the height of a line. Letters with marks above and below need more. */
static double
line_height(const char *text, int size)
{
	while (*text != '\0') {
		switch (lang_script(utf8_next(&text))) {
		case SCRIPT_ARABIC:
		case SCRIPT_DEVANAGARI:
		case SCRIPT_THAI:
		case SCRIPT_REST:
			return size * 1.4;
		default:
			break;
		}
	}
	return size * 1.2;
}

/* Returns whether a line begins inside a word of a script that puts spaces
 * between words. */
static bool
breaks_words(PangoLayout *layout)
{
	const char *text = pango_layout_get_text(layout);

	for (int i = 1; i < pango_layout_get_line_count(layout); i++) {
		const char *p = text + pango_layout_get_line_readonly(layout, i)->start_index;
		char before = p[-1];
		uint32_t cp = utf8_next(&p);

		if (lang_is_word(cp) && !lang_is_cjk(cp) && lang_script(cp) != SCRIPT_THAI &&
		    before != ' ' && before != '-')
			return true;
	}
	return false;
}

/* Returns how unequal the lines are: the sum of the squares of what each line lacks to
 * the longest one. */
static double
raggedness(PangoLayout *layout)
{
	int lines = pango_layout_get_line_count(layout);
	PangoRectangle extents;
	double longest = 0, sum = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < lines; i++) {
			pango_layout_line_get_extents(
			    pango_layout_get_line_readonly(layout, i), NULL, &extents);
			if (pass == 0)
				longest = fmax(longest, extents.width);
			else
				sum += pow(longest - extents.width, 2);
		}
	}
	return sum;
}

/* Narrows the lines to the width at which they are most alike, without adding a line.
 * This avoids a last line of a single word. */
static void
balance(PangoLayout *layout)
{
	int lines = pango_layout_get_line_count(layout);
	bool broken = breaks_words(layout);
	double least = raggedness(layout);
	int best = COVER_TEXT_WIDTH;

	for (int width = COVER_TEXT_WIDTH; width > COVER_TEXT_WIDTH / 3; width -= 20) {
		double now;

		pango_layout_set_width(layout, width * PANGO_SCALE);
		if (pango_layout_get_line_count(layout) > lines || breaks_words(layout) != broken)
			break;
		now = raggedness(layout);
		if (now < least) {
			least = now;
			best = width;
		}
	}
	pango_layout_set_width(layout, best * PANGO_SCALE);
}

/* Sets the title at the largest size that fits. Words are broken only if the title
 * would be small otherwise. */
static struct lines
set_title(const struct cover_text *t, const char *title)
{
	struct lines set;

	for (set.size = TITLE_SIZE_MAX;; set.size -= TITLE_SIZE_STEP) {
		int most;

		set.layout = layout_make(t, title, set.size, PANGO_WEIGHT_BOLD);
		set.height = line_height(title, set.size);
		pango_layout_set_wrap(set.layout, PANGO_WRAP_WORD_CHAR);
		most = set.size > TITLE_SIZE_LINES ? 1 : (int)(TITLE_HEIGHT / set.height);
		if (set.size <= TITLE_SIZE_MIN) {
			pango_layout_set_height(set.layout, -most);
			pango_layout_set_ellipsize(set.layout, PANGO_ELLIPSIZE_END);
			return set;
		}
		if (pango_layout_get_line_count(set.layout) <= most &&
		    (set.size <= TITLE_SIZE_WORDS || !breaks_words(set.layout)))
			break;
		g_object_unref(set.layout);
	}
	balance(set.layout);
	return set;
}

/* Draws the lines at baselines of its own: Pango's distance between lines follows the
 * fonts, which differ from line to line if scripts are mixed. */
static void
show(const struct cover_text *t, const struct lines *set, double top)
{
	for (int i = 0; i < pango_layout_get_line_count(set->layout); i++) {
		PangoLayoutLine *line = pango_layout_get_line_readonly(set->layout, i);
		PangoRectangle extents;
		double left = COVER_MARGIN;

		pango_layout_line_get_extents(line, NULL, &extents);
		if (t->rtl)
			left = COVER_WIDTH - COVER_MARGIN - (double)extents.width / PANGO_SCALE;
		cairo_move_to(t->cairo, left, top + set->size + i * set->height);
		pango_cairo_show_layout_line(t->cairo, line);
	}
}

static bool
is_hiragana(uint32_t cp)
{
	return cp >= 0x3041 && cp <= 0x309F;
}

/* Returns Japanese text with a word joiner wherever a phrase does not end. A phrase
 * nearly always ends after Hiragana and before another script. */
static const char *
with_joiners(struct ctx *c, const struct cover_text *t, const char *title)
{
	const char *p = title, *from = title;
	uint32_t before = 0;
	struct buf b;

	if (strncmp(t->language, "ja", 2) != 0)
		return title;
	buf_init(&b, c->arena, 4 * strlen(title) + 1);
	for (; *p != '\0'; from = p) {
		uint32_t cp = utf8_next(&p);
		bool cjk = lang_is_cjk(cp) && lang_is_cjk(before);

		if (cjk && !(is_hiragana(before) && !is_hiragana(cp)))
			buf_add_code_point(&b, 0x2060);
		buf_add(&b, from, (size_t)(p - from));
		before = cp;
	}
	return buf_done(&b);
}

/* Returns the title with letters and common punctuation only, for a title whose
 * pictographs have no glyph on this machine. */
static const char *
plain_title(struct ctx *c, const char *title)
{
	const char *p = title, *from;
	struct buf b;

	buf_init(&b, c->arena, strlen(title) + 1);
	for (from = p; *p != '\0'; from = p) {
		uint32_t cp = utf8_next(&p);
		if (lang_is_word(cp) || cp < 0x3040)
			buf_add(&b, from, (size_t)(p - from));
	}
	return b.data;
}

/*
 * Draws a title as large as it fits, its first line below `top`. Pictographs that the
 * fonts lack are left out. Returns false, and draws nothing, if the fonts lack a letter
 * or nothing remains.
 */
static bool
cover_text_title(struct ctx *c, const struct cover_text *t, const char *title, double top)
{
	struct lines set = set_title(t, with_joiners(c, t, title));
	bool whole = pango_layout_get_unknown_glyphs_count(set.layout) == 0;

	if (!whole) {
		g_object_unref(set.layout);
		title = plain_title(c, title);
		set = set_title(t, with_joiners(c, t, title));
		whole = !title_is_blank(title) &&
			pango_layout_get_unknown_glyphs_count(set.layout) == 0;
	}
	if (whole)
		show(t, &set, top);
	g_object_unref(set.layout);
	return whole;
}

/* Draws one line in letters of `size` and cuts it if it is too long. Draws nothing if
 * the fonts lack a letter of it. */
static void
cover_text_line(const struct cover_text *t, const char *text, int size, double top)
{
	struct lines set = { layout_make(t, text, size, PANGO_WEIGHT_NORMAL), size, size };

	pango_layout_set_ellipsize(set.layout, PANGO_ELLIPSIZE_END);
	if (pango_layout_get_unknown_glyphs_count(set.layout) == 0)
		show(t, &set, top);
	g_object_unref(set.layout);
}

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
