#include "action/order/order.h"

#include <stddef.h>

#include "access/account.h"
#include "access/workspace.h"
#include "action/action.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "system/conf.h"

#define MINUTE_S 60

/* No key has the number 0, so no order of a key has such an id. */
void
order_id(struct ctx *c, const struct order *order, char uuid[UUID_TEXT])
{
	const struct access access = { .workspace = { .uuid = order->workspace } };

	job_order_id(&access, arena_printf(c->arena, "%s %s", order->person, order->number), uuid);
}

static struct err *
check_account(struct ctx *c, const struct account *a)
{
	if (a->suspended)
		return refuse(c, ERR_FORBIDDEN,
		    tr_mark(
			"This account is suspended, so nothing can be ordered. Ask the operator."));
	if (!a->verified)
		return refuse(c, ERR_FORBIDDEN,
		    tr_mark(
			"This account is not verified yet, so nothing can be ordered. Ask the operator."));
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
			    "The price rose meanwhile: this order costs at most %lld credits now. Nothing was ordered. Raise “At most” to that, and order again."),
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
make(struct ctx *c, struct order *order, int64_t account_id, struct job **out)
{
	struct access access = { .key_id = 0 };
	struct find_place place = { .name = order->workspace };
	struct workspace *w;
	char uuid[UUID_TEXT];
	struct err *err = find_workspace(c, &place, &w);

	if (err == NULL && w->account_id != account_id)
		err = refuse(c, ERR_CONFLICT,
		    tr_mark(
			"The database was restored from a backup meanwhile, so nothing was done. Send the form again."));
	if (err == NULL)
		err = check_account(c, account_of(c, w->account_id));
	if (err != NULL)
		return err;
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
	struct err *err = read_workspace(c, &place, &w);

	if (err != NULL)
		return err;
	scope.account_id = w->account_id;
	err = action_begin(c, &scope);
	if (err == NULL)
		err = make(c, order, w->account_id, out);
	return action_end(c, err);
}

static struct err *
cancel(struct ctx *c, const char *workspace, int64_t account_id, const char *id, struct job **out)
{
	struct find_place place = { .name = workspace };
	struct workspace *w;
	struct err *err = find_workspace(c, &place, &w);

	if (err != NULL)
		return err;
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
	struct err *err = read_workspace(c, &place, &w);

	if (err != NULL)
		return err;
	scope.account_id = w->account_id;
	err = action_begin(c, &scope);
	if (err == NULL)
		err = cancel(c, workspace, w->account_id, id, out);
	return action_end(c, err);
}
