#ifndef STORE_BOTH_BOTH_H
#define STORE_BOTH_BOTH_H
/*
 * The store of a program that knows both (docs/postgres.md §8): each function of db.h, db-hosts.h,
 * ahead.h, migrate.h and lease.h is that of SQLite or that of PostgreSQL (names.h), by what it is
 * asked for. Private to this folder.
 *
 * both.c		connections, transactions, schemas
 * both-stmt.c		statements
 * both-hosts.c		pictures, keys of days, leases
 * both-copy.c		copies of a store, and what takes its place
 * exchange.h		rows from one store to the other
 * move.c		galley store copy
 *
 * A backup holds files of SQLite, whatever store it was made of. So a restore into PostgreSQL looks
 * into the backup, brings it to this release's schema and corrects it as it does with SQLite, with
 * the same code; only what takes the place of the present rows is written to PostgreSQL
 * (both-copy.c).
 *
 * Nothing of this is in the programs of cgi-bin/ and in the job runner.
 */
#include <stdbool.h>

#include "store/both/names.h"

struct ctx;
struct instance;

/* ---- both.c */

/* Returns whether c->db is a connection of SQLite. */
bool both_db_is_lite(const struct ctx *c);

/* Makes c->instance the instance's own, whatever content is looked at: its file holds PostgreSQL's
 * address. Returns the present one, which the caller must put back. */
const struct instance *both_own(struct ctx *c);

/* ---- both-copy.c */

/* Returns whether SQLite has the store: its file is one of SQLite's, or is no place of the
 * instance's own, as that of an unpacked backup. */
bool both_is_lite(struct ctx *c, enum db_store store);
bool both_is_lite_instance(struct ctx *c); /* that of the instance's own content */
bool both_is_lite_file(struct ctx *c, const char *path);

/* Writes a store of PostgreSQL to a new file; NULL, or what went wrong. */
const char *both_copy_out(struct ctx *c, enum db_store store, const char *path, bool views);

#endif
