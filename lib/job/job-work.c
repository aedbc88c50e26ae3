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

/* The values of LEASE_OVER. */
#define LEASE_VALUES(c, worker, is_locked)                                                         \
	db_t(":boot", lease_is_shared() ? NULL : (worker)->boot), db_t(":place", (worker)->boot),  \
	    db_i(":boot_now", lease_now(c)), db_i(":boot_far", lease_now(c) + LEASE),              \
	    db_i(":locked", is_locked)

/* Returns the internal id of the oldest job that can be claimed; 0 if there is none. */
static int64_t
oldest(struct ctx *c, const struct job_worker *worker)
{
	return db_one_int(c, 0,
	    "SELECT id FROM job WHERE " CLAIMABLE " ORDER BY created_at, id LIMIT 1",
	    LEASE_VALUES(c, worker, worker->locked), db_i(":now", c->now),
	    db_i(":far", c->now + JOB_WAIT_LONGEST));
}

bool
job_claim_waits(struct ctx *c, const struct job_worker *worker)
{
	return oldest(c, worker) != 0;
}

bool
job_claim_overdue(struct ctx *c, const struct job_worker *worker)
{
	return db_exists(c,
	    "SELECT 1 FROM job WHERE /*scan*/ settled_at IS NULL AND " LEASE_OVER " LIMIT 1",
	    LEASE_VALUES(c, worker, false));
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
	db_run(c,
	    "UPDATE job SET status = 'running',"
	    " stage = :stage, deaths = :deaths, claimed_at = :claimed,"
	    " claimed_boot_at = :claimed_boot_at,"
	    " claimed_boot = :claimed_boot, lease_token = :token,"
	    " lease_until = :until, lease_boot = :boot, lease_locked = :locked WHERE id = :id",
	    db_t(":stage", job->stage), db_i(":deaths", job->deaths),
	    db_i(":claimed", job->claimed_at), db_i(":claimed_boot_at", job->claimed_boot_at),
	    db_t(":claimed_boot", job->claimed_boot), db_b(":token", job->token, JOB_TOKEN),
	    db_i(":until", job->lease_until), db_t(":boot", job->lease_boot),
	    db_i(":locked", job->lease_locked), db_i(":id", job->id));
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
	return db_exists(c, "SELECT 1 FROM job WHERE id = :id AND lease_token = :token",
	    db_i(":id", job->id), db_b(":token", job->token, JOB_TOKEN));
}

bool
job_claim_renew(struct ctx *c, struct job *job)
{
	job->lease_until = lease_now(c) + LEASE;
	return db_run_counted(c,
		   "UPDATE job SET lease_until = :until WHERE id = :id AND lease_token = :token",
		   db_i(":until", job->lease_until), db_i(":id", job->id),
		   db_b(":token", job->token, JOB_TOKEN)) == 1;
}

bool
job_claim_stage(struct ctx *c, struct job *job, const char *stage)
{
	job->stage = stage;
	return db_run_counted(c,
		   "UPDATE job SET stage = :stage WHERE id = :id AND lease_token = :token",
		   db_t(":stage", stage), db_i(":id", job->id),
		   db_b(":token", job->token, JOB_TOKEN)) == 1;
}

bool
job_claim_step(struct ctx *c, struct job *job, const char *steps)
{
	bool held;

	job->steps = steps;
	job->deaths = 0;
	held =
	    db_run_counted(c,
		"UPDATE job SET steps = :steps, deaths = 0 WHERE id = :id AND lease_token = :token",
		db_t(":steps", steps), db_i(":id", job->id),
		db_b(":token", job->token, JOB_TOKEN)) == 1;
	(void)FAULT("job-step-written");
	return held;
}

bool
job_claim_release(struct ctx *c, struct job *job)
{
	job->leased = false;
	return db_run_counted(c,
		   "UPDATE job SET run_after = 0,"
		   " lease_token = NULL, lease_until = NULL, lease_boot = NULL,"
		   " lease_locked = NULL WHERE id = :id AND lease_token = :token",
		   db_i(":id", job->id), db_b(":token", job->token, JOB_TOKEN)) == 1;
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
	job->run_after = c->now + wait_after(job->tries);
	db_run(c,
	    "UPDATE job SET tries = :tries,"
	    " run_after = :after, error = :error, error_code = :code,"
	    " lease_token = NULL, lease_until = NULL, lease_boot = NULL,"
	    " lease_locked = NULL WHERE id = :id",
	    db_i(":tries", job->tries), db_i(":after", job->run_after),
	    db_t(":error", fault->sentence), db_t(":code", fault->code), db_i(":id", job->id));
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
	ledger_refund(c, job->account_id, job->id, job->reserved_credits);
	(void)FAULT("job-refunded");
	job->status = JOB_FAILED;
	job->cost = 0;
	job->settled_at = settled_at(c, job);
	job->error = sentence;
	job->error_code = code;
	db_run(c,
	    "UPDATE job SET status = 'failed',"
	    " cost = 0, settled_at = :at, tries = :tries, deaths = :deaths,"
	    " error = :error, error_code = :code, steps = '{}',"
	    " lease_token = NULL, lease_until = NULL, lease_boot = NULL,"
	    " lease_locked = NULL WHERE id = :id",
	    db_i(":at", job->settled_at), db_i(":tries", job->tries), db_i(":deaths", job->deaths),
	    db_t(":error", sentence), db_t(":code", code), db_i(":id", job->id));
	(void)FAULT("job-failed");
}

bool
job_end_complete(
    struct ctx *c, struct job *job, int64_t charge, const char *usage, const char *brief)
{
	if (!job_claim_holds(c, job))
		return false;
	ledger_settle(c, job->account_id, job->id, job->reserved_credits, charge);
	(void)FAULT("job-settled");
	job->status = JOB_COMPLETED;
	job->cost = charge;
	job->settled_at = settled_at(c, job);
	db_run(c,
	    "UPDATE job SET status = 'completed',"
	    " stage = 'done', cost = :charge, settled_at = :at, error = NULL,"
	    " error_code = NULL, usage = :usage, brief = :brief, steps = '{}',"
	    " lease_token = NULL, lease_until = NULL, lease_boot = NULL,"
	    " lease_locked = NULL WHERE id = :id",
	    db_i(":charge", charge), db_i(":at", job->settled_at), db_t(":usage", usage),
	    db_t(":brief", brief), db_i(":id", job->id));
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
	int64_t id = db_one_int(c, 0,
	    "SELECT id FROM job WHERE /*scan*/ settled_at IS NULL AND (workspace_id = :workspace"
	    " OR :workspace = 0) ORDER BY created_at, id LIMIT 1",
	    db_i(":workspace", workspace_id));

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
