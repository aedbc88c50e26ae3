/* Moving in (docs/console.md §4.11): an export of another program becomes articles, after a dry
 * run; one import or dry run, how far it is, what is lost, what became of each article; and the
 * old addresses of articles that moved in, with redirects. */
#include "uploads.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "action/article/article-addresses.h"
#include "action/moving-in.h"
#include "action/uploaded-files.h"
#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "console/answer.h"
#include "job/cron.h"
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

/* The form that imports what a dry run looked at; its fields are those of POST /W/moving. */
static const struct field moving_import_fields[] = {
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

/* Returns the name of a program: "WordPress". */
static const char *
moving_program(const char *program)
{
	for (size_t i = 0; programs[i].value != NULL; i++) {
		if (strcmp(programs[i].value, program) == 0)
			return tr(programs[i].label);
	}
	return program;
}

/* Returns what an import is: "Dry run" or "Import". */
static const char *
moving_what(const struct moving *m)
{
	return m->dry ? tr("Dry run") : tr("Import");
}

/* Writes the state of its task. */
static void
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
write_list(struct hwrite *w, const struct page *p)
{
	@ <h2>What was begun here</h2>
	@ <list caption="Imports and dry runs, the newest first" columns="Begun|From|State">
	for (size_t i = 0; i < p->list.count; i++) {
		const struct task *task = &p->list.tasks[i];
		const struct moving *m = p->list.movings[i];
		if (m == NULL)
			continue;
		@ <row><cell><a href={console_path(
		@     p->c, p->v, "/%s/moving/%s", p->v->workspace->uuid, task->uuid)}>
		@ {=moving_what(m)}{=tr(", ")}{!say_moment(w, task->created_at)}</a></cell>
		@ <cell>{=moving_program(m->program)}</cell>
		@ <cell>{!moving_write_state(w, task)}</cell></row>
	}
	@ </list>
}

static void
write_form(struct hwrite *w, const struct page *p, const char *path)
{
	static const char *const shown[] = { "program", "file", "site", "upload", "pages", "dry" };

	form_write_summary(w, &p->form);
	console_form_begin(p->c, p->v, w, &p->form, path);
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		form_write_field(w, &p->form, shown[i]);
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
	@ <h2>Old addresses</h2>
	@ <p>Where the articles were, and where they are now: for the redirects of the old site.</p>
	@ <p><a class="button" href={console_path(p->c, p->v, "%s/addresses", path)}>
	@ Old addresses</a></p>
	if (p->list.count > 0)
		write_list(w, p);
	uploads_write_kept(w, p->c, p->v, &p->kept);
}

static struct err *
page(struct ctx *c, struct visit *v, struct reply *reply, struct page *p)
{
	TRY(moving_list(c, v->workspace->uuid, &p->list));
	TRY(uploads_read_kept(c, v, &p->kept));
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
	.title = tr_mark("Moving in"), .script = SCREEN_SENDS

/* ---- one import or dry run */

#define AGAIN_S 5
#define DIGITS_MAX 15

static const struct field stop_fields[] = {
	{ .name = "stop", .label = tr_mark("Stop"), .kind = FIELD_SUBMIT, .tone = FIELD_DANGER },
	{ .name = NULL },
};

struct task_page {
	struct ctx *c;
	const struct visit *v;
	struct moving_view view;
	bool failed; /* only what failed is listed */
	struct form form;
};

static const char *
path_of(const struct task_page *p, const char *more)
{
	return arena_printf(
	    p->c->arena, "/%s/moving/%s%s", p->v->workspace->uuid, p->view.task->uuid, more);
}

static bool
is_done(const struct task_page *p)
{
	return strcmp(p->view.task->state, "done") == 0;
}

/* ---- how far it is */

static void
write_open(struct hwrite *w, const struct task_page *p)
{
	const struct task *t = p->view.task;
	struct cron cron;

	if (strcmp(t->state, "waiting") == 0)
		@ <p>It waits for the task runner.</p>
	else if (t->total > 0)
		@ <p>{t->done} of {t->total} parts of the export were read.</p>
	else
		@ <p>The file is looked at.</p>
	@ <p>This page shows by itself how far it is. You need not wait for it.</p>
	cron_look(p->c, &cron);
	console_runner(w, &cron, console_may(p->v, RIGHT_OPERATE));
	console_form(p->c, p->v, w, &p->form, path_of(p, "/stop"));
}

/* ---- what became of it */

static void
write_counts(struct hwrite *w, const struct task_page *p)
{
	const struct moving *m = p->view.moving;
	const struct {
		const char *label;
		int64_t count;
	} counts[] = {
		{ tr("Created"), m->created },
		{ tr("Changed"), m->updated },
		{ tr("Unchanged"), m->unchanged },
		{ tr("Failed"), m->failed },
		{ tr("Passed over"), m->skipped },
		{ tr("Pictures"), m->pictures },
	};

	@ <dl>
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		@ <dt>{=counts[i].label}</dt><dd>{counts[i].count}</dd>
	@ </dl>
}

/* "12 articles, 5 pages", which are those of the export. */
static void
write_kinds(struct hwrite *w, const struct task_page *p)
{
	const struct moving *m = p->view.moving;
	int64_t articles = m->created + m->updated + m->unchanged + m->failed;

	if (m->pages == 0)
		return;
	if (m->with_pages)
		articles -= m->pages;
	@ <p>{#articles: %s article|%s articles}{=tr(", ")}{#m->pages: %s page|%s pages}</p>
}

static void
write_result(struct hwrite *w, const struct task_page *p)
{
	const struct task *t = p->view.task;

	if (strcmp(t->state, "failed") == 0)
		screen_notice(w, SCREEN_BAD, "%s", tr(t->report));
	else if (!is_done(p))
		screen_notice(w, SCREEN_WARNING, "%s",
		    t->report[0] != '\0' ? tr(t->report)
					 : tr("It was stopped. What was imported stays."));
	else if (p->view.moving->dry)
		screen_notice(w, SCREEN_GOOD, "%s",
		    tr("The dry run is done. Nothing was written; the numbers say what an import would do."));
	else
		screen_notice(w, SCREEN_GOOD, "%s",
		    tr("The import is done. What was imported is among the articles."));
}

/* Says what becomes of pictures that are not here: the old website takes them along. The same
 * upload does not ask again for what it did not get (import/import-pictures.h), so the file is
 * sent again. */
static void
write_left(struct hwrite *w, const struct task_page *p)
{
	const struct moving *m = p->view.moving;

	if (!is_done(p) || m->pictures_left == 0)
		return;
	screen_notice(w, SCREEN_WARNING,
	    m->dry
		? tr_count(
		      "%s picture stays on the old website and vanishes with it, unless you tick “Fetch the pictures” below.",
		      "%s pictures stay on the old website and vanish with it, unless you tick “Fetch the pictures” below.",
		      m->pictures_left)
	    : m->fetch
		? tr_count(
		      "%s picture is still on the old website and vanishes with it: it could not be fetched, and the notes below say why. Keep the old website, send the same file again later, and import it with “Fetch the pictures” ticked.",
		      "%s pictures are still on the old website and vanish with it: they could not be fetched, and the notes below say why. Keep the old website, send the same file again later, and import it with “Fetch the pictures” ticked.",
		      m->pictures_left)
		: tr_count(
		      "%s picture is still on the old website and vanishes with it. Before that, import the same file again with “Fetch the pictures” ticked.",
		      "%s pictures are still on the old website and vanish with it. Before that, import the same file again with “Fetch the pictures” ticked.",
		      m->pictures_left),
	    tr_number(p->c->arena, m->pictures_left));
}

static void
write_losses(struct hwrite *w, const char *heading, const struct moving_loss *list, size_t count)
{
	if (count == 0)
		return;
	@ <h2>{=heading}</h2><list caption={heading} columns="What|How often#">
	for (size_t i = 0; i < count; i++)
		@ <row><cell>{list[i].kind}</cell><cell>{list[i].count}</cell></row>
	@ </list>
	if (count == MOVING_LOSSES_MAX)
		@ <p>There are more kinds, which are rarer.</p>
}

/* "Import", after a dry run of whatever end: it says itself what is wrong. */
static void
write_import(struct hwrite *w, const struct task_page *p)
{
	struct form f;

	if (!p->view.moving->dry || !is_done(p))
		return;
	if (console_rests(p->v))
		return;
	@ <h2>Import</h2>
	if (!p->view.upload_is_there) {
		@ <p>The file is not here any more, or another person sent it. Send it again to
		@ import it.</p>
		return;
	}
	@ <p>The same export again changes the articles that it made, and makes no second ones. What
	@ was edited here stays.</p>
	form_init(&f, "import", moving_import_fields);
	form_fill(&f, "program", p->view.moving->program);
	form_fill(&f, "site", p->view.moving->site);
	form_fill(&f, "upload", p->view.moving->upload);
	form_tick(&f, "publish", true);
	form_tick(&f, "pages", p->view.moving->with_pages);
	console_form_begin(
	    p->c, p->v, w, &f, arena_printf(p->c->arena, "/%s/moving", p->v->workspace->uuid));
	for (const struct field *field = moving_import_fields; field->name != NULL; field++) {
		if (strcmp(field->name, "pages") != 0 || p->view.moving->pages > 0)
			form_write_field(w, &f, field->name);
	}
	form_write_end(w);
}

/* ---- the items */

static const char *
outcome(const struct moving_item *item)
{
	return strcmp(item->outcome, "created") == 0	 ? tr("Created")
	       : strcmp(item->outcome, "updated") == 0	 ? tr("Changed")
	       : strcmp(item->outcome, "unchanged") == 0 ? tr("Unchanged")
							 : tr("Failed");
}

static void
write_notes(struct hwrite *w, const char *notes)
{
	if (notes[0] == '\0')
		return;
	@ <ul dir="auto">
	for (const char *line = notes; *line != '\0';) {
		size_t len = strcspn(line, "\n");
		@ <li>{!hwrite_text_n(w, line, len)}</li>
		line += len + (line[len] == '\n');
	}
	@ </ul>
}

static void
write_item(struct hwrite *w, const struct task_page *p, const struct moving_item *item)
{
	const char *title = item->title[0] != '\0' ? item->title : tr("Without a title");

	@ <row><cell>
	if (item->article[0] != '\0')
		@ <a href={console_path(
		@     p->c, p->v, "/%s/articles/%s", p->v->workspace->uuid, item->article)}>
		@ {title}</a>
	else
		@ {title}
	@ </cell><cell>{=outcome(item)}</cell><cell>{!write_notes(w, item->notes)}</cell></row>
}

static void
write_items(struct hwrite *w, const struct task_page *p)
{
	const struct moving_view *view = &p->view;
	size_t count = view->item_count > MOVING_ITEMS ? MOVING_ITEMS : view->item_count;

	if (count == 0)
		return;
	@ <h2>Articles</h2>
	if (view->moving->failed > 0)
		@ <p><a href={console_path(p->c, p->v, "%s", path_of(p, p->failed ? "" : "?failed=1"))}>
		@ {=p->failed ? tr("Show all") : tr("Show what failed")}</a></p>
	@ <list caption="Articles, in the order of the export" columns="Title|Result|Notes">
	for (size_t i = 0; i < count; i++)
		write_item(w, p, &view->items[i]);
	@ </list>
	if (view->item_count > MOVING_ITEMS)
		@ <p><a href={console_path(p->c, p->v, "%s?after=%" PRId64 "%s", path_of(p, ""),
		@     view->items[count - 1].number, p->failed ? "&failed=1" : "")}>
		@ More articles</a></p>
}

static void
write_task(struct hwrite *w, const void *data)
{
	const struct task_page *p = data;
	const struct moving_view *view = &p->view;

	@ <p>{!moving_write_state(w, view->task)}{=" "}{=moving_program(view->moving->program)}</p>
	if (task_is_open(view->task))
		write_open(w, p);
	else
		write_result(w, p);
	write_counts(w, p);
	write_kinds(w, p);
	write_left(w, p);
	write_import(w, p);
	if (is_done(p) && !view->moving->dry)
		@ <p><a class="button primary" href={console_path(
		@     p->c, p->v, "/%s/moving/addresses", p->v->workspace->uuid)}>
		@ Old addresses</a></p>
	write_losses(w, tr("Lost, changed or not done"), view->losses, view->loss_count);
	write_losses(w, tr("Passed over"), view->skipped, view->skipped_count);
	write_items(w, p);
}

/* Returns the number of the query's "after", or -1. */
static int64_t
after_of(struct ctx *c, const struct visit *v)
{
	const char *text = console_query(c, v, "after");
	size_t len = text == NULL ? 0 : strspn(text, "0123456789");

	return len == 0 || len > DIGITS_MAX || text[len] != '\0' ? -1 : strtoll(text, NULL, 10);
}

static struct err *
show_task(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct task_page *p = arena_alloc(c->arena, sizeof(*p));
	const struct uploading whose = uploads_of(v);

	p->c = c;
	p->v = v;
	p->failed = console_query(c, v, "failed") != NULL;
	form_init(&p->form, "stop", stop_fields);
	TRY(moving_look(c, &whose, v->id, p->failed, after_of(c, v), &p->view));
	if (task_is_open(p->view.task))
		v->refresh_s = AGAIN_S;
	console_page(c, v, reply, moving_what(p->view.moving), NULL, write_task, p);
	return NULL;
}

static struct err *
stop(struct ctx *c, struct visit *v, struct reply *reply)
{
	const char *path = arena_printf(c->arena, "/%s/moving/%s", v->workspace->uuid, v->id);

	console_will_go(v, path);
	TRY(moving_end(c, v->workspace->uuid, v->id));
	console_journal(c, v, "moving stop %s", v->id);
	console_go(c, v, reply, path, NULL);
	return NULL;
}

#define TASK .need = RIGHT_WRITE | RIGHT_PUBLISH, .title = tr_mark("Moving in")

/* ---- old addresses and redirects */

#define SHOWN 200 /* on the page; the downloads have all */

struct shown {
	const char *title, *id, *old, *new;
};

struct addresses_page {
	struct ctx *c;
	struct arena *kept;
	const struct visit *v;
	struct shown list[SHOWN];
	size_t count, all;
};

static void
keep(void *arg, const struct article *a, const char *old, const char *new)
{
	struct addresses_page *p = arg;

	if (p->all++ >= SHOWN)
		return;
	p->list[p->count++] = (struct shown) { .title = arena_text(p->kept, a->title),
		.id = arena_text(p->kept, a->uuid),
		.old = arena_text(p->kept, old),
		.new = new == NULL ? NULL : arena_text(p->kept, new) };
}

static const struct {
	const char *name, *label, *file, *type;
	enum redirects_form form;
} forms[] = {
	{ "apache", tr_mark("Redirects for Apache"), "redirects-apache.conf",
	    "text/plain; charset=utf-8", REDIRECTS_APACHE },
	{ "nginx", tr_mark("Redirects for nginx"), "redirects-nginx.conf",
	    "text/plain; charset=utf-8", REDIRECTS_NGINX },
	{ "csv", tr_mark("All addresses as CSV"), "addresses.csv", "text/csv; charset=utf-8",
	    REDIRECTS_CSV },
};
#define FORMS (sizeof(forms) / sizeof(forms[0]))

static void
write_table(struct hwrite *w, const struct addresses_page *p)
{
	@ <list caption="Old addresses" columns="Article|Old address|New address">
	for (size_t i = 0; i < p->count; i++)
		@ <row><cell><a href={console_path(
		@     p->c, p->v, "/%s/articles/%s", p->v->workspace->uuid, p->list[i].id)}>
		@ {p->list[i].title}</a></cell>
		@ <cell>{p->list[i].old}</cell><cell>{p->list[i].new}</cell></row>
	@ </list>
	if (p->all > p->count)
		@ <p>These are the first {p->count} of {p->all}; the files have all of them.</p>
}

static void
write_addresses(struct hwrite *w, const void *data)
{
	const struct addresses_page *p = data;

	if (p->all == 0) {
		screen_empty(w,
		    tr("No article came from another program yet, and none was moved here."),
		    console_path(p->c, p->v, "/%s/moving", p->v->workspace->uuid), tr("Moving in"));
		return;
	}
	@ <h2>Redirects</h2>
	@ <p>They go to the web server of the old site: for what is published under another address
	@ now.</p><ul>
	for (size_t i = 0; i < FORMS; i++)
		@ <li><a href={console_path(p->c, p->v, "/%s/moving/redirects/%s",
		@     p->v->workspace->uuid, forms[i].name)}>{=tr(forms[i].label)}</a></li>
	@ </ul><h2>Addresses</h2>
	write_table(w, p);
}

static struct err *
show_addresses(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct addresses_page *p = arena_alloc(c->arena, sizeof(*p));
	const struct addresses asked = {
		.place = { .name = v->workspace->uuid }, .each = keep, .arg = p
	};

	p->c = c;
	p->kept = c->arena;
	p->v = v;
	p->count = p->all = 0;
	TRY(addresses_list(c, &asked));
	console_page(c, v, reply, NULL, NULL, write_addresses, p);
	return NULL;
}

static void
each(void *arg, const struct article *a, const char *old, const char *new)
{
	redirects_add(arg, a, old, new);
}

static struct err *
download(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct redirects r;
	struct addresses asked = {
		.place = { .name = v->workspace->uuid }, .each = each, .arg = &r
	};
	size_t i = 0;

	while (i < FORMS && strcmp(forms[i].name, v->name) != 0)
		i++;
	if (i == FORMS)
		return refuse(c, ERR_NOT_FOUND, tr_mark("There is no such page."));
	asked.moved_only = redirects_moved_only(forms[i].form);
	redirects_begin(&r, c, forms[i].form, &reply->body);
	TRY(addresses_list(c, &asked));
	redirects_end(&r);
	reply->type = forms[i].type;
	head_add(reply, "no-store");
	reply_header(reply, "Content-Disposition", "attachment; filename=\"%s\"", forms[i].file);
	return NULL;
}

#define READS .method = "GET", .need = RIGHT_WRITE | RIGHT_PUBLISH

SCREEN(moving) = {
	{ READS, .pattern = "/W/moving/addresses", .title = tr_mark("Old addresses"),
	    .handler = show_addresses },
	{ READS, .pattern = "/W/moving/redirects/NAME", .title = tr_mark("Redirects"),
	    .handler = download },
	{ .method = "GET", TASK, .pattern = "/W/moving/ID", .handler = show_task },
	{ .method = "POST", TASK, .pattern = "/W/moving/ID/stop", .handler = stop },
	{ .method = "GET", MOVING, .handler = show },
	{ .method = "POST", MOVING, .files = true, .handler = take },
	{ .method = NULL },
};
