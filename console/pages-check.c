/* "Pages": whether the pages of the website say what was exported (docs/console.md §4.10). */
#include "action/site-actions.h"

#include <inttypes.h>
#include <string.h>

#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "job/cron.h"
#include "screen/tr.h"
#include "task/slice.h"

#define AGAIN_S 5

static const struct field fields[] = {
	{ .name = "verify",
	    .label = tr_mark("Verify pages"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

struct page {
	struct ctx *c;
	const struct visit *v;
	struct webpages pages;
	struct form form;
};

static const char *
path_of(struct ctx *c, const struct visit *v)
{
	return arena_printf(c->arena, "/%s/sites/pages", v->workspace->uuid);
}

static void
write_open(struct hwrite *w, const struct page *p)
{
	const struct task *t = p->pages.task;
	struct cron cron;

	hwrite_element(w, H_P,
	    strcmp(t->state, "waiting") == 0
		? tr("It waits for the task runner, which cron starts.")
		: arena_printf(p->c->arena, tr("%lld of %lld pages were looked at."),
		      (long long)t->done, (long long)t->total));
	hwrite_element(w, H_P, tr("This page shows by itself how far it is."));
	cron_look(p->c, &cron);
	console_runner(w, &cron, console_may(p->v, RIGHT_OPERATE));
}

static void
write_end(struct hwrite *w, const struct page *p)
{
	const struct task *t = p->pages.task;

	if (strcmp(t->state, "done") != 0)
		screen_notice(w, SCREEN_WARNING, "%s",
		    t->report[0] != '\0' ? tr(t->report) : tr("It was ended."));
	else if (p->pages.count == 0)
		screen_notice(w, SCREEN_NOTE, "%s",
		    tr("There is no published article, so there is no page."));
	else if (p->pages.wrong == 0)
		screen_notice(w, SCREEN_GOOD, "%s", tr("All pages are as exported."));
	else
		screen_notice(w, SCREEN_WARNING, "%s",
		    arena_printf(p->c->arena,
			tr_count("%lld of the pages is not as exported.",
			    "%lld of the pages are not as exported.", (int64_t)p->pages.wrong),
			(long long)p->pages.wrong));
}

/* The sentences are those of galley verify-page, in English. */
static void
write_findings(struct hwrite *w, const struct page *p, const char *findings)
{
	if (findings[0] == '\0') {
		screen_state(w, SCREEN_GOOD, tr("As exported"));
		return;
	}
	hwrite_open(w, H_UL);
	for (const char *line = findings; *line != '\0';) {
		size_t len = strcspn(line, "\n");
		hwrite_open(w, H_LI);
		hwrite_attr(w, A_LANG, "en");
		hwrite_attr(w, A_DIR, "ltr");
		screen_data(w, arena_text_n(p->c->arena, line, len));
		hwrite_close(w, H_LI);
		line += len + (line[len] == '\n');
	}
	hwrite_close(w, H_UL);
}

static void
write_one(struct screen_table *t, const struct page *p, const struct webpages_page *one)
{
	screen_row_begin(t);
	if (one->title != NULL)
		screen_cell_link(t,
		    console_path(
			p->c, p->v, "/%s/articles/%s", p->v->workspace->uuid, one->found.article),
		    one->title);
	else
		screen_cell(t, tr("An article that is gone"));
	screen_cell_begin(t);
	screen_data(t->w, one->found.url);
	screen_cell_end(t);
	screen_cell_begin(t);
	write_findings(t->w, p, one->found.findings);
	screen_cell_end(t);
	screen_row_end(t);
}

static void
write_list(struct hwrite *w, const struct page *p)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Article") },
		{ .label = tr_mark("Page") },
		{ .label = tr_mark("What was found") },
		{ .label = NULL },
	};
	struct screen_table t;

	screen_table_begin(
	    &t, w, tr("Pages that were looked at, those that are not as exported first"), columns);
	for (int wrong = 1; wrong >= 0; wrong--) {
		for (size_t i = 0; i < p->pages.count; i++) {
			if ((p->pages.list[i].found.findings[0] != '\0') == wrong)
				write_one(&t, p, &p->pages.list[i]);
		}
	}
	screen_table_end(&t);
}

static void
write_main(struct hwrite *w, const void *data)
{
	const struct page *p = data;
	const struct task *t = p->pages.task;
	const char *website = p->v->workspace->settings.website;
	bool open = t != NULL && task_is_open(t);

	hwrite_element(w, H_P,
	    arena_printf(p->c->arena,
		tr("The pages of at most %d published articles are fetched from the website of this workspace, one a second, and compared with what was exported: title, description, address, robots, structured data, language and more."),
		VISITING_PAGES));
	if (open)
		write_open(w, p);
	else if (t != NULL)
		write_end(w, p);
	if (website == NULL)
		screen_empty(w, tr("This workspace has no website yet."),
		    console_may(p->v, RIGHT_MANAGE)
			? console_path(p->c, p->v, "/%s/settings", p->v->workspace->uuid)
			: NULL,
		    console_may(p->v, RIGHT_MANAGE) ? tr("Settings") : NULL);
	else if (!open)
		console_form(p->c, p->v, w, &p->form, path_of(p->c, p->v));
	if (p->pages.count > 0)
		write_list(w, p);
}

static struct err *
look(struct ctx *c, const struct visit *v, struct page *p)
{
	p->c = c;
	p->v = v;
	form_init(&p->form, "pages", fields);
	return webpages_look(c, v->workspace, &p->pages);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));
	struct err *err = look(c, v, p);

	if (err != NULL)
		return err;
	if (p->pages.task != NULL && task_is_open(p->pages.task))
		v->refresh_s = AGAIN_S;
	console_page(c, v, reply, NULL, NULL, write_main, p);
	return NULL;
}

static struct err *
verify(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct task t = { .person = v->person->uuid,
		.need = console_may(v, RIGHT_PUBLISH) ? RIGHT_PUBLISH : RIGHT_MANAGE,
		.account = v->account->uuid,
		.workspace = v->workspace->uuid };
	struct err *err;

	console_will_go(v, path_of(c, v));
	err = webpages_begin(c, v->workspace, &t);
	if (err != NULL)
		return err;
	console_journal(c, v, "site verify %s", v->workspace->uuid);
	console_go(c, v, reply, path_of(c, v), NULL);
	return NULL;
}

#define PAGES                                                                                      \
	.pattern = "/W/sites/pages", .title = tr_mark("Pages"), .need = RIGHT_READ,                \
	.any = RIGHT_PUBLISH | RIGHT_MANAGE

const struct console_row pages_screens[] = {
	{ .method = "GET", PAGES, .handler = show },
	{ .method = "POST", PAGES, .handler = verify },
	{ .method = NULL },
};
