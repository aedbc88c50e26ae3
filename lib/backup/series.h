#ifndef BACKUP_SERIES_H
#define BACKUP_SERIES_H
/*
 * A series of backups that one instance makes in a folder (galley backup
 * --keep): NAME-ID-20260901T031700Z.tar, where NAME is that of the instance's
 * folder and ID a digest of its path, so that many instances may share a
 * folder. Only plain files of just this form are of the series; nothing else
 * in the folder is ever touched.
 */
#include <stdint.h>

#include "base/err.h"

struct ctx;

/* The path of a new backup in `folder`, an absolute path, by the present time.
 * In the arena. */
const char *series_path(struct ctx *c, const char *folder);

/* Removes the oldest of the series until `keep` are left, counting the one at
 * `newest`, which stays whatever the clock says; and what backups that were
 * killed left behind. *removed counts. */
MAY_REFUSE struct err *series_prune(struct ctx *c, const char *newest,
    int64_t keep, int64_t *removed);

#endif
