#include "action/tasks.h"

#include <stddef.h>

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
	struct err *err = action_read_console(c);

	if (err != NULL)
		return err;
	*out = task_find(c, id);
	return action_end(c, *out != NULL ? NULL
					  : refuse(c, ERR_NOT_FOUND,
						tr_mark("There is no task with the id %s."), id));
}

struct err *
tasks_newest(struct ctx *c, const char *workspace, const char *kind, struct task **out)
{
	struct err *err = action_read_console(c);

	if (err != NULL)
		return err;
	*out = task_newest(c, workspace, kind);
	return action_end(c, NULL);
}

struct err *
tasks_show_all(
    struct ctx *c, int64_t limit, void (*each)(void *arg, const struct task *t), void *arg)
{
	struct err *err = action_read_console(c);

	if (err != NULL)
		return err;
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
