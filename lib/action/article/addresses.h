#ifndef ACTION_ADDRESSES_H
#define ACTION_ADDRESSES_H
/*
 * The action that lists where articles were, and where they are now: articles that came
 * from another program, and published articles whose slug was changed. It only reads.
 */
#include <stdbool.h>

#include "action/action.h"
#include "article/article.h"
#include "base/err.h"

struct addresses {
	struct find_place place; /* whose articles */
	bool moved_only; /* only published ones that have another address now */
	/* Called for each old address, inside the transaction. `new` is NULL if no
	 * address is configured. The texts live until it returns. */
	void (*each)(void *arg, const struct article *a, const char *old, const char *new);
	void *arg;
};

/* Lists them. Refuses what find_workspace() refuses, before the first call. */
MAY_REFUSE struct err *addresses_list(struct ctx *c, const struct addresses *asked);

/* Returns path and query of an address; "/" if it has none. */
const char *addresses_path(const char *url);

#endif
