/*
 * Whether this host has the secrets of the database (docs/postgres.md §6): the pepper, with which
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
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/fileio.h"
#include "base/log.h"
#include "store/db-hosts.h"
#include "store/pg/pg-handle.h"
#include "system/instance.h"

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
