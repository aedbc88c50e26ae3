/* What a move does to the numbers of SQLite's files (store/move.h). */
#include <inttypes.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/both/both.h"
#include "store/schemas.h"
#include "store/sqlite/db-connection.h"
#include "store/sqlite/db-vfs.h"
#include "system/instance.h"

/* The objects of lib/store/sqlite have these names here (join.sh). */
extern void sqlite_db_choose(struct ctx *c, enum db_store store);
extern void sqlite_generation_begin(struct ctx *c, enum db_store store, enum db_change change,
    int64_t workspace_id, int64_t deadline);
extern void sqlite_generation_end(bool committed);

static const enum db_store stores[] = { DB_CONSOLE, DB_STATS, DB_CONTENT };

int64_t
move_lite_number(struct ctx *c, enum db_store store)
{
	int64_t number;

	if (access(db_file_of(c, store), F_OK) != 0)
		return 0;
	sqlite_db_open(c, DB_WAIT_TOOL_MS);
	sqlite_db_choose(c, store);
	number = sqlite_db_version(c);
	sqlite_db_close(c);
	return number;
}

/* Writes the number of a store, and tells all who keep answers. */
static void
put(struct ctx *c, enum db_store store, int64_t number, void (*change)(struct ctx *c))
{
	int64_t deadline = clock_boot() + DB_WAIT_TOOL_MS * 1000;

	db_open(c, DB_WAIT_TOOL_MS);
	sqlite_db_choose(c, store);
	sqlite_db_exec(c, "BEGIN IMMEDIATE");
	if (store != DB_STATS)
		sqlite_generation_begin(c, store,
		    store == DB_CONTENT ? DB_CHANGES_ALL : DB_CHANGES_NOTHING, 0, deadline);
	if (change != NULL && store == DB_CONTENT) {
		c->db->writing = true;
		c->db->change = DB_CHANGES_ALL;
		c->now = clock_now();
		change(c);
		c->db->writing = false;
	}
	sqlite_db_exec(c, arena_printf(c->arena, "PRAGMA user_version = %" PRId64, number));
	sqlite_db_exec(c, "COMMIT");
	if (store != DB_STATS)
		sqlite_generation_end(true);
	db_close(c);
}

void
move_lite_mark(struct ctx *c, bool closed, void (*change)(struct ctx *c))
{
	for (size_t i = 0; i < sizeof(stores) / sizeof(stores[0]); i++) {
		if (access(db_file_of(c, stores[i]), F_OK) == 0)
			put(c, stores[i], schemas_number(stores[i]) + (closed ? DB_MOVED : 0),
			    change);
	}
}

void
move_lite_look(struct ctx *c, move_look *look, struct digest *into)
{
	db_open(c, DB_WAIT_TOOL_MS);
	sqlite_db_exec(c, "BEGIN");
	c->now = clock_now();
	look(c, into);
	sqlite_db_rollback(c);
	db_close(c);
}
