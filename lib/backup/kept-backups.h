#ifndef BACKUP_KEPT_BACKUPS_H
#define BACKUP_KEPT_BACKUPS_H
/*
 * The backups and dumps that are beside the database (archive_beside()): those that somebody made
 * in the browser, and those that a migration or a restore made of what it replaced. Their names say
 * what and when: "backup-20260901T080000Z.tar". No other file is one of them.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct ctx;

/* The newest that are listed. */
#define KEPT_MAX 200

/* A backup, or a dump. */
struct kept {
	const char *name; /* of the file */
	const char *path;
	const char *what; /* "backup", "before-migrate", "before-restore", "dump" */
	bool dump; /* nothing can be restored from it */
	int64_t made_at; /* as its name says */
	int64_t bytes;
};

/* Returns them, the newest first. In the arena. */
struct kept *kept_list(struct ctx *c, size_t *count);

/* Finds the backup or dump of this name; refuses (ERR_NOT_FOUND) a name that is of none. */
MAY_REFUSE struct err *kept_get(struct ctx *c, const char *name, struct kept *out);

/*
 * The bytes of a backup for somebody who downloads it: all of it but people/secret, so that who
 * finds the file cannot read what that keeps (docs/console.md §4.14). They are two pieces of the
 * file. A dump has no secret: it is one piece.
 */
struct kept_piece {
	int64_t from, len;
};

/* Opens a backup and finds the pieces; *fd is the caller's. Refuses a file that is no whole
 * archive. Reads the heads of its files alone. */
MAY_REFUSE struct err *
kept_open(struct ctx *c, const struct kept *k, int *fd, struct kept_piece out[2]);

/*
 * A series is the backups that one instance writes into a folder (galley backup
 * --keep). Each is called NAME-ID-20260901T031700Z.tar: NAME is the name of the
 * instance's folder, ID a digest of its path, so that several instances may share one
 * folder. Only a plain file with such a name belongs to the series; no other file in
 * the folder is ever touched.
 */

/* Returns the path of a new backup in `folder`, an absolute path; its name holds the
 * present time. In the arena. */
const char *series_path(struct ctx *c, const char *folder);

/* Removes the oldest backups of the series until `keep` are left. The backup at `newest`
 * counts and always stays, whatever the clock says. Removes also the unfinished files of
 * backups that were killed. *removed is the number of backups removed. */
MAY_REFUSE struct err *
series_prune(struct ctx *c, const char *newest, int64_t keep, int64_t *removed);

#endif
