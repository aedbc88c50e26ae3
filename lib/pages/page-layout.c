#include "pages/page-layout.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/encoding.h"
#include "frame.js.h"
#include "pages.css.h"
#include "pages/feed.h"
#include "pages/page-words.h"
#include "screen/assets.h"
#include "screen/hwrite.h"
#include "screen/tr.h"

/* The grounds of a page on which such text may be: the one that is nearest to a text's colour,
 * for light and for dark. lib/pages/pages.css and htdocs/article.css have these and others that
 * are farther. */
#define SHADE_LIGHT_GROUND "#f5f5f3"

#define SHADE_DARK_GROUND "#26262a"

/* A little more than AA asks, so that no rounding is below it. */
#define CONTRAST 4.55
#define STEPS 64

/* Returns the fifth root of 0 to 1, by Newton's way: the programs have no library of
 * mathematics. */
static double
fifth_root(double x)
{
	double r = 1;

	for (int i = 0; i < 60 && x > 0; i++)
		r -= (r - x / (r * r * r * r)) / 5;
	return x > 0 ? r : 0;
}

/* Returns the light of a channel (WCAG 2, "relative luminance"). */
static double
light_of(int channel)
{
	double v = channel / 255.0;

	if (v <= 0.04045)
		return v / 12.92;
	v = (v + 0.055) / 1.055;
	return v * v * fifth_root(v * v); /* v to the power of 2.4 */
}

static int
channel_of(const char *colour, int i)
{
	return 16 * percent_digit(colour[1 + 2 * i]) + percent_digit(colour[2 + 2 * i]);
}

static double
luminance(const char *colour)
{
	return 0.2126 * light_of(channel_of(colour, 0)) + 0.7152 * light_of(channel_of(colour, 1)) +
	       0.0722 * light_of(channel_of(colour, 2));
}

double
shade_contrast(const char *a, const char *b)
{
	double la = luminance(a) + 0.05, lb = luminance(b) + 0.05;

	return la > lb ? la / lb : lb / la;
}

/* Mixes the colour with black or white: it moves towards that end until it can be read. */
void
shade_of(const char *colour, bool dark, char out[SHADE_TEXT])
{
	const char *ground = dark ? SHADE_DARK_GROUND : SHADE_LIGHT_GROUND;
	int end = dark ? 255 : 0;

	for (int step = 0; step <= STEPS; step++) {
		int mixed[3];
		for (int i = 0; i < 3; i++) {
			int from = channel_of(colour, i);
			mixed[i] = from + (end - from) * step / STEPS;
		}
		(void)snprintf(out, SHADE_TEXT, "#%02x%02x%02x", (unsigned)mixed[0] & 0xFF,
		    (unsigned)mixed[1] & 0xFF, (unsigned)mixed[2] & 0xFF);
		if (shade_contrast(out, ground) >= CONTRAST)
			return;
	}
}

/* ---- the sheet of a workspace */

#define DIGITS 16
/* The colour of links where the workspace has chosen none. */
#define ACCENT "#0b57a4"

static const struct {
	const char *name, *families;
} fonts[] = {
	{ "system", "system-ui, -apple-system, \"Segoe UI\", Roboto, \"Noto Sans\", sans-serif" },
	{ "serif", "Georgia, Cambria, \"Times New Roman\", \"Noto Serif\", serif" },
	{ "sans", "\"Helvetica Neue\", Helvetica, Arial, \"Noto Sans\", sans-serif" },
	{ "mono", "ui-monospace, \"Cascadia Mono\", Menlo, \"DejaVu Sans Mono\", monospace" },
};

static const char *
families_of(const char *font)
{
	for (size_t i = 1; i < sizeof(fonts) / sizeof(fonts[0]); i++) {
		if (strcmp(fonts[i].name, font) == 0)
			return fonts[i].families;
	}
	return fonts[0].families;
}

const char *
theme_sheet(struct ctx *c, const struct pages_look *look)
{
	const char *accent = look->accent[0] != '\0' ? look->accent : ACCENT;
	char light[SHADE_TEXT], dark[SHADE_TEXT];

	shade_of(accent, false, light);
	shade_of(accent, true, dark);
	return arena_printf(c->arena,
	    ":root {\n"
	    "\t--pages-accent: light-dark(%s, %s);\n"
	    "\t--pages-font: %s;\n"
	    "\t--pages-width: %lldrem;\n"
	    "}\n",
	    light, dark, families_of(look->font), (long long)look->width);
}

/* Returns its name, "theme-0123456789abcdef.css" (arena). */
static const char *
theme_name(struct ctx *c, const struct pages_look *look)
{
	char digits[DIGITS + 1];
	struct digest d;

	digest_begin(&d, DIGITS / 2, "galley theme 1");
	digest_text(&d, theme_sheet(c, look));
	digest_end_hex(&d, digits);
	return arena_printf(c->arena, THEME_BEGINS "%s" THEME_ENDS, digits);
}

bool
theme_is_name(const char *text)
{
	if (strncmp(text, THEME_BEGINS, strlen(THEME_BEGINS)) != 0)
		return false;
	text += strlen(THEME_BEGINS);
	return strspn(text, "0123456789abcdef") == DIGITS && strcmp(text + DIGITS, THEME_ENDS) == 0;
}

/* ---- the script of frames */

#define NAME "frame-" FRAME_JS_DIGEST ".js"

const char *
frame_script_find(const char *name, size_t *len)
{
	if (strcmp(name, NAME) != 0)
		return NULL;
	*len = sizeof(frame_js) - 1;
	return frame_js;
}

/* Writes the script's element into <head>, unless `origins` is "". `root` is the path of all pages
 * ("/pages"), `below` that of the workspace's ("/pages/WORD/"), `origins` its embed_origins. `site`
 * is its analytics_site_id, NULL where nobody counts: the script loads collect.js, which is beside
 * `root`, once the website around the frame says that the reader agreed. */
static void
frame_write(struct hwrite *w, struct arena *a, const char *root, const char *below,
    const char *origins, const char *site)
{
	size_t above = strlen(root) - strlen("/pages");

	if (origins[0] == '\0')
		return;
	hwrite_open(w, H_SCRIPT);
	hwrite_address(w, A_SRC, arena_printf(a, "%s/assets/" NAME, root));
	hwrite_flag(w, A_DEFER, true);
	hwrite_data(w, "below", below);
	hwrite_data(w, "origins", origins);
	if (site != NULL) {
		hwrite_data(w, "site", site);
		hwrite_data(w, "collect", arena_printf(a, "%.*s/collect.js", (int)above, root));
	}
	hwrite_close(w, H_SCRIPT);
}

/* ---- the document */

#define STYLE "pages-" PAGES_CSS_DIGEST ".css"
#define MAIN "content"

static void
write_meta(struct hwrite *w, const char *name, const char *content)
{
	hwrite_open(w, H_META);
	hwrite_attr(w, A_NAME, name);
	hwrite_attr(w, A_CONTENT, content);
}

static void
write_sheet(struct hwrite *w, const char *address)
{
	hwrite_open(w, H_LINK);
	hwrite_attr(w, A_REL, "stylesheet");
	hwrite_address(w, A_HREF, address);
}

/* Where a feed is, for the programs that look for it. */
static void
write_feed(
    struct ctx *c, struct hwrite *w, const struct site *s, const char *type, const char *name)
{
	hwrite_open(w, H_LINK);
	hwrite_attr(w, A_REL, "alternate");
	hwrite_attr(w, A_TYPE, type);
	hwrite_attr(w, A_TITLE, s->title);
	hwrite_address(w, A_HREF, feed_address(c, s->home, name, NULL));
}

static void
write_head(struct ctx *c, struct hwrite *w, const struct site *s, const struct layout *l)
{
	hwrite_open(w, H_HEAD);
	hwrite_open(w, H_META);
	hwrite_attr(w, A_CHARSET, "utf-8");
	write_meta(w, "viewport", "width=device-width, initial-scale=1");
	write_meta(w, "robots", "noindex");
	if (l->description != NULL && l->description[0] != '\0')
		write_meta(w, "description", l->description);
	hwrite_element(w, H_TITLE, l->title);
	write_sheet(w, arena_printf(c->arena, "%s/assets/" STYLE, s->root));
	write_sheet(w, arena_printf(c->arena, "%s%s", s->home, theme_name(c, &s->look)));
	icon_write(w, s->root);
	write_feed(c, w, s, FEED_ATOM_TYPE, "feed.atom");
	write_feed(c, w, s, FEED_JSON_TYPE, "feed.json");
	frame_write(w, c->arena, s->root, s->home, s->w->embed_origins,
	    s->w->analytics_enabled ? s->w->analytics_site_id : NULL);
	hwrite_close(w, H_HEAD);
}

/* Writes the title of the pages, in an element that is open. It is in the workspace's language. */
static void
write_title(struct hwrite *w, const struct site *s, const struct layout *l)
{
	bool other = strcmp(l->language, s->w->settings.language) != 0;

	if (other) {
		hwrite_open(w, H_SPAN);
		hwrite_language(w, s->w->settings.language);
	}
	hwrite_text(w, s->title);
	if (other)
		hwrite_close(w, H_SPAN);
}

static void
write_top(struct hwrite *w, const struct site *s, const struct layout *l)
{
	hwrite_open(w, H_HEADER);
	hwrite_attr(w, A_CLASS, "site");
	hwrite_open(w, l->top ? H_H1 : H_P);
	if (!l->top) {
		hwrite_open(w, H_A);
		hwrite_address(w, A_HREF, s->home);
	}
	write_title(w, s, l);
	if (!l->top)
		hwrite_close(w, H_A);
	hwrite_close(w, l->top ? H_H1 : H_P);
	hwrite_close(w, H_HEADER);
}

void
layout_begin(
    struct ctx *c, struct hwrite *w, const struct site *s, const struct layout *l, struct buf *out)
{
	hwrite_init(w, out);
	hwrite_doctype(w);
	hwrite_open(w, H_HTML);
	hwrite_language(w, l->language);
	write_head(c, w, s, l);
	hwrite_open(w, H_BODY);
	hwrite_open(w, H_A);
	hwrite_attr(w, A_CLASS, "skip");
	hwrite_address(w, A_HREF, "#" MAIN);
	words_text(w, l->language, tr_mark("Skip to the content"));
	hwrite_close(w, H_A);
	write_top(w, s, l);
	hwrite_open(w, H_MAIN);
	hwrite_attr(w, A_ID, MAIN);
}

void
layout_end(struct hwrite *w)
{
	hwrite_close(w, H_MAIN);
	hwrite_close(w, H_BODY);
	hwrite_close(w, H_HTML);
	hwrite_end(w);
}

const char *
layout_style_find(const char *name, size_t *len)
{
	if (strcmp(name, STYLE) != 0)
		return NULL;
	*len = sizeof(pages_css) - 1;
	return pages_css;
}
