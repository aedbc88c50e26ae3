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

/* ---- colours that can be read */

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
colour_contrast(const char *a, const char *b)
{
	double la = luminance(a) + 0.05, lb = luminance(b) + 0.05;

	return la > lb ? la / lb : lb / la;
}

/* Of lib/pages/pages.css, for light and for dark: the ground that is nearest to a colour of letters
 * (--wash), and the colour of links (--letters). */
static const struct {
	const char *ground, *letters;
} own[] = { { "#f3f0e9", "#1d5a86" }, { "#202225", "#93c4ea" } };

const char *
letters_of(const char *accent, bool dark)
{
	bool good = accent[0] != '\0' && colour_contrast(accent, own[dark].ground) >= 4.5;

	return good ? accent : own[dark].letters;
}

/* ---- the sheet of a workspace */

#define DIGITS 16

/* "system" is that of the sheet. */
static const struct {
	const char *name, *families;
} fonts[] = {
	{ "serif", "Georgia, Cambria, \"Times New Roman\", \"Noto Serif\", serif" },
	{ "sans", "\"Helvetica Neue\", Helvetica, Arial, \"Noto Sans\", sans-serif" },
	{ "mono", "ui-monospace, \"Cascadia Mono\", Menlo, \"DejaVu Sans Mono\", monospace" },
};

const char *
theme_sheet(struct ctx *c, const struct pages_look *look)
{
	struct buf out;

	buf_init(&out, c->arena, 1024);
	buf_lit(&out, ":root {\n");
	if (look->accent[0] != '\0')
		buf_printf(&out, "\t--accent: %s;\n\t--letters: light-dark(%s, %s);\n",
		    look->accent, letters_of(look->accent, false), letters_of(look->accent, true));
	for (size_t i = 0; i < sizeof(fonts) / sizeof(fonts[0]); i++) {
		if (strcmp(fonts[i].name, look->font) == 0)
			buf_printf(&out, "\t--serif: %s;\n", fonts[i].families);
	}
	buf_printf(&out, "\t--width: %lldrem;\n}\n", (long long)look->width);
	return buf_done(&out);
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

/* Writes what the workspace named, in an element that is open: it is in the workspace's
 * language. */
static void
write_own(struct hwrite *w, const struct site *s, const struct layout *l, const char *text)
{
	bool other = strcmp(l->language, s->w->settings.language) != 0;

	if (other) {
		hwrite_open(w, H_SPAN);
		hwrite_language(w, s->w->settings.language);
	}
	hwrite_text(w, text);
	if (other)
		hwrite_close(w, H_SPAN);
}

static void
write_topics(struct hwrite *w, const struct site *s, const struct layout *l)
{
	hwrite_open(w, H_NAV);
	hwrite_attr(w, A_ARIA_LABELLEDBY, "topics");
	hwrite_open(w, H_SPAN);
	hwrite_attr(w, A_CLASS, "unseen");
	hwrite_attr(w, A_ID, "topics");
	words_text(w, l->language, tr_mark("Topics"));
	hwrite_close(w, H_SPAN);
	hwrite_open(w, H_UL);
	for (size_t i = 0; i < l->topic_count; i++) {
		const struct topic *topic = &l->topics[i];
		hwrite_open(w, H_LI);
		hwrite_open(w, H_A);
		hwrite_address(w, A_HREF, topic->address);
		hwrite_attr(w, A_ARIA_CURRENT, topic->here ? "page" : NULL);
		if (topic->name == NULL)
			words_text(w, l->language, tr_mark("All"));
		else
			write_own(w, s, l, topic->name);
		hwrite_close(w, H_A);
		hwrite_close(w, H_LI);
	}
	hwrite_close(w, H_UL);
	hwrite_close(w, H_NAV);
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
	write_own(w, s, l, s->title);
	if (!l->top)
		hwrite_close(w, H_A);
	hwrite_close(w, l->top ? H_H1 : H_P);
	if (l->topic_count > 0)
		write_topics(w, s, l);
	hwrite_close(w, H_HEADER);
}

static void
write_foot(struct ctx *c, struct hwrite *w, const struct site *s, const struct layout *l)
{
	hwrite_open(w, H_FOOTER);
	hwrite_attr(w, A_CLASS, "foot");
	hwrite_open(w, H_P);
	write_own(w, s, l, s->title);
	hwrite_close(w, H_P);
	hwrite_open(w, H_P);
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF, feed_address(c, s->home, "feed.atom", NULL));
	words_text(w, l->language, tr_mark("Feed"));
	hwrite_close(w, H_A);
	hwrite_close(w, H_P);
	hwrite_close(w, H_FOOTER);
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
layout_end(struct ctx *c, struct hwrite *w, const struct site *s, const struct layout *l)
{
	hwrite_close(w, H_MAIN);
	write_foot(c, w, s, l);
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
