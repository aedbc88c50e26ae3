#ifndef SYSTEM_FRESH_H
#define SYSTEM_FRESH_H
/*
 * A file that gets its name when it is whole, for what holds secrets.
 *
 * Where the file system can, the file has no name before that (O_TMPFILE), so
 * that a process that is killed leaves nothing. Elsewhere it has a hidden name
 * beside the one that it will get, ".NAME.UUID", and a lock as long as its writer
 * lives; fresh_sweep() removes those without one.
 */
#include <stdbool.h>

#include "base/err.h"

struct fresh {
	const char *path; /* the name that it will get */
	const char *name; /* the one that it has; NULL: none */
	int fd;           /* open for writing; -1: none */
};

/* Makes the file, mode 0600. Refuses where the folder cannot be written. */
MAY_REFUSE struct err *fresh_make(struct ctx *c, const char *path,
    struct fresh *out);

/* Gives it its name, durably. A file of that name is replaced if `replace`, else
 * refused. Closes it. */
MAY_REFUSE struct err *fresh_put(struct ctx *c, struct fresh *f, bool replace);

/* Removes the file; nothing after fresh_put() succeeded. */
void fresh_drop(struct fresh *f);

/* Removes from `folder` the hidden files of this user whose writers have died,
 * where they are empty or begin as an archive of Galley does. */
void fresh_sweep(struct ctx *c, const char *folder);

#endif
