#include "article/change.h"

#include "base/clock.h"
#include "base/ctx.h"
#include "system/fault.h"
#include "store/db.h"

/* This is longer than the feed's overlap of five minutes (docs/contract.md
 * §4.4.2). */
#define OLD_AFTER (360 * CLOCK_SECOND)

int64_t
change_stamp(struct ctx *c, struct workspace *w)
{
	struct stmt *q = db_prepare(c, "UPDATE workspace"
				       " SET clock = :stamp, announced_at = :stamp WHERE id = :id");
	int64_t stamp = c->now > w->clock ? c->now : w->clock + 1;

	db_bind_int(q, ":stamp", stamp);
	db_bind_int(q, ":id", w->id);
	db_run(q);
	w->clock = w->announced_at = stamp;
	(void)FAULT("change-stamped");
	return stamp;
}

/* Returns the next workspace after `id` whose clock must be moved, or 0. A
 * workspace that never announced a change needs no quiet time. */
static int64_t
next_old(struct ctx *c, int64_t id, int64_t now)
{
	struct stmt *q = db_prepare(c, "SELECT id FROM workspace /*scan*/"
				       " WHERE id > :id AND announced_at = clock AND clock < :old"
				       " ORDER BY id LIMIT 1");
	int64_t found;

	db_bind_int(q, ":id", id);
	db_bind_int(q, ":old", now - OLD_AFTER);
	found = db_row(q) ? db_int(q, 0) : 0;
	db_reset(q);
	return found;
}

/* Settles one workspace. The decision is made again under the lock: a writer may
 * have changed the workspace in between. */
static int64_t
settle_one(struct ctx *c, int64_t id)
{
	struct stmt *q;
	int64_t moved;

	db_begin_write(c, DB_CONTENT, DB_CHANGES_WORKSPACE, id, 0);
	q = db_prepare(c, "UPDATE workspace SET clock = :now WHERE id = :id"
			  " AND announced_at = clock AND clock < :old");
	db_bind_int(q, ":now", c->now);
	db_bind_int(q, ":old", c->now - OLD_AFTER);
	db_bind_int(q, ":id", id);
	moved = db_run_counted(q);
	db_commit(c);
	return moved;
}

int64_t
change_settle(struct ctx *c)
{
	int64_t id = 0, moved = 0;

	for (;;) {
		db_begin_read(c, DB_CONTENT);
		id = next_old(c, id, c->now);
		db_commit(c);
		if (id == 0)
			return moved;
		moved += settle_one(c, id);
	}
}
