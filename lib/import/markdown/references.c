#include "import/markdown/references.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "content/inline.h"
#include "content/url.h"

bool
references_is_plain_id(const char *id)
{
	const char *p = id + 1;

	return id[0] == 'r' && *p >= '1' && *p <= '9' && p[strspn(p, "0123456789")] == '\0' &&
	       strlen(id) < 8;
}

/* Returns whether a label stays the id: it has the form r1, or the object galley
 * names it. */
static bool
is_known(const char *label, const char *const *known, size_t count)
{
	if (references_is_plain_id(label))
		return true;
	for (size_t i = 0; i < count; i++) {
		if (strcmp(known[i], label) == 0)
			return true;
	}
	return false;
}

/* Returns whether a footnote already has this id. */
static bool
is_taken(const char *const *ids, size_t count, const char *id)
{
	for (size_t i = 0; i < count; i++) {
		if (ids[i] != NULL && strcmp(ids[i], id) == 0)
			return true;
	}
	return false;
}

size_t *
references_order(struct ctx *c, const struct lined_html *html)
{
	size_t *order = arena_array(c->arena, html->note_count, sizeof(*order));

	for (size_t i = 0; i < html->note_count; i++) {
		size_t at = i;
		while (at > 0 && html->notes[order[at - 1]].line > html->notes[i].line) {
			order[at] = order[at - 1];
			at--;
		}
		order[at] = i;
	}
	return order;
}

const char **
references_ids(struct ctx *c, const struct lined_html *html, const char *const *known, size_t count)
{
	size_t n = html->note_count, *order = references_order(c, html), next = 1;
	const char **ids = arena_array(c->arena, n, sizeof(*ids));

	for (size_t i = 0; i < n; i++) {
		const char *label = html->notes[i].label;
		if (label != NULL && is_known(label, known, count) && !is_taken(ids, n, label))
			ids[i] = label;
	}
	for (size_t i = 0; i < n; i++) {
		while (ids[order[i]] == NULL) {
			const char *id = arena_printf(c->arena, "r%zu", next++);
			if (!is_taken(ids, n, id))
				ids[order[i]] = id;
		}
	}
	return ids;
}

/* Returns whether the text is a year, a month, a day, or a date of the form
 * 2025-03-04. */
static bool
is_date(const char *p)
{
	size_t len = strlen(p);

	return (len == 4 || len == 7 || len == 10) && strspn(p, "0123456789") == 4 &&
	       (len == 4 || p[4] == '-') && strspn(p, "0123456789-") == len &&
	       (len < 10 || p[7] == '-') && p[len - 1] != '-';
}

static char *
trim(char *text, const char *set)
{
	size_t len;

	text += strspn(text, set);
	len = strlen(text);
	while (len > 0 && strchr(set, text[len - 1]) != NULL)
		text[--len] = '\0';
	return text;
}

/* Returns the length of the comma, of any script, with which a text begins; 0 if
 * it begins with none. */
static size_t
comma_bytes(const char *text)
{
	static const char *const commas[] = { ",", "\u060C", "\u3001", "\uFF0C" };

	for (size_t i = 0; i < sizeof(commas) / sizeof(commas[0]); i++) {
		size_t len = strlen(commas[i]);
		if (strncmp(text, commas[i], len) == 0)
			return len;
	}
	return 0;
}

static char *
last_comma(char *text)
{
	char *last = NULL;

	for (; *text != '\0'; text++) {
		if (comma_bytes(text) > 0)
			last = text;
	}
	return last;
}

/* Reads what follows the link: "Example Institute, 2025-03-04", either of them
 * alone, or nothing. A comma comes first. What is last is the date if it has the
 * form of one; all else is the publisher. */
static void
parse_rest(char *rest, struct reference *out)
{
	char *comma, *last;

	rest = trim(rest + comma_bytes(rest), " ,");
	comma = last_comma(rest);
	last = comma == NULL ? rest : comma + comma_bytes(comma);
	last += strspn(last, " ");
	if (is_date(last)) {
		out->published = last;
		if (comma == NULL)
			return;
		*comma = '\0';
		rest = trim(rest, " ,");
	}
	if (rest[0] != '\0')
		out->publisher = rest;
}

/* Finds a web address without markup in a text, and returns it cleaned. *from and
 * *to receive its place. */
static const char *
bare_address(struct ctx *c, const char *text, const char **from, const char **to)
{
	const char *http = strstr(text, "http://");
	const char *https = strstr(text, "https://");

	*from = http == NULL || (https != NULL && https < http) ? https : http;
	if (*from == NULL)
		return NULL;
	*to = *from + strcspn(*from, " <>\"");
	while (*to > *from && strchr(".,;:)!?", (*to)[-1]) != NULL)
		--*to;
	return url_clean_web(c->arena, arena_text_n(c->arena, *from, (size_t)(*to - *from)));
}

/* Reads a footnote without a link: the title is the text, without an address at
 * its end. */
static void
parse_text(struct ctx *c, const char *text, struct reference *out)
{
	const char *from, *to;
	char *title;

	out->title = text;
	out->url = bare_address(c, text, &from, &to);
	if (out->url == NULL || to[strspn(to, " .)>")] != '\0')
		return;
	title = trim(arena_text_n(c->arena, text, (size_t)(from - text)), " ,:(<");
	if (title[0] != '\0')
		out->title = title;
}

/* What the tokens of a footnote contain. */
struct found {
	const char *plain; /* all text */
	const char *url; /* of the first link */
	const char *title; /* the text of that link */
	char *rest; /* the text after the link, if the link comes first */
	size_t links, cites;
};

/* Collects the text of a footnote, its first link, and the text after that link. */
static void
look(struct ctx *c, const struct inline_token *tokens, size_t count, struct found *found)
{
	struct buf plain, title, rest;
	bool in = false;

	memset(found, 0, sizeof(*found));
	buf_init(&plain, c->arena, CONTENT_BYTES_MAX);
	buf_init(&title, c->arena, CONTENT_BYTES_MAX);
	buf_init(&rest, c->arena, CONTENT_BYTES_MAX);
	for (size_t i = 0; i < count; i++) {
		const struct inline_token *token = &tokens[i];
		if (token->event == INLINE_LINK && found->links++ == 0) {
			in = plain.len == 0;
			found->url = token->text;
			found->rest = in ? rest.data : NULL;
		} else if (token->event == INLINE_LINK_END) {
			in = false;
		} else if (token->event == INLINE_CITE) {
			found->cites++;
		} else if (token->event == INLINE_TEXT || token->event == INLINE_CODE) {
			buf_add(&plain, token->text, token->len);
			buf_add(in ? &title : &rest, token->text, token->len);
		}
	}
	if (found->rest != NULL)
		found->rest = rest.data;
	found->title = title.data;
	found->plain = plain.data;
}

bool
references_parse(
    struct ctx *c, struct losses *losses, unsigned line, const char *text, struct reference *out)
{
	struct inline_token *tokens;
	struct found found;
	size_t count;
	char *flat = arena_text(c->arena, text == NULL ? "" : text);

	memset(out, 0, sizeof(*out));
	for (char *p = flat; *p != '\0'; p++) {
		if (*p == '\n')
			*p = ' ';
	}
	tokens = inline_parse(c->arena, flat, &count);
	look(c, tokens, count, &found);
	if (found.plain[0] == '\0')
		return false;
	if (found.cites > 0)
		losses_add(losses, line, tr_mark("a citation in a source was dropped"));
	if (found.links == 0) {
		parse_text(c, found.plain, out);
		return true;
	}
	out->url = url_clean_web(c->arena, found.url);
	/* A bare address after the title is no part of it. */
	if (found.links == 1 && found.rest == NULL && out->url != NULL) {
		struct reference bare = { .id = NULL };
		parse_text(c, found.plain, &bare);
		if (bare.url != NULL && strcmp(bare.url, out->url) == 0) {
			out->title = bare.title;
			return true;
		}
	}
	if (out->url == NULL)
		losses_add(
		    losses, line, tr_mark("the address of a source was dropped: %s"), found.url);
	if (found.links > 1)
		losses_add(losses, line, tr_mark("only the first link of a source was kept"));
	/* Text that continues like a sentence belongs to the title. */
	if (found.rest == NULL || (found.rest[0] != '\0' && comma_bytes(found.rest) == 0) ||
	    utf8_length(found.rest) > CONTENT_HEADING_MAX) {
		out->title = found.plain;
		return true;
	}
	out->title = found.title;
	parse_rest(found.rest, out);
	return true;
}

void
references_write(struct buf *out, const struct reference *reference)
{
	if (reference->url != NULL)
		buf_add_char(out, '[');
	inline_escape(out, reference->title, strlen(reference->title));
	if (reference->url == NULL)
		return;
	buf_lit(out, "](");
	inline_escape_address(out, reference->url);
	buf_add_char(out, ')');
	if (reference->publisher != NULL) {
		buf_lit(out, ", ");
		inline_escape(out, reference->publisher, strlen(reference->publisher));
	}
	if (reference->published != NULL) {
		buf_lit(out, ", ");
		inline_escape(out, reference->published, strlen(reference->published));
	}
}
