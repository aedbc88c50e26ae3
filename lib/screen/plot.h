#ifndef SCREEN_PLOT_H
#define SCREEN_PLOT_H
/* A drawing of numbers over time, without a script. The page shows the same numbers as a
 * table beside it: the drawing is for the eye alone. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "screen/hwrite.h"

/* A number that holds from its place until the next one. */
struct plot_point {
	const char *label; /* of its place: "2026-09-01" */
	int64_t value; /* not negative */
};

/* Writes a figure: a line in steps, with the largest number, the first label and the last
 * one. `id` begins the ids of its elements; `title` names it, `described` says in a sentence
 * what it shows. `count` is not 0. */
void plot_write(struct hwrite *w, const char *id, const char *title, const char *described,
    const struct plot_point *points, size_t count);

/* One of the lines of a drawing. */
struct plot_line {
	const char *label; /* what it shows: in the drawing's legend */
	const int64_t *values; /* one for each place, not negative */
	bool faint; /* dashed: what the other one is compared with */
};

#define PLOT_LINES 2

/* Writes such a figure of at most PLOT_LINES lines over the same places, with a legend. `first`
 * and `last` are the labels of the first and the last place; `count` places are not 0. */
void plot_write_lines(struct hwrite *w, const char *id, const char *title, const char *described,
    const char *first, const char *last, const struct plot_line *lines, size_t line_count,
    size_t count);

/* Writes a small line through these numbers, none of them negative; nothing for less than three.
 * A screen reader passes it over: write the last or the whole number beside it. */
void plot_spark(struct hwrite *w, const int64_t *values, size_t count);

#endif
