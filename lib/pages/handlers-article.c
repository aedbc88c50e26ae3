/* The page of an article, and what is said where there is none (any more); the workspace's
 * sheet. */
#include <string.h>

#include "article/listed.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/percent.h"
#include "content/lang.h"
#include "pages/handlers.h"
#include "pages/page-item.h"
#include "pages/page-layout.h"
#include "pages/page-words.h"
#include "pages/pages-answer.h"
#include "pages/say.h"
#include "screen/tr.h"

/* ---- the page */

/* Writes the date, which the sheet does not show once more below the title, and the time that
 * reading takes. */
static void
write_facts(struct ctx *c, struct hwrite *w, const struct item *item)
{
	hwrite_open(w, H_P);
	hwrite_attr(w, A_CLASS, "facts");
	words_date(c, w, item->language, item->article.first_published_at);
	hwrite_text(w, " ");
	words_minutes(c, w, item->language, item->minutes);
	hwrite_close(w, H_P);
}

/* Writes the article's own address, if it has one. */
static void
write_canonical(struct hwrite *w, const struct item *item)
{
	if (item->canonical == NULL)
		return;
	hwrite_open(w, H_P);
	hwrite_attr(w, A_CLASS, "facts");
	words_text(w, item->language, tr_mark("On its own website:"));
	hwrite_text(w, " ");
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF, item->canonical);
	hwrite_element(w, H_BDI, item->canonical);
	hwrite_close(w, H_A);
	hwrite_close(w, H_P);
}

/* Writes the way to a neighbour, which is in the article's language. */
static void
write_neighbour(struct ctx *c, struct hwrite *w, const struct site *s, const char *language,
    const char *words, const struct item *n)
{
	hwrite_open(w, H_LI);
	words_element(w, H_SPAN, "way", language, words);
	hwrite_text(w, " ");
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF, item_address(c, s->w, s->home, language, n->slug));
	hwrite_text(w, n->title);
	hwrite_close(w, H_A);
	hwrite_close(w, H_LI);
}

/* The previous one is before it in the list, so it is newer. */
static void
write_neighbours(struct ctx *c, struct hwrite *w, struct site *s, const struct item *item)
{
	struct listed at;
	struct item newer, older;
	bool has_newer =
	    listed_newer(c, &item->article, &at) && item_listed(c, s, at.uuid, ITEM_NAME, &newer);
	bool has_older =
	    listed_older(c, &item->article, &at) && item_listed(c, s, at.uuid, ITEM_NAME, &older);

	if (!has_newer && !has_older)
		return;
	hwrite_open(w, H_NAV);
	hwrite_attr(w, A_CLASS, "ways");
	hwrite_attr(w, A_ARIA_LABELLEDBY, "ways");
	hwrite_open(w, H_H2);
	hwrite_attr(w, A_ID, "ways");
	hwrite_attr(w, A_CLASS, "unseen");
	words_text(w, item->language, tr_mark("More articles"));
	hwrite_close(w, H_H2);
	hwrite_open(w, H_UL);
	if (has_newer)
		write_neighbour(c, w, s, item->language, tr_mark("Previous:"), &newer);
	if (has_older)
		write_neighbour(c, w, s, item->language, tr_mark("Next:"), &older);
	hwrite_close(w, H_UL);
	hwrite_close(w, H_NAV);
}

static void
write_article(struct ctx *c, struct site *s, const struct item *item, struct reply *reply)
{
	struct hwrite w;

	words_begin(c, item->language);
	send_begin(reply, s->w->embed_origins);
	reply_show_revision(reply, item->revision);
	layout_begin(c, &w, s,
	    &(struct layout) { .language = item->language,
		.title = item->title,
		.description = item->description },
	    &reply->body);
	write_facts(c, &w, item);
	hwrite_export(&w, item->html, strlen(item->html));
	write_canonical(&w, item);
	write_neighbours(c, &w, s, item);
	layout_end(&w);
}

/* ---- the address */

/* Divides "TAG/SLUG" or "SLUG", each also with a slash at its end, which is not the article's
 * address but leads there; false if it can be neither. *tag is NULL for the latter. A tag is in
 * lower case. */
static bool
divide(struct ctx *c, const char *path, const char **tag, const char **slug)
{
	size_t len = strlen(path);
	const char *slash;

	if (len > 1 && path[len - 1] == '/')
		path = arena_text_n(c->arena, path, len - 1);
	slash = strchr(path, '/');
	*tag = NULL;
	*slug = path;
	if (slash != NULL) {
		*tag = arena_text_n(c->arena, path, (size_t)(slash - path));
		*slug = slash + 1;
		if (lang_clean(c->arena, *tag) == NULL ||
		    strcmp(*tag, lang_fold(c->arena, *tag)) != 0)
			return false;
	}
	return **slug != '\0' && strchr(*slug, '/') == NULL;
}

/* Answers with the article at its address, and elsewhere with the way there. A tag that was never
 * the article's leads nowhere. */
static void
answer_article(struct ctx *c, struct site *s, const char *tag, const char *slug, const char *uuid,
    struct reply *reply)
{
	const char *address;
	struct item item;

	if (!item_listed(c, s, uuid, ITEM_WHOLE, &item)) {
		say_unknown(c, s, reply);
		return;
	}
	address = item_address(c, s->w, s->home, item.language, item.slug);
	if (strcmp(address, arena_printf(c->arena, "%s%s", s->home,
				percent_encode_path(c->arena, s->path))) == 0)
		write_article(c, s, &item, reply);
	else if (tag == NULL || listed_had(c, &item.article, slug, tag))
		send_moved(c, reply, address);
	else
		say_unknown(c, s, reply);
}

void
handlers_article(struct ctx *c, struct site *s, struct reply *reply)
{
	const char *tag, *slug, *uuid;
	enum listed_slug found = SLUG_UNKNOWN;

	if (divide(c, s->path, &tag, &slug))
		found = listed_find_slug(c, s->w->id, slug, &uuid);
	if (found == SLUG_UNKNOWN)
		say_unknown(c, s, reply);
	else if (found == SLUG_GONE)
		say_page(c, s, reply, 410, tr_mark("This article is no longer here"),
		    tr_mark("It was published once, and was taken back."));
	else
		answer_article(c, s, tag, slug, uuid, reply);
}

/* ---- the sheet */

/* An old digest gets the present sheet: a page that shows it is somewhere. */
void
handlers_theme(struct ctx *c, struct site *s, struct reply *reply)
{
	s->fleeting = !theme_is_name(s->path);
	send_begin(reply, NULL);
	buf_add_text(&reply->body, theme_sheet(c, &s->look));
}
