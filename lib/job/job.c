#include "job/job.h"

#include <string.h>

#include "access/account.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/jwrite.h"
#include "base/log.h"
#include "base/utf8.h"
#include "job/ledger.h"
#include "store/db.h"
#include "store/remote-store.h"
#include "system/conf.h"
#include "system/fault.h"

/* The columns of a job, with the uuid of the research job that it was ordered with. */
#define COLUMNS                                                                                    \
	"j.id, j.uuid, j.account_id, j.workspace_id, j.kind, j.topic, "                            \
	"j.image,"                                                                                 \
	" j.auto_publish, j.research_id, r.uuid, j.article_uuid,"                                  \
	" j.reserved_credits, j.created_at, j.status, j.stage, j.error,"                           \
	" j.error_code, j.cost, j.settled_at, j.tries, j.deaths, j.run_after,"                     \
	" j.claimed_at, j.claimed_boot_at, j.claimed_boot, j.lease_token,"                         \
	" j.lease_until, j.lease_boot, j.lease_locked, j.steps, j.usage,"                          \
	" j.brief"
#define ROWS                                                                                       \
	"SELECT " COLUMNS " FROM job j LEFT JOIN job r ON r.id = "                                 \
	"j.research_id"

static const char *const kind_names[] = { "article", "research" };
static const char *const status_names[] = { "queued", "running", "completed", "failed" };

const char *
job_kind_name(enum job_kind kind)
{
	return kind_names[kind];
}

const char *
job_status_name(enum job_status status)
{
	return status_names[status];
}

/* Returns the index of `name` in a table of `count` names. The CHECKs of the schema
 * allow no other name. */
static unsigned
place(const char *const *names, unsigned count, const char *name)
{
	for (unsigned i = 0; i < count; i++) {
		if (strcmp(names[i], name) == 0)
			return i;
	}
	die("the database holds a job with the word %s", name);
}

static void
read_order(struct stmt *q, struct job *j)
{
	j->id = db_int(q, 0);
	j->uuid = db_text(q, 1);
	j->account_id = db_int(q, 2);
	j->workspace_id = db_int(q, 3);
	j->kind = (enum job_kind)place(kind_names, 2, db_text(q, 4));
	j->topic = db_text(q, 5);
	j->image = db_int(q, 6) != 0;
	j->auto_publish = db_int(q, 7) != 0;
	j->research_id = db_int(q, 8);
	j->research_uuid = db_text(q, 9);
	j->article_uuid = db_text(q, 10);
	j->reserved_credits = db_int(q, 11);
	j->created_at = db_int(q, 12);
}

static void
read_state(struct stmt *q, struct job *j)
{
	j->status = (enum job_status)place(status_names, 4, db_text(q, 13));
	j->stage = db_text(q, 14);
	j->error = db_text(q, 15);
	j->error_code = db_text(q, 16);
	j->cost = db_int(q, 17);
	j->settled_at = db_int(q, 18);
	j->tries = db_int(q, 19);
	j->deaths = db_int(q, 20);
	j->run_after = db_int(q, 21);
	j->claimed_at = db_int(q, 22);
	j->claimed_boot_at = db_int(q, 23);
	j->claimed_boot = db_text(q, 24);
	j->leased = !db_is_null(q, 25);
	db_blob(q, 25, j->token, JOB_TOKEN);
	j->lease_until = db_int(q, 26);
	j->lease_boot = db_text(q, 27);
	j->lease_locked = db_int(q, 28) != 0;
	j->steps = db_text(q, 29);
	j->usage = db_text(q, 30);
	j->brief = db_text(q, 31);
}

static void
from_row(struct stmt *q, struct job *out)
{
	read_order(q, out);
	read_state(q, out);
}

static struct job *
one(struct ctx *c, struct stmt *q)
{
	struct job *found = NULL;

	if (db_row(q)) {
		found = arena_alloc(c->arena, sizeof(*found));
		from_row(q, found);
	}
	db_reset(q);
	return found;
}

/* `canonical` lives as long as the statement needs it. */
static struct stmt *
look_for(struct ctx *c, int64_t workspace_id, const char *canonical)
{
	struct stmt *q = db_prepare(c,
	    ROWS " WHERE j.uuid = :uuid AND (j.workspace_id = :workspace OR :workspace = 0)",
	    db_t(":uuid", canonical), db_i(":workspace", workspace_id));

	return q;
}

struct job *
job_find(struct ctx *c, int64_t workspace_id, const char *uuid)
{
	char canonical[UUID_TEXT];

	if (!uuid_parse(uuid, canonical))
		return NULL;
	return one(c, look_for(c, workspace_id, canonical));
}

struct job *
job_of(struct ctx *c, int64_t id)
{
	struct stmt *q = db_prepare(c, ROWS " WHERE j.id = :id", db_i(":id", id));
	struct job *found;

	found = one(c, q);
	if (found == NULL)
		die("job %lld is not there", (long long)id);
	return found;
}

void
job_orderer(struct ctx *c, int64_t id, struct job_orderer *out)
{
	struct stmt *q;

	memset(out, 0, sizeof(*out));
	q = db_prepare(c, "SELECT api_key_id, ordered_by FROM job WHERE id = :id", db_i(":id", id));
	if (db_row(q)) {
		out->key_id = db_int(q, 0);
		out->ordered_by = db_text(q, 1);
	}
	db_reset(q);
}

void
job_list(struct ctx *c, const struct workspace *w, int64_t limit,
    void (*each)(void *arg, const struct job *job), void *arg)
{
	struct stmt *q = db_prepare(c,
	    ROWS " WHERE j.account_id = :account AND j.workspace_id = :workspace"
		 " ORDER BY j.created_at DESC, j.id DESC LIMIT :limit /*many*/",
	    db_i(":account", w->account_id), db_i(":workspace", w->id), db_i(":limit", limit));
	struct job job;

	while (db_row(q)) {
		from_row(q, &job);
		each(arg, &job);
	}
}

void
job_list_open(struct ctx *c, void (*each)(void *arg, const struct job *job), void *arg)
{
	/* This reads the whole index job_open, which holds the open jobs and no others. */
	struct stmt *q =
	    db_prepare(c, ROWS " WHERE /*scan*/ j.settled_at IS NULL ORDER BY j.created_at, j.id");
	struct job job;

	while (db_row(q)) {
		from_row(q, &job);
		each(arg, &job);
	}
}

/* Returns the research id of the job object: the brief that an article was ordered
 * with; a completed research job is a brief itself. */
static const char *
research_of(const struct job *job)
{
	if (job->kind == JOB_ARTICLE)
		return job->research_uuid;
	return job->status == JOB_COMPLETED ? job->uuid : NULL;
}

void
job_to_json(struct jwrite *w, const struct job *job)
{
	bool completed = job->status == JOB_COMPLETED;
	bool failed = job->status == JOB_FAILED;

	jwrite_object(w);
	jwrite_member_text(w, "id", job->uuid);
	jwrite_member_text(w, "job_id", job->uuid);
	jwrite_member_text(w, "kind", job_kind_name(job->kind));
	jwrite_member_text(w, "status", job_status_name(job->status));
	jwrite_member_text(w, "stage", job->stage);
	jwrite_member_text(w, "error", failed ? job->error : NULL);
	jwrite_member_text(w, "error_code", failed ? job->error_code : NULL);
	jwrite_member_text(w, "article_id", completed ? job->article_uuid : NULL);
	jwrite_member_text(w, "research_id", research_of(job));
	jwrite_name(w, "research");
	if (job->brief == NULL)
		jwrite_null(w);
	else
		jwrite_raw(w, job->brief, strlen(job->brief));
	jwrite_member_int(w, "cost", job->cost);
	jwrite_member_int(w, "reserved_credits", job->reserved_credits);
	jwrite_member_time(w, "created_at", job->created_at);
	if (job->settled_at != 0)
		jwrite_member_time(w, "settled_at", job->settled_at);
	else
		jwrite_member_null(w, "settled_at");
	jwrite_object_end(w);
}

/* ---- pages of a workspace's jobs, for people (docs/console.md §4.7) */

#define WEEK (7 * 86400 * CLOCK_SECOND)
#define LOOKED_AT 10000 /* jobs of the account for one page */

static bool
is_asked(const struct job_browse *b, int64_t workspace_id, const char *kind, const char *status)
{
	bool completed = strcmp(status, job_status_name(JOB_COMPLETED)) == 0;
	bool failed = strcmp(status, job_status_name(JOB_FAILED)) == 0;

	if (workspace_id != b->workspace->id ||
	    (b->briefs && (!completed || strcmp(kind, job_kind_name(JOB_RESEARCH)) != 0)))
		return false;
	switch (b->state) {
	case JOB_BROWSE_OPEN:
		return !completed && !failed;
	case JOB_BROWSE_COMPLETED:
		return completed;
	case JOB_BROWSE_FAILED:
		return failed;
	default:
		return true;
	}
}

static struct stmt *
rows_from(struct ctx *c, const struct job_browse *b)
{
	bool first = b->before.id == 0;
	struct stmt *q = db_prepare(c,
	    "SELECT id, created_at, workspace_id, kind, status FROM job"
	    " WHERE account_id = :account AND (created_at, id) < (:at, :id)"
	    " ORDER BY created_at DESC, id DESC LIMIT :limit",
	    db_i(":account", b->workspace->account_id),
	    db_i(":at", first ? INT64_MAX : b->before.at),
	    db_i(":id", first ? INT64_MAX : b->before.id), db_i(":limit", LOOKED_AT + 1));

	return q;
}

void
job_browse(struct ctx *c, struct job_browse *b)
{
	int64_t ids[JOB_BROWSE_MAX];
	struct stmt *q = rows_from(c, b);
	struct job_browse_end last = { .id = 0 };
	size_t looked = 0;

	b->count = 0;
	b->next = last;
	while (db_row(q)) {
		bool asked = is_asked(b, db_int(q, 2), db_text(q, 3), db_text(q, 4));
		if (looked++ == LOOKED_AT || (asked && b->count == b->limit)) {
			b->next = last;
			break;
		}
		/* A page that is full ends with its last job, another one with the last job
		 * that was looked at. */
		if (b->count < b->limit)
			last = (struct job_browse_end) { .at = db_int(q, 1), .id = db_int(q, 0) };
		if (asked)
			ids[b->count++] = db_int(q, 0);
	}
	db_reset(q);
	b->cut = b->next.id != 0 && b->count < b->limit;
	for (size_t i = 0; i < b->count; i++)
		b->found[i] = job_of(c, ids[i]);
}

void
job_count_lately(
    struct ctx *c, int64_t account_id, int64_t since, int64_t *ordered, int64_t *failed)
{
	struct stmt *q = db_prepare(c,
	    "SELECT (SELECT count(*) FROM job WHERE account_id = :account AND created_at > :since),"
	    " (SELECT count(*) FROM job WHERE account_id = :account AND created_at > :ordered"
	    " AND status = 'failed' AND settled_at > :since)",
	    db_i(":account", account_id), db_i(":since", since), db_i(":ordered", since - WEEK));

	(void)db_row(q);
	*ordered = db_int(q, 0);
	*failed = db_int(q, 1);
	db_reset(q);
}

void
job_list_costs(struct ctx *c, const struct workspace *w,
    void (*each)(void *arg, const char *article, int64_t credits), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT workspace_id, status, article_uuid, cost FROM job"
	    " WHERE account_id = :account ORDER BY created_at DESC LIMIT :limit",
	    db_i(":account", w->account_id), db_i(":limit", LOOKED_AT));

	while (db_row(q)) {
		if (db_int(q, 0) == w->id && !db_is_null(q, 2) &&
		    strcmp(db_text(q, 1), job_status_name(JOB_COMPLETED)) == 0)
			each(arg, db_text(q, 2), db_int(q, 3));
	}
}

const char *
job_topic_line(struct ctx *c, const struct job *job, size_t chars)
{
	size_t len = utf8_prefix(job->topic, chars);
	char *text = arena_printf(
	    c->arena, "%.*s%s", (int)len, job->topic, job->topic[len] != '\0' ? "…" : "");

	for (char *p = text; *p != '\0'; p++) {
		if ((unsigned char)*p < ' ')
			*p = ' ';
	}
	return text;
}

int64_t
price_reservation(const struct conf *conf, enum job_kind kind, bool image)
{
	if (kind == JOB_RESEARCH)
		return conf->price_research;
	return image ? conf->price_article_with_image : conf->price_article;
}

int64_t
price_charge(const struct conf *conf, enum job_kind kind, int64_t reserved, bool delivered,
    const struct price_usage *usage)
{
	int64_t images = usage->images, most = reserved, charge;

	if (kind == JOB_ARTICLE && !delivered) {
		images = 0;
		if (conf->price_article < most)
			most = conf->price_article;
	}
	/* This cannot overflow: the first term is at most 2 * 10^15 and the second at
	 * most 10^9, by the limits of usage and of galley.conf. */
	charge = (usage->input_tokens * conf->credits_per_1000_input_tokens +
		     usage->output_tokens * conf->credits_per_1000_output_tokens + 999) /
		     1000 +
		 images * conf->credits_per_image;
	if (charge < 1)
		charge = 1;
	return charge < most ? charge : most;
}

/* ---- orders: POST /generate (docs/contract.md §4.6, docs/design.md §4.17) */

#define HOUR (3600 * CLOCK_SECOND)

void
job_order_id(const struct access *access, const char *idempotency_key, char uuid[UUID_TEXT])
{
	unsigned char bytes[16];
	struct digest d;

	digest_begin(&d, sizeof(bytes), "galley job 1");
	digest_text(&d, access->workspace.uuid);
	digest_int(&d, access->key_id);
	digest_text(&d, idempotency_key);
	digest_end(&d, bytes);
	/* Set version 8 ("custom") and the variant (RFC 9562 §5.8). */
	bytes[6] = (unsigned char)((bytes[6] & 0x0F) | 0x80);
	bytes[8] = (unsigned char)((bytes[8] & 0x3F) | 0x80);
	for (int i = 0, at = 0; i < 16; i++, at += 2) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			uuid[at++] = '-';
		digest_hex(uuid + at, &bytes[i], 1);
	}
}

struct err *
job_order_check_key(struct ctx *c, const char *value)
{
	size_t len = value != NULL ? strlen(value) : 0;
	size_t printable = 0;

	while (printable < len && value[printable] >= ' ' && value[printable] <= '~')
		printable++;
	if (len == 0)
		return err_param(c, "Idempotency-Key",
		    "Every order needs the header Idempotency-Key: a new value for each job, the same value when an order is repeated.");
	if (len > JOB_IDEMPOTENCY_MAX || printable < len || value[0] == ' ' ||
	    value[len - 1] == ' ')
		return err_param(c, "Idempotency-Key",
		    "Idempotency-Key has 1 to %d printable ASCII characters, and no blank at its ends.",
		    JOB_IDEMPOTENCY_MAX);
	return NULL;
}

struct err *
job_order_check_account(struct ctx *c, const struct access *access)
{
	const struct account *a = account_of(c, access->workspace.account_id);

	if (a->verified && !a->suspended)
		return NULL;
	return refuse(c, ERR_FORBIDDEN,
	    "The account of this key is not verified for generation. Ask the publisher to verify it; reading works as before.");
}

static struct err *
find_brief(struct ctx *c, const struct access *access, const char *uuid, int64_t *id)
{
	struct job *research;

	*id = 0;
	if (uuid == NULL)
		return NULL;
	research = job_find(c, access->workspace.id, uuid);
	if (research == NULL)
		return err_param(c, "researchId", "This workspace has no research brief %s.", uuid);
	if (research->kind != JOB_RESEARCH)
		return err_param(c, "researchId",
		    "%s is an article job; researchId is the id of a research job.", uuid);
	if (research->status != JOB_COMPLETED)
		return err_param(c, "researchId",
		    "The research job %s is %s; order the article when it is completed.", uuid,
		    job_status_name(research->status));
	*id = research->id;
	return NULL;
}

static struct err *
check_credits(struct ctx *c, int64_t account_id, int64_t price, int64_t max_credits)
{
	int64_t available;
	struct err *err;

	if (max_credits != 0 && price > max_credits) {
		err = refuse(c, ERR_CONFLICT,
		    "This job reserves %lld credits, more than maxCredits allows. Nothing was reserved.",
		    (long long)price);
		err->extra_name[0] = "required_credits";
		err->extra_value[0] = price;
		err->extra_name[1] = "max_credits";
		err->extra_value[1] = max_credits;
		return err;
	}
	available = account_of(c, account_id)->available;
	if (available >= price)
		return NULL;
	err = refuse(c, ERR_CREDITS,
	    "This job reserves %lld credits; the account has %lld available. Ask the publisher for more, or wait until running jobs give theirs back.",
	    (long long)price, (long long)available);
	err->extra_name[0] = "required_credits";
	err->extra_value[0] = price;
	err->extra_name[1] = "available_credits";
	err->extra_value[1] = available;
	return err;
}

/* Prepares what check_hour() asks. */
static struct stmt *
look_for_hour(struct ctx *c, int64_t account_id)
{
	struct stmt *q = db_prepare(c,
	    "SELECT created_at FROM job WHERE account_id = :account AND created_at > :from"
	    " AND created_at <= :now ORDER BY created_at DESC LIMIT 1 OFFSET :skip",
	    db_i(":account", account_id), db_i(":from", c->now - HOUR), db_i(":now", c->now),
	    db_i(":skip", c->conf->jobs_per_hour - 1));

	return q;
}

/* Refuses if the newest jobs_per_hour jobs were all created within the last hour.
 * Retry-After is the time until the oldest of them is older than an hour. A job whose
 * created_at is in the future does not count. */
static struct err *
check_hour(struct ctx *c, int64_t account_id)
{
	struct stmt *q;
	struct err *err;
	int64_t oldest;

	if (c->conf->jobs_per_hour == 0)
		return NULL;
	q = look_for_hour(c, account_id);
	oldest = db_row(q) ? db_int(q, 0) : 0;
	db_reset(q);
	if (oldest == 0)
		return NULL;
	err = refuse(c, ERR_RATE_LIMITED,
	    "This account has ordered its %lld jobs of one hour. Try again after the seconds of Retry-After.",
	    (long long)c->conf->jobs_per_hour);
	err->retry_after_s = (int)((oldest + HOUR - c->now + CLOCK_SECOND - 1) / CLOCK_SECOND);
	return err;
}

static struct stmt *
look_for_overdue(struct ctx *c, int64_t account_id)
{
	return db_prepare(c,
	    "SELECT id FROM job WHERE settled_at IS NULL AND created_at <= :old"
	    " AND account_id = :account AND claimed_at IS NOT NULL",
	    db_i(":old", c->now - CLOCK_DAY), db_i(":account", account_id));
}

/* Fails the account's jobs whose day is over. A job that was created within the last
 * day cannot be one of them. */
static void
end_overdue(struct ctx *c, int64_t account_id)
{
	struct stmt *q;
	int64_t ids[64];
	int count = 0;

	if (account_of(c, account_id)->reserved == 0)
		return;
	q = look_for_overdue(c, account_id);
	while (count < 64 && db_row(q))
		ids[count++] = db_int(q, 0);
	db_reset(q);
	for (int i = 0; i < count; i++) {
		struct job *job = job_of(c, ids[i]);
		if (job_end_overdue(c, job))
			job_end_fail(
			    c, job, "timeout", "The job could not be finished within a day.");
	}
}

static int64_t
insert(struct ctx *c, const struct access *access, const char *uuid, const struct job_order *order,
    bool image, int64_t research_id, int64_t price)
{
	char article[UUID_TEXT];
	int64_t id;

	uuid_random(article);
	id = db_insert(c,
	    "INSERT INTO job (uuid, account_id, workspace_id, api_key_id,"
	    " ordered_by, kind, topic, image, auto_publish, research_id,"
	    " article_uuid, reserved_credits, cost, created_at)"
	    " VALUES (:uuid, :account, :workspace, :key, :orderer, :kind, :topic,"
	    " :image, :publish, :research, :article, :price, :price, :now) RETURNING id",
	    db_t(":uuid", uuid), db_i(":account", access->workspace.account_id),
	    db_i(":workspace", access->workspace.id), db_t(":orderer", order->ordered_by),
	    order->ordered_by == NULL ? db_i(":key", access->key_id) : db_null(":key"),
	    db_t(":kind", job_kind_name(order->kind)), db_t(":topic", order->topic),
	    db_i(":image", image), db_i(":publish", order->auto_publish),
	    db_i_or_null(":research", research_id),
	    db_t(":article", order->kind == JOB_ARTICLE ? article : NULL), db_i(":price", price),
	    db_i(":now", c->now));
	(void)FAULT("job-inserted");
	return id;
}

/* With PostgreSQL an order makes six round trips (store/remote-store.h): the look at the key;
 * the beginning; what is compared; the job; what its reservation compares; the reservation and
 * the end. */
void
job_order_prefetch(struct ctx *c, const struct access *access, const char *idempotency_key)
{
	int64_t account_id = access->workspace.account_id;
	char uuid[UUID_TEXT];

	job_order_id(access, idempotency_key, uuid);
	account_prefetch(c, account_id);
	prefetch(look_for(c, access->workspace.id, uuid));
	prefetch(look_for_overdue(c, account_id));
	if (c->conf->jobs_per_hour != 0)
		prefetch(look_for_hour(c, account_id));
}

struct err *
job_order(struct ctx *c, const struct access *access, const char *uuid,
    const struct job_order *order, struct job **out)
{
	int64_t account_id = access->workspace.account_id;
	bool image = order->image && order->kind == JOB_ARTICLE;
	int64_t price = price_reservation(c->conf, order->kind, image);
	int64_t research_id, id;

	TRY(find_brief(c, access, order->research_uuid, &research_id));
	end_overdue(c, account_id);
	TRY(check_credits(c, account_id, price, order->max_credits));
	TRY(check_hour(c, account_id));
	id = insert(c, access, uuid, order, image, research_id, price);
	if (STORE_IS_REMOTE)
		ledger_prefetch(c, account_id);
	/* Not job_of(): the search for an earlier order prepared this statement. */
	*out = job_find(c, access->workspace.id, uuid);
	if (*out == NULL)
		die("job %s is not there", uuid);
	ledger_reserve(c, account_id, id, price);
	(void)FAULT("job-reserved");
	return NULL;
}
