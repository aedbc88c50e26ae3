#include "action/instance-actions.h"

#include <stddef.h>

#include "access/live.h"
#include "action/action.h"
#include "base/ctx.h"

struct err *
tasks_begin(struct ctx *c, struct task *t)
{
	const struct task *last;

	ACTION(c, action_begin_console(c));
	last = task_newest(c, t->workspace, t->kind);
	if (last != NULL && task_is_open(last))
		return refuse(
		    c, ERR_CONFLICT, tr_mark("This was begun already, and is not done yet."));
	task_insert(c, t);
	return action_commit(c);
}

struct err *
tasks_show(struct ctx *c, const char *id, struct task **out)
{
	ACTION(c, action_read_console(c));
	*out = task_find(c, id);
	if (*out == NULL)
		return refuse(c, ERR_NOT_FOUND, tr_mark("There is no task with the id %s."), id);
	return action_commit(c);
}

struct err *
tasks_newest(struct ctx *c, const char *workspace, const char *kind, struct task **out)
{
	ACTION(c, action_read_console(c));
	*out = task_newest(c, workspace, kind);
	return action_commit(c);
}

struct err *
tasks_show_all(
    struct ctx *c, int64_t limit, void (*each)(void *arg, const struct task *t), void *arg)
{
	ACTION(c, action_read_console(c));
	task_list(c, limit, each, arg);
	return action_commit(c);
}

struct err *
tasks_end(struct ctx *c, const char *id)
{
	const struct task *t = NULL;

	ACTION(c, action_begin_console(c));
	t = task_find(c, id);
	if (t == NULL)
		return refuse(c, ERR_NOT_FOUND, tr_mark("There is no task with the id %s."), id);
	if (!task_is_open(t))
		return refuse(c, ERR_CONFLICT, tr_mark("This task is over."));
	task_end(c, t, "ended", tr_mark("An operator ended it."));
	return action_commit(c);
}

/* ---- a live instance */

static const struct action_scope scope = { .change = DB_CHANGES_NOTHING };

struct err *
live_action(struct ctx *c)
{
	ACTION(c, action_begin(c, &scope));
	TRY(live_begin(c));
	return action_commit(c);
}

int64_t
live_action_since(struct ctx *c)
{
	int64_t since;

	db_begin_read(c, DB_CONTENT);
	since = live_quiet_since(c);
	db_rollback(c);
	return since;
}
