#ifndef STORE_AHEAD_H
#define STORE_AHEAD_H
/*
 * What is asked in the message with which the next transaction begins, for stores that are far away:
 * of PostgreSQL alone. A GET then needs three messages, not five (docs/postgres.md §6).
 */
#include <stdbool.h>
#include <stddef.h>

struct ctx;
struct stmt;

/* The next transaction asks this statement, with the values that it has now, when it begins. The
 * first statement of the same text that is run there with the same values has its rows. `alone`:
 * the transaction ends with it. */
void ahead_ask(struct stmt *q, bool alone);

/* In the same message, and before it, a request of the good key with one of these digests is
 * counted; `other` may be NULL. limit_take() tells what came of it. */
void ahead_count(struct ctx *c, const void *one, const void *other, size_t len);

#endif
