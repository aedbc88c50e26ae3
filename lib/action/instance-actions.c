#include "action/instance-actions.h"

#include <stddef.h>

#include "access/live.h"
#include "action/action.h"
#include "base/ctx.h"

struct err *
tasks_begin(struct ctx *c, struct task *t)
{
	struct err *err = action_begin_console(c);
	const struct task *last;

	if (err == NULL) {
		last = task_newest(c, t->workspace, t->kind);
		if (last != NULL && task_is_open(last))
			err = refuse(c, ERR_CONFLICT,
			    tr_mark("This was begun already, and is not done yet."));
	}
	if (err == NULL)
		task_insert(c, t);
	return action_end(c, err);
}

struct err *
tasks_show(struct ctx *c, const char *id, struct task **out)
{
	TRY(action_read_console(c));
	*out = task_find(c, id);
	return action_end(c, *out != NULL ? NULL
					  : refuse(c, ERR_NOT_FOUND,
						tr_mark("There is no task with the id %s."), id));
}

struct err *
tasks_newest(struct ctx *c, const char *workspace, const char *kind, struct task **out)
{
	TRY(action_read_console(c));
	*out = task_newest(c, workspace, kind);
	return action_end(c, NULL);
}

struct err *
tasks_show_all(
    struct ctx *c, int64_t limit, void (*each)(void *arg, const struct task *t), void *arg)
{
	TRY(action_read_console(c));
	task_list(c, limit, each, arg);
	return action_end(c, NULL);
}

struct err *
tasks_end(struct ctx *c, const char *id)
{
	struct err *err = action_begin_console(c);
	const struct task *t = NULL;

	if (err == NULL)
		t = task_find(c, id);
	if (err == NULL && t == NULL)
		err = refuse(c, ERR_NOT_FOUND, tr_mark("There is no task with the id %s."), id);
	if (err == NULL && !task_is_open(t))
		err = refuse(c, ERR_CONFLICT, tr_mark("This task is over."));
	if (err == NULL)
		task_end(c, t, "ended", tr_mark("An operator ended it."));
	return action_end(c, err);
}

/* ---- a live instance */

static const struct action_scope scope = { .change = DB_CHANGES_NOTHING };

struct err *
live_action(struct ctx *c)
{
	struct err *err = action_begin(c, &scope);

	if (err == NULL)
		err = live_begin(c);
	return action_end(c, err);
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
