#include "stats/logfile.h"

#include <stddef.h>

#include "base/ctx.h"
#include "store/db.h"

#define KEPT 5000 /* files: the logs of years */

bool
logfile_is_counted(struct ctx *c, const struct logfile_state *state)
{
	/* There are as many rows as files. */
	struct stmt *q = db_prepare(c, "SELECT 1 FROM log_file WHERE inode = :inode"
				       " AND size = :size AND changed_at = :changed /*scan*/");
	bool is;

	db_bind_int(q, ":inode", state->inode);
	db_bind_int(q, ":size", state->size);
	db_bind_int(q, ":changed", state->changed_at);
	is = db_row(q);
	db_reset(q);
	return is;
}

int64_t
logfile_at(struct ctx *c, const unsigned char head[DIGEST_SIZE])
{
	struct stmt *q = db_prepare(c, "SELECT at FROM log_file WHERE head = :head");
	int64_t at;

	db_bind_blob(q, ":head", head, DIGEST_SIZE);
	at = db_row(q) ? db_int(q, 0) : 0;
	db_reset(q);
	return at;
}

void
logfile_note(struct ctx *c, const unsigned char head[DIGEST_SIZE], int64_t at,
    const struct logfile_state *state)
{
	struct stmt *q = db_prepare(c,
	    "INSERT INTO log_file (head, at, inode, size, changed_at)"
	    " VALUES (:head, :at, :inode, :size, :changed)"
	    " ON CONFLICT (head) DO UPDATE SET at = excluded.at, inode = excluded.inode,"
	    " size = excluded.size, changed_at = excluded.changed_at");

	db_bind_blob(q, ":head", head, DIGEST_SIZE);
	db_bind_int(q, ":at", at);
	db_bind_int(q, ":inode", state != NULL ? state->inode : 0);
	db_bind_int(q, ":size", state != NULL ? state->size : 0);
	db_bind_int(q, ":changed", state != NULL ? state->changed_at : 0);
	db_run(q);
}

void
logfile_note_counted(struct ctx *c, int64_t since_at)
{
	struct stmt *q = db_prepare(c, "INSERT INTO log (id, since_at, counted_at)"
				       " VALUES (1, :since, :now) ON CONFLICT (id) DO UPDATE SET"
				       " since_at = CASE WHEN excluded.since_at < log.since_at"
				       " THEN excluded.since_at ELSE log.since_at END,"
				       " counted_at = excluded.counted_at");

	db_bind_int(q, ":since", since_at);
	db_bind_int(q, ":now", c->now);
	db_run(q);
	q = db_prepare(c, "DELETE FROM log_file WHERE id <"
			  " (SELECT max(f.id) FROM log_file f) - :kept");
	db_bind_int(q, ":kept", KEPT);
	db_run(q);
}

int64_t
logfile_since(struct ctx *c)
{
	struct stmt *q = db_prepare(c, "SELECT since_at FROM log WHERE id = 1");
	int64_t at = db_row(q) ? db_int(q, 0) : 0;

	db_reset(q);
	return at;
}
