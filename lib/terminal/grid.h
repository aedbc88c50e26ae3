#ifndef TERMINAL_GRID_H
#define TERMINAL_GRID_H
/*
 * Tables for people: a head and rows of text, columns as wide as their widest
 * cell on a terminal (wide characters count two), two spaces between them. The
 * last column is never padded. A cell is one line, whatever its text (plain.h).
 *
 * On a terminal no line is longer than the terminal is wide: columns that do not fit
 * beside the others come on a further, indented line of their row, so that nothing
 * is lost; the last one is cut for a line that it fits with 20 columns, any other
 * where it is wider than the terminal. What is cut ends in "…". A pipe gets all of it.
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
	size_t count;       /* of cells */
	size_t room;
};

/* Begins a table; `head` is its columns' names, ended by NULL. */
void grid_init(struct grid *g, struct arena *a, const char *const *head);

/* Adds a row of as many texts as there are columns; NULL is "-". The texts live
 * as long as the table. */
void grid_row(struct grid *g, const char *const *cells);

/* Appends the table; only `none` and a newline when it has no row. */
void grid_print(const struct grid *g, const char *none, struct buf *out);

/* The columns that a text takes on a terminal. */
size_t grid_width(const char *text);

#endif
