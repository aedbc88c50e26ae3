/* Statistics: what the readers of the websites read (docs/pages.md §10); of a workspace, of one
 * article, and as files. The days that are asked for, the numbers and the lists are the same on
 * both pages. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "action/statistics-actions.h"
#include "all.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "console/answer.h"
#include "job/cron.h"
#include "screen/plot.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "system/conf.h"

/* Which days a reader of these screens asks for. */
struct statistics_days {
	struct ctx *c;
	const struct visit *v;
	const char *path; /* of the screen, below the root */
	struct form form; /* "From" and "To" */
	int64_t last; /* the preset; 0: the days of the form */
};

/* The page of Statistics. */
struct statistics_page {
	struct ctx *c;
	const struct visit *v;
	struct statistics_days days;
	struct statistics s;
};

static const struct field fields[] = {
	{ .name = "from", .label = tr_mark("From"), .kind = FIELD_DATE },
	{ .name = "to", .label = tr_mark("To"), .kind = FIELD_DATE },
	{ .name = "show", .label = tr_mark("Show"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

static const struct {
	int64_t days;
	const char *label;
} presets[] = {
	{ 7, tr_mark("7 days") },
	{ 30, tr_mark("30 days") },
	{ 90, tr_mark("90 days") },
	{ 365, tr_mark("12 months") },
};

#define PRESETS (sizeof(presets) / sizeof(presets[0]))

/* ---- days */

/* Returns the preset that the query names; 0: none. */
static int64_t
preset_of(const struct statistics_days *d)
{
	const char *text = console_query(d->c, d->v, "period");

	for (size_t i = 0; text != NULL && i < PRESETS; i++) {
		if (strcmp(text, arena_printf(d->c->arena, "%" PRId64, presets[i].days)) == 0)
			return presets[i].days;
	}
	return 0;
}

/* Reads the query into `d` and the period. Returns false if a date is wrong: the form says
 * so. */
static bool
statistics_read_days(struct statistics_days *d, struct statistics_period *period)
{
	static const char *const names[] = { "from", "to" };
	struct form_value values[2];
	size_t count = 0;
	bool good;

	for (size_t i = 0; i < 2; i++) {
		const char *text = console_query(d->c, d->v, names[i]);
		if (text != NULL)
			values[count++] = (struct form_value) { names[i], text, strlen(text) };
	}
	*period = (struct statistics_period) { .last = 0 };
	form_init(&d->form, "days", fields);
	good = form_read(d->c, &d->form, values, count);
	period->from_given = good && form_text(&d->form, "from") != NULL;
	period->to_given = good && form_text(&d->form, "to") != NULL;
	if (period->from_given)
		period->from = form_number(&d->form, "from");
	if (period->to_given)
		period->to = form_number(&d->form, "to");
	d->last = preset_of(d);
	if (d->last == 0 && !period->from_given && !period->to_given)
		d->last = STATISTICS_SHOWN;
	if (period->from_given || period->to_given)
		d->last = 0;
	period->last = d->last;
	return good;
}

/* Puts the refusal of a period beside its field; returns every other one. */
static struct err *
statistics_refused(struct statistics_days *d, struct reply *reply, struct err *err)
{
	if (err->code != ERR_INVALID || err->param == NULL)
		return err;
	form_refuse(&d->form, err->param, err->message);
	reply->status = 422;
	return NULL;
}

static const char *
address_of(const struct statistics_days *d, const char *path, int64_t last)
{
	struct buf out;

	buf_init(&out, d->c->arena, (size_t)16 * 1024);
	buf_add_text(&out, console_path(d->c, d->v, "%s", path));
	if (last != 0 && last != STATISTICS_SHOWN)
		screen_address_add(&out, "period", arena_printf(d->c->arena, "%" PRId64, last));
	if (last == 0) {
		screen_address_add(&out, "from", form_text(&d->form, "from"));
		screen_address_add(&out, "to", form_text(&d->form, "to"));
	}
	return buf_done(&out);
}

/* Returns an address below the screens of the workspace with the days in its query. */
static const char *
statistics_address(const struct statistics_days *d, const char *path)
{
	return address_of(
	    d, arena_printf(d->c->arena, "/%s/statistics%s", d->v->workspace->uuid, path), d->last);
}

/* Writes the choice of days: links and a form. */
static void
statistics_write_days(struct hwrite *w, const struct statistics_days *d)
{
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "noprint");
	hwrite_open(w, H_NAV);
	hwrite_attr(w, A_CLASS, "filters");
	hwrite_attr(w, A_ARIA_LABEL, tr("Period"));
	hwrite_open(w, H_UL);
	for (size_t i = 0; i < PRESETS; i++) {
		hwrite_open(w, H_LI);
		hwrite_open(w, H_A);
		hwrite_address(w, A_HREF, address_of(d, d->path, presets[i].days));
		if (d->last == presets[i].days)
			hwrite_attr(w, A_ARIA_CURRENT, "true");
		hwrite_text(w, tr(presets[i].label));
		hwrite_close(w, H_A);
		hwrite_close(w, H_LI);
	}
	hwrite_close(w, H_UL);
	hwrite_close(w, H_NAV);
	form_write(w, &d->form,
	    &(struct form_head) {
		.search = true, .action = console_path(d->c, d->v, "%s", d->path) });
	hwrite_close(w, H_DIV);
}

/* ---- numbers and lists */

/* Returns a number as a text; "–" for -1. */
static const char *
statistics_number(struct ctx *c, int64_t value)
{
	return value < 0 ? "–" : arena_printf(c->arena, "%" PRId64, value);
}

/* Writes an item of a list of figures: what is counted, and the number. */
static void
statistics_figure(struct hwrite *w, struct ctx *c, const char *label, int64_t value)
{
	hwrite_open(w, H_LI);
	hwrite_element(w, H_SPAN, label);
	hwrite_text(w, " ");
	hwrite_element(w, H_STRONG, statistics_number(c, value));
	hwrite_close(w, H_LI);
}

/* Writes a cell with a day. */
static void
statistics_day_cell(struct screen_table *t, struct ctx *c, int64_t day)
{
	char text[CLOCK_TEXT];

	statistics_day_text(text, day);
	screen_cell_begin(t);
	hwrite_open(t->w, H_TIME);
	hwrite_attr(t->w, A_DATETIME, text);
	hwrite_text(t->w, say_day_text(c, day));
	hwrite_close(t->w, H_TIME);
	screen_cell_end(t);
}

/* Writes the labels of a kind as a table; nothing if there are none. */
static void
statistics_write_list(struct hwrite *w, struct ctx *c, const char *title, const char *column,
    const struct statistics_list *list, const char *(*in_words)(const char *label))
{
	const struct screen_column columns[] = {
		{ .label = column },
		{ .label = tr_mark("Views"), .number = true },
		{ .label = NULL },
	};
	struct screen_table t;

	if (list->count == 0)
		return;
	hwrite_element(w, H_H2, title);
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "sums");
	screen_table_begin(&t, w, title, columns);
	for (size_t i = 0; i < list->count; i++) {
		const char *label = list->rows[i].name;
		screen_row_begin(&t);
		if (strcmp(label, VIEW_OTHER) == 0)
			screen_cell(&t, tr("All others"));
		else
			screen_cell(&t, in_words != NULL ? in_words(label) : label);
		screen_cell(&t, statistics_number(c, list->rows[i].count));
		screen_row_end(&t);
	}
	screen_table_end(&t);
	hwrite_close(w, H_DIV);
}

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

/* ---- the collector: what it took and refused, and what helps where nothing is counted */

/* Why nothing is counted, and whether the settings help. */
static const struct {
	const char *sentence;
	bool settings;
} silences[] = {
	[STATISTICS_COUNTS] = { NULL, false },
	[STATISTICS_OFF] = { tr_mark(
				 "Readers are not counted: “Count readers” is off in the settings."),
	    true },
	[STATISTICS_RESTS] = { tr_mark("Readers are not counted while the account is suspended."),
	    false },
	[STATISTICS_NO_ORIGIN] = { tr_mark(
				       "Readers are not counted: the settings name no site that may count them."),
	    true },
	[STATISTICS_NO_HIT] = { tr_mark(
				    "Nothing came yet. Put the line below into your website, and let it tell when a reader consents."),
	    false },
	[STATISTICS_NO_FRAME] = { tr_mark(
				      "Nothing came yet. Your pages count their readers in a frame, once the website around it says that the reader consents."),
	    false },
	[STATISTICS_QUIET] = { tr_mark(
				   "Nothing came for three days. Look whether your website still has the line below, and still tells when a reader consents."),
	    false },
};

/* Writes why nothing is counted and what helps, if that is so. */
static void
statistics_write_silence(
    struct hwrite *w, struct ctx *c, const struct visit *v, enum statistics_silence silence)
{
	const char *sentence = silences[silence].sentence;

	if (sentence == NULL)
		return;
	if (silences[silence].settings && console_may(v, RIGHT_MANAGE))
		screen_notice_link(w, SCREEN_WARNING, tr(sentence),
		    console_path(c, v, "/%s/settings#settings-%s", v->workspace->uuid,
			silence == STATISTICS_OFF ? "analytics-enabled" : "analytics-origins"),
		    tr("Settings"));
	else
		screen_notice(w, SCREEN_WARNING, "%s", tr(sentence));
}

static void
write_line(struct hwrite *w, const struct statistics_page *p)
{
	const struct workspace *space = p->v->workspace;
	const char *script = pages_script_of(p->c, "collect.js");

	if (!space->analytics_enabled || space->analytics_origins[0] == '\0' || script == NULL)
		return;
	hwrite_element(w, H_P,
	    tr("Each page of your website needs this line. It sends nothing before the page says that the reader consents: galley.consent(true)."));
	screen_copy(w, tr("the line"),
	    arena_printf(p->c->arena, "<script src=\"%s\" data-site=\"%s\" defer></script>", script,
		space->analytics_site_id));
	hwrite_open(w, H_P);
	screen_sentence(w, tr("Sites that may count readers: %s"), space->analytics_origins);
	hwrite_close(w, H_P);
}

static void
write_fact(struct hwrite *w, const struct statistics_page *p, const char *name, int64_t value)
{
	hwrite_element(w, H_DT, name);
	hwrite_element(w, H_DD, statistics_number(p->c, value));
}

static void
write_facts(struct hwrite *w, const struct statistics_page *p)
{
	const struct report_health *h = &p->s.health;

	hwrite_open(w, H_DL);
	write_fact(w, p, tr("Accepted"), h->accepted);
	write_fact(w, p, tr("Refused: of another site"), h->refused_origin);
	write_fact(w, p, tr("Refused: without consent"), h->without_consent);
	write_fact(
	    w, p, tr("Refused: too many from one address, in the whole instance"), h->limited);
	hwrite_element(w, H_DT, tr("The last one that was accepted"));
	hwrite_open(w, H_DD);
	say_time(w, h->last_hit_at);
	hwrite_close(w, H_DD);
	hwrite_close(w, H_DL);
	if (h->last_hit_at != 0)
		hwrite_element(w, H_P, tr("Some minutes may pass until a view is seen here."));
	if (h->refused_origin > 0)
		hwrite_element(w, H_P,
		    tr("Somebody sent views from a site that the settings do not name. If it is yours, add it there."));
}

/* Writes what the collector took and refused, and the line for the website. */
static void
statistics_write_health(struct hwrite *w, const struct statistics_page *p)
{
	struct cron cron;

	hwrite_element(w, H_H2, tr("What the collector took"));
	write_facts(w, p);
	cron_look(p->c, &cron);
	console_runner(w, &cron, console_may(p->v, RIGHT_OPERATE));
	write_line(w, p);
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

/* ---- the page */

static void
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

#define ARTICLES 100

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct statistics_page *p = arena_alloc(c->arena, sizeof(*p));
	struct err *err;

	p->c = c;
	p->v = v;
	p->days = (struct statistics_days) {
		.c = c, .v = v, .path = arena_printf(c->arena, "/%s/statistics", v->workspace->uuid)
	};
	p->s.articles_max = ARTICLES;
	p->s.credits = (v->rights & RIGHT_MANAGE) != 0;
	if (!statistics_read_days(&p->days, &p->s.period)) {
		reply->status = 422;
		console_page(c, v, reply, NULL, NULL, statistics_write, p);
		return NULL;
	}
	err = statistics_read(c, v->workspace, &p->s);
	if (err != NULL)
		err = statistics_refused(&p->days, reply, err);
	if (err == NULL)
		console_page(c, v, reply, NULL, NULL, statistics_write, p);
	return err;
}

/* ---- one article: its days, its referrers */

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
write_article_plot(struct hwrite *w, const struct page *p)
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
write_article_table(struct hwrite *w, const struct page *p)
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
		write_article_plot(w, p);
		write_article_table(w, p);
		statistics_write_list(
		    w, p->c, tr("Referrers"), tr_mark("Host"), &p->s.referrers, NULL);
		hwrite_element(w, H_P,
		    arena_printf(p->c->arena, tr("Referrers of an article are kept for %d days."),
			VIEW_REFERRER_DAYS));
	}
	write_links(w, p);
}

static struct err *
show_article(struct ctx *c, struct visit *v, struct reply *reply)
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

/* ---- as files: what `galley stats export --csv` and `galley stats show --json` print */

#define BYTES_MAX ((size_t)32 * 1024 * 1024)

/* Reads the days that are asked, or refuses them. */
static struct err *
read_period(struct ctx *c, const struct visit *v, struct statistics_period *period)
{
	struct statistics_days *d = arena_alloc(c->arena, sizeof(*d));

	d->c = c;
	d->v = v;
	if (!statistics_read_days(d, period))
		return refuse(c, ERR_INVALID,
		    tr_mark(
			"The period is no period: its days are dates (2026-09-01), and the last one is not before the first one."));
	return NULL;
}

static void
send(struct reply *reply, const char *type, const char *name)
{
	reply->type = type;
	head_add(reply, "no-store");
	reply_header(reply, "Content-Disposition", "attachment; filename=\"%s\"", name);
}

struct csv {
	struct buf *out;
	bool too_long;
};

static void
add_row(void *arg, const struct report_row *row)
{
	struct csv *csv = arg;

	csv->too_long = csv->too_long || csv->out->len > BYTES_MAX;
	if (!csv->too_long)
		statistics_row_to_csv(csv->out, row);
}

static struct err *
csv(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct statistics_period period;
	struct csv csv = { .out = &reply->body };
	struct err *err = read_period(c, v, &period);

	if (err != NULL)
		return err;
	buf_lit(&reply->body, STATISTICS_CSV_HEAD);
	err = statistics_list(c, v->workspace, &period, add_row, NULL, &csv);
	if (err == NULL && csv.too_long)
		err = refuse(c, ERR_TOO_LARGE,
		    tr_mark("This period has too many counts for one file. Choose a shorter one."));
	if (err == NULL)
		send(reply, "text/csv; charset=utf-8", "statistics.csv");
	return err;
}

static struct err *
json(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct statistics *s = arena_alloc(c->arena, sizeof(*s));
	struct err *err = read_period(c, v, &s->period);
	struct jwrite w;

	s->articles_max = STATISTICS_ARTICLES_MAX;
	if (err == NULL)
		err = statistics_read(c, v->workspace, s);
	if (err != NULL)
		return err;
	jwrite_init(&w, &reply->body);
	statistics_to_json(&w, s);
	buf_lit(&reply->body, "\n");
	send(reply, "application/json", "statistics.json");
	return NULL;
}

const struct console_row statistics_screens[] = {
	{ .method = "GET",
	    .pattern = "/W/statistics",
	    .title = tr_mark("Statistics"),
	    .need = RIGHT_READ,
	    .handler = show },
	{ .method = "GET",
	    .pattern = "/W/statistics/articles/ID",
	    .title = tr_mark("Statistics of an article"),
	    .need = RIGHT_READ,
	    .handler = show_article },
	{ .method = "GET",
	    .pattern = "/W/statistics/csv",
	    .title = tr_mark("Download as CSV"),
	    .need = RIGHT_READ,
	    .handler = csv },
	{ .method = "GET",
	    .pattern = "/W/statistics/json",
	    .title = tr_mark("Download as JSON"),
	    .need = RIGHT_READ,
	    .handler = json },
	{ .method = NULL },
};
