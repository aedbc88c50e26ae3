/* What galley doctor and galley init ask the server and the database (docs/postgres.md §7). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "store/pg/pg-handle.h"
#include "store/pg/pg-server.h"

/* Connections that stay free for Patroni, replication and people, on a server that other machines
 * reach (docs/several-hosts.md §4). */
#define KEPT_FREE 20

static struct server_finding
find(enum server_grade grade, const char *message, const char *fix)
{
	return (struct server_finding) { grade, message, fix };
}

#define ASK_AGAIN "see what is said, and the server's log"

/* Returns a text of a row, in the arena; NULL for NULL. */
static const char *
text_at(struct ctx *c, const PGresult *rows, int row, int column)
{
	return PQgetisnull(rows, row, column) ? NULL
					      : arena_text(c->arena, PQgetvalue(rows, row, column));
}

/* ---- the way to the server */

/* Adds a sentence to those before it. */
static const char *
also(struct ctx *c, const char *before, const char *more)
{
	return before == NULL ? more : arena_printf(c->arena, "%s; %s", before, more);
}

/* Says of each host that does not answer why, and of each fault once what to do. NULL: all
 * answer. */
static const char *
tell_hosts(struct ctx *c, const struct pg_answers *answers, const char **fix)
{
	const char *said = NULL;

	*fix = NULL;
	for (size_t i = 0; i < answers->count; i++) {
		const struct pg_answer *a = &answers->each[i];

		if (a->handle != NULL)
			continue;
		said = also(c, said,
		    arena_printf(c->arena, "%s: %s", pg_server_name(c, &a->host), a->message));
		if (*fix == NULL || strstr(*fix, a->fix) == NULL)
			*fix = also(c, *fix, a->fix);
	}
	return said;
}

/* Says why no host takes writes. */
static struct server_finding
find_no_writer(struct ctx *c, const struct pg_answers *answers)
{
	const char *fix, *said = tell_hosts(c, answers, &fix);

	for (size_t i = 0; i < answers->count; i++) {
		if (answers->each[i].handle == NULL)
			continue;
		said = also(c, said,
		    arena_printf(c->arena, "%s, takes no writes: it is a standby, or read only",
			pg_server_name(c, &answers->each[i].host)));
		if (fix == NULL)
			fix = "name the primary in the address, too, or promote this server";
	}
	return find(SERVER_BAD, said, fix);
}

/* Says which hosts do not answer while another one takes writes. */
static struct server_finding
find_lost_host(struct ctx *c, const struct pg_answers *answers)
{
	const char *fix, *said = tell_hosts(c, answers, &fix);

	if (said != NULL)
		return find(SERVER_WARN,
		    arena_printf(c->arena, "another host takes writes, but %s", said), fix);
	if (answers->address.unproved)
		return find(SERVER_WARN,
		    "nobody checks that the server is yours: the address has a weaker sslmode than verify-full",
		    "remove sslmode from the address, and put the certificate of your authority into db/root.crt");
	return find(
	    SERVER_GOOD, "the server takes writes, and the database is as it must be", NULL);
}

/* ---- as each user */

/* What a user sees: the waits of its own sessions. */
static const char waits_sql[] =
    "SELECT count(*) FROM pg_stat_get_activity(NULL)"
    " WHERE wait_event = 'SyncRep' AND query_start < clock_timestamp() - interval '3 seconds'";

/* Asks as a user. Returns whether there is such a user beside that of the programs: the owner's
 * password need not be on each host. */
static bool
ask_as(struct ctx *c, enum pg_role role, struct pg_answers *out, const char **wrong)
{
	*wrong = pg_server_ask(c, role, out);
	if (role == PG_PROGRAMS)
		return true;
	if (out->address.user == NULL || (role == PG_OWNER && out->address.passwords != NULL &&
					     access(out->address.passwords, F_OK) != 0)) {
		pg_server_close(out);
		return false;
	}
	return true;
}

/* Returns how many writes wait for a standby, of all users that are let in. */
static int
waits_of_all(struct ctx *c)
{
	int count = 0;

	for (enum pg_role role = PG_PROGRAMS; role <= PG_OWNER; role++) {
		struct pg_answers answers;
		const char *wrong;
		PGresult *rows = NULL;

		if (!ask_as(c, role, &answers, &wrong))
			continue;
		if (answers.writer != NULL)
			rows = pg_server_rows(c, answers.writer, waits_sql, &wrong);
		count += rows != NULL ? atoi(PQgetvalue(rows, 0, 0)) : 0;
		PQclear(rows);
		pg_server_close(&answers);
	}
	return count;
}

#define BRING_BACK                                                                                 \
	"bring a standby back, and see the server's log: more connections would only wait, too"

/* Says that no connection is left because writes wait, where that is so. */
static struct server_finding
find_why_full(struct ctx *c, const struct pg_answers *answers, struct server_finding found)
{
	bool full = false;
	int count;

	for (size_t i = 0; i < answers->count; i++)
		full = full || answers->each[i].full;
	count = full ? waits_of_all(c) : 0;
	if (count == 0)
		return found;
	return find(SERVER_BAD,
	    arena_printf(c->arena,
		"the server has no connection left, because writes wait for a standby (%d)", count),
	    BRING_BACK);
}

/* Looks whether the server lets a user in that is not the programs'. */
static struct server_finding
look_as(struct ctx *c, enum pg_role role)
{
	struct server_finding found = find(SERVER_GOOD, NULL, NULL);
	struct pg_answers answers;
	const char *wrong;

	if (!ask_as(c, role, &answers, &wrong))
		return found;
	if (wrong != NULL)
		found = find(SERVER_BAD, wrong, "correct it in galley.conf");
	else if (answers.writer == NULL)
		found = find_why_full(c, &answers, find_no_writer(c, &answers));
	pg_server_close(&answers);
	if (found.grade == SERVER_GOOD)
		return found;
	/* Without the owner only migrations and restores fail. */
	found.grade = role == PG_OWNER ? SERVER_WARN : SERVER_BAD;
	found.message = arena_printf(c->arena, "the user %s%s: %s", answers.address.user,
	    role == PG_API ? " of the API" : ", who owns the tables", found.message);
	return found;
}

/* ---- the database */

/* What nobody may read, a schema before its tables. */
static const char rights_sql[] =
    "SELECT n.nspname, NULL AS relname FROM pg_namespace n"
    " WHERE n.nspname IN ('content', 'console', 'stats')"
    " AND NOT has_schema_privilege(n.oid, 'USAGE')"
    " UNION ALL SELECT n.nspname, r.relname FROM pg_class r"
    " JOIN pg_namespace n ON n.oid = r.relnamespace"
    " WHERE n.nspname IN ('content', 'console', 'stats') AND r.relkind = 'r'"
    " AND NOT has_table_privilege(r.oid, 'SELECT')"
    " ORDER BY 2 NULLS FIRST, 1 LIMIT 1";

static struct server_finding
look_at_rights(struct ctx *c, PGconn *handle)
{
	const char *wrong, *schema, *table;
	PGresult *rows = pg_server_rows(c, handle, rights_sql, &wrong);
	bool missing = rows != NULL && PQntuples(rows) == 1;

	if (rows == NULL)
		return find(SERVER_BAD, wrong, ASK_AGAIN);
	schema = missing ? text_at(c, rows, 0, 0) : "";
	table = missing ? text_at(c, rows, 0, 1) : NULL;
	PQclear(rows);
	if (!missing)
		return find(SERVER_GOOD, NULL, NULL);
	if (table == NULL)
		return find(SERVER_BAD,
		    arena_printf(
			c->arena, "the role %s may not use the schema %s", PQuser(handle), schema),
		    arena_printf(
			c->arena, "GRANT USAGE ON SCHEMA %s TO %s", schema, PQuser(handle)));
	return find(SERVER_BAD,
	    arena_printf(c->arena, "the role %s may not read the table %s.%s", PQuser(handle),
		schema, table),
	    arena_printf(c->arena, "GRANT what was revoked: ALL ON %s.%s TO %s", schema, table,
		PQuser(handle)));
}

static struct server_finding
look_at_columns(struct ctx *c, PGconn *handle)
{
	static const enum db_store stores[] = { DB_CONTENT, DB_CONSOLE, DB_STATS };

	for (size_t i = 0; i < sizeof(stores) / sizeof(stores[0]); i++) {
		const char *wrong, *column;
		PGresult *rows = pg_server_rows(c, handle,
		    arena_printf(
			c->arena, "SELECT %s", pg_wrong_collation_sql(c, pg_schema(stores[i]))),
		    &wrong);

		if (rows == NULL)
			return find(SERVER_BAD, wrong, ASK_AGAIN);
		column = text_at(c, rows, 0, 0);
		PQclear(rows);
		if (column != NULL)
			return find(SERVER_BAD, pg_wrong_collation(c, column),
			    "ALTER TABLE … ALTER COLUMN … TYPE text COLLATE \"C\", as the owner of the table");
	}
	return find(SERVER_GOOD, NULL, NULL);
}

static struct server_finding
look_at_pepper(struct ctx *c, PGconn *handle)
{
	const char *wrong, *known, *missing = NULL;
	PGresult *rows =
	    pg_server_rows(c, handle, "SELECT pepper_check FROM content.store", &wrong);

	if (rows == NULL)
		return find(SERVER_BAD, wrong, ASK_AGAIN);
	known = PQntuples(rows) == 1 ? text_at(c, rows, 0, 0) : NULL;
	PQclear(rows);
	if (known == NULL || pg_pepper_is_ours(c, DB_CONTENT, known, &missing))
		return find(SERVER_GOOD, NULL, NULL);
	if (missing != NULL)
		return find(SERVER_BAD, missing,
		    "copy the file from another host, or from its copy apart from the backups");
	return find(SERVER_BAD, "the pepper of this host is not that of the database",
	    "copy db/pepper from a host that answers, with its owner and mode");
}

static struct server_finding
look_at_secret(struct ctx *c, PGconn *handle)
{
	const char *wrong, *known, *missing = NULL;
	PGresult *rows =
	    pg_server_rows(c, handle, "SELECT pepper_check FROM console.store", &wrong);

	if (rows == NULL)
		return find(SERVER_BAD, wrong, ASK_AGAIN);
	known = PQntuples(rows) == 1 ? text_at(c, rows, 0, 0) : NULL;
	PQclear(rows);
	if (known == NULL)
		return find(SERVER_WARN,
		    "the database does not know people/secret, so nobody sees whether all hosts have the same one",
		    hint_say(c, "a migration on a host where people sign in tells it",
			HINT_MIGRATE_NOW, NULL));
	if (pg_pepper_is_ours(c, DB_CONSOLE, known, &missing))
		return find(SERVER_GOOD, NULL, NULL);
	if (missing != NULL)
		return find(SERVER_BAD, missing,
		    "copy the file from another host, or take it out of a backup");
	return find(SERVER_BAD, "the file people/secret of this host is not that of the database",
	    "copy people/secret from a host where people sign in, with its owner and mode");
}

static struct server_finding
look_at_schema(struct ctx *c, PGconn *handle)
{
	const char *wrong;
	PGresult *rows = pg_server_rows(c, handle,
	    "SELECT 1 FROM pg_namespace"
	    " WHERE nspname = 'content'",
	    &wrong);
	bool there = rows != NULL && PQntuples(rows) == 1;

	if (rows == NULL)
		return find(SERVER_BAD, wrong, ASK_AGAIN);
	PQclear(rows);
	if (there)
		return find(SERVER_GOOD, NULL, NULL);
	return find(SERVER_BAD, "the database holds no Galley",
	    "correct the name of the database in the address");
}

static struct server_finding
look_at_database(struct ctx *c, PGconn *handle)
{
	static struct server_finding (*const looks[])(struct ctx * c, PGconn * handle) = {
		look_at_schema, look_at_rights, look_at_columns, look_at_pepper, look_at_secret
	};
	struct server_finding found = find(SERVER_GOOD, NULL, NULL);
	const char *wrong = pg_wrong_server(c, handle);

	if (wrong != NULL)
		return find(SERVER_BAD, wrong,
		    PQserverVersion(handle) < 150000
			? "install PostgreSQL 15 or newer, and move the cluster (pg_upgrade)"
			: hint_say(c,
			      "make a database in UTF8 (TEMPLATE template0), and bring the content there with a backup",
			      HINT_RESTORE, NULL));
	for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++) {
		found = looks[i](c, handle);
		if (found.grade != SERVER_GOOD)
			break;
	}
	return found;
}

struct server_finding
server_look(struct ctx *c)
{
	struct server_finding found = find(SERVER_GOOD, NULL, NULL);
	struct pg_answers answers;
	const char *wrong = pg_server_ask(c, PG_PROGRAMS, &answers);

	if (wrong != NULL)
		return find(
		    SERVER_BAD, wrong, "correct database or database_password_file in galley.conf");
	if (answers.writer == NULL)
		found = find_why_full(c, &answers, find_no_writer(c, &answers));
	else
		found = look_at_database(c, answers.writer);
	if (found.grade == SERVER_GOOD)
		found = look_as(c, PG_API);
	if (found.grade == SERVER_GOOD)
		found = look_as(c, PG_OWNER);
	if (found.grade == SERVER_GOOD)
		found = find_lost_host(c, &answers);
	pg_server_close(&answers);
	return found;
}

/* ---- standbys, and room */

#define UNKNOWN "not known while the server cannot be asked"

static struct server_finding
unknown(void)
{
	return find(SERVER_NOTE, UNKNOWN, "see the check of the server");
}

/* Runs a question at the server that takes writes. NULL: there is none. */
static PGresult *
ask_writer(struct ctx *c, const char *sql, bool *by_sockets)
{
	struct pg_answers answers;
	PGresult *rows = NULL;
	const char *wrong;

	if (pg_server_ask(c, PG_PROGRAMS, &answers) == NULL && answers.writer != NULL)
		rows = pg_server_rows(c, answers.writer, sql, &wrong);
	*by_sockets = answers.address.by_sockets;
	pg_server_close(&answers);
	return rows;
}

#define ORDERS                                                                                     \
	"synchronous_standby_names and synchronous_commit = on make a COMMIT wait for one"         \
	" (docs/several-hosts.md §2)"

struct server_finding
server_look_at_standbys(struct ctx *c)
{
	bool here, waits, named, off;
	int waiting = waits_of_all(c);
	PGresult *rows = ask_writer(c,
	    "SELECT current_setting('synchronous_commit'),"
	    " current_setting('synchronous_standby_names') <> '',"
	    " (SELECT count(*) FROM pg_stat_replication WHERE application_name IS NULL"
	    " OR application_name <> 'pg_basebackup')",
	    &here);
	int count;

	if (waiting > 0) {
		PQclear(rows);
		return find(SERVER_BAD,
		    arena_printf(c->arena,
			"%d write%s for a standby that confirms nothing: no other one begins, and each gets 503",
			waiting, waiting == 1 ? " waits" : "s wait"),
		    BRING_BACK);
	}
	if (rows == NULL)
		return unknown();
	off = strcmp(PQgetvalue(rows, 0, 0), "off") == 0;
	waits = !off && strcmp(PQgetvalue(rows, 0, 0), "local") != 0;
	named = strcmp(PQgetvalue(rows, 0, 1), "t") == 0;
	count = atoi(PQgetvalue(rows, 0, 2));
	PQclear(rows);
	if (waits && named && count > 0)
		return find(SERVER_GOOD, "a standby has what was acknowledged", NULL);
	if (waits && named)
		return find(SERVER_WARN,
		    "each write waits for a standby, and none is there: it gets 503",
		    "bring a standby back, and see the server's log");
	if (off)
		return find(SERVER_WARN,
		    "synchronous_commit is off: the last orders before a crash of the server are lost",
		    ORDERS);
	if (count > 0)
		return find(SERVER_WARN,
		    "replication is asynchronous: what was acknowledged in the last seconds dies with the primary",
		    ORDERS);
	return find(here ? SERVER_NOTE : SERVER_WARN,
	    "there is no standby: what was acknowledged dies with the disk of this server", ORDERS);
}

struct server_finding
server_look_at_room(struct ctx *c, int connections)
{
	bool here;
	PGresult *rows = ask_writer(c,
	    "SELECT least(current_setting('max_connections')::int,"
	    " (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user),"
	    " (SELECT nullif(datconnlimit, -1) FROM pg_database"
	    "  WHERE datname = current_database())),"
	    " current_setting('superuser_reserved_connections')::int,"
	    " (SELECT greatest(count(DISTINCT client_addr), 1) FROM pg_stat_activity"
	    "  WHERE application_name = 'galley')",
	    &here);
	int most, kept, hosts;

	if (rows == NULL)
		return unknown();
	most = atoi(PQgetvalue(rows, 0, 0));
	kept = here ? atoi(PQgetvalue(rows, 0, 1)) : KEPT_FREE;
	hosts = atoi(PQgetvalue(rows, 0, 2));
	PQclear(rows);
	if (connections * hosts <= most - kept)
		return find(SERVER_GOOD,
		    arena_printf(c->arena, "the server has room: %d connections of %d",
			connections * hosts, most),
		    NULL);
	return find(SERVER_WARN,
	    arena_printf(c->arena,
		"the server takes %d connections, and Galley may need %d on each of %d web hosts beside %d for others: then requests get 503",
		most, connections, hosts, kept),
	    arena_printf(c->arena,
		"set max_connections = %d and the limits of role and database so, or give the programs fewer processes (docs/several-hosts.md §4)",
		connections * hosts + kept));
}

/* ---- a new instance */

/* What an extension brought does not count. */
static const char empty_sql[] =
    "SELECT has_database_privilege(current_database(), 'CREATE'),"
    " EXISTS (SELECT 1 FROM pg_class r JOIN pg_namespace n ON n.oid = r.relnamespace"
    "  WHERE n.nspname = 'content' AND r.relname = 'store'),"
    " (SELECT n.nspname || '.' || r.relname FROM pg_class r"
    "  JOIN pg_namespace n ON n.oid = r.relnamespace"
    "  WHERE n.nspname NOT IN ('pg_catalog', 'information_schema')"
    "  AND n.nspname NOT LIKE 'pg\\_%' AND r.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')"
    "  AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = r.oid AND d.deptype = 'e')"
    "  ORDER BY 1 LIMIT 1)";

static struct err *
check_content(struct ctx *c, PGconn *handle)
{
	bool creates, galley;
	const char *wrong, *table;
	PGresult *rows = pg_server_rows(c, handle, empty_sql, &wrong);

	if (rows == NULL)
		return refuse(c, ERR_CONFLICT, "The database cannot be looked at: %s.", wrong);
	creates = strcmp(PQgetvalue(rows, 0, 0), "t") == 0;
	galley = strcmp(PQgetvalue(rows, 0, 1), "t") == 0;
	table = text_at(c, rows, 0, 2);
	PQclear(rows);
	if (galley)
		return refuse(c, ERR_CONFLICT,
		    "The database %s holds a Galley already: for another web host copy galley.conf and the folders db and people from the first one (docs/several-hosts.md §5); for a new instance make an empty database.",
		    PQdb(handle));
	if (table != NULL)
		return refuse(c, ERR_CONFLICT,
		    "The database %s is not empty: it has %s. Make one for Galley alone.",
		    PQdb(handle), table);
	if (!creates)
		return refuse(c, ERR_CONFLICT,
		    "The role %s may make no schema in the database %s:"
		    " GRANT CREATE ON DATABASE %s TO %s.",
		    PQuser(handle), PQdb(handle), PQdb(handle), PQuser(handle));
	return NULL;
}

struct err *
server_check_empty(struct ctx *c)
{
	struct pg_answers answers;
	struct server_finding found;
	const char *wrong = pg_server_ask(c, PG_OWNER, &answers);
	struct err *err;

	if (wrong != NULL)
		return refuse(c, ERR_CONFLICT, "%s.", wrong);
	if (answers.writer == NULL) {
		found = find_no_writer(c, &answers);
		err = refuse(c, ERR_CONFLICT, "The database cannot be used: %s; %s.", found.message,
		    found.fix);
	} else {
		wrong = pg_wrong_server(c, answers.writer);
		err = wrong != NULL
			  ? refuse(c, ERR_CONFLICT, "The database cannot be used: %s.", wrong)
			  : check_content(c, answers.writer);
	}
	pg_server_close(&answers);
	return err;
}
