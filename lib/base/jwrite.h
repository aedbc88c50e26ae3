#ifndef BASE_JWRITE_H
#define BASE_JWRITE_H
/*
 * Writes JSON into a buffer, without a tree. It adds commas and colons itself. The same
 * calls always give the same bytes.
 *
 * Text is escaped as docs/platform.md §6 says: quote, backslash, everything below
 * U+0020, U+007F, U+2028 and U+2029; with `html_safe` also < > and & as \u00XX
 * (JSON inside a script element). Everything else is written as it is.
 *
 * Names: jwrite_member_text(w, "title", t) is jwrite_name() and jwrite_text().
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct jwrite {
	struct buf *out;
	bool html_safe; /* may be set after jwrite_init() */
	bool comma; /* there is a value before the next one */
};

void jwrite_init(struct jwrite *w, struct buf *out);

void jwrite_object(struct jwrite *w);
void jwrite_object_end(struct jwrite *w);
void jwrite_array(struct jwrite *w);
void jwrite_array_end(struct jwrite *w);
void jwrite_name(struct jwrite *w, const char *name);

/* NULL writes null. */
void jwrite_text(struct jwrite *w, const char *text);
void jwrite_int(struct jwrite *w, int64_t value);
void jwrite_bool(struct jwrite *w, bool value);
void jwrite_null(struct jwrite *w);
/* A time in microseconds, in the API's form. */
void jwrite_time(struct jwrite *w, int64_t at);
/* `json` is a whole value that was written by this writer before. */
void jwrite_raw(struct jwrite *w, const char *json, size_t len);

void jwrite_member_text(struct jwrite *w, const char *name, const char *text);
/* Writes nothing at all if `text` is NULL or empty. */
void jwrite_member_text_if(struct jwrite *w, const char *name, const char *text);
void jwrite_member_int(struct jwrite *w, const char *name, int64_t value);
void jwrite_member_bool(struct jwrite *w, const char *name, bool value);
void jwrite_member_null(struct jwrite *w, const char *name);
void jwrite_member_time(struct jwrite *w, const char *name, int64_t at);
void jwrite_member_object(struct jwrite *w, const char *name);
void jwrite_member_array(struct jwrite *w, const char *name);

/* Writes null for 0. */
static inline void
jwrite_member_time_or_null(struct jwrite *w, const char *name, int64_t at)
{
	if (at == 0)
		jwrite_member_null(w, name);
	else
		jwrite_member_time(w, name, at);
}

#endif
