/* Connections, transactions, schemas, statements, and what hosts share, where both stores are
 * known. */
#include "store/both/both.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/remote-store.h"
#include "system/instance.h"

/* ---- connections */

/* Those of SQLite that c->db has been, one for each store. A function of SQLite that may choose
 * another store leaves c->db at it: note(c) comes after each of them. */
static struct db *lites[3];
static int last_wait_ms = DB_WAIT_TOOL_MS;
static bool hosts; /* of the instance that was opened last */

static void
note(const struct ctx *c)
{
	for (size_t i = 0; i < sizeof(lites) / sizeof(lites[0]); i++) {
		if (lites[i] == c->db)
			return;
		if (lites[i] == NULL) {
			lites[i] = c->db;
			return;
		}
	}
}

/* Returns whether c->db is a connection of SQLite. */
static bool
is_lite(const struct ctx *c)
{
	for (size_t i = 0; c->db != NULL && i < sizeof(lites) / sizeof(lites[0]); i++) {
		if (lites[i] == c->db)
			return true;
	}
	return false;
}

/* Makes c->instance the instance's own, whatever content is looked at: its file holds PostgreSQL's
 * address. Returns the present one, which the caller must put back. */
static const struct instance *
own_instance(struct ctx *c)
{
	const struct instance *present = c->instance;
	struct instance *mine = arena_alloc(c->arena, sizeof(*mine));

	*mine = *present;
	mine->db = arena_printf(c->arena, "%s/db/galley.db", present->home);
	c->instance = mine;
	return present;
}

static void
open_pg(struct ctx *c, int wait_ms)
{
	const struct instance *present = own_instance(c);

	pg_db_open(c, wait_ms);
	c->instance = present;
}

static void
open_lite(struct ctx *c, int wait_ms)
{
	sqlite_db_open(c, wait_ms);
	note(c);
}

/* Makes c->db a connection of the kind that this store has; returns whether that is SQLite's. */
static bool
use(struct ctx *c, enum db_store store)
{
	bool lite = both_is_lite(c, store);

	if (c->db != NULL && is_lite(c) == lite)
		return lite;
	c->db = NULL;
	if (lite)
		open_lite(c, last_wait_ms);
	else
		open_pg(c, last_wait_ms);
	return lite;
}

void
db_open(struct ctx *c, int wait_ms)
{
	last_wait_ms = wait_ms;
	hosts = !both_is_lite_instance(c);
	if (both_is_lite(c, DB_CONTENT))
		open_lite(c, wait_ms);
	else
		open_pg(c, wait_ms);
}

bool
db_has_hosts(void)
{
	return hosts;
}

void
db_close(struct ctx *c)
{
	sqlite_db_close(c);
	pg_db_close(c);
}

void
db_create_beside(struct ctx *c, enum db_store store, bool write_ahead)
{
	if (both_is_lite(c, DB_CONTENT))
		sqlite_db_create_beside(c, store, write_ahead);
	else
		pg_db_create_beside(c, store, write_ahead);
}

void
db_reads(struct ctx *c, enum db_store store, const char *tables)
{
	if (is_lite(c))
		sqlite_db_reads(c, store, tables);
}

void
db_touches(struct ctx *c, const char *tables)
{
	if (is_lite(c))
		sqlite_db_touches(c, tables);
}

/* ---- transactions */

void
db_begin_read(struct ctx *c, enum db_store store)
{
	const struct instance *present;

	if (use(c, store)) {
		sqlite_db_begin_read(c, store);
		note(c);
		return;
	}
	present = own_instance(c);
	pg_db_begin_read(c, store);
	c->instance = present;
}

void
db_begin_write(struct ctx *c, enum db_store store, enum db_change change, int64_t workspace_id,
    int64_t account_id)
{
	const struct instance *present;

	if (use(c, store)) {
		sqlite_db_begin_write(c, store, change, workspace_id, account_id);
		note(c);
		return;
	}
	present = own_instance(c);
	pg_db_begin_write(c, store, change, workspace_id, account_id);
	c->instance = present;
}

struct err *
db_aside(
    struct ctx *c, enum db_store store, struct err *(*look)(struct ctx *c, void *arg), void *arg)
{
	struct db *outer = c->db;
	int64_t now = c->now;
	struct err *err;

	if (db_present(c) == store)
		BUG("a look aside is into another store");
	/* Between two connections of PostgreSQL the open one must stay as it is. */
	if (!is_lite(c) && !both_is_lite(c, store)) {
		const struct instance *present = own_instance(c);

		err = pg_db_aside(c, store, look, arg);
		c->instance = present;
		return err;
	}
	c->db = NULL;
	db_begin_read(c, store);
	err = look(c, arg);
	db_rollback(c);
	c->db = outer;
	c->now = now;
	return err;
}

void
db_rollback(struct ctx *c)
{
	if (is_lite(c))
		sqlite_db_rollback(c);
	else
		pg_db_rollback(c);
}

#define TO_ONE(name)                                                                               \
	void name(struct ctx *c)                                                                   \
	{                                                                                          \
		if (is_lite(c))                                                                    \
			sqlite_##name(c);                                                          \
		else                                                                               \
			pg_##name(c);                                                              \
	}

#define ASK_ONE(type, name)                                                                        \
	type name(struct ctx *c)                                                                   \
	{                                                                                          \
		return is_lite(c) ? sqlite_##name(c) : pg_##name(c);                               \
	}

TO_ONE(db_mark)
TO_ONE(db_keep)
TO_ONE(db_undo)
TO_ONE(db_commit)
TO_ONE(db_end_read)
ASK_ONE(bool, db_empty_log)
ASK_ONE(int64_t, db_version)
ASK_ONE(bool, db_is_ours)
ASK_ONE(bool, db_is_write_ahead)

enum db_store
db_present(const struct ctx *c)
{
	return is_lite(c) ? sqlite_db_present(c) : pg_db_present(c);
}

#ifdef GALLEY_TEST
void
db_check_account(struct ctx *c, int64_t account_id)
{
	if (is_lite(c))
		sqlite_db_check_account(c, account_id);
	else
		pg_db_check_account(c, account_id);
}
#endif

void
db_exec(struct ctx *c, const char *sql)
{
	if (is_lite(c))
		sqlite_db_exec(c, sql);
	else
		pg_db_exec(c, sql);
}

const char *
db_complaint(struct ctx *c, bool quick)
{
	return is_lite(c) ? sqlite_db_complaint(c, quick) : pg_db_complaint(c, quick);
}

enum db_release
db_release(struct ctx *c)
{
	return use(c, DB_CONTENT) ? sqlite_db_release(c) : pg_db_release(c);
}

/* ---- schemas */

int64_t
migrate_number(struct ctx *c, enum db_store store)
{
	const struct instance *present;
	int64_t number;

	if (use(c, store)) {
		number = sqlite_migrate_number(c, store);
		note(c);
		return number;
	}
	present = own_instance(c);
	number = pg_migrate_number(c, store);
	c->instance = present;
	return number;
}

struct err *
migrate_run(struct ctx *c, enum db_store store, int64_t *from)
{
	struct err *err;

	if (!use(c, store))
		return pg_migrate_run(c, store, from);
	err = sqlite_migrate_run(c, store, from);
	note(c);
	return err;
}

struct err *
migrate_check(struct ctx *c, enum db_store store, int64_t number)
{
	return is_lite(c) ? sqlite_migrate_check(c, store, number)
			  : pg_migrate_check(c, store, number);
}

struct err *
migrate_compare(struct ctx *c, const char *what, int64_t number)
{
	return is_lite(c) ? sqlite_migrate_compare(c, what, number)
			  : pg_migrate_compare(c, what, number);
}

struct err *
migrate_compare_console(struct ctx *c, const char *what)
{
	struct err *err;

	if (!use(c, DB_CONSOLE))
		return pg_migrate_compare_console(c, what);
	err = sqlite_migrate_compare_console(c, what);
	note(c);
	return err;
}

/* ---- statements: one of SQLite's has an odd address outside of this part */

static struct stmt *
marked(struct stmt *q)
{
	return (struct stmt *)((uintptr_t)q | 1);
}

static bool
is_marked(const struct stmt *q)
{
	return ((uintptr_t)q & 1) != 0;
}

static struct stmt *
plain(struct stmt *q)
{
	return (struct stmt *)((uintptr_t)q & ~(uintptr_t)1);
}

struct stmt *
db_prepare_with(struct ctx *c, const char *sql, const struct db_value *values)
{
	return is_lite(c) ? marked(sqlite_db_prepare_with(c, sql, values))
			  : pg_db_prepare_with(c, sql, values);
}

struct stmt *
db_prepare_dangling(struct ctx *c)
{
	return is_lite(c) ? marked(sqlite_db_prepare_dangling(c)) : pg_db_prepare_dangling(c);
}

void
db_reset(struct stmt *q)
{
	if (is_marked(q))
		sqlite_db_reset(plain(q));
	else
		pg_db_reset(q);
}

bool
db_row(struct stmt *q)
{
	return is_marked(q) ? sqlite_db_row(plain(q)) : pg_db_row(q);
}

void
db_run_stmt(struct stmt *q)
{
	if (is_marked(q))
		sqlite_db_run_stmt(plain(q));
	else
		pg_db_run_stmt(q);
}

int64_t
db_run_counted_stmt(struct stmt *q)
{
	return is_marked(q) ? sqlite_db_run_counted_stmt(plain(q)) : pg_db_run_counted_stmt(q);
}

void
prefetch(struct stmt *q)
{
	if (is_marked(q))
		sqlite_db_reset(plain(q));
	else
		pg_prefetch(q);
}

int64_t
db_insert_stmt(struct stmt *q)
{
	return is_marked(q) ? sqlite_db_insert_stmt(plain(q)) : pg_db_insert_stmt(q);
}

const char *
db_text(struct stmt *q, int column)
{
	return is_marked(q) ? sqlite_db_text(plain(q), column) : pg_db_text(q, column);
}

int64_t
db_int(struct stmt *q, int column)
{
	return is_marked(q) ? sqlite_db_int(plain(q), column) : pg_db_int(q, column);
}

bool
db_is_null(struct stmt *q, int column)
{
	return is_marked(q) ? sqlite_db_is_null(plain(q), column) : pg_db_is_null(q, column);
}

const void *
db_bytes(struct stmt *q, int column, size_t *len)
{
	return is_marked(q) ? sqlite_db_bytes(plain(q), column, len) : pg_db_bytes(q, column, len);
}

void
db_blob(struct stmt *q, int column, void *out, size_t len)
{
	if (is_marked(q))
		sqlite_db_blob(plain(q), column, out, len);
	else
		pg_db_blob(q, column, out, len);
}

/* ---- what the hosts of an instance share (hosts.h) */

/* Begins a look into the instance's own store, beside a transaction of the other one. Returns
 * c->db; the caller must put it back, and *present into c->instance. */
static struct db *
look_beside(struct ctx *c, const struct instance **present)
{
	struct db *outer = c->db;

	*present = own_instance(c);
	if (is_lite(c))
		c->db = NULL;
	return outer;
}

bool
db_picture_is_there(struct ctx *c, const char *digest)
{
	const struct instance *present;
	struct db *outer;
	bool there;

	if (!db_has_hosts())
		return sqlite_db_picture_is_there(c, digest);
	outer = look_beside(c, &present);
	there = pg_db_picture_is_there(c, digest);
	c->instance = present;
	c->db = outer;
	return there;
}

const void *
db_picture_find(struct ctx *c, const char *digest, const char *type, size_t *len)
{
	const struct instance *present;
	const void *bytes;
	struct db *outer;

	if (!db_has_hosts())
		return sqlite_db_picture_find(c, digest, type, len);
	outer = look_beside(c, &present);
	bytes = pg_db_picture_find(c, digest, type, len);
	c->instance = present;
	c->db = outer;
	return bytes;
}

void
db_pictures_hold(struct ctx *c, bool alone)
{
	if (is_lite(c))
		sqlite_db_pictures_hold(c, alone);
	else
		pg_db_pictures_hold(c, alone);
}

void
db_pictures_add(struct ctx *c)
{
	if (is_lite(c))
		sqlite_db_pictures_add(c);
	else
		pg_db_pictures_add(c);
}

void
db_picture_put(struct ctx *c, const char *digest, const void *bytes, size_t len)
{
	if (is_lite(c))
		sqlite_db_picture_put(c, digest, bytes, len);
	else
		pg_db_picture_put(c, digest, bytes, len);
}

void
db_day_key_share(struct ctx *c, int64_t day, unsigned char *key, size_t len)
{
	if (is_lite(c))
		sqlite_db_day_key_share(c, day, key, len);
	else
		pg_db_day_key_share(c, day, key, len);
}

void
db_day_keys_forget(struct ctx *c, int64_t first)
{
	if (is_lite(c))
		sqlite_db_day_keys_forget(c, first);
	else
		pg_db_day_keys_forget(c, first);
}

void
db_people_secret_changes(struct ctx *c)
{
	if (both_is_lite_instance(c))
		sqlite_db_people_secret_changes(c);
	else
		pg_db_people_secret_changes(c);
}

/* ---- leases */

int64_t
lease_now(const struct ctx *c)
{
	return is_lite(c) ? sqlite_lease_now(c) : pg_lease_now(c);
}

bool
lease_place(struct ctx *c, char out[LEASE_PLACE])
{
	return is_lite(c) ? sqlite_lease_place(c, out) : pg_lease_place(c, out);
}

const char *
lease_database(struct ctx *c)
{
	return is_lite(c) ? sqlite_lease_database(c) : pg_lease_database(c);
}
