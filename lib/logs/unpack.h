#ifndef LOGS_UNPACK_H
#define LOGS_UNPACK_H
/* Unpacks a log that a rotation packed (gzip). It needs no program of the host: the console may
 * start none. */
#include <sys/types.h>

struct ctx;
struct unpack;

/* Begins with an open file, which stays the caller's. NULL: there is no memory. The arena must
 * live until unpack_close(). */
struct unpack *unpack_open(struct ctx *c, int fd);

/* Reads at most `max` bytes of what was packed: 0 at the end, -1 (errno) where the file is
 * damaged, ends too early, or cannot be read. */
ssize_t unpack_read(struct unpack *u, char *into, size_t max);

void unpack_close(struct unpack *u);

#endif
