#ifndef ACTION_JOB_H
#define ACTION_JOB_H
/* Actions on generation jobs: order one without a key, show, list, cancel. What they
 * change is the account that is charged, and no answer to a GET (DB_CHANGES_NOTHING). */
#include "action/action.h"
#include "base/err.h"
#include "job/job.h"

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

#endif
