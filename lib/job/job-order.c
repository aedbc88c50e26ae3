/* POST /generate (docs/contract.md §4.6, docs/design.md §4.17): checks an order and
 * creates its job. */
#include <string.h>

#include "access/account.h"
#include "base/arena.h"
#include "system/conf.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/log.h"
#include "system/fault.h"
#include "job/job.h"
#include "job/ledger.h"
#include "job/price.h"
#include "store/ahead.h"
#include "store/db.h"

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
	struct stmt *q = db_prepare(c, "SELECT created_at FROM job"
				       " WHERE account_id = :account AND created_at > :from"
				       " AND created_at <= :now"
				       " ORDER BY created_at DESC LIMIT 1 OFFSET :skip");
	db_bind_int(q, ":account", account_id);
	db_bind_int(q, ":from", c->now - HOUR);
	db_bind_int(q, ":now", c->now);
	db_bind_int(q, ":skip", c->conf->jobs_per_hour - 1);
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

/* Fails the account's jobs whose day is over. A job that was created within the last
 * day cannot be one of them. */
static void
end_overdue(struct ctx *c, int64_t account_id)
{
	struct stmt *q = db_prepare(c, "SELECT id FROM job"
				       " WHERE settled_at IS NULL AND created_at <= :old"
				       " AND account_id = :account AND claimed_at IS NOT NULL");
	int64_t ids[64];
	int count = 0;

	if (account_of(c, account_id)->reserved == 0)
		return;
	db_bind_int(q, ":old", c->now - CLOCK_DAY);
	db_bind_int(q, ":account", account_id);
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
	struct stmt *q =
	    db_prepare(c, "INSERT INTO job (uuid, account_id, workspace_id, api_key_id,"
			  " ordered_by, kind, topic, image, auto_publish, research_id,"
			  " article_uuid, reserved_credits, cost, created_at)"
			  " VALUES (:uuid, :account, :workspace, :key, :orderer, :kind, "
			  ":topic,"
			  " :image, :publish, :research, :article, :price, :price, :now)"
			  " RETURNING id");
	char article[UUID_TEXT];
	int64_t id;

	uuid_random(article);
	db_bind_text(q, ":uuid", uuid);
	db_bind_int(q, ":account", access->workspace.account_id);
	db_bind_int(q, ":workspace", access->workspace.id);
	if (order->ordered_by != NULL)
		db_bind_text(q, ":orderer", order->ordered_by);
	else
		db_bind_int(q, ":key", access->key_id);
	db_bind_text(q, ":kind", job_kind_name(order->kind));
	db_bind_text(q, ":topic", order->topic);
	db_bind_int(q, ":image", image);
	db_bind_int(q, ":publish", order->auto_publish);
	if (research_id != 0)
		db_bind_int(q, ":research", research_id);
	if (order->kind == JOB_ARTICLE)
		db_bind_text(q, ":article", article);
	db_bind_int(q, ":price", price);
	db_bind_int(q, ":now", c->now);
	id = db_insert(q);
	(void)FAULT("job-inserted");
	return id;
}

/* With PostgreSQL an order makes five journeys (store/ahead.h): the look at the key; the beginning,
 * with what an order compares first; what depends on the time; the job; the ledger and the end. */
#ifdef STORE_PG
void
job_order_ask(struct ctx *c, const struct access *access, const char *uuid)
{
	account_ask(c, access->workspace.account_id);
	job_ask(c, access->workspace.id, uuid);
}

static void
ask_hour(struct ctx *c, int64_t account_id)
{
	if (c->conf->jobs_per_hour != 0)
		ahead_ask(look_for_hour(c, account_id));
}

static void
ask_inserted(struct ctx *c, const struct access *access, const char *uuid)
{
	job_ask(c, access->workspace.id, uuid);
	ledger_ask(c, access->workspace.account_id);
}
#else
static inline void
ask_hour(struct ctx *c, int64_t account_id)
{
	(void)c;
	(void)account_id;
}

static inline void
ask_inserted(struct ctx *c, const struct access *access, const char *uuid)
{
	(void)c;
	(void)access;
	(void)uuid;
}
#endif

struct err *
job_order(struct ctx *c, const struct access *access, const char *uuid,
    const struct job_order *order, struct job **out)
{
	int64_t account_id = access->workspace.account_id;
	bool image = order->image && order->kind == JOB_ARTICLE;
	int64_t price = price_reservation(c->conf, order->kind, image);
	int64_t research_id, id;
	struct err *err;

	err = find_brief(c, access, order->research_uuid, &research_id);
	if (err != NULL)
		return err;
	ask_hour(c, account_id);
	end_overdue(c, account_id);
	err = check_credits(c, account_id, price, order->max_credits);
	if (err == NULL)
		err = check_hour(c, account_id);
	if (err != NULL)
		return err;
	ask_inserted(c, access, uuid);
	id = insert(c, access, uuid, order, image, research_id, price);
	/* Not job_of(): the search for an earlier order prepared this statement. */
	*out = job_find(c, access->workspace.id, uuid);
	if (*out == NULL)
		die("job %s is not there", uuid);
	ledger_reserve(c, account_id, id, price);
	(void)FAULT("job-reserved");
	return NULL;
}
