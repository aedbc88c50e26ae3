#ifndef ACTION_PREVIEW_LINKS_H
#define ACTION_PREVIEW_LINKS_H
/*
 * Links by which a stranger reads the working copy of an article (docs/console.md §4.5): make,
 * list, end. They change nothing that GET answers (DB_CHANGES_NOTHING). The caller has asked for
 * the person's rights.
 *
 * `within` is the UUID of a workspace, or NULL. With it, an article or a share of another
 * workspace is refused like one that is not there.
 */
#include <stdint.h>

#include "action/action.h"
#include "article/desk.h"
#include "base/err.h"

struct sharing_order {
	const char *within;
	const char *article; /* its id */
	const char *person; /* UUID; NULL: the tool */
	int64_t days;
};

struct sharing_made {
	struct share share;
	char text[SHARE_TEXT]; /* the link's last part; the caller must clear it */
	const char *link; /* the whole address */
	bool full; /* it was refused since SHARE_MAX are alive in the workspace */
};

/* Makes a link. Refuses days that are not 1 to SHARE_DAYS_MAX (`param` is "days"), an article
 * in the trash, one more than SHARE_MAX in a workspace, and an instance without an address. */
MAY_REFUSE struct err *
sharing_make(struct ctx *c, const struct sharing_order *order, struct sharing_made *out);

/* Call `each` for the shares that are alive, newest first: of a workspace, of an article. */
MAY_REFUSE struct err *
sharing_list(struct ctx *c, const struct find_place *place, share_seen *each, void *arg);

MAY_REFUSE struct err *
sharing_list_article(struct ctx *c, const char *article, share_seen *each, void *arg);

/* Looks at the share of this UUID. */
MAY_REFUSE struct err *
sharing_look(struct ctx *c, const char *within, const char *id, struct share *out);

/* Ends the share of this UUID. One that is over already is no refusal. */
MAY_REFUSE struct err *
sharing_end(struct ctx *c, const char *within, const char *id, struct share *out);

/* Ends all shares of an article, and counts them. */
MAY_REFUSE struct err *sharing_end_article(struct ctx *c, const char *article, int64_t *count);

#endif
