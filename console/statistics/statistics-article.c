/* Statistics of one article: its days, its referrers (docs/pages.md §10). */
#include "base/arena.h"
#include "base/ctx.h"
#include "screen/plot.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "statistics.h"

struct page {
	struct ctx *c;
	const struct visit *v;
	struct statistics_days days;
	struct statistics_of s;
};

static void
write_sums(struct hwrite *w, const struct page *p)
{
	const struct statistics_article *a = &p->s.sums;

	hwrite_open(w, H_UL);
	hwrite_attr(w, A_CLASS, "figures");
	statistics_figure(w, p->c, tr("Views"), a->views);
	statistics_figure(w, p->c, tr("First 7 days"), a->first_7);
	statistics_figure(w, p->c, tr("First 30 days"), a->first_30);
	statistics_figure(w, p->c, tr("Since its last publication"), a->since);
	hwrite_close(w, H_UL);
	hwrite_open(w, H_P);
	if (a->published)
		screen_sentence(w,
		    tr("First published on %s, last on %s. Days are those of the time zone %s."),
		    say_day_text(p->c, a->first_day), say_day_text(p->c, a->last_day),
		    p->s.time_zone);
	else
		hwrite_text(w, tr("This article was never published."));
	hwrite_close(w, H_P);
}

static void
write_plot(struct hwrite *w, const struct page *p)
{
	const char *first = say_day_text(p->c, p->s.from);
	const char *last = say_day_text(p->c, p->s.to);
	struct plot_point *points = arena_array(p->c->arena, p->s.day_count, sizeof(*points));

	for (size_t i = 0; i < p->s.day_count; i++)
		points[i].value = p->s.days[i].views;
	points[0].label = first;
	points[p->s.day_count - 1].label = last;
	if (p->s.day_count == 1)
		points[0].label = first;
	plot_write(w, "views", tr("Views by day"),
	    arena_printf(
		p->c->arena, tr("Each day from %s to %s. The table has the numbers."), first, last),
	    points, p->s.day_count);
}

static void
write_table(struct hwrite *w, const struct page *p)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Day") },
		{ .label = tr_mark("Views"), .number = true },
		{ .label = NULL },
	};
	struct screen_table t;

	hwrite_open(w, H_DETAILS);
	hwrite_attr(w, A_CLASS, "sums noprint");
	hwrite_element(w, H_SUMMARY, tr("The same as a table"));
	screen_table_begin(&t, w, tr("Views by day"), columns);
	for (size_t i = 0; i < p->s.day_count; i++) {
		screen_row_begin(&t);
		statistics_day_cell(&t, p->c, p->s.from + (int64_t)i);
		screen_cell(&t, statistics_number(p->c, p->s.days[i].views));
		screen_row_end(&t);
	}
	screen_table_end(&t);
	hwrite_close(w, H_DETAILS);
}

static void
write_links(struct hwrite *w, const struct page *p)
{
	hwrite_open(w, H_P);
	hwrite_attr(w, A_CLASS, "noprint");
	screen_button_link(w,
	    console_path(p->c, p->v, "/%s/articles/%s", p->v->workspace->uuid, p->s.article->uuid),
	    tr("Open the article"), false);
	hwrite_text(w, " ");
	screen_button_link(w, statistics_address(&p->days, ""), tr("Back to Statistics"), false);
	hwrite_close(w, H_P);
}

static void
write_page(struct hwrite *w, const void *data)
{
	const struct page *p = data;

	if (!p->v->workspace->analytics_enabled)
		statistics_write_silence(w, p->c, p->v, STATISTICS_OFF);
	else if (p->v->account->suspended)
		statistics_write_silence(w, p->c, p->v, STATISTICS_RESTS);
	statistics_write_days(w, &p->days);
	if (p->days.form.errors == 0) {
		write_sums(w, p);
		hwrite_element(w, H_H2, tr("Views by day"));
		write_plot(w, p);
		write_table(w, p);
		statistics_write_list(
		    w, p->c, tr("Referrers"), tr_mark("Host"), &p->s.referrers, NULL);
		hwrite_element(w, H_P,
		    arena_printf(p->c->arena, tr("Referrers of an article are kept for %d days."),
			VIEW_REFERRER_DAYS));
	}
	write_links(w, p);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));
	struct article *article;
	struct err *err = console_article(c, v, &article);

	if (err != NULL)
		return err;
	p->c = c;
	p->v = v;
	p->s.article = article;
	p->days = (struct statistics_days) { .c = c,
		.v = v,
		.path = arena_printf(
		    c->arena, "/%s/statistics/articles/%s", v->workspace->uuid, article->uuid) };
	if (!statistics_read_days(&p->days, &p->s.period)) {
		reply->status = 422;
	} else {
		err = statistics_read_article(c, v->workspace, &p->s);
		if (err != NULL)
			err = statistics_refused(&p->days, reply, err);
	}
	if (err == NULL)
		console_page(c, v, reply, article->title, tr("What readers read of this article"),
		    write_page, p);
	return err;
}

const struct console_row statistics_article_screens[] = {
	{ .method = "GET",
	    .pattern = "/W/statistics/articles/ID",
	    .title = tr_mark("Statistics of an article"),
	    .need = RIGHT_READ,
	    .handler = show },
	{ .method = NULL },
};
