/* What galley doctor says of the users of the database (docs/postgres.md §9): a right that is
 * missing, and one too many. The texts of db/pg/rights/ are what is compared with: they are read
 * here, too. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "store/pg/pg-server.h"

#include "pg_rights.h"

#define TEXT_MAX ((size_t)64 * 1024)

/* $1 is the user, $2 texts of rights, $3 whether it has the four rights on all tables but for what
 * the texts take away. A row for each right that is not as it must be: the first is the worst. */
static const char rights_sql[] =
    "WITH said AS (SELECT m[1] AS verb, m[2] AS rights, m[3] AS tables FROM regexp_matches($2,"
    "   '(GRANT|REVOKE)\\s+([^;]*?)\\s+ON\\s+((?:\\w+\\.\\w+[\\s,]*)+)(?:TO|FROM)\\s', 'g') m),"
    " named AS (SELECT verb, r[1] AS priv, r[2] AS columns, t[1] AS nsp, t[2] AS rel FROM said,"
    "   regexp_matches(rights, '(SELECT|INSERT|UPDATE|DELETE)\\s*(?:\\(([^)]*)\\))?', 'g') r,"
    "   regexp_matches(tables, '(\\w+)\\.(\\w+)', 'g') t),"
    " present AS (SELECT n.nspname::text AS nsp, r.relname::text AS rel, r.oid, a.attnum,"
    "   a.attname::text AS col, p.priv FROM pg_class r JOIN pg_namespace n ON n.oid = r.relnamespace"
    "   JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped,"
    "   (VALUES ('SELECT'), ('INSERT'), ('UPDATE'), ('DELETE'), ('TRUNCATE')) p(priv)"
    "   WHERE n.nspname IN ('content', 'console', 'stats') AND r.relkind = 'r'),"
    " judged AS (SELECT p.*, CASE WHEN priv IN ('DELETE', 'TRUNCATE')"
    "   THEN has_table_privilege($1, oid, priv)"
    "   ELSE has_column_privilege($1, oid, attnum, priv) END AS has,"
    "   ($3 AND priv <> 'TRUNCATE' AND NOT EXISTS (SELECT 1 FROM named d WHERE d.verb = 'REVOKE'"
    "    AND d.nsp = p.nsp AND d.rel = p.rel AND d.priv = p.priv))"
    "   OR EXISTS (SELECT 1 FROM named d WHERE d.verb = 'GRANT' AND d.nsp = p.nsp"
    "    AND d.rel = p.rel AND d.priv = p.priv AND (d.columns IS NULL"
    "    OR p.col = ANY (regexp_split_to_array(btrim(d.columns), '\\s*,\\s*')))) AS must"
    "   FROM present p)"
    " SELECT has, priv || ' ON ' || nsp || '.' || rel, col FROM judged WHERE has <> must"
    " ORDER BY has, nsp, rel, priv, col LIMIT 1";

static struct server_finding
find(enum server_grade grade, const char *message, const char *fix)
{
	return (struct server_finding) { grade, message, fix };
}

/* Adds a text of db/pg/rights/ without its comments, for a schema. */
static void
add_text(struct buf *out, const char *text, const char *schema)
{
	while (text[0] != '\0') {
		size_t len = strncmp(text, "--", 2) == 0 ? 0 : strcspn(text, "@-");

		if (strncmp(text, "--", 2) == 0) {
			text += strcspn(text, "\n");
		} else if (strncmp(text, "@SCHEMA", strlen("@SCHEMA")) == 0) {
			buf_add_text(out, schema);
			text += strlen("@SCHEMA");
		} else if (len == 0) {
			buf_add_char(out, *text++);
		} else {
			buf_printf(out, "%.*s", (int)len, text);
			text += len;
		}
	}
}

/* Compares the rights of a user with the texts. */
static struct server_finding
look_at_user(struct ctx *c, PGconn *handle, const char *user, const char *texts, bool programs)
{
	const char *const values[] = { user, texts, programs ? "t" : "f" };
	PGresult *rows = PQexecParams(handle, rights_sql, 3, NULL, values, NULL, NULL, 0);
	struct server_finding found = find(SERVER_GOOD, NULL, NULL);

	if (PQresultStatus(rows) != PGRES_TUPLES_OK) {
		const char *state = PQresultErrorField(rows, PG_DIAG_SQLSTATE);

		found =
		    state != NULL && strcmp(state, "42704") == 0
			? find(SERVER_BAD,
			      arena_printf(c->arena, "the database has no user %s", user),
			      hint_say(c,
				  "make it, as examples/several-hosts/users.sql does, and migrate",
				  HINT_MIGRATE_NOW, NULL))
			: find(SERVER_BAD, "the rights of the users cannot be looked at",
			      "see the server's log");
	} else if (PQntuples(rows) == 1) {
		const char *right = arena_text(c->arena, PQgetvalue(rows, 0, 1));
		const char *column = arena_text(c->arena, PQgetvalue(rows, 0, 2));

		found =
		    strcmp(PQgetvalue(rows, 0, 0), "t") == 0
			? find(SERVER_WARN,
			      arena_printf(c->arena,
				  "the user %s of the %s may do more than it needs: %s (%s)", user,
				  programs ? "programs" : "API", right, column),
			      hint_say(c,
				  "a migration takes it away; if that changes nothing, the user is a superuser, owns the table, or is a member of another role: take that away",
				  HINT_MIGRATE_NOW, NULL))
			: find(SERVER_BAD,
			      arena_printf(c->arena, "the user %s of the %s lacks a right: %s (%s)",
				  user, programs ? "programs" : "API", right, column),
			      hint_say(
				  c, "a migration gives all rights again", HINT_MIGRATE_NOW, NULL));
	}
	PQclear(rows);
	return found;
}

/* Returns the owner of the tables (arena); "" if it cannot be told. */
static const char *
owner_of(struct ctx *c, PGconn *handle)
{
	const char *wrong;
	PGresult *rows = pg_server_rows(c, handle,
	    "SELECT tableowner FROM pg_tables"
	    " WHERE schemaname = 'content' AND tablename = 'store'",
	    &wrong);
	const char *owner = rows != NULL && PQntuples(rows) == 1
				? arena_text(c->arena, PQgetvalue(rows, 0, 0))
				: "";

	PQclear(rows);
	return owner;
}

static struct server_finding
look(struct ctx *c, PGconn *handle)
{
	static const char *const schemas[] = { "content", "console", "stats" };
	const char *user = PQuser(handle), *owner = owner_of(c, handle);
	struct server_finding found = find(SERVER_GOOD, NULL, NULL);
	struct pg_address api;
	struct buf texts;

	(void)pg_address_read(c, PG_API, &api);
	if (strcmp(user, owner) != 0) {
		buf_init(&texts, c->arena, TEXT_MAX);
		for (size_t i = 0; i < sizeof(schemas) / sizeof(schemas[0]); i++)
			add_text(&texts, pg_rights_store, schemas[i]);
		add_text(&texts, pg_rights_money, schemas[0]);
		found = look_at_user(c, handle, user, buf_done(&texts), true);
	}
	if (found.grade == SERVER_GOOD && api.user != NULL && strcmp(api.user, user) != 0) {
		buf_init(&texts, c->arena, TEXT_MAX);
		add_text(&texts, pg_rights_api, schemas[0]);
		found = look_at_user(c, handle, api.user, buf_done(&texts), false);
	}
	if (found.grade != SERVER_GOOD)
		return found;
	if (api.user == NULL || strcmp(api.user, user) == 0)
		return find(SERVER_NOTE,
		    "all programs are one user of the database: a process of the API that somebody took over reads people and counts",
		    "give the API a user of its own, and the tables an owner (docs/postgres.md §9)");
	if (strcmp(user, owner) == 0)
		return find(SERVER_NOTE,
		    "the programs own the tables: a console that somebody took over can change balances",
		    "give the tables an owner of their own (docs/postgres.md §9)");
	return find(SERVER_GOOD,
	    "each user of the database has the rights that it needs, and no more", NULL);
}

struct server_finding
server_look_at_users(struct ctx *c)
{
	struct server_finding found = find(SERVER_NOTE,
	    "not known while the server cannot be asked", "see the check of the server");
	struct pg_answers answers;

	if (pg_server_ask(c, PG_PROGRAMS, &answers) == NULL && answers.writer != NULL)
		found = look(c, answers.writer);
	pg_server_close(&answers);
	return found;
}
