/* The page that asks before a workspace is deleted (docs/console.md §4.8): what goes with it, and
 * its name, which is typed. */
#include "action/workspace-actions.h"
#include "all.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "console/answer.h"
#include "console/page.h"
#include "screen/tr.h"
#include "system/work.h"

#define NAME_MAX_BYTES 800
#define DELETE_S 20 /* so long one request deletes */

static const struct field fields[] = {
	{ .name = "confirm",
	    .label = tr_mark("Name of the workspace"),
	    .kind = FIELD_TEXT,
	    .max = NAME_MAX_BYTES,
	    .required = true,
	    .autocomplete = "off",
	    .missing = tr_mark("Type the name to delete it.") },
	{ .name = "delete",
	    .label = tr_mark("Delete this workspace"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

static struct err *
load(struct page *p)
{
	const struct find_place place = { .name = p->v->workspace->uuid };
	struct deletion *d = p->data;

	TRY(deletion_find(p->c, &place, d));
	p->title = arena_printf(p->c->arena, tr("Delete “%s”?"), d->workspace->settings.name);
	return NULL;
}

static struct err *
check(struct page *p)
{
	struct err *err = NULL;

	if (p->form->errors == 0)
		err = deletion_confirm(p->c, p->data, form_text(p->form, "confirm"));
	if (err != NULL)
		form_refuse(p->form, "confirm", err->message);
	return NULL;
}

static bool
must_stop(void *arg)
{
	const int64_t *until = arg;

	return clock_boot() > *until;
}

static struct err *
delete_workspace(struct page *p)
{
	int64_t until = clock_boot() + DELETE_S * CLOCK_SECOND;
	const struct work work = { .must_stop = must_stop, .arg = &until };
	struct deletion *d = p->data;
	struct err *err;

	d->work = &work;
	/* The number is spent before the work is done: the same form must not say that it is. */
	console_will_go(p->v, arena_printf(p->c->arena, "/%s/settings/delete", d->workspace->uuid));
	err = deletion_run(p->c, d);
	if (err != NULL && work_is_stopped(err))
		err->message = tr(
		    "The keys of this workspace are refused, and many of its articles are destroyed. Some are left: send this once more.");
	return err;
}

static const struct page_act delete_it = {
	.name = "deletion",
	.fields = fields,
	.check = check,
	.act = delete_workspace,
	.go = "/",
	.notice = "deleted",
	.journal = "workspace delete W",
};

static void
write_main(struct hwrite *w, struct page *p)
{
	const struct deletion *d = p->data;
	struct arena *a = p->c->arena;

	page_ask(w, p, &delete_it,
	    (struct page_question) {
		.about = d->workspace->settings.name,
		.says = { arena_printf(a,
			      tr_count("It has %s article, with the trash.",
				  "It has %s articles, with the trash.", d->found),
			      tr_number(a, d->found)),
		    tr("Its articles, editions, trash and pictures are destroyed, and its keys are refused. A backup alone still holds them.") },
		.back = arena_printf(a, "/%s/settings", d->workspace->uuid),
	    });
}

static const struct page_kind deletion_page = {
	.size = sizeof(struct deletion), .load = load, .write = write_main
};

#define DELETION                                                                                   \
	.title = tr_mark("Delete this workspace"), .need = RIGHT_MANAGE, .page = &deletion_page
SCREEN(workspace_delete) = {
	{ .method = "GET", .pattern = "/W/settings/delete", DELETION },
	{ .method = "POST",
	    .pattern = "/W/settings/delete",
	    DELETION,
	    .step_up = true,
	    .act = &delete_it },
	{ .method = NULL },
};
