#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/both/both.h"
#include "store/both/exchange.h"
#include "store/move.h"
#include "store/pg/pg-connection.h"
#include "store/schemas.h"
#include "store/server.h"
#include "system/fault.h"
#include "system/instance.h"

/* Content is the last one: a file of it in its place ends the move. */
static const enum db_store stores[] = { DB_CONSOLE, DB_STATS, DB_CONTENT };
#define STORES (sizeof(stores) / sizeof(stores[0]))

static struct db mine;

bool
move_is_built(void)
{
	return true;
}

bool
move_is_lite(struct ctx *c)
{
	return both_is_lite_instance(c);
}

/* ---- PostgreSQL */

/* Begins a transaction of the instance's PostgreSQL. One that writes has all stores alone. */
static void
begin_pg(struct ctx *c, bool writes)
{
	mine.store = DB_CONTENT;
	mine.c = c;
	mine.wait_ms = DB_WAIT_TOOL_MS;
	mine.owner = true;
	pg_connect(c, &mine);
	PQclear(pg_must(&mine, writes ? "BEGIN ISOLATION LEVEL READ COMMITTED"
				      : "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"));
	for (int store = DB_CONTENT; writes && store <= DB_STATS; store++)
		PQclear(pg_must(&mine, arena_printf(c->arena, "SELECT pg_advisory_xact_lock(%d)",
					   PG_LOCK_KEY(store))));
	mine.writing = writes;
	mine.change = DB_CHANGES_ALL;
	c->db = &mine;
	c->now = clock_now();
}

static void
end_pg(struct ctx *c, bool commit)
{
	if (commit)
		pg_must_commit(&mine);
	mine.writing = false;
	pg_disconnect(&mine);
	c->db = NULL;
}

/* Returns the first number of the answer. */
static int64_t
ask_pg(const char *sql)
{
	PGresult *result = pg_must(&mine, sql);
	int64_t number = PQntuples(result) == 1 ? strtoll(PQgetvalue(result, 0, 0), NULL, 10) : 0;

	PQclear(result);
	return number;
}

static bool
is_empty_pg(void)
{
	return ask_pg("SELECT (SELECT count(*) FROM content.account)"
		      " + (SELECT count(*) FROM content.workspace)"
		      " + (SELECT count(*) FROM console.person)") == 0;
}

static void
mark_pg(struct ctx *c, bool closed, void (*change)(struct ctx *c))
{
	begin_pg(c, true);
	PQclear(pg_must(&mine, PG_STAMP_ALL));
	if (change != NULL)
		change(c);
	for (size_t i = 0; i < STORES; i++)
		PQclear(pg_must(
		    &mine, arena_printf(c->arena, "UPDATE %s.store SET number = %lld",
			       pg_schema(stores[i]),
			       (long long)schemas_number(stores[i]) + (closed ? DB_MOVED : 0))));
	end_pg(c, true);
}

static void
look_pg(struct ctx *c, move_look *look, struct digest *into)
{
	PQclear(pg_must(&mine, "SET LOCAL search_path = content"));
	c->db = &mine;
	look(c, into);
	pg_reset_all(&mine);
	/* The rows are copied by libpq itself. */
	if (!pg_settle(&mine))
		pg_fault(&mine, NULL, "look");
}

/* ---- either */

int64_t
move_number(struct ctx *c, enum db_store store)
{
	int64_t number;

	if (move_is_lite(c))
		return move_lite_number(c, store);
	begin_pg(c, false);
	number = ask_pg(arena_printf(c->arena, "SELECT number FROM %s.store", pg_schema(store)));
	end_pg(c, false);
	return number;
}

bool
move_is_closed(struct ctx *c)
{
	return move_number(c, DB_CONTENT) >= DB_MOVED;
}

bool
move_is_reached(struct ctx *c)
{
	return move_is_lite(c) || server_look(c).grade != SERVER_BAD;
}

/* Counts what there is, without a transaction that would refuse a closed store. */
static void
count_lite(struct ctx *c, struct digest *into)
{
	struct stmt *q = db_prepare(c, "SELECT (SELECT count(*) FROM account /*scan*/)"
				       " + (SELECT count(*) FROM workspace /*scan*/)");

	digest_int(into, db_row(q) ? db_int(q, 0) : 0);
	db_reset(q);
}

bool
move_is_empty(struct ctx *c)
{
	unsigned char found[DIGEST_SIZE], none[DIGEST_SIZE];
	struct digest d;
	bool empty;

	if (!move_is_lite(c)) {
		begin_pg(c, false);
		empty = is_empty_pg();
		end_pg(c, false);
		return empty;
	}
	digest_begin(&d, DIGEST_SIZE, "galley move count");
	move_lite_look(c, count_lite, &d);
	digest_end(&d, found);
	digest_begin(&d, DIGEST_SIZE, "galley move count");
	digest_int(&d, 0);
	digest_end(&d, none);
	return memcmp(found, none, DIGEST_SIZE) == 0;
}

void
move_close(struct ctx *c)
{
	if (move_is_lite(c))
		move_lite_mark(c, true, NULL);
	else
		mark_pg(c, true, NULL);
}

void
move_open(struct ctx *c, void (*change)(struct ctx *c))
{
	if (move_is_lite(c))
		move_lite_mark(c, false, change);
	else
		mark_pg(c, false, change);
}

static void
look_at(struct ctx *c, move_look *look, unsigned char out[DIGEST_SIZE])
{
	struct digest d;

	digest_begin(&d, DIGEST_SIZE, "galley move");
	if (move_is_lite(c)) {
		move_lite_look(c, look, &d);
	} else {
		begin_pg(c, false);
		look_pg(c, look, &d);
		end_pg(c, false);
	}
	digest_end(&d, out);
}

bool
move_looks_same(struct ctx *c, const struct instance *to, move_look *look)
{
	const struct instance *from = c->instance;
	unsigned char a[DIGEST_SIZE], b[DIGEST_SIZE];

	look_at(c, look, a);
	c->instance = to;
	look_at(c, look, b);
	c->instance = from;
	return memcmp(a, b, DIGEST_SIZE) == 0;
}

static struct err *
refuse_it(struct ctx *c, const char *wrong)
{
	return refuse(
	    c, ERR_CONFLICT, "The rows cannot be copied: %s. Nothing was changed.", wrong);
}

/* Compares the revision of each article in the file with that which the transaction sees. */
static bool
looks_like_file(struct ctx *c, const char *path, move_look *look)
{
	const struct instance *present = c->instance;
	struct instance file = *present;
	unsigned char a[DIGEST_SIZE], b[DIGEST_SIZE];
	struct digest d;

	digest_begin(&d, DIGEST_SIZE, "galley move");
	look_pg(c, look, &d);
	digest_end(&d, a);
	file.db = path;
	c->instance = &file;
	digest_begin(&d, DIGEST_SIZE, "galley move");
	move_lite_look(c, look, &d);
	digest_end(&d, b);
	c->instance = present;
	return memcmp(a, b, DIGEST_SIZE) == 0;
}

/* ---- into PostgreSQL: one transaction */

/* The other instance has the secret of the people already. */
static void
note_secret(struct ctx *c, const struct instance *to)
{
	const struct instance *from = c->instance;

	c->instance = to;
	c->db = &mine;
	pg_pepper_note(c, DB_CONSOLE);
	c->db = NULL;
	c->instance = from;
}

static struct err *
into_pg(struct ctx *c, const struct instance *to, move_look *look)
{
	const struct instance *from = c->instance;
	const char *wrong = NULL;

	c->instance = to;
	begin_pg(c, true);
	c->instance = from;
	if (!is_empty_pg())
		wrong = "somebody wrote into the other instance";
	for (size_t i = 0; wrong == NULL && i < STORES; i++) {
		if (move_lite_number(c, stores[i]) != 0)
			wrong = exchange_in(c, mine.handle, stores[i], db_file_of(c, stores[i]),
			    from->media, EXCHANGE_MOVE);
		if (stores[i] == DB_CONSOLE)
			note_secret(c, to);
		(void)FAULT("move-store");
	}
	if (wrong == NULL && !looks_like_file(c, from->db, look))
		wrong = "an article has another revision there";
	(void)FAULT("move-before-commit");
	end_pg(c, wrong == NULL);
	(void)FAULT("move-committed");
	return wrong == NULL ? NULL : refuse_it(c, wrong);
}

/* ---- into SQLite: files that are prepared, then take the places of others */

static const char *
prepared(struct ctx *c, const char *folder, enum db_store store)
{
	return arena_printf(c->arena, "%s/%s.db", folder, pg_schema(store));
}

static void
swap(struct ctx *c, enum db_store store, const char *path)
{
	struct db_swap *s = sqlite_db_swap_open(c, store);

	(void)sqlite_db_swap_lock(c, s, path);
	sqlite_db_swap_commit(c, s);
	sqlite_db_swap_close(s);
	(void)FAULT("move-store");
}

static struct err *
into_lite(struct ctx *c, const struct instance *to, const char *folder, move_look *look)
{
	const struct instance *from = c->instance;
	const char *wrong = NULL;

	begin_pg(c, false);
	for (size_t i = 0; wrong == NULL && i < STORES; i++) {
		wrong = exchange_out(
		    c, mine.handle, stores[i], prepared(c, folder, stores[i]), EXCHANGE_MOVE);
		(void)FAULT("move-prepared");
	}
	if (wrong == NULL)
		wrong = exchange_pictures_out(c, mine.handle, to->media);
	if (wrong == NULL && !looks_like_file(c, prepared(c, folder, DB_CONTENT), look))
		wrong = "an article has another revision there";
	end_pg(c, false);
	if (wrong != NULL)
		return refuse_it(c, wrong);
	(void)FAULT("move-before-commit");
	/* --back of another host does not know of this one's lock. */
	if (!move_is_closed(c))
		return refuse_it(c, "the move was taken back meanwhile");
	c->instance = to;
	/* While people and counts are put in place, nobody gets in. */
	move_close(c);
	for (size_t i = 0; i < STORES; i++)
		swap(c, stores[i], prepared(c, folder, stores[i]));
	c->instance = from;
	(void)FAULT("move-committed");
	return NULL;
}

struct err *
move_rows(struct ctx *c, const struct instance *to, const char *folder, move_look *look)
{
	return move_is_lite(c) ? into_pg(c, to, look) : into_lite(c, to, folder, look);
}
