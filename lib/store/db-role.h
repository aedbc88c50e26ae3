#ifndef STORE_DB_ROLE_H
#define STORE_DB_ROLE_H
/*
 * As whom a process signs in to the database (docs/postgres.md §9). With SQLite there are no users,
 * and this is nothing.
 *
 * A file that includes this is compiled for each store (Makefile, OF_STORE).
 */

#include <stdbool.h>

struct ctx;

/* This process answers strangers: it signs in as the user who may ask what the API, pages and
 * pictures need, and no more. Before its first connection. */
#ifdef STORE_PG
void db_as_api(void);
#else
static inline void
db_as_api(void)
{
}
#endif

/* From here on this process signs in as the owner of the tables, or as the programs again: for a
 * work that must succeed where the programs have no rights yet. Outside of transactions; the next
 * one connects. */
#ifdef STORE_PG
void db_as_owner(struct ctx *c, bool owner);
#else
static inline void
db_as_owner(struct ctx *c, bool owner)
{
	(void)c;
	(void)owner;
}
#endif

#endif
