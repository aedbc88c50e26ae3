/* Statements: prepared once, bound by name, read by column. */
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/sqlite/db-fault.h"
#include "store/sqlite/db-handle.h"
#include "store/sqlite/db-schema.h"
#include "store/sqlite/db-stats.h"
#include "store/db.h"

static bool
compile(struct stmt *q)
{
	return sqlite3_prepare_v3(q->db->handle, q->sql, -1, SQLITE_PREPARE_PERSISTENT, &q->handle,
		   NULL) == SQLITE_OK;
}

void
db_narrow(struct db *db)
{
	if (db->schema == DB_SCHEMA_WANTED)
		db->schema = db_schema_is_tested(sqlite3_libversion_number()) &&
				     db_schema_narrow(db->handle, db->tables, !db->only_reads)
				 ? DB_SCHEMA_NARROW
				 : DB_SCHEMA_WHOLE;
}

/* Parses the whole schema: the statement may ask for a table that was not named. */
static bool
widen(struct db *db)
{
	if (db->schema != DB_SCHEMA_NARROW)
		return false;
	db_schema_widen(db->handle);
	db->schema = DB_SCHEMA_WHOLE;
	return true;
}

struct stmt *
db_prepare(struct ctx *c, const char *sql)
{
	struct db *db = c->db;
	struct stmt *q;

	for (size_t i = 0; i < db->count; i++) {
		q = &db->statements[i];
		if (q->sql == sql) {
			db_reset(q);
			return q;
		}
	}
	if (db->count == DB_STATEMENTS_MAX)
		BUG("more than %d statements in one process", DB_STATEMENTS_MAX);
	q = &db->statements[db->count];
	q->db = db;
	q->sql = sql;
	/* SQLite prepares statements again while they run: those writes are not this
	 * statement's. */
	(void)db_guard_writes();
	db_narrow(db);
	if (!compile(q) && !(widen(db) && compile(q)))
		db_fault(db->handle, sql);
	q->writes = db_guard_writes();
	db->count++;
	return q;
}

/* Checks that a write is in a transaction that declared this change. */
static void
check_declared(const struct stmt *q)
{
	struct db *db = q->db;
	unsigned declared = 1U << db->change;

	if (!db->writing)
		BUG("a write outside a writing transaction: %s", q->sql);
	if (db->change != DB_CHANGES_ALL && (q->writes & ~declared) != 0)
		BUG("the transaction did not declare what this changes: %s", q->sql);
}

static int
parameter(struct stmt *q, const char *name)
{
	int index = sqlite3_bind_parameter_index(q->handle, name);

	if (index == 0)
		BUG("%s is not a parameter of %s", name, q->sql);
	return index;
}

static void
bound(struct stmt *q, int result)
{
	if (result != SQLITE_OK)
		db_fault(q->db->handle, q->sql);
}

void
db_bind_text_n(struct stmt *q, const char *name, const char *text, size_t len)
{
	bound(q, sqlite3_bind_text64(
		     q->handle, parameter(q, name), text, len, SQLITE_STATIC, SQLITE_UTF8));
}

void
db_bind_text(struct stmt *q, const char *name, const char *text)
{
	if (text == NULL)
		db_bind_null(q, name);
	else
		db_bind_text_n(q, name, text, strlen(text));
}

void
db_bind_int(struct stmt *q, const char *name, int64_t value)
{
	bound(q, sqlite3_bind_int64(q->handle, parameter(q, name), value));
}

void
db_bind_blob(struct stmt *q, const char *name, const void *bytes, size_t len)
{
	bound(q, sqlite3_bind_blob64(q->handle, parameter(q, name), bytes, len, SQLITE_STATIC));
}

void
db_bind_null(struct stmt *q, const char *name)
{
	bound(q, sqlite3_bind_null(q->handle, parameter(q, name)));
}

void
db_reset(struct stmt *q)
{
	db_stats(q->handle);
	sqlite3_reset(q->handle);
	sqlite3_clear_bindings(q->handle);
}

bool
db_row(struct stmt *q)
{
	int result = sqlite3_step(q->handle);

	if (result == SQLITE_ROW)
		return true;
	if (result != SQLITE_DONE)
		db_fault(q->db->handle, q->sql);
	db_reset(q);
	return false;
}

void
db_run(struct stmt *q)
{
	check_declared(q);
	while (db_row(q))
		;
}

int64_t
db_run_counted(struct stmt *q)
{
	db_run(q);
	return sqlite3_changes64(q->db->handle);
}

int64_t
db_insert(struct stmt *q)
{
	int64_t id = 0;

	check_declared(q);
	/* The last step checks foreign keys. */
	while (db_row(q))
		id = db_int(q, 0);
	if (id == 0)
		BUG("no RETURNING id in %s", q->sql);
	return id;
}

const char *
db_text(struct stmt *q, int column)
{
	const unsigned char *text = sqlite3_column_text(q->handle, column);
	int len = sqlite3_column_bytes(q->handle, column);

	if (text == NULL)
		return NULL;
	return arena_text_n(q->db->c->arena, (const char *)text, (size_t)len);
}

int64_t
db_int(struct stmt *q, int column)
{
	return sqlite3_column_int64(q->handle, column);
}

bool
db_is_null(struct stmt *q, int column)
{
	return sqlite3_column_type(q->handle, column) == SQLITE_NULL;
}

const void *
db_bytes(struct stmt *q, int column, size_t *len)
{
	const void *bytes = sqlite3_column_blob(q->handle, column);

	*len = (size_t)sqlite3_column_bytes(q->handle, column);
	return bytes;
}

void
db_blob(struct stmt *q, int column, void *out, size_t len)
{
	size_t have;
	const void *bytes = db_bytes(q, column, &have);

	memset(out, 0, len);
	if (bytes == NULL)
		return;
	if (have != len)
		die("a stored digest has %zu bytes instead of %zu: %s", have, len, q->sql);
	memcpy(out, bytes, len);
}
