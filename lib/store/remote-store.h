#ifndef STORE_REMOTE_STORE_H
#define STORE_REMOTE_STORE_H
/*
 * What only a store on another machine needs, which is PostgreSQL: a user, the look at a key, and
 * questions that are asked together. With SQLite this is nothing, and costs nothing:
 * STORE_IS_REMOTE is a constant, and the compiler drops what depends on it.
 *
 * A file that includes this is compiled for each store (Makefile, OF_STORE); all others above this
 * folder are compiled once. Their question is db_has_hosts().
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"

struct ctx;
struct stmt;

#ifdef STORE_PG
enum { STORE_IS_REMOTE = 1 };
#else
enum { STORE_IS_REMOTE = 0 };
#endif

/*
 * What an answer depends on: numbers that are drawn again by each transaction that changes keys and
 * accounts, or the workspace of the key. Equal stamps mean an equal answer.
 */
struct remote_stamps {
	int64_t keys, workspace;
};

/* ---- as whom a process signs in to the database (docs/postgres.md §9) */

#ifdef STORE_PG

/* This process answers strangers: it signs in as the user who may ask what the API, pages and
 * pictures need, and no more. Before its first connection. */
void db_as_api(void);

/* From here on this process signs in as the owner of the tables, or as the programs again: for a
 * work that must succeed where the programs have no rights yet. Outside of transactions; the next
 * one connects. */
void db_as_owner(struct ctx *c, bool owner);

/*
 * ---- the key of a request (docs/postgres.md §5)
 *
 * One statement looks for a key, counts the request, and brings the number of the schema, the
 * time and the stamps of what a GET can answer. `row` is the SELECT of the key's row; its first
 * columns are the key's id, its digest, its scopes, when it ends, and its workspace's id. They
 * are the first columns here, too, and NULL where there is no such key. No parameter may make one
 * plan cheaper than another: the server would plan at each question.
 */
#define REMOTE_KEY(row)                                                                            \
	"SELECT k.*, s.number, floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint,"    \
	" s.pepper_check, i.value, w.value,"                                                       \
	" content.limit_count(k.key_id, k.expires_at, :quota, :counted, :told, :ahead)"            \
	" FROM (SELECT number, pepper_check FROM store LIMIT 1) s LEFT JOIN (" row ")"             \
	"  k (key_id, digest, scopes, expires_at, workspace_id) ON TRUE"                           \
	" LEFT JOIN stamp i ON i.slot = 0 LEFT JOIN stamp w ON w.slot = k.workspace_id"

/*
 * Returns the statement `sql`, made with REMOTE_KEY, with the row of a key, which db_row() reads.
 * By itself it is a round trip, and a request is counted: limit_take() tells what came of that.
 * From then on each transaction of the content begins with the same question, which counts
 * nothing; in it this function returns what the beginning found, unless that comes later.
 */
struct stmt *remote_key(struct ctx *c, const char *sql, const unsigned char digest[DIGEST_SIZE]);

/* The next transaction is a read, and begins in one message with its first question. The look
 * at the key came just before, by itself: if its stamps are others in the snapshot, the request
 * is done once more (db_read_was_lost()). */
void remote_begin_later(struct ctx *c);

/* Returns the stamps that the last look at the key found. */
struct remote_stamps remote_stamps(const struct ctx *c);

/*
 * Asks this SELECT, with the values that it has now, in one message with the next statement whose
 * answer somebody waits for. The same statement with the same values then has its rows at once,
 * unless something was written since. In a transaction. The statement is reset.
 */
void prefetch(struct stmt *q);

#else

static inline void
db_as_api(void)
{
}

static inline void
db_as_owner(struct ctx *c, bool owner)
{
	(void)c;
	(void)owner;
}

#define REMOTE_KEY(row) row

static inline struct stmt *
remote_key(struct ctx *c, const char *sql, const unsigned char digest[DIGEST_SIZE])
{
	(void)c;
	(void)sql;
	(void)digest;
	return NULL;
}

static inline void
remote_begin_later(struct ctx *c)
{
	(void)c;
}

static inline struct remote_stamps
remote_stamps(const struct ctx *c)
{
	(void)c;
	return (struct remote_stamps) { 0, 0 };
}

static inline void
prefetch(struct stmt *q)
{
	(void)q;
}

#endif

#endif
