/*
 * Whether this host has the pepper of the database (docs/postgres.md §6). Keys, cursors and
 * addresses are digests that are keyed with it: a host with another one would answer 401 to every
 * customer. So the database keeps a digest of the pepper, and each connection compares; each
 * transaction sees whether a restore has written another one since.
 *
 * While a restore runs the file holds two peppers (access/pepper.h); either will do.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/fileio.h"
#include "base/log.h"
#include "store/pg/pg-handle.h"
#include "system/instance.h"

#define PEPPER ((size_t)32)
#define CHECK ((size_t)16)
#define CHECK_HEX PG_PEPPER_CHECK

_Static_assert(2 * CHECK + 1 == CHECK_HEX, "the digest fits");

static void
check_of(const char *pepper, char out[CHECK_HEX])
{
	struct digest d;

	digest_begin_keyed(&d, CHECK, "galley pepper check 1", pepper, PEPPER);
	digest_end_hex(&d, out);
	explicit_bzero(&d, sizeof(d));
}

/* Reads the file. Its size and who can read it are checked where it is used. */
static char *
find_file(struct ctx *c, size_t *len, const char **missing)
{
	char *bytes = fileio_read_now(c->arena, c->instance->pepper, 2 * PEPPER, len);

	*missing = NULL;
	if (bytes != NULL && *len >= PEPPER)
		return bytes;
	*missing = bytes == NULL ? arena_printf(c->arena, "%s: %s", c->instance->pepper,
	    strerror(errno)) : arena_printf(c->arena, "%s must have %zu bytes: copy the file from a"
	    " host that answers, or take it out of a backup, which is a tar archive",
	    c->instance->pepper, PEPPER);
	return NULL;
}

void
pg_pepper_note(struct ctx *c)
{
	const char *missing;
	char check[CHECK_HEX];
	size_t len;
	char *bytes = find_file(c, &len, &missing);

	if (bytes == NULL)
		die_passing(60, "%s", missing);
	check_of(bytes, check);
	explicit_bzero(bytes, len);
	PQclear(pg_must(c->db, arena_printf(c->arena,
	    "UPDATE content.store SET pepper_check = '%s'", check)));
}

bool
pg_pepper_is_ours(struct ctx *c, const char *known, const char **missing)
{
	char check[CHECK_HEX];
	bool found = false;
	size_t len;
	char *bytes = find_file(c, &len, missing);

	if (bytes == NULL)
		return false;
	for (size_t at = 0; at + PEPPER <= len && !found; at += PEPPER) {
		check_of(bytes + at, check);
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

void
pg_pepper_follow(struct ctx *c, struct db *db, const char *known)
{
	const char *missing = NULL;

	if (strcmp(known, db->pepper) == 0)
		return;
	if (known[0] != '\0' && !pg_pepper_is_ours(c, known, &missing)) {
		if (missing != NULL)
			refuse_host(db, NULL, missing);
		refuse_host(db, "The pepper of this host is not that of the database.",
		    arena_printf(c->arena, "%s is not the pepper of this database: copy the file"
			" from a host that answers", c->instance->pepper));
	}
	(void)snprintf(db->pepper, sizeof(db->pepper), "%s", known);
}

void
pg_pepper_check(struct ctx *c, struct db *db)
{
	PGresult *result = NULL;
	const char *state, *known = "", *column = NULL;

	db->pepper[0] = '\0';
	if (PQsendQuery(db->handle, arena_printf(c->arena, "SELECT pepper_check, %s"
		" FROM content.store", pg_wrong_collation_sql(c, pg_schema(db->store)))) == 1)
		result = pg_await(db);
	state = result != NULL ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
	/* An empty database has no such table yet. */
	if (state != NULL && strcmp(state, "42P01") == 0) {
		PQclear(result);
		return;
	}
	if (PQresultStatus(result) != PGRES_TUPLES_OK)
		pg_fault(db, result, "pepper_check");
	if (PQntuples(result) == 1)
		known = arena_text(c->arena, PQgetvalue(result, 0, 0));
	if (PQntuples(result) == 1 && !PQgetisnull(result, 0, 1))
		column = pg_wrong_collation(c, PQgetvalue(result, 0, 1));
	PQclear(result);
	pg_pepper_follow(c, db, known);
	if (column != NULL)
		refuse_host(db, "The database is set up wrongly.", column);
}
