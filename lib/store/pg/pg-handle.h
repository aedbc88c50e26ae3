#ifndef STORE_PG_PG_HANDLE_H
#define STORE_PG_PG_HANDLE_H
/*
 * The connection to PostgreSQL and its statements (docs/postgres.md). Private to this folder.
 *
 * Each store is a schema of one database and has a connection of its own, whose search_path
 * names it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libpq-fe.h>

#include "base/fileio.h"
#include "store/db.h"

struct ctx;

#define PG_STATEMENTS_MAX 192
#define PG_PARAMETERS_MAX 48
/* The advisory lock of a store: a transaction that names a workspace or an account shares it, and
 * one that names neither has it alone. */
#define PG_LOCK_KEY(store) (0x67616c00 + (int)(store))
/* A digest of the pepper, in hex with its end. */
#define PG_PEPPER_CHECK 33
/* The types that Galley's columns have. */
#define PG_BYTEA 17
#define PG_BIGINT 20
#define PG_TEXT 25

/* That of pictures (store/db-hosts.h). */
#define PG_PICTURES_KEY 0x67616c10

/* A bound value; `text` NULL is NULL. */
struct pg_value {
	const char *name; /* in the statement's literal */
	size_t name_len;
	Oid type;
	const char *text;
	int len;
	char digits[24]; /* of a number */
};

struct stmt {
	struct db *db;
	const char *sql; /* the literal: its address is the statement's name */
	char name[24];   /* on the server */
	unsigned writes; /* bits of what it changes: 1 << enum db_change */
	int count;       /* of parameters */
	struct pg_value values[PG_PARAMETERS_MAX];
	PGresult *result; /* NULL: it was not run yet */
	int row, rows;
};

struct db {
	PGconn *handle;
	enum db_store store;
	bool owner;    /* it signs in as the owner of the tables (pg-address.h) */
	struct ctx *c; /* of the present request */
	int wait_ms;
	int64_t deadline; /* of the transaction (clock_boot()); 0: each answer has its own */
	bool writing;
	bool committing; /* COMMIT was sent: the outcome may be unknown */
	bool unsure;     /* a standby may not have the commit */
	enum db_change change;
	bool seen; /* it wrote what only people see */
	int64_t account_id;
	int64_t clock; /* the database's, as the last transaction began; no test steps it */
	struct fileio_written conf, mark; /* galley.conf and db/galley.db, as they were read */
	char pepper[PG_PEPPER_CHECK];     /* the database's, as it was compared; "": it has none */
	/* What the next transaction's beginning asks (store/ahead.h). */
	struct {
		bool asked;            /* else the rest is that of the present transaction */
		const char *sql;
		const char *arguments; /* in the request's arena */
		bool alone;
		PGresult *result;      /* in that transaction, until it is taken */
	} ahead;
	struct {
		const char *asked; /* arguments, in the request's arena; NULL: nothing */
		bool known;        /* a good key was counted; the rest tells of it */
		int64_t key_id, used, first_at, now;
	} limit;
	bool has_ask; /* the statement that counts is prepared */
	size_t count; /* of statements */
	struct stmt statements[PG_STATEMENTS_MAX];
};

/* Returns the name of the store's schema. */
const char *pg_schema(enum db_store store);

/* Makes c->db the connection of the store, and connects if there is none. */
void pg_choose(struct ctx *c, enum db_store store);

/* Returns the connection of a store, made if there is none. c->db stays the present one. */
struct db *pg_beside(struct ctx *c, enum db_store store);

/* Connects again: statements are prepared again. Dies if no server answers. */
void pg_connect(struct ctx *c, struct db *db);

/* Connects again as the owner of the tables, or as the programs again. Does nothing where these are
 * the same user. */
void pg_be_owner(struct ctx *c, struct db *db, bool owner);

/* pg-rights.c: gives the other users of the database the rights that they need, in each schema that is
 * there (docs/postgres.md §9). In a transaction of the owner. */
void pg_rights_give(struct ctx *c);

/* Closes the connection, if there is one, and forgets its statements. */
void pg_disconnect(struct db *db);

/* pg-wrong.c: returns what is wrong with the server or the database of a new connection, a sentence
 * without a dot, or NULL. No question is sent. */
const char *pg_wrong_server(struct ctx *c, const PGconn *handle);

/* Returns an expression of SQL: the first column of a schema that has another collation than C, or
 * NULL; and the sentence about such a column. */
const char *pg_wrong_collation_sql(struct ctx *c, const char *schema);
const char *pg_wrong_collation(struct ctx *c, const char *column);

/* pg-pepper.c: returns whether this host has the pepper of this digest. *missing is a sentence if
 * the file cannot be read. */
bool pg_pepper_is_ours(struct ctx *c, const char *known, const char **missing);

/* pg-pepper.c: compares this host's pepper with that of the database, and the collation of its
 * columns with ours, and dies (503) if one is another; and makes this host's that of the database. */
void pg_pepper_check(struct ctx *c, struct db *db);
void pg_pepper_note(struct ctx *c);
/* Compares again if the database has another one than this connection has seen: a restore on another
 * host wrote it. Dies as pg_pepper_check() does. */
void pg_pepper_follow(struct ctx *c, struct db *db, const char *known);

/* Returns how long the server may take for a transaction, or for a statement of a tool. */
int pg_patience_ms(const struct db *db);

/* Sets the deadline of a transaction that begins now. */
void pg_set_deadline(struct db *db);

/* Leaves a new connection time for an answer: connecting takes 2 s for each host that is silent. */
void pg_extend_deadline(struct db *db);

/* Waits for the answer to what was sent, and returns its last result. Returns NULL if the
 * connection was lost or the answer did not come in time; then it is closed. */
PGresult *pg_await(struct db *db);

/* The same, and keeps the rows of what was asked before the last statement: at most `max` results,
 * which the caller clears. */
PGresult *pg_await_all(struct db *db, PGresult **kept, int max, int *count);

/* pg-limit.c: notes what came of the count of a key. */
void pg_limit_answered(struct db *db, const PGresult *result);

/* Returns the statement's values as the arguments of EXECUTE (arena). */
const char *pg_arguments(struct ctx *c, const struct stmt *q);

/* Sends SQL, which may be several statements, and returns the last result. The first failure is
 * a fault, as in db.h. */
PGresult *pg_must(struct db *db, const char *sql);

/* Commits what a tool wrote with pg_must(). Dies unless the server says that it is committed, and that
 * a standby has it, if there is one. */
void pg_must_commit(struct db *db);

/* Says what went wrong, rolls back, and ends the process: with 503 if the fault may pass
 * (docs/postgres.md §7), else with 500. `result` is the failed result, or NULL if there is
 * none. `what` is SQL, or a word. */
_Noreturn void pg_fault(struct db *db, PGresult *result, const char *what);

/* Notes that the connection was lost, for db_read_was_lost(); `state` is the server's SQLSTATE, or NULL
 * if it said nothing. */
void pg_note_lost(const struct db *db, const char *state);

/* Forgets the results of all statements. */
void pg_reset_all(struct db *db);

#endif
