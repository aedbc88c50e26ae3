#include "people/task.h"

#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "base/uuid.h"
#include "store/db.h"

#define MOVING_DAYS 30 /* so long the items of an import are kept */
#define MOVING_TITLE_MAX 400 /* bytes of a title that is kept */

#define OPEN_MAX 1000 /* open tasks that are looked at */
#define COLUMNS                                                                                    \
	"id, uuid, kind, person, need, account, workspace, number, state,"                         \
	" done, total, report, slice_at, deaths, created_at, ended_at"

static const struct {
	enum right right;
	const char *name;
} needs[] = {
	{ RIGHT_WRITE, "write" },
	{ RIGHT_PUBLISH, "publish" },
	{ RIGHT_MANAGE, "manage" },
	{ RIGHT_OPERATE, "operate" },
};
#define NEEDS (sizeof(needs) / sizeof(needs[0]))

/* Returns the right of this name, or 0. */
static enum right
need_of(const char *name)
{
	for (size_t i = 0; i < NEEDS; i++) {
		if (strcmp(needs[i].name, name) == 0)
			return needs[i].right;
	}
	return (enum right)0;
}

static const char *
name_of(enum right right)
{
	for (size_t i = 0; i < NEEDS; i++) {
		if (needs[i].right == right)
			return needs[i].name;
	}
	BUG("no task needs the right %d", (int)right);
}

static void
from_row(struct stmt *q, struct task *out)
{
	*out = (struct task) { .id = db_int(q, 0),
		.uuid = db_text(q, 1),
		.kind = db_text(q, 2),
		.person = db_text(q, 3),
		.need = need_of(db_text(q, 4)),
		.account = db_text(q, 5),
		.workspace = db_text(q, 6),
		.number = db_int(q, 7),
		.state = db_text(q, 8),
		.done = db_int(q, 9),
		.total = db_int(q, 10),
		.report = db_text(q, 11),
		.slice_at = db_int(q, 12),
		.deaths = db_int(q, 13),
		.created_at = db_int(q, 14),
		.ended_at = db_int(q, 15) };
}

static struct task *
one(struct ctx *c, struct stmt *q)
{
	struct task *t = NULL;

	if (db_row(q)) {
		t = arena_alloc(c->arena, sizeof(*t));
		from_row(q, t);
	}
	db_reset(q);
	return t;
}

bool
task_is_sound(const struct task *t)
{
	return t->need != 0 && t->deaths >= 0 && t->done >= 0 && t->total >= 0;
}

bool
task_is_open(const struct task *t)
{
	return strcmp(t->state, "waiting") == 0 || strcmp(t->state, "running") == 0;
}

void
task_insert(struct ctx *c, struct task *t)
{
	char *uuid = arena_alloc(c->arena, UUID_TEXT);

	uuid_random(uuid);
	t->uuid = uuid;
	t->state = "waiting";
	t->created_at = c->now;
	t->id = db_insert(c,
	    "INSERT INTO task (uuid, kind, person, need, account, workspace, total, created_at)"
	    " VALUES (:uuid, :kind, :person, :need, :account, :workspace, :total,"
	    " :now) RETURNING id",
	    db_t(":uuid", uuid), db_t(":kind", t->kind), db_t(":person", t->person),
	    db_t(":need", name_of(t->need)), db_t(":account", t->account),
	    db_t(":workspace", t->workspace), db_i(":total", t->total), db_i(":now", c->now));
}

struct task *
task_find(struct ctx *c, const char *uuid)
{
	struct stmt *q =
	    db_prepare(c, "SELECT " COLUMNS " FROM task WHERE uuid = :uuid", db_t(":uuid", uuid));

	return one(c, q);
}

struct task *
task_newest(struct ctx *c, const char *workspace, const char *kind)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM task WHERE workspace = :workspace AND kind = :kind"
	    " ORDER BY id DESC LIMIT 1",
	    db_t(":workspace", workspace), db_t(":kind", kind));

	return one(c, q);
}

static void
all(struct stmt *q, void (*each)(void *arg, const struct task *t), void *arg)
{
	struct task t;

	while (db_row(q)) {
		from_row(q, &t);
		each(arg, &t);
	}
}

void
task_list_kind(struct ctx *c, const char *workspace, const char *kind, int64_t limit,
    void (*each)(void *arg, const struct task *t), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM task WHERE workspace = :workspace AND kind = :kind"
	    " ORDER BY id DESC LIMIT :limit",
	    db_t(":workspace", workspace), db_t(":kind", kind), db_i(":limit", limit));

	all(q, each, arg);
}

void
task_list(struct ctx *c, int64_t limit, void (*each)(void *arg, const struct task *t), void *arg)
{
	struct stmt *q =
	    db_prepare(c, "SELECT " COLUMNS " FROM task ORDER BY id DESC LIMIT :limit /*scan*/",
		db_i(":limit", limit));

	all(q, each, arg);
}

void
task_list_open(struct ctx *c, void (*each)(void *arg, const struct task *t), void *arg)
{
	static const char *const states[] = { "running", "waiting" };

	for (size_t i = 0; i < 2; i++) {
		struct stmt *q = db_prepare(c,
		    "SELECT " COLUMNS " FROM task"
		    " WHERE state = :state ORDER BY account, id LIMIT :limit",
		    db_t(":state", states[i]), db_i(":limit", OPEN_MAX));

		all(q, each, arg);
	}
}

bool
task_is_mine(struct ctx *c, const struct task *t)
{
	return t->holder[0] == '\0' || task_lease_keep(c, t->id, t->holder);
}

/* Another host may have worked on it since it was found. */
static bool
take(struct ctx *c, struct task *t)
{
	char holder[TASK_LEASE_HOLDER];
	const struct task *now;

	if (!task_lease_take(c, t->id, holder))
		return false;
	now = task_find(c, t->uuid);
	if (now == NULL)
		return false;
	*t = *now;
	memcpy(t->holder, holder, sizeof(holder));
	return true;
}

bool
task_begin_slice(struct ctx *c, struct task *t)
{
	if (!take(c, t))
		return false;
	return db_run_counted(c,
		   "UPDATE task SET state = 'running', slice_at = :now, deaths = deaths + 1"
		   " WHERE id = :id AND state IN ('waiting', 'running')",
		   db_i(":now", c->now), db_i(":id", t->id)) > 0;
}

bool
task_advance(struct ctx *c, const struct task *t)
{
	if (!task_is_mine(c, t))
		return false;
	return db_run_counted(c,
		   "UPDATE task SET number = :number, done = :done, total = :total"
		   " WHERE id = :id AND state IN ('waiting', 'running')",
		   db_i(":number", t->number), db_i(":done", t->done), db_i(":total", t->total),
		   db_i(":id", t->id)) > 0;
}

void
task_end_slice(struct ctx *c, const struct task *t)
{
	if (!task_is_mine(c, t))
		return;
	db_run(c, "UPDATE task SET deaths = 0 WHERE id = :id", db_i(":id", t->id));
	task_lease_end(c, t->id, t->holder);
}

void
task_end(struct ctx *c, const struct task *t, const char *state, const char *report)
{
	if (!task_is_mine(c, t))
		return;
	db_run(c,
	    "UPDATE task SET state = :state, report = :report, ended_at = :now"
	    " WHERE id = :id AND state IN ('waiting', 'running')",
	    db_t(":state", state), db_t(":report", report), db_i(":now", c->now),
	    db_i(":id", t->id));
	task_lease_end(c, t->id, t->holder);
}

void
task_end_all(struct ctx *c, const char *person, const char *report)
{
	db_run(c,
	    "UPDATE task SET state = 'ended',"
	    " report = :report, ended_at = :ended_at WHERE state IN ('waiting', 'running')"
	    " AND person = :person",
	    db_t(":report", report), db_i(":ended_at", c->now), db_t(":person", person));
}

/* ---- imports */

void
moving_insert(struct ctx *c, const struct moving *m)
{
	db_run(c,
	    "INSERT INTO moving (task_id, program, site, upload, dry,"
	    " publish, fetches, with_pages) VALUES (:task, :program, :site, :upload, :dry,"
	    " :publish, :fetches, :with_pages)",
	    db_i(":task", m->task_id), db_t(":program", m->program), db_t(":site", m->site),
	    db_t(":upload", m->upload), db_i(":dry", m->dry), db_i(":publish", m->publish),
	    db_i(":fetches", m->fetch), db_i(":with_pages", m->with_pages));
}

struct moving *
moving_find(struct ctx *c, int64_t task_id)
{
	struct stmt *q = db_prepare(c,
	    "SELECT task_id, program, site, upload, dry, publish,"
	    " entries, bytes, created, updated, unchanged, failed, skipped, pictures,"
	    " fetches, with_pages, pages, pictures_left FROM moving WHERE task_id = :task",
	    db_i(":task", task_id));
	struct moving *m = NULL;

	if (db_row(q)) {
		m = arena_alloc(c->arena, sizeof(*m));
		*m = (struct moving) { .task_id = db_int(q, 0),
			.program = db_text(q, 1),
			.site = db_text(q, 2),
			.upload = db_text(q, 3),
			.dry = db_int(q, 4) != 0,
			.publish = db_int(q, 5) != 0,
			.entries = db_int(q, 6),
			.bytes = db_int(q, 7),
			.created = db_int(q, 8),
			.updated = db_int(q, 9),
			.unchanged = db_int(q, 10),
			.failed = db_int(q, 11),
			.skipped = db_int(q, 12),
			.pictures = db_int(q, 13),
			.fetch = db_int(q, 14) != 0,
			.with_pages = db_int(q, 15) != 0,
			.pages = db_int(q, 16),
			.pictures_left = db_int(q, 17) };
	}
	db_reset(q);
	return m;
}

void
moving_update(struct ctx *c, const struct moving *m)
{
	db_run(c,
	    "UPDATE moving SET entries = :entries, bytes = :bytes,"
	    " created = :created, updated = :updated, unchanged = :unchanged,"
	    " failed = :failed, skipped = :skipped, pictures = :pictures,"
	    " pictures_left = :left, pages = :pages WHERE task_id = :task",
	    db_i(":entries", m->entries), db_i(":bytes", m->bytes), db_i(":created", m->created),
	    db_i(":updated", m->updated), db_i(":unchanged", m->unchanged),
	    db_i(":failed", m->failed), db_i(":skipped", m->skipped),
	    db_i(":pictures", m->pictures), db_i(":left", m->pictures_left),
	    db_i(":pages", m->pages), db_i(":task", m->task_id));
}

void
moving_add_item(struct ctx *c, int64_t task_id, const struct moving_item *item)
{
	db_run(c,
	    "INSERT INTO moving_item (task_id, number, title, article,"
	    " outcome, notes) VALUES (:task, :number, :title, :article, :outcome, :notes)"
	    " ON CONFLICT (task_id, number) DO UPDATE SET title = excluded.title,"
	    " article = excluded.article, outcome = excluded.outcome, notes = excluded.notes",
	    db_i(":task", task_id), db_i(":number", item->number), db_t(":title", item->title),
	    db_t(":article", item->article), db_t(":outcome", item->outcome),
	    db_t(":notes", item->notes));
}

void
moving_add_loss(struct ctx *c, int64_t task_id, const struct moving_loss *loss)
{
	db_run(c,
	    "INSERT INTO moving_loss (task_id, kind, count, skipped)"
	    " VALUES (:task, :kind, :count, :skipped) ON CONFLICT (task_id, skipped, kind)"
	    " DO UPDATE SET count = moving_loss.count + excluded.count",
	    db_i(":task", task_id), db_t(":kind", loss->kind), db_i(":count", loss->count),
	    db_i(":skipped", loss->skipped));
}

void
moving_list_items(struct ctx *c, int64_t task_id, bool failed, int64_t after, int64_t limit,
    void (*each)(void *arg, const struct moving_item *item), void *arg)
{
	struct stmt *q =
	    failed ? db_prepare(c,
			 "SELECT number, title, article, outcome, notes FROM moving_item"
			 " WHERE task_id = :task AND outcome = 'failed' AND number > :after"
			 " ORDER BY number LIMIT :limit",
			 db_i(":task", task_id), db_i(":after", after), db_i(":limit", limit))
		   : db_prepare(c,
			 "SELECT number, title, article, outcome, notes FROM moving_item"
			 " WHERE task_id = :task AND number > :after ORDER BY number LIMIT :limit",
			 db_i(":task", task_id), db_i(":after", after), db_i(":limit", limit));

	while (db_row(q))
		each(arg, &(struct moving_item) { .number = db_int(q, 0),
			      .title = db_text(q, 1),
			      .article = db_text(q, 2),
			      .outcome = db_text(q, 3),
			      .notes = db_text(q, 4) });
}

void
moving_list_losses(struct ctx *c, int64_t task_id, bool skipped, int64_t limit,
    void (*each)(void *arg, const struct moving_loss *loss), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT kind, count, skipped FROM moving_loss"
	    " WHERE task_id = :task AND skipped = :skipped"
	    " ORDER BY count DESC, kind LIMIT :limit /*sort*/",
	    db_i(":task", task_id), db_i(":skipped", skipped), db_i(":limit", limit));

	while (db_row(q))
		each(arg, &(struct moving_loss) { .kind = db_text(q, 0),
			      .count = db_int(q, 1),
			      .skipped = db_int(q, 2) != 0 });
}

/* Returns the id of an import that is old and still has something, or 0. */
static int64_t
old_import(struct ctx *c)
{
	return db_one_int(c, 0,
	    "SELECT task_id FROM moving WHERE"
	    " (SELECT created_at FROM task WHERE task.id = moving.task_id) < :since"
	    " AND (EXISTS (SELECT 1 FROM moving_item i WHERE i.task_id = moving.task_id)"
	    " OR EXISTS (SELECT 1 FROM moving_loss l WHERE l.task_id = moving.task_id))"
	    " ORDER BY task_id LIMIT 1 /*scan*/",
	    db_i(":since", c->now - (int64_t)MOVING_DAYS * 86400 * CLOCK_SECOND));
}

bool
moving_forget(struct ctx *c, bool only_look)
{
	int64_t id = old_import(c);

	if (id == 0 || only_look)
		return id != 0;
	db_run(c, "DELETE FROM moving_item WHERE task_id = :task", db_i(":task", id));
	db_run(c, "DELETE FROM moving_loss WHERE task_id = :task", db_i(":task", id));
	return true;
}

/* ---- websites that are looked at */

void
visited_insert(struct ctx *c, int64_t task_id, const struct visited *v)
{
	db_run(c,
	    "INSERT INTO visited_page (task_id, number, article) VALUES (:task, :number, :article)",
	    db_i(":task", task_id), db_i(":number", v->number), db_t(":article", v->article));
}

bool
visited_next(struct ctx *c, int64_t task_id, struct visited *out)
{
	struct stmt *q = db_prepare(c,
	    "SELECT number, article, url, looked_at, findings"
	    " FROM visited_page WHERE task_id = :task AND looked_at = 0 ORDER BY number LIMIT 1",
	    db_i(":task", task_id));
	bool found = db_row(q);

	if (found)
		*out = (struct visited) { .number = db_int(q, 0),
			.article = db_text(q, 1),
			.url = db_text(q, 2),
			.looked_at = db_int(q, 3),
			.findings = db_text(q, 4) };
	db_reset(q);
	return found;
}

int64_t
visited_last_at(struct ctx *c, int64_t task_id)
{
	return db_one_int(c, 0,
	    "SELECT coalesce(max(looked_at), 0) FROM visited_page WHERE task_id = :task",
	    db_i(":task", task_id));
}

void
visited_note(struct ctx *c, int64_t task_id, const struct visited *v)
{
	db_run(c,
	    "UPDATE visited_page SET url = :url, looked_at = :now,"
	    " findings = :findings WHERE task_id = :task AND number = :number",
	    db_t(":url", v->url), db_i(":now", c->now), db_t(":findings", v->findings),
	    db_i(":task", task_id), db_i(":number", v->number));
}

void
visited_list(
    struct ctx *c, int64_t task_id, void (*each)(void *arg, const struct visited *v), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT number, article, url, looked_at, findings"
	    " FROM visited_page WHERE task_id = :task AND looked_at > 0 ORDER BY number",
	    db_i(":task", task_id));

	while (db_row(q))
		each(arg, &(struct visited) { .number = db_int(q, 0),
			      .article = db_text(q, 1),
			      .url = db_text(q, 2),
			      .looked_at = db_int(q, 3),
			      .findings = db_text(q, 4) });
}

void
visited_forget(struct ctx *c, const char *workspace, int64_t task_id)
{
	db_run(c,
	    "DELETE FROM visited_page WHERE task_id IN"
	    " (SELECT id FROM task WHERE workspace = :workspace AND kind = :kind AND id < :task)",
	    db_t(":workspace", workspace), db_t(":kind", VISITED_KIND), db_i(":task", task_id));
}
