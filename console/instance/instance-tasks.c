/* Tasks of all customers, and "End" (docs/console.md §4.14, §1.3). */
#include <inttypes.h>
#include <string.h>

#include "access/account.h"
#include "access/workspace.h"
#include "action/instance-actions.h"
#include "action/person/person-look.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "console/page.h"
#include "instance-screen.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"

#define TASKS_MAX 100 /* the newest; who wants older ones says galley task list */

static const struct {
	const char *state, *word;
	enum screen_tone tone;
} states[] = {
	{ "waiting", tr_mark("Waiting"), SCREEN_NOTE },
	{ "running", tr_mark("Running"), SCREEN_NOTE },
	{ "done", tr_mark("Done"), SCREEN_GOOD },
	{ "failed", tr_mark("Failed"), SCREEN_BAD },
	{ "ended", tr_mark("Ended"), SCREEN_WARNING },
};

struct line {
	struct task t;
	const char *by; /* or NULL */
	const char *of; /* a workspace's or account's name, or NULL */
};

struct tasks {
	struct line lines[TASKS_MAX];
	size_t count;
};

static void
keep(void *arg, const struct task *t)
{
	struct tasks *all = arg;

	if (all->count < TASKS_MAX)
		all->lines[all->count++].t = *t;
}

/* Returns the name of where a task works, or NULL. */
static const char *
place_of(struct ctx *c, const struct task *t)
{
	const struct workspace *w;
	const struct account *a;
	bool many;

	w = t->workspace[0] != '\0' ? workspace_find(c, t->workspace, &many) : NULL;
	if (w != NULL)
		return w->settings.name;
	a = t->account[0] != '\0' ? account_find(c, t->account, &many) : NULL;
	return a != NULL ? a->name : NULL;
}

static struct err *
load(struct page *p)
{
	struct tasks *all = p->data;
	struct names names = { .count = 0 };
	struct err *err = p->acting ? NULL : tasks_show_all(p->c, TASKS_MAX, keep, all);

	if (err != NULL || p->acting)
		return err;
	db_begin_read(p->c, DB_CONTENT);
	for (size_t i = 0; i < all->count; i++) {
		all->lines[i].by = names_of(p->c, &names, all->lines[i].t.person);
		all->lines[i].of = place_of(p->c, &all->lines[i].t);
	}
	db_rollback(p->c);
	return NULL;
}

static struct err *
end(struct page *p)
{
	return tasks_end(p->c, p->v->id);
}

static const struct page_act end_it = { .name = "end",
	.fields = PAGE_BUTTON("end", tr_mark("End"), FIELD_DANGER),
	.act = end,
	.go = "/instance/tasks",
	.notice = "ended",
	.journal = "task end ID",
	.store = DB_CONSOLE };

/* ---- the page */

static const char *
kind_of(const struct task *t)
{
	return strcmp(t->kind, TASKS_REFRESH) == 0 ? tr("Refresh exports") : t->kind;
}

static void
write_state(struct hwrite *w, const struct task *t)
{
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		if (strcmp(states[i].state, t->state) == 0)
			screen_state(w, states[i].tone, tr(states[i].word));
	}
}

/* Writes how far it came, or what became of it. */
static void
write_report(struct hwrite *w, struct ctx *c, const struct task *t)
{
	if (t->report[0] != '\0')
		screen_data(w, tr(t->report));
	else if (t->total > 0)
		screen_data(w, arena_printf(c->arena, "%s / %s", tr_number(c->arena, t->done),
				   tr_number(c->arena, t->total)));
}

static void
write_line(struct hwrite *w, struct page *p, const struct line *line)
{
	const struct task *t = &line->t;

	@ <row><cell>{kind_of(t)}</cell><cell>{!write_state(w, t)}</cell><cell>{line->of}</cell>
	@ <cell>{line->by != NULL ? line->by : tr("somebody who was removed")}</cell>
	@ <cell>{!say_moment(w, t->created_at)}</cell>
	@ <cell>
	if (t->ended_at != 0)
		say_moment(w, t->ended_at);
	@ </cell>
	@ <cell>{!write_report(w, p->c, t)}</cell>
	@ <cell>
	if (task_is_open(t))
		page_form(w, p, &end_it, t->uuid);
	@ </cell></row>
}

static void
write_main(struct hwrite *w, struct page *p)
{
	const struct tasks *all = p->data;

	instance_write_places(w, p->c, p->v);
	if (all->count == 0) {
		screen_empty(w, tr("Nobody has asked for a task yet."), NULL, NULL);
		return;
	}
	@ <list caption="Tasks, the newest first"
	@     columns="Task|State|Of|By|Begun (UTC)|Ended (UTC)|Report|Actions">
	for (size_t i = 0; i < all->count; i++)
		write_line(w, p, &all->lines[i]);
	@ </list>
}

static const struct page_kind page = { sizeof(struct tasks), load, write_main };

#define TASKS INSTANCE, .title = tr_mark("Tasks"), .page = &page

SCREEN(instance_tasks) = {
	{ "GET", "/instance/tasks", TASKS },
	{ "POST", "/instance/tasks/ID/end", TASKS, .act = &end_it },
	{ .method = NULL },
};
