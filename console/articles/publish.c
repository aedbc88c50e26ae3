/* What somebody looks at before an article is published, at once or at a date; after "Publish"
 * where the article is now, a way back and what comes next, and after "Unpublish" what readers
 * see (docs/console.md §5.2). */
#include "editor-screen.h"

#include <stdlib.h>
#include <string.h>

#include "../all.h"
#include "action/article/publish-actions.h"
#include "action/site-actions.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "console/answer.h"
#include "job/cron.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"
#include "system/zone.h"

struct publishing {
	struct ctx *c;
	const struct visit *v;
	const char *path; /* of the article */
	struct ready ready;
	const char *text; /* as its author sees it, and what it loses */
	struct losses losses;
	struct sites *sites; /* of the workspace */
	struct form now; /* "Publish" */
	struct form later; /* "Publish at" */
	struct form cancel; /* "Cancel the date" */
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

static const struct field cancel_fields[] = {
	{ .name = "cancel", .label = tr_mark("Cancel the date"), .kind = FIELD_SUBMIT },
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

/* Begins the forms of the date, and fills in the present date. */
static void
publish_date_begin(struct publishing *p)
{
	const char *text;
	struct zone z;

	load_zone(p, &z);
	form_init(&p->later, "later", fields_of(p, &z));
	form_init(&p->cancel, "cancel", cancel_fields);
	if (!p->ready.later.set)
		return;
	text = zone_text(p->c, &z, p->ready.later.schedule.at);
	form_fill(&p->later, "day", arena_text_n(p->c->arena, text, 10));
	form_fill(&p->later, "time", text + 11);
}

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
publish_date_write(struct hwrite *w, const struct publishing *p)
{
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
	console_form(
	    p->c, p->v, w, &p->later, arena_printf(p->c->arena, "%s/publish/date", p->path));
	if (p->ready.later.set)
		console_form(p->c, p->v, w, &p->cancel,
		    arena_printf(p->c->arena, "%s/publish/cancel", p->path));
}

/* Reads the time that was typed; a wrong one is refused beside its field. */
static bool
read_time(struct publishing *p, int64_t *at)
{
	struct zone z;

	load_zone(p, &z);
	if (zone_find(&z, form_number(&p->later, "day"), (int)form_number(&p->later, "time"), at) !=
	    ZONE_NEVER)
		return true;
	form_refuse(&p->later, "time", tr("Clocks are set forward then, and skip this time."));
	return false;
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
	if (p->sites->count == 0)
		hwrite_element(w, H_P, tr("No site reads this workspace yet."));
	else
		publish_write_sites(w, p->sites);
}

static void
write_publish(struct hwrite *w, const void *data)
{
	const struct publishing *p = data;
	const struct article *a = p->ready.article;

	hwrite_open(w, H_P);
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF, console_path(p->c, p->v, "%s", p->path));
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
		return;
	}
	console_form(p->c, p->v, w, &p->now, arena_printf(p->c->arena, "%s/publish", p->path));
	publish_date_write(w, p);
}

/* Looks at the article of the path and begins the forms. */
static struct err *
publish_look(struct ctx *c, struct visit *v, struct publishing *p)
{
	struct write_view view;
	const struct article *a;
	struct err *err = ready_look(c, v->workspace, v->id, &p->ready);

	if (err == NULL)
		err = write_look(c, v->workspace, v->id, &a, &view);
	p->c = c;
	p->v = v;
	p->path = arena_printf(c->arena, "/%s/articles/%s", v->workspace->uuid, v->id);
	if (err != NULL)
		return err;
	p->text = view.text;
	editor_find_losses(c, v, &view, &p->losses);
	form_init(&p->now, "publish", p->ready.todo_count > 0 ? unfinished : finished);
	publish_date_begin(p);
	return NULL;
}

/* Writes the page. */
static void
publish_page(struct publishing *p, struct reply *reply)
{
	form_fill(&p->now, "seen", p->ready.seen);
	form_fill(&p->later, "seen", p->ready.seen);
	p->sites = arena_alloc(p->c->arena, sizeof(*p->sites));
	sites_read(p->c, p->v->workspace->uuid, false, p->sites);
	console_page(p->c, p->v, reply, NULL, NULL, write_publish, p);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct publishing *p = arena_alloc(c->arena, sizeof(*p));
	struct err *err = publish_look(c, v, p);

	if (err == NULL)
		publish_page(p, reply);
	return err;
}

static struct err *
publish(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct publishing *p = arena_alloc(c->arena, sizeof(*p));
	struct err *err = publish_look(c, v, p);
	const char *seen;

	if (err != NULL)
		return err;
	console_will_go(v, arena_printf(c->arena, "%s?notice=published", p->path));
	reply->status = 409;
	if (console_read(c, v, &p->now)) {
		seen = form_text(&p->now, "seen");
		err = ready_publish(
		    c, v->id, seen != NULL ? seen : "", console_sent(v, "unfinished") != NULL);
		if (err == NULL) {
			reply->status = 200;
			console_journal(c, v, "article publish %s", v->id);
			console_go(c, v, reply, p->path, "published");
			return NULL;
		}
		err = console_wrong(c, v, reply, &p->now, err);
		if (err == NULL)
			err = ready_look(c, v->workspace, v->id, &p->ready);
		if (err != NULL)
			return err;
	}
	publish_page(p, reply);
	return NULL;
}

static struct err *
set(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct publishing *p = arena_alloc(c->arena, sizeof(*p));
	struct err *err = publish_look(c, v, p);
	const char *seen;
	int64_t at;

	if (err != NULL)
		return err;
	console_will_go(v, arena_printf(c->arena, "%s/publish?notice=dated", p->path));
	if (!console_read(c, v, &p->later) || !read_time(p, &at)) {
		console_refused(v, reply);
		publish_page(p, reply);
		return NULL;
	}
	seen = form_text(&p->later, "seen");
	err = ready_date(c, v->id, seen != NULL ? seen : "", console_sent(v, "unfinished") != NULL,
	    at, v->person->uuid);
	if (err == NULL) {
		console_journal(c, v, "article publish --at %s", v->id);
		console_go(c, v, reply, arena_printf(c->arena, "%s/publish", p->path), "dated");
		return NULL;
	}
	if (err->param != NULL)
		err->param = "time";
	err = console_wrong(c, v, reply, &p->later, err);
	if (err == NULL)
		err = ready_look(c, v->workspace, v->id, &p->ready);
	if (err == NULL)
		publish_page(p, reply);
	return err;
}

static struct err *
cancel(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct publishing *p = arena_alloc(c->arena, sizeof(*p));
	struct later l = { .id = v->id };
	struct err *err = publish_look(c, v, p);

	if (err != NULL)
		return err;
	console_will_go(v, arena_printf(c->arena, "%s/publish?notice=undated", p->path));
	if (console_read(c, v, &p->cancel)) {
		err = later_cancel(c, &l);
		if (err == NULL) {
			console_journal(c, v, "article publish --at never %s", v->id);
			console_go(
			    c, v, reply, arena_printf(c->arena, "%s/publish", p->path), "undated");
			return NULL;
		}
		err = console_wrong(c, v, reply, &p->cancel, err);
		if (err != NULL)
			return err;
	} else {
		console_refused(v, reply);
	}
	publish_page(p, reply);
	return NULL;
}

#define PUBLISH .need = RIGHT_PUBLISH, .title = tr_mark("Publish")

/* ---- after "Publish" and "Unpublish" */

static const struct field undo_fields[] = {
	{ .name = "edition", .kind = FIELD_HIDDEN },
	{ .name = "undo", .label = tr_mark("Undo"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

struct published {
	struct ctx *c;
	const struct visit *v;
	const struct article *article;
	bool gone; /* it was unpublished; what follows is not read then */
	struct console_public at;
	struct sites sites;
};

const struct published *
published_look(struct ctx *c, const struct visit *v, const struct article *a)
{
	const char *notice = console_query(c, v, "notice");
	struct published *p = arena_alloc(c->arena, sizeof(*p));

	*p = (struct published) { .c = c, .v = v, .article = a };
	p->gone = notice != NULL && strcmp(notice, "unpublished") == 0 &&
		  a->status == ARTICLE_DRAFT && a->version > 0;
	if (p->gone)
		return p;
	if (notice == NULL || strcmp(notice, "published") != 0 || a->status != ARTICLE_PUBLISHED)
		return NULL;
	if (!console_public(c, v, a->uuid, &p->at))
		return NULL;
	sites_read(c, v->workspace->uuid, false, &p->sites);
	return p;
}

static void
write_place(struct hwrite *w, const char *sentence, const char *address)
{
	if (address == NULL)
		return;
	hwrite_element(w, H_P, sentence);
	screen_copy(w, tr("the address"), address);
}

/* What is public; where nothing is, an owner can ask for what is missing. */
static void
write_places(struct hwrite *w, const struct published *p)
{
	const char *frames = p->v->workspace->embed_origins;

	hwrite_element(w, H_H2, tr("Where it is"));
	write_place(w, tr("Its page:"), p->at.page);
	write_place(w, tr("On your website, once the website has fetched it:"), p->at.website);
	if (p->at.page != NULL)
		write_place(w, tr("The feed of your pages, where it is the newest:"),
		    arena_printf(p->c->arena, "%sfeed.atom", p->at.home));
	if (p->at.page != NULL && frames[0] != '\0') {
		hwrite_open(w, H_P);
		screen_sentence(w, tr("In the frames of these websites: %s"), frames);
		hwrite_close(w, H_P);
	}
	if (p->sites.count > 0)
		publish_write_sites(w, &p->sites);
	else
		hwrite_element(w, H_P, tr("No website reads this workspace by the API yet."));
	if (p->at.page == NULL)
		verification_write(w, p->c, p->v);
}

/* A first publication is taken back. Later ones are not: readers would lose what they had. */
static void
write_undo(struct hwrite *w, const struct published *p)
{
	const char *path = editor_address(p->c, p->v, p->v->id);
	struct form f;

	if (!console_may(p->v, RIGHT_PUBLISH))
		return;
	if (p->article->version > 1) {
		screen_notice_link(w, SCREEN_NOTE,
		    tr("Readers had an older edition before. It can be brought back."),
		    console_path(p->c, p->v, "%s/history", path), tr("History"));
		return;
	}
	hwrite_element(
	    w, H_P, tr("Something wrong? “Undo” makes it a draft again, and nothing is lost."));
	form_init(&f, "undo", undo_fields);
	form_fill(&f, "edition", arena_printf(p->c->arena, "%lld", (long long)p->article->version));
	console_form(p->c, p->v, w, &f, arena_printf(p->c->arena, "%s/publish/undo", path));
}

/* The list says the same before it unpublishes. */
static void
write_gone(struct hwrite *w, const struct published *p)
{
	const char *path = editor_address(p->c, p->v, p->v->id);
	struct form f;

	hwrite_element(w, H_P,
	    tr("Readers cannot open it any more: its page says that it is gone, and websites take it away when they ask next. It is a draft, and nothing of the text is lost."));
	if (!console_may(p->v, RIGHT_PUBLISH) || console_rests(p->v))
		return;
	hwrite_element(w, H_P, tr("“Undo” shows readers the same edition again."));
	form_init(&f, "undo", undo_fields);
	form_fill(&f, "edition", arena_printf(p->c->arena, "%lld", (long long)p->article->version));
	console_form(p->c, p->v, w, &f, arena_printf(p->c->arena, "%s/publish/again", path));
}

static void
write_way(struct hwrite *w, const char *address, const char *label)
{
	hwrite_open(w, H_LI);
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF, address);
	hwrite_text(w, label);
	hwrite_close(w, H_A);
	hwrite_close(w, H_LI);
}

void
published_write(struct hwrite *w, const struct published *p)
{
	const char *workspace = p->v->workspace->uuid;

	if (p->gone) {
		write_gone(w, p);
		return;
	}
	write_undo(w, p);
	write_places(w, p);
	hwrite_element(w, H_H2, tr("What next"));
	hwrite_open(w, H_UL);
	hwrite_attr(w, A_CLASS, "ways");
	if (console_may(p->v, RIGHT_WRITE))
		write_way(w, console_path(p->c, p->v, "/%s/articles/new", workspace),
		    tr("Write the next article"));
	write_way(w, console_path(p->c, p->v, "/%s/statistics/articles/%s", workspace, p->v->id),
	    tr("See how it is read"));
	if (console_may(p->v, RIGHT_PUBLISH) || console_may(p->v, RIGHT_MANAGE))
		write_way(w, console_path(p->c, p->v, "/%s/sites", workspace),
		    tr("See which websites have it"));
	hwrite_close(w, H_UL);
	hwrite_element(w, H_H2, tr("The article"));
}

/* Takes the last act on the edition that was seen back. */
static struct err *
take_back(struct ctx *c, struct visit *v, struct reply *reply, const char *notice,
    struct err *(*run)(struct ctx *c, struct state *s))
{
	const char *path = editor_address(c, v, v->id), *edition;
	struct state s = { .id = v->id };
	struct article *a;
	struct form f;
	struct err *err = console_article(c, v, &a);

	if (err != NULL)
		return err;
	form_init(&f, "undo", undo_fields);
	if (!console_read(c, v, &f) && f.error != NULL)
		return refuse(c, ERR_CONFLICT, "%s", f.error);
	edition = form_text(&f, "edition");
	s.version = edition != NULL ? strtoll(edition, NULL, 10) : 0;
	if (s.version < 1)
		return refuse(c, ERR_INVALID,
		    tr_mark(
			"Nothing says which edition is meant. Open the article, and publish or unpublish it there."));
	console_will_go(v, arena_printf(c->arena, "%s?notice=%s", path, notice));
	err = run(c, &s);
	if (err != NULL)
		return err;
	console_journal(
	    c, v, run == state_unpublish ? "article unpublish %s" : "article publish %s", v->id);
	console_go(c, v, reply, path, notice);
	return NULL;
}

static struct err *
undo(struct ctx *c, struct visit *v, struct reply *reply)
{
	return take_back(c, v, reply, "unpublished", state_unpublish);
}

static struct err *
again(struct ctx *c, struct visit *v, struct reply *reply)
{
	return take_back(c, v, reply, "published", state_publish_again);
}

/* Leads to where readers open the article; where that is nowhere, its page says what is missing. */
static struct err *
open_public(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct console_public at;
	const char *path = editor_address(c, v, v->id);
	struct article *a;
	struct err *err = console_article(c, v, &a);

	if (err != NULL)
		return err;
	if (!console_public(c, v, v->id, &at))
		console_go(c, v, reply, path, NULL);
	else if (at.page != NULL || at.website != NULL)
		head_go(reply, 303, at.page != NULL ? at.page : at.website);
	else
		console_go(c, v, reply, path, "published");
	return NULL;
}

const struct console_row publish_screens[] = {
	{ .method = "GET",
	    .pattern = "/W/articles/ID/publish",
	    .need = RIGHT_PUBLISH,
	    .title = tr_mark("Publish"),
	    .handler = show },
	{ .method = "POST",
	    .pattern = "/W/articles/ID/publish",
	    .need = RIGHT_PUBLISH,
	    .title = tr_mark("Publish"),
	    .handler = publish },
	{ .method = "POST", .pattern = "/W/articles/ID/publish/date", PUBLISH, .handler = set },
	{ .method = "POST",
	    .pattern = "/W/articles/ID/publish/cancel",
	    PUBLISH,
	    .handler = cancel },
	{ .method = "GET",
	    .pattern = "/W/articles/ID/public",
	    .title = tr_mark("Open it"),
	    .handler = open_public },
	{ .method = "POST",
	    .pattern = "/W/articles/ID/publish/undo",
	    .need = RIGHT_PUBLISH,
	    .title = tr_mark("Undo"),
	    .handler = undo },
	{ .method = "POST",
	    .pattern = "/W/articles/ID/publish/again",
	    .need = RIGHT_PUBLISH,
	    .title = tr_mark("Undo"),
	    .handler = again },
	{ .method = NULL },
};
