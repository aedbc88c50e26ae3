#ifndef SCREEN_PLOT_H
#define SCREEN_PLOT_H
/* Drawings of numbers over time, without a script: bars, and a line as high as a line of text. Time
 * runs from left to right in every language. The page has the same numbers as a table, or beside
 * the line: what is drawn is for the eye. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "screen/hwrite.h"

/* The number of a day, or of some. */
struct plot_point {
	const char *label; /* when, in words: "20 Nov 2026" */
	int64_t value; /* not negative */
};

/* Writes a figure: a bar for each of `count` points (not 0; few leave room at the end), up to the
 * next round number, with the first and the last label below. Its name is `title` ("Readers a day")
 * with the range and the extremes. `part`: the last point is not over; it has another colour and is
 * no extreme. */
void plot_bars(
    struct hwrite *w, const char *title, const struct plot_point *points, size_t count, bool part);

/* Writes a small line through these numbers, none of them negative; nothing for less than three.
 * A screen reader passes it over: write the last or the whole number beside it. */
void plot_spark(struct hwrite *w, const int64_t *values, size_t count);

#endif
