#include "people/task.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "base/uuid.h"
#include "store/db.h"

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
	struct stmt *q =
	    db_prepare(c, "INSERT INTO task"
			  " (uuid, kind, person, need, account, workspace, total, created_at)"
			  " VALUES (:uuid, :kind, :person, :need, :account, :workspace, :total,"
			  " :now) RETURNING id");
	char *uuid = arena_alloc(c->arena, UUID_TEXT);

	uuid_random(uuid);
	t->uuid = uuid;
	t->state = "waiting";
	t->created_at = c->now;
	db_bind_text(q, ":uuid", uuid);
	db_bind_text(q, ":kind", t->kind);
	db_bind_text(q, ":person", t->person);
	db_bind_text(q, ":need", name_of(t->need));
	db_bind_text(q, ":account", t->account);
	db_bind_text(q, ":workspace", t->workspace);
	db_bind_int(q, ":total", t->total);
	db_bind_int(q, ":now", c->now);
	t->id = db_insert(q);
}

struct task *
task_find(struct ctx *c, const char *uuid)
{
	struct stmt *q = db_prepare(c, "SELECT " COLUMNS " FROM task"
				       " WHERE uuid = :uuid");

	db_bind_text(q, ":uuid", uuid);
	return one(c, q);
}

struct task *
task_newest(struct ctx *c, const char *workspace, const char *kind)
{
	struct stmt *q = db_prepare(c, "SELECT " COLUMNS " FROM task"
				       " WHERE workspace = :workspace AND kind = :kind"
				       " ORDER BY id DESC LIMIT 1");

	db_bind_text(q, ":workspace", workspace);
	db_bind_text(q, ":kind", kind);
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
	struct stmt *q = db_prepare(c, "SELECT " COLUMNS " FROM task"
				       " WHERE workspace = :workspace AND kind = :kind"
				       " ORDER BY id DESC LIMIT :limit");

	db_bind_text(q, ":workspace", workspace);
	db_bind_text(q, ":kind", kind);
	db_bind_int(q, ":limit", limit);
	all(q, each, arg);
}

void
task_list(struct ctx *c, int64_t limit, void (*each)(void *arg, const struct task *t), void *arg)
{
	struct stmt *q = db_prepare(c, "SELECT " COLUMNS " FROM task"
				       " ORDER BY id DESC LIMIT :limit /*scan*/");

	db_bind_int(q, ":limit", limit);
	all(q, each, arg);
}

void
task_list_open(struct ctx *c, void (*each)(void *arg, const struct task *t), void *arg)
{
	static const char *const states[] = { "running", "waiting" };

	for (size_t i = 0; i < 2; i++) {
		struct stmt *q =
		    db_prepare(c, "SELECT " COLUMNS " FROM task"
				  " WHERE state = :state ORDER BY account, id LIMIT :limit");
		db_bind_text(q, ":state", states[i]);
		db_bind_int(q, ":limit", OPEN_MAX);
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
	struct stmt *q;

	if (!take(c, t))
		return false;
	q = db_prepare(c, "UPDATE task SET state = 'running',"
			  " slice_at = :now, deaths = deaths + 1"
			  " WHERE id = :id AND state IN ('waiting', 'running')");
	db_bind_int(q, ":now", c->now);
	db_bind_int(q, ":id", t->id);
	return db_run_counted(q) > 0;
}

bool
task_advance(struct ctx *c, const struct task *t)
{
	struct stmt *q;

	if (!task_is_mine(c, t))
		return false;
	q = db_prepare(c, "UPDATE task SET number = :number,"
			  " done = :done, total = :total"
			  " WHERE id = :id AND state IN ('waiting', 'running')");
	db_bind_int(q, ":number", t->number);
	db_bind_int(q, ":done", t->done);
	db_bind_int(q, ":total", t->total);
	db_bind_int(q, ":id", t->id);
	return db_run_counted(q) > 0;
}

void
task_end_slice(struct ctx *c, const struct task *t)
{
	struct stmt *q;

	if (!task_is_mine(c, t))
		return;
	q = db_prepare(c, "UPDATE task SET deaths = 0 WHERE id = :id");
	db_bind_int(q, ":id", t->id);
	db_run(q);
	task_lease_end(c, t->id, t->holder);
}

void
task_end(struct ctx *c, const struct task *t, const char *state, const char *report)
{
	struct stmt *q;

	if (!task_is_mine(c, t))
		return;
	q = db_prepare(c, "UPDATE task SET state = :state,"
			  " report = :report, ended_at = :now"
			  " WHERE id = :id AND state IN ('waiting', 'running')");
	db_bind_text(q, ":state", state);
	db_bind_text(q, ":report", report);
	db_bind_int(q, ":now", c->now);
	db_bind_int(q, ":id", t->id);
	db_run(q);
	task_lease_end(c, t->id, t->holder);
}

void
task_end_all(struct ctx *c, const char *person, const char *report)
{
	struct stmt *q = db_prepare(c,
	    "UPDATE task SET state = 'ended',"
	    " report = :report, ended_at = :ended_at WHERE state IN ('waiting', 'running')"
	    " AND person = :person");

	db_bind_text(q, ":report", report);
	db_bind_int(q, ":ended_at", c->now);
	db_bind_text(q, ":person", person);
	db_run(q);
}

void
task_end_open(struct ctx *c, const char *report)
{
	struct stmt *q = db_prepare(c, "UPDATE task SET state = 'ended',"
				       " report = :report, ended_at = :now"
				       " WHERE state IN ('waiting', 'running')");

	db_bind_text(q, ":report", report);
	db_bind_int(q, ":now", c->now);
	db_run(q);
}
