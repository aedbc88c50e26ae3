#ifndef BACKUP_TAR_H
#define BACKUP_TAR_H
/*
 * Tar archives of plain files: POSIX ustar (IEEE 1003.1), with a pax header for
 * a file of 8 GiB or more. Every tar(1) unpacks an archive that this file writes. It
 * reads archives of other programs, too: ustar, pax (size and path) and GNU's large
 * sizes. A name has at most 100 bytes, or 200 with a slash that halves it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct work;

#define TAR_BLOCK 512
#define TAR_NAME_MAX 100

struct tar {
	struct ctx *c;
	int fd; /* the caller's */
	const char *path; /* of the archive, for sentences */
	const struct work *work; /* a step for each byte; NULL at first */
	int64_t written; /* bytes so far */
	/* reading */
	char name[256]; /* of the present file */
	int64_t size; /* its bytes */
	int64_t left; /* its bytes that are not read yet */
	int64_t padding; /* bytes from its end to the next block */
};

/* Prepares an archive that is written to an open file, or read from it. */
void tar_init(struct tar *t, struct ctx *c, int fd, const char *path);

/* Add a file: from memory, or the next `size` bytes of an open file. An open file with
 * fewer bytes is refused: it changed while it was read. The mode is 0600, the time `at`
 * (microseconds). */
MAY_REFUSE struct err *
tar_add(struct tar *t, const char *name, const void *bytes, size_t len, int64_t at);
MAY_REFUSE struct err *
tar_add_fd(struct tar *t, const char *name, int fd, int64_t size, int64_t at);

/* Writes the two empty blocks at the end. */
MAY_REFUSE struct err *tar_end(struct tar *t);

/* Goes to the next plain file; *more is false at the end. Skips folders. Refuses links,
 * devices, broken headers and an archive that was cut off. */
MAY_REFUSE struct err *tar_next(struct tar *t, bool *more);

/* Reads at most `len` bytes of the present file; *got is 0 at its end. */
MAY_REFUSE struct err *tar_read(struct tar *t, void *into, size_t len, size_t *got);

#endif
