#include "import/wxr.h"

#include <errno.h>
#include <expat.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/log.h"

#define ITEM_MEMORY ((size_t)1 << 30)
#define TEXT_MAX ((size_t)8 * 1024 * 1024)
#define METAS_MAX 2000 /* of one item; the same for terms */
#define READ_SIZE 65536

/* Depth of elements: rss, channel, item, the item's fields, and the parts of a
 * field. */
enum { IN_RSS = 1, IN_CHANNEL, IN_ITEM, IN_FIELD, IN_PART };

/* parse_file() calls these with the channel's fields, the authors and the items. */
struct reader {
	void (*channel)(void *arg, const char *name, const char *text);
	void (*author)(void *arg, const char *login, const char *name);
	void (*item)(void *arg, const struct wxr_item *item);
	void *arg;
};

struct parse {
	struct ctx *c;
	const char *path;
	const struct reader *reader;
	struct arena *outer; /* the caller's arena */
	struct arena scratch;
	XML_Parser expat;
	int depth;
	bool in_item, in_author, in_meta, whole_text;
	bool known; /* the file names the version of the format */
	struct buf text; /* of the present element */
	unsigned text_line;
	struct wxr_item item;
	struct wxr_term term;
	struct wxr_meta meta;
	struct wxr_author author;
	struct err *err;
};

static unsigned
line_of(const struct parse *p)
{
	return (unsigned)XML_GetCurrentLineNumber(p->expat);
}

__attribute__((format(printf, 3, 4))) static void
stop(struct parse *p, unsigned line, const char *format, ...)
{
	struct arena *kept = p->c->arena;
	va_list args;

	if (p->err == NULL) {
		p->c->arena = p->outer;
		va_start(args, format);
		p->err = refuse(p->c, ERR_INVALID, "%s: line %u: %s.", p->path, line,
		    arena_vprintf(p->outer, format, args));
		va_end(args);
		p->c->arena = kept;
	}
	XML_StopParser(p->expat, XML_FALSE);
}

static const struct {
	const char *name;
	size_t at; /* in struct wxr_item */
} fields[] = {
	{ "title", offsetof(struct wxr_item, title) },
	{ "link", offsetof(struct wxr_item, link) },
	{ "dc:creator", offsetof(struct wxr_item, creator) },
	{ "content:encoded", offsetof(struct wxr_item, content) },
	{ "excerpt:encoded", offsetof(struct wxr_item, excerpt) },
	{ "wp:post_id", offsetof(struct wxr_item, id) },
	{ "wp:post_date", offsetof(struct wxr_item, date) },
	{ "wp:post_date_gmt", offsetof(struct wxr_item, date_gmt) },
	{ "wp:post_modified_gmt", offsetof(struct wxr_item, modified_gmt) },
	{ "wp:post_name", offsetof(struct wxr_item, name) },
	{ "wp:status", offsetof(struct wxr_item, status) },
	{ "wp:post_type", offsetof(struct wxr_item, type) },
	{ "wp:post_password", offsetof(struct wxr_item, password) },
	{ "wp:attachment_url", offsetof(struct wxr_item, attachment_url) },
};

static const char *
attribute(const XML_Char **attributes, const char *name)
{
	for (size_t i = 0; attributes[i] != NULL; i += 2) {
		if (strcmp(attributes[i], name) == 0)
			return attributes[i + 1];
	}
	return NULL;
}

static void
begin_text(struct parse *p)
{
	p->whole_text = true;
	p->text_line = line_of(p);
	buf_init(&p->text, p->c->arena, TEXT_MAX);
}

static void
begin_item(struct parse *p)
{
	p->in_item = true;
	memset(&p->item, 0, sizeof(p->item));
	p->item.line = line_of(p);
	p->item.terms = arena_array(p->c->arena, METAS_MAX, sizeof(*p->item.terms));
	p->item.metas = arena_array(p->c->arena, METAS_MAX, sizeof(*p->item.metas));
}

/* Handles the beginning of an element, by its depth. Refuses a file that does not
 * begin with <rss> and <channel>. */
static void XMLCALL
on_start(void *arg, const XML_Char *name, const XML_Char **attributes)
{
	struct parse *p = arg;
	int depth = ++p->depth;

	p->whole_text = false;
	if (depth == IN_RSS && strcmp(name, "rss") != 0)
		stop(p, line_of(p), "it begins with <%s>, and a WordPress export with <rss>", name);
	else if (depth == IN_CHANNEL && strcmp(name, "channel") != 0)
		stop(p, line_of(p), "<%s> stands where <channel> must", name);
	else if (depth == IN_ITEM && strcmp(name, "item") == 0)
		begin_item(p);
	else if (depth == IN_ITEM && strcmp(name, "wp:author") == 0)
		p->in_author = true;
	else if (depth == IN_FIELD && strcmp(name, "wp:postmeta") == 0)
		p->in_meta = p->in_item;
	else if (depth == IN_ITEM || (depth == IN_FIELD && (p->in_item || p->in_author)) ||
		 (depth == IN_PART && p->in_meta))
		begin_text(p);
	if (depth == IN_FIELD && p->in_item && strcmp(name, "category") == 0) {
		const char *domain = attribute(attributes, "domain");
		p->term.domain = arena_text(p->c->arena, domain == NULL ? "category" : domain);
	}
}

static void XMLCALL
on_text(void *arg, const XML_Char *text, int len)
{
	struct parse *p = arg;

	if (!p->whole_text)
		return;
	if (p->text.len == 0)
		p->text_line = line_of(p);
	buf_add(&p->text, text, (size_t)len);
	if (buf_full(&p->text))
		stop(p, p->text_line, "a text is longer than %zu MiB", TEXT_MAX >> 20);
}

/* Handles the end of an item's field. */
static void
end_field(struct parse *p, const char *name, const char *text)
{
	struct wxr_item *item = &p->item;

	if (text == NULL)
		return;
	if (strcmp(name, "category") == 0) {
		if (item->term_count == METAS_MAX)
			return;
		p->term.name = text;
		item->terms[item->term_count++] = p->term;
		return;
	}
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (strcmp(fields[i].name, name) != 0)
			continue;
		memcpy((char *)item + fields[i].at, &text, sizeof(text));
		if (fields[i].at == offsetof(struct wxr_item, content))
			item->content_line = p->text_line;
		return;
	}
}

static void
end_meta(struct parse *p)
{
	p->in_meta = false;
	if (p->meta.key != NULL && p->meta.value != NULL && p->item.meta_count < METAS_MAX)
		p->item.metas[p->item.meta_count++] = p->meta;
	memset(&p->meta, 0, sizeof(p->meta));
}

/* Handles the end of a field of the channel. */
static void
end_channel(struct parse *p, const char *name, const char *text)
{
	if (strcmp(name, "wp:author") == 0) {
		p->in_author = false;
		if (p->author.login != NULL && p->author.name != NULL && p->reader->author != NULL)
			p->reader->author(p->reader->arg, p->author.login, p->author.name);
		memset(&p->author, 0, sizeof(p->author));
		return;
	}
	if (strcmp(name, "wp:wxr_version") == 0)
		p->known = true;
	if (text != NULL && p->reader->channel != NULL)
		p->reader->channel(p->reader->arg, name, text);
}

/* Hands the item to the reader. A file without <wp:wxr_version> before its first
 * item is not a WordPress export. */
static void
end_item(struct parse *p)
{
	p->in_item = false;
	if (!p->known)
		stop(p, p->item.line,
		    "there is no <wp:wxr_version> before the first item: this is no WordPress export");
	else
		p->reader->item(p->reader->arg, &p->item);
}

static void
end_author_field(struct parse *p, const char *name, const char *text)
{
	if (strcmp(name, "wp:author_login") == 0)
		p->author.login = text;
	else if (strcmp(name, "wp:author_display_name") == 0)
		p->author.name = text;
}

static void XMLCALL
on_end(void *arg, const XML_Char *name)
{
	struct parse *p = arg;
	const char *text = p->whole_text && p->text.len > 0 ? p->text.data : NULL;
	int depth = p->depth--;

	p->whole_text = false;
	if (depth == IN_PART && p->in_meta) {
		if (strcmp(name, "wp:meta_key") == 0)
			p->meta.key = text;
		else if (strcmp(name, "wp:meta_value") == 0)
			p->meta.value = text;
	} else if (depth == IN_FIELD && p->in_meta) {
		end_meta(p);
	} else if (depth == IN_FIELD && p->in_item) {
		end_field(p, name, text);
	} else if (depth == IN_FIELD && p->in_author) {
		end_author_field(p, name, text);
	} else if (depth == IN_ITEM) {
		if (p->in_item)
			end_item(p);
		else
			end_channel(p, name, text);
		arena_reset(&p->scratch);
	}
}

/* Refuses a document type: it could define entities. */
static void XMLCALL
on_doctype(
    void *arg, const XML_Char *name, const XML_Char *sysid, const XML_Char *pubid, int internal)
{
	struct parse *p = arg;

	(void)name;
	(void)sysid;
	(void)pubid;
	(void)internal;
	stop(p, line_of(p), "a document type is not taken (<!DOCTYPE)");
}

static void
feed(struct parse *p, int fd)
{
	enum XML_Status status;
	ssize_t n;

	do {
		void *to = XML_GetBuffer(p->expat, READ_SIZE);
		if (to == NULL)
			die("expat has no memory");
		n = read(fd, to, READ_SIZE);
		if (n < 0) {
			stop(p, line_of(p), "%s", strerror(errno));
			return;
		}
		status = XML_ParseBuffer(p->expat, (int)n, n == 0);
	} while (status == XML_STATUS_OK && n > 0);
	if (status != XML_STATUS_OK && p->err == NULL)
		stop(p, line_of(p), "this is no XML: %s",
		    XML_ErrorString(XML_GetErrorCode(p->expat)));
	else if (p->err == NULL && !p->known)
		stop(p, line_of(p), "there is no <wp:wxr_version>: this is no WordPress export");
}

static struct err *
parse_file(struct ctx *c, const char *path, const struct reader *reader)
{
	struct parse p = { .c = c, .path = path, .reader = reader, .outer = c->arena };
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return refuse(c, ERR_INVALID, "%s: %s.", path, strerror(errno));
	arena_init(&p.scratch, ITEM_MEMORY);
	p.expat = XML_ParserCreate(NULL);
	if (p.expat == NULL)
		die("expat has no memory");
	XML_SetUserData(p.expat, &p);
	XML_SetElementHandler(p.expat, on_start, on_end);
	XML_SetCharacterDataHandler(p.expat, on_text);
	XML_SetStartDoctypeDeclHandler(p.expat, on_doctype);
	c->arena = &p.scratch;
	feed(&p, fd);
	c->arena = p.outer;
	XML_ParserFree(p.expat);
	arena_release(&p.scratch);
	close(fd);
	return p.err;
}

/* The state of the first reading. */
struct scan {
	struct arena *kept; /* memory for what outlives an item */
	struct wxr *out;
};

static const char *
keep(struct scan *s, const char *text)
{
	return text == NULL ? NULL : arena_text(s->kept, text);
}

/* Keeps an address without the slashes at its end. */
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

/* Keeps site, title and language of the channel. The site is wp:base_blog_url, or
 * else the channel's link. */
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
		    out->author_cap * sizeof(*out->authors), cap * sizeof(*out->authors));
		out->author_cap = cap;
	}
	out->authors[out->author_count++] = (struct wxr_author) { keep(s, login), keep(s, name) };
}

/* Counts the items, and keeps the attachments: posts name them by id. */
static void
scan_item(void *arg, const struct wxr_item *item)
{
	struct scan *s = arg;
	struct wxr *out = s->out;

	out->items++;
	if (item->type == NULL || strcmp(item->type, "attachment") != 0 || item->id == NULL ||
	    item->attachment_url == NULL)
		return;
	if (out->attachment_count == out->attachment_cap) {
		size_t old = out->attachment_cap, cap = old == 0 ? 64 : 2 * old;
		out->attachments = arena_grow(s->kept, out->attachments,
		    old * sizeof(*out->attachments), cap * sizeof(*out->attachments));
		out->attachment_cap = cap;
	}
	out->attachments[out->attachment_count++] =
	    (struct wxr_attachment) { .id = keep(s, item->id),
		    .url = keep(s, item->attachment_url),
		    .alt = keep(s, wxr_meta(item, "_wp_attachment_image_alt")),
		    .caption = keep(s, item->excerpt) };
}

struct err *
wxr_scan(struct ctx *c, const char *path, struct wxr *out)
{
	struct scan s = { c->arena, out };
	struct reader reader = { scan_channel, scan_author, scan_item, &s };

	return parse_file(c, path, &reader);
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
		qsort(wxr->attachments, wxr->attachment_count, sizeof(*wxr->attachments), by_id);
}

const struct wxr_attachment *
wxr_attachment(const struct wxr *wxr, const char *id)
{
	struct wxr_attachment key = { .id = id };

	if (id == NULL || wxr->attachment_count == 0)
		return NULL;
	return bsearch(&key, wxr->attachments, wxr->attachment_count, sizeof(key), by_id);
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
wxr_read(struct ctx *c, const char *path, void (*each)(void *arg, const struct wxr_item *item),
    void *arg)
{
	struct reader reader = { .item = each, .arg = arg };

	return parse_file(c, path, &reader);
}
