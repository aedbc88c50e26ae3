#ifndef ACTION_ORDER_ACTIONS_H
#define ACTION_ORDER_ACTIONS_H
/*
 * Orders of articles and briefs: what people do in the console, what an operator does, and what
 * both look at.
 *
 * What people do with orders in the console (docs/console.md §4.7): order and cancel. Prices,
 * reservation and refund are those of the API (job/job.h); only the sentences differ.
 */
#include "base/err.h"
#include "base/uuid.h"
#include "job/job.h"

struct find_place;

/* An order of a person. */
struct order {
	const char *workspace; /* UUID */
	const char *person; /* UUID */
	const char *number; /* of the form: it makes the job's id */
	struct job_order what; /* max_credits: "At most"; ordered_by is set by order_make() */
	int64_t shown; /* the price that the page showed for this; 0: none */
};

/* Makes the id of the job that this form orders. */
void order_id(struct ctx *c, const struct order *order, char uuid[UUID_TEXT]);

/* Orders, in one transaction: there is one job with the id of order_id() afterwards, or none.
 * Refuses an account that is suspended or not verified (403); a price above max_credits: 409 with
 * param "most" if it was lower when it was shown, else 400 with that param; too few credits
 * (402), too many orders in the hour (429), an unknown brief (400, param "brief"). */
MAY_REFUSE struct err *order_make(struct ctx *c, struct order *order, struct job **out);

/* Cancels an open order of the workspace, of any orderer, and returns all its credits.
 * Refuses one that is not there (404) or has ended (409). */
MAY_REFUSE struct err *
order_cancel(struct ctx *c, const char *workspace, const char *id, struct job **out);

/*
 * ---- The operator's jobs
 *
 * Actions on generation jobs: order one without a key, show, list, cancel. What they
 * change is the account that is charged, and no answer to a GET (DB_CHANGES_NOTHING).
 */

/* Orders a job by the rules and prices of POST /generate: there is one job afterwards,
 * or none. Refuses a suspended account, an account that is not verified, and everything
 * that job_order() refuses, in words for an operator. */
MAY_REFUSE struct err *job_create(
    struct ctx *c, const struct find_place *place, const struct job_order *order, struct job **out);

/* Reads the job with this internal id in a transaction of its own. */
struct job *job_read(struct ctx *c, int64_t id);

/* Calls `show` for the job that `id` names, inside the transaction. */
MAY_REFUSE struct err *
job_show(struct ctx *c, const char *id, void (*show)(void *arg, const struct job *job), void *arg);

/* Calls `each` for jobs of the workspace, newest first, at most `limit`, inside the
 * transaction. */
MAY_REFUSE struct err *job_show_all(struct ctx *c, const struct find_place *place, int64_t limit,
    void (*each)(void *arg, const struct job *job), void *arg);

/* Ends an open job at once and gives its credits back. Refuses a job that has ended. */
MAY_REFUSE struct err *job_cancel(struct ctx *c, const char *id, struct job **out);

/*
 * ---- Orders as people look at them
 *
 * A list, and one of them. Every function is its own transactions, unless it says otherwise.
 */

/* Who ordered. */
enum orders_by {
	ORDERS_BY_KEY, /* `name` is how it begins, `label` its label */
	ORDERS_BY_PERSON, /* the name */
	ORDERS_BY_OPERATOR /* by the tool: the user name */
};

struct orders_orderer {
	enum orders_by by;
	const char *name; /* NULL: the person was erased */
	const char *label; /* of a key; may be "" */
	const char *uuid; /* of the key or the person, or NULL */
};

struct orders_list {
	struct job_browse browse;
	struct orders_orderer by[JOB_BROWSE_MAX]; /* of each that was found */
};

/* Fills a page of orders. `browse.workspace` is of this request. */
void orders_list(struct ctx *c, struct orders_list *list);

/* Returns how long the last orders of a kind took on average, in microseconds; 0: none was done. */
int64_t
orders_took(struct ctx *c, const struct workspace *workspace, enum job_kind kind, bool image);

struct orders_one {
	struct job *job;
	struct orders_orderer by;
	const char *brief; /* topic of the brief that it was ordered with, or NULL */
	bool article; /* its article is there, and not in the trash for good */
	const char *title; /* of the article, or NULL */
};

/* Reads an order of the workspace. Refuses one that is not there (404). */
MAY_REFUSE struct err *
orders_read(struct ctx *c, const struct workspace *w, const char *id, struct orders_one *out);

/* Finds who ordered a job. Call it in a transaction of the content. */
void orders_orderer(struct ctx *c, const struct job *job, struct orders_orderer *out);

#endif
