#ifndef TERMINAL_TEXTDIFF_H
#define TERMINAL_TEXTDIFF_H
/*
 * Shows people what differs between two texts: line by line and, in a line that changed
 * a little, word by word, "Keep it [-warm-]{+between 15 and 25 °C+}."
 */
#include <stddef.h>

struct arena;

enum textdiff_change { TEXTDIFF_KEPT, TEXTDIFF_REMOVED, TEXTDIFF_ADDED };

struct textdiff_line {
	enum textdiff_change change;
	const char *text; /* without its newline */
	size_t hunk; /* which group of lines it belongs to, from 0 */
};

struct textdiff {
	struct textdiff_line *lines;
	size_t count; /* 0: the texts are the same */
};

/* Compares two texts of lines. *out holds the changed lines and at most `around` kept
 * lines on each side of a change. Everything is in the arena. */
void textdiff_make(
    struct arena *a, const char *from, const char *to, size_t around, struct textdiff *out);

/* Returns both lines as one line with marks, in the arena; NULL if less than half of the
 * longer line is unchanged. */
const char *textdiff_words(struct arena *a, const char *from, const char *to);

#endif
