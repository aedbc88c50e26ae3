#ifndef ACTION_LISTING_H
#define ACTION_LISTING_H
/* The action that lists articles of a workspace. It only reads. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "action/action.h"
#include "article/article.h"
#include "base/err.h"

struct listing {
	/* What is asked. */
	struct find_place place;
	unsigned statuses; /* 1 << of each enum article_status */
	int64_t limit; /* the newest articles; INT64_MAX: all */
	int64_t since; /* only those saved or announced since; 0: ever */
	const char *search; /* only those that say this, in any case; or NULL */
	bool ids_only; /* `unfinished` is not needed */

	/* What was found, newest first. */
	struct article *found;
	int64_t *unfinished; /* of each: places that are left to write */
	size_t count;
};

/* Finds the articles. A search looks into title, slug, section, tags and text of the
 * working copy. Refuses what find_workspace() refuses. */
MAY_REFUSE struct err *listing_find(struct ctx *c, struct listing *l);

/* Returns whether the working copy says a text, which is folded (lang_fold()), in those
 * places. In a transaction; `scratch` is reset. */
struct arena;
bool
listing_says(struct ctx *c, struct arena *scratch, const struct article *a, const char *folded);

#endif
