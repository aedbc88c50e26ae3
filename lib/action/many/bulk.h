#ifndef ACTION_BULK_H
#define ACTION_BULK_H
/*
 * One act on many articles of a workspace (docs/console.md §4.3), in one transaction, which
 * changes that workspace (DB_CHANGES_WORKSPACE). What cannot be done with an article is told
 * of it, and is done with the others: what was killed did all of it or nothing.
 *
 *	struct bulk b = { .workspace = w, .act = BULK_TRASH, .ids = ids, .count = n };
 *	err = bulk_run(c, &b);
 *	for each i: b.ones[i].why is NULL (done), or a sentence
 *
 * Publishing needs that a person looked before: bulk_look() makes what is shown, and its
 * digest. Articles with to-dos are not published so.
 */
#include <stdbool.h>
#include <stddef.h>

#include "access/workspace.h"
#include "action/article/ready.h"
#include "article/article.h"
#include "article/purge.h"
#include "base/err.h"

#define BULK_MAX 200 /* articles */

enum bulk_act {
	BULK_PUBLISH, BULK_UNPUBLISH, BULK_TRASH, BULK_RESTORE, BULK_DESTROY
};

struct bulk_one {
	const char *title;   /* NULL: there is no such article in the workspace */
	const char *why;     /* why it was not, or will not be, done; NULL: it is */
	const char **failing; /* of BULK_PUBLISH: lines of checks that fail */
	size_t failing_count;
};

struct bulk {
	/* What is asked. */
	const struct workspace *workspace;
	enum bulk_act act;
	const char *const *ids; /* each once */
	size_t count;           /* at most BULK_MAX */
	const char *seen;       /* of BULK_PUBLISH: of bulk_look() */

	/* What became of it, by the index of the id. */
	struct bulk_one ones[BULK_MAX];
	size_t done;
	char shown[READY_SEEN];   /* of bulk_look(): digest of all this */
	struct purge_media media; /* of BULK_DESTROY: pictures that they named */
};

/* Looks what BULK_PUBLISH would do. */
void bulk_look(struct ctx *c, struct bulk *b);

/* Does it. Refuses (ERR_CONFLICT) to publish what is not as it was seen, and what
 * workspace_begin() refuses. After BULK_DESTROY the caller calls bulk_pictures(). */
MAY_REFUSE struct err *bulk_run(struct ctx *c, struct bulk *b);

/* Removes the files of the pictures that only destroyed articles named; where a backup keeps them,
 * a later upload does. No transaction may be open. */
void bulk_pictures(struct ctx *c, struct bulk *b);

#endif
