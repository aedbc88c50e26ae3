#ifndef BASE_LINE_H
#define BASE_LINE_H
/*
 * Reading a stream line by line, where a line that is too long is one line: what is left
 * of it is never taken for the next one, as with fgets().
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Reads a line into `line`, without its end, which may be that of the stream. False at the
 * end of the stream. *whole (may be NULL) tells whether the line fitted into `size` bytes
 * with a NUL, and held none; what did not fit was read and dropped.
 */
bool line_read(FILE *in, char *line, size_t size, bool *whole);

#endif
