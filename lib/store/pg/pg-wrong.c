/* Servers and databases that Galley does not work with, in words: asked when a program connects,
 * and by galley doctor and galley init (docs/postgres.md §7). */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "store/pg/pg-handle.h"

#define VERSION_LEAST 150000

const char *
pg_wrong_server(struct ctx *c, const PGconn *handle)
{
	const char *encoding = PQparameterStatus(handle, "server_encoding");
	const char *version = PQparameterStatus(handle, "server_version");

	if (PQserverVersion(handle) < VERSION_LEAST)
		return arena_printf(c->arena,
		    "the server is PostgreSQL %.*s, and Galley needs 15 or newer",
		    version != NULL ? (int)strcspn(version, " ") : 1,
		    version != NULL ? version : "?");
	if (encoding == NULL || strcmp(encoding, "UTF8") != 0)
		return arena_printf(c->arena, "the database is in %s, and Galley needs UTF8",
		    encoding != NULL ? encoding : "an unknown encoding");
	return NULL;
}

/* Texts are ordered byte by byte, as in SQLite: a list goes on behind a name, and an index is asked
 * in this order. 950 and 951 are "C" and "POSIX". */
const char *
pg_wrong_collation_sql(struct ctx *c, const char *schema)
{
	return arena_printf(c->arena,
	    "(SELECT n.nspname || '.' || r.relname || '.' || a.attname"
	    " FROM pg_catalog.pg_attribute a"
	    " JOIN pg_catalog.pg_class r ON r.oid = a.attrelid"
	    " JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace"
	    " WHERE n.nspname = '%s' AND r.relkind = 'r' AND r.relname <> 'store'"
	    " AND a.attnum > 0 AND NOT a.attisdropped AND a.attcollation NOT IN (0, 950, 951)"
	    " ORDER BY 1 LIMIT 1)",
	    schema);
}

const char *
pg_wrong_collation(struct ctx *c, const char *column)
{
	return arena_printf(c->arena,
	    "the column %s of the database has another collation than C: the order of its texts is not Galley's",
	    column);
}
