/* Whole copies of the database: backup and restore. */
#include <string.h>

#include <sqlite3.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/db.h"
#include "store/db-fault.h"
#include "store/db-handle.h"

const char *
db_integrity(struct ctx *c)
{
	struct stmt *q = db_prepare(c, "PRAGMA integrity_check(1)");
	const char *text = db_row(q) ? db_text(q, 0) : "no answer";

	db_reset(q);
	return text;
}

static const char *
complaint(struct ctx *c, sqlite3 *handle)
{
	const char *text = arena_text(c->arena, sqlite3_errmsg(handle));

	sqlite3_close(handle);
	return text;
}

/* Opens another database file; NULL with *wrong set when that fails. */
static sqlite3 *
open_other(struct ctx *c, const char *path, int flags, const char **wrong)
{
	sqlite3 *other = NULL;

	*wrong = NULL;
	if (sqlite3_open_v2(path, &other, flags, NULL) == SQLITE_OK)
		return other;
	*wrong = complaint(c, other);
	return NULL;
}

/* All pages of `from` into `into`, as one transaction of `into`. */
static const char *
copy_pages(struct ctx *c, sqlite3 *into, sqlite3 *from)
{
	sqlite3_backup *copy = sqlite3_backup_init(into, "main", from, "main");
	int result;

	if (copy == NULL)
		return arena_text(c->arena, sqlite3_errmsg(into));
	result = sqlite3_backup_step(copy, -1);
	sqlite3_backup_finish(copy);
	if (result != SQLITE_DONE)
		return arena_text(c->arena, sqlite3_errstr(result));
	return NULL;
}

/* NULL when another database is whole, else SQLite's first complaint. */
static const char *
check_other(struct ctx *c, sqlite3 *other)
{
	const char *text = "no answer";
	sqlite3_stmt *q;

	if (sqlite3_prepare_v2(other, "PRAGMA integrity_check(1)", -1, &q,
		NULL) != SQLITE_OK)
		return arena_text(c->arena, sqlite3_errmsg(other));
	if (sqlite3_step(q) == SQLITE_ROW)
		text = (const char *)sqlite3_column_text(q, 0);
	text = strcmp(text, "ok") == 0 ? NULL : arena_text(c->arena, text);
	sqlite3_finalize(q);
	return text;
}

const char *
db_copy_to(struct ctx *c, const char *path)
{
	struct stmt *q = db_prepare(c, "VACUUM INTO :path");
	const char *wrong;
	sqlite3 *other;

	db_bind_text(q, ":path", path);
	while (db_row(q))
		;
	other = open_other(c, path, SQLITE_OPEN_READONLY, &wrong);
	if (other == NULL)
		return wrong;
	wrong = check_other(c, other);
	sqlite3_close(other);
	return wrong;
}

void
db_copy_from(struct ctx *c, const char *path)
{
	const char *wrong;
	sqlite3 *other = open_other(c, path, SQLITE_OPEN_READONLY, &wrong);

	if (other != NULL) {
		sqlite3_busy_timeout(other, DB_WAIT_TOOL_MS);
		wrong = copy_pages(c, db_handle(c), other);
		sqlite3_close(other);
	}
	if (wrong != NULL)
		die("restore from %s: %s; nothing was changed", path, wrong);
}
