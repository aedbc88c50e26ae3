#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H
/* Whole numbers as text, for lines that are put together without printf(): that
 * costs a process of one request more than all that it formats. */
#include <stddef.h>
#include <stdint.h>

#define DECIMAL_TEXT 21 /* the longest, with the NUL */

/* Writes the number; returns how many bytes it has without the NUL. */
size_t decimal_format(char out[DECIMAL_TEXT], int64_t value);

#endif
