#ifndef ACTION_HOME_LISTS_H
#define ACTION_HOME_LISTS_H
/*
 * What Home shows a person: where to go, the first steps, and what waits.
 *
 * Places are the workspaces and accounts that a person may go to (docs/console.md §4.1), the newest
 * workspace first, page by page. An instance may have thousands of workspaces, and an
 * operator may go to all of them: one pass reads the names of the table, and only what a
 * page shows is read whole.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/account.h"
#include "base/err.h"
#include "job/cron.h"

#define PLACES_PAGE 50 /* workspaces of a page */
#define PLACES_MAX 200

#define PLACES_ACCOUNTS 50

struct places_row {
	int64_t id; /* of the workspace */
	const char *uuid, *name;
	const struct account *account;
	unsigned rights; /* of enum right */
};

/* An account that the person is a member of. */
struct places_account {
	const struct account *account;
	unsigned rights;
};

struct places {
	/* What is asked. */
	int64_t person_id;
	const char *search; /* a part of the workspace's name; NULL: all */
	const char *before; /* UUID of the last workspace of the page before; NULL: none */
	size_t max; /* rows, at most PLACES_MAX */
	bool own; /* an operator's own memberships alone, as those of others */

	/* What is found. */
	bool operates; /* the person may go to every workspace */
	struct places_row rows[PLACES_MAX + 1];
	size_t count;
	bool more;
	struct places_account accounts[PLACES_ACCOUNTS]; /* oldest membership first */
	size_t account_count;
	bool many; /* the rows are of several accounts */
};

/* Reads the page. It is its own transactions. Refuses where people/ is not there. */
MAY_REFUSE struct err *places_read(struct ctx *c, struct places *p);

/*
 * ---- First steps
 *
 * The first steps of a new workspace (docs/console.md §4.1): what is done of them, until all is,
 * or the person hides them, or the workspace is 60 days old.
 */
enum steps_kind {
	STEPS_ARTICLE, /* there is an article */
	STEPS_KEY, /* there is a good key, with which a website reads */
	STEPS_PAGES, /* Galley shows the articles itself */
	STEPS_PEOPLE, /* somebody else is invited */
	STEPS_KINDS
};

struct steps {
	const struct places_row *row; /* the workspace; NULL: nothing is to be shown */
	bool done[STEPS_KINDS];
	size_t count; /* of those that are done */
};

/* Fills *out for the newest workspace of `p`, as places_read() found them, that the person manages:
 * an operator's only where the person is a member of its account, or there is one account. It is
 * its own transactions. */
void steps_read(struct ctx *c, const struct places *p, struct steps *out);

/*
 * ---- What waits
 *
 * What waits for a person in the workspaces and accounts of a page of places
 * (docs/console.md §4.1). The work is bounded: at most the PLACES_MAX newest workspaces are
 * looked at, and in each of them the newest articles and jobs.
 */
#define WAITS_EACH 10 /* lines of one kind that are shown */

enum waits_kind {
	WAITS_HANDED_IN, /* an article, for people who publish */
	WAITS_SUSPENDED, /* an article's date of publishing that does not count; the same */
	WAITS_TODO, /* a published article with to-dos left, for people who write */
	WAITS_JOB, /* an order that failed in the last 7 days, for people who order */
	WAITS_SITE, /* a site that read and asked for nothing in three days; publish or manage */
	WAITS_KEY, /* a key that ends within 14 days and has no successor; manage */
	WAITS_INVITATION, /* one that ended (membership_move()); manage */
	WAITS_CREDITS, /* an account with less than the price of five articles; manage */
	WAITS_ASKING, /* an account whose owner asks to have it verified; operators alone */
	WAITS_KINDS
};

struct waits_line {
	enum waits_kind kind;
	const char *workspace, *place; /* UUID and name; of WAITS_CREDITS and WAITS_ASKING, and of
					  WAITS_INVITATION to a whole account, the account's */
	const char *id; /* UUID of the article, job, key or membership; of WAITS_SITE the
			      workspace's */
	const char *text; /* a title, a topic, a label, a name */
	const char *more; /* of WAITS_SUSPENDED the reason, of WAITS_JOB the fault */
	int64_t at; /* of it; of WAITS_KEY its end; 0: not known */
	int64_t credits; /* of WAITS_CREDITS */
	const char *account; /* UUID */
	const char *by; /* of WAITS_HANDED_IN: UUID of the person */
	int64_t mark; /* tells two events of one thing apart */
};

struct waits {
	struct waits_line lines[WAITS_KINDS][WAITS_EACH];
	size_t count[WAITS_KINDS]; /* may be more than WAITS_EACH: so many wait */
	bool locked_out; /* somebody cannot sign in: told to operators alone */
	bool cron_is_silent; /* told to operators alone */
	bool is_quiet; /* the instance (access/live.h): told to operators alone */
	struct cron cron;
};

/* Calls `each` for all lines of the rows of `p` and its accounts, as places_read() found them:
 * those that *out would hold, and at most `limit` of what was handed in in a workspace. It is its
 * own transactions. */
void waits_list(struct ctx *c, const struct places *p, int64_t limit,
    void (*each)(void *arg, const struct waits_line *line), void *arg);

/* Fills *out for the rows of `p`, as places_read() found them. It is its own transactions. */
void waits_read(struct ctx *c, const struct places *p, struct waits *out);

#endif
