#include "action/account-actions.h"

#include <stddef.h>

#include "access/sites.h"
#include "access/workspace.h"
#include "action/action.h"
#include "action/person/person-look.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "job/job.h"
#include "job/ledger.h"

/* After a request was declined nobody asks again so long. */
#define ACCOUNT_ASK_DAYS 7
#define FIRST_GRANT "account create"
#define ASKS_AFTER (ACCOUNT_ASK_DAYS * 86400 * CLOCK_SECOND)

static const struct action_scope scope = { .change = DB_CHANGES_KEYS };
static const struct action_scope asking = { .change = DB_CHANGES_NOTHING };

static struct err *
check_name(struct ctx *c, const char *name)
{
	char created[CLOCK_TEXT];
	bool many;
	const struct account *a = account_find(c, name, &many);
	struct twin twin = { .article = "an", .noun = "account", .name = name, .many = many };

	if (many)
		return twin_refuse(c, &twin);
	if (a == NULL)
		return NULL;
	clock_format(created, a->created_at);
	twin.uuid = a->uuid;
	twin.about = arena_printf(c->arena, "created at %s", created);
	return twin_refuse(c, &twin);
}

struct err *
account_create(struct ctx *c, const struct account_order *order, struct account **out)
{
	bool done;

	ACTION(c, action_begin(c, &scope));
	if (!order->another)
		TRY(check_name(c, order->name));
	TRY(account_insert(c, order->name, order->verified, out));
	if (order->credits > 0)
		TRY(ledger_grant(c, (*out)->id, order->credits, FIRST_GRANT, &done));
	return action_commit(c);
}

struct err *
account_show(struct ctx *c, const char *name, struct account **out)
{
	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_account(c, name, out));
	return action_commit(c);
}

void
account_show_all(struct ctx *c, void (*each)(void *arg, const struct account *account), void *arg)
{
	const struct account *a;

	db_begin_read(c, DB_CONTENT);
	for (struct stmt *q = account_list(c); (a = account_next(c, q)) != NULL;)
		each(arg, a);
	db_commit(c);
}

struct open_jobs {
	int64_t account_id;
	int count;
};

static void
count_job(void *arg, const struct job *job)
{
	struct open_jobs *open = arg;

	open->count += job->account_id == open->account_id;
}

int64_t
account_asks_after(const struct account *account)
{
	return account->declined_at == 0 ? 0 : account->declined_at + ASKS_AFTER;
}

struct err *
account_ask_to_verify(struct ctx *c, const char *name, bool *done)
{
	struct account *a;

	*done = false;
	ACTION(c, action_begin(c, &asking));
	TRY(find_account(c, name, &a));
	if (a->verified || a->asked_at != 0)
		return action_commit(c);
	if (c->now < account_asks_after(a))
		return refuse(c, ERR_CONFLICT,
		    tr_mark("An operator declined this. An owner may ask again %d days later."),
		    ACCOUNT_ASK_DAYS);
	a->asked_at = c->now;
	a->declined_at = 0;
	account_update(c, a);
	*done = true;
	return action_commit(c);
}

static void
set(struct ctx *c, struct account *a, enum account_change change)
{
	switch (change) {
	case ACCOUNT_VERIFY:
		a->verified = true;
		a->asked_at = a->declined_at = 0;
		break;
	case ACCOUNT_DECLINE:
		if (a->asked_at != 0)
			a->declined_at = c->now;
		a->asked_at = 0;
		break;
	case ACCOUNT_SUSPEND:
	case ACCOUNT_RESUME:
		a->suspended = change == ACCOUNT_SUSPEND;
		break;
	}
	account_update(c, a);
}

struct err *
account_change(struct ctx *c, const char *name, enum account_change change, struct account **out,
    int *open_jobs)
{
	struct open_jobs open = { .count = 0 };
	struct account *a;

	ACTION(c, action_begin(c, &scope));
	TRY(find_account(c, name, &a));
	set(c, a, change);
	open.account_id = a->id;
	if (change == ACCOUNT_SUSPEND)
		job_list_open(c, count_job, &open);
	*open_jobs = open.count;
	*out = a;
	action_commit(c);
	sites_write(c);
	return NULL;
}

/* ---- credits */

struct err *
credits_move(struct ctx *c, const struct credits_order *order, struct account **out, bool *done)
{
	struct action_scope moving = { .change = DB_CHANGES_NOTHING };
	struct account *a;

	TRY(account_show(c, order->account, &a));
	moving.account_id = a->id;
	ACTION(c, action_begin(c, &moving));
	TRY(find_account(c, a->uuid, &a));
	if (a->id != moving.account_id)
		return refuse(c, ERR_CONFLICT,
		    tr_mark(
			"The database was restored from a backup meanwhile; nothing was changed. Try again."));
	TRY((order->kind == CREDITS_GRANT ? ledger_grant : ledger_revoke)(
	    c, a->id, order->credits, order->ref, done));
	if (*done && order->person != NULL)
		ledger_note_person(c, a->id, order->person);
	*out = account_of(c, a->id);
	gate_leave(c);
	return action_commit(c);
}

struct err *
credits_list(struct ctx *c, const char *name, int64_t from, int64_t to,
    void (*each)(void *arg, const struct ledger_row *row), void *arg)
{
	struct account *a;

	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_account(c, name, &a));
	ledger_list(c, a->id, from, to, each, arg);
	return action_commit(c);
}

/* ---- credits as a screen shows them */

/* What was available at the end of each day on which something was moved. */
struct days {
	struct ctx *c;
	struct credits_point *list;
	size_t count, room;
};

static int64_t
day_of(int64_t at)
{
	return at - at % CLOCK_DAY;
}

static void
note_day(void *arg, int64_t at, int64_t available_after)
{
	struct days *d = arg;

	if (d->count == 0 || d->list[d->count - 1].day != day_of(at)) {
		if (d->count == d->room) {
			d->list = arena_grow(d->c->arena, d->list, d->room * sizeof(*d->list),
			    (2 * d->room + 64) * sizeof(*d->list));
			d->room = 2 * d->room + 64;
		}
		d->list[d->count++].day = day_of(at);
	}
	d->list[d->count - 1].available = available_after;
}

/* Chooses at most CREDITS_POINTS days, as far apart, of which the last one is the newest of
 * the time. */
static void
choose_points(const struct ctx *c, struct credits_view *view, const struct days *d)
{
	int64_t first = day_of(view->from > 0 ? view->from : view->sum.first_at);
	int64_t last = day_of(c->now > view->sum.last_at ? c->now : view->sum.last_at);
	int64_t step, left = view->sum.opening;
	size_t seen = 0;

	if (view->to <= last)
		last = day_of(view->to - 1);
	step = ((last - first) / CLOCK_DAY / CREDITS_POINTS + 1) * CLOCK_DAY;
	view->point_count = (size_t)((last - first) / step) + 1;
	for (size_t i = 0; i < view->point_count; i++) {
		struct credits_point *p = &view->points[i];

		p->day = last - (int64_t)(view->point_count - 1 - i) * step;
		for (; seen < d->count && d->list[seen].day <= p->day; seen++)
			left = d->list[seen].available;
		p->available = left;
	}
}

struct err *
credits_look(struct ctx *c, struct credits_view *view)
{
	struct days d = { .c = c };
	struct names names = { .count = 0 };

	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_account(c, view->account, &view->now));
	ledger_add_up(c, view->now->id, view->from, view->to, &view->sum, note_day, &d);
	if (view->sum.count > 0)
		choose_points(c, view, &d);
	view->count = ledger_page(
	    c, view->now->id, view->from, view->to, view->before, view->rows, CREDITS_PAGE + 1);
	view->more = view->count > CREDITS_PAGE;
	if (view->more)
		view->count = CREDITS_PAGE;
	for (size_t i = 0; i < view->count; i++) {
		if (view->rows[i].person != NULL)
			view->by[i] = names_of(c, &names, view->rows[i].person);
	}
	return action_commit(c);
}
