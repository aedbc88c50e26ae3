#ifndef STATS_PART_H
#define STATS_PART_H
/*
 * Parts of addresses that may tell who the reader is: e-mail addresses, and tokens of sign-ins,
 * orders and invitations. They are counted as PART_HIDDEN (docs/pages.md §8). A rule that has to
 * guess: a part with many changes between letters, capitals and digits is no word of a language.
 * The collector asks it before a path is written, and the count again before it is counted.
 */
#include <stdbool.h>
#include <stddef.h>

#define PART_HIDDEN ":x"

/* Returns whether a part, without slashes, looks like an e-mail address or a token. */
bool part_is_personal(const char *part, size_t len);

/* Returns whether a text has an e-mail address in it. */
bool part_has_email(const char *part, size_t len);

#endif
