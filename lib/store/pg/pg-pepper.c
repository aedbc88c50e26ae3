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
read_file(struct ctx *c, size_t *len)
{
	char *bytes = fileio_read_now(c->arena, c->instance->pepper, 2 * PEPPER, len);

	if (bytes == NULL)
		die_passing(60, "%s: %s", c->instance->pepper, strerror(errno));
	if (*len < PEPPER)
		die_passing(60, "%s must have %zu bytes: copy the file from a host that answers, or"
				" take it out of a backup, which is a tar archive",
		    c->instance->pepper, PEPPER);
	return bytes;
}

void
pg_pepper_note(struct ctx *c)
{
	size_t len;
	char *bytes = read_file(c, &len), check[CHECK_HEX];

	check_of(bytes, check);
	explicit_bzero(bytes, len);
	PQclear(pg_must(c->db, arena_printf(c->arena,
	    "UPDATE content.store SET pepper_check = '%s'", check)));
}

static bool
is_one_of(struct ctx *c, const char *known)
{
	char check[CHECK_HEX];
	size_t len;
	char *bytes = read_file(c, &len);
	bool found = false;

	for (size_t at = 0; at + PEPPER <= len && !found; at += PEPPER) {
		check_of(bytes + at, check);
		found = strcmp(check, known) == 0;
	}
	explicit_bzero(bytes, len);
	return found;
}

void
pg_pepper_follow(struct ctx *c, struct db *db, const char *known)
{
	if (strcmp(known, db->pepper) == 0)
		return;
	if (known[0] != '\0' && !is_one_of(c, known)) {
		pg_disconnect(db);
		log_plainly("The pepper of this host is not that of the database.");
		die_passing(60, "%s is not the pepper of this database: copy the file from a host"
				" that answers", c->instance->pepper);
	}
	(void)snprintf(db->pepper, sizeof(db->pepper), "%s", known);
}

void
pg_pepper_check(struct ctx *c, struct db *db)
{
	PGresult *result = NULL;
	const char *state, *known = "";

	db->pepper[0] = '\0';
	if (PQsendQuery(db->handle, "SELECT pepper_check FROM content.store") == 1)
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
	PQclear(result);
	pg_pepper_follow(c, db, known);
}
