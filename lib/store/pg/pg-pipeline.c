/*
 * What is sent to the server, many commands in one message, and what it means when no good answer
 * comes (docs/postgres.md §5, §7).
 *
 * A command is queued (db->parts) and sent; its answer is read by the next pg_settle(), with those
 * of all others that were queued, in their order. The caller names the place of its result, which
 * owns it: a statement, db->look, db->key.begun, or a prefetch. A statement borrows the
 * result of a prefetch. The first failure is a fault. pg_let_go() is for an end that nobody waits
 * for: its answers come with those of the next message, and go nowhere.
 */
#include <poll.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/hosts.h"
#include "store/pg/pg-connection.h"
#include "store/remote-store.h"

/* ---- deadlines */

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

/* ---- waiting for one answer */

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

/* Sends what libpq has not sent yet. False if the connection is lost. More than the socket takes at
 * once: a server that reads nothing is silent like one that answers nothing. */
static bool
was_sent(struct db *db, int64_t deadline)
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

/* Returns when the answer that is waited for must be there (clock_boot()). */
static int64_t
answer_time(const struct db *db)
{
	return db->deadline != 0 ? db->deadline : clock_boot() + (int64_t)pg_patience_ms(db) * 1000;
}

/* Waits until libpq has an answer, or its end, and returns it: NULL is the end. Sets *lost if the
 * connection was lost or the answer did not come in time; then it is closed. A connection that is
 * dropped ends nothing: what the server is doing is done, or rolled back. */
static PGresult *
next_result(struct db *db, int64_t deadline, bool *lost)
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
	int64_t deadline = answer_time(db);
	PGresult *last = NULL, *next;
	bool lost = !was_sent(db, deadline);

	while (!lost && (next = next_result(db, deadline, &lost)) != NULL) {
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

/* ---- faults */

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

/* ---- many commands in one message: libpq's pipeline. Its mode lasts from the first command that
 * is queued until all answers are read: after pg_settle() libpq is used as always. */

/* Notes a command that libpq took. */
static bool
noted(struct db *db, int taken, struct pg_part part)
{
	if (taken != 1)
		return false;
	db->parts[db->parts_count++] = part;
	return true;
}

/* Makes room for a command and what may go before it, and for the end. */
static bool
begin(struct db *db)
{
	if (db->parts_count + 3 > PG_PARTS_MAX && !pg_settle(db))
		return false;
	return db->handle != NULL && (PQpipelineStatus(db->handle) != PQ_PIPELINE_OFF ||
					 PQenterPipelineMode(db->handle) == 1);
}

/* The first use of a statement prepares it in the same message. */
static bool
prepare(struct stmt *q)
{
	struct db *db = q->db;
	struct stmt named;

	if (q->prepared)
		return true;
	/* Its values are bound already. */
	named = *q;
	q->prepared =
	    noted(db, PQsendPrepare(db->handle, q->name, pg_text_of(db->c, &named), 0, NULL),
		(struct pg_part) { .what = q->sql });
	return q->prepared;
}

/* Queues the statement, or a text in its place. */
static bool
queue(struct stmt *q, const char *text, int count, PGresult **into)
{
	const char *values[PG_PARAMETERS_MAX];
	int lengths[PG_PARAMETERS_MAX], formats[PG_PARAMETERS_MAX], taken;
	struct db *db = q->db;

	for (int i = 0; i < count; i++) {
		values[i] = q->values[i].text;
		lengths[i] = q->values[i].len;
		formats[i] = q->values[i].binary;
	}
	if (text != NULL)
		taken =
		    PQsendQueryParams(db->handle, text, count, NULL, values, lengths, formats, 0);
	else
		taken = PQsendQueryPrepared(
		    db->handle, q->name, count, values, lengths, formats, q->bytes);
	return noted(db, taken, (struct pg_part) { .what = q->sql, .into = into });
}

bool
pg_queue(struct stmt *q, PGresult **into)
{
	return begin(q->db) && prepare(q) && queue(q, NULL, q->count, into);
}

bool
pg_queue_plain(struct stmt *q, const char *text, int count, PGresult **into)
{
	return begin(q->db) && queue(q, text, count, into);
}

bool
pg_queue_text(struct ctx *c, struct db *db, const char *sql, PGresult **into)
{
	struct db *present = c->db;
	struct stmt *q;

	c->db = db;
	q = db_prepare(c, sql);
	c->db = present;
	return pg_queue(q, into);
}

bool
pg_queue_end(struct db *db)
{
	return begin(db) && noted(db, PQpipelineSync(db->handle), (struct pg_part) { 0 });
}

/* What is left of answers when the connection is lost, or the failure is known. */
struct seen {
	PGresult *failed;
	const char *what;
	bool spoiled; /* something failed that nobody minds; what followed it was not run */
	bool lost;
};

/* Reads the answer to one command. */
static void
read_part(struct db *db, const struct pg_part *part, int64_t deadline, struct seen *seen)
{
	PGresult *result = next_result(db, deadline, &seen->lost), *more = NULL;
	ExecStatusType status = PQresultStatus(result);

	if (seen->lost)
		return;
	if (part->what == NULL) {
		seen->lost = status != PGRES_PIPELINE_SYNC;
		PQclear(result);
		return;
	}
	if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
		if (part->into != NULL)
			*part->into = result;
		else
			PQclear(result);
	} else if (status == PGRES_PIPELINE_ABORTED || part->quiet || seen->failed != NULL) {
		seen->spoiled = seen->spoiled || part->quiet;
		PQclear(result);
	} else {
		seen->failed = result;
		seen->what = part->what;
	}
	more = next_result(db, deadline, &seen->lost);
	seen->lost = seen->lost || result == NULL || more != NULL;
	PQclear(more);
}

/* A message of which something failed unseen may have left statements unprepared: the connection is
 * then as good as lost. */
bool
pg_settle(struct db *db)
{
	int64_t deadline = answer_time(db);
	struct seen seen = { 0 };
	int count;

	if (db->handle == NULL)
		return false;
	if (db->parts_count == 0)
		return true;
	if (db->parts[db->parts_count - 1].what != NULL &&
	    !noted(db, PQpipelineSync(db->handle), (struct pg_part) { 0 }))
		seen.lost = true;
	if (!seen.lost && !was_sent(db, deadline))
		return false;
	count = db->parts_count;
	for (int i = 0; i < count && !seen.lost; i++)
		read_part(db, &db->parts[i], deadline, &seen);
	db->parts_count = 0;
	if (seen.lost || seen.spoiled || PQstatus(db->handle) == CONNECTION_BAD ||
	    PQexitPipelineMode(db->handle) != 1) {
		PQclear(seen.failed);
		pg_disconnect(db);
		return false;
	}
	if (seen.failed != NULL)
		pg_fault(db, seen.failed, seen.what);
	return true;
}

void
pg_let_go(struct db *db)
{
	for (int i = 0; i < db->parts_count; i++) {
		db->parts[i].into = NULL;
		db->parts[i].quiet = true;
	}
	if (!pg_queue_end(db) || !was_sent(db, answer_time(db)))
		pg_disconnect(db);
}

/* ---- what is asked together: store/remote-store.h. The answer is the prefetch's; a statement
 * borrows it, and owns it when it is forgotten meanwhile. */

/* Copies the values that a statement has now. */
static struct pg_value *
values_of(struct ctx *c, const struct stmt *q)
{
	struct pg_value *values = arena_array(c->arena, (size_t)q->count + 1, sizeof(*values));

	for (int i = 0; i < q->count; i++) {
		struct pg_value *v = &values[i];
		char *text;

		*v = q->values[i];
		if (v->text == NULL)
			continue;
		text = arena_alloc(c->arena, (size_t)v->len + 1);
		memcpy(text, v->text, (size_t)v->len);
		text[v->len] = '\0';
		v->text = text;
	}
	return values;
}

static bool
is_same(const struct pg_value *a, const struct pg_value *b)
{
	if (a->text == NULL || b->text == NULL)
		return a->text == b->text;
	return a->len == b->len && memcmp(a->text, b->text, (size_t)a->len) == 0;
}

static bool
is_of(const struct pg_prefetch *p, const struct stmt *q)
{
	if (p->q != q)
		return false;
	for (int i = 0; i < q->count; i++) {
		if (!is_same(&p->values[i], &q->values[i]))
			return false;
	}
	return true;
}

void
prefetch(struct stmt *q)
{
	struct db *db = q->db;
	struct pg_prefetch *p = &db->prefetches[db->prefetches_count];

	/* It is only a wish. */
	if (db->open && db->prefetches_count < PG_PREFETCHES_MAX) {
		*p = (struct pg_prefetch) { .q = q, .values = values_of(db->c, q) };
		db->prefetches_count++;
		if (!pg_queue(q, &p->result))
			pg_fault(db, NULL, q->sql);
	}
	db_reset(q);
}

bool
pg_take_prefetch(struct stmt *q)
{
	for (int i = 0; i < q->db->prefetches_count; i++) {
		struct pg_prefetch *p = &q->db->prefetches[i];

		if (!is_of(p, q))
			continue;
		if (p->result == NULL && !pg_settle(q->db))
			return false;
		q->result = p->result;
		q->borrowed = q->result != NULL;
		return q->borrowed;
	}
	return false;
}

/* Answers on their way come to nobody. */
void
pg_forget_prefetches(struct db *db)
{
	for (int i = 0; i < db->prefetches_count; i++) {
		struct pg_prefetch *p = &db->prefetches[i];

		for (int part = 0; part < db->parts_count; part++) {
			if (db->parts[part].into == &p->result)
				db->parts[part].into = NULL;
		}
		if (p->q->borrowed && p->q->result == p->result)
			p->q->borrowed = false;
		else
			PQclear(p->result);
	}
	db->prefetches_count = 0;
}
