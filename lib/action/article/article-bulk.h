#ifndef ACTION_ARTICLE_BULK_H
#define ACTION_ARTICLE_BULK_H
/*
 * One act on many articles of a workspace (docs/console.md §4.3), in one transaction, which
 * changes that workspace (DB_CHANGES_WORKSPACE). What cannot be done with an article is told
 * of it, and is done with the others: what was killed did all of it or nothing.
 *
 * 	struct bulk b = { .workspace = w, .act = BULK_TRASH, .ids = ids, .count = n };
 * 	bulk_look(c, &b);
 * 	if (bulk_asks(&b))
 * 		… a person looks at b.ones, and says yes …
 * 	b.seen = b.shown;
 * 	err = bulk_run(c, &b);
 * 	for each i: b.ones[i].why is NULL (done), or a sentence
 *
 * Articles with to-dos are not published so. What was done is kept as a text (bulk_tell()), so that
 * it is told on another page, and is taken back (BULK_BACK):
 *
 * 	bulk_recall(c, w, told, &before);
 * 	b = (struct bulk){ .workspace = w, .act = BULK_BACK, .before = &before };
 *
 * Each article is then what it was: published again with the same edition, a draft, or in the
 * trash. What somebody changed since is left.
 */
#include <stdbool.h>
#include <stddef.h>

#include "access/workspace.h"
#include "action/article/publish-check.h"
#include "article/article.h"
#include "article/purge.h"
#include "base/err.h"

#define BULK_MAX 200 /* articles */
#define BULK_MARK 17 /* with its NUL */

enum bulk_act { BULK_PUBLISH, BULK_UNPUBLISH, BULK_TRASH, BULK_RESTORE, BULK_DESTROY, BULK_BACK };

struct bulk_one {
	const char *title; /* NULL: there is no such article in the workspace */
	const char *why; /* why it was not, or will not be, done; NULL: it is */
	enum article_status was; /* before the act */
	char mark[BULK_MARK]; /* of the article after the act; "" of others */
	const char **failing; /* of BULK_PUBLISH: lines of checks that fail */
	size_t failing_count;
};

struct bulk {
	/* What is asked. */
	const struct workspace *workspace;
	enum bulk_act act;
	const char *const *ids; /* each once */
	size_t count; /* at most BULK_MAX */
	const char *seen; /* what a person saw: `shown` of bulk_look(); NULL: nothing */
	const struct bulk *before; /* of BULK_BACK: what is taken back, in place of ids and count */

	/* What became of it, by the index of the id. */
	struct bulk_one ones[BULK_MAX];
	size_t done;
	enum bulk_act of; /* of BULK_BACK: the act that was taken back */
	char shown[READY_SEEN]; /* of bulk_look(): digest of all this */
	struct purge_media media; /* of BULK_DESTROY: pictures that they named */
};

/* Looks what the act would do; not of BULK_BACK. */
void bulk_look(struct ctx *c, struct bulk *b);

/* Returns whether a person must say yes to what bulk_look() found: it takes something from readers,
 * shows them something, or cannot be undone. */
bool bulk_asks(const struct bulk *b);

/* Does it. Refuses (ERR_CONFLICT) where it is not as it was seen, and what workspace_begin()
 * refuses. After BULK_DESTROY the caller calls bulk_pictures(). */
MAY_REFUSE struct err *bulk_run(struct ctx *c, struct bulk *b);

/* Returns what bulk_run() did, as lines of text (arena). */
const char *bulk_tell(struct ctx *c, const struct bulk *b);

/* Reads that again, with the titles that the articles have now. Returns false, with nothing in
 * `out`, if it is no such text. */
bool bulk_recall(struct ctx *c, const struct workspace *w, const char *told, struct bulk *out);

/* Returns whether what was done with this article can be taken back. */
bool bulk_goes_back(const struct bulk *b, size_t i);

/* Removes the files of the pictures that only destroyed articles named; where a backup keeps them,
 * a later upload does. No transaction may be open. */
void bulk_pictures(struct ctx *c, struct bulk *b);

#endif
