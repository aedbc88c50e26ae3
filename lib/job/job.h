#ifndef JOB_JOB_H
#define JOB_JOB_H
/*
 * Jobs. A customer orders an article or a research brief (struct job_order), and the
 * order becomes a job. A worker claims the job, a provider writes what was ordered, and
 * the job ends (docs/design.md §5, docs/contract.md §2.7, §3).
 *
 * job.c	finds and lists jobs, the API's job object, pages of jobs for people; POST /generate
 *		checks an order and creates its job
 * job-work.c	how a worker takes and keeps a job: claim, lease, steps, release; how a job ends:
 *		completed, failed, cancelled; or waits for another try
 *
 * STATES. `status` only moves forwards: queued, running, completed or failed; or
 * queued, failed. The columns hold in each state:
 *
 *	queued		never claimed. claimed_*, lease_* NULL, tries 0.
 *			Reserved in the ledger; cost is the reservation.
 *	running, leased	a worker holds it: lease_token is random, drawn at each
 *			claim, and known to this worker alone; lease_until is in
 *			the clock of leases, lease_boot its place
 *			(store/lease.h); lease_locked is 1 if
 *			the worker held run/runner.lock of that place. claimed_* tells of the
 *			first claim and never changes.
 *	running, waiting  lease_* NULL. It can be claimed from run_after on:
 *			0 (at once) if its worker gave it back in good order,
 *			else the time of the next try. tries, error and
 *			error_code tell of the last try.
 *	completed	settled in the ledger: cost is the charge, settled_at
 *			set, stage done. An article job's article exists (and
 *			its edition, with auto_publish); a research job's brief
 *			is in `brief`. lease_* NULL, steps {}.
 *	failed		refunded in the ledger: cost 0, settled_at set, error
 *			and error_code say why, stage is where it stopped.
 *			lease_* NULL, steps {}.
 *
 * STEPS, and why a kill at any instruction neither loses nor doubles anything.
 * Each numbered step is one transaction.
 *
 *	1. order	job row (queued) and its `reserve` row. Killed before the
 *			commit: nothing exists. Killed after it, before the
 *			answer: the client sends the same Idempotency-Key again
 *			and gets this job, because the job's id is made from
 *			that key.
 *	2. claim	lease, status running. Killed after it: no process
 *			renews the lease, and the job is claimed again: at once
 *			if the lease was taken under run/runner.lock and the
 *			lock is free, else when the lease has run out. `deaths`
 *			counts these claims.
 *	   (provider)	runs outside a transaction. The next run removes its
 *			folder run/try-XXXXXX.
 *	3. step		what the provider reports as done is stored in `steps`
 *			and given to the next try. deaths becomes 0.
 *	4. renew	moves lease_until forwards while the provider lives.
 *	   (media)	a picture's file is written and synced before 5, under
 *			the digest of its bytes: a second write gives the same file.
 *	5. end		article, edition, media row, `settle` or `refund` row
 *			and the job's last state, all in one. Killed before the
 *			commit: the next claim continues from the stored steps.
 *			Killed after it: the job is final, nothing is left to do.
 *
 * Every write of 3, 4 and 5 names its lease_token. A worker that lost the job (it was
 * stopped for longer than its lease, or the job was cancelled or failed) finds another
 * token or none, changes nothing, and drops its result. The store refuses a write that
 * would still get through (db/guards.sql).
 *
 * lib/job: orders: credits and their ledger, claims, the runner, its tries. Not here: what
 * providers are made of (lib/provider), and background tasks (lib/task). Begin with job.h.
 */
#include <stdbool.h>
#include <stdint.h>

#include "access/apikey.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/uuid.h"
#include "store/lease.h"

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

/* Longer than any wait for another try. */
#define JOB_WAIT_LONGEST (100 * CLOCK_SECOND)

struct job {
	int64_t id;
	const char *uuid;
	int64_t account_id;
	int64_t workspace_id;
	enum job_kind kind;
	/* as ordered; may hold any characters; "" if none was ordered */
	const char *topic;
	bool image;
	bool auto_publish;
	int64_t research_id; /* 0: none */
	const char *research_uuid; /* or NULL */
	const char *article_uuid; /* of an article job, else NULL */
	int64_t reserved_credits;
	int64_t created_at;
	enum job_status status;
	const char *stage;
	const char *error; /* sentence of the last fault, or NULL */
	const char *error_code; /* its code, or NULL */
	int64_t cost; /* the reservation until the job ends, then the charge */
	int64_t settled_at; /* 0: open */
	int64_t tries; /* how many tries ended with a fault */
	int64_t deaths; /* how many workers died since the last new step */
	int64_t run_after; /* 0: at once */
	int64_t claimed_at; /* first claim; 0: never */
	int64_t claimed_boot_at;
	const char *claimed_boot; /* the place of the first claim, or NULL */
	bool leased;
	unsigned char token[JOB_TOKEN]; /* of the lease */
	int64_t lease_until; /* in the clock of leases (store/lease.h) */
	const char *lease_boot; /* the place of its worker, or NULL */
	bool lease_locked;
	const char *steps; /* JSON object */
	const char *usage; /* JSON object of a completed job, else NULL */
	const char *brief; /* JSON object of a completed research job */
};

/* Return the names that the database and the API use. */
const char *job_kind_name(enum job_kind kind);

const char *job_status_name(enum job_status status);

/* Returns the workspace's job with this uuid; NULL if there is none. With workspace_id
 * 0 it searches all workspaces: for operators only. */
struct job *job_find(struct ctx *c, int64_t workspace_id, const char *uuid);

/* Returns the job with this internal id. Dies if there is none. */
struct job *job_of(struct ctx *c, int64_t id);

/* The key, the person or the operator that ordered a job. */
struct job_orderer {
	int64_t key_id; /* 0: none */
	/* UUID of the person, or user name of the operator, in the arena; NULL if a key
	 * ordered */
	const char *ordered_by;
};

void job_orderer(struct ctx *c, int64_t id, struct job_orderer *out);

/* Calls `each` for the newest `limit` jobs of the workspace, the newest first. */
void job_list(struct ctx *c, const struct workspace *w, int64_t limit,
    void (*each)(void *arg, const struct job *job), void *arg);

/* Calls `each` for every open job, the oldest first. An open job has not ended. */
void job_list_open(struct ctx *c, void (*each)(void *arg, const struct job *job), void *arg);

/* ---- pages of a workspace's jobs, for people */

enum job_browse_state {
	JOB_BROWSE_ALL,
	JOB_BROWSE_OPEN,
	JOB_BROWSE_COMPLETED,
	JOB_BROWSE_FAILED,
	JOB_BROWSE_STATES
};

#define JOB_BROWSE_MAX 50

/* Where a page ends. */
struct job_browse_end {
	int64_t at, id;
};

/*
 * A page of a workspace's jobs, the newest first. The index is that of the account: at most
 * 10,000 jobs of it are looked at for a page.
 */
struct job_browse {
	/* What is asked. */
	const struct workspace *workspace;
	enum job_browse_state state;
	bool briefs; /* completed research jobs alone */
	struct job_browse_end before; /* the end of the page before; {0}: this is the first */
	size_t limit; /* at most JOB_BROWSE_MAX */

	/* What was found. */
	struct job *found[JOB_BROWSE_MAX];
	size_t count;
	struct job_browse_end next; /* `before` of the next page; {0}: this is the last */
	bool cut; /* not all jobs were looked at, and the page is not full */
};

void job_browse(struct ctx *c, struct job_browse *b);

/* Counts the jobs of the account that were ordered since then, and those that failed since then, of
 * those that were ordered a week before or later. */
void job_count_lately(
    struct ctx *c, int64_t account_id, int64_t since, int64_t *ordered, int64_t *failed);

/* Calls `each` for the articles of the workspace that were ordered and the credits that they cost,
 * of the newest 10,000 jobs of its account. An article lives as long as the request. */
void job_list_costs(struct ctx *c, const struct workspace *w,
    void (*each)(void *arg, const char *article, int64_t credits), void *arg);

/* Returns the topic on one line, with at most `chars` characters (arena); "" if none was
 * ordered. */
const char *job_topic_line(struct ctx *c, const struct job *job, size_t chars);

/* Writes the API's job object (docs/design.md §4.18). */
void job_to_json(struct jwrite *w, const struct job *job);

/* ---- orders */

/* Makes the job id that a key's order with this Idempotency-Key value gets. */
void job_order_id(const struct access *access, const char *idempotency_key, char uuid[UUID_TEXT]);

struct job_order {
	enum job_kind kind;
	const char *topic;
	bool image;
	bool auto_publish;
	const char *research_uuid; /* lower case, or NULL */
	int64_t max_credits; /* 0: no guard */
	/* UUID of the person, or user name of the operator, who orders without a key; NULL:
	 * the key orders */
	const char *ordered_by;
};

/* Checks the value of an Idempotency-Key (docs/design.md §4.17). Refuses with 400. */
MAY_REFUSE struct err *job_order_check_key(struct ctx *c, const char *value);

/* Checks that the account may order. Refuses with 403. */
MAY_REFUSE struct err *job_order_check_account(struct ctx *c, const struct access *access);

/* Asks in one message what an order asks before it is made (store/remote-store.h). Only if
 * STORE_IS_REMOTE. */
void job_order_prefetch(struct ctx *c, const struct access *access, const char *idempotency_key);

/*
 * Creates the job and its reservation in the writing transaction of the request. The
 * job gets the id `uuid`, which no job may have yet. First fails the account's jobs
 * whose day is over, so that their credits come back even if cron is dead. Then
 * refuses, in this order: an unknown research brief (400), a reservation above
 * max_credits (409), too few credits (402), too many jobs in the hour (429).
 */
MAY_REFUSE struct err *job_order(struct ctx *c, const struct access *access, const char *uuid,
    const struct job_order *order, struct job **out);

/* ---- claims */

/* The worker that claims a job. */
struct job_worker {
	bool locked; /* it holds run/runner.lock: no other such worker lives */
	char boot[LEASE_PLACE]; /* its place (store/lease.h); "" if it is not known */
};

void job_worker_init(struct ctx *c, struct job_worker *worker);

/* Whether a job can be claimed. Reads only. */
bool job_claim_waits(struct ctx *c, const struct job_worker *worker);

/* Whether an open job's lease has run out. Reads only. */
bool job_claim_overdue(struct ctx *c, const struct job_worker *worker);

enum job_claim { JOB_NOTHING, JOB_CLAIMED, JOB_ENDED };

/*
 * Takes the oldest job that can be claimed. Call it in a writing transaction.
 * JOB_ENDED: the function failed that job instead, because its workers died too often
 * or its day is over; *out is the job in this case, too.
 */
enum job_claim job_claim(struct ctx *c, const struct job_worker *worker, struct job **out);

/* Whether this worker still holds the job. Reads only. */
bool job_claim_holds(struct ctx *c, const struct job *job);

/* Each of these runs in a writing transaction. False, and nothing changed, if this
 * worker does not hold the job any more. */
bool job_claim_renew(struct ctx *c, struct job *job);

bool job_claim_stage(struct ctx *c, struct job *job, const char *stage);

/* `steps` is the whole JSON object of all steps. */
bool job_claim_step(struct ctx *c, struct job *job, const char *steps);

/* Gives the job back at once. Counts neither a try nor a death. */
bool job_claim_release(struct ctx *c, struct job *job);

/* ---- the end of a job */

/* The reason why a try or a job ended without a result. */
struct job_fault {
	const char *code; /* docs/design.md §4.19 */
	const char *sentence; /* one line that the customer reads */
	bool retry; /* the fault may pass: try again */
};

/* Ends a try with a fault. Call it in a writing transaction. False, and nothing
 * changed, if this worker does not hold the job. Sets *again if the job waits for
 * another try. */
bool job_end_try(struct ctx *c, struct job *job, const struct job_fault *fault, bool *again);

/* Completes the job: settles the charge, stores `usage` and `brief` (or NULL). Call it
 * in a writing transaction. False, and nothing changed, if this worker does not hold
 * the job. */
bool job_end_complete(
    struct ctx *c, struct job *job, int64_t charge, const char *usage, const char *brief);

/* Fails an open job, even if a worker holds it: it was cancelled, its backup was
 * restored, or its day is over. Call it in a writing transaction. */
void job_end_fail(struct ctx *c, struct job *job, const char *code, const char *sentence);

/* Cancels an open job. Refuses a job that has ended (409). */
MAY_REFUSE struct err *job_end_cancel(struct ctx *c, struct job *job);

/* Fails every open job of one workspace, or of all with workspace_id 0 (a restore
 * does). Calls `each`, which may be NULL, for each of them. Returns their number. */
int64_t job_end_all(struct ctx *c, int64_t workspace_id, const char *sentence,
    void (*each)(void *arg, const struct job *job), void *arg);

/* Whether more than a day has passed since the first claim. Within one boot it asks the
 * boot clock, so that a change of the wall clock fails no job. */
bool job_end_overdue(struct ctx *c, const struct job *job);

/*
 * Computes what a job may cost and what it costs (docs/design.md §5, "Reservations and
 * tariff") from the prices in galley.conf. It changes nothing.
 */

/* The largest numbers that a provider may report. */
#define PRICE_TOKENS_MAX INT64_C(1000000000)
#define PRICE_IMAGES_MAX INT64_C(1000)

struct price_usage {
	int64_t input_tokens; /* 0 to PRICE_TOKENS_MAX */
	int64_t output_tokens; /* the same */
	int64_t images; /* 0 to PRICE_IMAGES_MAX */
};

/* Returns the credits that a job reserves: the most that it can cost. */
int64_t price_reservation(const struct conf *conf, enum job_kind kind, bool image);

/*
 * Returns the credits that a completed job costs, 1 to `reserved`. An article that was
 * delivered without an image (`delivered` false) costs at most price_article, and its
 * images are not counted.
 */
int64_t price_charge(const struct conf *conf, enum job_kind kind, int64_t reserved, bool delivered,
    const struct price_usage *usage);

#endif
