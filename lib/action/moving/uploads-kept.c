#include "action/moving/uploads-kept.h"

#include <string.h>

#include "action/action.h"
#include "action/moving/uploads.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "people/task.h"
#include "screen/tr.h"

struct keeping {
	struct ctx *c;
	struct uploads_kept *out;
};

static void
keep(void *arg, const struct uploading *u)
{
	struct keeping *k = arg;

	if (k->out->count == UPLOADS_KEPT)
		return;
	k->out->list[k->out->count++] =
	    (struct uploading) { .uuid = arena_text(k->c->arena, u->uuid),
		    .size = u->size,
		    .got = u->got,
		    .created_at = u->created_at,
		    .changed_at = u->changed_at };
}

struct err *
uploads_kept_list(struct ctx *c, const struct uploading *whose, struct uploads_kept *out)
{
	struct keeping k = { c, out };
	struct err *err = action_read_console(c);

	out->count = 0;
	if (err != NULL)
		return err;
	uploading_list(c, whose, UPLOADS_KEPT, keep, &k);
	return action_end(c, NULL);
}

/* Returns whether an import of the place is open and reads the file. A workspace has one at
 * most. */
static bool
is_read(struct ctx *c, const struct uploading *u)
{
	const struct task *t = task_newest(c, u->workspace, MOVING_KIND);
	const struct moving *m = t != NULL && task_is_open(t) ? moving_find(c, t->id) : NULL;

	return m != NULL && strcmp(m->upload, u->uuid) == 0;
}

static struct err *
check(struct ctx *c, const struct uploading *whose, const struct uploading *u)
{
	if (u == NULL || strcmp(u->person, whose->person) != 0 ||
	    strcmp(u->account, whose->account) != 0 ||
	    strcmp(u->workspace, whose->workspace) != 0 || strcmp(u->kind, whose->kind) != 0)
		return refuse(c, ERR_NOT_FOUND, tr_mark("This file is not here any more."));
	if (is_read(c, u))
		return refuse(c, ERR_CONFLICT,
		    tr_mark("An import reads this file. Stop it first, or wait for its end."));
	return NULL;
}

struct err *
uploads_kept_remove(struct ctx *c, const struct uploading *whose, const char *id)
{
	const struct uploading *u = NULL;
	struct err *err = action_begin_console(c);

	if (err == NULL) {
		u = uploading_find(c, id);
		err = check(c, whose, u);
	}
	if (err == NULL)
		uploading_delete(c, u->id);
	err = action_end(c, err);
	if (err == NULL)
		uploads_drop(c, u);
	return err;
}
