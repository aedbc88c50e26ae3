#ifndef BASE_PAGES_H
#define BASE_PAGES_H
/*
 * Pages of memory from the system. The system makes a page when a process first touches
 * it; this fault costs several times as much as the page. A caller that is about to write
 * many pages asks for all at once.
 */
#include <stddef.h>

/* Returns how many bytes after `from` the next page begins. */
size_t pages_rest(const void *from);

/* It is not worth asking for fewer bytes than these. */
#define PAGES_WORTH ((size_t)16 * 1024)

/* Makes the pages that hold the `len` bytes at `from`, which are this process's
 * own and writable. A system that cannot (before Linux 5.14) makes them as they
 * are touched. */
void pages_populate(void *from, size_t len);

#endif
