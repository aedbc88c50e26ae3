#ifndef STORE_BOTH_BOTH_H
#define STORE_BOTH_BOTH_H
/*
 * The store of a program that knows both (docs/postgres.md §8): each function of db.h, hosts.h,
 * remote-store.h, migrate.h and lease.h is that of SQLite or that of PostgreSQL, by what it is
 * asked for. Private to this folder.
 *
 * both.c		connections, transactions, schemas, statements, what hosts share
 * both-copy.c		copies of a store, and what takes its place
 * exchange.h		rows from one store to the other
 * both-move.c	galley store copy
 *
 * A backup holds files of SQLite, whatever store it was made of. So a restore into PostgreSQL looks
 * into the backup, brings it to this release's schema and corrects it as it does with SQLite, with
 * the same code; only what takes the place of the present rows is written to PostgreSQL
 * (both-copy.c).
 *
 * Nothing of this is in the programs of cgi-bin/ and in the job runner.
 */
#include <stdbool.h>

#include "store/db.h"
#include "store/hosts.h"
#include "store/lease.h"
#include "store/migrate.h"
#include "store/move.h"
#include "store/remote-store.h"

struct ctx;
struct instance;

/* ---- both-copy.c */

/* Returns whether SQLite has the store: its file is one of SQLite's, or is no place of the
 * instance's own, as that of an unpacked backup. */
bool both_is_lite(struct ctx *c, enum db_store store);
bool both_is_lite_instance(struct ctx *c); /* that of the instance's own content */
bool both_is_lite_file(struct ctx *c, const char *path);

/* Writes a store of PostgreSQL to a new file; NULL, or what went wrong. */
const char *both_copy_out(struct ctx *c, enum db_store store, const char *path, bool views);

/*
 * ---- the functions of each store
 *
 * The functions of each store under names of their own. In the operator's tool and the task runner
 * of the build STORE=pg, both.mk gives these names to the objects of lib/store/sqlite and
 * lib/store/pg; the usual names are the functions of this folder, which choose one of the two
 */

#define BOTH(type, name, parameters)                                                               \
	extern type sqlite_##name parameters;                                                      \
	extern type pg_##name parameters

BOTH(void, db_open, (struct ctx * c, int wait_ms));
BOTH(void, db_reads, (struct ctx * c, enum db_store store, const char *tables));
BOTH(void, db_touches, (struct ctx * c, const char *tables));
BOTH(void, db_create_beside, (struct ctx * c, enum db_store store, bool write_ahead));
BOTH(void, db_close, (struct ctx * c));
BOTH(void, db_begin_read, (struct ctx * c, enum db_store store));
BOTH(void, db_begin_write,
    (struct ctx * c, enum db_store store, enum db_change change, int64_t workspace_id,
	int64_t account_id));
BOTH(struct err *, db_aside,
    (struct ctx * c, enum db_store store, struct err *(*look)(struct ctx *c, void *arg),
	void *arg));
BOTH(enum db_store, db_present, (const struct ctx *c));
#ifdef GALLEY_TEST
BOTH(void, db_check_account, (struct ctx * c, int64_t account_id));
#endif
BOTH(void, db_mark, (struct ctx * c));
BOTH(void, db_keep, (struct ctx * c));
BOTH(void, db_undo, (struct ctx * c));
BOTH(void, db_commit, (struct ctx * c));
BOTH(bool, db_empty_log, (struct ctx * c));
BOTH(void, db_end_read, (struct ctx * c));
BOTH(void, db_rollback, (struct ctx * c));
BOTH(struct stmt *, db_prepare_with,
    (struct ctx * c, const char *sql, const struct db_value *values));
BOTH(bool, db_row, (struct stmt * q));
BOTH(void, db_run_stmt, (struct stmt * q));
BOTH(int64_t, db_run_counted_stmt, (struct stmt * q));
BOTH(int64_t, db_insert_stmt, (struct stmt * q));
BOTH(void, db_reset, (struct stmt * q));
BOTH(const char *, db_text, (struct stmt * q, int column));
BOTH(int64_t, db_int, (struct stmt * q, int column));
BOTH(bool, db_is_null, (struct stmt * q, int column));
BOTH(const void *, db_bytes, (struct stmt * q, int column, size_t *len));
BOTH(void, db_blob, (struct stmt * q, int column, void *out, size_t len));
BOTH(void, db_exec, (struct ctx * c, const char *sql));
BOTH(int64_t, db_version, (struct ctx * c));
BOTH(enum db_release, db_release, (struct ctx * c));
BOTH(bool, db_is_ours, (struct ctx * c));
BOTH(bool, db_is_write_ahead, (struct ctx * c));
BOTH(struct stmt *, db_prepare_dangling, (struct ctx * c));
BOTH(const char *, db_complaint, (struct ctx * c, bool quick));
BOTH(const char *, db_file_complaint, (struct ctx * c, const char *path, bool quick));
BOTH(const char *, db_copy_to, (struct ctx * c, const char *path));
BOTH(const char *, db_copy_console_to, (struct ctx * c, const char *path));
BOTH(const char *, db_copy_views_to, (struct ctx * c, const char *path));
BOTH(const char *, db_copy_pages_to, (struct ctx * c, const char *path));
BOTH(int64_t, migrate_number, (struct ctx * c, enum db_store store));
BOTH(struct err *, migrate_run, (struct ctx * c, enum db_store store, int64_t *from));
BOTH(struct err *, migrate_check, (struct ctx * c, enum db_store store, int64_t number));
BOTH(struct err *, migrate_compare, (struct ctx * c, const char *what, int64_t number));
BOTH(struct err *, migrate_compare_console, (struct ctx * c, const char *what));

BOTH(int64_t, lease_now, (const struct ctx *c));
BOTH(bool, lease_place, (struct ctx * c, char out[LEASE_PLACE]));
BOTH(const char *, lease_database, (struct ctx * c));

BOTH(void, prefetch, (struct stmt * q));

BOTH(void, db_picture_put, (struct ctx * c, const char *digest, const void *bytes, size_t len));
BOTH(bool, db_picture_is_there, (struct ctx * c, const char *digest));
BOTH(const void *, db_picture_find,
    (struct ctx * c, const char *digest, const char *type, size_t *len));
BOTH(void, db_day_key_share, (struct ctx * c, int64_t day, unsigned char *key, size_t len));
BOTH(void, db_day_keys_forget, (struct ctx * c, int64_t first));
BOTH(void, db_people_secret_changes, (struct ctx * c));
BOTH(void, db_pictures_hold, (struct ctx * c, bool alone));
BOTH(void, db_pictures_add, (struct ctx * c));

/* SQLite's alone. */
void sqlite_db_memory_begin(void);
struct db_swap *sqlite_db_swap_open(struct ctx *c, enum db_store store);
const char *sqlite_db_swap_copy_to(struct ctx *c, struct db_swap *s, const char *path);
bool sqlite_db_swap_lock(struct ctx *c, struct db_swap *s, const char *path);
void sqlite_db_swap_unlock(struct db_swap *s);
bool sqlite_db_swap_can_read(const struct db_swap *s);
void sqlite_db_swap_commit(struct ctx *c, struct db_swap *s);
void sqlite_db_swap_close(struct db_swap *s);

/* ---- the part of a move that is SQLite's (move-lite.c): it knows a connection of SQLite's */

int64_t move_lite_number(struct ctx *c, enum db_store store);

/* Closes or opens the files of the instance. The content is the last one. */
void move_lite_mark(struct ctx *c, bool closed, void (*change)(struct ctx *c));

void move_lite_look(struct ctx *c, move_look *look, struct digest *into);

#endif
