#ifndef ORDER_ORDER_H
#define ORDER_ORDER_H
/*
 * What people do with orders in the console (docs/console.md §4.7): order and cancel. Prices,
 * reservation and refund are those of the API (job/job.h); only the sentences differ.
 */
#include "base/err.h"
#include "base/uuid.h"
#include "job/job.h"

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

#endif
