/* What is done with an article in the trash (docs/console.md §4.3): "Restore", "Delete for
 * good". */
#include "action/action.h"
#include "action/article/destroy.h"
#include "action/article/state.h"
#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "editor.h"
#include "screen/tr.h"

/* Looks whether a form without fields is one of ours, for an article of this place. */
static struct err *
check_bare(struct ctx *c, struct visit *v)
{
	static const struct field none[] = { { .name = NULL } };
	struct article *a;
	struct form f;
	struct err *err = console_article(c, v, &a);

	form_init(&f, "bare", none);
	if (err == NULL && !console_read(c, v, &f))
		err = refuse(c, ERR_CONFLICT, "%s", f.error);
	return err;
}

static struct err *
restore(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct state s = { .id = v->id };
	struct err *err = check_bare(c, v);

	console_will_go(
	    v, arena_printf(c->arena, "%s?notice=restored", editor_address(c, v, v->id)));
	if (err == NULL)
		err = state_undelete(c, &s);
	if (err != NULL)
		return err;
	console_journal(c, v, "article undelete %s", v->id);
	console_go(c, v, reply, editor_address(c, v, v->id), "restored");
	return NULL;
}

/* An article that is not there any more may be one that this form destroyed before: the
 * gate knows. */
static struct err *
missing(struct ctx *c, struct visit *v, struct err *err)
{
	struct workspace *w;
	struct err *again = workspace_begin(c, v->workspace, &w);

	return action_end(c, again != NULL ? again : err);
}

static struct err *
destroy(struct ctx *c, struct visit *v, struct reply *reply)
{
	const char *path = arena_printf(c->arena, "/%s/articles?status=trash", v->workspace->uuid);
	struct destroy d = { .waits_not = true };
	struct article *a;
	struct err *err = check_bare(c, v);

	console_will_go(v, arena_printf(c->arena, "%s&notice=deleted", path));
	if (err == NULL)
		err = console_article(c, v, &a);
	if (err != NULL && err->code == ERR_NOT_FOUND)
		err = missing(c, v, err);
	if (err != NULL)
		return err;
	destroy_add(c, &d, a);
	err = destroy_workspace(c, &d, v->workspace->id);
	if (err == NULL)
		err = d.refused[0];
	if (err != NULL)
		return err;
	console_journal(c, v, "article purge %s", v->id);
	(void)destroy_pictures(c, &d);
	console_go(c, v, reply, path, "deleted");
	return NULL;
}

const struct console_row trash_screens[] = {
	{ .method = "POST",
	    .pattern = "/W/articles/ID/restore",
	    .need = RIGHT_PUBLISH,
	    .title = tr_mark("Restore"),
	    .handler = restore },
	{ .method = "POST",
	    .pattern = "/W/articles/ID/destroy",
	    .need = RIGHT_MANAGE,
	    .title = tr_mark("Delete for good"),
	    .step_up = true,
	    .handler = destroy },
	{ .method = NULL },
};
