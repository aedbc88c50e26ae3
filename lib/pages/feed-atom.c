#include <string.h>

#include "base/utf8.h"
#include "content/snapshot.h"
#include "export/facts.h"
#include "pages/feed.h"

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

void
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
