#include "action/credits.h"

#include <stddef.h>

#include "action/account.h"
#include "action/action.h"
#include "action/person/names.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"

struct err *
credits_move(struct ctx *c, const struct credits_order *order, struct account **out, bool *done)
{
	struct action_scope scope = { .change = DB_CHANGES_NOTHING };
	struct account *a;
	struct err *err = account_show(c, order->account, &a);

	if (err != NULL)
		return err;
	scope.account_id = a->id;
	err = action_begin(c, &scope);
	if (err == NULL)
		err = find_account(c, a->uuid, &a);
	if (err == NULL && a->id != scope.account_id)
		err = refuse(c, ERR_CONFLICT,
		    tr_mark(
			"The database was restored from a backup meanwhile; nothing was changed. Try again."));
	if (err == NULL)
		err = (order->kind == CREDITS_GRANT ? ledger_grant : ledger_revoke)(
		    c, a->id, order->credits, order->ref, done);
	if (err == NULL && *done && order->person != NULL)
		ledger_note_person(c, a->id, order->person);
	if (err == NULL) {
		*out = account_of(c, a->id);
		gate_leave(c);
	}
	return action_end(c, err);
}

struct err *
credits_list(struct ctx *c, const char *name, int64_t from, int64_t to,
    void (*each)(void *arg, const struct ledger_row *row), void *arg)
{
	struct account *a;
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find_account(c, name, &a);
	if (err == NULL)
		ledger_list(c, a->id, from, to, each, arg);
	return action_end(c, err);
}

/* ---- what a screen shows */

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
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find_account(c, view->account, &view->now);
	if (err != NULL)
		return action_end(c, err);
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
	return action_end(c, NULL);
}
