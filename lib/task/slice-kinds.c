/* The kinds of tasks (slice.h). */
#include <inttypes.h>
#include <stddef.h>

#include "access/workspace.h"
#include "action/moving/moving-in.h"
#include "action/tasks.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "people/task.h"
#include "store/db.h"
#include "task/moving/moving-files.h"
#include "task/moving/moving-pictures.h"
#include "task/moving/moving-step.h"
#include "task/slice.h"
#include "task/task-gate.h"
#include "task/visiting.h"

#define ARTICLES 20 /* of a step */

/* Renders stored exports that are stale (docs/console.md §4.8). `number` is the last article
 * that was looked at. */
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
	{ .name = VISITED_KIND,
	    .beside = true,
	    .prepare = visiting_prepare,
	    .step = visiting_step },
	{ .name = NULL },
};
