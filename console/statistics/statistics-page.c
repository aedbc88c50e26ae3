/* The page of Statistics (statistics.c). */
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "screen/plot.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "statistics.h"

/* ---- days */

enum what { VIEWS, VISITORS };

static int64_t
value_of(const struct statistics_day *day, enum what what)
{
	return what == VIEWS ? day->views : day->visitors;
}

static int64_t
sum_of(const struct statistics_page *p, const struct statistics_day *days)
{
	int64_t sum = 0;

	for (size_t i = 0; i < p->s.day_count; i++)
		sum += days[i].views;
	return sum;
}

static int64_t
most_visitors(const struct statistics_page *p)
{
	int64_t most = 0;

	for (size_t i = 0; i < p->s.day_count; i++)
		most = p->s.days[i].visitors > most ? p->s.days[i].visitors : most;
	return most;
}

static void
write_figures(struct hwrite *w, const struct statistics_page *p)
{
	hwrite_open(w, H_UL);
	hwrite_attr(w, A_CLASS, "figures");
	statistics_figure(w, p->c, tr("Views"), sum_of(p, p->s.days));
	statistics_figure(w, p->c, tr("Views in as many days before"),
	    p->s.compared ? sum_of(p, p->s.before) : -1);
	statistics_figure(w, p->c, tr("Most visitors on a day"), most_visitors(p));
	hwrite_close(w, H_UL);
	hwrite_open(w, H_P);
	screen_sentence(w, tr("Days are those of the time zone %s. Counting began on %s."),
	    p->s.time_zone, say_day_text(p->c, p->s.first_day));
	if (!p->s.compared) {
		hwrite_text(w, " ");
		hwrite_text(w, tr("Not all of the days before were counted."));
	}
	hwrite_close(w, H_P);
}

static const int64_t *
values_of(const struct statistics_page *p, const struct statistics_day *days, enum what what)
{
	int64_t *values = arena_array(p->c->arena, p->s.day_count, sizeof(*values));

	for (size_t i = 0; i < p->s.day_count; i++)
		values[i] = value_of(&days[i], what);
	return values;
}

static void
write_plot(struct hwrite *w, const struct statistics_page *p, enum what what)
{
	const char *first = say_day_text(p->c, p->s.from);
	const char *last = say_day_text(p->c, p->s.to);
	const struct plot_line lines[] = {
		{ tr("This period"), values_of(p, p->s.days, what), false },
		{ tr("As many days before"), values_of(p, p->s.before, what), true },
	};
	const char *described = arena_printf(p->c->arena,
	    p->s.compared
		? tr("Each day from %s to %s, and as many days before. The table has the numbers.")
		: tr("Each day from %s to %s. The table has the numbers."),
	    first, last);

	plot_write_lines(w, what == VIEWS ? "views" : "visitors",
	    what == VIEWS ? tr("Views by day") : tr("Visitors by day"), described, first, last,
	    lines, p->s.compared ? 2 : 1, p->s.day_count);
}

/* Writes what a day had; “–” if it was before counting began. */
static void
write_cells(struct screen_table *t, const struct statistics_page *p, int64_t day,
    const struct statistics_day *had)
{
	bool counted = day >= p->s.first_day;

	screen_cell(t, statistics_number(p->c, counted ? had->views : -1));
	screen_cell(t, statistics_number(p->c, counted ? had->visitors : -1));
}

static void
write_day(struct screen_table *t, const struct statistics_page *p, size_t i)
{
	int64_t day = p->s.from + (int64_t)i;

	screen_row_begin(t);
	statistics_day_cell(t, p->c, day);
	write_cells(t, p, day, &p->s.days[i]);
	write_cells(t, p, day - (int64_t)p->s.day_count, &p->s.before[i]);
	screen_row_end(t);
}

static void
write_table(struct hwrite *w, const struct statistics_page *p)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Day") },
		{ .label = tr_mark("Views"), .number = true },
		{ .label = tr_mark("Visitors"), .number = true },
		{ .label = tr_mark("Views before"), .number = true },
		{ .label = tr_mark("Visitors before"), .number = true },
		{ .label = NULL },
	};
	struct screen_table t;

	hwrite_open(w, H_DETAILS);
	hwrite_attr(w, A_CLASS, "noprint");
	hwrite_element(w, H_SUMMARY, tr("The same as a table"));
	screen_table_begin(&t, w,
	    tr("Views and visitors by day; before: in the day of the same place of as many days before"),
	    columns);
	for (size_t i = 0; i < p->s.day_count; i++)
		write_day(&t, p, i);
	screen_table_end(&t);
	hwrite_close(w, H_DETAILS);
}

static void
write_days(struct hwrite *w, const struct statistics_page *p)
{
	write_figures(w, p);
	hwrite_element(w, H_H2, tr("Views by day"));
	write_plot(w, p, VIEWS);
	hwrite_element(w, H_H2, tr("Visitors by day"));
	write_plot(w, p, VISITORS);
	hwrite_element(w, H_P,
	    tr("A visitor is known again on the same day only. So the visitors of days do not add up to the visitors of a week or a month: who comes on two days is counted twice."));
	write_table(w, p);
}

/* ---- articles */

static const struct screen_column article_columns[] = {
	{ .label = tr_mark("Article") },
	{ .label = tr_mark("Views"), .number = true },
	{ .label = tr_mark("First 7 days"), .number = true },
	{ .label = tr_mark("First 30 days"), .number = true },
	{ .label = tr_mark("Since its last publication"), .number = true },
	{ .label = NULL },
};

/* The same, for who may see what articles cost. */
static const struct screen_column managed_columns[] = {
	{ .label = tr_mark("Article") },
	{ .label = tr_mark("Views"), .number = true },
	{ .label = tr_mark("First 7 days"), .number = true },
	{ .label = tr_mark("First 30 days"), .number = true },
	{ .label = tr_mark("Since its last publication"), .number = true },
	{ .label = tr_mark("Credits"), .number = true },
	{ .label = NULL },
};

static void
write_article(
    struct screen_table *t, const struct statistics_page *p, const struct statistics_article *a)
{
	screen_row_begin(t);
	if (a->title != NULL)
		screen_cell_link(t,
		    statistics_address(&p->days, arena_printf(p->c->arena, "/articles/%s", a->id)),
		    a->title);
	else
		screen_cell(t, tr("An article that is gone"));
	screen_cell(t, statistics_number(p->c, a->views));
	screen_cell(t, statistics_number(p->c, a->first_7));
	screen_cell(t, statistics_number(p->c, a->first_30));
	screen_cell(t, statistics_number(p->c, a->since));
	if (p->s.credits)
		screen_cell(t, a->credits < 0 ? NULL : statistics_number(p->c, a->credits));
	screen_row_end(t);
}

static void
write_articles(struct hwrite *w, const struct statistics_page *p)
{
	struct screen_table t;

	hwrite_element(w, H_H2, tr("Articles"));
	if (p->s.article_count == 0) {
		hwrite_element(w, H_P, tr("No article was read in this time."));
		return;
	}
	screen_table_begin(&t, w, tr("Articles, those with the most views first"),
	    p->s.credits ? managed_columns : article_columns);
	for (size_t i = 0; i < p->s.article_count; i++)
		write_article(&t, p, &p->s.articles[i]);
	screen_table_end(&t);
	if (p->s.article_all > p->s.article_count) {
		hwrite_open(w, H_P);
		screen_sentence(w, tr("These are the first %s of %s articles that were read."),
		    statistics_number(p->c, (int64_t)p->s.article_count),
		    statistics_number(p->c, (int64_t)p->s.article_all));
		hwrite_close(w, H_P);
	}
	hwrite_element(w, H_P,
	    tr("The first days of an article begin with the day of its first publication; “–” is written where counting began later."));
}

/* ---- where from, and with what */

static const char *
width_in_words(const char *label)
{
	static const struct {
		const char *label, *words;
	} widths[] = {
		{ "xs", tr_mark("less than 480 pixels") },
		{ "s", tr_mark("480 to 767 pixels") },
		{ "m", tr_mark("768 to 1023 pixels") },
		{ "l", tr_mark("1024 to 1439 pixels") },
		{ "xl", tr_mark("1440 pixels and more") },
	};

	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		if (strcmp(widths[i].label, label) == 0)
			return tr(widths[i].words);
	}
	return label;
}

static void
write_lists(struct hwrite *w, const struct statistics_page *p)
{
	struct ctx *c = p->c;

	statistics_write_list(w, c, tr("Referrers"), tr_mark("Host"), &p->s.referrers, NULL);
	statistics_write_list(w, c, tr("Campaigns"), tr_mark("Campaign"), &p->s.campaigns, NULL);
	statistics_write_list(w, c, tr("Languages"), tr_mark("Language"), &p->s.languages, NULL);
	statistics_write_list(
	    w, c, tr("Widths"), tr_mark("Width of the window"), &p->s.widths, width_in_words);
	statistics_write_list(w, c, tr("Bots"), tr_mark("Why it is one"), &p->s.bots, NULL);
	if (p->s.bots.count > 0)
		hwrite_element(w, H_P, tr("Bots are not among the views above."));
}

static void
write_files(struct hwrite *w, const struct statistics_page *p)
{
	hwrite_element(w, H_H2, tr("Files"));
	hwrite_open(w, H_P);
	hwrite_attr(w, A_CLASS, "noprint");
	screen_button_link(w, statistics_address(&p->days, "/csv"), tr("Download as CSV"), false);
	hwrite_text(w, " ");
	screen_button_link(w, statistics_address(&p->days, "/json"), tr("Download as JSON"), false);
	hwrite_close(w, H_P);
	hwrite_element(w, H_P,
	    tr("The CSV has each count of these days, the paths of pages too. The JSON has what this page shows."));
}

void
statistics_write(struct hwrite *w, const void *data)
{
	const struct statistics_page *p = data;

	if (p->days.form.errors > 0) {
		statistics_write_days(w, &p->days);
		return;
	}
	statistics_write_silence(w, p->c, p->v, p->s.silence);
	if (p->s.first_day == INT64_MAX) {
		statistics_write_health(w, p);
		return;
	}
	statistics_write_days(w, &p->days);
	write_days(w, p);
	write_articles(w, p);
	write_lists(w, p);
	statistics_write_health(w, p);
	write_files(w, p);
}
