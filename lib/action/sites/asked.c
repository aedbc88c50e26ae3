#include "action/sites/asked.h"

#include <string.h>

#include "access/workspace.h"
#include "action/sites/present.h"
#include "article/article.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "stats/stats.h"
#include "store/db.h"

struct asking {
	struct ctx *c;
	struct asked *out;
	const struct workspace *w;
	struct present_list present;
};

/* ---- counts */

static void
keep_reader(void *arg, const struct reader *r)
{
	struct asked *out = arg;

	if (strcmp(r->uuid, out->key) == 0)
		out->reader = *r;
}

/* Returns the place of a day, or NULL for one that is to come. */
static struct asked_day *
day_of(struct asked *out, int64_t day)
{
	int64_t place = day - (out->today - ASKED_DAYS + 1);

	return place >= 0 && place < ASKED_DAYS ? &out->days[place] : NULL;
}

static void
add_day(void *arg, int64_t day, int64_t requests, int64_t not_modified)
{
	struct asked *out = arg;
	struct asked_day *d = day_of(out, day);

	if (d == NULL)
		return;
	d->requests = requests;
	d->not_modified = not_modified;
	out->sum.requests += requests;
	out->sum.not_modified += not_modified;
}

static void
add_refusal(void *arg, int64_t day, int status, int64_t requests)
{
	struct asked *out = arg;
	struct asked_day *d = day_of(out, day);
	size_t i = 0;

	if (d == NULL)
		return;
	d->refused += requests;
	out->sum.refused += requests;
	while (i < out->status_count && out->statuses[i].status != status)
		i++;
	if (i == ASKED_STATUSES)
		return;
	out->statuses[i].status = status;
	out->statuses[i].requests += requests;
	out->status_count = i == out->status_count ? i + 1 : out->status_count;
}

static void
compare(void *arg, const struct reader_article *a)
{
	struct asking *of = arg;
	struct asked *out = of->out;
	const struct present *now = present_find(&of->present, a->article);
	struct asked_article *older;

	if (now == NULL)
		return;
	if (strcmp(now->revision, a->revision) == 0) {
		out->present++;
		return;
	}
	if (out->older_all++ >= ASKED_OLDER)
		return;
	older = &out->older[out->older_count++];
	older->id = now->article;
	older->fetched_at = a->fetched_at;
	memcpy(older->now, now->revision, sizeof(older->now));
	memcpy(older->had, a->revision, strnlen(a->revision, sizeof(older->had) - 1));
}

static void
read_counts(struct asking *of)
{
	struct ctx *c = of->c;
	struct asked *out = of->out;
	int64_t from = out->today - ASKED_DAYS + 1;

	db_begin_read(c, DB_STATS);
	reader_list(c, out->workspace, keep_reader, out);
	if (out->reader.id != 0) {
		reader_days(c, out->reader.id, from, add_day, out);
		reader_refusals(c, out->reader.id, from, add_refusal, out);
		reader_fetched(c, out->reader.id, compare, of);
	}
	db_rollback(c);
}

/* ---- the whole */

static void
name_articles(struct asking *of)
{
	struct asked *out = of->out;

	db_begin_read(of->c, DB_CONTENT);
	for (size_t i = 0; i < out->older_count; i++) {
		const struct article *a = article_find(of->c, of->w->id, out->older[i].id);
		out->older[i].title = a != NULL ? a->title : NULL;
	}
	db_rollback(of->c);
}

struct err *
asked_read(struct ctx *c, struct asked *out)
{
	struct asking of = { .c = c, .out = out };
	bool counted = stats_is_ready(c);

	db_begin_read(c, DB_CONTENT);
	out->today = c->now / CLOCK_DAY;
	of.w = workspace_find_uuid(c, out->workspace);
	out->apikey = apikey_find(c, out->key);
	if (of.w == NULL || out->apikey == NULL || out->apikey->workspace_id != of.w->id) {
		db_rollback(c);
		return refuse(c, ERR_NOT_FOUND, tr_mark("There is no such page."));
	}
	if (counted)
		present_read(c, of.w, &of.present);
	out->articles = (int64_t)of.present.count;
	db_rollback(c);
	if (counted)
		read_counts(&of);
	name_articles(&of);
	return NULL;
}
