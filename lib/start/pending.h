#ifndef START_PENDING_H
#define START_PENDING_H
/*
 * A restore that was interrupted (docs/design.md §6).
 *
 * The database changes in one transaction, but pepper and galley.conf are files
 * of their own. So a restore lays all three into db/restore-pending first, then
 * replaces the database, then the files. Whoever finds that folder, and no
 * restore at work, can tell from the database which side of the transaction the
 * restore died on: the prepared copy has an epoch that no other has. Then it
 * puts the files in place, or throws the folder away; the instance is whole
 * either way. Every command of the tool and every run of the job runner looks.
 *
 * Keys are good all the while: between the folder and its end db/pepper holds
 * both peppers (access/pepper.h).
 */
#include <stdbool.h>

#include "base/err.h"

struct work;

/* db/restore-pending, and a file in it. In the arena. */
const char *pending_folder(struct ctx *c);
const char *pending_file(struct ctx *c, const char *name);

/* The folder in db/ in which a restore prepares: this and a UUID. */
#define PENDING_PREPARED ".restore-"

/* Finishes or undoes an interrupted restore; nothing where there is none, or
 * while one is at work. Before the database is open. Removes what restores,
 * migrations and backups that were killed left in db/ and run/. */
MAY_REFUSE struct err *pending_finish(struct ctx *c, const struct work *work);

/* Before the database is committed: db/pepper is the present one and the one in
 * the folder, where they differ. */
MAY_REFUSE struct err *pending_announce(struct ctx *c);

/* Puts pepper and galley.conf in place and removes the folder: the last step of
 * a restore whose database is committed. */
MAY_REFUSE struct err *pending_put(struct ctx *c);

/* Undoes pending_announce() and throws the folder away, before the database is
 * committed. Returns `cause`, or what went wrong with that. */
MAY_REFUSE struct err *pending_undo(struct ctx *c, struct err *cause);

/* Removes what restores that were killed left in db/; for the holder of the
 * runner's lock, since none of them lives then. */
void pending_sweep(struct ctx *c);

/* Removes a folder and the files in it. */
void pending_remove(const char *folder);

/* Throws the folder away. */
void pending_drop(struct ctx *c);

/* run/runner.lock, which a restore holds. In the arena. */
const char *pending_lock(struct ctx *c);

#endif
