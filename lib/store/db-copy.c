/* Whole copies of the database: backup and restore. */
#include <string.h>

#include <sqlite3.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/instance.h"
#include "base/log.h"
#include "store/db.h"
#include "store/db-handle.h"
#include "store/db-vfs.h"
#include "store/generation.h"

/* The text of a handle's last error; NULL where there was none. */
static const char *
said(struct ctx *c, sqlite3 *handle, int result)
{
	if (result == SQLITE_OK || result == SQLITE_DONE)
		return NULL;
	return arena_text(c->arena,
	    handle != NULL ? sqlite3_errmsg(handle) : sqlite3_errstr(result));
}

/* NULL when a database is whole, else SQLite's first complaint. */
static const char *
check(struct ctx *c, sqlite3 *handle, const char *pragma)
{
	const char *text = NULL;
	sqlite3_stmt *q;
	int result = sqlite3_prepare_v2(handle, pragma, -1, &q, NULL);

	if (result != SQLITE_OK)
		return said(c, handle, result);
	result = sqlite3_step(q);
	if (result == SQLITE_ROW)
		text = (const char *)sqlite3_column_text(q, 0);
	if (text == NULL)
		text = sqlite3_errmsg(handle);
	text = strcmp(text, "ok") == 0 ? NULL : arena_text(c->arena, text);
	sqlite3_finalize(q);
	return text;
}

const char *
db_complaint(struct ctx *c, bool quick)
{
	return check(c, db_handle(c), quick ? "PRAGMA quick_check(1)"
					    : "PRAGMA integrity_check(1)");
}

/* Opens a database file beside the process's own connection; NULL with *wrong
 * set when that fails. Nothing of it is read yet. */
static sqlite3 *
open_file(struct ctx *c, const char *path, int flags, const char **wrong)
{
	sqlite3 *other = NULL;
	int result;

	db_vfs();
	result = sqlite3_open_v2(path, &other, flags, NULL);

	*wrong = said(c, other, result);
	if (*wrong == NULL) {
		sqlite3_busy_timeout(other, DB_WAIT_TOOL_MS);
		return other;
	}
	sqlite3_close(other);
	return NULL;
}

const char *
db_file_complaint(struct ctx *c, const char *path, bool quick)
{
	const char *wrong;
	sqlite3 *other = open_file(c, path, SQLITE_OPEN_READWRITE, &wrong);

	if (other == NULL)
		return wrong;
	wrong = check(c, other, quick ? "PRAGMA quick_check(1)"
				      : "PRAGMA integrity_check(1)");
	sqlite3_close(other);
	return wrong;
}

/* All pages of `from` into `into`, as one transaction of `into`. That of the
 * instance's database is declared as a change of everything once its write lock
 * is had. */
static const char *
copy_pages(struct ctx *c, sqlite3 *into, sqlite3 *from, bool declared)
{
	sqlite3_backup *copy = sqlite3_backup_init(into, "main", from, "main");
	int result;

	if (copy == NULL)
		return arena_text(c->arena, sqlite3_errmsg(into));
	/* A step of no pages takes the lock. */
	result = sqlite3_backup_step(copy, 0);
	if (result == SQLITE_OK) {
		if (declared)
			generation_begin(c, DB_CHANGES_ALL, 0,
			    clock_boot() + DB_WAIT_TOOL_MS * 1000);
		result = sqlite3_backup_step(copy, -1);
	}
	sqlite3_backup_finish(copy);
	if (result != SQLITE_DONE)
		return said(c, NULL, result);
	if (declared)
		generation_end(true);
	return NULL;
}

/* One file's pages into another. */
static const char *
copy_file(struct ctx *c, const char *into, int flags, const char *from,
    bool declared)
{
	sqlite3 *source, *target;
	const char *wrong;

	source = open_file(c, from, SQLITE_OPEN_READWRITE, &wrong);
	if (source == NULL)
		return wrong;
	target = open_file(c, into, flags, &wrong);
	if (target != NULL)
		wrong = copy_pages(c, target, source, declared);
	sqlite3_close(target);
	sqlite3_close(source);
	return wrong;
}

const char *
db_copy_to(struct ctx *c, const char *path)
{
	sqlite3 *mine = db_handle(c), *other;
	const char *wrong;
	sqlite3_stmt *q;
	int result;

	result = sqlite3_prepare_v2(mine, "VACUUM INTO :path", -1, &q, NULL);
	if (result != SQLITE_OK)
		return said(c, mine, result);
	sqlite3_bind_text(q, 1, path, -1, SQLITE_STATIC);
	result = sqlite3_step(q);
	wrong = said(c, mine, result);
	sqlite3_finalize(q);
	if (wrong != NULL)
		return wrong;
	other = open_file(c, path, SQLITE_OPEN_READONLY, &wrong);
	if (other == NULL)
		return wrong;
	wrong = check(c, other, "PRAGMA integrity_check(1)");
	sqlite3_close(other);
	return wrong;
}

const char *
db_copy_pages_to(struct ctx *c, const char *path)
{
	return copy_file(c, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
	    c->instance->db, false);
}

void
db_copy_from(struct ctx *c, const char *path)
{
	const char *wrong = copy_file(c, c->instance->db,
	    SQLITE_OPEN_READWRITE, path, true);

	if (wrong != NULL)
		die("restore from %s: %s; nothing was changed", path, wrong);
}
