#include "pages/page-item.h"

#include <jansson.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "access/account.h"
#include "access/pages-settings.h"
#include "article/article-list.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/encoding.h"
#include "base/jread.h"
#include "base/log.h"
#include "export/export.h"
#include "export/facts.h"
#include "pages/page-layout.h"
#include "system/conf.h"

/* ---- the members of an export
 *
 * An export is a JSON object that Galley wrote (export.c), without spaces. Most of it is not
 * asked for, so its values are passed over and not read. */

/* Returns the end of the text that begins at `p`, after its quote. */
static const char *
text_end(const char *p)
{
	for (p++; *p != '"' && *p != '\0'; p++) {
		if (*p == '\\' && p[1] != '\0')
			p++;
	}
	return *p == '"' ? p + 1 : p;
}

/* Returns the end of the value that begins at `p`. */
static const char *
value_end(const char *p)
{
	int depth = 0;

	do {
		if (*p == '"') {
			p = text_end(p);
			continue;
		}
		if (*p == '{' || *p == '[')
			depth++;
		else if (*p == '}' || *p == ']')
			depth--;
		else if (depth == 0) {
			p += strcspn(p, ",}]");
			continue;
		}
		p++;
	} while (depth > 0 && *p != '\0');
	return p;
}

/* A member that is asked for, and its value. */
struct member {
	const char *name;
	bool optional; /* an export may do without it */
	const char *at; /* NULL: not found (yet) */
	size_t len;
};

/* Notes a member if it is one of those that are asked for; returns whether it is. */
static bool
note_member(struct member *wanted, size_t count, const char *name, size_t name_len, const char *at,
    size_t len)
{
	for (size_t i = 0; i < count; i++) {
		if (strlen(wanted[i].name) == name_len &&
		    memcmp(wanted[i].name, name, name_len) == 0) {
			wanted[i].at = at;
			wanted[i].len = len;
			return true;
		}
	}
	return false;
}

/* Finds members of the object at `p`, in one walk, which ends at the last of them. */
static void
find_members(const char *p, struct member *wanted, size_t count)
{
	size_t left = count;

	while (left > 0 && (*p == '{' || *p == ',')) {
		const char *key = p + 1, *key_end = text_end(key);
		if (*key != '"' || *key_end != ':')
			break;
		p = value_end(key_end + 1);
		if (note_member(wanted, count, key + 1, (size_t)(key_end - key) - 2, key_end + 1,
			(size_t)(p - key_end - 1)))
			left--;
	}
	for (size_t i = 0; i < count; i++) {
		if (wanted[i].at == NULL && !wanted[i].optional)
			die("an export without %s", wanted[i].name);
	}
}

/* Reads a member's value. */
static json_t *
value_of(struct ctx *c, const struct member *m)
{
	json_t *value = NULL;

	if (jread_parse(c, m->name, m->at, m->len, &value) != NULL)
		die("an export with a wrong %s", m->name);
	return value;
}

/* These return NULL and 0 for null, and for what is not there. */
static const char *
text_of(struct ctx *c, const struct member *m)
{
	return m->at != NULL ? json_string_value(value_of(c, m)) : NULL;
}

static int64_t
number_of(struct ctx *c, const struct member *m)
{
	return json_integer_value(value_of(c, m));
}

/* Reads the line with author and date of the html, which is a member: it has the escapes of
 * JSON. */
static const char *
read_byline(struct ctx *c, const struct member *html)
{
	static const char begins[] = "<p class=\\\"ab-byline\\\">";
	const char *from = memmem(html->at, html->len, begins, sizeof(begins) - 1);
	const char *to = from != NULL ? strstr(from, "</p>") : NULL;
	struct member line = { .name = "html" };

	if (to == NULL)
		die("an article without a byline");
	line.at = arena_printf(c->arena, "\"%.*s\"", (int)(to - from), from);
	line.len = strlen(line.at);
	return text_of(c, &line);
}

/* ---- */

/* The members, the first ones first: the name of an article needs no other. */
enum { SLUG, TITLE, NAMING, HTML = NAMING, SEO, MINUTES, COVER, WIDTH, HEIGHT, MEMBERS };
static const char *const names[MEMBERS] = { "slug", "title", "html", "seo", "reading_minutes",
	"image_url", "image_width", "image_height" };

enum { DESCRIPTION, CANONICAL, LANGUAGE, GRAPH, SEO_MEMBERS };
static const char *const seo_names[SEO_MEMBERS] = { "description", "canonical", "language",
	"openGraph" };

static void
read_topics(struct ctx *c, const char *object, struct item *out)
{
	struct member m[] = { { .name = "section", .optional = true },
		{ .name = "tags", .optional = true } };
	const json_t *tags;
	const char **texts;

	find_members(object, m, sizeof(m) / sizeof(m[0]));
	out->section = text_of(c, &m[0]);
	if (m[1].at == NULL)
		return;
	tags = value_of(c, &m[1]);
	texts = arena_array(c->arena, json_array_size(tags), sizeof(*texts));
	for (size_t i = 0; i < json_array_size(tags); i++)
		texts[out->tag_count++] = json_string_value(json_array_get(tags, i));
	out->tags = texts;
}

static void
read_seo(struct ctx *c, const char *object, struct item *out)
{
	struct member m[SEO_MEMBERS];

	for (size_t i = 0; i < SEO_MEMBERS; i++)
		m[i] = (struct member) { .name = seo_names[i] };
	find_members(object, m, SEO_MEMBERS);
	out->language = text_of(c, &m[LANGUAGE]);
	out->description = text_of(c, &m[DESCRIPTION]);
	out->canonical = text_of(c, &m[CANONICAL]);
	read_topics(c, m[GRAPH].at, out);
}

static void
read_export(struct ctx *c, const char *object, enum item_part part, struct item *out)
{
	struct member m[MEMBERS];

	for (size_t i = 0; i < MEMBERS; i++)
		m[i] = (struct member) { .name = names[i] };
	find_members(object, m, part == ITEM_NAME ? NAMING : MEMBERS);
	out->slug = text_of(c, &m[SLUG]);
	out->title = text_of(c, &m[TITLE]);
	if (invisible_text(out->title, strlen(out->title)))
		out->title = out->slug;
	if (part == ITEM_NAME)
		return;
	read_seo(c, m[SEO].at, out);
	out->byline = read_byline(c, &m[HTML]);
	out->cover = text_of(c, &m[COVER]);
	out->cover_width = number_of(c, &m[WIDTH]);
	out->cover_height = number_of(c, &m[HEIGHT]);
	out->minutes = number_of(c, &m[MINUTES]);
	if (part == ITEM_WHOLE)
		out->html = text_of(c, &m[HTML]);
}

/* Reads a published article of the workspace; false if there is none of this UUID. Lives in the
 * arena; what is not read is NULL or 0. */
static bool
item_read(struct ctx *c, const struct workspace *w, const char *uuid, enum item_part part,
    struct item *out)
{
	struct article *a = &out->article;
	struct stored_bytes fetched;
	struct buf bytes;

	memset(out, 0, sizeof(*out));
	if (!feed_find(c, w, false, uuid, a, out->revision, &fetched))
		return false;
	buf_init(&bytes, c->arena, EXPORT_BYTES_MAX);
	buf_expect(&bytes, (size_t)a->export_length);
	stored_append(c, w, a, out->revision, &fetched, &bytes);
	read_export(c, buf_done(&bytes), part, out);
	return true;
}

bool
item_listed(struct ctx *c, struct site *s, const char *uuid, enum item_part part, struct item *out)
{
	if (item_read(c, s->w, uuid, part, out))
		return true;
	if (!s->fleeting)
		log_line(
		    "article %s is listed and not published; galley verify --repair writes the list again",
		    uuid);
	s->fleeting = true;
	return false;
}

const char *
item_home(struct ctx *c, const struct workspace *w)
{
	const struct account *a = account_of(c, w->account_id);

	return a->verified && !a->suspended ? pages_address_of(c, word_of(c, w->id)) : NULL;
}

const char *
item_address(struct ctx *c, const struct workspace *w, const char *home, const char *language,
    const char *slug)
{
	const char *path = percent_encode_path(c->arena, slug);
	char *address;

	if (strcasecmp(language, w->settings.language) == 0)
		return arena_printf(c->arena, "%s%s", home, path);
	address = arena_printf(c->arena, "%s%s/%s", home, language, path);
	for (char *p = address + strlen(home); *p != '/'; p++) {
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
	}
	return address;
}
