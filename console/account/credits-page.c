/* The page of Credits (credits.c). */
#include <inttypes.h>
#include <string.h>

#include "account.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "content/lang.h"
#include "screen/plot.h"
#include "screen/say.h"
#include "screen/tr.h"

static const char *
number(struct ctx *c, int64_t value)
{
	return arena_printf(c->arena, "%" PRId64, value);
}

/* Returns a change with its sign. From right to left a browser would put the sign behind the
 * number, but for a mark of the other direction (U+200E) before it. */
static const char *
change(struct ctx *c, int64_t value)
{
	const char *mark = lang_is_rtl(tr_tag()) ? "\xE2\x80\x8E" : "";

	return value == 0 ? "0" : arena_printf(c->arena, "%s%+" PRId64, mark, value);
}

/* ---- what there is */

static void
write_figure(struct hwrite *w, const char *label, int64_t value)
{
	hwrite_open(w, H_LI);
	hwrite_element(w, H_SPAN, label);
	hwrite_text(w, " ");
	hwrite_open(w, H_STRONG);
	hwrite_int(w, value);
	hwrite_close(w, H_STRONG);
	hwrite_close(w, H_LI);
}

static void
write_balance(struct hwrite *w, const struct account *a)
{
	hwrite_open(w, H_UL);
	hwrite_attr(w, A_CLASS, "figures");
	write_figure(w, tr("Available"), a->available);
	write_figure(w, tr("Reserved"), a->reserved);
	write_figure(w, tr("Spent"), a->spent);
	hwrite_close(w, H_UL);
	hwrite_element(w, H_P,
	    tr("New orders are paid from what is available. What is reserved is for orders that are not done yet; what they do not spend comes back."));
}

/* ---- what a time adds up to */

static void
write_sum(struct screen_table *t, const char *label, const char *value)
{
	screen_row_begin(t);
	screen_cell(t, label);
	screen_cell(t, value);
	screen_row_end(t);
}

static void
write_sums(struct hwrite *w, const struct credits *p)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("What") },
		{ .label = tr_mark("Credits"), .number = true },
		{ .label = NULL },
	};
	const struct ledger_sum *s = &p->view.sum;
	struct ctx *c = p->c;
	struct screen_table t;

	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "sums");
	screen_table_begin(&t, w, tr("What the period adds up to"), columns);
	write_sum(&t, tr("Available before"), number(c, s->opening));
	write_sum(&t, tr("Granted"), change(c, s->granted));
	write_sum(&t, tr("Revoked"), change(c, -s->revoked));
	write_sum(&t, tr("Spent"), change(c, -s->spent));
	write_sum(&t, tr("Reserved, or no longer reserved"), change(c, -s->reserved));
	write_sum(&t, tr("Available after"), number(c, s->closing));
	screen_table_end(&t);
	hwrite_close(w, H_DIV);
}

static void
write_points(struct hwrite *w, const struct credits *p, const struct plot_point *points)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("End of the day") },
		{ .label = tr_mark("Available"), .number = true },
		{ .label = NULL },
	};
	struct screen_table t;

	hwrite_open(w, H_DETAILS);
	hwrite_attr(w, A_CLASS, "sums noprint");
	hwrite_element(w, H_SUMMARY, tr("The same as a table"));
	screen_table_begin(&t, w, tr("Available credits"), columns);
	for (size_t i = 0; i < p->view.point_count; i++) {
		screen_row_begin(&t);
		screen_cell(&t, points[i].label);
		screen_cell(&t, number(p->c, points[i].value));
		screen_row_end(&t);
	}
	screen_table_end(&t);
	hwrite_close(w, H_DETAILS);
}

static void
write_plot(struct hwrite *w, const struct credits *p)
{
	struct plot_point points[CREDITS_POINTS];
	size_t count = p->view.point_count;

	for (size_t i = 0; i < count; i++) {
		const char *day = say_day_text(p->c, p->view.points[i].day / CLOCK_DAY);
		points[i] = (struct plot_point) { day, p->view.points[i].available };
	}
	plot_write(w, "balance", tr("Available credits"),
	    arena_printf(p->c->arena, tr("From %lld at the end of %s to %lld at the end of %s."),
		(long long)points[0].value, points[0].label, (long long)points[count - 1].value,
		points[count - 1].label),
	    points, count);
	write_points(w, p, points);
}

/* ---- the ledger */

static const char *
kind_in_words(const char *kind)
{
	static const struct {
		const char *kind, *words;
	} kinds[] = {
		{ "grant", tr_mark("Granted") },
		{ "revoke", tr_mark("Revoked") },
		{ "reserve", tr_mark("Reserved for an order") },
		{ "settle", tr_mark("Order done") },
		{ "refund", tr_mark("Order not done: given back") },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kinds[i].kind, kind) == 0)
			return tr(kinds[i].words);
	}
	return kind;
}

/* The order leads to its screen, if the reader may open it. */
static void
write_about(struct screen_table *t, const struct credits *p, const struct ledger_row *row)
{
	const unsigned orders = RIGHT_WRITE | RIGHT_PUBLISH;
	const char *text = row->ref != NULL				 ? row->ref
			   : row->topic != NULL && row->topic[0] != '\0' ? row->topic
									 : row->job_uuid;

	if (row->workspace_uuid != NULL && row->job_uuid != NULL &&
	    (p->v->rights & orders) == orders)
		screen_cell_link(t,
		    console_path(p->c, p->v, "/%s/orders/%s", row->workspace_uuid, row->job_uuid),
		    text);
	else
		screen_cell(t, text);
}

static void
write_row(struct screen_table *t, const struct credits *p, size_t i)
{
	const struct ledger_row *row = &p->view.rows[i];
	const char *by = p->view.by[i];

	if (row->person != NULL && by == NULL)
		by = tr("somebody who was removed");
	else if (row->person == NULL && row->ref != NULL)
		by = tr("the operator");
	screen_row_begin(t);
	screen_cell_begin(t);
	say_moment(t->w, row->at);
	screen_cell_end(t);
	screen_cell(t, kind_in_words(row->kind));
	write_about(t, p, row);
	screen_cell(t, by);
	screen_cell(t, row->available != 0 ? change(p->c, row->available) : NULL);
	screen_cell(t, row->spent != 0 ? number(p->c, row->spent) : NULL);
	screen_cell(t, number(p->c, row->available_after));
	screen_row_end(t);
}

static void
write_ledger(struct hwrite *w, const struct credits *p)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Time (UTC)") },
		{ .label = tr_mark("What") },
		{ .label = tr_mark("About") },
		{ .label = tr_mark("By") },
		{ .label = tr_mark("Change"), .number = true },
		{ .label = tr_mark("Spent"), .number = true },
		{ .label = tr_mark("Available"), .number = true },
		{ .label = NULL },
	};
	const struct credits_view *view = &p->view;
	struct screen_table t;

	screen_table_begin(&t, w, tr("The ledger, the newest movement first"), columns);
	for (size_t i = 0; i < view->count; i++)
		write_row(&t, p, i);
	screen_table_end(&t);
	screen_pages(w, view->before != INT64_MAX ? credits_address(p, "credits", NULL) : NULL,
	    view->more
		? credits_address(p, "credits", number(p->c, view->rows[view->count - 1].number))
		: NULL);
}

static void
write_period(struct hwrite *w, const struct credits *p)
{
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "noprint");
	form_write(w, &p->period,
	    &(struct form_head) { .search = true,
		.action = console_path(p->c, p->v, "/%s/credits", p->v->account->uuid) });
	hwrite_close(w, H_DIV);
	if (p->period.errors > 0)
		return;
	if (p->view.sum.count == 0) {
		screen_empty(w, tr("No credits were moved in this time."),
		    console_path(p->c, p->v, "/%s/credits", p->v->account->uuid), tr("Show all"));
		return;
	}
	write_sums(w, p);
	write_plot(w, p);
	hwrite_element(w, H_H3, tr("Movements"));
	write_ledger(w, p);
	hwrite_open(w, H_P);
	screen_button_link(
	    w, credits_address(p, "credits/csv", NULL), tr("Download as CSV"), false);
	hwrite_close(w, H_P);
}

void
credits_write(struct hwrite *w, const void *data)
{
	const struct credits *p = data;
	bool asked = form_text(&p->period, "from") != NULL || form_text(&p->period, "to") != NULL ||
		     p->period.errors > 0;

	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "ledger");
	write_balance(w, p->view.now);
	hwrite_element(w, H_H2, tr("Period"));
	if (p->view.sum.count == 0 && !asked)
		screen_empty(w,
		    tr("No credits were moved yet. Credits pay for articles that are ordered; the operator grants them."),
		    NULL, NULL);
	else
		write_period(w, p);
	hwrite_close(w, H_DIV);
	if (!console_may(p->v, RIGHT_OPERATE))
		return;
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "noprint");
	hwrite_element(w, H_H2, tr("Grant or revoke"));
	console_form(
	    p->c, p->v, w, &p->move, arena_printf(p->c->arena, "/%s/credits", p->v->account->uuid));
	hwrite_close(w, H_DIV);
}
