/*
 * What SQLite does with files, and PostgreSQL with its own tools or not yet (docs/postgres.md §6,
 * §8): nothing is kept of answers; copies and restores are refused.
 */
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/db-memory.h"
#include "store/db.h"
#include "store/generation.h"
#include "store/pg/pg-handle.h"

/* ---- memory: libpq allocates as it likes */

static bool once;

void
db_memory_once(void)
{
	once = true;
}

bool
db_memory_is_once(void)
{
	return once;
}

void
db_memory_begin(void)
{
}

/* ---- generations: no answer is kept */

void
generation_read(struct ctx *c, int64_t workspace_id, struct generation *out)
{
	(void)c;
	(void)workspace_id;
	memset(out, 0, sizeof(*out));
}

bool
generation_same(const struct generation *a, const struct generation *b)
{
	(void)a;
	(void)b;
	return false;
}

bool
generation_is_broken(struct ctx *c, int64_t slot)
{
	(void)c;
	(void)slot;
	return false;
}

/* ---- looks at a file */

bool
db_is_ours(struct ctx *c)
{
	return db_version(c) > 0;
}

bool
db_is_write_ahead(struct ctx *c)
{
	(void)c;
	return true;
}

void
db_exec(struct ctx *c, const char *sql)
{
	PQclear(pg_must(c->db, sql));
}

/* Writes the tables of the store again without what was deleted. The server's own log, and what
 * standbys and archives keep of it, is the operator's. */
bool
db_empty_log(struct ctx *c)
{
	PGresult *tables;

	pg_be_owner(c, c->db, true);
	tables = pg_must(
	    c->db, arena_printf(c->arena, "SELECT tablename FROM pg_tables WHERE schemaname = '%s'",
		       pg_schema(c->db->store)));
	for (int i = 0; i < PQntuples(tables); i++)
		PQclear(pg_must(
		    c->db, arena_printf(c->arena, "VACUUM FULL %s", PQgetvalue(tables, i, 0))));
	PQclear(tables);
	pg_be_owner(c, c->db, false);
	return true;
}

/* ---- copies: the operator's tool and the task runner make them (store/both/) */

static const char not_yet[] = "this program makes no copy of a PostgreSQL";

void
db_copies_begin(struct ctx *c)
{
	(void)c;
}

void
db_copies_end(struct ctx *c)
{
	(void)c;
}

const char *
db_copy_to(struct ctx *c, const char *path)
{
	(void)c;
	(void)path;
	return not_yet;
}

const char *
db_copy_console_to(struct ctx *c, const char *path)
{
	return db_copy_to(c, path);
}

const char *
db_copy_views_to(struct ctx *c, const char *path)
{
	return db_copy_to(c, path);
}

const char *
db_copy_pages_to(struct ctx *c, const char *path)
{
	return db_copy_to(c, path);
}

struct db_swap *
db_swap_open(struct ctx *c, enum db_store store)
{
	(void)c;
	(void)store;
	die("%s", not_yet);
}

const char *
db_swap_copy_to(struct ctx *c, struct db_swap *s, const char *path)
{
	(void)s;
	return db_copy_to(c, path);
}

bool
db_swap_lock(struct ctx *c, struct db_swap *s, const char *path)
{
	(void)c;
	(void)s;
	(void)path;
	return false;
}

void
db_swap_unlock(struct db_swap *s)
{
	(void)s;
}

bool
db_swap_can_read(const struct db_swap *s)
{
	(void)s;
	return false;
}

void
db_swap_commit(struct ctx *c, struct db_swap *s)
{
	(void)c;
	(void)s;
	die("%s", not_yet);
}

void
db_swap_close(struct db_swap *s)
{
	(void)s;
}
