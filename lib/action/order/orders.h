#ifndef ORDER_ORDERS_H
#define ORDER_ORDERS_H
/* Orders as people look at them: a list, one of them, and the briefs of a workspace. Every
 * function is its own transactions, unless it says otherwise. */
#include "base/err.h"
#include "job/job.h"

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
