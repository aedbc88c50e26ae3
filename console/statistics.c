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
#include "console/page.h"
#include "job/cron.h"
#include "screen/plot.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "system/conf.h"

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

/* Writes the choice of days: links and a form. */
static void
statistics_write_days(struct hwrite *w, const struct page *p, const struct statistics_days *d)
{
	@ <div class="noprint">
	@ <nav class="filters" aria-label="Period"><ul>
	for (size_t i = 0; i < PRESETS; i++)
		@ <li><a href={address_of(p, d, d->path, presets[i].days)}
		@     aria-current={d->last == presets[i].days ? "true" : NULL}>
		@ {=tr(presets[i].label)}</a></li>
	@ </ul></nav>
	form_write(w, &d->form, &(struct form_head) { .search = true, .action = d->path });
	@ </div>
}

/* ---- numbers and lists */

/* Returns a number as a text; "–" for -1. */
static const char *
statistics_number(struct ctx *c, int64_t value)
{
	return value < 0 ? "–" : arena_printf(c->arena, "%" PRId64, value);
}

/* Writes a cell with a day. */
static void
statistics_day_cell(struct hwrite *w, struct ctx *c, int64_t day)
{
	char text[CLOCK_TEXT];

	statistics_day_text(text, day);
	@ <cell><time datetime={text}>{=say_day_text(c, day)}</time></cell>
}

/* Writes the labels of a kind as a table; nothing if there are none. */
static void
statistics_write_list(struct hwrite *w, const char *title, const char *column,
    const struct statistics_list *list, const char *(*in_words)(const char *label))
{
	if (list->count == 0)
		return;
	@ <h2>{=title}</h2>
	@ <div class="sums">
	@ <list caption={title} columns="{column}|Views#">
	for (size_t i = 0; i < list->count; i++) {
		const char *label = list->rows[i].name;
		if (strcmp(label, VIEW_OTHER) == 0)
			label = tr("All others");
		else if (in_words != NULL)
			label = in_words(label);
		@ <row><cell>{label}</cell><cell>{list->rows[i].count}</cell></row>
	}
	@ </list>
	@ </div>
}

/* ---- days */

enum what { VIEWS, VISITORS };

static int64_t
value_of(const struct statistics_day *day, enum what what)
{
	return what == VIEWS ? day->views : day->visitors;
}

static int64_t
sum_of(const struct statistics *s, const struct statistics_day *days)
{
	int64_t sum = 0;

	for (size_t i = 0; i < s->day_count; i++)
		sum += days[i].views;
	return sum;
}

static int64_t
most_visitors(const struct statistics *s)
{
	int64_t most = 0;

	for (size_t i = 0; i < s->day_count; i++)
		most = s->days[i].visitors > most ? s->days[i].visitors : most;
	return most;
}

static void
write_figures(struct hwrite *w, struct ctx *c, const struct statistics *s)
{
	const char *before = statistics_number(c, s->compared ? sum_of(s, s->before) : -1);

	@ <ul class="figures">
	@ <li><span>Views</span> <strong>{sum_of(s, s->days)}</strong></li>
	@ <li><span>Views in as many days before</span> <strong>{=before}</strong></li>
	@ <li><span>Most visitors on a day</span> <strong>{most_visitors(s)}</strong></li>
	@ </ul>
	@ <p>Days are those of the time zone {s->time_zone}. Counting began on
	@ {say_day_text(c, s->first_day)}.
	if (!s->compared)
		@ {=" "}Not all of the days before were counted.
	@ </p>
}

static const int64_t *
values_of(
    struct ctx *c, const struct statistics *s, const struct statistics_day *days, enum what what)
{
	int64_t *values = arena_array(c->arena, s->day_count, sizeof(*values));

	for (size_t i = 0; i < s->day_count; i++)
		values[i] = value_of(&days[i], what);
	return values;
}

static void
write_plot(struct hwrite *w, struct ctx *c, const struct statistics *s, enum what what)
{
	const char *first = say_day_text(c, s->from);
	const char *last = say_day_text(c, s->to);
	const struct plot_line lines[] = {
		{ tr("This period"), values_of(c, s, s->days, what), false },
		{ tr("As many days before"), values_of(c, s, s->before, what), true },
	};
	const char *described = arena_printf(c->arena,
	    s->compared
		? tr("Each day from %s to %s, and as many days before. The table has the numbers.")
		: tr("Each day from %s to %s. The table has the numbers."),
	    first, last);

	plot_write_lines(w, what == VIEWS ? "views" : "visitors",
	    what == VIEWS ? tr("Views by day") : tr("Visitors by day"), described, first, last,
	    lines, s->compared ? 2 : 1, s->day_count);
}

/* Writes what a day had; “–” if it was before counting began. */
static void
write_cells(struct hwrite *w, bool counted, const struct statistics_day *had)
{
	if (counted)
		@ <cell>{had->views}</cell><cell>{had->visitors}</cell>
	else
		@ <cell>–</cell><cell>–</cell>
}

static void
write_table(struct hwrite *w, struct ctx *c, const struct statistics *s)
{
	@ <details class="noprint"><summary>The same as a table</summary>
	@ <list caption="Views and visitors by day; before: in the day of the same place of as many
	@     days before" columns="Day|Views#|Visitors#|Views before#|Visitors before#">
	for (size_t i = 0; i < s->day_count; i++) {
		int64_t day = s->from + (int64_t)i, before = day - (int64_t)s->day_count;
		@ <row>
		statistics_day_cell(w, c, day);
		write_cells(w, day >= s->first_day, &s->days[i]);
		write_cells(w, before >= s->first_day, &s->before[i]);
		@ </row>
	}
	@ </list>
	@ </details>
}

static void
write_days(struct hwrite *w, struct ctx *c, const struct statistics *s)
{
	write_figures(w, c, s);
	@ <h2>Views by day</h2>
	write_plot(w, c, s, VIEWS);
	@ <h2>Visitors by day</h2>
	write_plot(w, c, s, VISITORS);
	@ <p>A visitor is known again on the same day only. So the visitors of days do not add up to
	@ the visitors of a week or a month: who comes on two days is counted twice.</p>
	write_table(w, c, s);
}

/* ---- articles */

static void
write_article(struct hwrite *w, const struct page *p, const struct statistics_article *a)
{
	const struct statistics_page *s = p->data;

	@ <row><cell>
	if (a->title != NULL)
		@ <a href={address_of(p, &s->days, page_path(p, "/W/statistics/articles/%s", a->id),
		@     s->days.last)}>{a->title}</a>
	else
		@ {tr("An article that is gone")}
	@ </cell>
	@ <cell>{statistics_number(p->c, a->views)}</cell>
	@ <cell>{statistics_number(p->c, a->first_7)}</cell>
	@ <cell>{statistics_number(p->c, a->first_30)}</cell>
	@ <cell>{statistics_number(p->c, a->since)}</cell>
	if (s->s.credits)
		@ <cell>{a->credits < 0 ? NULL : statistics_number(p->c, a->credits)}</cell>
	@ </row>
}

static void
write_articles(struct hwrite *w, const struct page *p, const struct statistics *s)
{
	@ <h2>Articles</h2>
	if (s->article_count == 0) {
		@ <p>No article was read in this time.</p>
		return;
	}
	@ <list caption="Articles, those with the most views first" columns="Article|Views#|
	@     First 7 days#|First 30 days#|Since its last publication#|Credits#?{s->credits}">
	for (size_t i = 0; i < s->article_count; i++)
		write_article(w, p, &s->articles[i]);
	@ </list>
	if (s->article_all > s->article_count)
		@ <p>These are the first {s->article_count} of {s->article_all} articles that were
		@ read.</p>
	@ <p>The first days of an article begin with the day of its first publication; “–” is
	@ written where counting began later.</p>
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
statistics_write_silence(struct hwrite *w, const struct page *p, enum statistics_silence silence)
{
	const char *sentence = silences[silence].sentence;

	if (sentence == NULL)
		return;
	if (silences[silence].settings && console_may(p->v, RIGHT_MANAGE))
		screen_notice_link(w, SCREEN_WARNING, tr(sentence),
		    silence == STATISTICS_OFF
			? page_path(p, "/W/settings#settings-analytics-enabled")
			: page_path(p, "/W/settings#settings-analytics-origins"),
		    tr("Settings"));
	else
		@ <notice warning><p>{=tr(sentence)}</p></notice>
}

static void
write_line(struct hwrite *w, const struct page *p)
{
	const struct workspace *space = p->v->workspace;
	const char *script = pages_script_of(p->c, "collect.js");

	if (!space->analytics_enabled || space->analytics_origins[0] == '\0' || script == NULL)
		return;
	@ <p>Each page of your website needs this line. It sends nothing before the page says that
	@ the reader consents: galley.consent(true).</p>
	screen_copy(w, tr("the line"),
	    arena_printf(p->c->arena, "<script src=\"%s\" data-site=\"%s\" defer></script>", script,
		space->analytics_site_id));
	@ <p>Sites that may count readers: {space->analytics_origins}</p>
}

/* Writes what the collector took and refused, and the line for the website. */
static void
statistics_write_health(struct hwrite *w, const struct page *p, const struct report_health *h)
{
	struct cron cron;

	@ <h2>What the collector took</h2>
	@ <dl><dt>Accepted</dt><dd>{h->accepted}</dd>
	@ <dt>Refused: of another site</dt><dd>{h->refused_origin}</dd>
	@ <dt>Refused: without consent</dt><dd>{h->without_consent}</dd>
	@ <dt>Refused: too many from one address, in the whole instance</dt><dd>{h->limited}</dd>
	@ <dt>The last one that was accepted</dt><dd>{!say_time(w, h->last_hit_at)}</dd></dl>
	if (h->last_hit_at != 0)
		@ <p>Some minutes may pass until a view is seen here.</p>
	if (h->refused_origin > 0)
		@ <p>Somebody sent views from a site that the settings do not name. If it is yours,
		@ add it there.</p>
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
write_lists(struct hwrite *w, const struct statistics *s)
{
	statistics_write_list(w, tr("Referrers"), tr("Host"), &s->referrers, NULL);
	statistics_write_list(w, tr("Campaigns"), tr("Campaign"), &s->campaigns, NULL);
	statistics_write_list(w, tr("Languages"), tr("Language"), &s->languages, NULL);
	statistics_write_list(
	    w, tr("Widths"), tr("Width of the window"), &s->widths, width_in_words);
	statistics_write_list(w, tr("Bots"), tr("Why it is one"), &s->bots, NULL);
	if (s->bots.count > 0)
		@ <p>Bots are not among the views above.</p>
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

	if (s->days.form.errors > 0) {
		statistics_write_days(w, p, &s->days);
		return;
	}
	statistics_write_silence(w, p, s->s.silence);
	if (s->s.first_day != INT64_MAX) {
		statistics_write_days(w, p, &s->days);
		write_days(w, p->c, &s->s);
		write_articles(w, p, &s->s);
		write_lists(w, &s->s);
	}
	statistics_write_health(w, p, &s->s.health);
	if (s->s.first_day != INT64_MAX)
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

	@ <ul class="figures">
	@ <li><span>Views</span> <strong>{=statistics_number(c, a->views)}</strong></li>
	@ <li><span>First 7 days</span> <strong>{=statistics_number(c, a->first_7)}</strong></li>
	@ <li><span>First 30 days</span> <strong>{=statistics_number(c, a->first_30)}</strong></li>
	@ <li><span>Since its last publication</span>
	@ {=" "}<strong>{=statistics_number(c, a->since)}</strong></li>
	@ </ul>
	if (a->published)
		@ <p>First published on {say_day_text(c, a->first_day)}, last on
		@ {say_day_text(c, a->last_day)}. Days are those of the time zone
		@ {s->time_zone}.</p>
	else
		@ <p>This article was never published.</p>
}

static void
write_article_plot(struct hwrite *w, struct ctx *c, const struct statistics_of *s)
{
	const char *first = say_day_text(c, s->from);
	const char *last = say_day_text(c, s->to);
	struct plot_point *points = arena_array(c->arena, s->day_count, sizeof(*points));

	for (size_t i = 0; i < s->day_count; i++)
		points[i].value = s->days[i].views;
	points[0].label = first;
	points[s->day_count - 1].label = last;
	if (s->day_count == 1)
		points[0].label = first;
	plot_write(w, "views", tr("Views by day"),
	    arena_printf(
		c->arena, tr("Each day from %s to %s. The table has the numbers."), first, last),
	    points, s->day_count);
}

static void
write_article_table(struct hwrite *w, struct ctx *c, const struct statistics_of *s)
{
	@ <details class="sums noprint"><summary>The same as a table</summary>
	@ <list caption="Views by day" columns="Day|Views#">
	for (size_t i = 0; i < s->day_count; i++) {
		@ <row>
		statistics_day_cell(w, c, s->from + (int64_t)i);
		@ <cell>{s->days[i].views}</cell></row>
	}
	@ </list>
	@ </details>
}

static void
write_page(struct hwrite *w, const void *data)
{
	const struct page *p = data;
	const struct article_page *s = p->data;

	if (!p->v->workspace->analytics_enabled)
		statistics_write_silence(w, p, STATISTICS_OFF);
	else if (p->v->account->suspended)
		statistics_write_silence(w, p, STATISTICS_RESTS);
	statistics_write_days(w, p, &s->days);
	if (s->days.form.errors == 0) {
		write_sums(w, p->c, &s->s);
		@ <h2>Views by day</h2>
		write_article_plot(w, p->c, &s->s);
		write_article_table(w, p->c, &s->s);
		statistics_write_list(w, tr("Referrers"), tr("Host"), &s->s.referrers, NULL);
		@ <p>Referrers of an article are kept for {VIEW_REFERRER_DAYS} days.</p>
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
