/* Moving in: an export of another program becomes articles, after a dry run
 * (docs/console.md §4.11). */
#include "moving.h"

#include <string.h>

#include "../all.h"
#include "action/uploaded-files.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "screen/say.h"
#include "screen/tr.h"

#define SITE_MAX 2000

static const struct field_choice programs[] = {
	{ "wordpress", tr_mark("WordPress") },
	{ "ghost", tr_mark("Ghost") },
	{ "markdown", tr_mark("Markdown") },
	{ NULL, NULL },
};

/* All that POST reads. */
static const struct field fields[] = {
	{ .name = "program",
	    .label = tr_mark("From"),
	    .kind = FIELD_SELECT,
	    .required = true,
	    .choices = programs,
	    .missing = tr_mark("Choose the program.") },
	{ .name = "file",
	    .label = tr_mark("File"),
	    .kind = FIELD_FILE,
	    .required = true,
	    .accept = ".xml,.json,.md,.markdown,.zip",
	    .hint = tr_mark(
		"WordPress: Tools, Export, All content. Ghost: Settings, Export. Markdown: one document. Or a zip archive with it, and with its pictures. Without JavaScript a file has at most 64 MiB; with it 8 GiB, and a connection may break meanwhile.") },
	{ .name = "site",
	    .label = tr_mark("Website"),
	    .kind = FIELD_TEXT,
	    .max = SITE_MAX,
	    .dir = "ltr",
	    .inputmode = "url",
	    .hint = tr_mark(
		"Where the posts were: https://www.example.com. Only Ghost's export does not say it.") },
	{ .name = "upload", .kind = FIELD_HIDDEN },
	{ .name = "publish",
	    .label = tr_mark("Publish what was published there"),
	    .kind = FIELD_CHECKBOX },
	{ .name = "fetch", .label = tr_mark("Fetch the pictures"), .kind = FIELD_CHECKBOX },
	{ .name = "pages",
	    .label = tr_mark("Import the pages, too"),
	    .kind = FIELD_CHECKBOX,
	    .hint = tr_mark(
		"WordPress and Ghost have pages beside the posts: About, Contact. Each becomes an article with the date that it had there.") },
	{ .name = "dry", .label = tr_mark("Dry run"), .kind = FIELD_SUBMIT, .tone = FIELD_PRIMARY },
	{ .name = "import", .label = tr_mark("Import"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

const struct field moving_import_fields[] = {
	{ .name = "program", .kind = FIELD_HIDDEN },
	{ .name = "site", .kind = FIELD_HIDDEN, .max = SITE_MAX },
	{ .name = "upload", .kind = FIELD_HIDDEN },
	{ .name = "publish",
	    .label = tr_mark("Publish what was published there"),
	    .kind = FIELD_CHECKBOX,
	    .hint = tr_mark(
		"What is not ticked here stays a draft. What was not for everyone there does so in any case.") },
	{ .name = "fetch",
	    .label = tr_mark("Fetch the pictures"),
	    .kind = FIELD_CHECKBOX,
	    .hint = tr_mark(
		"Pictures that the file does not have are fetched from where they are, over https. What cannot be fetched stays where it is.") },
	{ .name = "pages",
	    .label = tr_mark("Import the pages, too"),
	    .kind = FIELD_CHECKBOX,
	    .hint = tr_mark(
		"Each becomes an article with the date that it had there. One without text of its own stays a draft.") },
	{ .name = "import",
	    .label = tr_mark("Import"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

/* ---- what the screens share */

const char *
moving_program(const char *program)
{
	for (size_t i = 0; programs[i].value != NULL; i++) {
		if (strcmp(programs[i].value, program) == 0)
			return tr(programs[i].label);
	}
	return program;
}

const char *
moving_what(const struct moving *m)
{
	return m->dry ? tr("Dry run") : tr("Import");
}

void
moving_write_state(struct hwrite *w, const struct task *t)
{
	if (strcmp(t->state, "waiting") == 0)
		screen_state(w, SCREEN_NOTE, tr("Waiting"));
	else if (strcmp(t->state, "running") == 0)
		screen_state(w, SCREEN_NOTE, tr("Running"));
	else if (strcmp(t->state, "done") == 0)
		screen_state(w, SCREEN_GOOD, tr("Done"));
	else if (strcmp(t->state, "failed") == 0)
		screen_state(w, SCREEN_BAD, tr("Failed"));
	else
		screen_state(w, SCREEN_WARNING, tr("Stopped"));
}

/* ---- the page */

struct page {
	struct ctx *c;
	const struct visit *v;
	struct form form;
	struct moving_list list;
	struct uploads_kept kept;
};

static void
write_row(struct screen_table *t, const struct page *p, size_t i)
{
	const struct task *task = &p->list.tasks[i];
	const struct moving *m = p->list.movings[i];

	screen_row_begin(t);
	screen_cell_link(t,
	    console_path(p->c, p->v, "/%s/moving/%s", p->v->workspace->uuid, task->uuid),
	    arena_printf(
		p->c->arena, "%s, %s", moving_what(m), say_moment_text(p->c, task->created_at)));
	screen_cell(t, moving_program(m->program));
	screen_cell_begin(t);
	moving_write_state(t->w, task);
	screen_cell_end(t);
	screen_row_end(t);
}

static void
write_list(struct hwrite *w, const struct page *p)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Begun") },
		{ .label = tr_mark("From") },
		{ .label = tr_mark("State") },
		{ .label = NULL },
	};
	struct screen_table t;

	hwrite_element(w, H_H2, tr("What was begun here"));
	screen_table_begin(&t, w, tr("Imports and dry runs, the newest first"), columns);
	for (size_t i = 0; i < p->list.count; i++) {
		if (p->list.movings[i] != NULL)
			write_row(&t, p, i);
	}
	screen_table_end(&t);
}

static void
write_form(struct hwrite *w, const struct page *p, const char *path)
{
	form_write_summary(w, &p->form);
	console_form_begin(p->c, p->v, w, &p->form, path);
	form_write_field(w, &p->form, "program");
	form_write_field(w, &p->form, "file");
	form_write_field(w, &p->form, "site");
	form_write_field(w, &p->form, "upload");
	form_write_field(w, &p->form, "pages");
	form_write_field(w, &p->form, "dry");
	form_write_end(w);
	uploads_write_line(w, p->c, p->v, p->form.id);
}

static void
write_main(struct hwrite *w, const void *data)
{
	const struct page *p = data;
	const char *path = arena_printf(p->c->arena, "/%s/moving", p->v->workspace->uuid);

	if (!console_rests(p->v))
		write_form(w, p, path);
	hwrite_element(w, H_H2, tr("Old addresses"));
	hwrite_element(w, H_P,
	    tr("Where the articles were, and where they are now: for the redirects of the old site."));
	hwrite_open(w, H_P);
	screen_button_link(
	    w, console_path(p->c, p->v, "%s/addresses", path), tr("Old addresses"), false);
	hwrite_close(w, H_P);
	if (p->list.count > 0)
		write_list(w, p);
	uploads_write_kept(w, p->c, p->v, &p->kept);
}

static struct err *
page(struct ctx *c, struct visit *v, struct reply *reply, struct page *p)
{
	struct err *err = moving_list(c, v->workspace->uuid, &p->list);

	if (err == NULL)
		err = uploads_read_kept(c, v, &p->kept);
	if (err != NULL)
		return err;
	console_page(c, v, reply, NULL,
	    tr("Articles of another program become articles of this workspace. First a dry run says what would come of it; it writes nothing."),
	    write_main, p);
	return NULL;
}

static struct page *
begin(struct ctx *c, const struct visit *v)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));

	p->c = c;
	p->v = v;
	form_init(&p->form, "moving", fields);
	return p;
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	return page(c, v, reply, begin(c, v));
}

/* ---- begin an import or a dry run */

static const char *
where(struct ctx *c, const void *arg)
{
	const struct task *t = arg;

	return t->uuid == NULL ? ""
			       : arena_printf(c->arena, "/%s/moving/%s", t->workspace, t->uuid);
}

/* Stores the file of the form, if it brought one: *fresh, else NULL. Returns false if it was
 * refused, or nothing was sent. */
static bool
take_file(
    struct ctx *c, struct visit *v, struct reply *reply, struct form *f, struct uploading **fresh)
{
	struct uploading *u = arena_alloc(c->arena, sizeof(*u));
	size_t len = 0;
	const void *bytes = console_file(v, "file", &len);
	struct err *err;

	*fresh = NULL;
	if (form_text(f, "upload") != NULL)
		return true;
	*u = uploads_of(v);
	if (bytes == NULL) {
		form_refuse(f, "file", tr("Choose the file."));
		console_refused(v, reply);
		return false;
	}
	err = uploads_store(c, u, bytes, len);
	*fresh = u;
	if (err == NULL)
		return true;
	form_refuse(f, "file", err->message);
	reply->status = err->code == ERR_TOO_LARGE ? 413 : err->code == ERR_UNAVAILABLE ? 503 : 422;
	return false;
}

/* Puts a refusal beside the field of its cause. */
static struct err *
wrong(struct ctx *c, struct visit *v, struct reply *reply, struct page *p, struct err *err)
{
	if (!v->repeated && err->param != NULL && strcmp(err->param, "upload") == 0) {
		form_fill(&p->form, "upload", NULL);
		err->param = "file";
	}
	if (!v->repeated && err->code == ERR_TOO_LARGE) {
		form_refuse(&p->form, "file", err->message);
		reply->status = 413;
		return NULL;
	}
	return console_wrong(c, v, reply, &p->form, err);
}

static struct err *
begin_task(
    struct ctx *c, struct visit *v, struct reply *reply, struct page *p, struct uploading *fresh)
{
	const struct form *f = &p->form;
	const struct uploading whose = uploads_of(v);
	struct task *t = arena_alloc(c->arena, sizeof(*t));
	struct moving m = { .program = form_text(f, "program"),
		.site = form_text(f, "site"),
		.upload = form_text(f, "upload"),
		.dry = !form_is_on(f, "import"),
		.publish = form_is_on(f, "publish"),
		.fetch = form_is_on(f, "fetch"),
		.with_pages = form_is_on(f, "pages") };
	struct err *err;

	*t = (struct task) { .workspace = v->workspace->uuid };
	console_will_tell(v, where, t);
	err = moving_begin(c, &whose, fresh, &m, t);
	if (err == NULL) {
		console_journal(c, v, m.dry ? "moving try %s" : "moving begin %s", t->uuid);
		console_go(c, v, reply, where(c, t), NULL);
		return NULL;
	}
	if (fresh != NULL)
		uploads_drop(c, fresh);
	err = wrong(c, v, reply, p, err);
	return err != NULL ? err : page(c, v, reply, p);
}

static struct err *
take(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = begin(c, v);
	struct uploading *fresh;

	if (!console_read(c, v, &p->form)) {
		console_refused(v, reply);
		return page(c, v, reply, p);
	}
	if (!take_file(c, v, reply, &p->form, &fresh))
		return page(c, v, reply, p);
	return begin_task(c, v, reply, p, fresh);
}

#define MOVING                                                                                     \
	.pattern = "/W/moving", .need = RIGHT_WRITE | RIGHT_PUBLISH,                               \
	.title = tr_mark("Moving in"), .sends = true

const struct console_row moving_screens[] = {
	{ .method = "GET", MOVING, .handler = show },
	{ .method = "POST", MOVING, .files = true, .handler = take },
	{ .method = NULL },
};
