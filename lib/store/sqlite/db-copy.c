/* Whole copies of the database: backup and restore. */
#include <string.h>

#include <sqlite3.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/db.h"
#include "store/generation.h"
#include "store/sqlite/db-connection.h"
#include "store/sqlite/db-vfs.h"
#include "system/instance.h"

/* Returns the meaning of a result, as the end of a sentence after a colon; NULL if nothing
 * is wrong. SQLite's own text would not say what to do. */
static const char *
said(struct ctx *c, sqlite3 *handle, int result)
{
	const char *sentence;

	if (result == SQLITE_OK || result == SQLITE_DONE)
		return NULL;
	sentence = db_fault_sentence(result, handle != NULL ? sqlite3_system_errno(handle) : 0);
	return arena_printf(c->arena, "%c%.*s (SQLite %d)", sentence[0] - 'A' + 'a',
	    (int)strlen(sentence) - 2, sentence + 1, result);
}

/* Returns NULL if a database is whole, else SQLite's first complaint. */
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
		text = said(c, handle, result);
	else
		text = strcmp(text, "ok") == 0 ? NULL : arena_text(c->arena, text);
	sqlite3_finalize(q);
	return text;
}

const char *
db_complaint(struct ctx *c, bool quick)
{
	return check(
	    c, db_handle(c), quick ? "PRAGMA quick_check(1)" : "PRAGMA integrity_check(1)");
}

/* Opens a database file beside the process's own connection. Returns NULL with *wrong set
 * if that fails. It reads nothing of the file yet. */
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
	wrong = check(c, other, quick ? "PRAGMA quick_check(1)" : "PRAGMA integrity_check(1)");
	sqlite3_close(other);
	return wrong;
}

/* Copies all pages of `from` into `into`, as one transaction of `into`. */
static const char *
copy_pages(struct ctx *c, sqlite3 *into, sqlite3 *from)
{
	sqlite3_backup *copy = sqlite3_backup_init(into, "main", from, "main");
	int result;

	if (copy == NULL)
		return said(c, into, sqlite3_errcode(into));
	result = sqlite3_backup_step(copy, -1);
	sqlite3_backup_finish(copy);
	return said(c, NULL, result);
}

/* Writes a consistent copy of the database of `mine`, and checks it. */
static const char *
copy_whole(struct ctx *c, sqlite3 *mine, const char *path)
{
	sqlite3 *other;
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

/* Each file has a moment of its own; content is copied first. */
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
	return copy_whole(c, db_handle(c), path);
}

const char *
db_copy_pages_to(struct ctx *c, const char *path)
{
	sqlite3 *source, *target;
	const char *wrong;

	source = open_file(c, c->instance->db, SQLITE_OPEN_READWRITE, &wrong);
	if (source == NULL)
		return wrong;
	target = open_file(c, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &wrong);
	if (target != NULL)
		wrong = copy_pages(c, target, source);
	sqlite3_close(target);
	sqlite3_close(source);
	return wrong;
}

/* ---- the replacement of the database */

struct db_swap {
	enum db_store store;
	const char *path; /* of its file */
	sqlite3 *into, *from; /* the instance's database; what replaces it */
	sqlite3_backup *copy; /* while the lock is held */
	bool write_ahead; /* others can read during the copy */
	unsigned at; /* SQLite's number of its state at the last copy */
};

/* Returns SQLite's number of the state that the connection saw last. It changes if another
 * connection has committed since, and maybe if the log was begun again. */
static unsigned
state_of(const struct db_swap *s)
{
	unsigned number = 0;

	(void)sqlite3_file_control(s->into, "main", SQLITE_FCNTL_DATA_VERSION, &number);
	return number;
}

/* Runs a statement. Returns the text of the first column of its first row. */
static const char *
first_text(struct ctx *c, sqlite3 *handle, const char *sql)
{
	const char *text = NULL;
	sqlite3_stmt *q;

	if (sqlite3_prepare_v2(handle, sql, -1, &q, NULL) != SQLITE_OK)
		return NULL;
	if (sqlite3_step(q) == SQLITE_ROW)
		text = (const char *)sqlite3_column_text(q, 0);
	text = text != NULL ? arena_text(c->arena, text) : NULL;
	sqlite3_finalize(q);
	return text;
}

static _Noreturn void
fail(const struct db_swap *s, const char *wrong)
{
	die("%s cannot be replaced: %s; nothing was changed", s->path, wrong);
}

struct db_swap *
db_swap_open(struct ctx *c, enum db_store store)
{
	struct db_swap *s = arena_alloc(c->arena, sizeof(*s));
	const char *wrong, *mode;

	s->store = store;
	s->path = db_file_of(c, store);
	s->into = open_file(c, s->path, SQLITE_OPEN_READWRITE, &wrong);
	if (s->into == NULL)
		fail(s, wrong);
	mode = first_text(c, s->into, "PRAGMA journal_mode");
	s->write_ahead = mode != NULL && strcmp(mode, "wal") == 0;
	return s;
}

/* Writes a copy of the database at `from` with a connection of its own, which leaves the
 * log as it is. */
static const char *
copy_beside(struct ctx *c, const char *from, const char *path)
{
	const char *wrong;
	sqlite3 *mine = open_file(c, from, SQLITE_OPEN_READWRITE, &wrong);

	if (mine == NULL)
		return wrong;
	wrong = copy_whole(c, mine, path);
	sqlite3_db_config(mine, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	sqlite3_close(mine);
	return wrong;
}

const char *
db_copy_views_to(struct ctx *c, const char *path)
{
	/* Who visited on a day, who read the API and what is half done stay here. */
	static const char others[] =
	    "PRAGMA journal_mode = DELETE; BEGIN;"
	    " DELETE FROM seen; DELETE FROM segment; DELETE FROM erased;"
	    " DELETE FROM reader; DELETE FROM log_file; DELETE FROM log; COMMIT; VACUUM";
	const char *wrong = copy_beside(c, db_file_of(c, DB_STATS), path);
	sqlite3 *target = NULL;

	if (wrong == NULL)
		target = open_file(c, path, SQLITE_OPEN_READWRITE, &wrong);
	if (target != NULL) {
		(void)sqlite3_db_config(target, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
		wrong = said(c, target, sqlite3_exec(target, others, NULL, NULL, NULL));
	}
	sqlite3_close(target);
	return wrong;
}

const char *
db_copy_console_to(struct ctx *c, const char *path)
{
	return copy_beside(c, db_console_path(c), path);
}

const char *
db_swap_copy_to(struct ctx *c, struct db_swap *s, const char *path)
{
	/* While the lock is held, another connection reads, and no connection writes. */
	if (s->copy != NULL)
		return copy_beside(c, s->path, path);
	(void)first_text(c, s->into, "SELECT count(*) FROM sqlite_master");
	s->at = state_of(s);
	return copy_whole(c, s->into, path);
}

bool
db_swap_lock(struct ctx *c, struct db_swap *s, const char *path)
{
	const char *wrong;
	int result;

	s->from = open_file(c, path, SQLITE_OPEN_READWRITE, &wrong);
	if (s->from == NULL)
		fail(s, wrong);
	s->copy = sqlite3_backup_init(s->into, "main", s->from, "main");
	if (s->copy == NULL)
		fail(s, said(c, s->into, sqlite3_errcode(s->into)));
	/* A step of zero pages takes the lock. */
	result = sqlite3_backup_step(s->copy, 0);
	if (result != SQLITE_OK)
		fail(s, said(c, s->into, result));
	return state_of(s) == s->at;
}

bool
db_swap_can_read(const struct db_swap *s)
{
	return s->write_ahead;
}

void
db_swap_unlock(struct db_swap *s)
{
	sqlite3_backup_finish(s->copy);
	sqlite3_close(s->from);
	s->copy = NULL;
	s->from = NULL;
}

void
db_swap_commit(struct ctx *c, struct db_swap *s)
{
	int result;

	generation_begin(c, s->store, DB_CHANGES_ALL, 0, clock_boot() + DB_WAIT_TOOL_MS * 1000);
	result = sqlite3_backup_step(s->copy, -1);
	if (result != SQLITE_DONE) {
		const char *wrong = said(c, s->into, result);
		db_swap_unlock(s);
		fail(s, wrong);
	}
	db_swap_unlock(s);
	generation_end(true);
}

void
db_swap_close(struct db_swap *s)
{
	if (s->copy != NULL)
		db_swap_unlock(s);
	sqlite3_close(s->into);
}
