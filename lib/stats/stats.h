#ifndef STATS_STATS_H
#define STATS_STATS_H
/*
 * stats/stats.db, the store of the counts (docs/console.md §4.10). It is in no
 * backup, and a restore keeps it: its rows name keys,
 * workspaces and articles by UUID. Only the task runner, the console and the tool reach it.
 *
 * stats.c	the file; what people erased, and what is too old
 * api-readers.c	who reads the API: the count of the lines of requests.log
 * logs.c	reading and rotating the logs; explain.c tells what became of one request
 * hit.c	a hit as a line; hits that are not counted yet: files of lines
 * hit-count.c	counting them
 * label.c	what is counted of a stranger's text
 * views.c	what readers read: views, visitors, paths, articles and so on, by days
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ctx;

/*
 * Makes the folder and the file where they are missing, for this user alone, and brings an
 * older file to this program's schema. The content must be open. Returns false, and changes
 * nothing, if the file is of a newer release, or if this user cannot create the folder: where the
 * instance's top folder is root's, `make install` does.
 */
bool stats_create(struct ctx *c);

/* Returns the folder stats/ of the instance (arena). */
const char *stats_folder(struct ctx *c);

/* Returns whether there are counts, of this program's schema. The content must be open, and no
 * transaction. */
bool stats_is_ready(struct ctx *c);

/*
 * Counts that a person erased (docs/pages.md §9), and the marks that erase what was taken before,
 * but was not counted yet. This file owns the table erased of stats.db. Every function but
 * erased_run() needs a transaction of DB_STATS.
 */

struct erased {
	const char *workspace; /* UUID */
	int64_t from_day, to_day; /* both included */
	int64_t erased_at;
};

/* Returns all marks (arena). */
const struct erased *erased_list(struct ctx *c, size_t *count);

/* Erases the counts of a workspace (its UUID) on these days, those that are not counted yet, too.
 * No page of the file holds them any more. Returns how many views they were. It is its own
 * transaction. */
int64_t erased_run(struct ctx *c, const char *workspace, int64_t from_day, int64_t to_day);

/*
 * Counts that are too old: days before the last `stats_months` months (galley.conf), referrers of
 * articles after 30 days, visitors of days that are over everywhere, and all of workspaces that are
 * not there any more.
 */

/* Returns the first day that is kept (days since 1970) of so many months before `now`. */
int64_t aged_first_day(int64_t now, int64_t months);

/* Removes what is too old, of a few workspaces at a time. The content is open; it is its own
 * transaction. */
void aged_run(struct ctx *c);

#endif
