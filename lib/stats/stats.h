#ifndef STATS_STATS_H
#define STATS_STATS_H
/*
 * stats/stats.db, the store of the counts (docs/console.md §4.10). It is in no backup, and a
 * restore keeps it: its rows name keys, workspaces and articles by UUID. Only the task runner, the
 * console and the tool reach it.
 *
 * stats.c	the file; what was counted of readers; what people erased, and what is too old
 * api-readers.c	who reads the API: the count of the lines of requests.log
 * logs.c	reading and rotating the logs; explain.c tells what became of one request
 * hit.c	a hit as a line; hits that are not counted yet: files of lines
 * hit-count.c	counting them: views, visitors, paths, articles and so on, by days
 * label.c	what is counted of a stranger's text
 *
 * lib/stats: counts of readers and of the API, and the logs. Not here: who takes a hit
 * (pages/collector.h). Begin with stats.h.
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
 * What the readers of a workspace's websites read, by days (docs/pages.md §9): the tables
 * viewed, viewed_article, view, seen and health of stats.db. hit-count.c adds to them.
 */

#define VIEW_OTHER "(other)" /* the label of what is beyond a day's cap */

/* The kinds of counts, as they are stored. */
enum view_kind {
	VIEW_VIEWS = 1,
	VIEW_VISITORS,
	VIEW_PATH,
	VIEW_ARTICLE,
	VIEW_REFERRER,
	VIEW_CAMPAIGN,
	VIEW_LANGUAGE,
	VIEW_WIDTH,
	VIEW_BOT,
	VIEW_ARTICLE_REFERRER, /* kept VIEW_REFERRER_DAYS; named "referrer", with an article */
	VIEW_KINDS
};

#define VIEW_REFERRER_DAYS 30

/* What the collector took and refused. */
enum view_health {
	VIEW_ACCEPTED = 1,
	VIEW_REFUSED_ORIGIN,
	VIEW_WITHOUT_CONSENT,
	VIEW_LIMITED, /* from here on of the whole instance */
	VIEW_UNKNOWN_SITE,
	VIEW_BAD_FORM,
	VIEW_HEALTH
};

/*
 * What was counted of readers, for people (docs/pages.md §10): sums over these tables.
 * Nothing here writes. Every function needs a transaction of DB_STATS.
 *
 * A day is a number of days since 1970, as the clocks of the workspace's zone showed it. Labels
 * are texts of strangers.
 */

/* The days that are asked of a workspace. */
struct report_period {
	const char *workspace; /* UUID */
	int64_t from, to; /* both included */
};

/* A sum of a period. */
struct report_sum {
	const char *name; /* a label, or the UUID of an article */
	int64_t count;
};

/* A count of a day. */
struct report_row {
	int64_t day;
	const char *kind; /* as `galley stats export` prints it */
	const char *article; /* UUID; NULL: no article's */
	const char *label; /* "" where the kind has none */
	int64_t count;
};

/* What the collector took and refused in a period. */
struct report_health {
	int64_t accepted, refused_origin, without_consent;
	int64_t limited; /* of the whole instance, by days of UTC */
	int64_t last_hit_at; /* of all time; 0: there was none */
};

/* Returns the first day of which the workspace has views; INT64_MAX: it has none. */
int64_t report_first_day(struct ctx *c, const char *workspace);

/* Calls `each` for the days of the period that have a count, in their order. The kind is one
 * without labels; `article` is a UUID with VIEW_ARTICLE, else NULL. */
void report_days(struct ctx *c, const struct report_period *p, enum view_kind kind,
    const char *article, void (*each)(void *arg, int64_t day, int64_t count), void *arg);

/* Returns the sum of these counts. */
int64_t
report_sum(struct ctx *c, const struct report_period *p, enum view_kind kind, const char *article);

/* Reads the labels of a kind with the greatest sums, at most `max`, the greatest first, and
 * returns how many there are in `out`. What is left out is in the sum of VIEW_OTHER, which is the
 * last one then. `article` is a UUID with VIEW_ARTICLE_REFERRER, else NULL. */
size_t report_labels(struct ctx *c, const struct report_period *p, enum view_kind kind,
    const char *article, struct report_sum *out, size_t max);

/* Reads the articles with the most views, at most `max`, the greatest first, and returns how
 * many there are in `out`; *all is how many have views. */
size_t report_articles(
    struct ctx *c, const struct report_period *p, struct report_sum *out, size_t max, size_t *all);

#define REPORT_LABEL 1024

/* How far the counts were read. */
struct report_read {
	int64_t day, kind, article_id; /* of the last row; kind 0: none was read */
	char label[REPORT_LABEL];
};

/* Calls `each` for the next counts, by day, kind (in the order of enum view_kind), article (in the
 * order in which they were first read) and label: for many of them at a time, because all that are
 * left are sorted to find them. A row lives as long as the call. *read is zeros before the first
 * call. Returns whether there may be more. */
bool report_rows(struct ctx *c, const struct report_period *p, struct report_read *read,
    void (*each)(void *arg, const struct report_row *row), void *arg);

void report_health(struct ctx *c, const struct report_period *p, struct report_health *out);

/*
 * Counts that a person erased (docs/pages.md §9), and the marks that erase what was taken before,
 * but was not counted yet. stats.c owns the table erased of
 * stats.db. erased_list() needs a transaction of DB_STATS.
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

/* Returns whether something is too old, or was not looked at for a day. Needs a transaction of
 * DB_STATS. */
bool view_is_old(struct ctx *c);

/* Removes what is too old, of a few workspaces at a time. The content is open; it is its own
 * transaction. */
void aged_run(struct ctx *c);

#endif
