#ifndef STORE_PG_CONNECTION_H
#define STORE_PG_CONNECTION_H
/*
 * The connection to PostgreSQL and its statements (docs/postgres.md). Private to this folder.
 *
 * Each store is a schema of one database and has a connection of its own, whose search_path
 * names it.
 */
#include <libpq-fe.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"
#include "base/fileio.h"
#include "store/db.h"
#include "store/remote-store.h"

struct ctx;

#define PG_STATEMENTS_MAX 224
#define PG_PARAMETERS_MAX 48

/* The advisory lock of a store: a transaction that names a workspace or an account shares it, and
 * one that names neither has it alone. */
#define PG_LOCK_KEY(store) (0x67616c00 + (int)(store))

/* A digest of the pepper or of people/secret, in hex with its end. */
#define PG_PEPPER_CHECK 33

/* The type of columns of bytes. */
#define PG_BYTEA 17

/* Commands whose answers nobody has read yet. */
#define PG_PARTS_MAX 320

/* Statements that are asked together (store/remote-store.h). */
#define PG_PREFETCHES_MAX 32

/* All that a GET can answer changes (docs/postgres.md §5). */
#define PG_STAMP_ALL "UPDATE content.stamp SET value = content.stamp_draw() WHERE slot = 0"

/* That which a backup shares while it reads, and a restore waits for (store/both/both-copy.c). */
#define PG_BACKUP_KEY 0x67616c12

/* Those of pictures (store/hosts.h). */
#define PG_PICTURES_KEY 0x67616c10
#define PG_NEW_PICTURES_KEY 0x67616c11

/* A bound value; `text` NULL is NULL. */
struct pg_value {
	const char *name; /* in the statement's literal */
	size_t name_len;
	const char *text;
	int len;
	bool binary; /* bytes as they are; else digits */
	char digits[24]; /* of a number */
};

struct stmt {
	struct db *db;
	const char *sql; /* the literal: its address is the statement's name */
	char name[24]; /* on the server */
	bool prepared; /* on the server, or in a message that was queued */
	bool reads; /* a SELECT */
	bool many; /* its text says many: it is read by a cursor */
	bool bytes; /* its text says bytes: the server sends values as they are, not as text */
	unsigned writes; /* bits of what it changes: 1 << enum db_change */
	int count; /* of parameters */
	struct pg_value values[PG_PARAMETERS_MAX];
	PGresult *result; /* NULL: it was not run yet */
	bool borrowed; /* the result is that of a prefetch */
	int row, rows;
	uint64_t cursor; /* 0: the result is whole */
	int piece; /* rows that were asked of the cursor */
};

/* A question that was asked with another one. */
struct pg_prefetch {
	struct stmt *q;
	struct pg_value *values; /* in the request's arena */
	PGresult *result; /* NULL: on its way */
};

/* A command that was queued. */
struct pg_part {
	const char *what; /* its SQL; NULL: the end of a message */
	PGresult **into; /* where its result goes; NULL: only a failure matters */
	bool quiet; /* not even that */
};

struct db {
	PGconn *handle;
	enum db_store store;
	bool owner; /* it signs in as the owner of the tables */
	struct ctx *c; /* of the present request */
	int wait_ms;
	int64_t deadline; /* of the transaction (clock_boot()); 0: each answer has its own */
	bool writing;
	bool committing; /* COMMIT was sent: the outcome may be unknown */
	bool unsure; /* a standby may not have the commit */
	enum db_change change;
	int64_t account_id;
	int64_t clock; /* the database's, as the last transaction began; no test steps it */
	struct fileio_written conf, mark; /* galley.conf and db/galley.db, as they were read */
	char pepper[PG_PEPPER_CHECK]; /* the store's, as it was compared; "": it has none */
	bool open; /* a transaction, as far as was queued */
	struct pg_part parts[PG_PARTS_MAX];
	int parts_count;
	struct pg_prefetch prefetches[PG_PREFETCHES_MAX];
	int prefetches_count;
	PGresult *look; /* the number of the schema, and the time */
	struct {
		const char *sql; /* of the present request's look at its key; NULL: none */
		unsigned char digest[DIGEST_SIZE];
		PGresult *begun; /* what the beginning of the transaction found */
		bool later; /* the next beginning goes with the first question */
		bool unseen; /* it went, or goes, with a question: nobody looked at it yet */
		struct remote_stamps stamps;
		int64_t counted; /* the id of the key of which a request was counted, or 0 */
		int64_t used, first_at, now; /* what limit_count() said */
	} key;
	uint64_t cursors; /* that there were */
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

/* Closes the connection, if there is one, and forgets its statements. */
void pg_disconnect(struct db *db);

/* Returns what is wrong with the server or the database of a new connection, a sentence
 * without a dot, or NULL. No question is sent. */
const char *pg_wrong_server(struct ctx *c, const PGconn *handle);

/* Returns an expression of SQL: the first column of a schema that has another collation than C, or
 * NULL; and the sentence about such a column. */
const char *pg_wrong_collation_sql(struct ctx *c, const char *schema);

const char *pg_wrong_collation(struct ctx *c, const char *column);

/* Returns whether this host has the secret of this digest: that of the content is the
 * pepper, that of the people people/secret. *missing is a sentence if the file cannot be read. */
bool pg_pepper_is_ours(struct ctx *c, enum db_store store, const char *known, const char **missing);

/* Compares this host's secrets with those of the database, and the collation of its
 * columns with ours, and dies (503) if one is another; and makes this host's that of the
 * database. */
void pg_pepper_check(struct ctx *c, struct db *db);

void pg_pepper_note(struct ctx *c, enum db_store store);

/* Compares again if the store has another one than this connection has seen: a restore on another
 * host wrote it. Dies as pg_pepper_check() does. */
void pg_pepper_follow(struct ctx *c, struct db *db, const char *known);

/* Returns how long the server may take for a transaction, or for a statement of a tool. */
int pg_patience_ms(const struct db *db);

/* Sets the deadline of a transaction that begins now. */
void pg_set_deadline(struct db *db);

/* Leaves a new connection time for an answer: connecting takes 2 s for each host that is silent. */
void pg_extend_deadline(struct db *db);

/* Waits for the answer to what was sent with PQsendQuery*(), and returns its last result. Returns
 * NULL if the connection was lost or the answer did not come in time; then it is closed. */
PGresult *pg_await(struct db *db);

/*
 * ---- pg-pipeline.c
 *
 * Commands are queued, and their answers are read later, all of one message at once:
 *
 *	pg_queue(q, NULL);	an INSERT; its values may change from here on
 *	pg_queue(r, &result);	a SELECT
 *	pg_settle(db);		one round trip; the first failure is a fault, as in db.h
 *
 * A command after one that failed is not run. Who talks with libpq directly settles first. A lost
 * connection is false, and is closed.
 */
bool pg_queue(struct stmt *q, PGresult **into);

/* Queues a text that is not prepared, with the first `count` values of a statement. */
bool pg_queue_plain(struct stmt *q, const char *text, int count, PGresult **into);

/* The same of a text without names, which is a literal. */
bool pg_queue_text(struct ctx *c, struct db *db, const char *sql, PGresult **into);

/* Ends a message; what follows is run whatever failed before. */
bool pg_queue_end(struct db *db);

bool pg_settle(struct db *db);

/* Sends what is queued; nobody waits for the answers, nor minds if it failed. */
void pg_let_go(struct db *db);

/* Gives the statement the rows of a prefetch; false if there are none. */
bool pg_take_prefetch(struct stmt *q);

/* What was asked before a write is not true any more, and after the transaction it is over. A
 * statement that reads its rows keeps them. */
void pg_forget_prefetches(struct db *db);

/* pg-hosts.c: queues the look at the key of the present request, which counts nothing, into
 * db->key.begun; and: takes from an answer to it what pg_take_look() takes, and the stamps. */
bool pg_queue_key(struct ctx *c, struct db *db);

void pg_take_key(struct ctx *c, struct db *db, const PGresult *result);

/* pg-transaction.c: looks at a beginning that came with a question: if the stamps have changed
 * since the look at the key, the request is done once more (serve.c), and this process ends. */
void pg_see_beginning(struct ctx *c, struct db *db);

/* pg-transaction.c: takes the number of the schema and the time from an answer, from this
 * column on: another release, or a database without a schema, ends the process. */
void pg_take_look(struct ctx *c, struct db *db, const PGresult *look, int column);

/* Names the parameters of a statement, and returns it as PostgreSQL wants it: with $1 in place of
 * the first name (arena). */
const char *pg_text_of(struct ctx *c, struct stmt *q);

/* Returns whether a transaction is open. */
bool pg_is_open(const struct db *db);

/* Sends SQL, which may be several statements, and returns the last result. The first failure is
 * a fault, as in db.h. */
PGresult *pg_must(struct db *db, const char *sql);

/* The same, of what is asked before a transaction, or begins one, and may be said twice: a
 * connection that was lost since the last transaction is made again, once, within the deadline. */
PGresult *pg_must_first(struct ctx *c, struct db *db, const char *sql);

/* Commits what a tool wrote with pg_must(). Dies unless the server says that it is committed, and
 * that a standby has it, if there is one. */
void pg_must_commit(struct db *db);

/* The question whether a COMMIT waits for a standby, which fails if one does (pg-transaction.c). */
extern const char pg_waits_sql[];

/* Says what went wrong, rolls back, and ends the process: with 503 if the fault may pass
 * (docs/postgres.md §7), else with 500. `result` is the failed result, or NULL if there is
 * none. `what` is SQL, or a word. */
_Noreturn void pg_fault(struct db *db, PGresult *result, const char *what);

/* pg-transaction.c: asks for the number of the schema, after a fault that may be another release's;
 * dies (503) if it is another one, or is no longer where this release has it and the fault is not
 * one that `passes`. A tool asks nothing. */
void pg_check_number(struct db *db, bool passes);

/* Notes that the connection was lost, for db_read_was_lost(); `state` is the server's SQLSTATE, or
 * NULL if it said nothing. */
void pg_note_lost(const struct db *db, const char *state);

/* Forgets the results of all statements. */
void pg_reset_all(struct db *db);

/* Where the database is. Private to this folder. */

/* As whom a connection signs in (docs/postgres.md §9). */
enum pg_role {
	PG_PROGRAMS, /* the user of the address: console, tool, runners */
	PG_API, /* the API's programs, pages, pictures */
	PG_OWNER /* whose the tables are */
};

/* What galley.conf says; texts are in the arena. */
struct pg_address {
	const char *info; /* what libpq takes apart */
	const char *user; /* in place of the programs', or NULL */
	const char *programs; /* the user of the programs; "": nobody is named */
	const char *passwords; /* the file of passwords, or NULL */
	const char *sslmode; /* where the address says none; NULL: libpq's */
	const char *authority; /* the certificate that signs the server's, where the address names
				  none; NULL: libpq's */
	bool by_sockets; /* all hosts are sockets of this machine */
	bool unproved; /* a host may be another one: the address says a weaker sslmode */
	/* As lists that replace the address's; NULL: the address's own. */
	const char *hosts, *host_addresses, *ports;
};

#define PG_PARAMETERS 20

/* What libpq is given: names and values, the last one NULL. */
struct pg_parameters {
	const char *names[PG_PARAMETERS], *values[PG_PARAMETERS];
};

/* Reads galley.conf for a role; one that it does not name is that of the programs. Returns NULL, or
 * a sentence without a dot: what is wrong. Then the rest of *out may be missing. */
const char *pg_address_read(struct ctx *c, enum pg_role role, struct pg_address *out);

/* Writes how to connect: to a host that is such a `target` (target_session_attrs), for a session
 * with these settings. What it writes lives as long as the address. */
void pg_address_parameters(const struct pg_address *address, const char *target,
    const char *settings, struct pg_parameters *out);

/* A host of an address; texts are in the arena. */
struct pg_host {
	const char *name; /* a name, an address or a folder with a socket; "": libpq's standard */
	const char *address; /* its IP address, if the address says it besides; or "" */
	const char *port;
};

/* Takes the hosts of an address apart, at most `max`. Returns how many there are; 0: libpq cannot
 * read it. */
size_t pg_address_hosts(struct ctx *c, const char *info, struct pg_host *out, size_t max);

#endif
