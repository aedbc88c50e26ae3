/* Copies and swaps where both stores are known (both.h, exchange.h). */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "store/both/both.h"
#include "store/both/exchange.h"
#include "store/pg/pg-connection.h"
#include "system/fault.h"
#include "system/instance.h"

static const char mark[] = "SQLite format 3";

bool
both_is_lite_file(struct ctx *c, const char *path)
{
	char head[sizeof(mark)] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool lite = fd >= 0 && read(fd, head, sizeof(head)) == (ssize_t)sizeof(head) &&
		    memcmp(head, mark, sizeof(mark)) == 0;

	if (fd >= 0)
		close(fd);
	if (lite)
		return true;
	return strcmp(path, arena_printf(c->arena, "%s/db/galley.db", c->instance->home)) != 0 &&
	       strcmp(path, db_file_of(c, DB_CONSOLE)) != 0 &&
	       strcmp(path, db_file_of(c, DB_STATS)) != 0;
}

bool
both_is_lite(struct ctx *c, enum db_store store)
{
	return both_is_lite_file(c, db_file_of(c, store));
}

bool
both_is_lite_instance(struct ctx *c)
{
	return both_is_lite_file(c, arena_printf(c->arena, "%s/db/galley.db", c->instance->home));
}

/* ---- one moment for several copies */

static struct db moment;

/* The locks come before the moment: a restore on another host would leave tables that are empty at
 * a moment before its end (exchange.c), and waits now. Which stores are there is asked before,
 * because a question within the transaction would be its moment. */
static PGconn *
begin_moment(struct ctx *c)
{
	const char *stores;
	PGresult *there;

	moment.store = DB_CONTENT;
	moment.c = c;
	moment.wait_ms = DB_WAIT_TOOL_MS;
	pg_connect(c, &moment);
	PQclear(pg_must(
	    &moment, arena_printf(c->arena, "SELECT pg_advisory_lock_shared(%d)", PG_BACKUP_KEY)));
	there = pg_must(&moment,
	    "SELECT string_agg(schemaname || '.store', ', ') FROM pg_tables"
	    " WHERE tablename = 'store' AND schemaname IN ('content', 'console', 'stats')");
	stores = arena_text(c->arena, PQgetvalue(there, 0, 0));
	PQclear(there);
	PQclear(pg_must(&moment, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"));
	if (stores[0] != '\0')
		PQclear(pg_must(
		    &moment, arena_printf(c->arena, "LOCK TABLE %s IN ACCESS SHARE MODE", stores)));
	return moment.handle;
}

static void
end_moment(void)
{
	pg_disconnect(&moment);
}

void
db_copies_begin(struct ctx *c)
{
	if (!both_is_lite(c, DB_CONTENT))
		(void)begin_moment(c);
}

void
db_copies_end(struct ctx *c)
{
	(void)c;
	end_moment();
}

static const char *
copy_rows(struct ctx *c, enum db_store store, const char *path, enum exchange_part part)
{
	bool alone = moment.handle == NULL;
	const char *wrong =
	    exchange_out(c, alone ? begin_moment(c) : moment.handle, store, path, part);

	if (alone)
		end_moment();
	return wrong;
}

const char *
both_copy_out(struct ctx *c, enum db_store store, const char *path, bool views)
{
	const char *wrong = copy_rows(c, store, path, views ? EXCHANGE_VIEWS : EXCHANGE_ALL);

	return wrong != NULL ? wrong : sqlite_db_file_complaint(c, path, false);
}

const char *
db_copy_to(struct ctx *c, const char *path)
{
	return both_is_lite(c, DB_CONTENT) ? sqlite_db_copy_to(c, path)
					   : both_copy_out(c, DB_CONTENT, path, false);
}

const char *
db_copy_console_to(struct ctx *c, const char *path)
{
	return both_is_lite(c, DB_CONSOLE) ? sqlite_db_copy_console_to(c, path)
					   : both_copy_out(c, DB_CONSOLE, path, false);
}

const char *
db_copy_views_to(struct ctx *c, const char *path)
{
	return both_is_lite(c, DB_STATS) ? sqlite_db_copy_views_to(c, path)
					 : both_copy_out(c, DB_STATS, path, true);
}

const char *
db_copy_pages_to(struct ctx *c, const char *path)
{
	return both_is_lite(c, DB_CONTENT) ? sqlite_db_copy_pages_to(c, path)
					   : copy_rows(c, DB_CONTENT, path, EXCHANGE_BROKEN);
}

const char *
db_file_complaint(struct ctx *c, const char *path, bool quick)
{
	return both_is_lite_file(c, path) ? sqlite_db_file_complaint(c, path, quick)
					  : pg_db_file_complaint(c, path, quick);
}

/* ---- the replacement of a store */

struct db_swap {
	struct ctx *c;
	enum db_store store;
	struct db_swap *lite; /* SQLite's, or NULL */
	struct db db; /* holds the lock */
	const char *path; /* of the file that takes the place */
	const char *at; /* the last transaction when the last copy was made */
};

struct db_swap *
db_swap_open(struct ctx *c, enum db_store store)
{
	struct db_swap *s = arena_alloc(c->arena, sizeof(*s));

	memset(s, 0, sizeof(*s));
	s->c = c;
	s->store = store;
	if (both_is_lite(c, store)) {
		s->lite = sqlite_db_swap_open(c, store);
		return s;
	}
	s->db.store = store;
	s->db.c = c;
	s->db.wait_ms = DB_WAIT_TOOL_MS;
	s->db.owner = true;
	pg_connect(c, &s->db);
	return s;
}

/* Returns which transactions have ended; "" where some are open, whose end cannot be told. */
static const char *
state_of(struct db_swap *s, struct db *db)
{
	PGresult *result = pg_must(db, "SELECT pg_current_snapshot()");
	const char *text = arena_text(s->c->arena, PQgetvalue(result, 0, 0));

	PQclear(result);
	return strlen(text) > 0 && text[strlen(text) - 1] == ':' ? text : "";
}

const char *
db_swap_copy_to(struct ctx *c, struct db_swap *s, const char *path)
{
	const char *wrong;

	if (s->lite != NULL)
		return sqlite_db_swap_copy_to(c, s->lite, path);
	(void)begin_moment(c);
	s->at = state_of(s, &moment);
	wrong = both_copy_out(c, s->store, path, false);
	end_moment();
	return wrong;
}

/* Waits until no backup is being made: after it the tables can be replaced at once. A restore that
 * waited for it later would keep all writers waiting, too. */
static void
wait_for_backups(struct ctx *c, struct db *db)
{
	PGresult *result = NULL;
	const char *state;

	if (PQsendQuery(db->handle, arena_printf(c->arena,
					"SELECT pg_advisory_lock(%d);"
					" SELECT pg_advisory_unlock(%d)",
					PG_BACKUP_KEY, PG_BACKUP_KEY)) == 1)
		result = pg_await(db);
	if (PQresultStatus(result) == PGRES_TUPLES_OK) {
		PQclear(result);
		return;
	}
	state = result != NULL ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
	if (state == NULL || strcmp(state, "55P03") != 0)
		pg_fault(db, result, "a wait for backups");
	PQclear(result);
	log_plainly(
	    db->store == DB_CONTENT
		? "A backup of this instance is being made. Nothing was changed: say the restore again when it has ended."
		: "A backup of this instance is being made: say the same again when it has ended.");
	die_passing(60, "a backup is being made");
}

bool
db_swap_lock(struct ctx *c, struct db_swap *s, const char *path)
{
	if (s->lite != NULL)
		return sqlite_db_swap_lock(c, s->lite, path);
	s->path = arena_text(c->arena, path);
	wait_for_backups(c, &s->db);
	PQclear(pg_must(
	    &s->db, arena_printf(c->arena,
			"BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock(%d)",
			PG_LOCK_KEY(s->store))));
	return s->at != NULL && s->at[0] != '\0' && strcmp(s->at, state_of(s, &s->db)) == 0;
}

void
db_swap_unlock(struct db_swap *s)
{
	if (s->lite != NULL)
		sqlite_db_swap_unlock(s->lite);
	else
		PQclear(pg_must(&s->db, "ROLLBACK"));
}

bool
db_swap_can_read(const struct db_swap *s)
{
	return s->lite == NULL || sqlite_db_swap_can_read(s->lite);
}

/* The pepper of a backup becomes that of the database: it is beside the prepared file, and takes
 * its place on this host when this is committed (start/pending.h). Other hosts get it by hand. */
static void
note_pepper(struct ctx *c, struct db_swap *s)
{
	const struct instance *present = c->instance;
	struct instance prepared = *present;
	struct db *outer = c->db;

	prepared.pepper = arena_printf(c->arena, "%s/pepper", fileio_folder(c->arena, s->path));
	c->instance = &prepared;
	c->db = &s->db;
	pg_pepper_note(c, DB_CONTENT);
	c->instance = present;
	c->db = outer;
}

/* That of the people took its place before them. */
static void
note_secret(struct ctx *c, struct db_swap *s)
{
	struct db *outer = c->db;

	c->db = &s->db;
	pg_pepper_note(c, DB_CONSOLE);
	c->db = outer;
}

void
db_swap_commit(struct ctx *c, struct db_swap *s)
{
	const char *wrong;

	if (s->lite != NULL) {
		sqlite_db_swap_commit(c, s->lite);
		return;
	}
	wrong = exchange_in(c, s->db.handle, s->store, s->path, c->instance->media, EXCHANGE_ALL);
	if (wrong != NULL)
		die("%s cannot be replaced: %s; nothing was changed", db_file_of(c, s->store),
		    wrong);
	if (s->store == DB_CONTENT)
		note_pepper(c, s);
	if (s->store == DB_CONSOLE)
		note_secret(c, s);
	(void)FAULT("exchange-before-commit");
	pg_must_commit(&s->db);
	(void)FAULT("exchange-committed");
}

void
db_swap_close(struct db_swap *s)
{
	if (s->lite != NULL)
		sqlite_db_swap_close(s->lite);
	pg_disconnect(&s->db);
}
