#include "workspace-home.h"

#include "access/workspace.h"
#include "all.h"
#include "article/article-list.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "console/page.h"
#include "pages/page-item.h"
#include "screen/plot.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"

void
workspace_home_write(struct hwrite *w, const struct page *p, const struct workspace_home *h)
{
	if (h->published_count == 0)
		return;
	@ <section class="box"><header><h2>Published lately</h2>
	@ <a href="/W/articles">All articles</a></header><ul class="rows">
	for (size_t i = 0; i < h->published_count; i++) {
		const struct home_article *a = &h->published[i];
		int64_t views = h->views[i].views;
		@ <li>{!articles_write_cover(w, p, a->title, a->cover)}
		@ <span class="what"><a href="/W/articles/{a->uuid}">{a->title}</a>
		@ <small>{!say_time(w, a->at)}
		if (views > 0)
			@ {=" · "}{#views: %lld view|%lld views}
		@ </small></span></li>
	}
	@ </ul></section>
}

static void
write_drafts(struct hwrite *w, const struct page *p, const struct workspace_home *h)
{
	if (h->draft_count == 0)
		return;
	@ <section class="box"><header><h2>Go on writing</h2></header><ul class="rows">
	for (size_t i = 0; i < h->draft_count; i++) {
		const struct save_draft *d = &h->drafts[i];
		@ <li>{!articles_write_cover(w, p, d->title, d->cover)}
		@ <span class="what"><a href="/W/articles/{d->uuid}">{d->title}</a>
		@ <small>{=tr("Saved")}{=" "}{!say_time(w, d->saved_at)}</small></span></li>
	}
	@ </ul></section>
}

static int64_t
sum_of(const struct statistics *s, const struct statistics_day *days)
{
	int64_t sum = 0;

	for (size_t i = 0; i < s->day_count; i++)
		sum += days[i].visitors;
	return sum;
}

static bool
is_counted(const struct statistics *s)
{
	return s->day_count > 0 && s->first_day != INT64_MAX;
}

static void
write_bars(struct hwrite *w, struct ctx *c, const struct statistics *s)
{
	struct plot_point *points = arena_array(c->arena, s->day_count, sizeof(*points));

	for (size_t i = 0; i < s->day_count; i++)
		points[i] = (struct plot_point) { say_day_text(c, s->from + (int64_t)i),
			s->days[i].visitors };
	points[s->day_count - 1].label = tr("Today");
	plot_bars(w, tr("Readers a day"), points, s->day_count, true);
}

static void
write_readers(struct hwrite *w, const struct page *p, const struct statistics *s)
{
	int64_t now, before;

	if (!is_counted(s))
		return;
	now = sum_of(s, s->days);
	before = s->compared ? sum_of(s, s->before) : 0;
	@ <section class="box"><header><h2>Readers</h2><a href="/W/statistics">Statistics</a></header>
	@ <p class="num"><strong>{now}</strong> <span class="soft small">in {=STATISTICS_SHOWN} days
	int64_t more = before > 0 ? statistics_change(now, before) : 0;
	if (more != 0) {
		const char *said =
		    arena_printf(p->c->arena, more < 0 ? tr("%lld %% fewer") : tr("%lld %% more"),
			(long long)(more < 0 ? -more : more));
		@ {=", "}<span class={more < 0 ? "down" : "up"}>{=said}</span>
	}
	@ </span></p>
	write_bars(w, p->c, s);
	@ </section>
}

void
workspace_home_write_beside(struct hwrite *w, const struct page *p, const struct workspace_home *h)
{
	write_readers(w, p, &h->readers);
	write_drafts(w, p, h);
}

/* ---- what is found */

static bool
add_published(void *arg, const struct article *a, const struct browse_shown *shown)
{
	struct workspace_home *h = arg;

	h->published[h->published_count++] = (struct home_article) { .uuid = a->uuid,
		.title = a->title,
		.cover = shown->cover,
		.at = a->first_published_at };
	return true;
}

static void
find_articles(struct page *p, struct workspace_home *h)
{
	const struct workspace *space = p->v->workspace;
	const struct browse of = {
		.workspace_id = space->id, .status = ARTICLE_PUBLISHED, .limit = LATELY
	};
	size_t n = 0;
	const char *pages;

	db_begin_read(p->c, DB_CONTENT);
	browse_articles(p->c, &of, add_published, h);
	if (console_may(p->v, RIGHT_WRITE))
		h->draft_count =
		    save_drafts(p->c, space->id, p->v->person->uuid, h->drafts, LATELY);
	pages = item_home(p->c, space);
	db_rollback(p->c);
	if (pages != NULL)
		h->actions[n++] = (struct screen_link) {
			.address = pages, .label = tr("Open the pages"), .icon = ICON_OPEN
		};
	if (console_may(p->v, RIGHT_WRITE))
		h->actions[n++] = (struct screen_link) { .address = page_path(p, "/W/articles/new"),
			.label = tr("New article"),
			.icon = ICON_NEW };
	p->v->actions = h->actions;
}

struct err *
workspace_home_read(struct page *p, struct workspace_home *h)
{
	find_articles(p, h);
	h->readers.days_only = true;
	TRY(statistics_read(p->c, p->v->workspace, &h->readers));
	for (size_t i = 0; i < h->published_count; i++)
		h->views[i].article = h->published[i].uuid;
	(void)statistics_read_few(
	    p->c, p->v->workspace->uuid, h->readers.today, h->views, h->published_count);
	h->beside = h->draft_count > 0 || is_counted(&h->readers);
	return NULL;
}
