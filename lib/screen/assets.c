#include "screen/assets.h"

#include <string.h>

#include "article-page.css.h"
#include "base/arena.h"
#include "base/buf.h"
#include "console.css.h"
#include "console.js.h"
#include "copy.js.h"
#include "editor.css.h"
#include "icon.svg.h"
#include "menu.js.h"
#include "screen/hwrite.h"
#include "sending.js.h"
#include "visual.js.h"
#include "zone.js.h"

/* ---- the console's sheet and scripts */

#define EDITOR_SHEET "editor-" EDITOR_CSS_DIGEST ".css"
#define SHEET "console-" CONSOLE_CSS_DIGEST ".css"
#define SCRIPT "console-" CONSOLE_JS_DIGEST ".js"
#define VISUAL "visual-" VISUAL_GZ_DIGEST ".js"
#define SENDING "sending-" SENDING_JS_DIGEST ".js"
#define ZONE "zone-" ZONE_JS_DIGEST ".js"
#define COPY "copy-" COPY_JS_DIGEST ".js"
#define MENU "menu-" MENU_JS_DIGEST ".js"

static const struct {
	const char *name, *bytes;
	size_t len;
} assets[] = {
	[ASSET_SHEET] = { SHEET, console_css, sizeof(console_css) - 1 },
	[ASSET_EDITOR] = { SCRIPT, console_js, sizeof(console_js) - 1 },
	[ASSET_VISUAL] = { VISUAL, visual_gz, sizeof(visual_gz) - 1 },
	[ASSET_EDITOR_SHEET] = { EDITOR_SHEET, editor_css, sizeof(editor_css) - 1 },
	[ASSET_SENDING] = { SENDING, sending_js, sizeof(sending_js) - 1 },
	[ASSET_ZONE] = { ZONE, zone_js, sizeof(zone_js) - 1 },
	[ASSET_COPIES] = { COPY, copy_js, sizeof(copy_js) - 1 },
	[ASSET_MENUS] = { MENU, menu_js, sizeof(menu_js) - 1 },
};

const char *
asset_address(struct arena *a, const char *root, enum asset asset)
{
	return arena_printf(a, "%s/assets/%s", root, assets[asset].name);
}

const char *
style_find(const char *name, size_t *len)
{
	for (size_t i = 0; i < sizeof(assets) / sizeof(assets[0]); i++) {
		if (strcmp(name, assets[i].name) != 0)
			continue;
		*len = assets[i].len;
		return assets[i].bytes;
	}
	return NULL;
}

/* ---- the picture of the tab */

#define ICON "icon-" ICON_SVG_DIGEST ".svg"

void
icon_write(struct hwrite *w, const char *root)
{
	hwrite_open(w, H_LINK);
	hwrite_attr(w, A_REL, "icon");
	hwrite_address(w, A_HREF, arena_printf(w->out->arena, "%s/assets/" ICON, root));
}

const char *
icon_find(const char *name, size_t *len)
{
	if (strcmp(name, ICON) != 0)
		return NULL;
	*len = sizeof(icon_svg) - 1;
	return icon_svg;
}

/* ---- the page around an article */

#define ARTICLE_SHEET "article-" ARTICLE_PAGE_CSS_DIGEST ".css"

static void
write_meta(struct hwrite *w, const char *name, const char *content)
{
	hwrite_open(w, H_META);
	hwrite_attr(w, A_NAME, name);
	hwrite_attr(w, A_CONTENT, content);
}

static void
write_head(struct hwrite *w, const struct article_page *p)
{
	hwrite_open(w, H_HEAD);
	hwrite_open(w, H_META);
	hwrite_attr(w, A_CHARSET, "utf-8");
	write_meta(w, "viewport", "width=device-width, initial-scale=1");
	write_meta(w, "robots", "noindex, nofollow, noarchive");
	hwrite_element(w, H_TITLE, p->title);
	hwrite_open(w, H_LINK);
	hwrite_attr(w, A_REL, "stylesheet");
	hwrite_address(w, A_HREF, arena_printf(w->out->arena, "%s/assets/" ARTICLE_SHEET, p->root));
	icon_write(w, p->root);
	hwrite_close(w, H_HEAD);
}

static void
write_body(struct hwrite *w, const struct article_page *p)
{
	hwrite_open(w, H_BODY);
	if (p->said != NULL) {
		hwrite_open(w, H_HEADER);
		hwrite_attr(w, A_CLASS, "said");
		hwrite_language(w, "en");
		hwrite_element(w, H_P, p->said);
		hwrite_close(w, H_HEADER);
	}
	hwrite_open(w, H_MAIN);
	if (p->html != NULL) {
		hwrite_export(w, p->html, p->html_len);
	} else {
		hwrite_attr(w, A_CLASS, "alone");
		p->write(w, p->data);
	}
	hwrite_close(w, H_MAIN);
	hwrite_close(w, H_BODY);
}

void
article_page_write(struct buf *out, const struct article_page *p)
{
	struct hwrite w;

	hwrite_init(&w, out);
	hwrite_doctype(&w);
	hwrite_open(&w, H_HTML);
	hwrite_language(&w, p->language);
	hwrite_attr(&w, A_CLASS, p->scheme);
	write_head(&w, p);
	write_body(&w, p);
	hwrite_close(&w, H_HTML);
	hwrite_end(&w);
}

const char *
article_page_style_find(const char *name, size_t *len)
{
	if (strcmp(name, ARTICLE_SHEET) != 0)
		return NULL;
	*len = sizeof(article_page_css) - 1;
	return article_page_css;
}
