/* Leases of tasks: db/pg/task-lease.sql. */
#include "store/task-lease.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/lease.h"
#include "store/pg/pg-handle.h"

static struct db *
people(struct ctx *c)
{
	if (c->db == NULL || c->db->store != DB_CONSOLE)
		BUG("a lease of a task is in a transaction of the people's store");
	return c->db;
}

static int64_t
until(const struct ctx *c)
{
	return lease_now(c) + TASK_LEASE_S * CLOCK_SECOND;
}

/* Runs a statement that changes or finds one row. Returns whether there was one. */
static bool
is_one(struct db *db, const char *sql)
{
	PGresult *result = pg_must(db, sql);
	bool one = PQntuples(result) == 1;

	PQclear(result);
	return one;
}

/* A runner has the lock of its host: a lease from before is that of a process which has ended. */
bool
task_lease_take(struct ctx *c, int64_t task_id, char holder[TASK_LEASE_HOLDER])
{
	char place[LEASE_PLACE];

	if (!lease_place(c, place))
		die("this host has no name for a lease");
	uuid_random(holder);
	return is_one(people(c),
	    arena_printf(c->arena,
		"INSERT INTO task_lease"
		" (task_id, place, holder, until) VALUES (%" PRId64 ", '%s', '%s', %" PRId64 ")"
		" ON CONFLICT (task_id) DO UPDATE SET place = excluded.place, holder = excluded.holder,"
		" until = excluded.until WHERE task_lease.place = excluded.place"
		" OR task_lease.until <= %" PRId64 " RETURNING task_id",
		task_id, place, holder, until(c), lease_now(c)));
}

/* One that is over, but that nobody took, is still its holder's. */
bool
task_lease_keep(struct ctx *c, int64_t task_id, const char *holder)
{
	struct db *db = people(c);
	const char *which =
	    arena_printf(c->arena, "task_id = %" PRId64 " AND holder = '%s'", task_id, holder);

	if (!db->writing)
		return is_one(
		    db, arena_printf(c->arena, "SELECT 1 FROM task_lease WHERE %s", which));
	return is_one(
	    db, arena_printf(c->arena,
		    "UPDATE task_lease SET until = %" PRId64 " WHERE %s RETURNING task_id",
		    until(c), which));
}

void
task_lease_end(struct ctx *c, int64_t task_id, const char *holder)
{
	PQclear(pg_must(people(c), arena_printf(c->arena,
				       "DELETE FROM task_lease"
				       " WHERE task_id = %" PRId64 " AND holder = '%s'",
				       task_id, holder)));
}

size_t
task_lease_others(struct ctx *c, int64_t **ids)
{
	char place[LEASE_PLACE];
	PGresult *result;
	size_t count;

	(void)lease_place(c, place);
	result = pg_must(people(c), arena_printf(c->arena,
					"SELECT task_id FROM task_lease"
					" WHERE until > %" PRId64 " AND place <> '%s'",
					lease_now(c), place));
	count = (size_t)PQntuples(result);
	*ids = arena_grow(c->arena, NULL, 0, count * sizeof(**ids) + 1);
	for (size_t i = 0; i < count; i++)
		(*ids)[i] = strtoll(PQgetvalue(result, (int)i, 0), NULL, 10);
	PQclear(result);
	return count;
}
