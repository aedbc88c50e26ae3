/* The editor, without script (docs/console.md §5): one form, whose buttons save first. */
#include <string.h>

#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "editor.h"
#include "screen/tr.h"

const char *
editor_address(struct ctx *c, const struct visit *v, const char *id)
{
	return arena_printf(c->arena, "/%s/articles/%s", v->workspace->uuid, id);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct editing e = { .c = c, .v = v, .action = editor_address(c, v, v->id) };
	struct write_view view;
	struct ready ready;
	struct form f;
	struct err *err = write_look(c, v->workspace, v->id, &e.article, &view);

	if (err == NULL && console_query(c, v, "check") != NULL) {
		err = ready_look(c, v->workspace, v->id, &ready);
		e.ready = &ready;
	}
	if (err != NULL)
		return err;
	editor_form(c, v, e.article, &f);
	editor_fill(&f, &view);
	e.form = &f;
	editor_page(&e, reply);
	return NULL;
}

static struct err *
begin(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct editing e = { .c = c, .v = v,
		.action = arena_printf(c->arena, "/%s/articles/new",
		    v->workspace->uuid) };
	struct form f;

	editor_form(c, v, NULL, &f);
	form_fill(&f, "language", v->workspace->settings.language);
	e.form = &f;
	editor_page(&e, reply);
	return NULL;
}

/* ---- what was sent */

/* Reads which button was pressed, and asks for its right. Enter in a field is "Save". */
static struct err *
read_button(struct ctx *c, struct visit *v, const struct form *f, struct write *w)
{
	struct err *err = NULL;

	w->then = console_sent(v, "publish") != NULL ? WRITE_PUBLISH
	    : console_sent(v, "unpublish") != NULL ? WRITE_UNPUBLISH
	    : console_sent(v, "trash") != NULL ? WRITE_TRASH : WRITE_SAVE;
	(void)f;
	if (w->then != WRITE_SAVE)
		err = console_need(c, v, RIGHT_PUBLISH);
	if (err == NULL && (w->then == WRITE_SAVE || console_may(v, RIGHT_WRITE)))
		err = console_need(c, v, RIGHT_WRITE);
	return err;
}

/* Names the form's field in the place of the action's. A sentence that begins with the
 * action's name begins with "This" beside the field. */
static void
name_field(struct ctx *c, struct err *err)
{
	for (size_t i = 0; i < WRITE_FIELDS && err->param != NULL; i++) {
		size_t len = strlen(write_fields[i]);
		if (strcmp(err->param, write_fields[i]) != 0)
			continue;
		if (strncmp(err->message, write_fields[i], len) == 0 &&
		    err->message[len] == ' ')
			err->message = arena_printf(c->arena, "This%s",
			    err->message + len);
		err->param = editor_names[i];
		return;
	}
}

static void
go(struct ctx *c, const struct visit *v, struct reply *reply, const struct write *w,
    const char *path, bool check)
{
	const char *notice = w->merged ? "merged" : w->saved ? "saved" : "unchanged";

	if (w->then == WRITE_PUBLISH && !w->published) {
		console_go(c, v, reply, arena_printf(c->arena, "%s/publish", path), NULL);
		return;
	}
	if (w->then == WRITE_PUBLISH)
		notice = "published";
	else if (w->then == WRITE_UNPUBLISH)
		notice = "unpublished";
	else if (w->then == WRITE_TRASH)
		notice = "trashed";
	if (w->then == WRITE_TRASH)
		path = arena_printf(c->arena, "/%s/articles", v->workspace->uuid);
	else if (check)
		path = arena_printf(c->arena, "%s?check=1", path);
	console_go(c, v, reply, path, notice);
}

/* Writes a line of the journal for what was done. */
static void
tell(struct ctx *c, const struct visit *v, const struct write *w)
{
	static const char *const acts[] = { [WRITE_SAVE] = "save",
		[WRITE_PUBLISH] = "publish", [WRITE_UNPUBLISH] = "unpublish",
		[WRITE_TRASH] = "delete" };

	if (w->saved || w->then != WRITE_SAVE)
		console_journal(c, v, "article %s %s", acts[w->then], w->id);
}

static struct err *
run(struct ctx *c, struct visit *v, struct reply *reply, struct editing *e,
    struct form *f, struct write *w)
{
	bool good, check;
	struct err *err = editor_check_readonly(c, v, f);

	if (err == NULL)
		err = read_button(c, v, f, w);
	if (err != NULL)
		return err;
	good = console_read(c, v, f);
	check = editor_pressed(f, "check");
	reply->status = v->number_state == FORMNUMBER_GOOD ? 422 : 409;
	if (good) {
		editor_take(v, f, e->article, w);
		clash_read(v, w);
		console_will_go(v, w->then == WRITE_PUBLISH
		    ? arena_printf(c->arena, "%s/publish", e->action)
		    : w->then == WRITE_TRASH
		    ? arena_printf(c->arena, "/%s/articles", v->workspace->uuid)
		    : editor_address(c, v, w->id));
		err = write_article(c, w);
		if (err == NULL && w->clashed) {
			clash_show(c, v, reply, f, w, e->action);
			return NULL;
		}
		if (err == NULL) {
			reply->status = 200;
			tell(c, v, w);
			go(c, v, reply, w, editor_address(c, v, w->id), check);
			return NULL;
		}
		name_field(c, err);
		err = console_wrong(c, v, reply, f, err);
		if (err != NULL)
			return err;
	}
	e->form = f;
	editor_page(e, reply);
	return NULL;
}

static struct err *
save(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct editing e = { .c = c, .v = v, .action = editor_address(c, v, v->id) };
	struct write *w = arena_alloc(c->arena, sizeof(*w));
	struct write_view view;
	struct form f;
	struct err *err = write_look(c, v->workspace, v->id, &e.article, &view);

	if (err != NULL)
		return err;
	editor_form(c, v, e.article, &f);
	editor_fill(&f, &view);
	w->id = v->id;
	w->person = v->person->uuid;
	return run(c, v, reply, &e, &f, w);
}

static struct err *
create(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct editing e = { .c = c, .v = v,
		.action = arena_printf(c->arena, "/%s/articles/new",
		    v->workspace->uuid) };
	struct write *w = arena_alloc(c->arena, sizeof(*w));
	char *id = arena_alloc(c->arena, UUID_TEXT);
	struct form f;

	uuid_random(id);
	editor_form(c, v, NULL, &f);
	*w = (struct write){ .workspace = v->workspace, .id = id, .is_new = true,
		.person = v->person->uuid };
	return run(c, v, reply, &e, &f, w);
}

const struct console_row editor_screens[] = {
	{ .method = "GET", .pattern = "/W/articles/new", .need = RIGHT_WRITE,
	    .title = tr_mark("New article"), .editor = true, .handler = begin },
	{ .method = "POST", .pattern = "/W/articles/new", .need = RIGHT_WRITE,
	    .title = tr_mark("New article"), .editor = true, .handler = create },
	{ .method = "GET", .pattern = "/W/articles/ID", .title = tr_mark("Article"),
	    .editor = true, .handler = show },
	{ .method = "POST", .pattern = "/W/articles/ID", .title = tr_mark("Article"),
	    .editor = true, .handler = save },
	{ .method = NULL },
};
