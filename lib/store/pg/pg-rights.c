/*
 * The rights of those who do not own the tables (docs/postgres.md §9), from the texts of
 * db/pg/rights/.
 *
 * All are given again whenever the owner makes or changes a schema, and with each `galley migrate`:
 * a user that galley.conf names since then gets them so.
 */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/pg/pg-address.h"
#include "store/pg/pg-handle.h"

#include "pg_rights.h"

#define TEXT_MAX ((size_t)16 * 1024)

/* Runs a text of db/pg/rights/ for a user. */
static void
run(struct ctx *c, const char *text, const char *schema, const char *user)
{
	char *name = PQescapeIdentifier(c->db->handle, user, strlen(user));
	struct buf sql;

	if (name == NULL)
		die("PostgreSQL: %s", PQerrorMessage(c->db->handle));
	buf_init(&sql, c->arena, TEXT_MAX);
	while (text[0] != '\0') {
		size_t len = strcspn(text, "@");

		buf_printf(&sql, "%.*s", (int)len, text);
		text += len;
		if (strncmp(text, "@USER", strlen("@USER")) == 0) {
			buf_printf(&sql, "%s", name);
			text += strlen("@USER");
		} else if (strncmp(text, "@SCHEMA", strlen("@SCHEMA")) == 0) {
			buf_printf(&sql, "%s", schema);
			text += strlen("@SCHEMA");
		} else if (text[0] != '\0') {
			BUG("a text of rights has another word with @");
		}
	}
	PQfreemem(name);
	PQclear(pg_must(c->db, buf_done(&sql)));
}

static bool
is_there(struct ctx *c, enum db_store store)
{
	PGresult *result = pg_must(
	    c->db, arena_printf(c->arena,
		       "SELECT 1 FROM pg_tables WHERE schemaname = '%s' AND tablename = 'store'",
		       pg_schema(store)));
	bool there = PQntuples(result) == 1;

	PQclear(result);
	return there;
}

void
pg_rights_give(struct ctx *c)
{
	const char *owner = PQuser(c->db->handle), *programs;
	struct pg_address api;

	/* What is wrong with the file of its password is told by the API's programs. */
	(void)pg_address_read(c, PG_API, &api);
	programs = api.programs;
	for (int store = DB_CONTENT; store <= DB_STATS; store++) {
		if (strcmp(programs, owner) == 0 || !is_there(c, store))
			continue;
		run(c, pg_rights_store, pg_schema(store), programs);
		if (store == DB_CONTENT)
			run(c, pg_rights_money, pg_schema(store), programs);
	}
	if (api.user != NULL && strcmp(api.user, owner) != 0 && strcmp(api.user, programs) != 0 &&
	    is_there(c, DB_CONTENT))
		run(c, pg_rights_api, pg_schema(DB_CONTENT), api.user);
}
