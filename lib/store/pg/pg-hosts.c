/* What hosts share beside the tables of the schemas: pictures and keys of days, in the tables of
 * db/pg/media.sql and db/pg/day-key.sql. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/db-hosts.h"
#include "store/pg/pg-handle.h"

#define VALUES_MAX 2

/* A value of a statement: a text, or bytes with their length. */
struct value {
	const void *bytes;
	size_t len;
	bool binary;
};

bool
db_has_hosts(void)
{
	return true;
}

static struct value
text_of(const char *text)
{
	return (struct value) { text, strlen(text), false };
}

static PGresult *
send(struct db *db, const char *sql, const struct value *v, int count)
{
	const char *values[VALUES_MAX];
	int lengths[VALUES_MAX], formats[VALUES_MAX];

	for (int i = 0; i < count; i++) {
		values[i] = v[i].bytes;
		lengths[i] = (int)v[i].len;
		formats[i] = v[i].binary;
	}
	if (!pg_settle(db) ||
	    PQsendQueryParams(db->handle, sql, count, NULL, values, lengths, formats, 1) != 1)
		return NULL;
	return pg_await(db);
}

/* Runs a statement, and returns its rows as bytes. Outside of a transaction a connection that was
 * lost is made again, once. */
static PGresult *
ask(struct ctx *c, struct db *db, const char *sql, const struct value *v, int count)
{
	bool within = pg_is_open(db);
	PGresult *result = send(db, sql, v, count);
	ExecStatusType status;

	if (result == NULL && !within) {
		pg_connect(c, db);
		result = send(db, sql, v, count);
	}
	status = PQresultStatus(result);
	if (result == NULL || (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK))
		pg_fault(db, result, sql);
	return result;
}

static struct db *
writer(struct ctx *c, enum db_store store)
{
	if (c->db == NULL || c->db->store != store || !c->db->writing)
		BUG("this is written in a transaction of %s", pg_schema(store));
	return c->db;
}

/* ---- pictures */

void
db_pictures_hold(struct ctx *c, bool alone)
{
	PQclear(pg_must(
	    writer(c, DB_CONTENT), arena_printf(c->arena, "SELECT pg_advisory_xact_lock%s(%d)",
				       alone ? "" : "_shared", PG_PICTURES_KEY)));
}

void
db_pictures_add(struct ctx *c)
{
	PQclear(pg_must(writer(c, DB_CONTENT),
	    arena_printf(c->arena, "SELECT pg_advisory_xact_lock(%d)", PG_NEW_PICTURES_KEY)));
}

void
db_picture_put(struct ctx *c, const char *digest, const void *bytes, size_t len)
{
	const struct value values[] = { text_of(digest), { bytes, len, true } };

	PQclear(ask(c, writer(c, DB_CONTENT),
	    "INSERT INTO media_bytes (digest, bytes)"
	    " VALUES ($1, $2) ON CONFLICT (digest) DO UPDATE SET bytes = excluded.bytes",
	    values, 2));
}

bool
db_picture_is_there(struct ctx *c, const char *digest)
{
	const struct value value = text_of(digest);
	PGresult *result = ask(
	    c, pg_beside(c, DB_CONTENT), "SELECT 1 FROM media_bytes WHERE digest = $1", &value, 1);
	bool there = PQntuples(result) == 1;

	PQclear(result);
	return there;
}

const void *
db_picture_find(struct ctx *c, const char *digest, const char *type, size_t *len)
{
	const struct value values[] = { text_of(digest),
		{ type, type != NULL ? strlen(type) : 0, false } };
	PGresult *result = ask(c, pg_beside(c, DB_CONTENT),
	    "SELECT b.bytes FROM media m"
	    " JOIN media_bytes b ON b.digest = m.digest"
	    " WHERE m.digest = $1 AND ($2::text IS NULL OR m.type = $2)",
	    values, 2);
	char *bytes = NULL;

	if (PQntuples(result) == 1) {
		*len = (size_t)PQgetlength(result, 0, 0);
		bytes = arena_alloc(c->arena, *len + 1);
		memcpy(bytes, PQgetvalue(result, 0, 0), *len);
		bytes[*len] = '\0';
	}
	PQclear(result);
	return bytes;
}

/* ---- keys of days */

static const char *
number_of(struct ctx *c, int64_t number)
{
	return arena_printf(c->arena, "%lld", (long long)number);
}

void
db_day_key_share(struct ctx *c, int64_t day, unsigned char *key, size_t len)
{
	struct db *db = writer(c, DB_STATS);
	const struct value values[] = { text_of(number_of(c, day)), { key, len, true } };
	PGresult *result;

	PQclear(ask(c, db,
	    "INSERT INTO day_key (day, key) VALUES ($1, $2)"
	    " ON CONFLICT (day) DO NOTHING",
	    values, 2));
	result = ask(c, db, "SELECT key FROM day_key WHERE day = $1", values, 1);
	if (PQntuples(result) != 1 || (size_t)PQgetlength(result, 0, 0) != len)
		die("the key of a day has another length");
	memcpy(key, PQgetvalue(result, 0, 0), len);
	PQclear(result);
}

void
db_day_keys_forget(struct ctx *c, int64_t first)
{
	const struct value value = text_of(number_of(c, first));

	PQclear(ask(c, writer(c, DB_STATS), "DELETE FROM day_key WHERE day < $1", &value, 1));
}
