#ifndef ACTION_NOTIFY_ACTION_H
#define ACTION_NOTIFY_ACTION_H
/*
 * What people do with the pings of a workspace (docs/console.md §4.8): look at the last ones,
 * make a secret, sign a body. The address is a field of the settings (action/workspace-actions.h).
 */
#include <stdbool.h>
#include <stddef.h>

#include "access/workspace.h"
#include "action/action.h"
#include "base/err.h"
#include "tell/ping.h"
#include "tell/signature.h"

struct notify_view {
	struct workspace *workspace;
	struct notify notify; /* its address may be "" */
	bool verified; /* its account may have an address */
	struct ping_try tries[PING_RESULTS]; /* the newest first */
	size_t count;
};

/* Reads the pings of the workspace of `place`, in transactions of its own. */
MAY_REFUSE struct err *
notify_show(struct ctx *c, const struct find_place *place, struct notify_view *out);

/*
 * Makes a secret for the workspace of `place`, which ends the one before it, and writes its only
 * copy; the caller clears it. Unless `again`, a workspace that has one already keeps it, and
 * out->notify.secret is its number; then `secret` is "". Refuses a workspace without an address,
 * with `again` one whose account is not verified, and an instance without people/. Changes the
 * workspace (DB_CHANGES_WORKSPACE).
 */
MAY_REFUSE struct err *notify_make_secret(struct ctx *c, const struct find_place *place, bool again,
    struct notify_view *out, char secret[SIGNATURE_SECRET]);

/* Signs a body with the present secret, as a ping of this moment: *header is the value of
 * Galley-Signature (arena). Refuses as notify_make_secret() does, and where no secret was
 * shown yet. */
MAY_REFUSE struct err *notify_sign(struct ctx *c, const struct find_place *place, const void *body,
    size_t len, const char **header);

#endif
