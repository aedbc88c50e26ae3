#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "import/markdown/from-markdown.h"
#include "import/tagsoup.h"

static const char void_elements[] =
    " area base br col embed hr img image input keygen link meta param source track wbr ";
static const char text_elements[] =
    " a abbr acronym b bdi bdo big blink button cite code data del dfn em font i ins kbd label mark nobr q rb rp rt ruby s samp small span strike strong sub sup time tt u var ";
static const char optional_elements[] =
    " p li dt dd option optgroup rb rt rp tr td th thead tbody tfoot colgroup caption ";
/* Text elements that become a mark or code: it matters where they end. */
static const char meaning_elements[] = " a b cite code dfn em i kbd q samp strong tt var ";
/* The content of these elements is text, whatever it looks like. */
static const char raw_text_elements[] = " script style xmp iframe noembed noframes textarea title ";
/* These elements concern the whole page, or make parsers do strange things. */
static const char page_elements[] = " html head body frameset frame plaintext isindex base ";
/* Other parsing rules apply inside these elements: their tags get another name. */
static const char foreign_elements[] = " svg math template select ";
/* The attributes of a raw element that are read later. */
static const char kept_attributes[] =
    " href src alt title id name class width height colspan rowspan start type align data-align style cite lang dir data-language data ";

static const char *
lower_name(struct from_markdown *w, const struct tag *tag)
{
	char *name = arena_text_n(w->c->arena, tag->name, tag->name_len);

	for (char *p = name; *p != '\0'; p++)
		*p = (char)tolower((unsigned char)*p);
	return name;
}

static bool
is_in(const char *name, const char *names)
{
	struct tag tag = { .name = name, .name_len = strlen(name) };

	return tag_is_in(&tag, names);
}

static void
write_end(struct from_markdown *w, const char *name)
{
	const char *tag = arena_printf(w->c->arena, "</%s>", name);

	from_markdown_add(w, tag, strlen(tag), false);
}

/* Writes the attributes that are read later; others are dropped. */
static void
write_attributes(struct from_markdown *w, const struct tag *tag)
{
	struct tag_attribute attribute;
	const char *p = tag->attributes;

	while (tag_attribute(tag, &p, &attribute)) {
		struct tag name = { .name = attribute.name, .name_len = attribute.name_len };
		if (!tag_is_in(&name, kept_attributes))
			continue;
		from_markdown_add(w, " ", 1, false);
		from_markdown_add(w, attribute.name, attribute.name_len, false);
		from_markdown_add(w, "=\"", 2, false);
		for (size_t i = 0; i < attribute.value_len; i++) {
			if (attribute.value[i] == '"')
				from_markdown_add(w, "&quot;", 6, false);
			else
				from_markdown_add(w, attribute.value + i, 1, false);
		}
		from_markdown_add(w, "\"", 1, false);
	}
}

static void
write_start(struct from_markdown *w, const char *name, const struct tag *tag)
{
	from_markdown_add(w, "<", 1, false);
	from_markdown_add(w, name, strlen(name), false);
	write_attributes(w, tag);
	from_markdown_add(w, ">", 1, false);
}

/* Notes an open element. Elements such as <p> and <li>, which need no closing
 * tag, end one of the same name: it is not counted again. */
static void
push(struct from_markdown *w, const char *name)
{
	struct from_markdown_open *open;
	bool optional = is_in(name, optional_elements);

	/* An element that ends the one before it is not counted again. */
	for (size_t i = w->open_count; optional && i > 0; i--) {
		if (!w->open[i - 1].optional)
			break;
		if (strcmp(w->open[i - 1].name, name) == 0)
			return;
	}
	if (w->open_count >= 10 * FROM_MARKDOWN_NESTING_MAX)
		return;
	if (w->open_count == w->open_cap) {
		size_t cap = w->open_cap == 0 ? 16 : w->open_cap * 2;
		w->open = arena_grow(
		    w->c->arena, w->open, w->open_cap * sizeof(*open), cap * sizeof(*open));
		w->open_cap = cap;
	}
	open = &w->open[w->open_count++];
	open->name = name;
	open->text = is_in(name, text_elements);
	open->optional = optional;
}

/* Returns how many elements are open that must be closed. */
static size_t
depth(const struct from_markdown *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->open_count; i++)
		n += !w->open[i].optional;
	return n;
}

static void
remove_open(struct from_markdown *w, size_t at)
{
	w->open_count--;
	memmove(w->open + at, w->open + at + 1, (w->open_count - at) * sizeof(*w->open));
}

/* Writes a closing tag. It ends its element. A text element ends alone; others
 * end everything inside them but text elements, as in browsers. */
static void
close_tag(struct from_markdown *w, const char *name)
{
	size_t at = w->open_count;

	while (at > 0 && strcmp(w->open[at - 1].name, name) != 0)
		at--;
	if (at == 0) {
		if (is_in(name, meaning_elements) ||
		    (!is_in(name, text_elements) && !is_in(name, optional_elements)))
			losses_add(w->losses, w->line,
			    tr_mark("the closing tag </%s> has no opening one and was dropped"),
			    name);
		return;
	}
	at--;
	for (size_t i = w->open_count; i > at + 1; i--) {
		if (!w->open[at].text && !w->open[i - 1].text)
			remove_open(w, i - 1);
	}
	remove_open(w, at);
	write_end(w, name);
}

static void
open_tag(struct from_markdown *w, const char *name, const struct tag *tag)
{
	write_start(w, name, tag);
	if (is_in(name, void_elements))
		return;
	if (tag->self_closing) {
		write_end(w, name);
		return;
	}
	push(w, name);
	if (depth(w) > FROM_MARKDOWN_NESTING_MAX && w->err == NULL)
		w->err = refuse(w->c, ERR_INVALID,
		    tr_mark("line %u: HTML elements are nested more than %d deep."), w->line,
		    FROM_MARKDOWN_NESTING_MAX);
}

/* Returns where the closing tag of a raw text element begins, or `end`. */
static const char *
raw_text_end(const char *p, const char *end, const char *name)
{
	size_t len = strlen(name);

	for (; p < end; p++) {
		if (*p == '<' && (size_t)(end - p) > len + 2 && p[1] == '/' &&
		    strncasecmp(p + 2, name, len) == 0 && strchr(" \t\n/>", p[2 + len]) != NULL)
			return p;
	}
	return end;
}

/* Writes the element `tag` and its content as text. Returns where the content
 * ends. */
static const char *
raw_text(
    struct from_markdown *w, const char *name, const struct tag *tag, const char *end, bool block)
{
	const char *from = tag->end, *to = raw_text_end(from, end, name);

	if (block && is_in(name, " script style ")) {
		losses_add(w->losses, w->line, tr_mark("<%s> was dropped with its content"), name);
		for (; from < to; from++)
			w->line += *from == '\n';
		return to;
	}
	if (strcmp(name, "iframe") == 0) {
		write_start(w, "iframe", tag);
		write_end(w, "iframe");
	} else {
		losses_add(
		    w->losses, w->line, tr_mark("the tag <%s> was dropped, its text kept"), name);
	}
	from_markdown_add(w, from, (size_t)(to - from), true);
	return to;
}

/* Writes a whole tag. Returns where to continue. */
static const char *
write_tag(struct from_markdown *w, const struct tag *tag, const char *end, bool block)
{
	const char *name = lower_name(w, tag);
	unsigned line = w->line;

	if (strncmp(name, "x-", 2) == 0 || is_in(name, page_elements) ||
	    name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")] != '\0') {
		losses_add(w->losses, w->line, tr_mark("the tag <%s> was dropped, its text kept"),
		    losses_excerpt(w->c, name, 40));
	} else if (is_in(name, raw_text_elements)) {
		if (!tag->closing)
			return raw_text(w, name, tag, end, block);
	} else {
		if (is_in(name, foreign_elements))
			name = arena_printf(w->c->arena, "x-%s", name);
		if (tag->closing)
			close_tag(w, name);
		else
			open_tag(w, name, tag);
	}
	for (const char *p = tag->name; p < tag->end; p++)
		line += *p == '\n';
	w->line = line;
	return tag->end;
}

/* Returns where the comment, declaration or instruction at `p` ends; NULL if
 * there is none. There is no ">" after `last`, so that a thousand of them
 * without an end are not a thousand searches to the end. */
static const char *
other_markup(struct from_markdown *w, const char *p, const char *end, const char *last)
{
	static const char cdata[] = "<![CDATA[";
	const char *from, *to;
	bool comment = strncmp(p, "<!--", 4) == 0;

	if (strncmp(p, cdata, sizeof(cdata) - 1) == 0) {
		from = p + sizeof(cdata) - 1;
		to = memmem(from, (size_t)(end - from), "]]>", 3);
		to = to == NULL ? end : to;
		from_markdown_add(w, from, (size_t)(to - from), true);
		return to == end ? end : to + 3;
	}
	if (!comment && ((p[1] != '!' && p[1] != '?') || last < p))
		return NULL;
	from = p + (comment ? 4 : 2);
	to = comment ? memmem(from, (size_t)(end - from), "-->", 3)
		     : memchr(from, '>', (size_t)(end - from));
	if (to == NULL && !comment)
		return NULL;
	to = to == NULL ? end : to;
	if (!comment)
		losses_add(w->losses, w->line,
		    tr_mark("a declaration or instruction (<! or <?) was dropped"));
	else if (from + strspn(from, " \t\n-") < to)
		losses_add(w->losses, w->line, tr_mark("a comment was dropped"));
	else
		from_markdown_add(w, "<wbr>", 5, false);
	for (; p < to; p++)
		w->line += *p == '\n';
	return to == end ? end : to + (comment ? 3 : 1);
}

void
from_markdown_raw(struct from_markdown *w, const char *html, bool block)
{
	const char *p = html, *end = html + strlen(html), *next;
	const char *close = memrchr(html, '>', (size_t)(end - html));
	const char *last = close != NULL ? close : html;
	size_t open = w->open_count;
	struct tag tag;

	while (p < end) {
		size_t len = strcspn(p, "<");
		from_markdown_add(w, p, len, false);
		p += len;
		if (p == end)
			break;
		if (p < last && tag_read(p, end, &tag)) {
			p = write_tag(w, &tag, end, block);
			continue;
		}
		next = other_markup(w, p, end, last);
		if (next == NULL)
			from_markdown_add(w, "&lt;", 4, false);
		p = next != NULL ? next : p + 1;
	}
	if (!block)
		return;
	for (size_t i = w->open_count; i > open; i--) {
		const char *name = w->open[i - 1].name;
		if (!w->open[i - 1].text)
			continue;
		if (is_in(name, meaning_elements))
			losses_add(w->losses, w->line,
			    tr_mark("the tag <%s> is not closed in its block; it ends there"),
			    name);
		write_end(w, name);
		remove_open(w, i - 1);
	}
}

void
from_markdown_raw_close(struct from_markdown *w, size_t count)
{
	while (w->open_count > count) {
		const struct from_markdown_open *open = &w->open[--w->open_count];
		if (!open->optional)
			write_end(w, open->name);
	}
}
