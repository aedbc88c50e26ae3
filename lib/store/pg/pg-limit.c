/* Limits that all hosts share: db/pg/limits.sql. */
#include "store/limit-store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/ahead.h"
#include "store/pg/pg-handle.h"
#include "system/conf.h"

#define BYTES_MAX ((size_t)4096)

/* What db/pg/limits.sql is told of the time; `told` 0: nothing. */
struct told {
	int64_t told, ahead;
};

static struct told
clock_of(void)
{
	struct told out = { 0, 0 };
#ifdef GALLEY_TEST
	const char *told = getenv("GALLEY_CLOCK");

	if (told != NULL && told[0] == '@')
		out.told = clock_now();
	else if (told != NULL)
		out.ahead = clock_now() - clock_machine();
#endif
	return out;
}

void
ahead_count(struct ctx *c, const void *one, const void *other, size_t len)
{
	struct db *db = c->db;
	char *kept = arena_alloc(c->arena, 2 * len);

	memcpy(kept, one, len);
	if (other != NULL)
		memcpy(kept + len, other, len);
	db->limit.asked = true;
	db->limit.one = kept;
	db->limit.other = other != NULL ? kept + len : NULL;
	db->limit.len = len;
}

bool
pg_queue_count(struct ctx *c, struct db *db)
{
	struct stmt *q = db_prepare(c, "SELECT key_id, used, first_at, now FROM content.limit_ask("
				       ":one, :other, :quota, :counted, :told, :ahead)");
	struct told at = clock_of();
	bool queued;

	db_bind_blob(q, ":one", db->limit.one, db->limit.len);
	db_bind_blob(q, ":other", db->limit.other, db->limit.len);
	db_bind_int(q, ":quota", c->conf->requests_per_minute);
	db_bind_int(q, ":counted", c->conf->requests_counted);
	if (at.told != 0)
		db_bind_int(q, ":told", at.told);
	db_bind_int(q, ":ahead", at.ahead);
	queued = pg_queue(q, &db->limit.result);
	db_reset(q);
	return queued;
}

static int64_t
number_at(const PGresult *result, int column)
{
	return strtoll(PQgetvalue(result, 0, column), NULL, 10);
}

void
pg_note_count(struct db *db)
{
	PGresult *result = db->limit.result;

	db->limit.result = NULL;
	db->limit.known = PQntuples(result) == 1;
	if (db->limit.known) {
		db->limit.key_id = number_at(result, 0);
		db->limit.used = number_at(result, 1);
		db->limit.first_at = number_at(result, 2);
		db->limit.now = number_at(result, 3);
	}
	PQclear(result);
}

static int
seconds_until(int64_t when, int64_t now)
{
	int64_t s = (when - now + CLOCK_SECOND - 1) / CLOCK_SECOND;

	return s < 1 ? 1 : (int)s;
}

/* A key that was made between the count and the look at it is not counted yet. */
void
limit_take(struct ctx *c, int64_t key_id, struct limit *out)
{
	const struct db *db = c->db;
	int used;

	memset(out, 0, sizeof(*out));
	if (c->conf->requests_per_minute == 0 || !db->limit.known || db->limit.key_id != key_id)
		return;
	used = (int)db->limit.used;
	out->active = true;
	out->quota = (int)c->conf->requests_per_minute;
	out->refused = used >= out->quota && !c->conf->requests_counted;
	if (!out->refused)
		used++;
	out->left = used >= out->quota ? 0 : out->quota - used;
	out->reset_s = seconds_until(db->limit.first_at + LIMIT_KEY_WINDOW, db->limit.now);
	out->retry_s = out->refused ? out->reset_s : 0;
}

int64_t
limit_last_used(struct ctx *c, int64_t key_id)
{
	PGresult *result = pg_must(
	    c->db, arena_printf(c->arena,
		       "SELECT times[1] FROM content.limit_key WHERE key_id = %" PRId64, key_id));
	int64_t at = PQntuples(result) == 1 ? number_at(result, 0) : 0;

	PQclear(result);
	return at;
}

/* A snapshot cannot write: it ends. Nothing follows it but the refusal. */
bool
limit_networks_fail(struct ctx *c, const struct limit_network *networks, int count, int *retry_s)
{
	struct buf sites, places, most;
	struct told at = clock_of();
	PGresult *result;
	int64_t until, now;

	if (c->db->writing)
		BUG("a failure is counted in no writing transaction");
	db_rollback(c);
	buf_init(&sites, c->arena, BYTES_MAX);
	buf_init(&places, c->arena, BYTES_MAX);
	buf_init(&most, c->arena, BYTES_MAX);
	for (int i = 0; i < count; i++) {
		const char *comma = i > 0 ? "," : "";
		buf_printf(&sites, "%s%s", comma, networks[i].is_site ? "TRUE" : "FALSE");
		buf_printf(&places, "%s%u", comma, networks[i].place);
		buf_printf(&most, "%s%d", comma,
		    networks[i].is_site ? LIMIT_SITE_TIMES : LIMIT_HOST_TIMES);
	}
	pg_set_deadline(c->db);
	result = pg_must(c->db,
	    arena_printf(c->arena,
		"SELECT * FROM content.limit_fail(ARRAY[%s],"
		"ARRAY[%s]::bigint[],ARRAY[%s]::bigint[],%s,%s,%" PRId64 ")",
		buf_done(&sites), buf_done(&places), buf_done(&most),
		c->conf->requests_counted ? "TRUE" : "FALSE",
		at.told == 0 ? "NULL" : arena_printf(c->arena, "%" PRId64, at.told), at.ahead));
	until = number_at(result, 0);
	now = number_at(result, 1);
	PQclear(result);
	*retry_s = until == 0 ? 0 : seconds_until(until, now);
	return until != 0;
}
