#include "pages/layout.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "pages.css.h"
#include "pages/feed.h"
#include "pages/frame.h"
#include "pages/page-words.h"
#include "pages/theme.h"
#include "screen/icon.h"
#include "screen/tr.h"

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
	feed_write_links(w, c, s->title, s->home, NULL);
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
