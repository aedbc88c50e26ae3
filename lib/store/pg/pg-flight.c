/* Many commands in one message: libpq's pipeline. Its mode lasts from the first command that is
 * queued until all answers are read: behind pg_settle() libpq is used as always. */
#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/pg/pg-handle.h"

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
		taken =
		    PQsendQueryPrepared(db->handle, q->name, count, values, lengths, formats, 0);
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
	PGresult *result = pg_next(db, deadline, &seen->lost), *more = NULL;
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
	more = pg_next(db, deadline, &seen->lost);
	seen->lost = seen->lost || result == NULL || more != NULL;
	PQclear(more);
}

/* A message of which something failed unseen may have left statements unprepared: the connection is
 * then as good as lost. */
bool
pg_settle(struct db *db)
{
	int64_t deadline = pg_time(db);
	struct seen seen = { 0 };
	int count;

	if (db->handle == NULL)
		return false;
	if (db->parts_count == 0)
		return true;
	if (db->parts[db->parts_count - 1].what != NULL &&
	    !noted(db, PQpipelineSync(db->handle), (struct pg_part) { 0 }))
		seen.lost = true;
	if (!seen.lost && !pg_was_sent(db, deadline))
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
	if (!pg_queue_end(db) || !pg_was_sent(db, pg_time(db)))
		pg_disconnect(db);
}
