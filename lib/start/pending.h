#ifndef START_PENDING_H
#define START_PENDING_H
/*
 * Finishes a restore that was interrupted (docs/design.md §6).
 *
 * The database changes in one transaction, but pepper and galley.conf are separate
 * files. So a restore first puts all three into db/restore-pending, then replaces the
 * database, then the files. A program that finds this folder while no restore runs reads
 * from the database whether the transaction was committed: the prepared copy has an
 * epoch that no other database has. It then puts the files in place, or removes the
 * folder; the instance is whole in both cases. Every command of the tool and every run
 * of the job runner looks for the folder.
 *
 * Keys work all the time: while the folder exists db/pepper holds both peppers
 * (access/pepper.h).
 */
#include <stdbool.h>

#include "base/err.h"

struct work;

/* Return the path of db/restore-pending, and of a file in it. In the arena. */
const char *pending_folder(struct ctx *c);
const char *pending_file(struct ctx *c, const char *name);

/* A restore prepares its copy in a folder of db/ called this and a UUID. */
#define PENDING_PREPARED ".restore-"

/* Finishes or undoes an interrupted restore; does nothing if there is none, or while a
 * restore runs. Removes what restores, migrations and backups that were killed left in
 * db/ and run/. Call it before the database is open. */
MAY_REFUSE struct err *pending_finish(struct ctx *c, const struct work *work);

/* Writes the present pepper and the prepared one to db/pepper, if they differ. Call it
 * before the database is committed. */
MAY_REFUSE struct err *pending_announce(struct ctx *c);

/* Puts pepper and galley.conf in place and removes the folder: the last step of
 * a restore whose database is committed. */
MAY_REFUSE struct err *pending_put(struct ctx *c);

/* Undoes pending_announce() and removes the folder, before the database is committed.
 * Returns `cause`, or the refusal of the undoing. */
MAY_REFUSE struct err *pending_undo(struct ctx *c, struct err *cause);

/* Returns the path of the folder beside the pictures in which the restore of that folder in db/ has
 * those that are not shown yet. In the arena. */
const char *pending_room(struct ctx *c, const char *prepared);

/* Removes what restores that were killed left in db/ and beside the pictures. The caller must hold
 * the runner's lock: then no restore runs. */
void pending_sweep(struct ctx *c);

/* Removes a folder and the files in it. */
void pending_remove(const char *folder);

/* Removes db/restore-pending and the files of a restore in it. */
void pending_drop(struct ctx *c);

/* Returns the path of run/runner.lock, which a restore holds. In the arena. */
const char *pending_lock(struct ctx *c);

#endif
