/* One site: what it asked for, and the articles that it has in an older revision (docs/console.md
 * §4.10). */
#include "action/site-actions.h"

#include <inttypes.h>

#include "../all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "screen/plot.h"
#include "screen/say.h"
#include "screen/tr.h"

struct page {
	struct ctx *c;
	const struct visit *v;
	struct asked asked;
};

static const char *
number(const struct page *p, int64_t value)
{
	return arena_printf(p->c->arena, "%" PRId64, value);
}

static const char *
day_text(const struct page *p, size_t place)
{
	return say_day_text(p->c, p->asked.today - ASKED_DAYS + 1 + (int64_t)place);
}

/* ---- requests */

static void
write_figure(struct hwrite *w, const char *label, const char *value)
{
	hwrite_open(w, H_LI);
	hwrite_element(w, H_SPAN, label);
	hwrite_text(w, " ");
	hwrite_element(w, H_STRONG, value);
	hwrite_close(w, H_LI);
}

static void
write_figures(struct hwrite *w, const struct page *p)
{
	const struct asked *a = &p->asked;

	hwrite_open(w, H_UL);
	hwrite_attr(w, A_CLASS, "figures");
	write_figure(w, tr("Requests in 30 days"), number(p, a->sum.requests));
	write_figure(w, tr("Not modified (304)"), number(p, a->sum.not_modified));
	write_figure(w, tr("Refused"), number(p, a->sum.refused));
	write_figure(w, tr("Articles as they are now"),
	    arena_printf(
		p->c->arena, tr("%lld of %lld"), (long long)a->present, (long long)a->articles));
	hwrite_close(w, H_UL);
}

static void
write_plot(struct hwrite *w, const struct page *p)
{
	int64_t *requests = arena_array(p->c->arena, ASKED_DAYS, sizeof(*requests));
	int64_t *refused = arena_array(p->c->arena, ASKED_DAYS, sizeof(*refused));
	const struct plot_line lines[] = { { tr("Requests"), requests, false },
		{ tr("Refused"), refused, true } };

	for (size_t i = 0; i < ASKED_DAYS; i++) {
		requests[i] = p->asked.days[i].requests;
		refused[i] = p->asked.days[i].refused;
	}
	plot_write_lines(w, "requests", tr("Requests by day"),
	    arena_printf(p->c->arena, tr("Each day from %s to %s. The table has the numbers."),
		day_text(p, 0), day_text(p, ASKED_DAYS - 1)),
	    day_text(p, 0), day_text(p, ASKED_DAYS - 1), lines, 2, ASKED_DAYS);
}

static void
write_days(struct hwrite *w, const struct page *p)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Day (UTC)") },
		{ .label = tr_mark("Requests"), .number = true },
		{ .label = tr_mark("Not modified (304)"), .number = true },
		{ .label = tr_mark("Refused"), .number = true },
		{ .label = NULL },
	};
	struct screen_table t;

	hwrite_open(w, H_DETAILS);
	hwrite_attr(w, A_CLASS, "noprint");
	hwrite_element(w, H_SUMMARY, tr("The same as a table"));
	screen_table_begin(&t, w, tr("Requests by day"), columns);
	for (size_t i = ASKED_DAYS; i-- > 0;) {
		const struct asked_day *d = &p->asked.days[i];
		screen_row_begin(&t);
		screen_cell(&t, day_text(p, i));
		screen_cell(&t, number(p, d->requests));
		screen_cell(&t, number(p, d->not_modified));
		screen_cell(&t, number(p, d->refused));
		screen_row_end(&t);
	}
	screen_table_end(&t);
	hwrite_close(w, H_DETAILS);
}

static void
write_statuses(struct hwrite *w, const struct page *p)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Status") },
		{ .label = tr_mark("Requests"), .number = true },
		{ .label = NULL },
	};
	struct screen_table t;

	if (p->asked.status_count == 0)
		return;
	hwrite_element(w, H_H2, tr("What was refused"));
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "sums");
	screen_table_begin(&t, w, tr("What was refused in 30 days, by status"), columns);
	for (size_t i = 0; i < p->asked.status_count; i++) {
		screen_row_begin(&t);
		screen_cell(&t, number(p, p->asked.statuses[i].status));
		screen_cell(&t, number(p, p->asked.statuses[i].requests));
		screen_row_end(&t);
	}
	screen_table_end(&t);
	hwrite_close(w, H_DIV);
}

/* ---- articles */

static void
write_article(struct screen_table *t, const struct page *p, const struct asked_article *a)
{
	screen_row_begin(t);
	if (a->title != NULL)
		screen_cell_link(t,
		    console_path(p->c, p->v, "/%s/articles/%s", p->v->workspace->uuid, a->id),
		    a->title);
	else
		screen_cell(t, tr("An article that is gone"));
	screen_cell_time(t, a->fetched_at);
	screen_cell(t, a->had);
	screen_cell(t, a->now);
	screen_row_end(t);
}

static void
write_older(struct hwrite *w, const struct page *p)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Article") },
		{ .label = tr_mark("Fetched") },
		{ .label = tr_mark("Its revision then") },
		{ .label = tr_mark("Its revision now") },
		{ .label = NULL },
	};
	struct screen_table t;

	if (p->asked.older_count == 0)
		return;
	hwrite_element(w, H_H2, tr("Articles that it has as they were"));
	screen_table_begin(&t, w, tr("Articles that changed since the site fetched them"), columns);
	for (size_t i = 0; i < p->asked.older_count; i++)
		write_article(&t, p, &p->asked.older[i]);
	screen_table_end(&t);
	if (p->asked.older_all > p->asked.older_count)
		hwrite_element(w, H_P,
		    arena_printf(p->c->arena, tr("%lld more articles are as they were."),
			(long long)(p->asked.older_all - p->asked.older_count)));
}

/* ---- the page */

static void
write_last(struct hwrite *w, const char *name, int64_t at)
{
	hwrite_element(w, H_DT, name);
	hwrite_open(w, H_DD);
	say_time(w, at);
	hwrite_close(w, H_DD);
}

static void
write_page(struct hwrite *w, const void *data)
{
	const struct page *p = data;
	const struct asked *a = &p->asked;

	write_figures(w, p);
	hwrite_open(w, H_DL);
	write_last(w, tr("Last request"), a->reader.requested_at);
	write_last(w, tr("Last whole list"), a->reader.listed_at);
	hwrite_close(w, H_DL);
	hwrite_element(w, H_H2, tr("Requests by day"));
	write_plot(w, p);
	write_days(w, p);
	write_statuses(w, p);
	write_older(w, p);
	hwrite_open(w, H_P);
	hwrite_attr(w, A_CLASS, "noprint");
	screen_button_link(w, console_path(p->c, p->v, "/%s/sites", p->v->workspace->uuid),
	    tr("Back to Sites"), false);
	hwrite_close(w, H_P);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));
	const struct apikey *key;
	struct err *err;

	p->c = c;
	p->v = v;
	p->asked.workspace = v->workspace->uuid;
	p->asked.key = v->id;
	err = asked_read(c, &p->asked);
	if (err != NULL)
		return err;
	key = p->asked.apikey;
	console_page(c, v, reply, key->label[0] != '\0' ? key->label : key->display,
	    tr("What this site asked the API for"), write_page, p);
	return NULL;
}

const struct console_row site_screens[] = {
	{ .method = "GET",
	    .pattern = "/W/sites/ID",
	    .title = tr_mark("Site"),
	    .need = RIGHT_READ,
	    .any = RIGHT_PUBLISH | RIGHT_MANAGE,
	    .handler = show },
	{ .method = NULL },
};
