#ifndef CONTENT_INLINE_H
#define CONTENT_INLINE_H
/*
 * The five inline marks of texts (docs/export.md §5): **strong**, *emphasis*,
 * `code`, [text](https://…), [^r1]; a backslash makes the next character
 * literal. Every other character is literal. The parser is linear and total:
 * any string gives events, and an unclosed mark is literal text.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct arena;

enum inline_event {
	INLINE_TEXT, /* literal text: text, len; may hold \n */
	INLINE_CODE, /* code: text, len; line ends are spaces */
	INLINE_CITE, /* citation: text, len is the reference's id */
	INLINE_STRONG, /* opens */
	INLINE_STRONG_END,
	INLINE_EMPHASIS,
	INLINE_EMPHASIS_END,
	INLINE_LINK, /* text, len is the address as url_clean() made it */
	INLINE_LINK_END
};

struct inline_token {
	enum inline_event event;
	const char *text;
	size_t len;
};

/* Parses `text`. The tokens (*count of them) live in the arena.
 * Marks nest properly: every opening token has its end. */
struct inline_token *inline_parse(struct arena *a, const char *text, size_t *count);

/* Returns the text without marks and citations, links as their text: for titles,
 * descriptions, JSON-LD, counting. It is `text` itself when there are no marks. */
const char *inline_plain(struct arena *a, const char *text);

/* Appends literal text so that inline_parse() gives it back as it is: the
 * characters that could open or close a mark get a backslash. */
void inline_escape(struct buf *out, const char *text, size_t len);

/* Appends a code span that gives INLINE_CODE with these bytes, line ends as
 * spaces; nothing for no bytes. A backtick must not come before or after it. */
void inline_escape_code(struct buf *out, const char *code, size_t len);

/* Appends an address for the place between ( and ) of a link: parentheses get
 * a backslash, so that they need not be balanced. */
void inline_escape_address(struct buf *out, const char *address);

#endif
