#ifndef TERMINAL_PLAIN_H
#define TERMINAL_PLAIN_H
/*
 * Text of strangers on an operator's terminal: topics, titles, labels, names of
 * files. A terminal obeys some characters (base/utf8.h, docs/platform.md §6); shown,
 * none does.
 */
#include <stddef.h>

struct arena;

/* Overwrites each character that is obeyed, but line breaks and tabs, each
 * noncharacter and each byte that is no UTF-8 with a question mark. Returns the
 * length, which may be less than it was. */
size_t plain_make(char *text);

/* One line of a table: the same, with a space for each line break and tab. `text`
 * itself where nothing is to change, else a copy in the arena. */
const char *plain_cell(struct arena *a, const char *text);

/* JSON with each such character spelled \uXXXX: the same values. In the arena. */
const char *plain_json(struct arena *a, const char *json);

#endif
