#ifndef SYSTEM_FRESH_H
#define SYSTEM_FRESH_H
/*
 * Writes a file that holds secrets, and gives it its name when it is whole.
 *
 * If the file system supports it, the file has no name before that (O_TMPFILE), so that a
 * process that is killed leaves nothing. Elsewhere it has a hidden name in the same
 * folder, ".NAME.UUID", and a lock while its writer lives; fresh_sweep() removes files
 * without a lock.
 */
#include <stdbool.h>

#include "base/err.h"

struct fresh {
	const char *path; /* the name that it will get */
	const char *name; /* the name that it has; NULL: none */
	int fd; /* open for writing; -1: none */
};

/* Creates the file, mode 0600. Refuses if the folder cannot be written to. */
MAY_REFUSE struct err *fresh_make(struct ctx *c, const char *path, struct fresh *out);

/* Gives the file its name, durably, and closes it. A file of that name is replaced if
 * `replace` is true, else refused. */
MAY_REFUSE struct err *fresh_put(struct ctx *c, struct fresh *f, bool replace);

/* Removes the file. Does nothing after fresh_put() succeeded. */
void fresh_drop(struct fresh *f);

/* Removes from `folder` the hidden files of this user whose writers have died, if they are
 * empty or begin as an archive of Galley. */
void fresh_sweep(struct ctx *c, const char *folder);

#endif
