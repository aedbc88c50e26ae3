#ifndef ACTION_SITES_WEBPAGES_H
#define ACTION_SITES_WEBPAGES_H
/* Actions on the pages of a workspace's website (docs/console.md §4.10): begin to look at them,
 * and see what was found. task/slice.h looks. */
#include <stddef.h>

#include "access/workspace.h"
#include "base/err.h"
#include "people/task.h"

/* Begins: person, need, account and workspace of `t` are given. Refuses a workspace without a
 * website, and (ERR_CONFLICT) while its pages are being looked at. Changes people's store. */
MAY_REFUSE struct err *webpages_begin(struct ctx *c, const struct workspace *w, struct task *t);

struct webpages_page {
	struct visited found;
	const char *title; /* of the article; NULL: it is gone */
};

struct webpages {
	struct task *task; /* the newest, or NULL */
	struct webpages_page *list; /* that were looked at */
	size_t count, wrong;
};

/* Reads what was found in the workspace. */
MAY_REFUSE struct err *
webpages_look(struct ctx *c, const struct workspace *w, struct webpages *out);

#endif
