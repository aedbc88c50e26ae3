#include "store/migrate.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include <sqlite3.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "system/fault.h"
#include "base/log.h"
#include "store/sqlite/db-fault.h"
#include "store/sqlite/db-handle.h"
#include "store/db.h"
#include "store/generation.h"
#include "store/schemas.h"

/* The most objects of a database that is upgraded: enough for all earlier schemas. */
#define OBJECTS_MAX 100
#define COLUMNS_MAX ((size_t)4096)

/* Prepares the connection for tables that are renamed and rows that are copied in any
 * order: no reference follows a name, none is checked before the end, and no trigger
 * refuses the rows. Call it outside a transaction. */
static void
prepare_connection(struct ctx *c, bool begin)
{
	sqlite3_db_config(db_handle(c), SQLITE_DBCONFIG_ENABLE_TRIGGER, begin ? 0 : 1, NULL);
	sqlite3_db_config(db_handle(c), SQLITE_DBCONFIG_ENABLE_FKEY, begin ? 0 : 1, NULL);
	sqlite3_db_config(db_handle(c), SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, begin ? 1 : 0, NULL);
}

static struct err *
check_foreign_keys(struct ctx *c)
{
	struct stmt *q = db_prepare_dangling(c);
	const char *table;

	if (!db_row(q))
		return NULL;
	table = arena_text(c->arena, db_text(q, 0));
	db_reset(q);
	return err_hint(c,
	    refuse(c, ERR_CONFLICT,
		"In %s a row of %s refers to one that is not there: nothing was changed. Correct it by the release before, or with the sqlite3 shell, and migrate again.",
		schemas_of(c->db->store)->noun, table),
	    HINT_MIGRATE_NOW, NULL);
}

/* Returns the names of the objects of one type that the database's own SQL made, in the
 * order of their creation; NULL ends them. */
static const char **
names_of(struct ctx *c, const char *type)
{
	const char **names = arena_array(c->arena, OBJECTS_MAX + 1, sizeof(*names));
	struct stmt *q = db_prepare(c, "SELECT name FROM sqlite_master"
				       " WHERE type = :type AND sql IS NOT NULL"
				       " AND name NOT LIKE 'sqlite!_%' ESCAPE "
				       "'!' ORDER BY rowid /*scan*/");
	size_t count = 0;

	db_bind_text(q, ":type", type);
	while (db_row(q)) {
		if (count == OBJECTS_MAX)
			die("migration: the database has over %d objects of the type %s",
			    OBJECTS_MAX, type);
		names[count++] = arena_text(c->arena, db_text(q, 0));
	}
	names[count] = NULL;
	return names;
}

/* Returns the columns of a table, separated by commas. */
static const char *
columns_of(struct ctx *c, const char *table)
{
	struct buf columns;
	struct stmt *q;

	buf_init(&columns, c->arena, COLUMNS_MAX);
	q = db_prepare(c, "SELECT name FROM pragma_table_info(:table) /*scan*/");
	db_bind_text(q, ":table", table);
	while (db_row(q))
		buf_printf(&columns, "%s%s", columns.len > 0 ? ", " : "", db_text(q, 0));
	return buf_done(&columns);
}

/* Copies rows. A row that breaks a rule of the new table is refused: it is no fault of the
 * disk. */
static struct err *
copy_rows(struct ctx *c, const char *table, const char *old)
{
	const char *columns = columns_of(c, old);
	sqlite3 *handle = db_handle(c);
	const char *sql = arena_printf(
	    c->arena, "INSERT INTO %s (%s) SELECT %s FROM %s", table, columns, columns, old);

	if (sqlite3_exec(handle, sql, NULL, NULL, NULL) == SQLITE_OK)
		return NULL;
	if ((sqlite3_errcode(handle) & 0xFF) != SQLITE_CONSTRAINT)
		db_fault(handle, sql);
	return err_hint(c,
	    refuse(c, ERR_CONFLICT,
		"In %s a row of %s is not as Galley writes them (%s): nothing was changed. Correct it by the release before, or with the sqlite3 shell, and migrate again.",
		schemas_of(c->db->store)->noun, table,
		arena_text(c->arena, sqlite3_errmsg(handle))),
	    HINT_MIGRATE_NOW, NULL);
}

/* Copies the rows into the tables of this release's schema. The old tables get other names,
 * and are removed after their last use. */
static struct err *
copy_into_schema(struct ctx *c, const struct schemas *to)
{
	const char **triggers = names_of(c, "trigger");
	const char **indexes = names_of(c, "index");
	const char **tables = names_of(c, "table");

	for (size_t i = 0; triggers[i] != NULL; i++)
		db_exec(c, arena_printf(c->arena, "DROP TRIGGER %s", triggers[i]));
	for (size_t i = 0; indexes[i] != NULL; i++)
		db_exec(c, arena_printf(c->arena, "DROP INDEX %s", indexes[i]));
	for (size_t i = 0; tables[i] != NULL; i++)
		db_exec(c, arena_printf(c->arena, "ALTER TABLE %s RENAME TO before_%s", tables[i],
			       tables[i]));
	db_exec(c, to->text);
	for (size_t i = 0; tables[i] != NULL; i++) {
		const char *old = arena_printf(c->arena, "before_%s", tables[i]);
		struct err *err = copy_rows(c, tables[i], old);
		if (err != NULL)
			return err;
		db_exec(c, arena_printf(c->arena, "DROP TABLE %s", old));
		(void)FAULT("migrate-step");
	}
	return NULL;
}

/* Runs every step from the older schema on, and gives the tables their texts. */
static struct err *
bring_up(struct ctx *c, const struct schemas *to, int64_t from)
{
	struct err *err;

	for (const struct migration *m = to->steps; m->number != 0; m++) {
		if (m->number > from)
			db_exec(c, m->sql);
		(void)FAULT("migrate-step");
	}
	err = copy_into_schema(c, to);
	return err != NULL ? err : check_foreign_keys(c);
}

int64_t
migrate_number(struct ctx *c, enum db_store store)
{
	int64_t number;

	db_choose(c, store);
	db_set_deadline(c->db);
	number = db_version(c);
	db_choose(c, DB_CONTENT);
	return number;
}

struct err *
migrate_check(struct ctx *c, enum db_store store, int64_t number)
{
	const struct schemas *s = schemas_of(store);

	if (number <= s->number)
		return NULL;
	if (number >= DB_MOVED)
		return err_hint(c, refuse(c, ERR_CONFLICT, DB_MOVED_SAID ".", s->subject),
		    HINT_STORE_COPY, NULL);
	return refuse(c, ERR_CONFLICT,
	    "%s has schema %" PRId64 ", this program is of schema %" PRId64
	    ", and no database is brought down: install the newer release"
	    " again, or restore a backup that is no newer than this program"
	    " (migrate made one, db/before-migrate-*.tar).",
	    s->subject, number, s->number);
}

/* Makes the schema, or brings an older one to it, in the transaction that was begun. */
static struct err *
make(struct ctx *c, const struct schemas *to, int64_t from)
{
	struct err *err = NULL;

	if (from == 0)
		db_exec(c, to->text);
	else
		err = bring_up(c, to, from);
	if (err != NULL)
		return err;
	db_exec(c, arena_printf(c->arena, "PRAGMA application_id = %" PRId32, to->application_id));
	db_exec(c, arena_printf(c->arena, "PRAGMA user_version = %" PRId64, to->number));
	(void)FAULT("migrate-before-commit");
	return NULL;
}

/* Runs the transaction. */
static struct err *
run(struct ctx *c, const struct schemas *to, int64_t from)
{
	struct err *err;

	db_exec(c, "BEGIN EXCLUSIVE");
	if (db_version(c) != from) {
		db_rollback(c);
		return err_hint(c,
		    refuse(c, ERR_CONFLICT, "Another migration ran at the same time."), HINT_DOCTOR,
		    NULL);
	}
	generation_begin(c, c->db->store, DB_CHANGES_ALL, 0, clock_boot() + DB_WAIT_TOOL_MS * 1000);
	err = make(c, to, from);
	if (err == NULL)
		db_exec(c, "COMMIT");
	else
		db_rollback(c);
	generation_end(err == NULL);
	return err;
}

struct err *
migrate_run(struct ctx *c, enum db_store store, int64_t *from)
{
	const struct schemas *to = schemas_of(store);
	struct err *err;

	*from = migrate_number(c, store);
	err = migrate_check(c, store, *from);
	if (err != NULL || *from == to->number)
		return err;
	db_choose(c, store);
	prepare_connection(c, true);
	err = run(c, to, *from);
	prepare_connection(c, false);
	db_choose(c, DB_CONTENT);
	return err;
}
