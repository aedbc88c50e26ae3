#ifndef ARTICLE_DESK_SCHEDULE_H
#define ARTICLE_DESK_SCHEDULE_H
/*
 * The date at which an article is to be published (docs/console.md §5.2): columns publish_* of
 * the table desk. What is published then is a save: the copy that was seen when the date was
 * set. Publishing or unpublishing the article, and moving it to the trash, ends the date
 * (article/publish.c). Every function needs a transaction of DB_CONTENT.
 */
#include <stdbool.h>
#include <stdint.h>

#include "article/article.h"

struct schedule {
	int64_t at;
	int64_t save_id; /* of the copy (save.h) */
	const char *person; /* UUID; NULL: the tool */
	bool unfinished; /* the copy may have to-dos left */
	const char *suspended; /* why the date does not count; NULL: it does */
};

/* Finds the date of an article; false if it has none. */
bool schedule_find(struct ctx *c, const struct article *a, struct schedule *out);

/* Sets the date, in place of one that it has. */
void schedule_set(struct ctx *c, const struct article *a, const struct schedule *s);

/* Suspends it: `why` is a sentence. Only schedule_set() revives it. */
void schedule_suspend(struct ctx *c, const struct article *a, const char *why);

/* Ends it; does nothing if there is none. */
void schedule_end(struct ctx *c, const struct article *a);

/* Suspends all dates that count: for a database that was restored. */
void schedule_suspend_all(struct ctx *c, const char *why);

/* Returns the UUID of an article whose date has come and whose account is not suspended, by
 * chance one of the first 64, or NULL. So a damaged article, which ends the process that
 * publishes it, does not hold up the others. */
const char *schedule_due(struct ctx *c);

/* Calls `each` for the articles of a workspace whose dates are suspended. `each` must not read from
 * the store. */
void schedule_list_suspended(struct ctx *c, int64_t workspace_id,
    void (*each)(void *arg, const char *uuid, const char *title, const struct schedule *s),
    void *arg);

/* Calls `each` for the articles that this person gave a date which counts. `each` must not
 * read from the store. */
void schedule_list_of(struct ctx *c, const char *person,
    void (*each)(void *arg, int64_t workspace_id, const char *uuid), void *arg);

#endif
