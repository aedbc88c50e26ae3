/* The kinds of tasks (slice.h). */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "access/workspace.h"
#include "action/instance-actions.h"
#include "action/moving-in.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "doctor/verify-page.h"
#include "people/task.h"
#include "screen/tr.h"
#include "store/db.h"
#include "task/moving-step.h"
#include "task/slice.h"

#define ANSWER_S 10 /* of a website */
#define ARTICLES 20 /* of a step */

/* ---- looking at the pages of a website
 *
 * What `galley verify-page` does (docs/console.md §4.10), with one page in a slice, one slice in a
 * second, and pages of the website's origin alone. Slices of this kind work beside all else: a
 * website may take its time. A page is fetched by bin/galley-fetch and read in a process that has
 * no file and no network, so the slice itself, which starts both, is not confined. */

/* Writes what the task has to do. */
static void
begin(struct ctx *c, struct task *t, const struct workspace *w)
{
	size_t count;
	const char **ids = verify_page_choose(c, w, VISITING_PAGES, &count);

	t->number = 1;
	t->total = (int64_t)count;
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	if (task_gate_why(c, t, 0) == NULL) {
		visited_forget(c, t->workspace, t->id);
		for (size_t i = 0; i < count; i++)
			visited_insert(c, t->id,
			    &(struct visited) { .number = (int64_t)i + 1, .article = ids[i] });
		(void)task_advance(c, t);
	}
	db_commit(c);
}

/* Waits until a second after the page before: one page a second. */
static void
wait_a_second(int64_t last_at)
{
	int64_t left = last_at + CLOCK_SECOND - clock_now();
	struct timespec pause = { .tv_sec = 0 };

	if (left <= 0 || left > CLOCK_SECOND)
		return;
	pause.tv_nsec = (long)(left < CLOCK_SECOND ? left : CLOCK_SECOND - 1) * 1000;
	nanosleep(&pause, NULL);
}

struct looking {
	struct ctx *c;
	struct visited *page;
};

/* Keeps what was found as lines. */
static void
keep(void *arg, const char *article_id, const struct page_visit *visit,
    const struct page_report *report)
{
	struct looking *l = arg;
	struct buf lines;

	(void)article_id;
	buf_init(&lines, l->c->arena, (size_t)4 * VISITED_FINDINGS_MAX);
	for (size_t i = 0; i < report->count; i++) {
		const struct page_finding *f = &report->findings[i];
		const char *line = arena_printf(l->c->arena, "%s: expected %s, found %s: %s.",
		    f->check, f->expected, f->found, f->fix);
		if (lines.len + strlen(line) + 1 > VISITED_FINDINGS_MAX)
			break;
		if (lines.len > 0)
			buf_add_char(&lines, '\n');
		buf_add_text(&lines, line);
	}
	l->page->url = visit->asked != NULL ? visit->asked : "";
	l->page->findings = lines.len == 0 ? "" : buf_done(&lines);
}

/* Looks at a page. An article that is gone meanwhile has none. */
static void
look(struct ctx *c, const struct workspace *w, struct visited *page)
{
	struct looking l = { c, page };
	struct verify_page v = { .only = w->settings.website,
		.each = keep,
		.arg = &l,
		.how = { .pages = true, .limit_s = ANSWER_S } };
	struct err *err = verify_page_one(c, &v, page->article, NULL);

	if (err != NULL)
		page->findings = err->message;
}

/* Is the `prepare` of slice_kinds: looks at the next page. *prepared: all were looked at. */
static struct err *
look_next(struct ctx *c, struct task *t, bool *prepared)
{
	const struct workspace *w;
	struct visited page;
	int64_t last_at;
	bool left;

	db_begin_read(c, DB_CONTENT);
	w = workspace_find_uuid(c, t->workspace);
	db_rollback(c);
	if (w == NULL || w->settings.website == NULL)
		return refuse(
		    c, ERR_CONFLICT, "%s", tr_mark("The workspace has no website any more."));
	*prepared = false;
	if (t->number == 0) {
		begin(c, t, w);
		return NULL;
	}
	db_begin_read(c, DB_CONSOLE);
	left = visited_next(c, t->id, &page);
	last_at = visited_last_at(c, t->id);
	db_rollback(c);
	if (!left) {
		*prepared = true;
		return NULL;
	}
	wait_a_second(last_at);
	look(c, w, &page);
	t->done = page.number;
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	/* What was found after the right ended is kept from nobody, and told to nobody. */
	if (task_gate_why(c, t, 0) == NULL && task_advance(c, t))
		visited_note(c, t->id, &page);
	db_commit(c);
	return NULL;
}

/* Is the step of slice_kinds, after the last page. */
static struct err *
look_end(struct ctx *c, const struct workspace *w, struct task *t, bool *more, const char **report)
{
	(void)w;
	*more = false;
	*report = arena_printf(c->arena, "%" PRId64 " pages were looked at.", t->done);
	return NULL;
}

/* ---- the kinds */

/* Renders stale exports (docs/console.md §4.8). `number` is the last article that was seen. */
static struct err *
refresh(struct ctx *c, const struct workspace *w, struct task *t, bool *more, const char **report)
{
	int64_t seen = 0, renewed = 0, after = t->number;
	struct task_gate gate;

	if (t->number == 0) {
		db_begin_read(c, DB_CONTENT);
		t->total = article_count(c, w->id, ARTICLE_DRAFT) +
			   article_count(c, w->id, ARTICLE_PUBLISHED);
		db_rollback(c);
	}
	task_gate_init(&gate, w, t, 0);
	c->gate = &gate.gate;
	*more = stored_refresh(c, w->id, &after, INT64_MAX, ARTICLES, &seen, &renewed);
	c->gate = NULL;
	/* What did not pass is not done: the next step finds why. */
	*more = *more || gate.lost;
	if (gate.lost)
		return NULL;
	t->number = after;
	t->done += seen;
	*report = arena_printf(c->arena, "%" PRId64 " articles were looked at.", t->done);
	return NULL;
}

const struct slice_kind slice_kinds[] = {
	{ .name = TASKS_REFRESH, .heavy = true, .step = refresh },
	{ .name = MOVING_KIND,
	    .heavy = true,
	    .rights = MOVING_RIGHTS,
	    .is_elsewhere = moving_files_are_elsewhere,
	    .prepare = moving_prepare,
	    .step = moving_step },
	{ .name = VISITED_KIND, .beside = true, .prepare = look_next, .step = look_end },
	{ .name = NULL },
};
