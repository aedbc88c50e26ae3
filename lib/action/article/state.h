#ifndef ACTION_STATE_H
#define ACTION_STATE_H
/*
 * Actions that move an article between its states: published, draft, in the trash.
 *
 *	struct state s = { .id = uuid };
 *	err = state_publish(c, &s);
 *
 * Each changes the article's workspace (DB_CHANGES_WORKSPACE).
 */
#include <stdbool.h>
#include <stddef.h>

#include "article/article.h"
#include "base/err.h"

struct state {
	/* What is asked. */
	const char *id; /* of the article */
	bool unfinished; /* publish also what has places that are left to write */
	bool again; /* publish also what is published as it is already */
	int64_t version; /* of state_unpublish() and state_publish_again(): the edition
			  * that somebody saw; 0: any */

	/* What became of it. */
	const struct article *article;
	bool changed; /* false: it was published as it is already */
	const char **failing; /* publishing checks that fail, with their reasons */
	size_t failing_count;
};

/* Publishes the working copy and tells which publishing checks fail. Refuses an
 * article that is unfinished, unless `unfinished`, and one in the trash. */
MAY_REFUSE struct err *state_publish(struct ctx *c, struct state *s);

/* Makes a published article a draft. Refuses every other article, and (ERR_CONFLICT) another
 * edition than `version`. */
MAY_REFUSE struct err *state_unpublish(struct ctx *c, struct state *s);

/* Shows the last edition of a draft to readers again. Refuses an article without one, and
 * (ERR_CONFLICT) another edition than `version`. */
MAY_REFUSE struct err *state_publish_again(struct ctx *c, struct state *s);

/* Puts an article into the trash. Refuses one that is there. */
MAY_REFUSE struct err *state_delete(struct ctx *c, struct state *s);

/* Takes an article out of the trash, as a draft. Refuses every other article. */
MAY_REFUSE struct err *state_undelete(struct ctx *c, struct state *s);

/* Returns whether publishing would only make the shown edition again. In a transaction. */
bool state_is_current(struct ctx *c, const struct article *a);

#endif
