/*
 * The two things that a connection gets before it first writes.
 *
 * 1. The triggers of db/guards.sql, which protect money. The triggers of the schema,
 * which refuse every other program, are turned off for this connection; temporary
 * triggers stay on (SQLite 3.35).
 *
 * 2. An authorizer, which collects the tables that a statement writes. A transaction
 * declares what it changes when it begins (enum db_change). A statement that changes more
 * is refused, also in production: an undeclared change would leave kept answers stale.
 */
#include "guards.h"
#include "store/db-change.h"
#include "store/sqlite/db-fault.h"
#include "store/sqlite/db-handle.h"

/* The writes of one statement: collected while it is prepared, and read right after. */
static unsigned writes;

static int
note(void *arg, int action, const char *first, const char *second, const char *database,
    const char *trigger)
{
	(void)arg;
	(void)second;
	(void)database;
	(void)trigger;
	if (action != SQLITE_INSERT && action != SQLITE_UPDATE && action != SQLITE_DELETE)
		return SQLITE_OK;
	writes |= db_change_of(first);
	return SQLITE_OK;
}

void
db_guard(struct db *db)
{
	sqlite3 *h = db->handle;

	if (sqlite3_exec(h, guards, NULL, NULL, NULL) != SQLITE_OK)
		db_fault(h, "guards");
	sqlite3_db_config(h, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_set_authorizer(h, note, NULL);
	writes = 0;
	db->guarded = true;
}

unsigned
db_guard_writes(void)
{
	unsigned result = writes;

	writes = 0;
	return result;
}
