/* Connections, transactions and schemas where both stores are known. */
#include <stdint.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/both/both.h"
#include "system/instance.h"

/* ---- connections */

/* Those of SQLite that c->db has been, one for each store. A function of SQLite that may choose
 * another store leaves c->db at it: note(c) comes behind each of them. */
static struct db *lites[3];
static int last_wait_ms = DB_WAIT_TOOL_MS;
static bool hosts; /* of the instance that was opened last */

static void
note(const struct ctx *c)
{
	for (size_t i = 0; i < sizeof(lites) / sizeof(lites[0]); i++) {
		if (lites[i] == c->db)
			return;
		if (lites[i] == NULL) {
			lites[i] = c->db;
			return;
		}
	}
}

bool
both_db_is_lite(const struct ctx *c)
{
	for (size_t i = 0; c->db != NULL && i < sizeof(lites) / sizeof(lites[0]); i++) {
		if (lites[i] == c->db)
			return true;
	}
	return false;
}

const struct instance *
both_own(struct ctx *c)
{
	const struct instance *present = c->instance;
	struct instance *mine = arena_alloc(c->arena, sizeof(*mine));

	*mine = *present;
	mine->db = arena_printf(c->arena, "%s/db/galley.db", present->home);
	c->instance = mine;
	return present;
}

static void
open_pg(struct ctx *c, int wait_ms)
{
	const struct instance *present = both_own(c);

	pg_db_open(c, wait_ms);
	c->instance = present;
}

static void
open_lite(struct ctx *c, int wait_ms)
{
	sqlite_db_open(c, wait_ms);
	note(c);
}

/* Makes c->db a connection of the kind that this store has; returns whether that is SQLite's. */
static bool
use(struct ctx *c, enum db_store store)
{
	bool lite = both_is_lite(c, store);

	if (c->db != NULL && both_db_is_lite(c) == lite)
		return lite;
	c->db = NULL;
	if (lite)
		open_lite(c, last_wait_ms);
	else
		open_pg(c, last_wait_ms);
	return lite;
}

void
db_open(struct ctx *c, int wait_ms)
{
	last_wait_ms = wait_ms;
	hosts = !both_is_lite_instance(c);
	if (both_is_lite(c, DB_CONTENT))
		open_lite(c, wait_ms);
	else
		open_pg(c, wait_ms);
}

bool
db_has_hosts(void)
{
	return hosts;
}

void
db_close(struct ctx *c)
{
	sqlite_db_close(c);
	pg_db_close(c);
}

void
db_create_beside(struct ctx *c, enum db_store store, bool write_ahead)
{
	if (both_is_lite(c, DB_CONTENT))
		sqlite_db_create_beside(c, store, write_ahead);
	else
		pg_db_create_beside(c, store, write_ahead);
}

void
db_reads(struct ctx *c, enum db_store store, const char *tables)
{
	if (both_db_is_lite(c))
		sqlite_db_reads(c, store, tables);
}

void
db_touches(struct ctx *c, const char *tables)
{
	if (both_db_is_lite(c))
		sqlite_db_touches(c, tables);
}

/* ---- transactions */

void
db_begin_read(struct ctx *c, enum db_store store)
{
	const struct instance *present;

	if (use(c, store)) {
		sqlite_db_begin_read(c, store);
		note(c);
		return;
	}
	present = both_own(c);
	pg_db_begin_read(c, store);
	c->instance = present;
}

void
db_begin_write(struct ctx *c, enum db_store store, enum db_change change, int64_t workspace_id,
    int64_t account_id)
{
	const struct instance *present;

	if (use(c, store)) {
		sqlite_db_begin_write(c, store, change, workspace_id, account_id);
		note(c);
		return;
	}
	present = both_own(c);
	pg_db_begin_write(c, store, change, workspace_id, account_id);
	c->instance = present;
}

struct err *
db_aside(
    struct ctx *c, enum db_store store, struct err *(*look)(struct ctx *c, void *arg), void *arg)
{
	struct db *outer = c->db;
	int64_t now = c->now;
	struct err *err;

	if (db_present(c) == store)
		BUG("a look aside is into another store");
	/* Between two connections of PostgreSQL the open one must stay as it is. */
	if (!both_db_is_lite(c) && !both_is_lite(c, store)) {
		const struct instance *present = both_own(c);

		err = pg_db_aside(c, store, look, arg);
		c->instance = present;
		return err;
	}
	c->db = NULL;
	db_begin_read(c, store);
	err = look(c, arg);
	db_rollback(c);
	c->db = outer;
	c->now = now;
	return err;
}

void
db_rollback(struct ctx *c)
{
	if (both_db_is_lite(c))
		sqlite_db_rollback(c);
	else
		pg_db_rollback(c);
}

#define TO_ONE(name)                                                                               \
	void name(struct ctx *c)                                                                   \
	{                                                                                          \
		if (both_db_is_lite(c))                                                            \
			sqlite_##name(c);                                                          \
		else                                                                               \
			pg_##name(c);                                                              \
	}

#define ASK_ONE(type, name)                                                                        \
	type name(struct ctx *c)                                                                   \
	{                                                                                          \
		return both_db_is_lite(c) ? sqlite_##name(c) : pg_##name(c);                       \
	}

TO_ONE(db_mark)
TO_ONE(db_keep)
TO_ONE(db_undo)
TO_ONE(db_commit)
TO_ONE(db_end_read)
ASK_ONE(bool, db_empty_log)
ASK_ONE(int64_t, db_version)
ASK_ONE(bool, db_is_ours)
ASK_ONE(bool, db_is_write_ahead)

enum db_store
db_present(const struct ctx *c)
{
	return both_db_is_lite(c) ? sqlite_db_present(c) : pg_db_present(c);
}

#ifdef GALLEY_TEST
void
db_check_account(struct ctx *c, int64_t account_id)
{
	if (both_db_is_lite(c))
		sqlite_db_check_account(c, account_id);
	else
		pg_db_check_account(c, account_id);
}
#endif

void
db_exec(struct ctx *c, const char *sql)
{
	if (both_db_is_lite(c))
		sqlite_db_exec(c, sql);
	else
		pg_db_exec(c, sql);
}

const char *
db_complaint(struct ctx *c, bool quick)
{
	return both_db_is_lite(c) ? sqlite_db_complaint(c, quick) : pg_db_complaint(c, quick);
}

enum db_release
db_release(struct ctx *c)
{
	return use(c, DB_CONTENT) ? sqlite_db_release(c) : pg_db_release(c);
}

/* ---- schemas */

int64_t
migrate_number(struct ctx *c, enum db_store store)
{
	const struct instance *present;
	int64_t number;

	if (use(c, store)) {
		number = sqlite_migrate_number(c, store);
		note(c);
		return number;
	}
	present = both_own(c);
	number = pg_migrate_number(c, store);
	c->instance = present;
	return number;
}

struct err *
migrate_run(struct ctx *c, enum db_store store, int64_t *from)
{
	struct err *err;

	if (!use(c, store))
		return pg_migrate_run(c, store, from);
	err = sqlite_migrate_run(c, store, from);
	note(c);
	return err;
}

struct err *
migrate_check(struct ctx *c, enum db_store store, int64_t number)
{
	return both_db_is_lite(c) ? sqlite_migrate_check(c, store, number)
				  : pg_migrate_check(c, store, number);
}

struct err *
migrate_compare(struct ctx *c, const char *what, int64_t number)
{
	return both_db_is_lite(c) ? sqlite_migrate_compare(c, what, number)
				  : pg_migrate_compare(c, what, number);
}

struct err *
migrate_compare_console(struct ctx *c, const char *what)
{
	struct err *err;

	if (!use(c, DB_CONSOLE))
		return pg_migrate_compare_console(c, what);
	err = sqlite_migrate_compare_console(c, what);
	note(c);
	return err;
}
