#include "action/article/publish-actions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "access/account.h"
#include "action/action.h"
#include "article/article-row.h"
#include "article/revision.h"
#include "article/save.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "content/inline.h"
#include "export/facts.h"
#include "export/todo.h"
#include "people/membership.h"
#include "people/person.h"
#include "people/secret.h"
#include "screen/tr.h"
#include "system/fault.h"
#include "system/instance.h"

/* ---- checks that fail */

size_t
failing_checks(struct ctx *c, const struct export_source *s, struct export_check out[EXPORT_CHECKS])
{
	struct export_check checks[EXPORT_CHECKS];
	size_t count = 0;

	export_checks(c, s, checks);
	for (size_t i = 0; i < EXPORT_CHECKS; i++) {
		if (!checks[i].passed)
			out[count++] = checks[i];
	}
	return count;
}

const char *
failing_line(struct ctx *c, const struct export_check *k)
{
	return k->reason == NULL ? tr_for(c, k->label)
				 : arena_printf(c->arena, "%s: %s", tr_for(c, k->label), k->reason);
}

#define ARTICLE_MEMORY ((size_t)1 << 30) /* for one article */

struct checking {
	struct ctx *c;
	struct check *check;
	const struct workspace *workspace;
	size_t room;
	int64_t total;
};

static void
count_label(struct checking *k, const char *text)
{
	size_t i = 0;

	while (i < k->check->label_count && strcmp(k->check->labels[i].text, text) != 0)
		i++;
	if (i == k->check->label_count)
		k->check->labels[k->check->label_count++].text = text;
	k->check->labels[i].failed++;
}

/* Keeps in the command's memory what was found in the memory of one article. */
static void
keep_failing(struct checking *k, const struct article *a, const struct export_check *checks,
    size_t count, int64_t unfinished)
{
	struct arena *arena = k->c->arena;
	struct article *kept = arena_alloc(arena, sizeof(*kept));
	struct check_failing *f;

	if (k->check->count == k->room) {
		size_t room = k->room == 0 ? 16 : 2 * k->room;
		k->check->failing =
		    arena_grow(arena, k->check->failing, k->room * sizeof(*f), room * sizeof(*f));
		k->room = room;
	}
	*kept = *a;
	f = &k->check->failing[k->check->count++];
	f->article = kept;
	f->count = count;
	f->unfinished = unfinished;
	for (size_t i = 0; i < count; i++) {
		f->checks[i] = checks[i];
		if (checks[i].reason != NULL)
			f->checks[i].reason = arena_text(arena, checks[i].reason);
		count_label(k, checks[i].label);
	}
}

/* Checks what the API shows of the article. */
static void
check_one(struct checking *k, const struct article *a)
{
	struct export_check checks[EXPORT_CHECKS];
	struct arena scratch, *kept = k->c->arena;
	const struct export_source *source;
	int64_t unfinished;
	size_t count;

	arena_init(&scratch, ARTICLE_MEMORY);
	k->c->arena = &scratch;
	source = stored_source(k->c, k->workspace, a, false);
	count = failing_checks(k->c, source, checks);
	unfinished = source->published ? source->snapshot->unfinished
				       : todo_count(&source->snapshot->content);
	k->c->arena = kept;
	k->check->articles++;
	if (count > 0)
		keep_failing(k, a, checks, count, unfinished);
	arena_release(&scratch);
	k->check->step(k->check->arg, k->check->articles, k->total);
}

static void
check_all(struct checking *k)
{
	struct ctx *c = k->c;
	int64_t id = k->workspace->id;
	struct article a;

	k->total = article_count(c, id, ARTICLE_PUBLISHED);
	if (k->check->drafts)
		k->total += article_count(c, id, ARTICLE_DRAFT);
	k->check->step(k->check->arg, 0, k->total);
	for (struct stmt *q = article_list(c, id, ARTICLE_PUBLISHED, INT64_MAX);
	     article_next(q, &a);)
		check_one(k, &a);
	if (!k->check->drafts)
		return;
	for (struct stmt *q = article_list(c, id, ARTICLE_DRAFT, INT64_MAX); article_next(q, &a);)
		check_one(k, &a);
}

static int
most_first(const void *a, const void *b)
{
	const struct check_label *x = a, *y = b;

	if (x->failed != y->failed)
		return x->failed > y->failed ? -1 : 1;
	return strcmp(x->text, y->text);
}

struct err *
check_articles(struct ctx *c, struct check *k)
{
	struct checking checking = { .c = c, .check = k };
	struct workspace *w;

	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_workspace(c, &k->place, &w));
	checking.workspace = w;
	check_all(&checking);
	if (k->label_count > 1)
		qsort(k->labels, k->label_count, sizeof(*k->labels), most_first);
	return action_commit(c);
}

enum {
	TEXT_MAX = 70, /* code points of a place's text */
	PLACES_BYTES = 6000 /* of all lines together: a note has room for them */
};

/* ---- what is unfinished */

/* The lines that name the places. */
struct places {
	struct ctx *c;
	struct buf lines;
	int64_t left; /* places that did not fit */
};

static void
add_place(void *arg, const char *heading, const struct callout *todo)
{
	struct places *p = arg;
	struct arena *a = p->c->arena;
	const char *where = heading[0] == '\0' ? "the beginning" : inline_plain(a, heading);
	const char *line = arena_printf(a, "\n  - %s: %s", facts_cut(p->c, where, TEXT_MAX),
	    facts_cut(p->c, inline_plain(a, todo->text), TEXT_MAX));

	if (p->left > 0 || p->lines.len + strlen(line) > PLACES_BYTES)
		p->left++;
	else
		buf_add_text(&p->lines, line);
}

const char *
unfinished_sentence(struct ctx *c, int64_t count)
{
	return arena_printf(
	    c->arena, "%lld place%s left to write", (long long)count, count == 1 ? " is" : "s are");
}

/* Refuses an article whose working copy is unfinished. The sentence names each place
 * that is left to write, by its heading and the beginning of its text. Call it inside a
 * transaction. */
static struct err *
unfinished_check(struct ctx *c, const struct article *a)
{
	const struct snapshot *s = article_working_copy(c, a);
	int64_t count = todo_count(&s->content);
	struct places p = { .c = c };

	if (count == 0)
		return NULL;
	buf_init(&p.lines, c->arena, PLACES_BYTES + 100);
	todo_each(&s->content, add_place, &p);
	if (p.left > 0)
		buf_printf(&p.lines, "\n  - and %lld more", (long long)p.left);
	return err_hint(c,
	    refuse(c, ERR_CONFLICT, tr_mark("%s (%s) is not finished: %s:%s"), a->title, a->uuid,
		unfinished_sentence(c, count), buf_done(&p.lines)),
	    HINT_UNFINISHED, a->uuid);
}

/* ---- states */

bool
state_is_current(struct ctx *c, const struct article *a)
{
	struct edition shown;

	return a->status == ARTICLE_PUBLISHED && !article_has_changes(a) &&
	       edition_find(c, a, a->version, &shown) && edition_is_current(c, a, &shown);
}

static void
find_failing(struct ctx *c, const struct workspace *w, const struct article *a, struct state *s)
{
	struct export_check checks[EXPORT_CHECKS];

	s->failing_count = failing_checks(c, stored_source(c, w, a, false), checks);
	s->failing = arena_array(c->arena, EXPORT_CHECKS, sizeof(*s->failing));
	for (size_t i = 0; i < s->failing_count; i++)
		s->failing[i] = failing_line(c, &checks[i]);
}

/* Publishes the article, inside the transaction. */
static struct err *
publish_now(struct ctx *c, struct workspace *w, struct article *a, struct state *s)
{
	if (a->status != ARTICLE_DELETED && !s->unfinished)
		TRY(unfinished_check(c, a));
	s->changed = s->again || !state_is_current(c, a);
	if (s->changed)
		TRY(article_publish(c, w, a, 0, 0));
	find_failing(c, w, a, s);
	return NULL;
}

struct err *
state_publish(struct ctx *c, struct state *s)
{
	struct workspace *w;
	struct article *a;

	ACTION(c, begin_article(c, s->id, &w, &a));
	TRY(publish_now(c, w, a, s));
	s->article = a;
	return action_commit(c);
}

#define FRESH (10 * 60 * CLOCK_SECOND)

bool
state_is_fresh(struct ctx *c, const struct article *a)
{
	struct edition first;

	return a->version == 1 && edition_find(c, a, 1, &first) &&
	       clock_now() - first.published_at < FRESH;
}

typedef struct err *move(struct ctx *c, struct workspace *w, struct article *a);

/* With `seen` what somebody published since, also the same edition, is refused. */
static struct err *
move_article(struct ctx *c, struct state *s, bool seen, move *run)
{
	struct workspace *w;
	struct article *a;

	ACTION(c, begin_article(c, s->id, &w, &a));
	if (seen && (s->version != a->version || s->changed_at != a->changed_at))
		return refuse(c, ERR_CONFLICT,
		    tr_mark(
			"What readers see of this article has changed meanwhile, so nothing was done. Open it, and look."));
	TRY(run(c, w, a));
	s->article = a;
	s->changed = true;
	return action_commit(c);
}

struct err *
state_unpublish(struct ctx *c, struct state *s)
{
	return move_article(c, s, false, article_unpublish);
}

static struct err *
unpublish_fresh(struct ctx *c, struct workspace *w, struct article *a)
{
	if (!state_is_fresh(c, a))
		return refuse(c, ERR_CONFLICT,
		    tr_mark(
			"This article was published more than ten minutes ago, so nothing was done. Unpublish it instead."));
	return article_unpublish(c, w, a);
}

struct err *
state_undo(struct ctx *c, struct state *s)
{
	return move_article(c, s, true, unpublish_fresh);
}

struct err *
state_publish_again(struct ctx *c, struct state *s)
{
	return move_article(c, s, true, article_publish_again);
}

struct err *
state_delete(struct ctx *c, struct state *s)
{
	return move_article(c, s, false, article_delete);
}

struct err *
state_undelete(struct ctx *c, struct state *s)
{
	return move_article(c, s, false, article_undelete);
}

/* ---- dates */

#define LATE CLOCK_DAY /* so late nobody is surprised by a publication any more */
/* No zone of the earth shows the year 10000 then, which no text of a time can have. */
#define LAST "9999-12-30"

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
		    c, "at", tr_mark("%s is not a time: write 2026-12-24T08:00:00Z."), text);
	c->now = clock_now();
	return check_time(c, *at);
}

struct err *
later_freeze(
    struct ctx *c, const struct article *a, int64_t at, bool unfinished, const char *person)
{
	struct schedule s = { .at = at, .person = person, .unfinished = unfinished };
	char token[TOKEN_TEXT];
	struct save seen;

	TRY(check_time(c, at));
	if (a->status == ARTICLE_DELETED)
		return refuse(c, ERR_CONFLICT,
		    tr_mark("This article is in the trash, so it gets no date. Restore it first."));
	if (state_is_current(c, a))
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

	ACTION(c, begin_article(c, l->id, &w, &a));
	if (!l->unfinished && a->status != ARTICLE_DELETED)
		TRY(unfinished_check(c, a));
	TRY(later_freeze(c, a, l->at, l->unfinished, l->person));
	l->article = a;
	return action_commit(c);
}

struct err *
later_cancel(struct ctx *c, struct later *l)
{
	struct workspace *w;
	struct article *a;
	struct schedule s;

	ACTION(c, begin_article(c, l->id, &w, &a));
	l->article = a;
	l->changed = schedule_find(c, a, &s);
	schedule_end(c, a);
	return action_commit(c);
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
log_change(struct ctx *c, const struct workspace *w, const struct schedule *s, const char *what,
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
static struct err *
suspend_date(struct ctx *c, const char *id, int64_t at, const char *why)
{
	struct workspace *w;
	struct article *a;
	struct schedule s;

	ACTION(c, begin_article(c, id, &w, &a));
	if (schedule_find(c, a, &s) && s.at == at && s.suspended == NULL) {
		schedule_suspend(c, a, why);
		log_change(c, w, &s, "article publish suspended", id);
	}
	(void)FAULT("date-suspended");
	return action_commit(c);
}

/* Returns whether the date counts and has come, now that the lock is held. */
static bool
is_due_now(struct ctx *c, const struct workspace *w, const struct article *a, struct schedule *s)
{
	return schedule_find(c, a, s) && s->suspended == NULL && s->at <= c->now &&
	       !account_of(c, w->account_id)->suspended;
}

static void
run_date(struct ctx *c, const char *id)
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
	if (err == NULL)
		db_commit(c);
	else
		db_rollback(c);
	(void)FAULT("date-committed");
	if (err != NULL) {
		if (suspend_date(c, id, s.at, err->message) == NULL)
			log_line("article %s is not published at its date: %s", id, err->message);
		return;
	}
	db_begin_read(c, DB_CONTENT);
	log_change(c, w, &s, "article publish", id);
	db_rollback(c);
	log_line("article %s is published at its date", id);
}

/* Returns an article that is due (arena), or NULL. */
static const char *
next_due(struct ctx *c)
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
	return next_due(c) != NULL;
}

bool
later_run_next(struct ctx *c)
{
	const char *id = next_due(c);

	if (id == NULL)
		return false;
	run_date(c, id);
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

	db_begin_write(c, DB_CONTENT, DB_CHANGES_NOTHING, 0, 0);
	/* The change that it follows from has passed the gate, and is made. */
	gate_skip(c);
	schedule_list_of(c, person, add_date, &d);
	for (size_t i = 0; i < d.count; i++) {
		const struct workspace *w = workspace_of(c, d.list[i].workspace_id);
		const struct article *a = article_find(c, w->id, d.list[i].id);
		if (!may_publish(c, person, w))
			schedule_suspend(c, a, may_not);
	}
	db_commit(c);
}
