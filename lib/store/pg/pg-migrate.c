/* The schemas of the stores: made, and brought up from older ones, with the rights on them
 * (docs/postgres.md §9). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/migrate.h"
#include "store/pg/pg-connection.h"
#include "store/schemas.h"
#include "system/fault.h"

#include "pg_rights.h"
#include "pg_schemas.h"
#include "pg_steps.h"

/*
 * ---- the rights of those who do not own the tables (docs/postgres.md §9), from the texts of
 * db/pg/rights/
 *
 * All are given again whenever the owner makes or changes a schema, and with each `galley migrate`:
 * a user that galley.conf names since then gets them so.
 */

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

/* In a transaction of the owner: gives them in each schema that is there. */
static void
give_rights(struct ctx *c)
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

/* ---- schemas */

/* The guards are made again, as this release has them: so that no step has to pass those of the
 * release before, and none is left of it. */
static const char drop_guards[] =
    "DO $$ DECLARE one regprocedure; BEGIN"
    " FOR one IN SELECT oid FROM pg_proc WHERE pronamespace = 'content'::regnamespace"
    "  AND prorettype = 'trigger'::regtype"
    " LOOP EXECUTE format('DROP FUNCTION %s CASCADE', one); END LOOP; END $$";

/* The schema of a store and the steps to it, as PostgreSQL has them. */
struct texts {
	const char *schema;
	const struct migration *steps;
};

static struct texts
texts_of(enum db_store store)
{
#ifdef GALLEY_TEST
	if (getenv("GALLEY_NEXT") != NULL && store != DB_STATS)
		return store == DB_CONTENT
			   ? (struct texts) { pg_next_content, pg_next_content_steps }
			   : (struct texts) { pg_next_console, pg_next_console_steps };
#endif
	if (store == DB_CONTENT)
		return (struct texts) { pg_content, pg_content_steps };
	return store == DB_CONSOLE ? (struct texts) { pg_console, pg_console_steps }
				   : (struct texts) { pg_stats, pg_stats_steps };
}

int64_t
db_version(struct ctx *c)
{
	/* Catalogs are readable by roles that have no rights on a schema. */
	PGresult *result = pg_must_first(c, c->db,
	    arena_printf(c->arena,
		"SELECT 1 FROM pg_class r JOIN pg_namespace n ON n.oid = r.relnamespace"
		" WHERE n.nspname = '%s' AND r.relname = 'store'",
		pg_schema(c->db->store)));
	int64_t number = 0;
	bool there = PQntuples(result) == 1;

	PQclear(result);
	if (!there)
		return 0;
	result = pg_must(c->db, "SELECT number FROM store");
	if (PQntuples(result) == 1)
		number = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
	PQclear(result);
	return number;
}

int64_t
migrate_number(struct ctx *c, enum db_store store)
{
	int64_t number;

	pg_choose(c, store);
	number = db_version(c);
	pg_choose(c, DB_CONTENT);
	return number;
}

struct err *
migrate_check(struct ctx *c, enum db_store store, int64_t number)
{
	const struct schemas *s = schemas_of(store);

	if (number <= s->number)
		return NULL;
	if (number >= DB_MOVED)
		return err_hint(c, refuse(c, ERR_CONFLICT, DB_MOVED_SAID ".", s->subject),
		    HINT_STORE_COPY, NULL);
	return refuse(c, ERR_CONFLICT,
	    "%s has schema %" PRId64 ", this program is of schema %" PRId64
	    ": install the newer release.",
	    s->subject, number, s->number);
}

/* Runs every step from the older schema on. */
static void
bring_up(struct ctx *c, int64_t from)
{
	for (const struct migration *m = texts_of(c->db->store).steps; m->number != 0; m++) {
		if (m->number > from)
			PQclear(pg_must(c->db, m->sql));
		(void)FAULT("migrate-step");
	}
}

static void
make_new(struct ctx *c)
{
	PQclear(pg_must(c->db, texts_of(c->db->store).schema));
	if (c->db->store == DB_CONTENT)
		PQclear(pg_must(c->db, pg_media));
	if (c->db->store == DB_CONTENT)
		PQclear(pg_must(c->db, pg_limits));
	if (c->db->store == DB_CONSOLE)
		PQclear(pg_must(c->db, pg_limit_places));
	if (c->db->store == DB_CONSOLE)
		PQclear(pg_must(c->db, pg_task_lease));
	if (c->db->store == DB_STATS)
		PQclear(pg_must(c->db, pg_day_key));
	/* The digest of the secret that keys the store (pg-hosts.c); counts have none. */
	PQclear(pg_must(c->db, "CREATE TABLE store (number BIGINT NOT NULL, pepper_check TEXT);"
			       " INSERT INTO store (number) VALUES (0)"));
	if (c->db->store != DB_STATS)
		pg_pepper_note(c, c->db->store);
}

/* Makes the schema, or brings an older one to it, in one transaction that holds up all others. */
static struct err *
make(struct ctx *c, const struct schemas *to, int64_t from)
{
	enum db_store store = c->db->store;

	PQclear(pg_must(c->db,
	    arena_printf(c->arena, "BEGIN; SELECT pg_advisory_xact_lock(%d)", PG_LOCK_KEY(store))));
	if (db_version(c) != from) {
		db_rollback(c);
		return err_hint(c,
		    refuse(c, ERR_CONFLICT, "Another migration ran at the same time."), HINT_DOCTOR,
		    NULL);
	}
	if (store == DB_CONTENT && from != 0)
		PQclear(pg_must(c->db, drop_guards));
	if (from == 0)
		make_new(c);
	else
		bring_up(c, from);
	if (store == DB_CONTENT)
		PQclear(pg_must(c->db, pg_guards));
	PQclear(pg_must(
	    c->db, arena_printf(c->arena, "UPDATE store SET number = %" PRId64, to->number)));
	give_rights(c);
	(void)FAULT("migrate-before-commit");
	pg_must_commit(c->db);
	return NULL;
}

/* Users that galley.conf names since then get their rights. */
static void
give_again(struct ctx *c)
{
	PQclear(pg_must(c->db, arena_printf(c->arena, "BEGIN; SELECT pg_advisory_xact_lock(%d)",
				   PG_LOCK_KEY(DB_CONTENT))));
	give_rights(c);
	pg_must_commit(c->db);
}

/* A restore of people that was killed left none; nor has an instance of before this release one. */
static void
note_again(struct ctx *c)
{
	PGresult *result = pg_must(c->db, "BEGIN; SELECT 1 FROM store WHERE pepper_check IS NULL");

	if (PQntuples(result) == 1)
		pg_pepper_note(c, DB_CONSOLE);
	PQclear(result);
	pg_must_commit(c->db);
}

struct err *
migrate_run(struct ctx *c, enum db_store store, int64_t *from)
{
	const struct schemas *to = schemas_of(store);
	struct err *err;

	*from = migrate_number(c, store);
	err = migrate_check(c, store, *from);
	if (err != NULL || (*from == to->number && store == DB_STATS))
		return err;
	pg_choose(c, store);
	pg_be_owner(c, c->db, true);
	if (*from != to->number)
		err = make(c, to, *from);
	else if (store == DB_CONTENT)
		give_again(c);
	else
		note_again(c);
	pg_be_owner(c, c->db, false);
	pg_choose(c, DB_CONTENT);
	return err;
}

/* Nobody but the owner of the tables can have changed them. */
struct err *
migrate_compare(struct ctx *c, const char *what, int64_t number)
{
	(void)c;
	(void)what;
	(void)number;
	return NULL;
}

struct err *
migrate_compare_console(struct ctx *c, const char *what)
{
	return migrate_compare(c, what, 0);
}

enum db_release
db_release(struct ctx *c)
{
	static const enum db_store stores[] = { DB_CONTENT, DB_CONSOLE };
	enum db_release found = DB_RELEASE_SAME;

	for (size_t i = 0; i < sizeof(stores) / sizeof(stores[0]); i++) {
		int64_t number = migrate_number(c, stores[i]);

		if (number == 0 || number == schemas_number(stores[i]))
			continue;
		if (number > schemas_number(stores[i]))
			return number >= DB_MOVED ? DB_RELEASE_MOVED : DB_RELEASE_NEWER;
		found = DB_RELEASE_OLDER;
	}
	return found;
}
