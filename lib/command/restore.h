#ifndef COMMAND_RESTORE_H
#define COMMAND_RESTORE_H
/*
 * Restoring an instance from a backup (design §6). No file is replaced under
 * SQLite: what is prepared in a copy is copied into galley.db as one
 * transaction, so that every process sees the old rows or the new ones.
 *
 * The order, and what a crash leaves:
 *
 *  1. the runner's lock is taken
 *  2. the archive is unpacked into a folder beside the database (media where
 *     they belong: they only add); the copy is checked and brought to this
 *     release's schema; the present instance is written to
 *     db/before-restore-TIME.tar
 *  3. the copy gets a new epoch, and the keys that the present instance has
 *     revoked are revoked in it                       → nothing has changed
 *  4. the folder becomes db/restore-pending            → pending.h throws it away
 *  5. the copy replaces the database, one transaction
 *  6. pepper and galley.conf follow                    → pending.h finishes
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct call;

struct restore {
	struct call *call;
	const char *file;     /* the archive */
	const char *folder;   /* where the copy is prepared */
	const char *kept;     /* backup of what was replaced */
	const char **revoked; /* UUIDs of keys that the present instance has
				 revoked */
	size_t revoked_count;
	size_t revoked_again; /* of them in the restored database */
	const char *damage;   /* of the present database; NULL: it is whole */
	const char **jobs;    /* UUIDs of those that were open: failed now */
	size_t job_count;
	int64_t from;         /* schema of the backup */
};

/*
 * A change to the prepared copy, in a writing transaction of its own. They run
 * in the order of the list in restore.c; what a floor adds to the database that
 * must not come back as it was is mended there.
 */
typedef void restore_mend(struct ctx *c, struct restore *r);

/* Restores r->file. Fills the rest of *r. */
MAY_REFUSE struct err *restore_run(struct ctx *c, struct restore *r);

#endif
