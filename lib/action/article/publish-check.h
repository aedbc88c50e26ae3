#ifndef ACTION_PUBLISH_CHECK_H
#define ACTION_PUBLISH_CHECK_H
/*
 * What stands against publishing an article, and what publishing changes: what a person looks
 * at before (docs/console.md §5.2). ready_publish() publishes what was looked at, or refuses;
 * it changes the article's workspace (DB_CHANGES_WORKSPACE).
 */
#include <stdbool.h>
#include <stddef.h>

#include "access/workspace.h"
#include "action/article/publish-actions.h"
#include "article/article.h"
#include "base/err.h"
#include "export/export.h"

#define READY_SEEN 33 /* bytes of a digest as text */

struct ready {
	const struct article *article;
	struct export_check failing[EXPORT_CHECKS];
	/* Of each failed check and of each to-do: the piece of the text to which it leads, or
	 * NULL (action/article/piece-look.h). */
	const char *failing_pieces[EXPORT_CHECKS];
	const char **todo_pieces;
	size_t failing_count;
	const char **todos; /* "heading: text" of each place that is left to write */
	size_t todo_count;
	const char *before; /* what is published, as it was typed; NULL: nothing was */
	const char *after; /* what publishing would make */
	const char *slug_before, *slug_after; /* of both */
	struct later_view later; /* the date at which it is published */
	const char *time_zone; /* of the workspace: a name */
	char seen[READY_SEEN]; /* digest of all this */
};

/* Looks. Refuses an article of another workspace. */
MAY_REFUSE struct err *
ready_look(struct ctx *c, const struct workspace *w, const char *id, struct ready *out);

/* Publishes the article if all is as `seen` says. Refuses (ERR_CONFLICT) what has changed,
 * what is unfinished without `unfinished`, and an article in the trash. */
MAY_REFUSE struct err *
ready_publish(struct ctx *c, const char *id, const char *seen, bool unfinished);

/* Reads the same without the texts, in the present transaction. */
void
ready_read(struct ctx *c, const struct workspace *w, const struct article *a, struct ready *out);

/* Sets the date at which the article is published as it is now, if all is as `seen` says.
 * Refuses what ready_publish() refuses, and what later_set() does; `param` of a wrong time is
 * "at". */
MAY_REFUSE struct err *ready_date(struct ctx *c, const char *id, const char *seen, bool unfinished,
    int64_t at, const char *person);

#endif
