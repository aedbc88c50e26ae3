#include "pages/feed.h"

#include <stdint.h>
#include <string.h>

#include "access/workspace.h"
#include "article/article.h"
#include "article/listed.h"
#include "article/revision.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/encoding.h"
#include "base/jwrite.h"
#include "base/utf8.h"
#include "content/snapshot.h"
#include "export/export.h"
#include "export/facts.h"
#include "export/html.h"
#include "web/reply.h"
#include "web/req.h"

#define FEED_ENTRIES 20
#define FEED_HTML_MAX ((size_t)8 * 1024 * 1024) /* of all entries; the first always fits */
#define FEED_BYTES_MAX ((size_t)32 * 1024 * 1024)

struct feed_entry {
	const char *id; /* urn:uuid:… */
	const char *address; /* canonical, else of the page */
	const struct facts *facts;
	const char *html; /* its links to fragments are absolute */
};

struct feed {
	const char *id; /* urn:uuid:…, of this choice of articles */
	const char *title;
	const char *language; /* that was chosen, else the workspace's */
	const char *home; /* address of the list */
	const char *atom, *json; /* the feed's own addresses */
	char updated[CLOCK_TEXT];
	struct feed_entry *entries;
	size_t count;
};

/* ---- Atom */

/* Returns whether a character may be in XML 1.0, and should. */
static bool
may_be_written(uint32_t cp)
{
	if (cp < 0x20)
		return cp == '\t' || cp == '\n';
	return cp != 0x7f && (cp < 0x80 || cp > 0x9f) && (cp & 0xfffe) != 0xfffe &&
	       (cp < 0xfdd0 || cp > 0xfdef);
}

/* Adds a text, also as the value of an attribute. What XML cannot hold becomes U+FFFD. */
static void
add_text(struct buf *out, const char *text)
{
	for (const char *p = text, *next = text; *p != '\0'; p = next) {
		uint32_t cp = utf8_next(&next);
		if (cp == '&')
			buf_lit(out, "&amp;");
		else if (cp == '<')
			buf_lit(out, "&lt;");
		else if (cp == '>')
			buf_lit(out, "&gt;");
		else if (cp == '"')
			buf_lit(out, "&quot;");
		else if (may_be_written(cp))
			buf_add(out, p, (size_t)(next - p));
		else
			buf_lit(out, "\xef\xbf\xbd");
	}
}

static void
add_attribute(struct buf *out, const char *name, const char *value)
{
	buf_printf(out, " %s=\"", name);
	add_text(out, value);
	buf_add_char(out, '"');
}

static void
add_element(struct buf *out, const char *name, const char *text)
{
	buf_printf(out, "<%s>", name);
	add_text(out, text);
	buf_printf(out, "</%s>\n", name);
}

static void
add_link(
    struct buf *out, const char *rel, const char *type, const char *language, const char *address)
{
	buf_lit(out, "<link");
	add_attribute(out, "rel", rel);
	add_attribute(out, "type", type);
	if (language != NULL)
		add_attribute(out, "hreflang", language);
	add_attribute(out, "href", address);
	buf_lit(out, "/>\n");
}

static void
add_category(struct buf *out, const char *term)
{
	if (term == NULL || term[0] == '\0')
		return;
	buf_lit(out, "<category");
	add_attribute(out, "term", term);
	buf_lit(out, "/>\n");
}

static void
add_author(struct buf *out, const struct facts *facts)
{
	buf_lit(out, "<author>\n");
	add_element(out, "name", facts->author);
	if (facts->author_url != NULL)
		add_element(out, "uri", facts->author_url);
	buf_lit(out, "</author>\n");
}

static void
add_entry(struct buf *out, const struct feed_entry *e)
{
	const struct facts *facts = e->facts;
	const struct snapshot *s = facts->snapshot;

	buf_lit(out, "<entry");
	add_attribute(out, "xml:lang", facts->language);
	buf_lit(out, ">\n");
	add_element(out, "id", e->id);
	add_element(out, "title", facts->heading);
	add_link(out, "alternate", "text/html", facts->language, e->address);
	add_element(out, "published", facts->published_time);
	add_element(out, "updated", facts->modified_time);
	add_author(out, facts);
	add_category(out, s->section);
	for (size_t i = 0; i < s->tag_count; i++) {
		if (s->section == NULL || strcmp(s->tags[i], s->section) != 0)
			add_category(out, s->tags[i]);
	}
	if (facts->description[0] != '\0')
		add_element(out, "summary", facts->description);
	buf_lit(out, "<content type=\"html\">");
	add_text(out, e->html);
	buf_lit(out, "</content>\n</entry>\n");
}

/* Append it. A buffer that gets full is cut. */
static void
feed_atom(const struct feed *f, struct buf *out)
{
	buf_lit(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
		     "<feed xmlns=\"http://www.w3.org/2005/Atom\"");
	add_attribute(out, "xml:lang", f->language);
	buf_lit(out, ">\n");
	add_element(out, "id", f->id);
	add_element(out, "title", f->title);
	add_element(out, "updated", f->updated);
	add_link(out, "self", FEED_ATOM_TYPE, NULL, f->atom);
	add_link(out, "alternate", "text/html", NULL, f->home);
	for (size_t i = 0; i < f->count; i++)
		add_entry(out, &f->entries[i]);
	buf_lit(out, "</feed>\n");
}

/* ---- JSON Feed */

static void
write_authors(struct jwrite *w, const struct facts *facts)
{
	jwrite_member_array(w, "authors");
	jwrite_object(w);
	jwrite_member_text(w, "name", facts->author);
	jwrite_member_text_if(w, "url", facts->author_url);
	jwrite_object_end(w);
	jwrite_array_end(w);
}

static void
write_tags(struct jwrite *w, const struct snapshot *s)
{
	if (s->section == NULL && s->tag_count == 0)
		return;
	jwrite_member_array(w, "tags");
	if (s->section != NULL)
		jwrite_text(w, s->section);
	for (size_t i = 0; i < s->tag_count; i++) {
		if (s->section == NULL || strcmp(s->tags[i], s->section) != 0)
			jwrite_text(w, s->tags[i]);
	}
	jwrite_array_end(w);
}

static void
write_item(struct jwrite *w, const struct feed_entry *e)
{
	const struct facts *facts = e->facts;

	jwrite_object(w);
	jwrite_member_text(w, "id", e->id);
	jwrite_member_text(w, "url", e->address);
	jwrite_member_text(w, "title", facts->heading);
	jwrite_member_text(w, "content_html", e->html);
	jwrite_member_text_if(w, "summary", facts->description);
	jwrite_member_text_if(w, "image", facts->image.url);
	jwrite_member_text(w, "date_published", facts->published_time);
	jwrite_member_text(w, "date_modified", facts->modified_time);
	write_authors(w, facts);
	write_tags(w, facts->snapshot);
	jwrite_member_text(w, "language", facts->language);
	jwrite_object_end(w);
}

static void
feed_json(const struct feed *f, struct buf *out)
{
	struct jwrite w;

	jwrite_init(&w, out);
	jwrite_object(&w);
	jwrite_member_text(&w, "version", "https://jsonfeed.org/version/1.1");
	jwrite_member_text(&w, "title", f->title);
	jwrite_member_text(&w, "home_page_url", f->home);
	jwrite_member_text(&w, "feed_url", f->json);
	jwrite_member_text(&w, "language", f->language);
	jwrite_member_array(&w, "items");
	for (size_t i = 0; i < f->count; i++)
		write_item(&w, &f->entries[i]);
	jwrite_array_end(&w);
	jwrite_object_end(&w);
	buf_add_char(out, '\n');
}

/* ---- what a feed holds */

#define ID_BYTES 16

/* What is asked, as a list. */
static struct listed_of
list_of(const struct feed_asked *asked)
{
	return (struct listed_of) { .workspace_id = asked->workspace->id,
		.kind = asked->language != NULL ? LISTED_LANGUAGE : LISTED_ALL,
		.value = asked->language };
}

/* Returns the greatest dateModified, or when the workspace was created. */
static int64_t
updated_at(struct ctx *c, const struct feed_asked *asked)
{
	struct listed_of of = list_of(asked);
	int64_t at = listed_modified_at(c, &of);

	return at != 0 ? at : asked->workspace->created_at;
}

/* Returns the id of this choice of articles (RFC 9562, version 8): it stays when the word
 * changes, and it does not tell the workspace's. */
static const char *
feed_id(struct ctx *c, const struct feed_asked *asked)
{
	unsigned char id[ID_BYTES];
	char hex[2 * ID_BYTES + 1];
	struct digest d;

	digest_begin(&d, sizeof(id), "galley feed 1");
	digest_text(&d, asked->workspace->uuid);
	digest_text(&d, asked->language != NULL ? listed_language(c, asked->language) : NULL);
	digest_end(&d, id);
	id[6] = (unsigned char)((id[6] & 0x0f) | 0x80);
	id[8] = (unsigned char)((id[8] & 0x3f) | 0x80);
	digest_hex(hex, id, sizeof(id));
	return arena_printf(c->arena, "urn:uuid:%.8s-%.4s-%.4s-%.4s-%s", hex, hex + 8, hex + 12,
	    hex + 16, hex + 20);
}

/* Returns the address of a feed. */
const char *
feed_address(struct ctx *c, const char *below, const char *name, const char *language)
{
	return arena_printf(c->arena, "%s%s%s%s", below, name, language != NULL ? "?language=" : "",
	    language != NULL ? listed_language(c, language) : "");
}

/* Returns the address of an article's page. */
static const char *
page_of(struct ctx *c, const struct feed_asked *asked, const struct snapshot *s)
{
	const char *slug = percent_encode_path(c->arena, s->slug);
	const char *own = listed_language(c, asked->workspace->settings.language);
	const char *language = listed_language(c, s->language);

	if (strcmp(own, language) == 0)
		return arena_printf(c->arena, "%s%s", asked->below, slug);
	return arena_printf(c->arena, "%s%s/%s", asked->below, language, slug);
}

/* Appends html whose links to fragments lead into the document at `address`. */
static void
feed_links(struct buf *out, const char *html, const char *address)
{
	static const char link[] = " href=\"#";
	size_t len = strcspn(address, "#");
	bool in_tag = false;

	for (const char *p = html; *p != '\0';) {
		if (in_tag && strncmp(p, link, sizeof(link) - 1) == 0) {
			buf_lit(out, " href=\"");
			for (size_t i = 0; i < len; i++) {
				if (address[i] == '&')
					buf_lit(out, "&amp;");
				else
					buf_add_char(out, address[i]);
			}
			p += sizeof(link) - 2; /* the # is next */
		}
		in_tag = *p == '<' || (in_tag && *p != '>');
		buf_add_char(out, *p++);
	}
}

/* Makes an entry; returns the length of its html. */
static size_t
make_entry(
    struct ctx *c, const struct feed_asked *asked, const struct article *a, struct feed_entry *e)
{
	const struct export_source *source = stored_source(c, asked->workspace, a, false);
	struct facts *facts = arena_alloc(c->arena, sizeof(*facts));
	const char *canonical = export_canonical(c, source);
	struct html h;
	struct buf html;

	facts_init(facts, c, source);
	html_render(&h, facts);
	e->id = arena_printf(c->arena, "urn:uuid:%s", a->uuid);
	e->facts = facts;
	e->address = canonical != NULL ? canonical : page_of(c, asked, source->snapshot);
	e->html = buf_done(&h.out);
	buf_init(&html, c->arena, FEED_HTML_MAX);
	buf_expect(&html, h.out.len);
	feed_links(&html, e->html, e->address);
	/* Of an article with a hundred thousand links, they stay as they are. */
	if (!buf_full(&html))
		e->html = buf_done(&html);
	return strlen(e->html);
}

/* Reads the articles that the feed may hold. */
static size_t
read_list(struct ctx *c, const struct feed_asked *asked, struct article **articles)
{
	struct listed_of of = list_of(asked);
	struct listed *listed = arena_array(c->arena, FEED_ENTRIES, sizeof(*listed));
	size_t found = listed_page(c, &of, 0, NULL, listed, FEED_ENTRIES, NULL), count = 0;

	for (size_t i = 0; i < found; i++) {
		articles[count] = article_find(c, asked->workspace->id, listed[i].uuid);
		if (articles[count] != NULL && articles[count]->status == ARTICLE_PUBLISHED)
			count++;
	}
	return count;
}

/* Adds all that the feed would hold to the digest of its tag, without making the texts. */
static void
add_to_digest(struct ctx *c, const struct feed_asked *asked, struct digest *d)
{
	struct article *articles[FEED_ENTRIES];
	size_t count = read_list(c, asked, articles);
	char revision[TOKEN_TEXT];

	digest_text(d, asked->title);
	digest_text(d, asked->below);
	digest_text(d, asked->language);
	digest_text(d, asked->workspace->settings.language);
	digest_int(d, updated_at(c, asked));
	for (size_t i = 0; i < count; i++) {
		token_export(asked->workspace, articles[i], revision);
		digest_text(d, articles[i]->uuid);
		digest_text(d, revision);
	}
}

/* Makes the feed (arena). */
static void
feed_make(struct ctx *c, const struct feed_asked *asked, struct feed *out)
{
	struct article *articles[FEED_ENTRIES];
	size_t count = read_list(c, asked, articles), bytes = 0;

	out->id = feed_id(c, asked);
	out->title = asked->title;
	out->language =
	    asked->language != NULL ? asked->language : asked->workspace->settings.language;
	out->home = feed_address(c, asked->below, "", asked->language);
	out->atom = feed_address(c, asked->below, "feed.atom", asked->language);
	out->json = feed_address(c, asked->below, "feed.json", asked->language);
	clock_format_seconds(out->updated, updated_at(c, asked));
	out->entries = arena_array(c->arena, FEED_ENTRIES, sizeof(*out->entries));
	for (out->count = 0; out->count < count; out->count++) {
		bytes += make_entry(c, asked, articles[out->count], &out->entries[out->count]);
		if (out->count > 0 && bytes > FEED_HTML_MAX)
			break;
	}
}

void
feed_answer(
    struct ctx *c, struct req *r, const struct feed_asked *asked, bool json, struct reply *reply)
{
	struct digest d;
	struct feed feed;

	reply->type = json ? FEED_JSON_TYPE : FEED_ATOM_TYPE;
	digest_begin(&d, (ETAG_TEXT - 1) / 2, "galley feed 1");
	digest_text(&d, reply->type);
	add_to_digest(c, asked, &d);
	if (reply_unchanged(r, reply, &d))
		return;
	feed_make(c, asked, &feed);
	(json ? feed_json : feed_atom)(&feed, &reply->body);
	/* Marks of XML can be longer than what they stand for. */
	while (buf_full(&reply->body) && feed.count > 1) {
		feed.count /= 2;
		buf_reset(&reply->body);
		(json ? feed_json : feed_atom)(&feed, &reply->body);
	}
}
