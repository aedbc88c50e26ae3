#ifndef STORE_REMOTE_STORE_H
#define STORE_REMOTE_STORE_H
/*
 * What only a store on another machine needs, which is PostgreSQL: a user, a way through the
 * confinement, and questions that are asked together. With SQLite this is nothing, and costs
 * nothing: STORE_IS_REMOTE is a constant, and the compiler drops what depends on it.
 *
 * A file that includes this is compiled for each store (Makefile, OF_STORE); all others above this
 * folder are compiled once. Their question is db_has_hosts().
 */
#include <stdbool.h>
#include <stddef.h>

struct ctx;
struct stmt;

#ifdef STORE_PG
enum { STORE_IS_REMOTE = 1 };
#else
enum { STORE_IS_REMOTE = 0 };
#endif

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
 * ---- what a program will soon ask, told to the store before (docs/postgres.md §5)
 *
 * Several questions then make one round trip. These are wishes: a program asks everything itself as
 * well, and its answers are the same without them. Functions of other floors that only do this end
 * in _ask, and are called only if STORE_IS_REMOTE.
 */

/*
 * Asks this SELECT, with the values that it has now, in the message of the next statement whose
 * answer somebody waits for, behind it; or in that of the next transaction's beginning. A program
 * that runs the same statement with the same values in that transaction has its rows at once,
 * unless something was written since; what db_bytes() returns of them is good until the transaction
 * ends. The statement is reset.
 */
void ahead_ask(struct stmt *q);

/* The next transaction, which only reads, ends in the message with which it begins: all that will
 * be asked was asked ahead. If more is asked, it begins again, and what was read must be the same
 * there; else the request is done once more (db_read_was_lost()). */
void ahead_alone(struct ctx *c);

/* In the message with which the next transaction begins, and before it, a request of the good key
 * with one of these digests is counted; `other` may be NULL. limit_take() tells what came of it. */
void ahead_count(struct ctx *c, const void *one, const void *other, size_t len);

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

static inline void
ahead_ask(struct stmt *q)
{
	(void)q;
}

static inline void
ahead_alone(struct ctx *c)
{
	(void)c;
}

static inline void
ahead_count(struct ctx *c, const void *one, const void *other, size_t len)
{
	(void)c;
	(void)one;
	(void)other;
	(void)len;
}

#endif

#endif
