#include "export/facts.h"

#include <stdint.h>
#include <string.h>
#include <utf8proc.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "content/inline.h"
#include "content/lang.h"
#include "export/todo.h"

/* ---- addresses */

#define SLOT "{slug}"

/* Returns whether the byte needs no escape anywhere in an address (RFC 3986
 * §2.3). */
static bool
is_unreserved(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= '0' && byte <= '9') || (byte != '\0' && strchr("-._~", byte) != NULL);
}

/* Returns whether a path, a query or an escape may contain the byte as it is (RFC
 * 3986 §2). */
static bool
is_address(char byte)
{
	return is_unreserved(byte) || (byte != '\0' && strchr("!$&()*+,;=:@/?%", byte) != NULL);
}

/* Escapes every byte for which `stays` returns false, with hexadecimal digits in
 * capitals. */
static void
percent_encode(struct buf *out, const char *text, size_t len, bool (*stays)(char))
{
	static const char digits[] = "0123456789ABCDEF";

	for (size_t i = 0; i < len; i++) {
		unsigned char byte = (unsigned char)text[i];

		if (stays(text[i])) {
			buf_add_char(out, text[i]);
			continue;
		}
		buf_add_char(out, '%');
		buf_add_char(out, digits[byte >> 4]);
		buf_add_char(out, digits[byte & 15]);
	}
}

const char *
export_canonical(struct ctx *c, const struct export_source *source)
{
	const struct settings *s = source->settings;
	const char *pattern = s->address_pattern;
	const char *slug = source->snapshot->slug;
	const char *slot;
	struct buf out;

	if (source->published_url != NULL)
		/* A fragment does not belong to a page's address. */
		return arena_text_n(
		    c->arena, source->published_url, strcspn(source->published_url, "#"));
	if (s->website == NULL || pattern == NULL)
		return NULL;
	slot = strstr(pattern, SLOT);
	if (slot == NULL)
		return NULL;
	buf_init(&out, c->arena, strlen(s->website) + 3 * (strlen(pattern) + strlen(slug)));
	buf_add_text(&out, s->website);
	percent_encode(&out, pattern, (size_t)(slot - pattern), is_address);
	percent_encode(&out, slug, strlen(slug), is_unreserved);
	slot += strlen(SLOT);
	percent_encode(&out, slot, strlen(slot), is_address);
	return buf_done(&out);
}

const char *
export_media_address(struct ctx *c, const struct settings *s, const char *url)
{
	static const char media[] = "media:";
	size_t len = strlen(media);

	if (strncmp(url, media, len) != 0)
		return url;
	if (s->public_url[0] == '\0')
		return NULL;
	return arena_printf(c->arena, "%s/media/%s", s->public_url, url + len);
}

/* ---- text that shows nothing */

/* Returns whether the character shows nothing: spaces, separators, controls and
 * formatting characters. */
static bool
is_invisible(uint32_t cp)
{
	utf8proc_category_t kind = utf8proc_category((utf8proc_int32_t)cp);

	return kind >= UTF8PROC_CATEGORY_ZS && kind <= UTF8PROC_CATEGORY_CF;
}

bool
invisible_text(const char *text, size_t len)
{
	const char *p = text, *end = text + len;

	while (p < end) {
		if (!is_invisible(utf8_next(&p)))
			return false;
	}
	return true;
}

/* ---- facts */

#define DESCRIPTION_MAX 160 /* code points of a derived description, docs/export.md §3 */

/* Returns the text on one line: each run of spaces, controls and line separators
 * becomes one space, and is removed at the ends. */
static const char *
one_line(struct ctx *c, const char *text)
{
	const char *p = text;
	struct buf out;
	bool gap = false;

	buf_init(&out, c->arena, strlen(text));
	while (*p != '\0') {
		const char *from = p;
		uint32_t cp = utf8_next(&p);

		if (cp <= ' ' || cp == 0x2028 || cp == 0x2029) {
			gap = out.len > 0;
			continue;
		}
		if (gap)
			buf_add_char(&out, ' ');
		gap = false;
		buf_add(&out, from, (size_t)(p - from));
	}
	return buf_done(&out);
}

static bool
is_mark(uint32_t cp)
{
	utf8proc_category_t kind = utf8proc_category((utf8proc_int32_t)cp);

	return kind >= UTF8PROC_CATEGORY_MN && kind <= UTF8PROC_CATEGORY_ME;
}

/* Returns where to cut a text that has more than `max` code points: after the
 * last word or CJK character that fits; if there is no such place, before a
 * character and its marks. The text has no two spaces in a row. */
static size_t
cut_at(const char *text, size_t max)
{
	const char *p = text;
	size_t word = 0, whole = 0;
	bool was_cjk = false;

	for (size_t i = 0; i <= max; i++) {
		size_t at = (size_t)(p - text);
		uint32_t cp = utf8_next(&p);

		if (cp == ' ' || was_cjk)
			word = at;
		if (!is_mark(cp))
			whole = at;
		was_cjk = lang_is_cjk(cp);
	}
	return word > 0 ? word : whole;
}

const char *
facts_cut(struct ctx *c, const char *text, size_t max)
{
	const char *line = one_line(c, text);

	if (utf8_length(line) <= max)
		return line;
	return arena_text_n(c->arena, line, cut_at(line, max));
}

/* Returns the first paragraph that shows something, as plain text, or NULL. */
static const char *
first_paragraph(struct ctx *c, const struct section *sections, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct section *s = &sections[i];
		const char *found;

		for (size_t b = 0; b < s->body_count; b++) {
			if (s->body[b].type != BLOCK_PARAGRAPH)
				continue;
			found = inline_plain(c->arena, s->body[b].text);
			if (!invisible_text(found, strlen(found)))
				return found;
		}
		found = first_paragraph(c, s->subsections, s->subsection_count);
		if (found != NULL)
			return found;
	}
	return NULL;
}

/* The description is the meta description, uncut; else the summary; else the
 * first paragraph. The last two are plain text and cut to 160 characters
 * (docs/export.md §3). */
static const char *
description(struct ctx *c, const struct facts *f)
{
	const char *text = f->snapshot->meta_description;

	if (text != NULL)
		return text;
	text = inline_plain(c->arena, f->content->summary);
	if (invisible_text(text, strlen(text)))
		text = first_paragraph(c, f->content->sections, f->content->section_count);
	return text == NULL ? "" : facts_cut(c, text, DESCRIPTION_MAX);
}

/* Sets title, description and language. The robots: a draft is not indexed and
 * its links not followed; an article marked noindex, or published with to-dos, is
 * not indexed; any other published article is (docs/export.md §2). */
static void
set_texts(struct facts *f)
{
	const struct snapshot *snapshot = f->snapshot;
	const char *title = snapshot->title;

	/* A title that shows nothing would leave the page without a name, so the
	 * slug replaces it. */
	if (invisible_text(title, strlen(title)))
		title = snapshot->slug;
	f->heading = title;
	f->title = snapshot->meta_title != NULL ? snapshot->meta_title : title;
	f->description = description(f->c, f);
	f->language = snapshot->language;
	f->rtl = lang_is_rtl(snapshot->language);
	f->locale = lang_locale(f->c->arena, snapshot->language);
	if (!f->source->published)
		f->robots = "noindex, nofollow";
	else if (snapshot->noindex || snapshot->unfinished > 0)
		f->robots = "noindex, follow";
	else
		f->robots =
		    "index, follow, max-image-preview:large, max-snippet:-1, max-video-preview:-1";
}

/* The brand is the publisher's name, or else the workspace's name. The author is
 * the article's, or else the workspace's, or else the brand. */
static void
set_names(struct facts *f)
{
	const struct snapshot *snapshot = f->snapshot;
	const struct settings *s = f->settings;

	f->brand = s->publisher_name != NULL ? s->publisher_name : s->name;
	f->author_url = snapshot->author_url;
	f->author = snapshot->author_name;
	if (f->author == NULL) {
		f->author = s->author_name;
		/* The workspace's profile belongs to the workspace's author only. */
		if (f->author_url == NULL)
			f->author_url = s->author_url;
	}
	f->author_is_brand = f->author == NULL;
	if (f->author_is_brand)
		f->author = f->brand;
}

/* Nodes are named by the canonical address, or by a urn:uuid if there is none
 * (docs/export.md §4). */
static void
set_addresses(struct facts *f)
{
	struct arena *a = f->c->arena;
	const struct settings *s = f->settings;

	f->canonical = export_canonical(f->c, f->source);
	f->base =
	    f->canonical != NULL ? f->canonical : arena_printf(a, "urn:uuid:%s", f->source->id);
	f->site = s->website == NULL ? NULL : arena_printf(a, "%s/", s->website);
	f->site_base = f->site != NULL ? f->site : arena_printf(a, "urn:uuid:%s", s->workspace_id);
}

/* A cover without a known address counts as no cover. Width and height are given
 * together or not at all. */
static void
set_image(struct facts *f)
{
	const struct snapshot *snapshot = f->snapshot;
	struct facts_image *image = &f->image;

	image->alt = "";
	if (snapshot->image == NULL)
		return;
	image->url = export_media_address(f->c, f->settings, snapshot->image);
	if (image->url == NULL)
		return;
	image->type = snapshot->image_type;
	if (f->content->image_alt != NULL)
		image->alt = f->content->image_alt;
	image->caption = f->content->image_caption;
	if (snapshot->image_width > 0 && snapshot->image_height > 0) {
		image->width = snapshot->image_width;
		image->height = snapshot->image_height;
	}
	image->generated = snapshot->image_generated;
}

/* A draft has no dates. */
static void
set_times(struct facts *f)
{
	const struct export_source *source = f->source;

	if (!source->published)
		return;
	if (source->published_at != 0) {
		clock_format_date(f->published_date, source->published_at);
		clock_format_seconds(f->published_time, source->published_at);
	}
	if (source->modified_at != 0)
		clock_format_seconds(f->modified_time, source->modified_at);
}

void
facts_init(struct facts *f, struct ctx *c, const struct export_source *source)
{
	memset(f, 0, sizeof(*f));
	f->c = c;
	f->source = source;
	f->snapshot = source->snapshot;
	f->settings = source->settings;
	f->content = &source->snapshot->content;
	if (source->published)
		f->content = todo_removed(c->arena, f->content);
	memcpy(f->prefix, "ab-", 3);
	memcpy(f->prefix + 3, source->id, 8);
	set_texts(f);
	set_names(f);
	set_addresses(f);
	set_image(f);
	set_times(f);
}
