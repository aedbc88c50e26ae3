#ifndef BACKUP_OVERWRITE_H
#define BACKUP_OVERWRITE_H
/* Whether a backup may take the place of what is there. */
#include "base/err.h"

struct call;

/*
 * Refuses a path that names a folder, and a file that is no backup of Galley. One
 * that is a backup is replaced when the person at the terminal says so; a script is
 * told of it. Nothing of that with --yes, which the command must have as an option.
 */
MAY_REFUSE struct err *overwrite_check(struct ctx *c, const struct call *call,
    const char *path);

#endif
