#include "pages/page-article.h"

#include <string.h>

#include "access/workspace.h"
#include "article/listed.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "pages/page-html.h"
#include "pages/page-item.h"
#include "pages/page-layout.h"
#include "pages/page-words.h"
#include "screen/hwrite.h"
#include "screen/tr.h"
#include "web/req.h"

void
article_add_value(struct buf *out, const char *value)
{
	static const char plain[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

	for (; *value != '\0'; value++) {
		if (strchr(plain, *value) != NULL)
			buf_add_char(out, *value);
		else
			buf_printf(out, "%%%02X", (unsigned)(unsigned char)*value);
	}
}

/* ---- topics: the sections that articles have */

#define TOPICS 8

/* Returns the address of the list of a section or a tag (arena). */
static const char *
filter_address(struct ctx *c, const struct site *s, const char *name, const char *value)
{
	struct buf out;

	buf_init(&out, c->arena, 4 * REQ_TARGET_MAX);
	buf_printf(&out, "%s?%s=", s->home, name);
	article_add_value(&out, value);
	return buf_done(&out);
}

void
article_topics(struct ctx *c, const struct site *s, const char *section, struct layout *out)
{
	struct topic *topics = arena_array(c->arena, TOPICS + 1, sizeof(*topics));
	const char *names[TOPICS];
	size_t count = listed_sections(c, s->w->id, names, TOPICS);

	topics[0] = (struct topic) { NULL, s->home, section != NULL && section[0] == '\0' };
	for (size_t i = 0; i < count; i++)
		topics[1 + i] =
		    (struct topic) { names[i], filter_address(c, s, "section", names[i]),
			    section != NULL && strcmp(section, names[i]) == 0 };
	out->topics = topics;
	out->topic_count = count > 1 ? count + 1 : 0;
}

/* Writes a link to the list of a section or a tag, which is no word of the page. */
static void
write_topic(
    struct ctx *c, struct hwrite *w, const struct site *s, const char *name, const char *value)
{
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF, filter_address(c, s, name, value));
	hwrite_element(w, H_BDI, value);
	hwrite_close(w, H_A);
}

static void
write_kicker(struct ctx *c, struct hwrite *w, const struct site *s, const struct item *item)
{
	if (item->section == NULL)
		return;
	hwrite_open(w, H_P);
	hwrite_attr(w, A_CLASS, "kicker");
	write_topic(c, w, s, "section", item->section);
	hwrite_close(w, H_P);
}

/* ---- a card of a list */

static void
write_cover(struct hwrite *w, const struct item *item, bool first)
{
	if (item->cover == NULL)
		return;
	hwrite_open(w, H_IMG);
	hwrite_attr(w, A_CLASS, "cover");
	hwrite_address(w, A_SRC, item->cover);
	hwrite_attr(w, A_ALT, "");
	if (item->cover_width > 0) {
		hwrite_number(w, A_WIDTH, item->cover_width);
		hwrite_number(w, A_HEIGHT, item->cover_height);
	}
	hwrite_attr(w, A_LOADING, first ? NULL : "lazy");
}

static void
write_description(struct hwrite *w, const struct item *item)
{
	if (item->description[0] == '\0')
		return;
	hwrite_open(w, H_P);
	hwrite_attr(w, A_CLASS, "dek");
	hwrite_text(w, item->description);
	hwrite_close(w, H_P);
}

/* Writes the author: a link on the article's own page, and never in a list, where the whole card
 * leads to the article. In a list an author whose name is that of the pages says nothing. */
static void
write_author(struct ctx *c, struct hwrite *w, const struct site *s, const struct item *item)
{
	const char *url, *author = page_html_author(c, item->byline, &url);

	if (item->html == NULL) {
		url = NULL;
		if (strcmp(author, s->title) == 0)
			return;
	}
	hwrite_open(w, H_SPAN);
	if (url != NULL) {
		hwrite_open(w, H_A);
		hwrite_address(w, A_HREF, url);
		hwrite_attr(w, A_REL, "author");
	}
	hwrite_element(w, H_BDI, author);
	if (url != NULL)
		hwrite_close(w, H_A);
	hwrite_close(w, H_SPAN);
	hwrite_text(w, " ");
}

/* Writes the author, the date and the time that reading takes. */
static void
write_facts(struct ctx *c, struct hwrite *w, const struct site *s, const struct item *item)
{
	hwrite_open(w, H_P);
	hwrite_attr(w, A_CLASS, "facts");
	write_author(c, w, s, item);
	words_date(c, w, item->language, item->article.first_published_at);
	hwrite_text(w, " ");
	words_minutes(c, w, item->language, item->minutes);
	hwrite_close(w, H_P);
}

void
article_card(
    struct ctx *c, struct hwrite *w, const struct site *s, const struct item *item, bool first)
{
	hwrite_open(w, H_LI);
	hwrite_language(w, item->language);
	write_cover(w, item, first);
	hwrite_open(w, H_DIV);
	if (first)
		write_kicker(c, w, s, item);
	hwrite_open(w, H_H2);
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF, item_address(c, s->w, s->home, item->language, item->slug));
	hwrite_text(w, item->title);
	hwrite_close(w, H_A);
	hwrite_close(w, H_H2);
	write_description(w, item);
	write_facts(c, w, s, item);
	hwrite_close(w, H_DIV);
	hwrite_close(w, H_LI);
}

/* ---- an article */

void
article_ways_begin(struct hwrite *w, const char *language)
{
	hwrite_open(w, H_NAV);
	hwrite_attr(w, A_CLASS, "ways");
	hwrite_attr(w, A_ARIA_LABELLEDBY, "ways");
	hwrite_open(w, H_H2);
	hwrite_attr(w, A_ID, "ways");
	hwrite_attr(w, A_CLASS, "unseen");
	words_text(w, language, tr_mark("More articles"));
	hwrite_close(w, H_H2);
	hwrite_open(w, H_UL);
}

void
article_ways_end(struct hwrite *w)
{
	hwrite_close(w, H_UL);
	hwrite_close(w, H_NAV);
}

/* Writes the article's own address, if it has one. */
static void
write_canonical(struct hwrite *w, const struct item *item)
{
	if (item->canonical == NULL)
		return;
	hwrite_open(w, H_P);
	words_text(w, item->language, tr_mark("On its own website:"));
	hwrite_text(w, " ");
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF, item->canonical);
	hwrite_element(w, H_BDI, item->canonical);
	hwrite_close(w, H_A);
	hwrite_close(w, H_P);
}

/* Writes the topics of an article: its section, and its tags. */
static void
write_all_topics(struct ctx *c, struct hwrite *w, const struct site *s, const struct item *item)
{
	if (item->section == NULL && item->tag_count == 0)
		return;
	hwrite_open(w, H_P);
	hwrite_attr(w, A_CLASS, "topics");
	words_element(w, H_SPAN, NULL, item->language, tr_mark("Topics"));
	if (item->section != NULL)
		write_topic(c, w, s, "section", item->section);
	for (size_t i = 0; i < item->tag_count; i++) {
		if (item->section == NULL || strcmp(item->tags[i], item->section) != 0)
			write_topic(c, w, s, "tag", item->tags[i]);
	}
	hwrite_close(w, H_P);
}

/* Writes the way to a neighbour, which is in the article's language. */
static void
write_neighbour(struct ctx *c, struct hwrite *w, const struct site *s, const char *class,
    const char *language, const char *words, const struct item *n)
{
	hwrite_open(w, H_LI);
	hwrite_attr(w, A_CLASS, class);
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
	article_ways_begin(w, item->language);
	if (has_newer)
		write_neighbour(c, w, s, NULL, item->language, tr_mark("Previous:"), &newer);
	if (has_older)
		write_neighbour(c, w, s, "next", item->language, tr_mark("Next:"), &older);
	article_ways_end(w);
}

/* Writes the article's html. Its header has the page's words: the topic before the heading; after
 * it the description, author, date and minutes, in the place of the line that is in no language. */
static void
write_html(struct ctx *c, struct hwrite *w, const struct site *s, const struct item *item)
{
	struct page_html parts;

	page_html_cut(c, item->html, item->description, &parts);
	hwrite_export(w, item->html, (size_t)(parts.heading - item->html));
	write_kicker(c, w, s, item);
	hwrite_export(w, parts.heading, (size_t)(parts.byline - parts.heading));
	if (!parts.described)
		write_description(w, item);
	write_facts(c, w, s, item);
	hwrite_export(w, parts.rest, strlen(parts.rest));
}

void
article_write(struct ctx *c, struct hwrite *w, struct site *s, const struct item *item)
{
	write_html(c, w, s, item);
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "end");
	write_all_topics(c, w, s, item);
	write_canonical(w, item);
	write_neighbours(c, w, s, item);
	hwrite_close(w, H_DIV);
}
