/* Claims a job for a worker, and keeps it: claim, lease, steps, release
 * (docs/design.md §5). */
#include <string.h>

#include "access/workspace.h"
#include "base/ctx.h"
#include "system/fault.h"
#include "job/job.h"
#include "store/db.h"
#include "store/lease.h"

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
