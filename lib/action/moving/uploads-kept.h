#ifndef ACTION_MOVING_UPLOADS_KEPT_H
#define ACTION_MOVING_UPLOADS_KEPT_H
/*
 * The files that a person sent to a place and that are still here (docs/console.md §4.11), whole
 * or not: they are listed, and removed before their day is over.
 */
#include <stddef.h>

#include "base/err.h"
#include "people/uploading.h"

struct ctx;

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
