/* "Restore" of one article in the trash (docs/console.md §4.3); "Delete for good" is an act of
 * articles-many.c. */
#include "action/article/publish-actions.h"
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

const struct console_row trash_screens[] = {
	{ .method = "POST",
	    .pattern = "/W/articles/ID/restore",
	    .need = RIGHT_PUBLISH,
	    .title = tr_mark("Restore"),
	    .handler = restore },
	{ .method = NULL },
};
