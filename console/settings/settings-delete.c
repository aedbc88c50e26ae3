/* The deletion of a workspace by its settings. */
#include "settings.h"

#include <string.h>

#include "action/workspace-actions.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "screen/tr.h"
#include "system/work.h"

#define NAME_MAX_BYTES 800
#define DELETE_S 20 /* so long one request deletes */

const struct field settings_delete_fields[] = {
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

static bool
must_stop(void *arg)
{
	const int64_t *until = arg;

	return clock_boot() > *until;
}

static struct err *
deletion_page(struct settings_page *p, struct visit *v, struct reply *reply, struct err *err)
{
	if (work_is_stopped(err))
		err->message = tr(
		    "The keys of this workspace are refused, and many of its articles are destroyed. Some are left: send this once more.");
	else if (v->repeated || err->code != ERR_CONFLICT)
		return err;
	form_refuse(&p->deletion, "confirm", err->message);
	reply->status = 422;
	settings_page_fill(p);
	return settings_page_show(p, reply);
}

static struct err *
run_deletion(struct settings_page *p, struct visit *v, struct deletion *d)
{
	struct err *err = deletion_confirm(p->c, d, form_text(&p->deletion, "confirm"));

	if (err != NULL)
		return err;
	console_will_go(v, "/?notice=deleted");
	console_journal(p->c, v, "workspace delete %s", p->w->uuid);
	return deletion_run(p->c, d);
}

struct err *
settings_delete(struct ctx *c, struct visit *v, struct reply *reply)
{
	int64_t until = clock_boot() + DELETE_S * CLOCK_SECOND;
	const struct work work = { .must_stop = must_stop, .arg = &until };
	const struct find_place place = { .name = v->workspace->uuid };
	struct deletion d = { .work = &work };
	struct settings_page *p = settings_page_begin(c, v);
	struct err *err;

	if (!console_read(c, v, &p->deletion)) {
		console_refused(v, reply);
		settings_page_fill(p);
		return settings_page_show(p, reply);
	}
	err = deletion_find(c, &place, &d);
	if (err == NULL)
		err = run_deletion(p, v, &d);
	if (err != NULL)
		return deletion_page(p, v, reply, err);
	console_go(c, v, reply, "/", "deleted");
	return NULL;
}
