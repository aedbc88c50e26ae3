/* One import or dry run: how far it is, what is lost, what became of each article
 * (docs/console.md §4.11). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "job/cron.h"
#include "moving.h"
#include "screen/tr.h"

#define AGAIN_S 5
#define DIGITS_MAX 15

static const struct field stop_fields[] = {
	{ .name = "stop", .label = tr_mark("Stop"), .kind = FIELD_SUBMIT, .tone = FIELD_DANGER },
	{ .name = NULL },
};

struct page {
	struct ctx *c;
	const struct visit *v;
	struct moving_view view;
	bool failed; /* only what failed is listed */
	struct form form;
};

static const char *
path_of(const struct page *p, const char *more)
{
	return arena_printf(
	    p->c->arena, "/%s/moving/%s%s", p->v->workspace->uuid, p->view.task->uuid, more);
}

static bool
is_done(const struct page *p)
{
	return strcmp(p->view.task->state, "done") == 0;
}

/* ---- how far it is */

static void
write_open(struct hwrite *w, const struct page *p)
{
	const struct task *t = p->view.task;
	struct cron cron;

	if (strcmp(t->state, "waiting") == 0)
		hwrite_element(w, H_P, tr("It waits for the task runner, which cron starts."));
	else if (t->total > 0)
		hwrite_element(w, H_P,
		    arena_printf(p->c->arena, tr("%lld of %lld parts of the export were read."),
			(long long)t->done, (long long)t->total));
	else
		hwrite_element(w, H_P, tr("The file is looked at."));
	hwrite_element(
	    w, H_P, tr("This page shows by itself how far it is. You need not wait for it."));
	cron_look(p->c, &cron);
	console_runner(w, &cron, console_may(p->v, RIGHT_OPERATE));
	console_form(p->c, p->v, w, &p->form, path_of(p, "/stop"));
}

/* ---- what became of it */

static void
write_counts(struct hwrite *w, const struct page *p)
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

	hwrite_open(w, H_DL);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		hwrite_element(w, H_DT, counts[i].label);
		hwrite_element(w, H_DD, arena_printf(p->c->arena, "%" PRId64, counts[i].count));
	}
	hwrite_close(w, H_DL);
}

/* "12 articles, 5 pages", which are those of the export. */
static void
write_kinds(struct hwrite *w, const struct page *p)
{
	const struct moving *m = p->view.moving;
	int64_t articles = m->created + m->updated + m->unchanged + m->failed;

	if (m->pages == 0)
		return;
	if (m->with_pages)
		articles -= m->pages;
	hwrite_open(w, H_P);
	hwrite_text(
	    w, arena_printf(p->c->arena, tr_count("%lld article", "%lld articles", articles),
		   (long long)articles));
	hwrite_text(w, tr(", "));
	hwrite_text(w, arena_printf(p->c->arena, tr_count("%lld page", "%lld pages", m->pages),
			   (long long)m->pages));
	hwrite_close(w, H_P);
}

static void
write_result(struct hwrite *w, const struct page *p)
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
write_left(struct hwrite *w, const struct page *p)
{
	const struct moving *m = p->view.moving;

	if (!is_done(p) || m->pictures_left == 0)
		return;
	screen_notice_begin(w, SCREEN_WARNING);
	hwrite_element(w, H_P,
	    arena_printf(p->c->arena,
		m->dry
		    ? tr_count(
			  "%lld picture stays on the old website and vanishes with it, unless you tick “Fetch the pictures” below.",
			  "%lld pictures stay on the old website and vanish with it, unless you tick “Fetch the pictures” below.",
			  m->pictures_left)
		: m->fetch
		    ? tr_count(
			  "%lld picture is still on the old website and vanishes with it: it could not be fetched, and the notes below say why. Keep the old website, send the same file again later, and import it with “Fetch the pictures” ticked.",
			  "%lld pictures are still on the old website and vanish with it: they could not be fetched, and the notes below say why. Keep the old website, send the same file again later, and import it with “Fetch the pictures” ticked.",
			  m->pictures_left)
		    : tr_count(
			  "%lld picture is still on the old website and vanishes with it. Before that, import the same file again with “Fetch the pictures” ticked.",
			  "%lld pictures are still on the old website and vanish with it. Before that, import the same file again with “Fetch the pictures” ticked.",
			  m->pictures_left),
		(long long)m->pictures_left));
	screen_notice_end(w);
}

static void
write_losses(struct hwrite *w, const struct page *p, const char *heading,
    const struct moving_loss *list, size_t count)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("What") },
		{ .label = tr_mark("How often"), .number = true },
		{ .label = NULL },
	};
	struct screen_table t;

	if (count == 0)
		return;
	hwrite_element(w, H_H2, heading);
	screen_table_begin(&t, w, heading, columns);
	for (size_t i = 0; i < count; i++) {
		screen_row_begin(&t);
		screen_cell(&t, list[i].kind);
		screen_cell(&t, arena_printf(p->c->arena, "%" PRId64, list[i].count));
		screen_row_end(&t);
	}
	screen_table_end(&t);
	if (count == MOVING_LOSSES_MAX)
		hwrite_element(w, H_P, tr("There are more kinds, which are rarer."));
}

/* "Import", after a dry run of whatever end: it says itself what is wrong. */
static void
write_import(struct hwrite *w, const struct page *p)
{
	struct form f;

	if (!p->view.moving->dry || !is_done(p))
		return;
	if (console_rests(p->v))
		return;
	hwrite_element(w, H_H2, tr("Import"));
	if (!p->view.upload_is_there) {
		hwrite_element(w, H_P,
		    tr("The file is not here any more, or another person sent it. Send it again to import it."));
		return;
	}
	hwrite_element(w, H_P,
	    tr("The same export again changes the articles that it made, and makes no second ones. What was edited here stays."));
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
	hwrite_open(w, H_UL);
	for (const char *line = notes; *line != '\0';) {
		size_t len = strcspn(line, "\n");
		hwrite_open(w, H_LI);
		hwrite_attr(w, A_DIR, "auto");
		hwrite_text_n(w, line, len);
		hwrite_close(w, H_LI);
		line += len + (line[len] == '\n');
	}
	hwrite_close(w, H_UL);
}

static void
write_item(struct screen_table *t, const struct page *p, const struct moving_item *item)
{
	const char *title = item->title[0] != '\0' ? item->title : tr("Without a title");

	screen_row_begin(t);
	if (item->article[0] != '\0')
		screen_cell_link(t,
		    console_path(
			p->c, p->v, "/%s/articles/%s", p->v->workspace->uuid, item->article),
		    title);
	else
		screen_cell(t, title);
	screen_cell(t, outcome(item));
	screen_cell_begin(t);
	write_notes(t->w, item->notes);
	screen_cell_end(t);
	screen_row_end(t);
}

static void
write_items(struct hwrite *w, const struct page *p)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Title") },
		{ .label = tr_mark("Result") },
		{ .label = tr_mark("Notes") },
		{ .label = NULL },
	};
	const struct moving_view *view = &p->view;
	size_t count = view->item_count > MOVING_ITEMS ? MOVING_ITEMS : view->item_count;
	struct screen_table t;

	if (count == 0)
		return;
	hwrite_element(w, H_H2, tr("Articles"));
	if (view->moving->failed > 0) {
		hwrite_open(w, H_P);
		hwrite_open(w, H_A);
		hwrite_address(w, A_HREF,
		    console_path(p->c, p->v, "%s", path_of(p, p->failed ? "" : "?failed=1")));
		hwrite_text(w, p->failed ? tr("Show all") : tr("Show what failed"));
		hwrite_close(w, H_A);
		hwrite_close(w, H_P);
	}
	screen_table_begin(&t, w, tr("Articles, in the order of the export"), columns);
	for (size_t i = 0; i < count; i++)
		write_item(&t, p, &view->items[i]);
	screen_table_end(&t);
	if (view->item_count <= MOVING_ITEMS)
		return;
	hwrite_open(w, H_P);
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF,
	    console_path(p->c, p->v, "%s",
		path_of(p, arena_printf(p->c->arena, "?after=%" PRId64 "%s",
			       view->items[count - 1].number, p->failed ? "&failed=1" : ""))));
	hwrite_text(w, tr("More articles"));
	hwrite_close(w, H_A);
	hwrite_close(w, H_P);
}

static void
write_main(struct hwrite *w, const void *data)
{
	const struct page *p = data;
	const struct moving_view *view = &p->view;

	hwrite_open(w, H_P);
	moving_write_state(w, view->task);
	hwrite_text(w, arena_printf(p->c->arena, " %s", moving_program(view->moving->program)));
	hwrite_close(w, H_P);
	if (task_is_open(view->task))
		write_open(w, p);
	else
		write_result(w, p);
	write_counts(w, p);
	write_kinds(w, p);
	write_left(w, p);
	write_import(w, p);
	if (is_done(p) && !view->moving->dry) {
		hwrite_open(w, H_P);
		screen_button_link(w,
		    console_path(p->c, p->v, "/%s/moving/addresses", p->v->workspace->uuid),
		    tr("Old addresses"), true);
		hwrite_close(w, H_P);
	}
	write_losses(w, p, tr("Lost, changed or not done"), view->losses, view->loss_count);
	write_losses(w, p, tr("Passed over"), view->skipped, view->skipped_count);
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
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));
	const struct uploading whose = uploads_of(v);
	struct err *err;

	p->c = c;
	p->v = v;
	p->failed = console_query(c, v, "failed") != NULL;
	form_init(&p->form, "stop", stop_fields);
	err = moving_look(c, &whose, v->id, p->failed, after_of(c, v), &p->view);
	if (err != NULL)
		return err;
	if (task_is_open(p->view.task))
		v->refresh_s = AGAIN_S;
	console_page(c, v, reply, moving_what(p->view.moving), NULL, write_main, p);
	return NULL;
}

static struct err *
stop(struct ctx *c, struct visit *v, struct reply *reply)
{
	const char *path = arena_printf(c->arena, "/%s/moving/%s", v->workspace->uuid, v->id);
	struct err *err;

	console_will_go(v, path);
	err = moving_end(c, v->workspace->uuid, v->id);
	if (err != NULL)
		return err;
	console_journal(c, v, "moving stop %s", v->id);
	console_go(c, v, reply, path, NULL);
	return NULL;
}

#define TASK .need = RIGHT_WRITE | RIGHT_PUBLISH, .title = tr_mark("Moving in")

const struct console_row moving_task_screens[] = {
	{ .method = "GET", TASK, .pattern = "/W/moving/ID", .handler = show },
	{ .method = "POST", TASK, .pattern = "/W/moving/ID/stop", .handler = stop },
	{ .method = NULL },
};
