#ifndef STORE_AHEAD_H
#define STORE_AHEAD_H
/*
 * What a program will soon ask, told to the store before, for stores that are far away: of
 * PostgreSQL alone. Several questions then make one journey (docs/postgres.md §5). These are
 * wishes: a program asks everything itself as well, and its answers are the same without them.
 */
#include <stdbool.h>
#include <stddef.h>

struct ctx;
struct stmt;

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

#endif
