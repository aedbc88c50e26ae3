#ifndef ACTION_LATER_H
#define ACTION_LATER_H
/*
 * Articles that are published at a date (docs/console.md §5.2). Setting a date freezes the
 * copy that was seen; that copy is published then, whatever was saved since, by the rules of
 * publishing by hand. What cannot be published then is suspended, with the reason, and only
 * setting a date again revives it.
 *
 * later_set() and later_cancel() change the article's workspace (DB_CHANGES_WORKSPACE).
 */
#include <stdbool.h>
#include <stdint.h>

#include "access/workspace.h"
#include "article/article.h"
#include "article/desk.h"
#include "base/err.h"

/* Reads a date of RFC 3339 that is to come. Refuses any other text, a past time, and one
 * after 9999-12-29 (`param` is "at"). */
MAY_REFUSE struct err *later_read(struct ctx *c, const char *text, int64_t *at);

struct later {
	/* What is asked. */
	const char *id; /* of the article */
	int64_t at;
	bool unfinished; /* publish also what has places that are left to write */
	const char *person; /* UUID; NULL: the tool */

	/* What became of it. */
	const struct article *article;
	bool changed; /* later_cancel(): there was a date */
};

/* Sets the date of an article: its present working copy is published then. Refuses the
 * times that later_read() refuses, an article in the trash, one that is published as it is
 * already, and what is unfinished without `unfinished`. */
MAY_REFUSE struct err *later_set(struct ctx *c, struct later *l);

/* Ends the date of an article, if it has one. */
MAY_REFUSE struct err *later_cancel(struct ctx *c, struct later *l);

/* Freezes the working copy of `a` and sets the date, inside a transaction of the caller, who
 * has asked the rest. Refuses what later_set() refuses, but for what is unfinished. */
MAY_REFUSE struct err *later_freeze(
    struct ctx *c, const struct article *a, int64_t at, bool unfinished, const char *person);

/* What a person is told of the date of an article. */
struct later_view {
	bool set; /* there is one; else the rest is not filled in */
	struct schedule schedule;
	bool edited; /* the working copy was changed since it was frozen */
};

/* Reads it inside a transaction of the caller. */
void later_view(struct ctx *c, const struct article *a, struct later_view *out);

/* Returns whether an article is due. Begins a transaction that reads. */
bool later_is_due(struct ctx *c);

/* Publishes one article that is due, in one transaction, or suspends its date. False if
 * none is due. For the task runner. */
bool later_run_next(struct ctx *c);

/* Suspends the dates that a person set and may not set any more, in a transaction of its own:
 * after the person was disabled, removed or lowered (docs/console.md §2.4). Holds the
 * content's lock in any case. `person` is a UUID. */
void later_suspend_of(struct ctx *c, const char *person);

#endif
