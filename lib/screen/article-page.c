#include "screen/article-page.h"

#include <string.h>

#include "article-page.css.h"
#include "base/arena.h"
#include "screen/hwrite.h"
#include "screen/icon.h"

#define NAME "article-" ARTICLE_PAGE_CSS_DIGEST ".css"

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
	hwrite_address(w, A_HREF, arena_printf(w->out->arena, "%s/assets/" NAME, p->root));
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
	if (strcmp(name, NAME) != 0)
		return NULL;
	*len = sizeof(article_page_css) - 1;
	return article_page_css;
}
