/* "Refresh exports": the finished forms of a workspace's articles, made again by a task
 * (docs/console.md §4.8, §1.3). */
#include <inttypes.h>
#include <string.h>

#include "action/instance-actions.h"
#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "job/cron.h"
#include "screen/tr.h"

#define AGAIN_S 5

static const struct field fields[] = {
	{ .name = "refresh",
	    .label = tr_mark("Refresh exports"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

struct exports {
	struct ctx *c;
	const struct visit *v;
	struct task *task; /* the last one, or NULL */
	struct form form;
};

static const char *
path_of(struct ctx *c, const struct visit *v)
{
	return arena_printf(c->arena, "/%s/settings/exports", v->workspace->uuid);
}

static void
write_open(struct hwrite *w, const struct exports *x)
{
	const struct task *t = x->task;
	struct cron cron;

	if (strcmp(t->state, "waiting") == 0)
		@ <p>It waits for the task runner.</p>
	else
		@ <p>{t->done} of {t->total} articles were looked at.</p>
	@ <p>This page shows by itself how far it is.</p>
	cron_look(x->c, &cron);
	console_runner(w, &cron, console_may(x->v, RIGHT_OPERATE));
}

static void
write_main(struct hwrite *w, const void *data)
{
	const struct exports *x = data;
	const struct task *t = x->task;

	@ <p>Sites get articles in a finished form, which is stored. After a change of settings it
	@ is made again little by little; here it is made at once.</p>
	if (t != NULL && task_is_open(t)) {
		write_open(w, x);
		return;
	}
	if (t != NULL && strcmp(t->state, "done") == 0)
		@ <notice good><p>All exports are fresh since the last refresh.</p></notice>
	else if (t != NULL)
		screen_notice(w, SCREEN_WARNING, "%s",
		    t->report[0] != '\0' ? tr(t->report) : tr("The last refresh was ended."));
	console_form(x->c, x->v, w, &x->form, path_of(x->c, x->v));
}

static struct err *
look(struct ctx *c, struct visit *v, struct exports *x)
{
	x->c = c;
	x->v = v;
	form_init(&x->form, "exports", fields);
	return tasks_newest(c, v->workspace->uuid, TASKS_REFRESH, &x->task);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct exports *x = arena_alloc(c->arena, sizeof(*x));

	TRY(look(c, v, x));
	if (x->task != NULL && task_is_open(x->task))
		v->refresh_s = AGAIN_S;
	console_page(c, v, reply, NULL, NULL, write_main, x);
	return NULL;
}

static struct err *
refresh(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct exports *x = arena_alloc(c->arena, sizeof(*x));
	struct task t = { .kind = TASKS_REFRESH,
		.person = v->person->uuid,
		.need = RIGHT_MANAGE,
		.account = v->account->uuid,
		.workspace = v->workspace->uuid };
	struct err *err = look(c, v, x);

	if (err != NULL)
		return err;
	console_will_go(v, path_of(c, v));
	if (console_read(c, v, &x->form)) {
		err = tasks_begin(c, &t);
		if (err == NULL) {
			console_journal(c, v, "export refresh %s", v->workspace->uuid);
			console_go(c, v, reply, path_of(c, v), NULL);
			return NULL;
		}
		TRY(console_wrong(c, v, reply, &x->form, err));
	} else {
		console_refused(v, reply);
	}
	console_page(c, v, reply, NULL, NULL, write_main, x);
	return NULL;
}

#define EXPORTS                                                                                    \
	.pattern = "/W/settings/exports", .need = RIGHT_MANAGE, .title = tr_mark("Refresh exports")

SCREEN(exports) = {
	{ .method = "GET", EXPORTS, .handler = show },
	{ .method = "POST", EXPORTS, .handler = refresh },
	{ .method = NULL },
};
