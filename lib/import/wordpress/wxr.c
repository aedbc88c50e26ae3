#include "import/wordpress/wxr.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"

/* The first reading. */
struct scan {
	struct arena *kept; /* what outlives an item */
	struct wxr *out;
};

static const char *
keep(struct scan *s, const char *text)
{
	return text == NULL ? NULL : arena_text(s->kept, text);
}

/* An address without slashes at its end. */
static const char *
keep_site(struct scan *s, const char *text)
{
	char *site = arena_text(s->kept, text + strspn(text, " \t\n"));
	size_t len = strcspn(site, " \t\n");

	while (len > 0 && site[len - 1] == '/')
		len--;
	site[len] = '\0';
	return site;
}

static void
scan_channel(void *arg, const char *name, const char *text)
{
	struct scan *s = arg;
	struct wxr *out = s->out;

	if (strcmp(name, "wp:base_blog_url") == 0 ||
	    (out->site == NULL && strcmp(name, "link") == 0))
		out->site = keep_site(s, text);
	else if (out->title == NULL && strcmp(name, "title") == 0)
		out->title = keep(s, text);
	else if (out->language == NULL && strcmp(name, "language") == 0)
		out->language = keep(s, text);
}

static void
scan_author(void *arg, const char *login, const char *name)
{
	struct scan *s = arg;
	struct wxr *out = s->out;

	if (out->author_count == out->author_cap) {
		size_t cap = out->author_cap == 0 ? 16 : 2 * out->author_cap;
		out->authors = arena_grow(s->kept, out->authors,
		    out->author_cap * sizeof(*out->authors),
		    cap * sizeof(*out->authors));
		out->author_cap = cap;
	}
	out->authors[out->author_count++] = (struct wxr_author) {
		keep(s, login), keep(s, name) };
}

static void
scan_item(void *arg, const struct wxr_item *item)
{
	struct scan *s = arg;
	struct wxr *out = s->out;

	out->items++;
	if (item->type == NULL || strcmp(item->type, "attachment") != 0 ||
	    item->id == NULL || item->attachment_url == NULL)
		return;
	if (out->attachment_count == out->attachment_cap) {
		size_t old = out->attachment_cap, cap = old == 0 ? 64 : 2 * old;
		out->attachments = arena_grow(s->kept, out->attachments,
		    old * sizeof(*out->attachments),
		    cap * sizeof(*out->attachments));
		out->attachment_cap = cap;
	}
	out->attachments[out->attachment_count++] = (struct wxr_attachment) {
		.id = keep(s, item->id),
		.url = keep(s, item->attachment_url),
		.alt = keep(s, wxr_meta(item, "_wp_attachment_image_alt")),
		.caption = keep(s, item->excerpt) };
}

struct err *
wxr_scan(struct ctx *c, const char *path, struct wxr *out)
{
	struct scan s = { c->arena, out };
	struct wxr_reader reader = { scan_channel, scan_author, scan_item,
		&s };

	return wxr_parse(c, path, &reader);
}

static int
by_id(const void *a, const void *b)
{
	const struct wxr_attachment *x = a, *y = b;

	return strcmp(x->id, y->id);
}

void
wxr_sort(struct wxr *wxr)
{
	if (wxr->attachment_count > 1)
		qsort(wxr->attachments, wxr->attachment_count,
		    sizeof(*wxr->attachments), by_id);
}

const struct wxr_attachment *
wxr_attachment(const struct wxr *wxr, const char *id)
{
	struct wxr_attachment key = { .id = id };

	if (id == NULL || wxr->attachment_count == 0)
		return NULL;
	return bsearch(&key, wxr->attachments, wxr->attachment_count,
	    sizeof(key), by_id);
}

const char *
wxr_author(const struct wxr *wxr, const char *login)
{
	for (size_t i = 0; login != NULL && i < wxr->author_count; i++) {
		if (strcmp(wxr->authors[i].login, login) == 0)
			return wxr->authors[i].name;
	}
	return login;
}

const char *
wxr_meta(const struct wxr_item *item, const char *key)
{
	for (size_t i = 0; i < item->meta_count; i++) {
		if (strcmp(item->metas[i].key, key) == 0)
			return item->metas[i].value;
	}
	return NULL;
}

struct err *
wxr_read(struct ctx *c, const char *path,
    void (*each)(void *arg, const struct wxr_item *item), void *arg)
{
	struct wxr_reader reader = { .item = each, .arg = arg };

	return wxr_parse(c, path, &reader);
}
