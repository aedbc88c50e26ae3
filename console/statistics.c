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
#include "console/choices.h"
#include "console/page.h"
#include "counting.h"
#include "screen/plot.h"
#include "screen/say.h"
#include "screen/tr.h"

/* Which days a reader of these screens asks for. */
struct statistics_days {
	const char *path; /* of the screen */
	struct form form; /* "From" and "To" */
	int64_t last; /* the preset; 0: the days of the form */
};

/* The page of Statistics. */
struct statistics_page {
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
preset_of(const struct page *p)
{
	const char *text = console_query(p->c, p->v, "period");

	for (size_t i = 0; text != NULL && i < PRESETS; i++) {
		if (strcmp(text, arena_printf(p->c->arena, "%" PRId64, presets[i].days)) == 0)
			return presets[i].days;
	}
	return 0;
}

/* Reads the query into `d` and the period. Returns false if a date is wrong: the form says
 * so. */
static bool
statistics_read_days(
    const struct page *p, struct statistics_days *d, struct statistics_period *period)
{
	static const char *const names[] = { "from", "to" };
	struct form_value values[2];
	size_t count = 0;
	bool good;

	for (size_t i = 0; i < 2; i++) {
		const char *text = console_query(p->c, p->v, names[i]);
		if (text != NULL)
			values[count++] = (struct form_value) { names[i], text, strlen(text) };
	}
	*period = (struct statistics_period) { .last = 0 };
	form_init(&d->form, "days", fields);
	good = form_read(p->c, &d->form, values, count);
	period->from_given = good && form_text(&d->form, "from") != NULL;
	period->to_given = good && form_text(&d->form, "to") != NULL;
	if (period->from_given)
		period->from = form_number(&d->form, "from");
	if (period->to_given)
		period->to = form_number(&d->form, "to");
	d->last = preset_of(p);
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

/* Returns an address with the days in its query. */
static const char *
address_of(const struct page *p, const struct statistics_days *d, const char *path, int64_t last)
{
	struct buf out;

	buf_init(&out, p->c->arena, (size_t)16 * 1024);
	buf_add_text(&out, path);
	if (last != 0 && last != STATISTICS_SHOWN)
		screen_address_add(&out, "period", arena_printf(p->c->arena, "%" PRId64, last));
	if (last == 0) {
		screen_address_add(&out, "from", form_text(&d->form, "from"));
		screen_address_add(&out, "to", form_text(&d->form, "to"));
	}
	return buf_done(&out);
}

/* Writes the choice of days: links, and a form for others. */
static void
statistics_write_days(struct hwrite *w, const struct page *p, const struct statistics_days *d)
{
	bool other = d->last == 0 || d->form.errors > 0;

	@ <div class="bar-of noprint">
	@ <nav aria-label="Period"><ul class="tabs">
	for (size_t i = 0; i < PRESETS; i++)
		@ <li><a href={address_of(p, d, d->path, presets[i].days)}
		@     aria-current={d->last == presets[i].days ? "true" : NULL}>
		@ {=tr(presets[i].label)}</a></li>
	@ </ul></nav></div>
	@ <details class="noprint" open={other}><summary>Other days</summary>
	form_write(w, &d->form, &(struct form_head) { .search = true, .action = d->path });
	@ </details>
}

/* ---- numbers and lists */

/* Returns a number as a text; "–" for -1. */
static const char *
statistics_number(struct ctx *c, int64_t value)
{
	return value < 0 ? "–" : tr_number(c->arena, value);
}

/* How many of a list have a bar. */
#define SHARES 10

/* Writes a label with its part of all. */
static void
write_share(struct hwrite *w, struct ctx *c, const char *label, int64_t count, int64_t all)
{
	int64_t part = all > 0 ? (100 * count + all / 2) / all : 0;

	@ <li class="share"><span>{label}</span><span class="num">{count}</span>
	@ <meter min="0" max={all > 0 ? all : 1} value={count}
	@     aria-label={arena_printf(c->arena, tr("%s: %lld %%"), label, (long long)part)}></meter></li>
}

static const char *
label_of(struct ctx *c, const struct statistics_list *list, size_t i,
    const char *(*in_words)(struct ctx *c, const char *label))
{
	const char *label = list->rows[i].name;

	if (strcmp(label, VIEW_OTHER) == 0)
		return tr("All others");
	return in_words != NULL ? in_words(c, label) : label;
}

/* Writes the labels of a kind as bars, and all of them as a table; nothing if there are none. `all`
 * views are those that could have a label; what has none came `directly` (NULL: is not told). */
static void
statistics_write_list(struct hwrite *w, struct ctx *c, const char *title, const char *column,
    const struct statistics_list *list, int64_t all, const char *directly,
    const char *(*in_words)(struct ctx *c, const char *label))
{
	int64_t sum = 0;

	if (list->count == 0)
		return;
	for (size_t i = 0; i < list->count; i++)
		sum += list->rows[i].count;
	if (all < sum)
		all = sum;
	@ <section class="box"><header><h2>{=title}</h2></header><ul class="shares">
	if (directly != NULL && all > sum)
		write_share(w, c, directly, all - sum, all);
	for (size_t i = 0; i < list->count && i < SHARES; i++)
		write_share(w, c, label_of(c, list, i, in_words), list->rows[i].count, all);
	@ </ul>
	@ <details class="noprint"><summary>The same as a table</summary><div class="sums">
	@ <list caption={title} columns="{column}|Views#">
	for (size_t i = 0; i < list->count; i++)
		@ <row><cell>{label_of(c, list, i, in_words)}</cell>
		@ <cell>{list->rows[i].count}</cell></row>
	@ </list></div>
	@ </details></section>
}

/* ---- days */

/* Sums of days. */
struct sums {
	int64_t views, readers, most; /* the most readers of a day */
};

static struct sums
sums_of(const struct statistics *s, const struct statistics_day *days)
{
	struct sums sums = { 0 };

	for (size_t i = 0; i < s->day_count; i++) {
		sums.views += days[i].views;
		sums.readers += days[i].visitors;
		sums.most = days[i].visitors > sums.most ? days[i].visitors : sums.most;
	}
	return sums;
}

/* Writes a sum, and how it changed. */
static void
write_sum(struct hwrite *w, struct ctx *c, const struct statistics *s, const char *label,
    int64_t now, int64_t before)
{
	@ <li><strong>{now}</strong>{=" "}{=label}
	if (s->compared && before > 0) {
		int64_t change = statistics_change(now, before);
		const char *said = arena_printf(c->arena, tr("%s%lld %%"),
		    change > 0	 ? "+"
		    : change < 0 ? "−"
				 : "",
		    (long long)llabs(change));
		@ {=" "}<span class={change > 0 ? "up" : change < 0 ? "down" : NULL}>{=said}
		@ <span class="heard">{=" "}compared with as many days before</span></span>
	}
	@ </li>
}

static void
write_sums_of_days(struct hwrite *w, struct ctx *c, const struct statistics *s)
{
	struct sums now = sums_of(s, s->days), before = sums_of(s, s->before);

	@ <ul class="nums">
	write_sum(w, c, s, tr("readers"), now.readers, before.readers);
	write_sum(w, c, s, tr("views"), now.views, before.views);
	write_sum(w, c, s, tr("readers on the best day"), now.most, before.most);
	write_sum(w, c, s, tr("articles read"), (int64_t)s->article_all, 0);
	@ </ul>
}

#define BARS_MAX 92 /* days with a bar each; of more each week has one */

/* What is shown of days. */
struct chart {
	int64_t from, first_day; /* the first one, and the first one that was counted */
	const struct statistics_day *days;
	size_t count;
	bool readers; /* and views in the table; else views alone */
	bool goes_on; /* the last day is today */
};

/* Writes a bar for each day, or each week. */
static void
write_bars(struct hwrite *w, struct ctx *c, const struct chart *k)
{
	size_t step = k->count > BARS_MAX ? 7 : 1, bars = (k->count + step - 1) / step;
	struct plot_point *points = arena_array(c->arena, bars, sizeof(*points));
	const char *title = k->readers ? (step == 1 ? tr("Readers a day") : tr("Readers a week"))
				       : (step == 1 ? tr("Views a day") : tr("Views a week"));

	for (size_t i = 0; i < k->count; i++)
		points[i / step].value += k->readers ? k->days[i].visitors : k->days[i].views;
	for (size_t i = 0; i < bars; i++)
		points[i].label = say_day_text(c, k->from + (int64_t)(i * step));
	if (k->goes_on && step == 1)
		points[bars - 1].label = tr("Today");
	@ <header><h2>{=title}</h2></header>
	plot_bars(w, title, points, bars, k->goes_on);
}

/* Writes them, and each day in a table: “–” if it was before counting began. */
static void
write_chart(struct hwrite *w, struct ctx *c, const struct chart *k)
{
	char text[CLOCK_TEXT];

	write_bars(w, c, k);
	@ <details class="noprint"><summary>The same as a table</summary>
	@ <list caption="Day by day, the last one first" columns="Day|Readers#?{k->readers}|Views#">
	for (size_t i = k->count; i-- > 0;) {
		int64_t day = k->from + (int64_t)i;
		bool counted = day >= k->first_day;
		statistics_day_text(text, day);
		@ <row><cell><time datetime={text} title={say_full_text(c, say_day_begin(c, day))}>
		@ {=say_day_text(c, day)}</time></cell>
		if (k->readers)
			@ <cell>{statistics_number(c, counted ? k->days[i].visitors : -1)}</cell>
		@ <cell>{statistics_number(c, counted ? k->days[i].views : -1)}</cell></row>
	}
	@ </list>
	@ </details>
}

static void
write_days(struct hwrite *w, struct ctx *c, const struct statistics *s)
{
	write_sums_of_days(w, c, s);
	@ <section class="box">
	write_chart(w, c,
	    &(struct chart) {
		s->from, s->first_day, s->days, s->day_count, true, s->to == s->today });
	@ <p class="soft small">A reader is known again on the same day only: a reader of two days is
	@ counted twice. Days are those of the time zone {s->time_zone}. Counting began on
	@ {say_day_text(c, s->first_day)}.
	if (!s->compared)
		@ {=" "}Not all of the days before were counted.
	@ </p></section>
}

/* ---- articles */

static void
write_article(
    struct hwrite *w, const struct page *p, const struct statistics_article *a, int64_t most)
{
	const struct statistics_page *s = p->data;

	@ <row><cell><div class="share"><span>
	if (a->title != NULL)
		@ <a href={address_of(p, &s->days, page_path(p, "/W/statistics/articles/%s", a->id),
		@     s->days.last)}>{a->title}</a>
	else
		@ {=tr("An article that is gone")}
	@ </span>
	@ <meter min="0" max={most > 0 ? most : 1} value={a->views} aria-label="Views"></meter></div>
	@ </cell>
	@ <cell>{statistics_number(p->c, a->views)}</cell>
	@ <cell>{statistics_number(p->c, a->first_7)}</cell>
	@ <cell>{statistics_number(p->c, a->first_30)}</cell>
	if (s->s.credits)
		@ <cell>{a->credits < 0 ? NULL : statistics_number(p->c, a->credits)}</cell>
	@ </row>
}

static void
write_articles(struct hwrite *w, const struct page *p, const struct statistics *s)
{
	@ <list caption="Articles, those with the most views first" columns="Article|Views#|
	@     First 7 days#|First 30 days#|Credits#?{s->credits}">
	for (size_t i = 0; i < s->article_count; i++)
		write_article(w, p, &s->articles[i], s->articles[0].views);
	@ </list>
	if (s->article_all > s->article_count)
		@ <p>These are the first {s->article_count} of {s->article_all} articles that were
		@ read.</p>
	@ <p class="soft small">The first days of an article begin with the day of its first publication;
	@ “–” is written where counting began later.</p>
}

/* ---- where from, and with what */

static const char *
width_in_words(struct ctx *c, const char *label)
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

	(void)c;
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		if (strcmp(widths[i].label, label) == 0)
			return tr(widths[i].words);
	}
	return label;
}

/* Writes the articles with the websites that led to them beside, and below who read. */
static void
write_lists(struct hwrite *w, const struct page *p, const struct statistics *s)
{
	int64_t views = sums_of(s, s->days).views;

	@ <div class={s->referrers.count > 0 ? "split" : NULL}>
	@ <section><div class="bar-of"><h2>Articles</h2></div>
	if (s->article_count > 0)
		write_articles(w, p, s);
	else
		@ <p>No article was read in this time.</p>
	@ </section>
	statistics_write_list(w, p->c, tr("Where they come from"), tr("Host"), &s->referrers, views,
	    tr("Directly, or it was not told"), NULL);
	@ </div>
	@ <div class="split even">
	statistics_write_list(w, p->c, tr("Campaigns"), tr("Campaign"), &s->campaigns, views,
	    tr("Without one"), NULL);
	statistics_write_list(w, p->c, tr("Languages"), tr("Language"), &s->languages, views, NULL,
	    choices_language_name);
	statistics_write_list(w, p->c, tr("Widths"), tr("Width of the window"), &s->widths, views,
	    NULL, width_in_words);
	statistics_write_list(w, p->c, tr("Bots, which are not among the views"),
	    tr("Why it is one"), &s->bots, 0, NULL, NULL);
	@ </div>
}

static void
write_files(struct hwrite *w, const struct page *p, const struct statistics_days *d)
{
	const char *csv = address_of(p, d, page_path(p, "/W/statistics/csv"), d->last);
	const char *json = address_of(p, d, page_path(p, "/W/statistics/json"), d->last);

	@ <h2>Files</h2>
	@ <p class="noprint"><a class="button" href={csv}>Download as CSV</a>
	@ {=" "}<a class="button" href={json}>Download as JSON</a></p>
	@ <p>The CSV has each count of these days, the paths of pages too. The JSON has what this
	@ page shows.</p>
}

/* ---- the page */

static void
statistics_write(struct hwrite *w, const void *data)
{
	const struct page *p = data;
	const struct statistics_page *s = p->data;
	bool wrong = s->days.form.errors > 0;

	if (!wrong && s->s.first_day == INT64_MAX) {
		counting_write_empty(w, p, s->s.silence);
		return;
	}
	statistics_write_days(w, p, &s->days);
	if (wrong)
		return;
	counting_write_silence(w, p, s->s.silence);
	write_days(w, p->c, &s->s);
	write_lists(w, p, &s->s);
	write_files(w, p, &s->days);
}

#define ARTICLES 100

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct statistics_page *s = arena_alloc(c->arena, sizeof(*s));
	const struct page p = { .c = c, .v = v, .data = s };
	struct err *err = NULL;

	s->days.path = page_path(&p, "/W/statistics");
	s->s.articles_max = ARTICLES;
	s->s.credits = (v->rights & RIGHT_MANAGE) != 0;
	if (!statistics_read_days(&p, &s->days, &s->s.period))
		reply->status = 422;
	else
		err = statistics_read(c, v->workspace, &s->s);
	if (err != NULL)
		err = statistics_refused(&s->days, reply, err);
	if (err == NULL)
		console_page(c, v, reply, NULL, NULL, statistics_write, &p);
	return err;
}

/* ---- one article: its days, its referrers */

struct article_page {
	struct statistics_days days;
	struct statistics_of s;
};

static void
write_sums(struct hwrite *w, struct ctx *c, const struct statistics_of *s)
{
	const struct statistics_article *a = &s->sums;

	@ <ul class="nums">
	@ <li><strong>{=statistics_number(c, a->views)}</strong>views</li>
	@ <li><strong>{=statistics_number(c, a->first_7)}</strong>first 7 days</li>
	@ <li><strong>{=statistics_number(c, a->first_30)}</strong>first 30 days</li>
	@ <li><strong>{=statistics_number(c, a->since)}</strong>since its last publication</li>
	@ </ul>
	if (a->published)
		@ <p>First published on {say_day_text(c, a->first_day)}, last on
		@ {say_day_text(c, a->last_day)}. Days are those of the time zone
		@ {s->time_zone}.</p>
	else
		@ <p>This article was never published.</p>
}

static void
write_page(struct hwrite *w, const void *data)
{
	const struct page *p = data;
	const struct article_page *s = p->data;

	if (!p->v->workspace->analytics_enabled)
		counting_write_silence(w, p, STATISTICS_OFF);
	else if (p->v->account->suspended)
		counting_write_silence(w, p, STATISTICS_RESTS);
	statistics_write_days(w, p, &s->days);
	if (s->days.form.errors == 0) {
		write_sums(w, p->c, &s->s);
		@ <section class="box">
		write_chart(w, p->c,
		    &(struct chart) { s->s.from, s->s.first_day, s->s.days, s->s.day_count, false,
			s->s.to == s->s.today });
		@ </section>
		statistics_write_list(w, p->c, tr("Where they come from"), tr("Host"),
		    &s->s.referrers, 0, NULL, NULL);
		@ <p class="soft small">Where they come from is kept for {VIEW_REFERRER_DAYS} days.</p>
	}
	@ <p class="noprint"><a class="button" href="/W/articles/{s->s.article->uuid}">
	@ Open the article</a>
	@ {=" "}<a class="button" href={address_of(p, &s->days, page_path(p, "/W/statistics"),
	@     s->days.last)}>Back to Statistics</a></p>
}

static struct err *
show_article(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct article_page *s = arena_alloc(c->arena, sizeof(*s));
	const struct page p = { .c = c, .v = v, .data = s };
	struct article *article;
	struct err *err = console_article(c, v, &article);

	if (err != NULL)
		return err;
	s->s.article = article;
	s->days.path = page_path(&p, "/W/statistics/articles/ID");
	if (!statistics_read_days(&p, &s->days, &s->s.period))
		reply->status = 422;
	else
		err = statistics_read_article(c, v->workspace, &s->s);
	if (err != NULL)
		err = statistics_refused(&s->days, reply, err);
	if (err == NULL)
		console_page(c, v, reply, article->title, tr("What readers read of this article"),
		    write_page, &p);
	return err;
}

/* ---- as files: what `galley stats export --csv` and `galley stats show --json` print */

#define BYTES_MAX ((size_t)32 * 1024 * 1024)

/* Reads the days that are asked, or refuses them. */
static struct err *
read_period(struct ctx *c, struct visit *v, struct statistics_period *period)
{
	struct statistics_days d;

	if (!statistics_read_days(&(const struct page) { .c = c, .v = v }, &d, period))
		return refuse(c, ERR_INVALID,
		    tr_mark(
			"Write the days of the period as dates, such as 2026-09-01. The last one must not be before the first one."));
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

SCREEN(statistics) = {
	{ "GET", "/W/statistics", .title = tr_mark("Statistics"), .need = RIGHT_READ,
	    .handler = show },
	{ "GET", "/W/statistics/articles/ID", .title = tr_mark("Statistics of an article"),
	    .need = RIGHT_READ, .handler = show_article },
	{ "GET", "/W/statistics/csv", .title = tr_mark("Download as CSV"), .need = RIGHT_READ,
	    .handler = csv },
	{ "GET", "/W/statistics/json", .title = tr_mark("Download as JSON"), .need = RIGHT_READ,
	    .handler = json },
	{ .method = NULL },
};
