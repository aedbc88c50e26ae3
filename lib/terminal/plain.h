#ifndef TERMINAL_PLAIN_H
#define TERMINAL_PLAIN_H
/*
 * Makes text of strangers (topics, titles, labels, names of files) safe for an
 * operator's terminal. A terminal obeys some characters (base/utf8.h, docs/platform.md
 * §6); they never reach it.
 */
#include <stddef.h>

struct arena;

/* Overwrites with a question mark each character that a terminal obeys (except line
 * breaks and tabs), each noncharacter and each byte that is not UTF-8. Returns the new
 * length, which may be smaller. */
size_t plain_make(char *text);

/* Does the same for a cell of a table, and replaces each line break and tab by a space.
 * Returns `text` itself if nothing changes, else a copy in the arena. */
const char *plain_cell(struct arena *a, const char *text);

/* Returns JSON with the same values in which each such character is written \uXXXX. In
 * the arena. */
const char *plain_json(struct arena *a, const char *json);

#endif
