#include "action/statistics/statistics.h"

#include <string.h>

#include "access/account.h"
#include "access/pages-settings.h"
#include "access/workspace.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "stats/stats.h"
#include "store/db.h"
#include "system/zone/zone.h"

#define QUIET_DAYS 3

/* What all of these functions ask first. */
struct asking {
	struct ctx *c;
	const struct workspace *w;
	struct zone zone;
	int64_t today, from, to;
	int64_t first_day;
};

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
		return err_param(a->c, "from", tr_mark("The first day is to come."));
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
	struct err *err;

	s->article_count = report_articles(a->c, p, sums, s->articles_max, &s->article_all);
	s->articles = arena_array(a->c->arena, s->article_count + 1, sizeof(*s->articles));
	for (size_t i = 0; i < s->article_count; i++) {
		s->articles[i] = article_of(sums[i].name);
		s->articles[i].views = sums[i].count;
	}
	err = db_aside(a->c, DB_CONTENT, look_at_articles, &(struct look) { a, s });
	for (size_t i = 0; err == NULL && i < s->article_count; i++)
		count_article(a, &s->articles[i]);
	return err;
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
	err = find_days(&a, &s->period);
	if (err != NULL)
		return err;
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
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	read_zone(&a);
	s->sums = article_of(s->article->uuid);
	name_article(&a, s->article, &s->sums);
	db_rollback(c);
	err = find_days(&a, &s->period);
	if (err != NULL)
		return err;
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
