#ifndef TERMINAL_CSV_H
#define TERMINAL_CSV_H
/*
 * Writes rows of CSV (RFC 4180) that a spreadsheet opens without running anything. Each cell
 * is quoted. A text that begins with = + - @ (or a wide form of these), a tab, a line's end
 * or a space gets an apostrophe before it; a number, signed or not, never does
 * (docs/platform.md §6).
 */
#include <stddef.h>

struct buf;

/* Appends a row of `count` texts; NULL is an empty cell. */
void csv_row(struct buf *out, const char *const *cells, size_t count);

#endif
