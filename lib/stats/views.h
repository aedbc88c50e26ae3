#ifndef STATS_VIEWS_H
#define STATS_VIEWS_H
/*
 * What the readers of a workspace's websites read, by days (docs/pages.md §9). This file owns
 * the tables viewed, viewed_article, view, seen and health of stats.db; the reports read them.
 * Every function needs a transaction of DB_STATS.
 *
 * Days are days since 1970 in the workspace's time zone.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ctx;

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

/* Removes all that is of a workspace on these days, both included. Returns how many views they
 * had. */
int64_t view_erase(struct ctx *c, const char *workspace, int64_t from_day, int64_t to_day);

/* Returns whether something is too old, or was not looked at for a day. */
bool view_is_old(struct ctx *c);

/* Removes visitors of days that are over everywhere, and looks at the few workspaces that nobody
 * looked at for longest: counts of days before `oldest_day` are removed, and all of a workspace
 * that is not there. */
void view_clean(struct ctx *c, int64_t oldest_day);

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
	const char *kind; /* view_kind_name() */
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

#endif
