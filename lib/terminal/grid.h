#ifndef TERMINAL_GRID_H
#define TERMINAL_GRID_H
/*
 * Tables for people: a head and rows of text. A column is as wide as its widest cell on a
 * terminal (a wide character counts two); two spaces separate columns. The last column is
 * never padded. A cell is always one line (terminal.h).
 *
 * On a terminal no line is longer than the terminal is wide. Columns that do not fit
 * beside the others are written on a further, indented line of their row. The last
 * column is cut to stay on a line where it fits with 20 columns; any other column is cut
 * only if it is wider than the terminal. A text that is cut ends in "…". A pipe gets
 * whole texts.
 */
#include <stdbool.h>
#include <stddef.h>

struct arena;
struct buf;

#define GRID_COLUMNS_MAX 12

struct grid {
	struct arena *arena;
	size_t columns;
	size_t width[GRID_COLUMNS_MAX];
	size_t max; /* columns of the terminal; 0: standard output is none */
	const char **cells; /* row after row, the head first */
	size_t count; /* of cells */
	size_t room;
};

/* Begins a table; `head` is its columns' names, ended by NULL. */
void grid_init(struct grid *g, struct arena *a, const char *const *head);

/* Adds a row of as many texts as there are columns; NULL is "-". The texts live
 * as long as the table. */
void grid_row(struct grid *g, const char *const *cells);

/* Appends the table, or `none` and a newline if the table has no row. */
void grid_print(const struct grid *g, const char *none, struct buf *out);

/* Returns the columns that a text takes on a terminal. */
size_t grid_width(const char *text);

#endif
