/* The date at which an article is published, on the page "Publish" (docs/console.md §5.2). */
#include <string.h>

#include "../all.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "job/cron.h"
#include "publish.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "system/zone.h"

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

static const struct field finished[] = {
	{ .name = "seen", .kind = FIELD_HIDDEN },
	DAY,
	TIME,
	LATER,
	{ .name = NULL },
};

static const struct field unfinished[] = {
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
	const size_t size = whole ? sizeof(finished) : sizeof(unfinished);
	struct field *fields = arena_alloc(p->c->arena, size);

	memcpy(fields, whole ? finished : unfinished, size);
	fields[DAY_PLACE].hint =
	    arena_printf(p->c->arena, tr("Day and time are those of %s, where it is %s now."),
		say_zone(p->c), zone_text(p->c, z, clock_now()) + 11);
	return fields;
}

/* Fills the form with the present date. */
void
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

void
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

const struct console_row publish_date_screens[] = {
	{ .method = "POST", .pattern = "/W/articles/ID/publish/date", PUBLISH, .handler = set },
	{ .method = "POST",
	    .pattern = "/W/articles/ID/publish/cancel",
	    PUBLISH,
	    .handler = cancel },
	{ .method = NULL },
};
