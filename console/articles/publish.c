/* What somebody looks at before an article is published, at once or at a date (docs/console.md
 * §5.2). published.c has the page after it, and the ways back. */
#include "editor-screen.h"

#include <string.h>

#include "../all.h"
#include "action/article/publish-actions.h"
#include "action/site-actions.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "console/page.h"
#include "job/cron.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"
#include "system/zone.h"

struct publishing {
	struct ctx *c;
	const struct visit *v;
	struct ready ready;
	const char *text; /* as its author sees it, and what it loses */
	struct losses losses;
	struct sites sites; /* of the workspace */
	int64_t at; /* when it is to be published, of check_date() */
};

/* ---- the date at which it is published */

#define DAY                                                                                        \
	{                                                                                          \
		.name = "day", .label = tr_mark("Day"), .kind = FIELD_DATE, .required = true       \
	}
#define TIME                                                                                       \
	{                                                                                          \
		.name = "time", .label = tr_mark("Time"), .kind = FIELD_TIME, .required = true,    \
		.hint = first_counts                                                               \
	}
#define LATER                                                                                      \
	{                                                                                          \
		.name = "later", .label = tr_mark("Publish at"), .kind = FIELD_SUBMIT              \
	}

#define DAY_PLACE 1 /* of the day in both tables */

static const char first_counts[] =
    tr_mark("When clocks are set back, they show an hour twice: the first one counts.");

static const struct field date_finished[] = {
	{ .name = "seen", .kind = FIELD_HIDDEN },
	DAY,
	TIME,
	LATER,
	{ .name = NULL },
};

static const struct field date_unfinished[] = {
	{ .name = "seen", .kind = FIELD_HIDDEN },
	DAY,
	TIME,
	{ .name = "unfinished",
	    .label = tr_mark("Publish it unfinished"),
	    .kind = FIELD_CHECKBOX,
	    .required = true,
	    .missing = tr_mark("Places are left to write. Tick this, or write them first.") },
	LATER,
	{ .name = NULL },
};

/* Reads the zone of the workspace; UTC if its rules are not here any more. */
static void
load_zone(const struct publishing *p, struct zone *z)
{
	if (!zone_load(p->c, p->ready.time_zone, z))
		(void)zone_load(p->c, "UTC", z);
}

/* Returns the fields of the form, of which the day says whose day it is. */
static const struct field *
fields_of(const struct publishing *p, const struct zone *z)
{
	const bool whole = p->ready.todo_count == 0;
	const size_t size = whole ? sizeof(date_finished) : sizeof(date_unfinished);
	struct field *fields = arena_alloc(p->c->arena, size);

	memcpy(fields, whole ? date_finished : date_unfinished, size);
	fields[DAY_PLACE].hint =
	    arena_printf(p->c->arena, tr("Day and time are those of %s, where it is %s now."),
		say_zone(p->c), zone_text(p->c, z, clock_now()) + 11);
	return fields;
}

/* Fills in the present date. */
static void
fill_date(struct page *page, struct form *f)
{
	const struct publishing *p = page->data;
	const char *text;
	struct zone z;

	load_zone(p, &z);
	f->fields = fields_of(p, &z);
	form_fill(f, "seen", p->ready.seen);
	if (!p->ready.later.set)
		return;
	text = zone_text(p->c, &z, p->ready.later.schedule.at);
	form_fill(f, "day", arena_text_n(p->c->arena, text, 10));
	form_fill(f, "time", text + 11);
}

/* Reads the time that was typed; a wrong one is refused beside its field. */
static struct err *
check_date(struct page *page)
{
	struct publishing *p = page->data;
	struct form *f = page->form;
	struct zone z;

	load_zone(p, &z);
	if (f->errors == 0 &&
	    zone_find(&z, form_number(f, "day"), (int)form_number(f, "time"), &p->at) == ZONE_NEVER)
		form_refuse(f, "time", tr("Clocks are set forward then, and skip this time."));
	return NULL;
}

/* Returns what the person saw of the article. */
static const char *
seen(const struct page *page)
{
	const char *text = form_text(page->form, "seen");

	return text != NULL ? text : "";
}

static struct err *
set_date(struct page *page)
{
	const struct publishing *p = page->data;
	struct err *err = ready_date(p->c, p->v->id, seen(page),
	    console_sent(p->v, "unfinished") != NULL, p->at, p->v->person->uuid);

	if (err != NULL && err->param != NULL)
		err->param = "time";
	return err;
}

static const struct page_act date_it = { .name = "later",
	.fields = date_finished,
	.fill = fill_date,
	.check = check_date,
	.act = set_date,
	.go = "/W/articles/ID/publish",
	.notice = "dated",
	.journal = "article publish --at ID" };

static struct err *
cancel(struct page *page)
{
	struct later l = { .id = page->v->id };

	return later_cancel(page->c, &l);
}

static const struct page_act cancel_it = { .name = "cancel",
	.fields = PAGE_BUTTON("cancel", tr_mark("Cancel the date"), FIELD_SECONDARY),
	.act = cancel,
	.go = "/W/articles/ID/publish",
	.notice = "undated",
	.journal = "article publish --at never ID" };

static void
write_runner(struct hwrite *w, const struct publishing *p)
{
	struct cron cron;

	cron_look(p->c, &cron);
	console_runner(w, &cron, console_may(p->v, RIGHT_OPERATE));
}

static void
write_state(struct hwrite *w, const struct publishing *p)
{
	const struct later_view *l = &p->ready.later;
	const char *at = say_full_text(p->c, l->schedule.at);

	if (l->schedule.suspended != NULL) {
		screen_notice(w, SCREEN_WARNING,
		    tr("It was to be published on %s, and is not: %s Set a date again, or cancel it."),
		    at, tr(l->schedule.suspended));
		return;
	}
	hwrite_open(w, H_P);
	screen_sentence(w, tr("It is published on %s."), at);
	hwrite_close(w, H_P);
	write_runner(w, p);
	if (l->edited)
		screen_notice(w, SCREEN_NOTE, "%s",
		    tr("What was saved since the date was set is not published then. Set the date again to publish it, too."));
}

static void
write_date(struct hwrite *w, struct page *page)
{
	const struct publishing *p = page->data;
	bool rests = console_rests(p->v);

	if (rests && !p->ready.later.set)
		return;
	hwrite_element(w, H_H2, tr("Publish later"));
	if (p->ready.later.set)
		write_state(w, p);
	if (rests) {
		hwrite_element(w, H_P, tr("The date rests while the account is suspended."));
		return;
	}
	hwrite_element(
	    w, H_P, tr("The article is published as it is now, whatever is saved until then."));
	page_form(w, page, &date_it, NULL);
	if (p->ready.later.set)
		page_form(w, page, &cancel_it, NULL);
}

/* ---- the page */

static const struct field finished[] = {
	{ .name = "seen", .kind = FIELD_HIDDEN },
	{ .name = "publish",
	    .label = tr_mark("Publish"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

static const struct field unfinished[] = {
	{ .name = "seen", .kind = FIELD_HIDDEN },
	{ .name = "unfinished",
	    .label = tr_mark("Publish unfinished"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

static void
fill_now(struct page *page, struct form *f)
{
	const struct publishing *p = page->data;

	f->fields = p->ready.todo_count > 0 ? unfinished : finished;
	form_fill(f, "seen", p->ready.seen);
}

static struct err *
publish(struct page *page)
{
	return ready_publish(
	    page->c, page->v->id, seen(page), console_sent(page->v, "unfinished") != NULL);
}

static const struct page_act publish_it = { .name = "publish",
	.fields = finished,
	.fill = fill_now,
	.act = publish,
	.go = "/W/articles/ID/published",
	.journal = "article publish ID" };

static void
write_difference(struct hwrite *w, const struct ready *r)
{
	hwrite_element(w, H_H2, tr("What changes"));
	if (r->before == NULL)
		hwrite_element(w, H_P, tr("It was never published."));
	else
		difference_write(w, r->before, r->after);
	if (r->slug_before == NULL || strcmp(r->slug_before, r->slug_after) == 0)
		return;
	hwrite_open(w, H_P);
	screen_sentence(w,
	    tr("Its slug was %s and becomes %s. Pages of Galley lead from the old address to the new one. Another website must do so itself."),
	    r->slug_before, r->slug_after);
	hwrite_close(w, H_P);
}

/* Writes the list of sites, with the state of each. */
static void
publish_write_sites(struct hwrite *w, const struct sites *sites)
{
	hwrite_open(w, H_UL);
	for (size_t i = 0; i < sites->count; i++) {
		const struct site *s = &sites->sites[i];
		hwrite_open(w, H_LI);
		screen_data(w, s->key->label[0] != '\0' ? s->key->label : s->key->display);
		hwrite_text(w, " ");
		sites_write_state(w, s);
		hwrite_close(w, H_LI);
	}
	hwrite_close(w, H_UL);
}

/* The sites get the article once it is published. */
static void
write_sites(struct hwrite *w, const struct publishing *p)
{
	hwrite_element(w, H_H2, tr("The sites that read this workspace"));
	if (p->sites.count == 0)
		hwrite_element(w, H_P, tr("No site reads this workspace yet."));
	else
		publish_write_sites(w, &p->sites);
}

static void
write_publish(struct hwrite *w, struct page *page)
{
	const struct publishing *p = page->data;
	const struct article *a = p->ready.article;

	hwrite_open(w, H_P);
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF, page_path(page, "/W/articles/ID"));
	screen_data(w, a->title);
	hwrite_close(w, H_A);
	hwrite_close(w, H_P);
	editor_write_ready(p->c, p->v, w, &p->ready, NULL);
	editor_write_losses(w, &(struct editor_losses) {
				   .c = p->c, .v = p->v, .text = p->text, .losses = &p->losses });
	write_difference(w, &p->ready);
	write_sites(w, p);
	if (a->status == ARTICLE_DELETED) {
		hwrite_element(w, H_P, tr("It is in the trash: restore it first."));
		if (page->form == NULL)
			return;
	}
	page_form(w, page, &publish_it, NULL);
	write_date(w, page);
}

static struct err *
load(struct page *page)
{
	struct publishing *p = page->data;
	struct write_view view;
	const struct article *a;
	struct err *err = ready_look(page->c, page->v->workspace, page->v->id, &p->ready);

	p->c = page->c;
	p->v = page->v;
	if (err == NULL && !page->acting)
		err = write_look(p->c, p->v->workspace, p->v->id, &a, &view);
	if (err != NULL || page->acting)
		return err;
	p->text = view.text;
	editor_find_losses(p->c, p->v, &view, &p->losses);
	sites_read(p->c, p->v->workspace->uuid, false, &p->sites);
	return NULL;
}

static const struct page_kind page_kind = { sizeof(struct publishing), load, write_publish };

/* Leads to where readers open the article; where that is nowhere, its page says what is missing. */
static struct err *
open_public(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct console_public at;
	const char *path = editor_address(c, v, v->id);
	struct article *a;

	TRY(console_article(c, v, &a));
	if (!console_public(c, v, v->id, &at))
		console_go(c, v, reply, path, NULL);
	else if (at.page != NULL || at.website != NULL)
		head_go(reply, 303, at.page != NULL ? at.page : at.website);
	else
		console_go(c, v, reply, arena_printf(c->arena, "%s/published", path), NULL);
	return NULL;
}

#define PUBLISH .need = RIGHT_PUBLISH, .title = tr_mark("Publish"), .page = &page_kind

SCREEN(publish) = {
	{ "GET", "/W/articles/ID/publish", PUBLISH },
	{ "POST", "/W/articles/ID/publish", PUBLISH, .act = &publish_it },
	{ "POST", "/W/articles/ID/publish/date", PUBLISH, .act = &date_it },
	{ "POST", "/W/articles/ID/publish/cancel", PUBLISH, .act = &cancel_it },
	{ "GET", "/W/articles/ID/public", .title = tr_mark("Open it"), .handler = open_public },
	{ .method = NULL },
};
