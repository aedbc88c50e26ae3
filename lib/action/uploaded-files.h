#ifndef ACTION_UPLOADED_FILES_H
#define ACTION_UPLOADED_FILES_H
/*
 * Large files that people send in slices (docs/console.md §3.13, people/uploading.h):
 *
 *	u = { .person = …, .account = …, .workspace = …, .kind = "moving", .size = 5 GiB,
 *	    .mark = "…" };
 *	err = uploads_begin(c, &u);                 the first request; u.got is the offset
 *	err = uploads_slice(c, &u, id, offset, bytes, len, &now, &taken);    each slice
 *	err = uploads_get(c, &u, id, &now);         a form that names it: whole, and the person's
 *
 * The bytes are in run/console/sent-UUID, synced before a slice is acknowledged. Nobody reads
 * them before all are there, and no process of the console does at all. What rests for a day is
 * removed by the task runner.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "people/uploading.h"

struct ctx;

/* Begins an upload, or finds the one that was begun with the same words: then u->got is what
 * is here of it. Refuses a wrong size (param "size"), a third open one of the account
 * (ERR_CONFLICT), more than the account may have (ERR_TOO_LARGE), and a disk without room for
 * it (ERR_UNAVAILABLE). Changes people's store. */
MAY_REFUSE struct err *uploads_begin(struct ctx *c, struct uploading *u);

/* Adds the bytes at `offset`. *out is the upload as it is then; *taken is false if the
 * slice that is wanted begins elsewhere, at (*out)->got. `whose` names person and place:
 * another's upload is not there. Refuses bytes after the end (ERR_INVALID), and a disk without
 * room. Changes people's store. */
MAY_REFUSE struct err *uploads_slice(struct ctx *c, const struct uploading *whose, const char *id,
    int64_t offset, const void *bytes, size_t len, struct uploading **out, bool *taken);

/* Store a file that came at once: its bytes, outside of transactions, and then its row, in the
 * transaction of the change that uses it (of people's store). uploads_drop() removes the bytes
 * where that transaction is refused. Refuse as uploads_begin() does. */
MAY_REFUSE struct err *
uploads_store(struct ctx *c, struct uploading *u, const void *bytes, size_t len);

MAY_REFUSE struct err *uploads_add(struct ctx *c, struct uploading *u);

void uploads_drop(struct ctx *c, const struct uploading *u);

/* Reads an upload that is whole. Refuses one that is not there, or another's, and one whose
 * slices are missing (both with the param "upload"). */
MAY_REFUSE struct err *
uploads_get(struct ctx *c, const struct uploading *whose, const char *id, struct uploading **out);

/* Returns the path of its bytes. */
const char *uploads_path(struct ctx *c, const char *uuid);

/* Returns whether an upload rests for more than a day, or an import's items are kept for longer
 * than MOVING_DAYS; removes those. For the task runner, outside of transactions. */
bool uploads_are_old(struct ctx *c);

void uploads_sweep(struct ctx *c);

/*
 * ---- Files that are still here
 *
 * The files that a person sent to a place and that are still here (docs/console.md §4.11), whole
 * or not: they are listed, and removed before their day is over.
 */
#define UPLOADS_KEPT 20

struct uploads_kept {
	struct uploading list[UPLOADS_KEPT];
	size_t count;
};

/* Reads the newest ones of the person and the place of `whose`. */
MAY_REFUSE struct err *
uploads_kept_list(struct ctx *c, const struct uploading *whose, struct uploads_kept *out);

/* Removes one, with its bytes. Refuses one that is not there, or another's (ERR_NOT_FOUND), and
 * that of an import which is open (ERR_CONFLICT). Changes people's store. */
MAY_REFUSE struct err *
uploads_kept_remove(struct ctx *c, const struct uploading *whose, const char *id);

#endif
