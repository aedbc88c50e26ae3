#ifndef EXPORT_INVISIBLE_H
#define EXPORT_INVISIBLE_H
/* Text that shows nothing. */
#include <stdbool.h>
#include <stddef.h>

/* Returns whether `len` bytes are spaces and invisible characters only. */
bool invisible_text(const char *text, size_t len);

#endif
