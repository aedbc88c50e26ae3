/* What was sent to the server, and what it means when no good answer comes. */
#include <poll.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/db-hosts.h"
#include "store/pg/pg-handle.h"

/* How long the server may take beyond its own waiting for locks, and for a tool. */
#define ANSWER_MS 2000
#define TOOL_ANSWER_MS (10 * 60 * 1000)
/* How much of a statement the log shows. */
#define SHOWN_MAX ((size_t)300)
/* How long what only an operator can repair lasts at least. */
#define WRONG_S 60

int
pg_patience_ms(const struct db *db)
{
	return db->wait_ms >= DB_WAIT_TOOL_MS ? TOOL_ANSWER_MS : db->wait_ms + ANSWER_MS;
}

/* A tool may work for long in one transaction: each of its statements has a deadline of its own. */
void
pg_set_deadline(struct db *db)
{
	db->deadline =
	    db->wait_ms >= DB_WAIT_TOOL_MS ? 0 : clock_boot() + (int64_t)pg_patience_ms(db) * 1000;
}

void
pg_extend_deadline(struct db *db)
{
	int64_t least = clock_boot() + (int64_t)ANSWER_MS * 1000;

	if (db->deadline != 0 && db->deadline < least)
		db->deadline = least;
}

/* Waits until the server says something, or takes more of what is sent. */
static bool
is_ready(struct db *db, short events, int64_t deadline)
{
	struct pollfd fd = { .fd = PQsocket(db->handle), .events = events };
	int64_t left;

	do {
		left = (deadline - clock_boot()) / 1000;
		if (fd.fd < 0 || left <= 0)
			return false;
	} while (poll(&fd, 1, (int)left) <= 0);
	return true;
}

/* More than the socket takes at once: a server that reads nothing is silent like one that says
 * nothing. */
bool
pg_was_sent(struct db *db, int64_t deadline)
{
	int left;

	while ((left = PQflush(db->handle)) == 1) {
		if (!is_ready(db, POLLIN | POLLOUT, deadline) || !PQconsumeInput(db->handle))
			break;
	}
	if (left == 0)
		return true;
	pg_disconnect(db);
	return false;
}

int64_t
pg_time(const struct db *db)
{
	return db->deadline != 0 ? db->deadline : clock_boot() + (int64_t)pg_patience_ms(db) * 1000;
}

/* A connection that is dropped ends nothing: what the server is doing is done, or rolled back. */
PGresult *
pg_next(struct db *db, int64_t deadline, bool *lost)
{
	*lost = false;
	while (PQisBusy(db->handle)) {
		if (is_ready(db, POLLIN, deadline) && PQconsumeInput(db->handle))
			continue;
		pg_disconnect(db);
		*lost = true;
		return NULL;
	}
	return PQgetResult(db->handle);
}

PGresult *
pg_await(struct db *db)
{
	int64_t deadline = pg_time(db);
	PGresult *last = NULL, *next;
	bool lost = !pg_was_sent(db, deadline);

	while (!lost && (next = pg_next(db, deadline, &lost)) != NULL) {
		PQclear(last);
		last = next;
	}
	if (!lost && PQstatus(db->handle) != CONNECTION_BAD)
		return last;
	PQclear(last);
	pg_disconnect(db);
	return NULL;
}

static bool
is_good(const PGresult *result)
{
	ExecStatusType status = PQresultStatus(result);

	return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

PGresult *
pg_must(struct db *db, const char *sql)
{
	PGresult *result = NULL;

	if (pg_settle(db) && PQsendQuery(db->handle, sql) == 1)
		result = pg_await(db);
	if (result == NULL || !is_good(result))
		pg_fault(db, result, sql);
	return result;
}

PGresult *
pg_must_first(struct ctx *c, struct db *db, const char *sql)
{
	int64_t until = clock_boot() + (int64_t)pg_patience_ms(db) * 1000;
	PGresult *result = NULL;

	if (pg_is_open(db))
		return pg_must(db, sql);
	if (pg_settle(db) && PQsendQuery(db->handle, sql) == 1)
		result = pg_await(db);
	if (result == NULL && clock_boot() < until) {
		pg_connect(c, db);
		return pg_must(db, sql);
	}
	if (result == NULL || !is_good(result))
		pg_fault(db, result, sql);
	return result;
}

void
pg_must_commit(struct db *db)
{
	PGresult *result;
	bool done;

	db->unsure = false;
	db->committing = true;
	result = pg_must(db, "COMMIT");
	db->committing = false;
	done = strcmp(PQcmdStatus(result), "COMMIT") == 0;
	PQclear(result);
	if (!done)
		die("the database rolled the transaction back at its end");
	if (!db->unsure)
		return;
	log_plainly("A standby may lack what was done: say the same again.");
	die_passing(2, "a standby may lack what was committed");
}

/* Returns in how many seconds the fault may have passed; 0: it does not pass. */
static int
passes_in(const char *state)
{
	static const struct {
		const char *begin;
		int seconds;
	} passing[] = {
		{ "08", 2 },
		{ "40001", 1 },
		{ "40P01", 1 },
		{ "53", 5 },
		{ "55P03", 1 },
		{ "57P0", 2 },
		{ "57014", 2 },
		{ "25006", 2 },
		{ "58030", 5 },
		/* The server ended a transaction whose program said nothing for too long; an
		 * operator, or a statement_timeout, ended a statement (57014). */
		{ "25P03", 1 },
		/* Of a server that is set up wrongly: no such database, no such role, a wrong
		 * password, a right that a role lacks, a schema that is not there, or that a role
		 * may not use. An operator repairs it, and no program must be started again. */
		{ "3D000", WRONG_S },
		{ "28", WRONG_S },
		{ "42501", WRONG_S },
		{ "42P01", WRONG_S },
	};

	for (size_t i = 0; i < sizeof(passing) / sizeof(passing[0]); i++) {
		if (strncmp(state, passing[i].begin, strlen(passing[i].begin)) == 0)
			return passing[i].seconds;
	}
	return 0;
}

/* Of the fault of which the process dies. */
static bool read_was_lost;

bool
db_read_was_lost(void)
{
	return read_was_lost;
}

/* A server that is shut down says so before it closes the connection. */
void
pg_note_lost(const struct db *db, const char *state)
{
	bool lost = state == NULL || strncmp(state, "57P0", 4) == 0 || strncmp(state, "08", 2) == 0;

	read_was_lost = lost && !db->writing && (db->deadline == 0 || clock_boot() < db->deadline);
}

void
pg_fault(struct db *db, PGresult *result, const char *what)
{
	const char *state = result != NULL ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
	const char *said =
	    result != NULL ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;
	struct ctx *c = db->c;
	const char *message =
	    arena_printf(c->arena, "database (%s): %s: %s", state != NULL ? state : "no answer",
		said != NULL ? said : "the connection was lost or the time is over",
		arena_text_n(c->arena, what, strnlen(what, SHOWN_MAX)));
	int wait = state == NULL ? 2 : passes_in(state);
	bool named = state != NULL && strncmp(state, "42", 2) == 0;

	pg_note_lost(db, state);
	PQclear(result);
	db_rollback(c);
	if (what == pg_waits_sql && state != NULL && strcmp(state, "22012") == 0) {
		log_plainly(
		    "What was written before waits for a standby, so nothing is written now: galley doctor says what to do.");
		die_passing(
		    5, "a COMMIT waits for a standby, so no write begins until one is there");
	}
	/* A name that is not there, a right, a type, a plan that does not fit: a migration does
	 * that. */
	if (named || wait == 0)
		pg_check_number(db, wait != 0);
	if (wait == 0)
		die("%s", message);
	log_plainly(wait >= WRONG_S
			? "The database is set up wrongly: galley doctor says what to do."
			: "The database cannot be reached, or is too busy.");
	die_passing(wait, "%s", message);
}
