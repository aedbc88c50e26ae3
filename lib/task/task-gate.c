#include "task/task-gate.h"

#include <stddef.h>

#include "access/account.h"
#include "access/workspace.h"
#include "base/err.h"
#include "people/person.h"
#include "people/task.h"
#include "screen/tr.h"
#include "store/db.h"

/* Returns the person's rights where the task works. */
static unsigned
rights_of(struct ctx *c, const struct task *t, const struct person *p)
{
	return membership_rights(c, p->id, t->account[0] != '\0' ? t->account : NULL,
	    t->workspace[0] != '\0' ? t->workspace : NULL);
}

const char *
task_gate_why(struct ctx *c, const struct task *t, unsigned rights)
{
	const struct task *now = task_find(c, t->uuid);
	const struct person *p = person_find(c, t->person);
	unsigned need = rights | t->need;

	if (now == NULL || !task_is_open(now) || !task_is_mine(c, t))
		return tr_mark("It was ended.");
	if (p == NULL || p->disabled_at != 0 || (rights_of(c, t, p) & need) != need)
		return tr_mark("The person who began it may not do this any more.");
	return NULL;
}

static struct err *
check(struct ctx *c, void *arg)
{
	const struct task_gate *g = arg;
	const char *why = task_gate_why(c, g->t, g->rights);

	return why == NULL ? NULL : refuse(c, ERR_FORBIDDEN, "%s", why);
}

static struct err *
enter(struct ctx *c, struct gate *gate)
{
	struct task_gate *g = (struct task_gate *)(void *)gate;
	struct err *err = db_aside(c, DB_CONSOLE, check, g);
	bool many;

	if (err == NULL && workspace_find(c, g->w->uuid, &many) == NULL)
		err =
		    refuse(c, ERR_NOT_FOUND, "%s", tr_mark("There is no such workspace any more."));
	if (err == NULL && account_of(c, g->w->account_id)->suspended)
		err = refuse(c, ERR_FORBIDDEN, "%s", tr_mark("The account is suspended."));
	g->lost = g->lost || err != NULL;
	return err;
}

void
task_gate_init(
    struct task_gate *g, const struct workspace *w, const struct task *t, unsigned rights)
{
	*g = (struct task_gate) { .gate.enter = enter, .w = w, .t = t, .rights = rights };
}
