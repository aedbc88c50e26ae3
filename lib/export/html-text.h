#ifndef EXPORT_HTML_TEXT_H
#define EXPORT_HTML_TEXT_H
/*
 * Writes texts as HTML: escaping, the inline marks, direction, citations. Every text of html
 * and head_html must go through here.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "content/inline.h"
#include "export/facts.h"

/* A caption that names a region, as screen readers say it: one space for many, no
 * difference of case. */
struct html_name {
	const char *text;
	const struct html_name *next;
};

#define HTML_NAMES 256

/* The article that is being rendered: what html.c and html-text.c share. */
struct html {
	const struct facts *facts;
	struct buf out;
	const struct reference **cited; /* in order of first use */
	size_t cited_count;
	size_t words; /* docs/export.md §5, "Words" */
	size_t cjk;
	size_t *numbers; /* of each reference; 0: not cited so far */
	size_t tables; /* regions so far: tables with a caption */
	const struct html_name *names[HTML_NAMES]; /* theirs, hashed */
	struct arena scratch; /* of one text at a time: html_text_parse() */
};

/* Whether the text holds a letter of the given direction. */
bool bidi_has_letter(const char *text, size_t len, bool rtl);

/* A parsed text. Marks around nothing visible are gone. */
struct html_text {
	struct inline_token *tokens;
	size_t count;
	struct inline_token one; /* the token of a text without marks */
	bool visible; /* it shows something: a letter, a sign, a citation */
};

/* Writes the content of an element: & < > are escaped. */
void html_text_escape(struct buf *out, const char *text, size_t len);

/* Writes ` name="value"`: & < > " ' are escaped. */
void html_text_attribute(struct buf *out, const char *name, const char *value);

/* Writes ` name="prefix-id"`. */
void html_text_id(struct html *h, const char *name, const char *id);

/* Parses a text. The tokens live until the next text is parsed: else a long article would
 * keep many times its length in memory. */
void html_text_parse(struct html *h, const char *text, struct html_text *t);

/* Writes a parsed text; `bdi`: with isolates where they are needed. */
void html_text_write(struct html *h, const struct html_text *t, bool bdi);

/* Adds the words of a parsed text to the count. */
void html_text_count(struct html *h, const struct html_text *t);

/* Writes a text with marks between two pieces of our own markup, and counts it. Returns false
 * and writes nothing for a text that is NULL or shows nothing. */
bool html_text_between(struct html *h, const char *before, const char *text, const char *after);

/* Does the same without counting. */
bool html_text_caption(struct html *h, const char *before, const char *text, const char *after);

/* Whether a text (or NULL) with marks shows anything. */
bool html_text_shows(struct html *h, const char *text);

/* Writes a text without marks (title, names, labels). */
void html_text_plain(struct html *h, const char *text, bool bdi);

/* Whether the text, code apart, has a letter of that direction. */
bool html_text_has_letter(const struct html_text *t, bool rtl);

#endif
