#ifndef ACTION_REVERT_H
#define ACTION_REVERT_H
/*
 * The action that makes an edition the working copy of its article again. It changes
 * the article's workspace (DB_CHANGES_WORKSPACE). What is published stays.
 */
#include "action/article/saved.h"
#include "base/err.h"

struct revert {
	/* What is asked. */
	const char *id; /* of the article */
	int64_t version; /* of the edition */
	bool move; /* take the slug of the edition too, if the article is published */

	/* What became of it. */
	struct saved saved;
};

/* Makes the edition the working copy. Without `move` a published article keeps its slug
 * if the edition has another one. */
MAY_REFUSE struct err *revert_article(struct ctx *c, struct revert *r);

#endif
