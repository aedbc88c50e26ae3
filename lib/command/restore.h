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
 *  4. the folder becomes db/restore-pending, and db/pepper both peppers
 *                                                      → pending.h undoes it
 *  5. the copy replaces the database, one transaction
 *  6. pepper and galley.conf follow                    → pending.h finishes
 *
 * restore.c		these steps
 * restore-copy.c	the copy
 * restore-check.c	the same without restoring: is this backup good?
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "command/archive.h"

struct call;
struct verify;

struct restore {
	struct call *call;
	const char *file;     /* the archive */
	const char *folder;   /* where the copy is prepared */
	struct archive_facts facts;
	void (*each)(void *arg, const struct verify *check); /* of the copy */
	void *arg;            /* the caller's */
	size_t broken;        /* of those checks */
	const char *kept;     /* backup of what was replaced */
	const char **revoked; /* UUIDs of keys that the present instance has
				 revoked */
	size_t revoked_count;
	size_t revoked_again; /* of them in the restored database */
	const char *damage;   /* of the present database; NULL: it is whole */
	const char **jobs;    /* UUIDs of those that were open: failed now */
	size_t job_count;
	int64_t from;         /* schema of the backup */
	const char **pictures; /* that the backup should have and has not */
	size_t picture_count;
};

/*
 * A change to the prepared copy, in a writing transaction of its own. They run
 * in the order of the list in restore.c; what a floor adds to the database that
 * must not come back as it was is mended there.
 */
typedef void restore_mend(struct ctx *c, struct restore *r);

/* Restores r->file. Fills the rest of *r. */
MAY_REFUSE struct err *restore_run(struct ctx *c, struct restore *r);

/* What a backup holds, and whether it can be restored. */
struct restore_finding {
	int64_t bytes;
	int64_t schema; /* of its database */
	int64_t media;
	const char **workspaces; /* their names */
	size_t workspace_count;
	const char **problems;   /* sentences; none: it is good */
	size_t problem_count;
};

/*
 * Reads the backup at `path` to its last byte and checks it as restore_run()
 * would, in a folder in run/ that goes with it; the instance stays as it is.
 * Refuses what cannot be restored at all. Closes the database.
 */
MAY_REFUSE struct err *restore_check(struct ctx *c, const char *path,
    struct restore_finding *out);

/* ---- restore-copy.c */

/* Unpacks r->file into r->folder, its media (`media`) where they belong; its
 * database must be whole before anything opens it, is brought to this release's
 * schema and checked: `each` as in verify.h. */
MAY_REFUSE struct err *restore_unpack(struct ctx *c, struct restore *r,
    bool media, void (*each)(void *arg, const struct verify *check));

/* Names on standard error the pictures of the copy that are neither whole in the
 * backup nor in the instance: r->pictures. A step, as below. */
MAY_REFUSE struct err *restore_tell_pictures(struct ctx *c, struct restore *r);

/* Runs a step with the copy open in the place of the instance's database. */
typedef struct err *restore_step(struct ctx *c, struct restore *r);
MAY_REFUSE struct err *restore_with_copy(struct ctx *c, struct restore *r,
    restore_step *step);

/* What is wrong with the backup's galley.conf; NULL: nothing, or it has none. */
const char *restore_conf_complaint(struct ctx *c, const struct restore *r);

/* The path of a file of the copy. In the arena. */
const char *restore_file(struct ctx *c, const struct restore *r,
    const char *name);

#endif
