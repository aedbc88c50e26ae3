#ifndef STATS_LABEL_H
#define STATS_LABEL_H
/*
 * The labels of counts: text of strangers, which people see in reports. A line of a segment is not
 * trusted: what a label may hold is decided here, again, before it is counted. Pure functions;
 * what they return is in the arena, or NULL for a label that is not one.
 */
#include <stdbool.h>
#include <stddef.h>

struct arena;

/*
 * Returns a path as it is counted: it begins with a slash, has no query, and holds no character
 * that is obeyed instead of shown. Parts that look like an e-mail address or a token become ":x".
 * A path that is too long is cut after its last whole part.
 */
const char *label_path(struct arena *a, const char *path);

/* Returns the name of a host in lower case, with its port if it has one. */
const char *label_host(struct arena *a, const char *host);

/* Returns one line of text, at most 120 characters. */
const char *label_campaign(struct arena *a, const char *text);

/* Returns the first subtag of a language: two or three letters. */
const char *label_language(struct arena *a, const char *tag);

/* Returns a class of widths: xs, s, m, l or xl. */
const char *label_width(const char *text);

/* Returns the name of a rule for bots: lower case letters, digits and hyphens. */
const char *label_bot(struct arena *a, const char *text);

/*
 * Parts of addresses that may tell who the reader is: e-mail addresses, and tokens of sign-ins,
 * orders and invitations. They are counted as PART_HIDDEN (docs/pages.md §8). A rule that has to
 * guess: a part with many changes between letters, capitals and digits is no word of a language.
 * The collector asks it before a path is written, and the count again before it is counted.
 */

#define PART_HIDDEN ":x"

/* Returns whether a part, without slashes, looks like an e-mail address or a token. */
bool part_is_personal(const char *part, size_t len);

#endif
