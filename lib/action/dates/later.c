#include "action/dates/later.h"

#include <inttypes.h>
#include <string.h>

#include "access/account.h"
#include "action/action.h"
#include "action/article/unfinished.h"
#include "article/article-row.h"
#include "article/revision.h"
#include "article/save.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "export/todo.h"
#include "people/membership.h"
#include "people/person.h"
#include "people/secret.h"
#include "screen/tr.h"
#include "system/fault.h"
#include "system/instance.h"

#define LATE CLOCK_DAY /* so late nobody is surprised by a publication any more */
/* No zone of the earth shows the year 10000 then, which no text of a time can have. */
#define LAST "9999-12-30"

/* ---- setting a date */

static struct err *
check_time(struct ctx *c, int64_t at)
{
	int64_t last;

	if (!clock_parse_date(LAST, &last))
		BUG("%s is a date", LAST);
	if (at >= last)
		return err_param(
		    c, "at", tr_mark("This time is too far away: the last day is 9999-12-29."));
	if (at > c->now)
		return NULL;
	return err_param(c, "at", tr_mark("This time is past."));
}

struct err *
later_read(struct ctx *c, const char *text, int64_t *at)
{
	if (!clock_parse(text, at))
		return err_param(
		    c, "at", tr_mark("%s is no time: write 2026-12-24T08:00:00Z."), text);
	c->now = clock_now();
	return check_time(c, *at);
}

static bool
is_published_already(struct ctx *c, const struct article *a)
{
	struct edition shown;

	return a->status == ARTICLE_PUBLISHED && !article_has_changes(a) &&
	       edition_find(c, a, a->version, &shown) && edition_is_current(c, a, &shown);
}

struct err *
later_freeze(
    struct ctx *c, const struct article *a, int64_t at, bool unfinished, const char *person)
{
	struct schedule s = { .at = at, .person = person, .unfinished = unfinished };
	char token[TOKEN_TEXT];
	struct save seen;
	struct err *err = check_time(c, at);

	if (err != NULL)
		return err;
	if (a->status == ARTICLE_DELETED)
		return refuse(c, ERR_CONFLICT,
		    tr_mark("This article is in the trash, so it gets no date. Restore it first."));
	if (is_published_already(c, a))
		return refuse(c, ERR_CONFLICT,
		    tr_mark("This article is published as it is already, so it gets no date."));
	token_base(a, token);
	if (!save_find(c, a, token, &seen)) {
		save_insert(c, a, article_working_copy(c, a), NULL, NULL);
		if (!save_find(c, a, token, &seen))
			BUG("a save that was made is not there");
	}
	s.save_id = seen.id;
	schedule_set(c, a, &s);
	return NULL;
}

struct err *
later_set(struct ctx *c, struct later *l)
{
	struct workspace *w;
	struct article *a;
	struct err *err = begin_article(c, l->id, &w, &a);

	if (err == NULL && !l->unfinished && a->status != ARTICLE_DELETED)
		err = unfinished_check(c, a);
	if (err == NULL)
		err = later_freeze(c, a, l->at, l->unfinished, l->person);
	if (err == NULL)
		l->article = a;
	return action_end(c, err);
}

struct err *
later_cancel(struct ctx *c, struct later *l)
{
	struct workspace *w;
	struct article *a;
	struct schedule s;
	struct err *err = begin_article(c, l->id, &w, &a);

	if (err == NULL) {
		l->article = a;
		l->changed = schedule_find(c, a, &s);
		schedule_end(c, a);
	}
	return action_end(c, err);
}

void
later_view(struct ctx *c, const struct article *a, struct later_view *out)
{
	struct save seen;

	*out = (struct later_view) { .set = false };
	out->set = schedule_find(c, a, &out->schedule);
	if (!out->set)
		return;
	out->edited = !save_of(c, a, out->schedule.save_id, &seen) ||
		      memcmp(seen.digest, a->digest, ARTICLE_DIGEST) != 0;
}

/* ---- who set it */

struct asking {
	const char *person, *account, *workspace;
	bool may;
};

static struct err *
look_at_rights(struct ctx *c, void *arg)
{
	struct asking *asking = arg;
	struct person *p = person_find(c, asking->person);

	asking->may =
	    p != NULL && p->disabled_at == 0 &&
	    (membership_rights(c, p->id, asking->account, asking->workspace) & RIGHT_PUBLISH) != 0;
	return NULL;
}

/* Returns whether the person may publish in this workspace now. */
static bool
may_publish(struct ctx *c, const char *person, const struct workspace *w)
{
	struct asking asking = { .person = person,
		.workspace = w->uuid,
		.account = account_of(c, w->account_id)->uuid };
	struct err *err;

	/* A date of the tool needs no person. */
	if (person == NULL)
		return true;
	if (!secret_exists(c))
		return false;
	err = db_aside(c, DB_CONSOLE, look_at_rights, &asking);
	return err == NULL && asking.may;
}

static const char may_not[] = tr_mark("The person who set the date may not publish here any more.");

/* ---- publishing at the date */

/* Adds a line to log/operator.log, as for a change by hand. */
static void
note(struct ctx *c, const struct workspace *w, const struct schedule *s, const char *what,
    const char *id)
{
	log_into(fileio_path(c->arena, c->instance->log, "operator.log"),
	    arena_printf(c->arena, "person=%s account=%s %s %s workspace=%s",
		s->person != NULL ? s->person : "-", account_of(c, w->account_id)->uuid, what, id,
		w->uuid));
}

static struct err *
publish_copy(struct ctx *c, struct workspace *w, struct article *a, const struct schedule *s)
{
	struct snapshot *copy;
	struct save seen;

	if (c->now - s->at > LATE)
		return refuse(c, ERR_CONFLICT,
		    tr_mark("The date was more than a day ago when Galley could publish it."));
	if (!may_publish(c, s->person, w))
		return refuse(c, ERR_CONFLICT, "%s", may_not);
	if (!save_of(c, a, s->save_id, &seen))
		return refuse(
		    c, ERR_CONFLICT, tr_mark("The copy that was to be published is lost."));
	copy = save_snapshot(c, a, s->save_id);
	if (!s->unfinished && todo_count(&copy->content) > 0)
		return refuse(c, ERR_CONFLICT, tr_mark("Places are left to write."));
	return article_publish_copy(c, w, a, copy, seen.digest);
}

/* Suspends the date in a transaction of its own, unless it was changed meanwhile. */
static void
suspend(struct ctx *c, const char *id, int64_t at, const char *why)
{
	struct workspace *w;
	struct article *a;
	struct schedule s;
	struct err *err = begin_article(c, id, &w, &a);

	if (err == NULL && schedule_find(c, a, &s) && s.at == at && s.suspended == NULL) {
		schedule_suspend(c, a, why);
		note(c, w, &s, "article publish suspended", id);
	}
	(void)FAULT("date-suspended");
	err = action_end(c, err);
	if (err == NULL)
		log_line("article %s is not published at its date: %s", id, why);
}

/* Returns whether the date counts and has come, now that the lock is held. */
static bool
is_due_now(struct ctx *c, const struct workspace *w, const struct article *a, struct schedule *s)
{
	return schedule_find(c, a, s) && s->suspended == NULL && s->at <= c->now &&
	       !account_of(c, w->account_id)->suspended;
}

static void
run(struct ctx *c, const char *id)
{
	struct workspace *w;
	struct article *a;
	struct schedule s;
	struct err *err = begin_article(c, id, &w, &a);

	if (err != NULL || !is_due_now(c, w, a, &s)) {
		db_rollback(c);
		return;
	}
	err = publish_copy(c, w, a, &s);
	(void)FAULT("date-published");
	err = action_end(c, err);
	(void)FAULT("date-committed");
	if (err != NULL) {
		suspend(c, id, s.at, err->message);
		return;
	}
	db_begin_read(c, DB_CONTENT);
	note(c, w, &s, "article publish", id);
	db_rollback(c);
	log_line("article %s is published at its date", id);
}

/* Returns an article that is due (arena), or NULL. */
static const char *
next(struct ctx *c)
{
	const char *id;

	db_begin_read(c, DB_CONTENT);
	id = schedule_due(c);
	db_rollback(c);
	return id;
}

bool
later_is_due(struct ctx *c)
{
	return next(c) != NULL;
}

bool
later_run_next(struct ctx *c)
{
	const char *id = next(c);

	if (id == NULL)
		return false;
	run(c, id);
	return true;
}

/* ---- people who may not any more */

struct dates {
	struct ctx *c;
	struct date {
		int64_t workspace_id;
		const char *id;
	} * list;
	size_t count;
};

static void
add_date(void *arg, int64_t workspace_id, const char *uuid)
{
	struct dates *d = arg;
	size_t size = sizeof(*d->list);

	d->list = arena_grow(d->c->arena, d->list, d->count * size, (d->count + 1) * size);
	d->list[d->count++] = (struct date) { workspace_id, uuid };
}

void
later_suspend_of(struct ctx *c, const char *person)
{
	struct dates d = { .c = c };
	struct gate *gate = c->gate;

	/* The change that it follows from has passed the gate, and is made. */
	c->gate = NULL;
	db_begin_write(c, DB_CONTENT, DB_CHANGES_NOTHING, 0, 0);
	schedule_list_of(c, person, add_date, &d);
	for (size_t i = 0; i < d.count; i++) {
		const struct workspace *w = workspace_of(c, d.list[i].workspace_id);
		const struct article *a = article_find(c, w->id, d.list[i].id);
		if (!may_publish(c, person, w))
			schedule_suspend(c, a, may_not);
	}
	db_commit(c);
	c->gate = gate;
}
