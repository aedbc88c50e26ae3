#include "action/moving-in.h"

#include <string.h>

#include "action/action.h"
#include "action/uploaded-files.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "content/url.h"
#include "screen/tr.h"
#include "store/db.h"

/* Reads where the posts were, without slashes at its end. */
static struct err *
read_site(struct ctx *c, struct moving *m)
{
	char *clean;
	const char *given = m->site;
	size_t len;

	if (given == NULL || given[0] == '\0') {
		m->site = "";
		if (strcmp(m->program, "ghost") == 0)
			return err_param(c, "site",
			    tr_mark(
				"Ghost's export does not say where the site is: type its address, such as https://example.com."));
		return NULL;
	}
	given = url_clean_web(c->arena, given);
	if (given == NULL || strpbrk(given, "?#") != NULL)
		return err_param(
		    c, "site", tr_mark("This must be an address such as https://example.com."));
	clean = arena_text(c->arena, given);
	for (len = strlen(clean); len > 0 && clean[len - 1] == '/'; len--)
		clean[len - 1] = '\0';
	m->site = clean;
	return NULL;
}

static struct err *
check_open(struct ctx *c, const struct task *t)
{
	const struct task *last = task_newest(c, t->workspace, t->kind);

	if (last == NULL || !task_is_open(last))
		return NULL;
	return refuse(c, ERR_CONFLICT,
	    tr_mark("Another import of this workspace is not done yet. Wait for it, or stop it."));
}

struct err *
moving_begin(struct ctx *c, const struct uploading *whose, struct uploading *fresh,
    struct moving *m, struct task *t)
{
	struct uploading *u = fresh;

	TRY(read_site(c, m));
	if (fresh == NULL)
		TRY(uploads_get(c, whose, m->upload, &u));
	*t = (struct task) { .kind = MOVING_KIND,
		.person = whose->person,
		.need = RIGHT_PUBLISH,
		.account = whose->account,
		.workspace = whose->workspace };
	ACTION(c, action_begin_console(c));
	TRY(check_open(c, t));
	if (fresh != NULL)
		TRY(uploads_add(c, fresh));
	m->upload = u->uuid;
	uploading_touch(c, u->uuid);
	task_insert(c, t);
	m->task_id = t->id;
	moving_insert(c, m);
	gate_leave(c);
	return action_commit(c);
}

/* Finds an import of the workspace, in a transaction. */
static struct err *
find(struct ctx *c, const char *workspace, const char *id, struct task **out)
{
	*out = task_find(c, id);
	if (*out != NULL && strcmp((*out)->kind, MOVING_KIND) == 0 &&
	    strcmp((*out)->workspace, workspace) == 0)
		return NULL;
	return refuse(c, ERR_NOT_FOUND, tr_mark("There is no such page."));
}

struct err *
moving_end(struct ctx *c, const char *workspace, const char *id)
{
	struct task *t;

	ACTION(c, action_begin_console(c));
	TRY(find(c, workspace, id, &t));
	if (task_is_open(t))
		task_end(c, t, "ended", tr_mark("Somebody stopped it. What was imported stays."));
	return action_commit(c);
}

/* ---- look */

static const char *
copy(struct ctx *c, const char *text)
{
	return arena_text(c->arena, text);
}

struct looking {
	struct ctx *c;
	struct moving_view *view;
};

static void
keep_item(void *arg, const struct moving_item *item)
{
	struct looking *l = arg;

	l->view->items[l->view->item_count++] = (struct moving_item) { .number = item->number,
		.title = copy(l->c, item->title),
		.article = copy(l->c, item->article),
		.outcome = copy(l->c, item->outcome),
		.notes = copy(l->c, item->notes) };
}

static void
keep_loss(void *arg, const struct moving_loss *loss)
{
	struct looking *l = arg;
	const struct moving_loss kept = {
		.kind = copy(l->c, loss->kind), .count = loss->count, .skipped = loss->skipped
	};

	if (loss->skipped)
		l->view->skipped[l->view->skipped_count++] = kept;
	else
		l->view->losses[l->view->loss_count++] = kept;
}

static void
read_all(struct ctx *c, const struct uploading *whose, bool failed, int64_t after,
    struct moving_view *out)
{
	struct looking l = { .c = c, .view = out };
	const struct uploading *u = uploading_find(c, out->moving->upload);
	int64_t id = out->task->id;

	out->upload_is_there =
	    u != NULL && uploading_is_whole(u) && strcmp(u->person, whose->person) == 0;
	moving_list_losses(c, id, false, MOVING_LOSSES_MAX, keep_loss, &l);
	moving_list_losses(c, id, true, MOVING_LOSSES_MAX, keep_loss, &l);
	moving_list_items(c, id, failed, after, MOVING_ITEMS + 1, keep_item, &l);
}

struct err *
moving_look(struct ctx *c, const struct uploading *whose, const char *id, bool failed,
    int64_t after, struct moving_view *out)
{
	ACTION(c, action_read_console(c));
	*out = (struct moving_view) { .task = NULL };
	TRY(find(c, whose->workspace, id, &out->task));
	out->moving = moving_find(c, out->task->id);
	if (out->moving == NULL)
		return refuse(c, ERR_NOT_FOUND, tr_mark("There is no such page."));
	read_all(c, whose, failed, after, out);
	return action_commit(c);
}

static void
keep_task(void *arg, const struct task *t)
{
	struct moving_list *list = arg;

	list->tasks[list->count++] = *t;
}

struct err *
moving_list(struct ctx *c, const char *workspace, struct moving_list *out)
{
	ACTION(c, action_read_console(c));
	out->count = 0;
	task_list_kind(c, workspace, MOVING_KIND, MOVING_TASKS, keep_task, out);
	for (size_t i = 0; i < out->count; i++)
		out->movings[i] = moving_find(c, out->tasks[i].id);
	return action_commit(c);
}
