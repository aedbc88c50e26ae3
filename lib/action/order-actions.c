#include "action/order-actions.h"

#include <stddef.h>

#include "access/account.h"
#include "access/apikey.h"
#include "access/workspace.h"
#include "action/action.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "base/uuid.h"
#include "people/person.h"
#include "people/secret.h"
#include "store/db.h"
#include "system/conf.h"

#define MINUTE_S 60
#define TOPIC_CHARS 100

/* ---- the operator's jobs */

/* Finds a job of any workspace by its id. */
static struct err *
find_job(struct ctx *c, const char *id, struct job **out)
{
	*out = job_find(c, 0, id);
	if (*out != NULL)
		return NULL;
	return err_hint(
	    c, refuse(c, ERR_NOT_FOUND, tr_mark("There is no job %s."), id), HINT_JOBS, NULL);
}

/* Refuses because the database was restored meanwhile: internal ids from before
 * the restore may now belong to other rows. */
static struct err *
refuse_restored(struct ctx *c)
{
	return refuse(c, ERR_CONFLICT,
	    "The database was restored from a backup meanwhile; nothing was changed. Try again.");
}

static struct err *
check_account_for_operator(struct ctx *c, const struct account *a)
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
	struct err *err;

	TRY(find_workspace(c, &place, &w));
	if (w->account_id != read_w->account_id)
		return refuse_restored(c);
	access.workspace = *w;
	a = account_of(c, w->account_id);
	TRY(check_account_for_operator(c, a));
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

	TRY(read_workspace(c, place, &w));
	scope.account_id = w->account_id;
	ACTION(c, action_begin(c, &scope));
	TRY(order_job(c, w, order, out));
	return action_commit(c);
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

	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_job(c, id, &job));
	show(arg, job);
	return action_commit(c);
}

struct err *
job_show_all(struct ctx *c, const struct find_place *place, int64_t limit,
    void (*each)(void *arg, const struct job *job), void *arg)
{
	struct workspace *w;

	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_workspace(c, place, &w));
	job_list(c, w, limit, each, arg);
	return action_commit(c);
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

	TRY(job_show(c, id, keep_account, &scope.account_id));
	ACTION(c, action_begin(c, &scope));
	TRY(find_job(c, id, out));
	if ((*out)->account_id != scope.account_id)
		return refuse_restored(c);
	TRY(job_end_cancel(c, *out));
	return action_commit(c);
}

/* ---- the orders of people */

/* No key has the number 0, so no order of a key has such an id. */
void
order_id(struct ctx *c, const struct order *order, char uuid[UUID_TEXT])
{
	const struct access access = { .workspace = { .uuid = order->workspace } };

	job_order_id(&access, arena_printf(c->arena, "%s %s", order->person, order->number), uuid);
}

static struct err *
check_account_for_person(struct ctx *c, const struct account *a)
{
	if (a->suspended)
		return refuse(c, ERR_FORBIDDEN,
		    tr_mark(
			"This account is suspended, so nothing can be ordered. Ask the operator."));
	if (!a->verified)
		return refuse(c, ERR_FORBIDDEN,
		    tr_mark(
			"This account is not verified yet, so nothing can be ordered. An owner of the account can ask the operators to verify it."));
	return NULL;
}

static struct err *
named(struct err *err, const char *param)
{
	err->param = param;
	return err;
}

/* Says what the API says, to a person who filled in a form. */
static struct err *
to_person(struct ctx *c, struct err *err, const struct order *order)
{
	long long price = (long long)err->extra_value[0];
	int minutes = (err->retry_after_s + MINUTE_S - 1) / MINUTE_S;
	struct err *said;

	switch (err->code) {
	case ERR_CONFLICT:
		if (order->shown == 0 || order->what.max_credits < order->shown)
			return named(
			    refuse(c, ERR_INVALID,
				tr_mark(
				    "The price of this order is %lld credits, so “At most” must be that, or more."),
				price),
			    "most");
		return named(
		    refuse(c, ERR_CONFLICT,
			tr_mark(
			    "The price rose meanwhile: this order costs at most %lld credits now. Nothing was ordered. Order again with at least that as “At most”."),
			price),
		    "most");
	case ERR_CREDITS:
		return refuse(c, ERR_CREDITS,
		    tr_mark(
			"This order reserves %lld credits, and the account has %lld. Nothing was ordered. Ask the operator for more, or wait until open orders end and give back what they did not use."),
		    price, (long long)err->extra_value[1]);
	case ERR_RATE_LIMITED:
		said = refuse(c, ERR_RATE_LIMITED,
		    tr_mark(
			"This account has placed its %lld orders of one hour. Nothing was ordered. Order again in %d min."),
		    (long long)c->conf->jobs_per_hour, minutes);
		said->retry_after_s = err->retry_after_s;
		return said;
	case ERR_INVALID:
		return named(refuse(c, ERR_INVALID,
				 tr_mark("This brief cannot be used. Choose another one.")),
		    "brief");
	default:
		return err;
	}
}

static struct err *
make_order(struct ctx *c, struct order *order, int64_t account_id, struct job **out)
{
	struct access access = { .key_id = 0 };
	struct find_place place = { .name = order->workspace };
	struct workspace *w;
	char uuid[UUID_TEXT];
	struct err *err;

	TRY(find_workspace(c, &place, &w));
	if (w->account_id != account_id)
		return refuse(c, ERR_CONFLICT,
		    tr_mark(
			"The database was restored from a backup meanwhile, so nothing was done. Send the form again."));
	TRY(check_account_for_person(c, account_of(c, w->account_id)));
	access.workspace = *w;
	order_id(c, order, uuid);
	order->what.ordered_by = order->person;
	order->what.auto_publish = false;
	err = job_order(c, &access, uuid, &order->what, out);
	return err == NULL ? NULL : to_person(c, err, order);
}

struct err *
order_make(struct ctx *c, struct order *order, struct job **out)
{
	struct action_scope scope = { .change = DB_CHANGES_NOTHING };
	const struct find_place place = { .name = order->workspace };
	struct workspace *w;

	TRY(read_workspace(c, &place, &w));
	scope.account_id = w->account_id;
	ACTION(c, action_begin(c, &scope));
	TRY(make_order(c, order, w->account_id, out));
	return action_commit(c);
}

static struct err *
cancel_order(
    struct ctx *c, const char *workspace, int64_t account_id, const char *id, struct job **out)
{
	struct find_place place = { .name = workspace };
	struct workspace *w;

	TRY(find_workspace(c, &place, &w));
	*out = w->account_id == account_id ? job_find(c, w->id, id) : NULL;
	if (*out == NULL)
		return refuse(c, ERR_NOT_FOUND, tr_mark("There is no such order."));
	if ((*out)->settled_at != 0)
		return refuse(c, ERR_CONFLICT,
		    tr_mark("This order has ended already, so it was not cancelled."));
	return job_end_cancel(c, *out);
}

struct err *
order_cancel(struct ctx *c, const char *workspace, const char *id, struct job **out)
{
	struct action_scope scope = { .change = DB_CHANGES_NOTHING };
	const struct find_place place = { .name = workspace };
	struct workspace *w;

	TRY(read_workspace(c, &place, &w));
	scope.account_id = w->account_id;
	ACTION(c, action_begin(c, &scope));
	TRY(cancel_order(c, workspace, w->account_id, id, out));
	return action_commit(c);
}

/* ---- who ordered */

static void
orderer_of_key(struct ctx *c, int64_t id, struct orders_orderer *out)
{
	const struct apikey *key = apikey_of(c, id);

	*out = (struct orders_orderer) { .by = ORDERS_BY_KEY, .name = "", .label = "" };
	if (key == NULL)
		return;
	out->uuid = key->uuid;
	out->name = key->display;
	out->label = key->label;
}

/* No user name has the form of a UUID: it is too long for one. */
static void
look(struct ctx *c, const struct job *job, struct orders_orderer *out)
{
	struct job_orderer by;
	char uuid[UUID_TEXT];

	job_orderer(c, job->id, &by);
	*out = (struct orders_orderer) { .by = ORDERS_BY_OPERATOR, .name = by.ordered_by };
	if (by.ordered_by == NULL)
		orderer_of_key(c, by.key_id, out);
	else if (uuid_parse(by.ordered_by, uuid))
		*out = (struct orders_orderer) { .by = ORDERS_BY_PERSON, .uuid = by.ordered_by };
}

struct naming {
	struct orders_orderer *by;
	size_t count;
};

/* Names the people among them. */
static struct err *
name_people(struct ctx *c, void *arg)
{
	const struct naming *n = arg;

	for (size_t i = 0; i < n->count; i++) {
		struct orders_orderer *by = &n->by[i];
		const struct person *p =
		    by->by == ORDERS_BY_PERSON ? person_find(c, by->uuid) : NULL;
		if (p != NULL)
			by->name = p->name;
	}
	return NULL;
}

static void
name_all(struct ctx *c, struct orders_orderer *by, size_t count)
{
	struct naming n = { .by = by, .count = count };

	if (secret_exists(c) && db_aside(c, DB_CONSOLE, name_people, &n) != NULL)
		BUG("people were refused");
}

void
orders_orderer(struct ctx *c, const struct job *job, struct orders_orderer *out)
{
	look(c, job, out);
	name_all(c, out, 1);
}

/* ---- the orders that are shown */

void
orders_list(struct ctx *c, struct orders_list *list)
{
	struct job_browse *b = &list->browse;

	db_begin_read(c, DB_CONTENT);
	job_browse(c, b);
	for (size_t i = 0; i < b->count; i++)
		look(c, b->found[i], &list->by[i]);
	name_all(c, list->by, b->count);
	db_rollback(c);
}

int64_t
orders_took(struct ctx *c, const struct workspace *workspace, enum job_kind kind, bool image)
{
	struct job_browse *b = arena_alloc(c->arena, sizeof(*b));
	int64_t took = 0, count = 0;

	*b = (struct job_browse) {
		.workspace = workspace, .state = JOB_BROWSE_COMPLETED, .limit = JOB_BROWSE_MAX
	};
	db_begin_read(c, DB_CONTENT);
	job_browse(c, b);
	db_rollback(c);
	for (size_t i = 0; i < b->count; i++) {
		const struct job *job = b->found[i];
		int64_t of_job = job->settled_at - job->claimed_at;
		/* A clock may have stepped. */
		if (job->kind == kind && job->image == image && of_job > 0 && of_job < CLOCK_DAY) {
			took += of_job;
			count++;
		}
	}
	return count > 0 ? took / count : 0;
}

static void
read_more(struct ctx *c, struct orders_one *out)
{
	const struct job *job = out->job;
	const struct article *a = NULL;

	orders_orderer(c, job, &out->by);
	if (job->research_id != 0)
		out->brief = job_topic_line(c, job_of(c, job->research_id), TOPIC_CHARS);
	if (job->status == JOB_COMPLETED && job->article_uuid != NULL)
		a = article_find(c, job->workspace_id, job->article_uuid);
	out->article = a != NULL;
	out->title = a != NULL ? a->title : NULL;
}

struct err *
orders_read(struct ctx *c, const struct workspace *w, const char *id, struct orders_one *out)
{
	*out = (struct orders_one) { .job = NULL };
	ACTION(c, action_reading(c, DB_CONTENT));
	out->job = job_find(c, w->id, id);
	if (out->job == NULL)
		return refuse(c, ERR_NOT_FOUND, tr_mark("There is no such order."));
	else
		read_more(c, out);
	return action_commit(c);
}
