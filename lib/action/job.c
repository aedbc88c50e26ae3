#include "action/job.h"

#include <stddef.h>

#include "access/account.h"
#include "access/workspace.h"
#include "action/action.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "system/conf.h"

/* Refuses because the database was restored meanwhile: internal ids from before
 * the restore may now belong to other rows. */
static struct err *
refuse_restored(struct ctx *c)
{
	return refuse(c, ERR_CONFLICT,
	    "The database was restored from a backup meanwhile; nothing was changed. Try again.");
}

static struct err *
check_account(struct ctx *c, const struct account *a)
{
	if (a->suspended)
		return err_hint(c,
		    refuse(
			c, ERR_FORBIDDEN, "The account %s is suspended and cannot order.", a->name),
		    HINT_ACCOUNT_RESUME, a->uuid);
	if (!a->verified)
		return err_hint(c,
		    refuse(c, ERR_FORBIDDEN, "The account %s is not verified and cannot order.",
			a->name),
		    HINT_ACCOUNT_VERIFY, a->uuid);
	return NULL;
}

/* Rewrites the API's refusal, which is for a customer, for an operator. */
static struct err *
to_operator(
    struct ctx *c, const struct err *err, const struct account *a, const struct job_order *order)
{
	long long price = (long long)err->extra_value[0];

	switch (err->code) {
	case ERR_CONFLICT:
		return err_hint(c,
		    refuse(c, err->code,
			"This job reserves %lld credits, more than the %lld that are allowed. Nothing was reserved.",
			price, (long long)order->max_credits),
		    HINT_MAX, NULL);
	case ERR_CREDITS:
		return err_hint(c,
		    refuse(c, err->code,
			"This job reserves %lld credits; the account %s has %lld available. Running jobs may give some back.",
			price, a->name, (long long)err->extra_value[1]),
		    HINT_CREDITS, a->uuid);
	case ERR_RATE_LIMITED:
		return refuse(c, err->code,
		    "The account %s has ordered its %lld jobs of one hour (jobs_per_hour in galley.conf). Order again in %d s.",
		    a->name, (long long)c->conf->jobs_per_hour, err->retry_after_s);
	default:
		return err_hint(c, refuse(c, err->code, "The research brief: %s", err->message),
		    HINT_RESEARCH, NULL);
	}
}

static struct err *
order_job(
    struct ctx *c, const struct workspace *read_w, const struct job_order *order, struct job **out)
{
	struct find_place place = { .name = read_w->uuid };
	struct access access = { .key_id = 0 };
	char uuid[UUID_TEXT];
	struct workspace *w;
	struct account *a;
	struct err *err = find_workspace(c, &place, &w);

	if (err == NULL && w->account_id != read_w->account_id)
		err = refuse_restored(c);
	if (err != NULL)
		return err;
	access.workspace = *w;
	a = account_of(c, w->account_id);
	err = check_account(c, a);
	if (err != NULL)
		return err;
	uuid_random(uuid);
	err = job_order(c, &access, uuid, order, out);
	return err != NULL ? to_operator(c, err, a, order) : NULL;
}

struct err *
job_create(
    struct ctx *c, const struct find_place *place, const struct job_order *order, struct job **out)
{
	struct action_scope scope = { .change = DB_CHANGES_NOTHING };
	struct workspace *w;
	struct err *err = read_workspace(c, place, &w);

	if (err != NULL)
		return err;
	scope.account_id = w->account_id;
	err = action_begin(c, &scope);
	if (err == NULL)
		err = order_job(c, w, order, out);
	return action_end(c, err);
}

struct job *
job_read(struct ctx *c, int64_t id)
{
	struct job *job;

	db_begin_read(c, DB_CONTENT);
	job = job_of(c, id);
	db_commit(c);
	return job;
}

struct err *
job_show(struct ctx *c, const char *id, void (*show)(void *arg, const struct job *job), void *arg)
{
	struct job *job;
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find_job(c, id, &job);
	if (err == NULL)
		show(arg, job);
	return action_end(c, err);
}

struct err *
job_show_all(struct ctx *c, const struct find_place *place, int64_t limit,
    void (*each)(void *arg, const struct job *job), void *arg)
{
	struct workspace *w;
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find_workspace(c, place, &w);
	if (err == NULL)
		job_list(c, w, limit, each, arg);
	return action_end(c, err);
}

static void
keep_account(void *arg, const struct job *job)
{
	int64_t *account_id = arg;

	*account_id = job->account_id;
}

struct err *
job_cancel(struct ctx *c, const char *id, struct job **out)
{
	struct action_scope scope = { .change = DB_CHANGES_NOTHING };
	struct err *err = job_show(c, id, keep_account, &scope.account_id);

	if (err != NULL)
		return err;
	err = action_begin(c, &scope);
	if (err == NULL)
		err = find_job(c, id, out);
	if (err == NULL && (*out)->account_id != scope.account_id)
		err = refuse_restored(c);
	if (err == NULL)
		err = job_end_cancel(c, *out);
	return action_end(c, err);
}
