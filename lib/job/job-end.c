/* Ends jobs, or makes them wait for another try (docs/design.md §5). Each
 * function is a part of its caller's transaction: the ledger's row and the job's
 * last state are written together. */
#include <string.h>

#include "base/ctx.h"
#include "system/fault.h"
#include "job/job.h"
#include "job/ledger.h"
#include "store/db.h"
#include "store/lease.h"

bool
job_end_overdue(struct ctx *c, const struct job *job)
{
	char boot[LEASE_PLACE];

	if (job->claimed_at == 0)
		return false;
	if (job->claimed_boot != NULL && job->claimed_boot[0] != '\0' && lease_place(c, boot) &&
	    strcmp(boot, job->claimed_boot) == 0)
		return lease_now(c) - job->claimed_boot_at > CLOCK_DAY;
	return c->now - job->claimed_at > CLOCK_DAY;
}

/* Returns how long a job waits after its try number `tries`: about 10, 30 and 90
 * seconds. The times are spread, so that jobs which failed together are not tried again
 * together. */
static int64_t
wait_after(int64_t tries)
{
	static const int64_t seconds[] = { 10, 30, 90 };
	int64_t wait = seconds[tries <= 3 ? tries - 1 : 2] * CLOCK_SECOND;
	unsigned char random;

	uuid_random_bytes(&random, 1);
	return wait - wait / 20 + wait / 10 * random / 255;
}

/* Returns the time of the settlement. It is never before the job was created, even if
 * the wall clock was set back. */
static int64_t
settled_at(struct ctx *c, const struct job *job)
{
	return c->now > job->created_at ? c->now : job->created_at;
}

static void
wait_for_try(struct ctx *c, struct job *job, const struct job_fault *fault)
{
	struct stmt *q = db_prepare(c, "UPDATE job SET tries = :tries,"
				       " run_after = :after, error = :error, error_code = :code,"
				       " lease_token = NULL, lease_until = NULL, lease_boot = NULL,"
				       " lease_locked = NULL WHERE id = :id");

	job->run_after = c->now + wait_after(job->tries);
	db_bind_int(q, ":tries", job->tries);
	db_bind_int(q, ":after", job->run_after);
	db_bind_text(q, ":error", fault->sentence);
	db_bind_text(q, ":code", fault->code);
	db_bind_int(q, ":id", job->id);
	db_run(q);
}

bool
job_end_try(struct ctx *c, struct job *job, const struct job_fault *fault, bool *again)
{
	*again = false;
	if (!job_claim_holds(c, job))
		return false;
	job->tries++;
	*again = fault->retry && job->tries < JOB_TRIES && !job_end_overdue(c, job);
	if (*again)
		wait_for_try(c, job, fault);
	else
		job_end_fail(c, job, fault->code, fault->sentence);
	return true;
}

void
job_end_fail(struct ctx *c, struct job *job, const char *code, const char *sentence)
{
	struct stmt *q =
	    db_prepare(c, "UPDATE job SET status = 'failed',"
			  " cost = 0, settled_at = :at, tries = :tries, deaths = :deaths,"
			  " error = :error, error_code = :code, steps = '{}',"
			  " lease_token = NULL, lease_until = NULL, lease_boot = NULL,"
			  " lease_locked = NULL WHERE id = :id");

	ledger_refund(c, job->account_id, job->id, job->reserved_credits);
	(void)FAULT("job-refunded");
	job->status = JOB_FAILED;
	job->cost = 0;
	job->settled_at = settled_at(c, job);
	job->error = sentence;
	job->error_code = code;
	db_bind_int(q, ":at", job->settled_at);
	db_bind_int(q, ":tries", job->tries);
	db_bind_int(q, ":deaths", job->deaths);
	db_bind_text(q, ":error", sentence);
	db_bind_text(q, ":code", code);
	db_bind_int(q, ":id", job->id);
	db_run(q);
	(void)FAULT("job-failed");
}

bool
job_end_complete(
    struct ctx *c, struct job *job, int64_t charge, const char *usage, const char *brief)
{
	struct stmt *q =
	    db_prepare(c, "UPDATE job SET status = 'completed',"
			  " stage = 'done', cost = :charge, settled_at = :at, error = NULL,"
			  " error_code = NULL, usage = :usage, brief = :brief, steps = '{}',"
			  " lease_token = NULL, lease_until = NULL, lease_boot = NULL,"
			  " lease_locked = NULL WHERE id = :id");

	if (!job_claim_holds(c, job))
		return false;
	ledger_settle(c, job->account_id, job->id, job->reserved_credits, charge);
	(void)FAULT("job-settled");
	job->status = JOB_COMPLETED;
	job->cost = charge;
	job->settled_at = settled_at(c, job);
	db_bind_int(q, ":charge", charge);
	db_bind_int(q, ":at", job->settled_at);
	db_bind_text(q, ":usage", usage);
	db_bind_text(q, ":brief", brief);
	db_bind_int(q, ":id", job->id);
	db_run(q);
	(void)FAULT("job-completed");
	return true;
}

struct err *
job_end_cancel(struct ctx *c, struct job *job)
{
	if (job->settled_at != 0)
		return refuse(c, ERR_CONFLICT, "Job %s has ended already: it is %s.", job->uuid,
		    job_status_name(job->status));
	job_end_fail(c, job, "cancelled", "The job was cancelled by the publisher.");
	return NULL;
}

/* Returns the oldest open job of a workspace, or of all workspaces if `workspace_id` is
 * 0; NULL if there is none. */
static struct job *
first_open(struct ctx *c, int64_t workspace_id)
{
	struct stmt *q = db_prepare(c, "SELECT id FROM job"
				       " WHERE /*scan*/ settled_at IS NULL"
				       " AND (workspace_id = :workspace"
				       " OR :workspace = 0)"
				       " ORDER BY created_at, id LIMIT 1");
	int64_t id;

	db_bind_int(q, ":workspace", workspace_id);
	id = db_row(q) ? db_int(q, 0) : 0;
	db_reset(q);
	return id != 0 ? job_of(c, id) : NULL;
}

int64_t
job_end_all(struct ctx *c, int64_t workspace_id, const char *sentence,
    void (*each)(void *arg, const struct job *job), void *arg)
{
	int64_t count = 0;
	struct job *job;

	while ((job = first_open(c, workspace_id)) != NULL) {
		job_end_fail(c, job, "cancelled", sentence);
		if (each != NULL)
			each(arg, job);
		count++;
	}
	return count;
}
