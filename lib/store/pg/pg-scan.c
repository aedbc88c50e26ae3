/*
 * Answers of many rows. A statement whose text says many is read by a cursor, piece by piece, so
 * that no answer is in memory as a whole; between two rows the caller may ask other things.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "store/pg/pg-handle.h"

/* Rows of a piece, and the memory that it should take. The rows of the next piece may be longer
 * than those that were seen: their number is bounded, too. */
enum { PIECE_FIRST = 32, PIECE_MIN = 4, PIECE_MAX = 512 };
#define PIECE_BYTES ((size_t)1024 * 1024)

bool
pg_is_scan(const struct stmt *q)
{
	return q->many && q->db->open;
}

static bool
queue_piece(struct stmt *q)
{
	char text[64];

	(void)snprintf(
	    text, sizeof(text), "FETCH FORWARD %d FROM rows_%" PRIu64, q->piece, q->cursor);
	return pg_queue_plain(q, text, 0, &q->result);
}

/* A name is never used again: neither a savepoint nor a reset need to know which cursors there
 * are. */
bool
pg_scan_queue(struct stmt *q)
{
	struct ctx *c = q->db->c;
	struct stmt named = *q;

	q->cursor = ++q->db->cursors;
	q->piece = PIECE_FIRST;
	return pg_queue_plain(q,
		   arena_printf(c->arena, "DECLARE rows_%" PRIu64 " NO SCROLL CURSOR FOR %s",
		       q->cursor, pg_text_of(c, &named)),
		   q->count, NULL) &&
	       queue_piece(q);
}

/* Returns how many rows to ask for after this piece. */
static int
next_piece(const struct stmt *q)
{
	size_t bytes = PQresultMemorySize(q->result), rows = (size_t)q->rows;
	size_t fit = rows * PIECE_BYTES / (bytes + 1);

	if (fit > 4 * rows)
		fit = 4 * rows;
	if (fit > PIECE_MAX)
		return PIECE_MAX;
	return fit < PIECE_MIN ? PIECE_MIN : (int)fit;
}

bool
pg_scan_more(struct stmt *q)
{
	if (q->cursor == 0 || q->rows < q->piece)
		return false;
	q->piece = next_piece(q);
	PQclear(q->result);
	q->result = NULL;
	if (!queue_piece(q) || !pg_settle(q->db))
		pg_fault(q->db, NULL, q->sql);
	q->row = 0;
	q->rows = PQntuples(q->result);
	return q->rows > 0;
}

/* Nobody waits for the answer. In a transaction that failed the server would refuse it; its end
 * closes the cursor. */
void
pg_scan_end(struct stmt *q)
{
	struct db *db = q->db;
	char text[64];

	(void)snprintf(text, sizeof(text), "CLOSE rows_%" PRIu64, q->cursor);
	q->cursor = 0;
	if (db->handle != NULL && db->open && PQtransactionStatus(db->handle) != PQTRANS_INERROR)
		(void)pg_queue_plain(q, text, 0, NULL);
}
