#include <string.h>

#include "access/workspace.h"
#include "base/ctx.h"
#include "job/job.h"
#include "job/ledger.h"
#include "store/db.h"
#include "store/lease.h"
#include "system/fault.h"

/* ---- claim, lease, steps, release (docs/design.md §5) */

#define LEASE (JOB_LEASE_S * CLOCK_SECOND)

/* A lease is over in four cases: the machine was started again since, unless other hosts
 * share the store (then :boot is NULL); its time has passed; its end is further ahead than
 * any lease reaches (the machine was started again, and the kernel tells no boot id); or
 * this worker holds run/runner.lock, and the lease was taken under that lock of the same
 * place: the process that held the lock is dead. */
#define LEASE_OVER                                                                                 \
	"lease_token IS NOT NULL AND (lease_boot <> :boot"                                         \
	" OR lease_until <= :boot_now OR lease_until > :boot_far"                                  \
	" OR (lease_locked = 1 AND lease_locked = :locked AND lease_boot = :place))"

/* An open job can be claimed if it has no lease and its time has come, or if its lease
 * is over. A time that is further ahead than the longest wait counts as come: the clock
 * was set back. The index job_open holds the open jobs, the oldest first. */
#define CLAIMABLE                                                                                  \
	"/*scan*/ settled_at IS NULL AND ((lease_token IS NULL AND"                                \
	" (run_after <= :now OR run_after > :far)) OR (" LEASE_OVER "))"

void
job_worker_init(struct ctx *c, struct job_worker *worker)
{
	worker->locked = false;
	(void)lease_place(c, worker->boot);
}

static void
bind_lease(struct ctx *c, struct stmt *q, const struct job_worker *worker, bool locked)
{
	int64_t now = lease_now(c);

	db_bind_text(q, ":boot", lease_is_shared() ? NULL : worker->boot);
	db_bind_text(q, ":place", worker->boot);
	db_bind_int(q, ":boot_now", now);
	db_bind_int(q, ":boot_far", now + LEASE);
	db_bind_int(q, ":locked", locked);
}

/* Returns the internal id of the oldest job that can be claimed; 0 if there is none. */
static int64_t
oldest(struct ctx *c, const struct job_worker *worker)
{
	struct stmt *q =
	    db_prepare(c, "SELECT id FROM job WHERE " CLAIMABLE " ORDER BY created_at, id LIMIT 1");
	int64_t id;

	bind_lease(c, q, worker, worker->locked);
	db_bind_int(q, ":now", c->now);
	db_bind_int(q, ":far", c->now + JOB_WAIT_LONGEST);
	id = db_row(q) ? db_int(q, 0) : 0;
	db_reset(q);
	return id;
}

bool
job_claim_waits(struct ctx *c, const struct job_worker *worker)
{
	return oldest(c, worker) != 0;
}

bool
job_claim_overdue(struct ctx *c, const struct job_worker *worker)
{
	struct stmt *q =
	    db_prepare(c, "SELECT 1 FROM job"
			  " WHERE /*scan*/ settled_at IS NULL AND " LEASE_OVER " LIMIT 1");
	bool found;

	bind_lease(c, q, worker, false);
	found = db_row(q);
	db_reset(q);
	return found;
}

/* Returns the stage of a job whose provider has not told one yet. */
static const char *
first_stage(const struct job *job)
{
	if (strcmp(job->stage, "queued") != 0)
		return job->stage;
	return job->kind == JOB_RESEARCH ? "research" : "outline";
}

/* Writes the lease and the first claim of `job` into its row. */
static void
write_claim(struct ctx *c, const struct job *job)
{
	struct stmt *q =
	    db_prepare(c, "UPDATE job SET status = 'running',"
			  " stage = :stage, deaths = :deaths, claimed_at = :claimed,"
			  " claimed_boot_at = :claimed_boot_at,"
			  " claimed_boot = :claimed_boot, lease_token = :token,"
			  " lease_until = :until, lease_boot = :boot, lease_locked = :locked"
			  " WHERE id = :id");

	db_bind_text(q, ":stage", job->stage);
	db_bind_int(q, ":deaths", job->deaths);
	db_bind_int(q, ":claimed", job->claimed_at);
	db_bind_int(q, ":claimed_boot_at", job->claimed_boot_at);
	db_bind_text(q, ":claimed_boot", job->claimed_boot);
	db_bind_blob(q, ":token", job->token, JOB_TOKEN);
	db_bind_int(q, ":until", job->lease_until);
	db_bind_text(q, ":boot", job->lease_boot);
	db_bind_int(q, ":locked", job->lease_locked);
	db_bind_int(q, ":id", job->id);
	db_run(q);
}

static void
take(struct ctx *c, const struct job_worker *worker, struct job *job)
{
	job->stage = first_stage(job);
	job->status = JOB_RUNNING;
	if (job->claimed_at == 0) {
		job->claimed_at = c->now;
		job->claimed_boot_at = lease_now(c);
		job->claimed_boot = worker->boot;
	}
	job->leased = true;
	uuid_random_bytes(job->token, JOB_TOKEN);
	job->lease_until = lease_now(c) + LEASE;
	job->lease_boot = worker->boot;
	job->lease_locked = worker->locked;
	write_claim(c, job);
}

enum job_claim
job_claim(struct ctx *c, const struct job_worker *worker, struct job **out)
{
	int64_t id = oldest(c, worker);
	struct job *job;

	if (id == 0)
		return JOB_NOTHING;
	*out = job = job_of(c, id);
	/* Only a worker that died leaves its lease. */
	if (job->leased)
		job->deaths++;
	if (job->deaths >= JOB_DEATHS) {
		job_end_fail(c, job, "internal_error", "The work on this job broke off too often.");
		return JOB_ENDED;
	}
	if (job_end_overdue(c, job)) {
		job_end_fail(c, job, "timeout", "The job could not be finished within a day.");
		return JOB_ENDED;
	}
	if (workspace_is_deleted(c, job->workspace_id)) {
		job_end_fail(c, job, "cancelled", "The workspace was deleted.");
		return JOB_ENDED;
	}
	take(c, worker, job);
	(void)FAULT("job-claim-written");
	return JOB_CLAIMED;
}

bool
job_claim_holds(struct ctx *c, const struct job *job)
{
	struct stmt *q = db_prepare(c, "SELECT 1 FROM job"
				       " WHERE id = :id AND lease_token = :token");
	bool found;

	db_bind_int(q, ":id", job->id);
	db_bind_blob(q, ":token", job->token, JOB_TOKEN);
	found = db_row(q);
	db_reset(q);
	return found;
}

bool
job_claim_renew(struct ctx *c, struct job *job)
{
	struct stmt *q = db_prepare(c, "UPDATE job SET lease_until = :until"
				       " WHERE id = :id AND lease_token = :token");

	job->lease_until = lease_now(c) + LEASE;
	db_bind_int(q, ":until", job->lease_until);
	db_bind_int(q, ":id", job->id);
	db_bind_blob(q, ":token", job->token, JOB_TOKEN);
	return db_run_counted(q) == 1;
}

bool
job_claim_stage(struct ctx *c, struct job *job, const char *stage)
{
	struct stmt *q = db_prepare(c, "UPDATE job SET stage = :stage"
				       " WHERE id = :id AND lease_token = :token");

	job->stage = stage;
	db_bind_text(q, ":stage", stage);
	db_bind_int(q, ":id", job->id);
	db_bind_blob(q, ":token", job->token, JOB_TOKEN);
	return db_run_counted(q) == 1;
}

bool
job_claim_step(struct ctx *c, struct job *job, const char *steps)
{
	struct stmt *q = db_prepare(c, "UPDATE job SET steps = :steps,"
				       " deaths = 0 WHERE id = :id AND lease_token = :token");
	bool held;

	job->steps = steps;
	job->deaths = 0;
	db_bind_text(q, ":steps", steps);
	db_bind_int(q, ":id", job->id);
	db_bind_blob(q, ":token", job->token, JOB_TOKEN);
	held = db_run_counted(q) == 1;
	(void)FAULT("job-step-written");
	return held;
}

bool
job_claim_release(struct ctx *c, struct job *job)
{
	struct stmt *q =
	    db_prepare(c, "UPDATE job SET run_after = 0,"
			  " lease_token = NULL, lease_until = NULL, lease_boot = NULL,"
			  " lease_locked = NULL WHERE id = :id AND lease_token = :token");

	job->leased = false;
	db_bind_int(q, ":id", job->id);
	db_bind_blob(q, ":token", job->token, JOB_TOKEN);
	return db_run_counted(q) == 1;
}

/*
 * ---- the end of a job, or the wait for another try (docs/design.md §5)
 *
 * Each function is a part of its caller's transaction: the ledger's row and the job's last state
 * are written together.
 */

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
