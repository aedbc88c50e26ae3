#ifndef TERMINAL_TEXTDIFF_H
#define TERMINAL_TEXTDIFF_H
/*
 * What differs between two texts, for people: line by line, and in a line that
 * changed a little word by word, "Keep it [-warm-]{+between 15 and 25 °C+}."
 */
#include <stddef.h>

struct arena;

enum textdiff_change {
	TEXTDIFF_KEPT,
	TEXTDIFF_REMOVED,
	TEXTDIFF_ADDED
};

struct textdiff_line {
	enum textdiff_change change;
	const char *text; /* without its newline */
	size_t hunk;      /* which group of lines it belongs to, from 0 */
};

struct textdiff {
	struct textdiff_line *lines;
	size_t count; /* 0: the texts are the same */
};

/* Compares two texts of lines. Kept lines are those around a change, at most
 * `around` on each side. Everything lives in the arena. */
void textdiff_make(struct arena *a, const char *from, const char *to,
    size_t around, struct textdiff *out);

/* Both lines as one with marks, in the arena; NULL when less than half of the
 * longer one stayed. */
const char *textdiff_words(struct arena *a, const char *from, const char *to);

#endif
