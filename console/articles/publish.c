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
#include "system/zone.h"

struct publishing {
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
load_zone(struct ctx *c, const struct publishing *d, struct zone *z)
{
	if (!zone_load(c, d->ready.time_zone, z))
		(void)zone_load(c, "UTC", z);
}

/* Returns the fields of the form, of which the day says whose day it is. */
static const struct field *
fields_of(struct ctx *c, const struct publishing *d, const struct zone *z)
{
	const bool whole = d->ready.todo_count == 0;
	const size_t size = whole ? sizeof(date_finished) : sizeof(date_unfinished);
	struct field *fields = arena_alloc(c->arena, size);

	memcpy(fields, whole ? date_finished : date_unfinished, size);
	fields[DAY_PLACE].hint =
	    arena_printf(c->arena, tr("Day and time are those of %s, where it is %s now."),
		say_zone(c), zone_text(c, z, clock_now()) + 11);
	return fields;
}

/* Fills in the present date. */
static void
fill_date(struct page *p, struct form *f)
{
	const struct publishing *d = p->data;
	const char *text;
	struct zone z;

	load_zone(p->c, d, &z);
	f->fields = fields_of(p->c, d, &z);
	form_fill(f, "seen", d->ready.seen);
	if (!d->ready.later.set)
		return;
	text = zone_text(p->c, &z, d->ready.later.schedule.at);
	form_fill(f, "day", arena_text_n(p->c->arena, text, 10));
	form_fill(f, "time", text + 11);
}

/* Reads the time that was typed; a wrong one is refused beside its field. */
static struct err *
check_date(struct page *p)
{
	struct publishing *d = p->data;
	struct form *f = p->form;
	struct zone z;

	load_zone(p->c, d, &z);
	if (f->errors == 0 &&
	    zone_find(&z, form_number(f, "day"), (int)form_number(f, "time"), &d->at) == ZONE_NEVER)
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
set_date(struct page *p)
{
	const struct publishing *d = p->data;
	struct err *err = ready_date(p->c, p->v->id, seen(p),
	    console_sent(p->v, "unfinished") != NULL, d->at, p->v->person->uuid);

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
write_state(struct hwrite *w, const struct page *p, const struct later_view *l)
{
	const char *at = say_full_text(p->c, l->schedule.at);
	struct cron cron;

	if (l->schedule.suspended != NULL) {
		screen_notice(w, SCREEN_WARNING,
		    tr("It was to be published on %s, and is not: %s Set a date again, or cancel it."),
		    at, tr(l->schedule.suspended));
		return;
	}
	@ <p>It is published on {at}.</p>
	cron_look(p->c, &cron);
	console_runner(w, &cron, console_may(p->v, RIGHT_OPERATE));
	if (l->edited)
		screen_notice(w, SCREEN_NOTE, "%s",
		    tr("What was saved since the date was set is not published then. Set the date again to publish it, too."));
}

static void
write_date(struct hwrite *w, struct page *p, const struct later_view *l)
{
	bool rests = console_rests(p->v);

	if (rests && !l->set)
		return;
	@ <h2>Publish later</h2>
	if (l->set)
		write_state(w, p, l);
	if (rests) {
		@ <p>The date rests while the account is suspended.</p>
		return;
	}
	@ <p>The article is published as it is now, whatever is saved until then.</p>
	page_form(w, p, &date_it, NULL);
	if (l->set)
		page_form(w, p, &cancel_it, NULL);
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
fill_now(struct page *p, struct form *f)
{
	const struct publishing *d = p->data;

	f->fields = d->ready.todo_count > 0 ? unfinished : finished;
	form_fill(f, "seen", d->ready.seen);
}

static struct err *
publish(struct page *p)
{
	return ready_publish(p->c, p->v->id, seen(p), console_sent(p->v, "unfinished") != NULL);
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
	@ <h2>What changes</h2>
	if (r->before == NULL)
		@ <p>It was never published.</p>
	else
		difference_write(w, r->before, r->after);
	if (r->slug_before != NULL && strcmp(r->slug_before, r->slug_after) != 0)
		@ <p>Its slug was {r->slug_before} and becomes {r->slug_after}. Pages of Galley lead
		@ from the old address to the new one. Another website must do so itself.</p>
}

/* Writes the sites that get the article once it is published, with the state of each. */
static void
write_sites(struct hwrite *w, const struct sites *sites)
{
	@ <h2>The sites that read this workspace</h2>
	if (sites->count == 0) {
		@ <p>No site reads this workspace yet.</p>
		return;
	}
	@ <ul>
	for (size_t i = 0; i < sites->count; i++) {
		const struct site *s = &sites->sites[i];
		@ <li>{s->key->label[0] != '\0' ? s->key->label : s->key->display}{=" "}
		@ {!sites_write_state(w, s)}</li>
	}
	@ </ul>
}

static void
write_publish(struct hwrite *w, struct page *p)
{
	const struct publishing *d = p->data;
	const struct article *a = d->ready.article;

	@ <p><a href="/W/articles/ID">{a->title}</a></p>
	editor_write_ready(p->c, p->v, w, &d->ready, NULL);
	editor_write_losses(w, &(struct editor_losses) {
				   .c = p->c, .v = p->v, .text = d->text, .losses = &d->losses });
	write_difference(w, &d->ready);
	write_sites(w, &d->sites);
	if (a->status == ARTICLE_DELETED) {
		@ <p>It is in the trash: restore it first.</p>
		if (p->form == NULL)
			return;
	}
	page_form(w, p, &publish_it, NULL);
	write_date(w, p, &d->ready.later);
}

static struct err *
load(struct page *p)
{
	struct publishing *d = p->data;
	struct write_view view;
	const struct article *a;

	TRY(ready_look(p->c, p->v->workspace, p->v->id, &d->ready));
	if (p->acting)
		return NULL;
	TRY(write_look(p->c, p->v->workspace, p->v->id, &a, &view));
	d->text = view.text;
	editor_find_losses(p->c, p->v, &view, &d->losses);
	sites_read(p->c, p->v->workspace->uuid, false, &d->sites);
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
