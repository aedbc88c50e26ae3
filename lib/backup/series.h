#ifndef BACKUP_SERIES_H
#define BACKUP_SERIES_H
/*
 * A series is the backups that one instance writes into a folder (galley backup
 * --keep). Each is called NAME-ID-20260901T031700Z.tar: NAME is the name of the
 * instance's folder, ID a digest of its path, so that several instances may share one
 * folder. Only a plain file with such a name belongs to the series; no other file in
 * the folder is ever touched.
 */
#include <stdint.h>

#include "base/err.h"

struct ctx;

/* Returns the path of a new backup in `folder`, an absolute path; its name holds the
 * present time. In the arena. */
const char *series_path(struct ctx *c, const char *folder);

/* Removes the oldest backups of the series until `keep` are left. The backup at `newest`
 * counts and always stays, whatever the clock says. Removes also the unfinished files of
 * backups that were killed. *removed is the number of backups removed. */
MAY_REFUSE struct err *
series_prune(struct ctx *c, const char *newest, int64_t keep, int64_t *removed);

#endif
