#ifndef JOB_JOB_H
#define JOB_JOB_H
/*
 * Generation jobs: orders of an article or a research brief, who works on them,
 * and how they end (docs/design.md §5, docs/contract.md §2.7, §3).
 *
 * job.c	finding, listing, the API's job object
 * job-order.c	POST /generate: the checks in their order, the new job
 * job-claim.c	who works on it: claim, lease, steps, release
 * job-end.c	completed, failed, tried again, cancelled
 *
 * STATES. `status` only moves forwards: queued, running, completed or failed; or
 * queued, failed. What the columns hold in each:
 *
 *	queued		never claimed. claimed_*, lease_* NULL, tries 0.
 *			Reserved in the ledger; cost is the reservation.
 *	running, leased	a worker has it: lease_token is the worker's, random,
 *			drawn at each claim; lease_until is in the boot clock of
 *			boot lease_boot; lease_locked 1 when the worker held
 *			run/runner.lock. claimed_* is the first claim, ever.
 *	running, waiting  lease_* NULL. Due from run_after on: 0 when its
 *			worker ended in good order (at once), else the time of
 *			the next try. tries, error, error_code tell of the last.
 *	completed	settled in the ledger: cost is the charge, settled_at
 *			set, stage done. An article job's article is there (and
 *			its edition, with auto_publish); a research job's brief
 *			is in `brief`. lease_* NULL, steps {}.
 *	failed		refunded in the ledger: cost 0, settled_at set, error
 *			and error_code say why, stage is where it stopped.
 *			lease_* NULL, steps {}.
 *
 * STEPS, and why a kill at any instruction loses and doubles nothing. Each
 * numbered step is one transaction.
 *
 *	1. order	job row (queued) and its `reserve` row. Killed before the
 *			commit: nothing is there. Killed after it, before the
 *			answer: the client sends the same Idempotency-Key again
 *			and gets this job, whose id is made of that key.
 *	2. claim	lease, status running. Killed after it: the job has a
 *			lease that nobody renews, and is claimed again: at once
 *			where the lease was taken under run/runner.lock and the
 *			lock is free, else when the lease has run out. Each such
 *			take-over counts in `deaths`.
 *	   (provider)	runs in no transaction. Its folder run/try-<token> is
 *			swept away by the next run.
 *	3. step		what the provider says is done is stored in `steps` and
 *			given back to the next try. deaths is 0 again.
 *	4. renew	moves lease_until on while the provider lives.
 *	   (media)	a picture's file is written and synced before 5, under
 *			the digest of its bytes: written twice, it is the same.
 *	5. end		article, edition, media row, `settle` or `refund` row
 *			and the job's last state, all in one. Killed before the
 *			commit: the next claim goes on from the stored steps.
 *			Killed after it: the job is final, nothing is left to do.
 *
 * Every write of 3, 4 and 5 asks for its lease_token: a worker that was overtaken
 * (stopped past its lease, cancelled, expired) finds another one or none,
 * changes nothing, and throws its result away. The store refuses what would
 * still get through (db/guards.sql).
 */
#include <stdbool.h>
#include <stdint.h>

#include "access/apikey.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/uuid.h"

struct conf;
struct jwrite;

enum job_kind { JOB_ARTICLE, JOB_RESEARCH };
enum job_status { JOB_QUEUED, JOB_RUNNING, JOB_COMPLETED, JOB_FAILED };

enum {
	JOB_TOKEN = 16, /* bytes of a lease's token */
	JOB_TOPIC_MAX = 1500, /* code points */
	JOB_IDEMPOTENCY_MAX = 128, /* characters of an Idempotency-Key */
	JOB_ERROR_MAX = 500, /* code points of a sentence */
	JOB_TRIES = 4,
	JOB_DEATHS = 5,
	JOB_LEASE_S = 60,
	JOB_POLL_S = 10 /* Retry-After of a pending job */
};

/* Further ahead than any wait for another try reaches. */
#define JOB_WAIT_LONGEST (100 * CLOCK_SECOND)

struct job {
	int64_t id;
	const char *uuid;
	int64_t account_id;
	int64_t workspace_id;
	enum job_kind kind;
	const char *topic; /* as ordered, any characters; "" for none */
	bool image;
	bool auto_publish;
	int64_t research_id; /* 0: none */
	const char *research_uuid; /* or NULL */
	const char *article_uuid; /* of an article job, else NULL */
	int64_t reserved_credits;
	int64_t created_at;
	enum job_status status;
	const char *stage;
	const char *error; /* of the last fault, or NULL */
	const char *error_code; /* the same */
	int64_t cost; /* the reservation until it ends */
	int64_t settled_at; /* 0: open */
	int64_t tries; /* that ended with a fault */
	int64_t deaths; /* of workers since the last new step */
	int64_t run_after; /* 0: at once */
	int64_t claimed_at; /* first claim; 0: never */
	int64_t claimed_boot_at;
	const char *claimed_boot; /* boot id, or NULL */
	bool leased;
	unsigned char token[JOB_TOKEN]; /* of the lease */
	int64_t lease_until; /* boot clock of lease_boot */
	const char *lease_boot; /* or NULL */
	bool lease_locked;
	const char *steps; /* JSON object */
	const char *usage; /* JSON object of a completed job, else NULL */
	const char *brief; /* JSON object of a completed research job */
};

/* The names in the database and the API. */
const char *job_kind_name(enum job_kind kind);
const char *job_status_name(enum job_status status);

/* By its uuid; NULL when the workspace has none such. workspace_id 0: of any
 * workspace (operators only). */
struct job *job_find(struct ctx *c, int64_t workspace_id, const char *uuid);

/* By the id inside. Dies when there is none. */
struct job *job_of(struct ctx *c, int64_t id);

/* Who ordered a job: a key, or an operator without one. */
struct job_orderer {
	int64_t key_id; /* 0: none */
	const char *ordered_by; /* user name, or NULL; in the arena */
};

void job_orderer(struct ctx *c, int64_t id, struct job_orderer *out);

/* Calls `each` for jobs of the workspace, newest first, at most `limit`. */
void job_list(struct ctx *c, const struct workspace *w, int64_t limit,
    void (*each)(void *arg, const struct job *job), void *arg);

/* Calls `each` for every job that has not ended, oldest first. */
void job_list_open(
    struct ctx *c, void (*each)(void *arg, const struct job *job), void *arg);

/* Writes the API's job object (docs/design.md §4.18). */
void job_to_json(struct jwrite *w, const struct job *job);

/* ---- job-order.c */

/* The id of what a key orders with this Idempotency-Key value. */
void job_order_id(const struct access *access, const char *idempotency_key,
    char uuid[UUID_TEXT]);

struct job_order {
	enum job_kind kind;
	const char *topic;
	bool image;
	bool auto_publish;
	const char *research_uuid; /* lower case, or NULL */
	int64_t max_credits; /* 0: no guard */
	const char *ordered_by; /* NULL: the key; else the operator's user name,
				      and there is no key */
};

/* Whether the value is one (docs/design.md §4.17); refused: 400. */
MAY_REFUSE struct err *job_order_check_key(struct ctx *c, const char *value);

/* The account may order; refused: 403. */
MAY_REFUSE struct err *
job_order_check_account(struct ctx *c, const struct access *access);

/*
 * Makes the job and its reservation, in the writing transaction of the request,
 * under the id `uuid`, which nobody has yet. Refuses, in this order: an unknown
 * research brief (400), a reservation above max_credits (409), too few credits
 * (402), too many jobs in the hour (429). Ends first the account's jobs whose
 * day is over, so that their credits are not held where cron is dead.
 */
MAY_REFUSE struct err *job_order(struct ctx *c, const struct access *access,
    const char *uuid, const struct job_order *order, struct job **out);

/* ---- job-claim.c */

/* Who claims. */
struct job_worker {
	bool locked; /* holds run/runner.lock: no other such worker lives */
	char boot[CLOCK_BOOT_ID]; /* "" where the kernel tells none */
};

void job_worker_init(struct job_worker *worker);

/* Whether there is something to claim. Reads only. */
bool job_claim_waits(struct ctx *c, const struct job_worker *worker);

/* Whether an open job's lease has run out. Reads only. */
bool job_claim_overdue(struct ctx *c, const struct job_worker *worker);

enum job_claim { JOB_NOTHING, JOB_CLAIMED, JOB_ENDED };

/*
 * In the writing transaction: takes the oldest job that is due. JOB_ENDED: it
 * was not worth another try (its workers died too often, its day is over) and
 * was failed; *out is it, too.
 */
enum job_claim
job_claim(struct ctx *c, const struct job_worker *worker, struct job **out);

/* Whether the job is still this worker's. Reads only. */
bool job_claim_holds(struct ctx *c, const struct job *job);

/* In the writing transaction; false when the job is not this worker's any more,
 * and nothing changed. */
bool job_claim_renew(struct ctx *c, struct job *job);
bool job_claim_stage(struct ctx *c, struct job *job, const char *stage);
/* `steps` is the whole JSON object. */
bool job_claim_step(struct ctx *c, struct job *job, const char *steps);
/* Gives it back at once; no try, no death. */
bool job_claim_release(struct ctx *c, struct job *job);

/* ---- job-end.c */

/* Why a try or a job ended without a result. */
struct job_fault {
	const char *code; /* docs/design.md §4.19 */
	const char *sentence; /* one line, shown to the customer */
	bool retry; /* may pass */
};

/* In the writing transaction, for the worker that holds it; false when it does
 * not. *again: the job waits for another try. */
bool job_end_try(
    struct ctx *c, struct job *job, const struct job_fault *fault, bool *again);

/* Completed: the charge is settled, `usage` and `brief` (or NULL) are kept. The
 * same rules. */
bool job_end_complete(struct ctx *c, struct job *job, int64_t charge,
    const char *usage, const char *brief);

/* Fails an open job, whoever holds it: cancelled, restored, over its day. In the
 * writing transaction. */
void job_end_fail(
    struct ctx *c, struct job *job, const char *code, const char *sentence);

/* Ends it as cancelled; refuses one that has ended (409). */
MAY_REFUSE struct err *job_end_cancel(struct ctx *c, struct job *job);

/* Fails every open job (restore), or those of one workspace (0: all), calling
 * `each` (or NULL) for it. Returns how many. */
int64_t job_end_all(struct ctx *c, int64_t workspace_id, const char *sentence,
    void (*each)(void *arg, const struct job *job), void *arg);

/* Whether more than a day has passed since the first claim: by the boot clock
 * within one boot, so that a stepped wall clock fails nobody. */
bool job_end_overdue(struct ctx *c, const struct job *job);

#endif
