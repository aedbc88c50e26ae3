#ifndef BASE_PAGES_H
#define BASE_PAGES_H
/*
 * Pages of memory from the system. A page is made when it is first touched, and
 * the fault that this takes costs several times what the page does: where many
 * are about to be written they are asked for at once.
 */
#include <stddef.h>

/* How many bytes from there the next page begins. */
size_t pages_rest(const void *from);

/* Fewer bytes than these are not worth asking for. */
#define PAGES_WORTH ((size_t)16 * 1024)

/* Makes the pages that hold the `len` bytes at `from`, which are this process's
 * own and writable. A system that cannot (before Linux 5.14) makes them as they
 * are touched. */
void pages_populate(void *from, size_t len);

#endif
