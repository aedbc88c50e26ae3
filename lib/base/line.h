#ifndef BASE_LINE_H
#define BASE_LINE_H
/*
 * Reads a stream line by line. A line that is too long is one line: its rest is never
 * taken for the next line, as it is with fgets().
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Reads a line into `line`, without its newline; the last line may have none. Returns false
 * at the end of the stream. *whole (may be NULL) tells whether the line fitted into `size`
 * bytes with a NUL, and held none; the rest was read and dropped.
 */
bool line_read(FILE *in, char *line, size_t size, bool *whole);

#endif
