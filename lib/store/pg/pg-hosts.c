/* What hosts share beside the tables of the schemas (docs/postgres.md §6): pictures, keys of days,
 * leases, secrets, limits. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/fileio.h"
#include "base/log.h"
#include "store/hosts.h"
#include "store/lease.h"
#include "store/limit.h"
#include "store/pg/pg-connection.h"
#include "store/remote-store.h"
#include "system/conf.h"
#include "system/instance.h"

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

/* ---- the clock of leases, and this place */

#define PLACE ((size_t)16) /* bytes of the digest */

_Static_assert(2 * PLACE + 1 <= LEASE_PLACE, "a place fits");

bool
lease_is_shared(void)
{
	return true;
}

int64_t
lease_now(const struct ctx *c)
{
	return c->db != NULL ? c->db->clock : clock_machine();
}

/* Hosts may be containers of one kernel: then their folders differ. */
bool
lease_place(struct ctx *c, char out[LEASE_PLACE])
{
	char boot[CLOCK_BOOT_ID];
	struct digest d;
	struct stat st;

	if (!clock_boot_id(boot) || stat(c->instance->run, &st) != 0) {
		out[0] = '\0';
		return false;
	}
	digest_begin(&d, PLACE, "galley place 1");
	digest_text(&d, boot);
	digest_int(&d, (int64_t)st.st_dev);
	digest_int(&d, (int64_t)st.st_ino);
	digest_end_hex(&d, out);
	return true;
}

/* Standbys have the number of their primary's cluster, a copy by pg_dump has not. */
const char *
lease_database(struct ctx *c)
{
	PGresult *result = pg_must(c->db, "SELECT system_identifier || '/' || current_database()"
					  " FROM pg_control_system()");
	const char *place = arena_printf(c->arena, "PostgreSQL %s", PQgetvalue(result, 0, 0));

	PQclear(result);
	return place;
}

/* ---- leases of tasks: db/pg/task-lease.sql */

static struct db *
people(struct ctx *c)
{
	if (c->db == NULL || c->db->store != DB_CONSOLE)
		BUG("a lease of a task is in a transaction of the people's store");
	return c->db;
}

static int64_t
until(const struct ctx *c)
{
	return lease_now(c) + TASK_LEASE_S * CLOCK_SECOND;
}

/* Runs a statement that changes or finds one row. Returns whether there was one. */
static bool
is_one(struct db *db, const char *sql)
{
	PGresult *result = pg_must(db, sql);
	bool one = PQntuples(result) == 1;

	PQclear(result);
	return one;
}

/* A runner has the lock of its host: a lease from before is that of a process which has ended. */
bool
task_lease_take(struct ctx *c, int64_t task_id, char holder[TASK_LEASE_HOLDER])
{
	char place[LEASE_PLACE];

	if (!lease_place(c, place))
		die("this host has no name for a lease");
	uuid_random(holder);
	return is_one(people(c),
	    arena_printf(c->arena,
		"INSERT INTO task_lease"
		" (task_id, place, holder, until) VALUES (%" PRId64 ", '%s', '%s', %" PRId64 ")"
		" ON CONFLICT (task_id) DO UPDATE SET place = excluded.place, holder = excluded.holder,"
		" until = excluded.until WHERE task_lease.place = excluded.place"
		" OR task_lease.until <= %" PRId64 " RETURNING task_id",
		task_id, place, holder, until(c), lease_now(c)));
}

/* One that is over, but that nobody took, is still its holder's. */
bool
task_lease_keep(struct ctx *c, int64_t task_id, const char *holder)
{
	struct db *db = people(c);
	const char *which =
	    arena_printf(c->arena, "task_id = %" PRId64 " AND holder = '%s'", task_id, holder);

	if (!db->writing)
		return is_one(
		    db, arena_printf(c->arena, "SELECT 1 FROM task_lease WHERE %s", which));
	return is_one(
	    db, arena_printf(c->arena,
		    "UPDATE task_lease SET until = %" PRId64 " WHERE %s RETURNING task_id",
		    until(c), which));
}

void
task_lease_end(struct ctx *c, int64_t task_id, const char *holder)
{
	PQclear(pg_must(people(c), arena_printf(c->arena,
				       "DELETE FROM task_lease"
				       " WHERE task_id = %" PRId64 " AND holder = '%s'",
				       task_id, holder)));
}

size_t
task_lease_others(struct ctx *c, int64_t **ids)
{
	char place[LEASE_PLACE];
	PGresult *result;
	size_t count;

	(void)lease_place(c, place);
	result = pg_must(people(c), arena_printf(c->arena,
					"SELECT task_id FROM task_lease"
					" WHERE until > %" PRId64 " AND place <> '%s'",
					lease_now(c), place));
	count = (size_t)PQntuples(result);
	*ids = arena_grow(c->arena, NULL, 0, count * sizeof(**ids) + 1);
	for (size_t i = 0; i < count; i++)
		(*ids)[i] = strtoll(PQgetvalue(result, (int)i, 0), NULL, 10);
	PQclear(result);
	return count;
}

/*
 * ---- whether this host has the secrets of the database (docs/postgres.md §6)
 *
 * They are the pepper, with which
 * keys, cursors and addresses are keyed, and people/secret, with which passwords, second factors
 * and the places of tries are. A host with another pepper would answer 401 to every customer, one
 * with another secret would call every password wrong. So the database keeps a digest of each: that
 * of the pepper in content.store, that of the secret in console.store. Each connection compares;
 * each transaction sees whether a restore has written another one since.
 *
 * While a restore runs the file of the pepper holds two (access/pepper.h); either will do. People
 * are only put where there are none: until they are, console.store has no digest, and any secret
 * will do.
 */

#define PEPPER ((size_t)32)
#define CHECK ((size_t)16)
#define CHECK_HEX PG_PEPPER_CHECK

_Static_assert(2 * CHECK + 1 == CHECK_HEX, "the digest fits");

/* Returns the file whose digest a store keeps. */
static const char *
path_of(struct ctx *c, enum db_store store)
{
	return store == DB_CONSOLE ? arena_printf(c->arena, "%s/people/secret", c->instance->home)
				   : c->instance->pepper;
}

static void
check_of(enum db_store store, const char *secret, char out[CHECK_HEX])
{
	struct digest d;

	digest_begin_keyed(&d, CHECK,
	    store == DB_CONSOLE ? "galley people check 1" : "galley pepper check 1", secret,
	    PEPPER);
	digest_end_hex(&d, out);
	explicit_bzero(&d, sizeof(d));
}

/* Reads the file. Its size and who can read it are checked where it is used. */
static char *
find_file(struct ctx *c, enum db_store store, size_t *len, const char **missing)
{
	const char *path = path_of(c, store);
	char *bytes = fileio_read_now(c->arena, path, 2 * PEPPER, len);

	*missing = NULL;
	if (bytes != NULL && *len >= PEPPER)
		return bytes;
	*missing =
	    bytes == NULL
		? arena_printf(c->arena, "%s: %s", path, strerror(errno))
		: arena_printf(c->arena,
		      "%s must have %zu bytes: copy the file from a host that answers, or take it out of a backup, which is a tar archive",
		      path, PEPPER);
	return NULL;
}

void
pg_pepper_note(struct ctx *c, enum db_store store)
{
	const char *missing;
	char check[CHECK_HEX];
	size_t len;
	char *bytes = find_file(c, store, &len, &missing);

	if (bytes == NULL)
		die_passing(60, "%s", missing);
	check_of(store, bytes, check);
	explicit_bzero(bytes, len);
	PQclear(pg_must(c->db, arena_printf(c->arena, "UPDATE %s.store SET pepper_check = '%s'",
				   pg_schema(store), check)));
}

bool
pg_pepper_is_ours(struct ctx *c, enum db_store store, const char *known, const char **missing)
{
	char check[CHECK_HEX];
	bool found = false;
	size_t len;
	char *bytes = find_file(c, store, &len, missing);

	if (bytes == NULL)
		return false;
	for (size_t at = 0; at + PEPPER <= len && !found; at += PEPPER) {
		check_of(store, bytes + at, check);
		found = strcmp(check, known) == 0;
	}
	explicit_bzero(bytes, len);
	return found;
}

static _Noreturn void
refuse_host(struct db *db, const char *plainly, const char *said)
{
	pg_disconnect(db);
	if (plainly != NULL)
		log_plainly(plainly);
	die_passing(60, "%s", said);
}

/* Dies unless this host has the secret whose digest a store keeps. "": it keeps none. */
static void
compare(struct ctx *c, struct db *db, enum db_store store, const char *known)
{
	const char *missing = NULL;

	if (known[0] == '\0' || pg_pepper_is_ours(c, store, known, &missing))
		return;
	if (missing != NULL)
		refuse_host(db, NULL, missing);
	if (store == DB_CONSOLE)
		refuse_host(db, "The file people/secret of this host is not that of the database.",
		    arena_printf(c->arena,
			"%s is not the secret of the people in this database: copy the file from a host where people sign in",
			path_of(c, store)));
	refuse_host(db, "The pepper of this host is not that of the database.",
	    arena_printf(c->arena,
		"%s is not the pepper of this database: copy the file from a host that answers",
		path_of(c, store)));
}

void
pg_pepper_follow(struct ctx *c, struct db *db, const char *known)
{
	if (strcmp(known, db->pepper) == 0)
		return;
	compare(c, db, db->store, known);
	(void)snprintf(db->pepper, sizeof(db->pepper), "%s", known);
}

/* The pepper is that of all three stores, and the people have a secret besides. */
void
pg_pepper_check(struct ctx *c, struct db *db)
{
	PGresult *result = NULL;
	const char *state, *known = "", *own = "", *column = NULL;

	db->pepper[0] = '\0';
	if (PQsendQuery(db->handle, arena_printf(c->arena,
					"SELECT pepper_check, %s,"
					" (SELECT pepper_check FROM %s.store) FROM content.store",
					pg_wrong_collation_sql(c, pg_schema(db->store)),
					db->store == DB_CONSOLE ? "console" : "content")) == 1)
		result = pg_await(db);
	state = result != NULL ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
	/* An empty database has no such table yet. */
	if (state != NULL && strcmp(state, "42P01") == 0) {
		PQclear(result);
		return;
	}
	if (PQresultStatus(result) != PGRES_TUPLES_OK)
		pg_fault(db, result, "pepper_check");
	if (PQntuples(result) == 1) {
		known = arena_text(c->arena, PQgetvalue(result, 0, 0));
		own = arena_text(c->arena, PQgetvalue(result, 0, 2));
	}
	if (PQntuples(result) == 1 && !PQgetisnull(result, 0, 1))
		column = pg_wrong_collation(c, PQgetvalue(result, 0, 1));
	PQclear(result);
	if (db->store != DB_CONTENT)
		compare(c, db, DB_CONTENT, known);
	if (db->store != DB_STATS)
		pg_pepper_follow(c, db, own);
	if (column != NULL)
		refuse_host(db, "The database is set up wrongly.", column);
}

void
db_people_secret_changes(struct ctx *c)
{
	pg_choose(c, DB_CONSOLE);
	pg_be_owner(c, c->db, true);
	PQclear(pg_must(c->db, "BEGIN; UPDATE console.store SET pepper_check = NULL"));
	pg_must_commit(c->db);
	pg_be_owner(c, c->db, false);
	pg_choose(c, DB_CONTENT);
}

/* ---- limits: db/pg/limits.sql */

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

static int64_t
number_at(const PGresult *result, int column)
{
	return strtoll(PQgetvalue(result, 0, column), NULL, 10);
}

/* ---- the key of a request (store/remote-store.h) */

/* What REMOTE_KEY adds after the columns of the row. */
enum { KEY_NUMBER = -6, KEY_STAMP_KEYS = -3, KEY_STAMP_WORKSPACE = -2, KEY_COUNT = -1 };

static struct stmt *
key_question(struct ctx *c, const char *sql, const unsigned char *digest, bool counted)
{
	const struct told at = clock_of();
	const struct db_value values[] = { db_b(":digest", digest, DIGEST_SIZE),
		db_i(":quota", counted ? c->conf->requests_per_minute : 0),
		db_i(":counted", c->conf->requests_counted), db_i_or_null(":told", at.told),
		db_i(":ahead", at.ahead), { 0 } };

	return db_prepare_with(c, sql, values);
}

bool
pg_queue_key(struct ctx *c, struct db *db)
{
	struct stmt *q = key_question(c, db->key.sql, db->key.digest, false);
	bool queued = pg_queue(q, &db->key.begun);

	db_reset(q);
	return queued;
}

void
pg_take_key(struct ctx *c, struct db *db, const PGresult *result)
{
	int end = PQnfields(result);

	pg_take_look(c, db, result, end + KEY_NUMBER);
	db->key.stamps = (struct remote_stamps) { number_at(result, end + KEY_STAMP_KEYS),
		number_at(result, end + KEY_STAMP_WORKSPACE) };
}

struct remote_stamps
remote_stamps(const struct ctx *c)
{
	return c->db->key.stamps;
}

/* Notes what limit_count() said: "{used,first_at,now}". */
static void
note_count(struct db *db, const PGresult *result)
{
	int column = PQnfields(result) + KEY_COUNT;
	char *at = PQgetvalue(result, 0, column);

	db->key.counted = 0;
	if (PQgetisnull(result, 0, column))
		return;
	db->key.counted = number_at(result, 0);
	db->key.used = strtoll(at + 1, &at, 10);
	db->key.first_at = strtoll(at + 1, &at, 10);
	db->key.now = strtoll(at + 1, NULL, 10);
}

/* Asks once; NULL if the connection is lost. */
static PGresult *
ask_key(struct ctx *c, struct db *db)
{
	PGresult *result = NULL;

	return pg_queue(key_question(c, db->key.sql, db->key.digest, true), &result) &&
		       pg_settle(db)
		   ? result
		   : NULL;
}

/* Asks outside of a transaction. A connection that was lost is made again, once: at worst the
 * request is counted twice. While a restore ends the table with the number may be seen empty. */
static PGresult *
ask_alone(struct ctx *c, struct db *db)
{
	PGresult *result;

	pg_set_deadline(db);
	result = ask_key(c, db);
	if (result == NULL && (db->deadline == 0 || clock_boot() < db->deadline)) {
		pg_disconnect(db);
		pg_connect(c, db);
		result = ask_key(c, db);
	}
	if (result != NULL && PQntuples(result) == 0) {
		PQclear(result);
		result = ask_key(c, db);
	}
	if (result == NULL)
		pg_fault(db, NULL, "the look at a key");
	return result;
}

struct stmt *
remote_key(struct ctx *c, const char *sql, const unsigned char digest[DIGEST_SIZE])
{
	struct db *db = c->db;
	PGresult *result = NULL;
	struct stmt *q;

	if (!pg_is_open(db)) {
		db->key.sql = sql;
		memcpy(db->key.digest, digest, DIGEST_SIZE);
		result = ask_alone(c, db);
		pg_take_key(c, db, result);
		note_count(db, result);
		db->deadline = 0;
	} else if (memcmp(db->key.digest, digest, DIGEST_SIZE) == 0) {
		result = db->key.begun;
		db->key.begun = NULL;
	}
	q = key_question(c, sql, digest, false);
	if (result == NULL)
		return q;
	q->result = result;
	q->row = -1;
	q->rows = PQntuples(result);
	return q;
}

/* A key that was made between the count and the look at it is not counted yet. */
void
limit_take(struct ctx *c, int64_t key_id, struct limit *out)
{
	const struct db *db = c->db;
	int used;

	memset(out, 0, sizeof(*out));
	if (c->conf->requests_per_minute == 0 || db->key.counted != key_id)
		return;
	used = (int)db->key.used;
	out->active = true;
	out->quota = (int)c->conf->requests_per_minute;
	out->refused = used >= out->quota && !c->conf->requests_counted;
	if (!out->refused)
		used++;
	out->left = used >= out->quota ? 0 : out->quota - used;
	out->reset_s = clock_seconds_until(db->key.first_at + LIMIT_KEY_WINDOW, db->key.now);
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
	*retry_s = until == 0 ? 0 : clock_seconds_until(until, now);
	return until != 0;
}

/* ---- places in which failures are counted: db/pg/limit-places.sql */

#define WRITES_MAX ((size_t)16 * 1024)

struct limit_places {
	struct ctx *c;
	struct db *db;
	bool own, begun; /* the transaction; if it is not its own, it is the caller's */
	struct buf writes; /* what is sent with the end */
};

/* The file is that of a store with one host. */
struct limit_places *
limit_places_open(struct ctx *c, const char *path)
{
	struct limit_places *p = arena_alloc(c->arena, sizeof(*p));

	(void)path;
	*p = (struct limit_places) { .c = c, .db = pg_beside(c, DB_CONSOLE) };
	p->own = !pg_is_open(p->db);
	if (!p->own && !p->db->writing)
		BUG("places are in no snapshot");
	if (p->own)
		pg_set_deadline(p->db);
	buf_init(&p->writes, c->arena, WRITES_MAX);
	return p;
}

/* A row is made before it is locked: two that make it wait for each other. */
bool
limit_places_read(struct limit_places *p, int64_t number, void *out, size_t size)
{
	bool first = p->own && !p->begun;
	const char *sql = arena_printf(p->c->arena,
	    "%sINSERT INTO limit_place VALUES (%" PRId64 ", '') ON CONFLICT DO NOTHING;"
	    "SELECT bytes FROM limit_place WHERE number = %" PRId64 " FOR UPDATE",
	    first ? "BEGIN;" : "", number, number);
	PGresult *result = first ? pg_must_first(p->c, p->db, sql) : pg_must(p->db, sql);
	unsigned char *bytes = NULL;
	size_t len = 0;

	p->begun = true;
	memset(out, 0, size);
	if (PQntuples(result) == 1)
		bytes = PQunescapeBytea((const unsigned char *)PQgetvalue(result, 0, 0), &len);
	if (bytes == NULL)
		die("place %" PRId64 " cannot be read", number);
	/* One that nobody wrote has no bytes. */
	if (len == size)
		memcpy(out, bytes, size);
	PQfreemem(bytes);
	PQclear(result);
	return true;
}

bool
limit_places_write(struct limit_places *p, int64_t number, const void *bytes, size_t size)
{
	char *hex = arena_alloc(p->c->arena, 2 * size + 1);

	digest_hex(hex, bytes, size);
	buf_printf(&p->writes, "UPDATE limit_place SET bytes = '\\x%s' WHERE number = %" PRId64 ";",
	    hex, number);
	return true;
}

void
limit_places_close(struct limit_places *p)
{
	if (p->own && p->begun)
		buf_add_text(&p->writes, "COMMIT");
	if (p->writes.len > 0)
		PQclear(pg_must(p->db, buf_done(&p->writes)));
	if (p->own)
		p->db->deadline = 0;
}
