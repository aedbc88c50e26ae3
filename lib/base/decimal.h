#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H
/* Whole numbers as text, for lines that are made without printf(): printf() costs a
 * process of one request more than everything that it formats. */
#include <stddef.h>
#include <stdint.h>

#define DECIMAL_TEXT 21 /* the longest, with the NUL */

/* Writes the number. Returns its length without the NUL. */
size_t decimal_format(char out[DECIMAL_TEXT], int64_t value);

#endif
