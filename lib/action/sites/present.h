#ifndef ACTION_SITES_PRESENT_H
#define ACTION_SITES_PRESENT_H
/* The revisions that the published articles of a workspace have now: with them it is told which
 * articles a site has as they are. */
#include <stdbool.h>
#include <stddef.h>

#include "access/workspace.h"
#include "stats/api-readers.h"

#define PRESENT_MAX 5000 /* articles: the newest */

struct present {
	const char *article; /* UUID */
	char revision[READER_REVISION]; /* the first digits */
};

struct present_list {
	struct present *list; /* by UUID */
	size_t count;
	bool more; /* there are more articles than these */
};

/* Reads them, in a transaction of DB_CONTENT. */
void present_read(struct ctx *c, const struct workspace *w, struct present_list *out);

/* Returns the article, or NULL. */
const struct present *present_find(const struct present_list *p, const char *article);

#endif
