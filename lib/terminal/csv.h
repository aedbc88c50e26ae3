#ifndef TERMINAL_CSV_H
#define TERMINAL_CSV_H
/*
 * Writes rows of CSV (RFC 4180) that a spreadsheet opens without running anything: a
 * text that it would take for a formula begins with an apostrophe (docs/platform.md §6).
 */
#include <stddef.h>

struct buf;

/* Appends a row of `count` texts; NULL is an empty cell. */
void csv_row(struct buf *out, const char *const *cells, size_t count);

#endif
