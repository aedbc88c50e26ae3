#include "pages/public-pages.h"

#include <stddef.h>
#include <string.h>

#include "access/address-limit.h"
#include "access/pages-settings.h"
#include "article/listed.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/encoding.h"
#include "base/log.h"
#include "content/lang.h"
#include "pages/feed.h"
#include "pages/page-article.h"
#include "pages/page-item.h"
#include "pages/page-layout.h"
#include "pages/page-words.h"
#include "screen/tr.h"
#include "store/db.h"
#include "system/conf.h"
#include "web/answer-cache.h"
#include "web/cursor.h"
#include "web/req.h"

/* ---- addresses */

/* Returns the whole address, "https://host/pages", or the path where none is set (arena). */
static const char *
root_address(struct ctx *c)
{
	const char *address = c->conf != NULL ? pages_address(c) : NULL;

	return address != NULL ? address : "/pages";
}

const char *
root_path(struct ctx *c)
{
	const char *address = root_address(c), *host = strstr(address, "://");

	return host != NULL ? strchr(host + 3, '/') : address;
}

struct err *
often_check(struct ctx *c, const struct req *r)
{
	struct console_conf own;
	struct err *err;
	int wait_s;

	console_conf_read(c, &own);
	if (address_limit_take(c,
		&(struct address_limit) { .file = ADDRESS_LIMIT_PAGES,
		    .per_minute = own.pages_per_minute,
		    .address = r->address,
		    .now = clock_now(),
		    .forwarded = forwarded_unknown(r) },
		&wait_s))
		return NULL;
	err = refuse(c, ERR_RATE_LIMITED,
	    tr_mark("Too many pages were asked for from your network. Try again in a minute."));
	err->retry_after_s = wait_s;
	return err;
}

/* ---- header fields and the tag
 *
 * A cached answer (web/answer-cache.h) is bytes alone, so the body of a page begins with a line,
 * the front: the origins that may frame it. It is taken off when the answer is sent.
 *
 *	send_begin(reply, origins);
 *	…			the handler writes reply->body
 *	send_end(r, reply);	the tag; 304 for who has it already
 *	…			the answer may be cached
 *	send_front(c, reply, how, false);	for a cached answer, too
 */

#define HTML "text/html; charset=utf-8"

#define MINUTE "public, max-age=60"
#define EVER "public, max-age=31536000, immutable"

const char *
http_origin(struct ctx *c)
{
	const char *url = c->conf != NULL ? c->conf->public_url : "";
	size_t host;

	if (strncmp(url, "http://", 7) != 0)
		return "";
	host = strcspn(url + 7, "/");
	return arena_printf(c->arena, " %.*s", (int)(7 + host), url);
}

static void
add_policy(struct ctx *c, struct reply *reply, const char *origins)
{
	struct buf *h = &reply->headers;

	buf_lit(h, "Content-Security-Policy: default-src 'none'; img-src 'self' https:");
	buf_add_text(h, http_origin(c));
	buf_lit(h,
	    "; style-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'self'; frame-ancestors ");
	if (origins == NULL)
		buf_lit(h, "'none'");
	else
		buf_lit(h, "'self'");
	if (origins != NULL && origins[0] != '\0') {
		buf_add_char(h, ' ');
		buf_add_text(h, origins);
	}
	buf_lit(h, "; base-uri 'none'; form-action 'none'\r\n");
}

/* What is no page shows nothing and is in no frame. */
static void
add_strict_policy(struct reply *reply)
{
	buf_lit(&reply->headers,
	    "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'\r\n");
}

static void
add_headers(struct reply *reply, const char *cache)
{
	struct buf *h = &reply->headers;

	buf_lit(h, "Cache-Control: ");
	buf_add_text(h, cache);
	buf_lit(h, "\r\n"
		   "X-Content-Type-Options: nosniff\r\n"
		   "Referrer-Policy: strict-origin-when-cross-origin\r\n"
		   "X-Robots-Tag: noindex\r\n");
}

static void
add_etag(struct reply *reply)
{
	struct buf *h = &reply->headers;

	buf_lit(h, "ETag: \"");
	buf_add_text(h, reply->etag);
	buf_lit(h, "\"\r\n");
}

/* Begins a 200. `origins` are those of embed_origins, separated by spaces; NULL where the answer
 * is no page. */
static void
send_begin(struct reply *reply, const char *origins)
{
	buf_reset(&reply->headers);
	buf_reset(&reply->body);
	reply->bytes = NULL;
	reply->etag[0] = '\0';
	reply->status = 200;
	if (origins == NULL)
		return;
	buf_add_text(&reply->body, origins);
	buf_add_char(&reply->body, '\n');
}

/* Gives what was written its tag: the digest of all that it holds. */
static void
send_end(struct req *r, struct reply *reply)
{
	struct digest d;

	digest_begin(&d, (ETAG_TEXT - 1) / 2, "galley page 1");
	digest_bytes(&d, reply->body.data, reply->body.len);
	(void)reply_unchanged(r, reply, &d);
}

/* Takes the front off a page and returns it. */
static const char *
take_front(struct ctx *c, struct reply *reply)
{
	const char *bytes = reply->bytes != NULL ? reply->bytes : reply->body.data;
	size_t len = reply->bytes != NULL ? reply->bytes_len : reply->body.len;
	size_t at = 0;

	while (at < len && bytes[at] != '\n')
		at++;
	if (at == len)
		BUG("a page without its front");
	reply->bytes = bytes + at + 1;
	reply->bytes_len = len - at - 1;
	return arena_text_n(c->arena, bytes, at);
}

/* Takes the front off and adds the header fields. `fleeting`: nobody keeps it. */
static void
send_front(struct ctx *c, struct reply *reply, const struct send_how *how, bool fleeting)
{
	buf_reset(&reply->headers);
	reply->type = how->type != NULL ? how->type : HTML;
	add_headers(reply, fleeting ? "no-store" : how->ever ? EVER : MINUTE);
	add_etag(reply);
	if (reply->status == 304)
		return;
	if (how->type == NULL)
		add_policy(c, reply, take_front(c, reply));
	else
		add_strict_policy(reply);
}

/* Begins a page that is no 200, with its header fields: nobody keeps it. `origins` NULL: nobody
 * may frame it. */
static void
send_begin_error(struct ctx *c, struct reply *reply, int status, const char *origins)
{
	buf_reset(&reply->headers);
	buf_reset(&reply->body);
	reply->bytes = NULL;
	reply->etag[0] = '\0';
	reply->status = status;
	reply->type = HTML;
	add_headers(reply, status == 301 ? MINUTE : "no-store");
	add_policy(c, reply, origins);
}

void
send_moved(struct ctx *c, struct reply *reply, const char *address)
{
	send_begin_error(c, reply, 301, NULL);
	reply_header(reply, "Location", "%s", address);
}

/* Returns the address of what is at `path` (percent-encoded) with the parameters of the route
 * that were given (arena). */
static const char *
site_address(struct ctx *c, const struct site *s, const char *path)
{
	const struct param *params = s->r->route->params;
	struct buf out;
	char before = '?';

	buf_init(&out, c->arena, 4 * REQ_TARGET_MAX);
	buf_add_text(&out, s->home);
	buf_add_text(&out, path);
	for (int i = 0; params != NULL && params[i].name != NULL; i++) {
		if (s->r->param[i].text == NULL)
			continue;
		buf_printf(&out, "%c%s=", before, params[i].name);
		article_add_value(&out, s->r->param[i].text);
		before = '&';
	}
	return buf_done(&out);
}

/* ---- pages that say a sentence, because there is no article */

/* Answers with a whole page that says a sentence and leads back to the list. Both texts are
 * tr_mark()s. */
static void
say_page(struct ctx *c, const struct site *s, struct reply *reply, int status, const char *title,
    const char *sentence)
{
	const char *language = s->w->settings.language;
	struct layout l = { .language = language };
	struct hwrite w;

	words_begin(c, language);
	l.title = words_said(title);
	send_begin_error(c, reply, status, s->w->embed_origins);
	layout_begin(c, &w, s, &l, &reply->body);
	words_element(&w, H_H1, NULL, language, title);
	words_element(&w, H_P, NULL, language, sentence);
	hwrite_open(&w, H_P);
	hwrite_open(&w, H_A);
	hwrite_address(&w, A_HREF, s->home);
	words_text(&w, language, tr_mark("To the list of articles"));
	hwrite_close(&w, H_A);
	hwrite_close(&w, H_P);
	layout_end(c, &w, s, &l);
}

/* Says that the parameters of the address are wrong. */
static void
say_wrong(struct ctx *c, const struct site *s, struct reply *reply)
{
	say_page(c, s, reply, 400, tr_mark("This address is wrong"),
	    tr_mark("What follows the question mark in it cannot be read."));
}

static void
say_unknown(struct ctx *c, const struct site *s, struct reply *reply)
{
	say_page(c, s, reply, 404, tr_mark("There is no such page"),
	    tr_mark("Look at the address again."));
}

/* ---- the list of articles, the newest first: 20 of all, or of a language, tag or section */

#define PAGE 20

/* The indexes of the route's parameters. */
enum { BEFORE, LANGUAGE, TAG, SECTION, PARAMETERS };

/* Where a page begins: after this article. */
struct place {
	int64_t created_at;
	const char *uuid;
};

static const struct cursor_field fields[] = {
	{ CURSOR_NUMBER, offsetof(struct place, created_at) },
	{ CURSOR_TEXT, offsetof(struct place, uuid) },
	{ .kind = CURSOR_END },
};

static const struct {
	enum listed_kind kind;
	const char *name; /* of the cursor's list, too */
	const char *words;
} filters[PARAMETERS] = {
	[BEFORE] = { LISTED_ALL, "pages", NULL },
	[LANGUAGE] = { LISTED_LANGUAGE, "pages-language", tr_mark("Language:") },
	[TAG] = { LISTED_TAG, "pages-tag", tr_mark("Tag:") },
	[SECTION] = { LISTED_SECTION, "pages-section", tr_mark("Section:") },
};

/* What is shown. */
struct page {
	struct listed found[PAGE];
	size_t count;
	bool more;
	struct item *items; /* those of `found` that can be shown */
	size_t item_count;
};

/* What is asked for. */
struct question {
	int filter; /* BEFORE: none */
	const char *value; /* NULL without a filter */
	bool after; /* `from` is set */
	struct place from;
};

/* Reads the parameters; false if they are wrong. */
static bool
read_question(struct ctx *c, const struct site *s, struct question *out)
{
	const struct param_value *given = s->r->param;

	memset(out, 0, sizeof(*out));
	for (int i = LANGUAGE; i < PARAMETERS; i++) {
		if (given[i].text == NULL)
			continue;
		if (out->filter != BEFORE)
			return false;
		out->filter = i;
		out->value = given[i].text;
		if (i == LANGUAGE && lang_clean(c->arena, out->value) == NULL)
			return false;
	}
	out->after = given[BEFORE].text != NULL;
	return !out->after ||
	       cursor_decode(c, given[BEFORE].text, filters[out->filter].name, fields, &out->from);
}

/* ---- the page */

/* Returns the address of the list with this cursor, or of its beginning (NULL). */
static const char *
list_address(struct ctx *c, struct site *s, const char *cursor)
{
	s->r->param[BEFORE].text = cursor;
	return site_address(c, s, "");
}

static void
write_way(struct hwrite *w, const struct site *s, const char *class, const char *address,
    const char *words)
{
	hwrite_open(w, H_LI);
	hwrite_attr(w, A_CLASS, class);
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF, address);
	words_text(w, s->w->settings.language, words);
	hwrite_close(w, H_A);
	hwrite_close(w, H_LI);
}

static void
write_ways(struct ctx *c, struct hwrite *w, struct site *s, const struct question *q,
    const struct page *page)
{
	if (!q->after && !page->more)
		return;
	article_ways_begin(w, s->w->settings.language);
	if (q->after)
		write_way(w, s, NULL, list_address(c, s, NULL), tr_mark("Newest articles"));
	if (page->more) {
		const struct listed *last = &page->found[page->count - 1];
		const struct place place = { last->created_at, last->uuid };
		write_way(w, s, "next",
		    list_address(c, s, cursor_encode(c, filters[q->filter].name, fields, &place)),
		    tr_mark("Older articles"));
	}
	article_ways_end(w);
}

/* Writes what the list is of: a value that an article has, never what a stranger made up. */
static void
write_heading(struct hwrite *w, const struct site *s, const struct question *q)
{
	hwrite_open(w, H_H1);
	words_text(w, s->w->settings.language, filters[q->filter].words);
	hwrite_text(w, " ");
	hwrite_element(w, H_BDI, s->r->param[q->filter].text);
	hwrite_close(w, H_H1);
}

static void
write_list(struct ctx *c, struct site *s, const struct question *q, const struct page *page,
    struct reply *reply)
{
	const char *language = s->w->settings.language;
	bool some = q->filter != BEFORE && page->item_count > 0;
	bool first = q->filter == BEFORE && !q->after;
	struct layout l = { .language = language,
		.title =
		    some ? arena_printf(c->arena, "%s – %s", s->r->param[q->filter].text, s->title)
			 : s->title,
		.top = !some };
	struct hwrite w;

	article_topics(c, s, q->filter == SECTION ? q->value : first ? "" : NULL, &l);
	layout_begin(c, &w, s, &l, &reply->body);
	if (some)
		write_heading(&w, s, q);
	if (page->item_count == 0)
		words_element(&w, H_P, NULL, language, tr_mark("Nothing is published here yet."));
	else {
		hwrite_open(&w, H_UL);
		hwrite_attr(&w, A_CLASS, first ? "shelf first" : "shelf");
	}
	for (size_t i = 0; i < page->item_count; i++)
		article_card(c, &w, s, &page->items[i], first && i == 0);
	if (page->item_count > 0)
		hwrite_close(&w, H_UL);
	write_ways(c, &w, s, q, page);
	layout_end(c, &w, s, &l);
}

static void
read_items(struct ctx *c, struct site *s, struct page *page)
{
	page->items = arena_array(c->arena, PAGE, sizeof(*page->items));
	page->item_count = 0;
	for (size_t i = 0; i < page->count; i++)
		page->item_count += item_listed(
		    c, s, page->found[i].uuid, ITEM_LINE, &page->items[page->item_count]);
}

static void
answer_list(struct ctx *c, struct site *s, struct reply *reply)
{
	struct page page;
	struct question q;

	if (!read_question(c, s, &q)) {
		say_wrong(c, s, reply);
		return;
	}
	words_begin(c, s->w->settings.language);
	page.count =
	    listed_page(c, &(struct listed_of) { s->w->id, filters[q.filter].kind, q.value },
		q.from.created_at, q.from.uuid, page.found, PAGE, &page.more);
	read_items(c, s, &page);
	send_begin(reply, s->w->embed_origins);
	write_list(c, s, &q, &page, reply);
	s->fleeting |= page.count == 0 && q.filter != BEFORE;
}

/* ---- the feeds */

static void
answer_feed(struct ctx *c, struct site *s, struct reply *reply)
{
	const char *language = s->r->param[0].text;

	if (language != NULL && lang_clean(c->arena, language) == NULL) {
		say_wrong(c, s, reply);
		return;
	}
	send_begin(reply, NULL);
	feed_answer(c, s->r,
	    &(struct feed_asked) { .workspace = s->w,
		.title = s->title,
		.below = arena_printf(c->arena, "%s/%s/", root_address(c), s->word),
		.language = language },
	    strcmp(s->path, "feed.json") == 0, reply);
}

/* ---- an article, and what is said where there is no article (any more) */

static void
write_article(struct ctx *c, struct site *s, const struct item *item, struct reply *reply)
{
	struct layout l = {
		.language = item->language, .title = item->title, .description = item->description
	};
	struct hwrite w;

	words_begin(c, item->language);
	send_begin(reply, s->w->embed_origins);
	reply_show_revision(reply, item->revision);
	article_topics(c, s, NULL, &l);
	layout_begin(c, &w, s, &l, &reply->body);
	article_write(c, &w, s, item);
	layout_end(c, &w, s, &l);
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

static void
answer_path(struct ctx *c, struct site *s, struct reply *reply)
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
static void
answer_theme(struct ctx *c, struct site *s, struct reply *reply)
{
	s->fleeting = !theme_is_name(s->path);
	send_begin(reply, NULL);
	buf_add_text(&reply->body, theme_sheet(c, &s->look));
}

/* ---- the table */

static const struct param list_params[] = {
	{ .name = "before", .kind = PARAM_TEXT, .max = 200 },
	{ .name = "language", .kind = PARAM_TEXT, .max = 35 },
	{ .name = "tag", .kind = PARAM_TEXT, .max = 200 },
	{ .name = "section", .kind = PARAM_TEXT, .max = 300 },
	{ .name = NULL },
};

static const struct param feed_params[] = {
	{ .name = "language", .kind = PARAM_TEXT, .max = 35 },
	{ .name = NULL },
};

const struct rows_row rows_table[] = {
	{ "", answer_list, { .type = NULL },
	    { .pattern = "pages: list", .params = list_params, .cached = true } },
	{ "feed.atom", answer_feed, { .type = FEED_ATOM_TYPE },
	    { .pattern = "pages: feed.atom", .params = feed_params, .cached = true } },
	{ "feed.json", answer_feed, { .type = FEED_JSON_TYPE },
	    { .pattern = "pages: feed.json", .params = feed_params, .cached = true } },
	{ THEME_BEGINS "*" THEME_ENDS, answer_theme,
	    { .type = "text/css; charset=utf-8", .ever = true },
	    { .pattern = "pages: theme", .cached = true } },
	{ "*", answer_path, { .type = NULL }, { .pattern = "pages: article", .cached = true } },
};

#define ROWS (sizeof(rows_table) / sizeof(rows_table[0]))

/* Returns whether a path is the row's: a slug may begin as a file does, but it has no dot. */
static bool
is_of(const struct rows_row *row, const char *path)
{
	const char *star = strchr(row->path, '*');
	size_t len = strlen(path), head, tail;

	if (star == NULL)
		return strcmp(path, row->path) == 0;
	head = (size_t)(star - row->path);
	tail = strlen(star + 1);
	return len >= head + tail && strchr(path, '/') == NULL &&
	       strncmp(path, row->path, head) == 0 && strcmp(path + len - tail, star + 1) == 0;
}

static const struct rows_row *
row_of(const char *path)
{
	const struct rows_row *row = rows_table;

	while (row < &rows_table[ROWS - 1] && !is_of(row, path))
		row++;
	return row;
}

/* ---- the request */

/* One request: what is known before the database is open. */
struct asked {
	struct req *r;
	const struct rows_row *row;
	const char *word;
	const char *path; /* after "/WORD/"; NULL: the slash is missing */
	bool wrong; /* a parameter is wrong */
};

/* Returns the name of a path among the row's cached answers: whatever digest a sheet's name has,
 * there is one sheet. */
static const char *
name_of(const char *path)
{
	return theme_is_name(path) ? "" : path;
}

static void
read_asked(struct ctx *c, struct req *r, struct asked *out)
{
	const char *word = r->path + 1, *slash = strchr(word, '/');
	struct err *err;

	out->r = r;
	out->word = slash == NULL ? word : arena_text_n(c->arena, word, (size_t)(slash - word));
	out->path = slash == NULL ? NULL : slash + 1;
	out->row = row_of(slash == NULL ? "" : slash + 1);
	r->route = &out->row->route;
	r->id = slash == NULL ? "" : name_of(slash + 1);
	err = r->route->params != NULL ? req_params(c, r) : NULL;
	out->wrong = err != NULL;
}

/* Fills the site. Returns false after it answered a word that is past. */
static bool
find_site(
    struct ctx *c, const struct asked *q, struct site *s, struct reply *reply, struct err **err)
{
	struct word found;
	enum word_found how = word_find(c, q->word, &found);

	*err = NULL;
	if (how == WORD_UNKNOWN) {
		*err = refuse(c, ERR_NOT_FOUND, tr_mark("Look at the address again."));
		return false;
	}
	memset(s, 0, sizeof(*s));
	s->r = q->r;
	s->w = found.workspace;
	s->word = found.present;
	s->root = root_path(c);
	s->home = arena_printf(c->arena, "%s/%s/", s->root, s->word);
	s->path = q->path != NULL ? q->path : "";
	if (how == WORD_PAST || q->path == NULL) {
		send_moved(c, reply, site_address(c, s, percent_encode_path(c->arena, s->path)));
		return false;
	}
	pages_look_of(c, s->w->id, &s->look);
	s->title = s->look.title[0] != '\0' ? s->look.title : s->w->settings.name;
	q->r->access.workspace = *s->w;
	return true;
}

/* Answers in a snapshot. *keep: whether the word, and a 200, may be cached. */
static struct err *
answer_site(struct ctx *c, const struct asked *q, struct reply *reply, bool *keep)
{
	struct err *err;
	struct site s;

	*keep = false;
	if (!find_site(c, q, &s, reply, &err))
		return err;
	if (q->wrong)
		say_wrong(c, &s, reply);
	else
		q->row->handler(c, &s, reply);
	if (reply->status == 200 && reply->etag[0] == '\0')
		send_end(q->r, reply);
	*keep = !s.fleeting;
	return NULL;
}

static void
begin_read(struct ctx *c, void (*confine)(struct ctx *c))
{
	db_open(c, DB_WAIT_READ_MS);
	db_begin_read(c, DB_CONTENT);
	if (!c->lasting)
		confine(c);
}

/* Fills the reply from a cached answer; false if there is none. Test builds can compute it
 * the ordinary way as well, and compare. */
static bool
is_cached(struct ctx *c, const struct asked *q, struct cache *k, struct reply *reply,
    void (*confine)(struct ctx *c))
{
	if (q->wrong || !cache_find(c, q->r, k, reply))
		return false;
#ifdef GALLEY_TEST
	if (cache_is_doubted()) {
		struct reply ordinary;
		bool keep;
		reply_init(c, &ordinary);
		begin_read(c, confine);
		bool refused = answer_site(c, q, &ordinary, &keep) != NULL || !keep;
		db_rollback(c);
		cache_compare(c, q->r, k, reply, refused ? NULL : &ordinary);
	}
#else
	(void)confine;
#endif
	return true;
}

struct err *
rows_answer(struct ctx *c, struct req *r, struct reply *reply, void (*confine)(struct ctx *c))
{
	struct cache cache = { .on = false };
	struct err *err;
	struct asked q;
	bool knew, keep;

	read_asked(c, r, &q);
	knew = q.path != NULL && cache_word(c, r, &cache, q.word);
	if (knew && is_cached(c, &q, &cache, reply, confine)) {
		send_front(c, reply, &q.row->how, false);
		return NULL;
	}
	TRY(often_check(c, r));
	begin_read(c, confine);
	err = answer_site(c, &q, reply, &keep);
	db_end_read(c);
	if (keep)
		cache_keep(c, r, &cache, knew, reply);
	if (reply->etag[0] != '\0')
		send_front(c, reply, &q.row->how, !keep);
	return err;
}
