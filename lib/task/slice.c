#include "task/slice.h"

#include <stddef.h>
#include <string.h>

#include "access/account.h"
#include "access/workspace.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/err.h"
#include "base/log.h"
#include "people/person.h"
#include "people/secret.h"
#include "people/task.h"
#include "screen/tr.h"
#include "store/db.h"
#include "system/fault.h"
#include "system/work.h"

#define SLICE_DEATHS 3

/* ---- whether a task may go on */

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

/* ---- slices */

#define SLICE (5 * CLOCK_SECOND)
#define STEP_MEMORY ((size_t)1024 * 1024 * 1024)

static const struct slice_kind *
kind_of(const struct task *t)
{
	for (const struct slice_kind *k = slice_kinds; k->name != NULL; k++) {
		if (strcmp(k->name, t->kind) == 0)
			return k;
	}
	return NULL;
}

/* ---- whose turn it is */

struct turn {
	struct ctx *c;
	bool beside;
	struct task *list;
	size_t count;
	int64_t *others; /* tasks of other hosts' runners */
	size_t others_count;
};

static void
keep(void *arg, const struct task *t)
{
	struct turn *turn = arg;
	const struct slice_kind *kind = kind_of(t);
	size_t size = sizeof(*t);

	if ((kind != NULL && kind->beside) != turn->beside)
		return;

	turn->list =
	    arena_grow(turn->c->arena, turn->list, turn->count * size, (turn->count + 1) * size);
	turn->list[turn->count++] = *t;
}

/* Returns whether an older heavy task of the account is open. */
static bool
is_behind(const struct turn *turn, const struct task *t)
{
	const struct slice_kind *mine = kind_of(t), *other;

	for (size_t i = 0; i < turn->count && mine != NULL && mine->heavy; i++) {
		other = kind_of(&turn->list[i]);
		if (other != NULL && other->heavy && turn->list[i].id < t->id &&
		    strcmp(turn->list[i].account, t->account) == 0)
			return true;
	}
	return false;
}

/* Returns whether another host works on it, or is the only one that can. */
static bool
is_elsewhere(const struct turn *turn, const struct task *t)
{
	const struct slice_kind *kind = kind_of(t);

	for (size_t i = 0; i < turn->others_count; i++) {
		if (turn->others[i] == t->id)
			return true;
	}
	return kind != NULL && kind->is_elsewhere != NULL && kind->is_elsewhere(turn->c, t);
}

/* Returns when the account had its last slice. */
static int64_t
served_at(const struct turn *turn, const struct task *t)
{
	int64_t at = 0;

	for (size_t i = 0; i < turn->count; i++) {
		if (strcmp(turn->list[i].account, t->account) == 0 && turn->list[i].slice_at > at)
			at = turn->list[i].slice_at;
	}
	return at;
}

/* Returns the task whose turn it is, or NULL: the account that waits longest, and of its
 * tasks the one that waits longest. */
static struct task *
choose(const struct turn *turn)
{
	struct task *best = NULL;
	int64_t best_at = 0;

	for (size_t i = 0; i < turn->count; i++) {
		struct task *t = &turn->list[i];
		int64_t at = served_at(turn, t);
		if (is_behind(turn, t) || is_elsewhere(turn, t))
			continue;
		if (best == NULL || at < best_at ||
		    (at == best_at && t->slice_at < best->slice_at)) {
			best = t;
			best_at = at;
		}
	}
	return best;
}

static struct task *
next(struct ctx *c, bool beside)
{
	struct turn turn = { .c = c, .beside = beside };
	struct task *t;

	if (!secret_exists(c))
		return NULL;
	db_begin_read(c, DB_CONSOLE);
	task_list_open(c, keep, &turn);
	if (turn.count > 0)
		turn.others_count = task_lease_others(c, &turn.others);
	t = choose(&turn);
	db_rollback(c);
	return t;
}

bool
slice_is_due(struct ctx *c, bool beside)
{
	return next(c, beside) != NULL;
}

/* ---- the slice */

static void
end(struct ctx *c, const struct task *t, const char *state, const char *report)
{
	bool mine;

	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	mine = task_is_mine(c, t);
	task_end(c, t, state, report);
	db_commit(c);
	if (mine)
		log_line("task %s %s: %s: %s", t->kind, t->uuid, state, report);
	else
		log_line("task %s %s: was taken over by another host", t->kind, t->uuid);
}

/* Looks whether the person may still do this. Returns NULL, or a sentence. */
static const char *
may_not(struct ctx *c, const struct task *t, unsigned rights)
{
	const char *why;

	db_begin_read(c, DB_CONSOLE);
	why = task_gate_why(c, t, rights);
	db_rollback(c);
	return why;
}

/* Reads the workspace. Returns NULL, or a sentence. */
static const char *
find_place(struct ctx *c, const struct task *t, struct workspace **w)
{
	const char *why = NULL;
	bool many;

	db_begin_read(c, DB_CONTENT);
	*w = workspace_find(c, t->workspace, &many);
	if (*w == NULL)
		why = tr_mark("There is no such workspace any more.");
	else if (account_of(c, (*w)->account_id)->suspended)
		why = tr_mark("The account is suspended.");
	db_rollback(c);
	return why;
}

/* Writes how far the task came. If that is not wanted any more, the next step finds why. */
static void
note_step(struct ctx *c, const struct task *t)
{
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	(void)task_advance(c, t);
	db_commit(c);
	(void)FAULT("task-stepped");
}

/* Works until the time is over. Returns whether the task has come to its end. */
static bool
work(struct ctx *c, struct task *t, const struct slice_kind *kind)
{
	struct arena *kept = c->arena;
	int64_t until = clock_boot() + SLICE;
	const char *why = NULL, *report = "";
	struct workspace *w;
	struct arena step;
	bool more = true;
	struct err *err = NULL;

	arena_init(&step, STEP_MEMORY);
	while (more && clock_boot() < until && stop_signal() == 0) {
		arena_reset(&step);
		c->arena = &step;
		why = may_not(c, t, kind->rights);
		if (why == NULL)
			why = find_place(c, t, &w);
		if (why == NULL)
			err = kind->step(c, w, t, &more, &report);
		(void)FAULT("task-worked");
		if (why != NULL || err != NULL)
			break;
		note_step(c, t);
	}
	if (why != NULL)
		end(c, t, "ended", why);
	else if (err != NULL)
		end(c, t, "failed", err->message);
	else if (!more)
		end(c, t, "done", report);
	c->arena = kept;
	arena_release(&step);
	return why != NULL || err != NULL || !more;
}

/* Notes that the slice begins. False if somebody has ended the task, or another host has it. */
static bool
begin(struct ctx *c, struct task *t)
{
	bool open;

	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	open = task_begin_slice(c, t);
	db_commit(c);
	(void)FAULT("task-begun");
	return open;
}

/* Prepares the task. Returns whether its steps may follow. */
static bool
prepare(struct ctx *c, struct task *t, const struct slice_kind *kind)
{
	const char *why;
	struct workspace *w;
	bool prepared = true;
	struct err *err = NULL;

	if (kind->prepare == NULL)
		return true;
	why = may_not(c, t, kind->rights);
	if (why == NULL)
		why = find_place(c, t, &w);
	if (why == NULL)
		err = kind->prepare(c, t, &prepared);
	if (why != NULL)
		end(c, t, "ended", why);
	else if (err != NULL)
		end(c, t, "failed", err->message);
	return why == NULL && err == NULL && prepared;
}

static void
end_slice(struct ctx *c, const struct task *t)
{
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	task_end_slice(c, t);
	db_commit(c);
}

void
slice_run(struct ctx *c, bool beside, void (*confine)(struct ctx *c))
{
	struct task *t = next(c, beside);
	const struct slice_kind *kind;

	if (t == NULL)
		return;
	kind = kind_of(t);
	if (kind == NULL) {
		end(c, t, "failed", tr_mark("This release does not know such a task."));
		return;
	}
	if (!task_is_sound(t)) {
		end(c, t, "failed", tr_mark("Its row was damaged."));
		return;
	}
	if (t->deaths >= SLICE_DEATHS) {
		end(c, t, "failed", tr_mark("It ended unexpectedly, again and again."));
		return;
	}
	if (!begin(c, t))
		return;
	if (!prepare(c, t, kind)) {
		end_slice(c, t);
		return;
	}
	db_close(c);
	confine(c);
	db_open(c, DB_WAIT_TOOL_MS);
	if (!work(c, t, kind))
		end_slice(c, t);
}
