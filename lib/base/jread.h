#ifndef BASE_JREAD_H
#define BASE_JREAD_H
/*
 * Reads JSON from outside (jansson), strictly: duplicate names, \u0000, lone
 * surrogates, invalid UTF-8, trailing text and nesting beyond 64 are refused
 * (docs/design.md §4.22). The tree lives in the request's arena.
 *
 * The readers below are for objects of a known shape. They keep the first
 * refusal and do nothing after it, so that a reader of twenty members has twenty lines
 * and asks once, at the end:
 *
 *	struct jread r;
 *	jread_begin(&r, c, "content");
 *	s->heading = jread_text(&r, object, "heading", JREAD_NEEDED, 300);
 *	…
 *	jread_only(&r, object, "id heading body");
 *	return jread_end(&r);
 *
 * A refusal is ERR_INVALID; its param is the outermost member ("content"; "body" for
 * the whole document) and its sentence names the place: "content.sections[2].heading must be …".
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/err.h"

#define JREAD_DEPTH 32 /* how deep jread_enter() may nest: lists in lists */

enum jread_need {
	JREAD_NEEDED, /* must be there, must not be null */
	JREAD_NULLABLE, /* must be there, may be null */
	JREAD_OPTIONAL, /* may be absent, must not be null */
	JREAD_ANY /* may be absent or null */
};

struct jread {
	struct ctx *c;
	struct err *err; /* the first refusal, or NULL */
	struct {
		const char *name; /* member, or NULL for an element */
		size_t index;
	} path[JREAD_DEPTH];
	size_t depth;
};

/* Parses a whole document. Refuses what is not JSON: param `what`. */
MAY_REFUSE struct err *
jread_parse(struct ctx *c, const char *what, const char *text, size_t len, json_t **out);

/* Begins; `root` names the document in sentences ("" for none). */
void jread_begin(struct jread *r, struct ctx *c, const char *root);
/* The first refusal, or NULL. */
MAY_REFUSE struct err *jread_end(struct jread *r);

/* Names the place for following refusals; every enter has its leave. */
void jread_enter(struct jread *r, const char *name);
void jread_enter_element(struct jread *r, size_t index);
void jread_leave(struct jread *r);

/* Records a refusal about member `name` of the present place (NULL: the place
 * itself), unless there is one already: "<place> <format…>". */
__attribute__((cold)) void jread_refuse(struct jread *r, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A text of at most `max` code points, valid as stored text (utf8_forbidden(),
 * one line unless the name ends in "text", "answer" or "summary" is the
 * caller's affair: see jread_line()). NULL when absent or null. */
const char *
jread_text(struct jread *r, json_t *object, const char *name, enum jread_need need, size_t max);
/* The same, and no \n or \t. */
const char *
jread_line(struct jread *r, json_t *object, const char *name, enum jread_need need, size_t max);
/* An integer written as one; `absent` when it is not there. */
int64_t jread_int(struct jread *r, json_t *object, const char *name, enum jread_need need,
    int64_t min, int64_t max, int64_t absent);
bool
jread_bool(struct jread *r, json_t *object, const char *name, enum jread_need need, bool absent);
/* An array of at most `max` elements, an object; NULL when absent or null.
 * After a refusal NULL too: json_array_size(NULL) is 0. */
json_t *
jread_array(struct jread *r, json_t *object, const char *name, enum jread_need need, size_t max);
json_t *jread_object(struct jread *r, json_t *object, const char *name, enum jread_need need);

/* An element of an array that must be a text, or an object, at the present
 * place. NULL after a refusal. */
const char *jread_element_text(struct jread *r, json_t *element, size_t max);
json_t *jread_element_object(struct jread *r, json_t *element);

/* Refuses members whose name is not in `names` (separated by spaces). A name that is
 * empty, longer than 100 code points, or has characters that are obeyed rather than
 * shown is not repeated: the refusal is that of the place itself. */
void jread_only(struct jread *r, json_t *object, const char *names);

#endif
