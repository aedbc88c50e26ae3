#include "action/statistics-actions.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "access/account.h"
#include "access/pages-settings.h"
#include "access/workspace.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "stats/stats.h"
#include "store/db.h"
#include "system/zone.h"
#include "terminal/csv.h"

#define STATISTICS_DAY_MAX 1100 /* days of a period */

#define QUIET_DAYS 3

/* What all of these functions ask first. */
struct asking {
	struct ctx *c;
	const struct workspace *w;
	struct zone zone;
	int64_t today, from, to;
	int64_t first_day;
};

int64_t
statistics_change(int64_t now, int64_t before)
{
	return (200 * (now - before) + (now < before ? -before : before)) / (2 * before);
}

/* ---- days */

/* Returns the day that a clock in the zone shows at this time. */
static int64_t
day_of(const struct asking *a, int64_t at)
{
	return zone_local(&a->zone, at) / CLOCK_DAY;
}

/* Reads the zone in the present transaction of content. */
static void
read_zone(struct asking *a)
{
	if (!zone_load(a->c, time_zone_of(a->c, a->w->id), &a->zone))
		(void)zone_load(a->c, "UTC", &a->zone);
	a->today = day_of(a, a->c->now);
}

static struct err *
order(struct asking *a)
{
	return a->from <= a->to
		   ? NULL
		   : err_param(a->c, "to", tr_mark("The last day is before the first one."));
}

static struct err *
find_days(struct asking *a, const struct statistics_period *p)
{
	int64_t last = p->last > 0 ? p->last : STATISTICS_SHOWN;

	a->to = p->to_given && p->to / CLOCK_DAY < a->today ? p->to / CLOCK_DAY : a->today;
	a->from = p->from_given ? p->from / CLOCK_DAY : a->to - (last - 1);
	if (a->from > a->today)
		return err_param(a->c, "from", tr_mark("The first day is in the future."));
	if (a->to - a->from >= STATISTICS_DAY_MAX)
		return err_param(a->c, "to", tr_mark("That is more than %d days. Choose fewer."),
		    STATISTICS_DAY_MAX);
	return order(a);
}

struct days {
	struct statistics_day *list;
	int64_t from;
};

static void
add_views(void *arg, int64_t day, int64_t count)
{
	struct days *d = arg;

	d->list[day - d->from].views = count;
}

static void
add_visitors(void *arg, int64_t day, int64_t count)
{
	struct days *d = arg;

	d->list[day - d->from].visitors = count;
}

/* Reads the days of a period; days without a count have 0. */
static struct statistics_day *
read_days(struct ctx *c, const struct report_period *p, const char *article)
{
	struct days d = { .from = p->from };

	d.list = arena_array(c->arena, (size_t)(p->to - p->from + 1), sizeof(*d.list));
	if (article != NULL) {
		report_days(c, p, VIEW_ARTICLE, article, add_views, &d);
		return d.list;
	}
	report_days(c, p, VIEW_VIEWS, NULL, add_views, &d);
	report_days(c, p, VIEW_VISITORS, NULL, add_visitors, &d);
	return d.list;
}

/* ---- articles */

/* Reads what an article is called and when it was published, from content. */
static void
name_article(const struct asking *a, const struct article *article, struct statistics_article *out)
{
	struct edition last;

	out->title = article->title;
	if (article->version == 0 || !edition_find(a->c, article, article->version, &last))
		return;
	out->published = true;
	out->first_day = day_of(a, article->first_published_at);
	out->last_day = day_of(a, last.published_at);
}

static struct statistics_article
article_of(const char *id)
{
	return (struct statistics_article) { .id = id,
		.first_day = -1,
		.last_day = -1,
		.first_7 = -1,
		.first_30 = -1,
		.since = -1,
		.credits = -1 };
}

static int64_t
sum_of(const struct asking *a, const char *article, int64_t from, int64_t to)
{
	const struct report_period p = { a->w->uuid, from, to };

	return report_sum(a->c, &p, VIEW_ARTICLE, article);
}

/* Adds up what the article had in its times, from the counts. */
static void
count_article(const struct asking *a, struct statistics_article *out)
{
	int64_t first = out->first_day;

	if (!out->published)
		return;
	out->since = sum_of(a, out->id, out->last_day, INT64_MAX);
	if (first < a->first_day)
		return;
	out->first_7 = sum_of(a, out->id, first, first + 6);
	out->first_30 = sum_of(a, out->id, first, first + 29);
}

static void
add_cost(void *arg, const char *article, int64_t credits)
{
	struct statistics *s = arg;

	for (size_t i = 0; i < s->article_count; i++) {
		if (strcmp(s->articles[i].id, article) == 0)
			s->articles[i].credits = credits;
	}
}

/* ---- the whole */

struct look {
	struct asking *a;
	struct statistics *s;
};

/* Names the articles that were counted. */
static struct err *
look_at_articles(struct ctx *c, void *arg)
{
	struct look *l = arg;
	struct statistics *s = l->s;

	for (size_t i = 0; i < s->article_count; i++) {
		struct statistics_article *one = &s->articles[i];
		const struct article *found = article_find(c, l->a->w->id, one->id);
		if (found != NULL)
			name_article(l->a, found, one);
	}
	if (s->credits && s->article_count > 0)
		job_list_costs(c, l->a->w, add_cost, s);
	return NULL;
}

static struct err *
read_counts_of_articles(struct asking *a, struct statistics *s, const struct report_period *p)
{
	struct report_sum *sums = arena_array(a->c->arena, s->articles_max + 1, sizeof(*sums));

	s->article_count = report_articles(a->c, p, sums, s->articles_max, &s->article_all);
	s->articles = arena_array(a->c->arena, s->article_count + 1, sizeof(*s->articles));
	for (size_t i = 0; i < s->article_count; i++) {
		s->articles[i] = article_of(sums[i].name);
		s->articles[i].views = sums[i].count;
	}
	TRY(db_aside(a->c, DB_CONTENT, look_at_articles, &(struct look) { a, s }));
	for (size_t i = 0; i < s->article_count; i++)
		count_article(a, &s->articles[i]);
	return NULL;
}

static void
read_list(struct ctx *c, const struct report_period *p, enum view_kind kind, const char *article,
    struct statistics_list *out)
{
	out->count = report_labels(c, p, kind, article, out->rows, STATISTICS_LABELS);
}

/* Reads the counts, in a transaction of DB_STATS. */
static struct err *
read_counts(struct asking *a, struct statistics *s)
{
	int64_t length = a->to - a->from + 1;
	const struct report_period p = { a->w->uuid, a->from, a->to };
	const struct report_period before = { a->w->uuid, a->from - length, a->from - 1 };
	struct ctx *c = a->c;

	s->days = read_days(c, &p, NULL);
	s->before = read_days(c, &before, NULL);
	if (s->days_only)
		return NULL;
	read_list(c, &p, VIEW_REFERRER, NULL, &s->referrers);
	read_list(c, &p, VIEW_CAMPAIGN, NULL, &s->campaigns);
	read_list(c, &p, VIEW_LANGUAGE, NULL, &s->languages);
	read_list(c, &p, VIEW_WIDTH, NULL, &s->widths);
	read_list(c, &p, VIEW_BOT, NULL, &s->bots);
	report_health(c, &p, &s->health);
	return read_counts_of_articles(a, s, &p);
}

static enum statistics_silence
silence_of(const struct asking *a, const struct statistics *s, const struct account *account)
{
	const struct workspace *w = a->w;
	bool websites = w->analytics_origins[0] != '\0';

	if (!w->analytics_enabled)
		return STATISTICS_OFF;
	if (account->suspended)
		return STATISTICS_RESTS;
	if (!websites && !s->pages)
		return STATISTICS_NO_ORIGIN;
	if (s->health.last_hit_at == 0)
		return websites ? STATISTICS_NO_HIT : STATISTICS_NO_FRAME;
	return s->health.last_hit_at < a->c->now - QUIET_DAYS * CLOCK_DAY ? STATISTICS_QUIET
									  : STATISTICS_COUNTS;
}

struct err *
statistics_read(struct ctx *c, const struct workspace *w, struct statistics *s)
{
	struct asking a = { .c = c, .w = w, .first_day = INT64_MAX };
	const struct account *account;
	bool counted = stats_is_ready(c);
	struct err *err;

	s->workspace = w;
	db_begin_read(c, DB_CONTENT);
	read_zone(&a);
	account = account_of(c, w->account_id);
	s->pages = account->verified && word_of(c, w->id)[0] != '\0';
	db_rollback(c);
	TRY(find_days(&a, &s->period));
	s->time_zone = a.zone.name;
	s->today = a.today;
	s->from = a.from;
	s->to = a.to;
	s->day_count = (size_t)(a.to - a.from + 1);
	s->first_day = INT64_MAX;
	if (!counted) {
		s->days = arena_array(c->arena, s->day_count, sizeof(*s->days));
		s->before = arena_array(c->arena, s->day_count, sizeof(*s->before));
		s->silence = silence_of(&a, s, account);
		return NULL;
	}
	db_begin_read(c, DB_STATS);
	s->first_day = a.first_day = report_first_day(c, w->uuid);
	s->compared = s->first_day <= a.from - (int64_t)s->day_count;
	err = read_counts(&a, s);
	db_rollback(c);
	s->silence = silence_of(&a, s, account);
	return err;
}

/* ---- one article */

struct err *
statistics_read_article(struct ctx *c, const struct workspace *w, struct statistics_of *s)
{
	struct asking a = { .c = c, .w = w, .first_day = INT64_MAX };
	bool counted = stats_is_ready(c);
	struct report_period p, late;

	db_begin_read(c, DB_CONTENT);
	read_zone(&a);
	s->sums = article_of(s->article->uuid);
	name_article(&a, s->article, &s->sums);
	db_rollback(c);
	TRY(find_days(&a, &s->period));
	s->time_zone = a.zone.name;
	s->today = a.today;
	s->from = a.from;
	s->to = a.to;
	s->day_count = (size_t)(a.to - a.from + 1);
	s->first_day = INT64_MAX;
	s->referrers_from =
	    a.to - VIEW_REFERRER_DAYS + 1 > a.from ? a.to - VIEW_REFERRER_DAYS + 1 : a.from;
	s->days = arena_array(c->arena, s->day_count, sizeof(*s->days));
	if (!counted)
		return NULL;
	p = (struct report_period) { w->uuid, a.from, a.to };
	late = (struct report_period) { w->uuid, s->referrers_from, a.to };
	db_begin_read(c, DB_STATS);
	s->first_day = a.first_day = report_first_day(c, w->uuid);
	s->days = read_days(c, &p, s->article->uuid);
	s->sums.views = sum_of(&a, s->article->uuid, a.from, a.to);
	count_article(&a, &s->sums);
	read_list(c, &late, VIEW_ARTICLE_REFERRER, s->article->uuid, &s->referrers);
	db_rollback(c);
	return NULL;
}

/* ---- articles of a list */

struct few {
	struct statistics_few *one;
	int64_t from;
};

static void
add_to_few(void *arg, int64_t day, int64_t count)
{
	struct few *few = arg;

	few->one->days[day - few->from] = count;
	few->one->views += count;
}

bool
statistics_read_few(
    struct ctx *c, const char *workspace, int64_t today, struct statistics_few *out, size_t count)
{
	const struct report_period p = { workspace, today - STATISTICS_SHOWN + 1, today };
	bool any;

	if (!stats_is_ready(c))
		return false;
	db_begin_read(c, DB_STATS);
	any = report_first_day(c, workspace) != INT64_MAX;
	for (size_t i = 0; any && i < count; i++)
		report_days(c, &p, VIEW_ARTICLE, out[i].article, add_to_few,
		    &(struct few) { &out[i], p.from });
	db_rollback(c);
	return any;
}

/* ---- all counts */

struct err *
statistics_list(struct ctx *c, const struct workspace *w, const struct statistics_period *period,
    void (*each)(void *arg, const struct report_row *row), void (*pause)(void *arg), void *arg)
{
	struct asking a = { .c = c, .w = w };
	struct report_read read = { .kind = 0 };
	struct report_period p;
	struct err *err;

	if (period->last > 0 && !period->from_given && !period->to_given) {
		db_begin_read(c, DB_CONTENT);
		read_zone(&a);
		db_rollback(c);
		a.to = a.today;
		a.from = a.today - (period->last - 1);
	} else {
		a.from = period->from_given ? period->from / CLOCK_DAY : 0;
		a.to = period->to_given ? period->to / CLOCK_DAY : INT64_MAX;
	}
	err = order(&a);
	if (err != NULL || !stats_is_ready(c))
		return err;
	p = (struct report_period) { w->uuid, a.from, a.to };
	db_begin_read(c, DB_STATS);
	while (report_rows(c, &p, &read, each, arg)) {
		if (pause == NULL)
			continue;
		db_rollback(c);
		pause(arg);
		db_begin_read(c, DB_STATS);
	}
	db_rollback(c);
	if (pause != NULL)
		pause(arg);
	return NULL;
}

/* ---- for programs */

void
statistics_day_text(char out[CLOCK_TEXT], int64_t day)
{
	clock_format_date(out, day * CLOCK_DAY);
}

static void
member_day(struct jwrite *w, const char *name, int64_t day)
{
	char text[CLOCK_TEXT];

	statistics_day_text(text, day);
	jwrite_member_text(w, name, text);
}

static void
days_to_json(struct jwrite *w, const struct statistics *s)
{
	jwrite_member_array(w, "days");
	for (size_t i = 0; i < s->day_count; i++) {
		jwrite_object(w);
		member_day(w, "day", s->from + (int64_t)i);
		jwrite_member_int(w, "views", s->days[i].views);
		jwrite_member_int(w, "visitors", s->days[i].visitors);
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
}

static void
member_known(struct jwrite *w, const char *name, int64_t value)
{
	if (value < 0)
		jwrite_member_null(w, name);
	else
		jwrite_member_int(w, name, value);
}

static void
articles_to_json(struct jwrite *w, const struct statistics *s)
{
	jwrite_member_array(w, "articles");
	for (size_t i = 0; i < s->article_count; i++) {
		const struct statistics_article *a = &s->articles[i];
		jwrite_object(w);
		jwrite_member_text(w, "id", a->id);
		jwrite_member_text(w, "title", a->title);
		jwrite_member_int(w, "views", a->views);
		member_known(w, "first_7_days", a->first_7);
		member_known(w, "first_30_days", a->first_30);
		member_known(w, "since_publication", a->since);
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
}

static void
list_to_json(struct jwrite *w, const char *name, const struct statistics_list *list)
{
	jwrite_member_array(w, name);
	for (size_t i = 0; i < list->count; i++) {
		jwrite_object(w);
		jwrite_member_text(w, "label", list->rows[i].name);
		jwrite_member_int(w, "count", list->rows[i].count);
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
}

static void
health_to_json(struct jwrite *w, const struct report_health *h)
{
	jwrite_member_object(w, "health");
	jwrite_member_int(w, "accepted", h->accepted);
	jwrite_member_int(w, "refused_origin", h->refused_origin);
	jwrite_member_int(w, "without_consent", h->without_consent);
	jwrite_member_int(w, "limited", h->limited);
	if (h->last_hit_at == 0)
		jwrite_member_null(w, "last_hit");
	else
		jwrite_member_time(w, "last_hit", h->last_hit_at);
	jwrite_object_end(w);
}

void
statistics_to_json(struct jwrite *w, const struct statistics *s)
{
	jwrite_object(w);
	member_day(w, "from", s->from);
	member_day(w, "to", s->to);
	jwrite_member_text(w, "time_zone", s->time_zone);
	days_to_json(w, s);
	articles_to_json(w, s);
	list_to_json(w, "referrers", &s->referrers);
	list_to_json(w, "campaigns", &s->campaigns);
	list_to_json(w, "languages", &s->languages);
	list_to_json(w, "widths", &s->widths);
	list_to_json(w, "bots", &s->bots);
	health_to_json(w, &s->health);
	jwrite_object_end(w);
}

void
statistics_row_to_json(struct jwrite *w, const struct report_row *row)
{
	jwrite_object(w);
	member_day(w, "day", row->day);
	jwrite_member_text(w, "kind", row->kind);
	jwrite_member_text(w, "article", row->article);
	jwrite_member_text(w, "label", row->label);
	jwrite_member_int(w, "count", row->count);
	jwrite_object_end(w);
}

void
statistics_row_to_csv(struct buf *out, const struct report_row *row)
{
	char day[CLOCK_TEXT], count[24];

	statistics_day_text(day, row->day);
	(void)snprintf(count, sizeof(count), "%" PRId64, row->count);
	csv_row(out, (const char *const[]) { day, row->kind, row->article, row->label, count }, 5);
}

/* ---- erasure */

#define DAYS_MAX 99999999 /* no clock shows such a day */

struct err *
erasure_run(struct ctx *c, const struct workspace *w, struct erasure *e)
{
	int64_t from = e->from_given ? e->from : -DAYS_MAX;
	int64_t to = e->to_given ? e->to : DAYS_MAX;

	if (from > to)
		return err_param(c, "from", "The first day is after the last one.");
	/* Hits may wait to be counted where nothing is counted yet. */
	if (!stats_create(c))
		return err_hint(c, refuse(c, ERR_UNAVAILABLE, "stats/stats.db cannot be opened."),
		    HINT_DOCTOR, NULL);
	e->views = erased_run(c, w->uuid, from, to);
	return NULL;
}
