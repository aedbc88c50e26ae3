#ifndef ACTION_STATISTICS_ACTIONS_H
#define ACTION_STATISTICS_ACTIONS_H
/*
 * What the readers of a workspace's websites read (docs/pages.md §10), for people. These actions
 * only read the counts (stats/stats.h) and the names of what was counted; the last one erases.
 *
 * A day is a number of days since 1970, in the time zone of the workspace.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "action/action.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/jwrite.h"
#include "stats/stats.h"

struct ctx;
struct workspace;

#define STATISTICS_LABELS 100 /* of each kind */
#define STATISTICS_SHOWN 30 /* days, where nothing else is asked */

#define STATISTICS_ARTICLES_MAX 1000

/* Returns the change in per cent, rounded; `before` is more than 0. */
int64_t statistics_change(int64_t now, int64_t before);

/* Which days are asked. */
struct statistics_period {
	bool from_given, to_given;
	int64_t from, to; /* midnights, as if they were UTC; both days included */
	int64_t last; /* with neither: so many days up to today; 0: STATISTICS_SHOWN */
};

struct statistics_day {
	int64_t views, visitors;
};

struct statistics_article {
	const char *id;
	const char *title; /* NULL: it is gone */
	int64_t views; /* of the period */
	bool published; /* it was, once: else the next five are -1 */
	int64_t first_day, last_day; /* of its first and its last publication */
	/* Of its first days, which begin with first_day; -1: counting began later. */
	int64_t first_7, first_30;
	int64_t since; /* from last_day on */
	int64_t credits; /* that it cost; -1: it was not ordered, or that was not asked */
};

struct statistics_list {
	struct report_sum rows[STATISTICS_LABELS];
	size_t count;
};

/* Why nothing is counted now. */
enum statistics_silence {
	STATISTICS_COUNTS,
	STATISTICS_OFF, /* the setting analytics_enabled is off */
	STATISTICS_RESTS, /* the account is suspended */
	STATISTICS_NO_ORIGIN, /* no website may send anything, and there are no pages */
	STATISTICS_NO_HIT, /* none was taken yet */
	STATISTICS_NO_FRAME, /* the same, where nothing but pages may send anything */
	STATISTICS_QUIET /* none was taken for three days */
};

struct statistics {
	/* What is asked. */
	struct statistics_period period;
	size_t articles_max; /* at most STATISTICS_ARTICLES_MAX */
	bool credits; /* what articles cost, too */
	bool days_only; /* nothing from `articles` on */

	/* What is found. */
	const struct workspace *workspace;
	const char *time_zone;
	int64_t today;
	int64_t from, to; /* both included; `to` is not after today */
	int64_t first_day; /* of which there are counts; INT64_MAX: there are none */
	size_t day_count;
	struct statistics_day *days; /* from `from` on */
	struct statistics_day *before; /* as many days before `from` */
	bool compared; /* there were counts of all days before, too */
	struct statistics_article *articles; /* those with the most views first */
	size_t article_count, article_all;
	struct statistics_list referrers, campaigns, languages, widths, bots;
	struct report_health health;
	enum statistics_silence silence;
	bool pages; /* the workspace has pages (access/pages-settings.h), which count in frames */
};

/* Reads it for a workspace, in transactions of its own. Refuses a period that ends before it
 * begins, begins after today or is longer than 1100 days (param "from" or "to"). */
MAY_REFUSE struct err *
statistics_read(struct ctx *c, const struct workspace *w, struct statistics *out);

/* One article: its views by days, and the referrers of the last days of the period, at most
 * VIEW_REFERRER_DAYS. */
struct statistics_of {
	struct statistics_period period;
	const struct article *article;

	const char *time_zone;
	int64_t today, from, to, first_day;
	size_t day_count;
	struct statistics_day *days; /* without visitors */
	struct statistics_article sums;
	struct statistics_list referrers;
	int64_t referrers_from; /* the first day of theirs */
};

/* Reads it in transactions of its own. Refuses the periods that statistics_read() refuses. */
MAY_REFUSE struct err *
statistics_read_article(struct ctx *c, const struct workspace *w, struct statistics_of *out);

/* What the articles of a list had in the last STATISTICS_SHOWN days. */
struct statistics_few {
	const char *article; /* UUID: asked */
	int64_t days[STATISTICS_SHOWN]; /* the last one is today */
	int64_t views;
};

/* Reads it for a workspace (UUID), whose clocks show the day `today`, in a transaction of its own.
 * Returns false, and changes nothing, where nothing was ever counted. */
bool statistics_read_few(
    struct ctx *c, const char *workspace, int64_t today, struct statistics_few *out, size_t count);

/* Calls `each` for all counts of the period; nothing given and no `last` is all time. Refuses a
 * period that ends before it begins. With `pause` long counts are read in several transactions;
 * it is called after each, when no transaction is open. Without it one transaction reads all. */
MAY_REFUSE struct err *
statistics_list(struct ctx *c, const struct workspace *w, const struct statistics_period *period,
    void (*each)(void *arg, const struct report_row *row), void (*pause)(void *arg), void *arg);

/*
 * ---- For programs
 *
 * The JSON and the CSV of the tool and of the console are the same (docs/pages.md §10).
 */

/* Writes what was read, as `galley stats show --json` prints it. Titles of articles that are
 * gone, and sums of days that were not all counted, are null. */
void statistics_to_json(struct jwrite *w, const struct statistics *s);

/* Writes one count, as `galley stats export --json` prints it. */
void statistics_row_to_json(struct jwrite *w, const struct report_row *row);

#define STATISTICS_CSV_HEAD "day,kind,article,label,count\r\n"

/* Writes one count as a row of CSV. */
void statistics_row_to_csv(struct buf *out, const struct report_row *row);

/* Writes a day as "2026-09-01". */
void statistics_day_text(char out[CLOCK_TEXT], int64_t day);

/*
 * ---- Erasure
 *
 * Erases what was counted of the readers of a workspace's websites (docs/pages.md §9), and what is
 * not counted yet. It does not come back: counts are in no backup but one that was made with
 * --with-stats.
 */
struct erasure {
	/* Days since 1970 in the workspace's time zone, both included. */
	bool from_given, to_given; /* else all days before or after */
	int64_t from, to;

	int64_t views; /* that were erased: filled by erasure_run() */
};

/* Erases them. Refuses a period that ends before it begins (param "from"), and an instance whose
 * counts cannot be reached (ERR_UNAVAILABLE). */
MAY_REFUSE struct err *erasure_run(struct ctx *c, const struct workspace *w, struct erasure *e);

#endif
