/* Tasks of all customers, and "End" (docs/console.md §4.14, §1.3). */
#include <inttypes.h>
#include <string.h>

#include "access/account.h"
#include "access/workspace.h"
#include "action/instance-actions.h"
#include "action/person/person-look.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "instance-screen.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"

#define TASKS_MAX 100 /* the newest; who wants older ones says galley task list */

static const struct field end_fields[] = {
	{ .name = "end", .label = tr_mark("End"), .kind = FIELD_SUBMIT, .tone = FIELD_DANGER },
	{ .name = NULL },
};

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

struct page {
	struct ctx *c;
	const struct visit *v;
	struct line lines[TASKS_MAX];
	size_t count;
};

static void
keep(void *arg, const struct task *t)
{
	struct page *p = arg;

	if (p->count < TASKS_MAX)
		p->lines[p->count++].t = *t;
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
read_tasks(struct page *p)
{
	struct err *err = tasks_show_all(p->c, TASKS_MAX, keep, p);
	struct names names = { .count = 0 };

	if (err != NULL)
		return err;
	db_begin_read(p->c, DB_CONTENT);
	for (size_t i = 0; i < p->count; i++) {
		p->lines[i].by = names_of(p->c, &names, p->lines[i].t.person);
		p->lines[i].of = place_of(p->c, &p->lines[i].t);
	}
	db_rollback(p->c);
	return NULL;
}

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
		screen_data(w, arena_printf(c->arena, "%" PRId64 " / %" PRId64, t->done, t->total));
}

static void
write_end(struct hwrite *w, const struct page *p, const struct task *t)
{
	struct form *f = arena_alloc(p->c->arena, sizeof(*f));

	form_init(f, arena_printf(p->c->arena, "end-%s", t->uuid), end_fields);
	console_form(
	    p->c, p->v, w, f, arena_printf(p->c->arena, "/instance/tasks/%s/end", t->uuid));
}

static void
write_line(struct screen_table *t, const struct page *p, const struct line *line)
{
	screen_row_begin(t);
	screen_cell(t, kind_of(&line->t));
	screen_cell_begin(t);
	write_state(t->w, &line->t);
	screen_cell_end(t);
	screen_cell(t, line->of);
	screen_cell(t, line->by != NULL ? line->by : tr("somebody who was removed"));
	screen_cell_begin(t);
	say_moment(t->w, line->t.created_at);
	screen_cell_end(t);
	screen_cell_begin(t);
	if (line->t.ended_at != 0)
		say_moment(t->w, line->t.ended_at);
	screen_cell_end(t);
	screen_cell_begin(t);
	write_report(t->w, p->c, &line->t);
	screen_cell_end(t);
	screen_cell_begin(t);
	if (task_is_open(&line->t))
		write_end(t->w, p, &line->t);
	screen_cell_end(t);
	screen_row_end(t);
}

static void
write_main(struct hwrite *w, const void *data)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Task") },
		{ .label = tr_mark("State") },
		{ .label = tr_mark("Of") },
		{ .label = tr_mark("By") },
		{ .label = tr_mark("Begun (UTC)") },
		{ .label = tr_mark("Ended (UTC)") },
		{ .label = tr_mark("Report") },
		{ .label = tr_mark("Actions") },
		{ .label = NULL },
	};
	const struct page *p = data;
	struct screen_table t;

	instance_write_places(w, p->c, p->v);
	if (p->count == 0) {
		screen_empty(w, tr("Nobody has asked for a task yet."), NULL, NULL);
		return;
	}
	screen_table_begin(&t, w, tr("Tasks, the newest first"), columns);
	for (size_t i = 0; i < p->count; i++)
		write_line(&t, p, &p->lines[i]);
	screen_table_end(&t);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));
	struct err *err;

	p->c = c;
	p->v = v;
	p->count = 0;
	err = read_tasks(p);
	if (err == NULL)
		console_page(c, v, reply, NULL, NULL, write_main, p);
	return err;
}

static struct err *
end(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct err *err;

	console_will_go(v, "/instance/tasks?notice=ended");
	err = tasks_end(c, v->id);
	if (err != NULL)
		return err;
	console_journal(c, v, "task end %s", v->id);
	console_go(c, v, reply, "/instance/tasks", "ended");
	return NULL;
}

const struct console_row instance_tasks_screens[] = {
	{ .method = "GET",
	    .pattern = "/instance/tasks",
	    INSTANCE,
	    .title = tr_mark("Tasks"),
	    .handler = show },
	{ .method = "POST",
	    .pattern = "/instance/tasks/ID/end",
	    INSTANCE,
	    .title = tr_mark("Tasks"),
	    .handler = end },
	{ .method = NULL },
};
