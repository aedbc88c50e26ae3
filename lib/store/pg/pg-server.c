/* What galley doctor and galley init ask the server and the database (docs/postgres.md §7), by
 * connections that never end the process. */
#include <ctype.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libpq-fe.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "pg_rights.h"
#include "store/pg/pg-connection.h"
#include "store/server.h"

#define HOSTS_MAX 16

/* What came of one host of the address. */
struct answer {
	struct pg_host host;
	PGconn *handle; /* NULL: there is none */
	bool takes_writes;
	bool full; /* none, because the server has no connection left */
	const char *message; /* a sentence without a dot, if there is none */
	const char *fix;
};

/* The answers of all hosts. */
struct answers {
	struct pg_address address;
	struct answer each[HOSTS_MAX];
	size_t count;
	PGconn *writer; /* one of them that takes writes, or NULL */
	enum pg_role role; /* as whom */
};

/* ---- each host of the address by itself, and in words what came of it */

#define WAIT_MS 3000

/* What a server says when it refuses a connection, and what an operator does about it. */
static const struct {
	const char *state; /* how its SQLSTATE begins */
	const char *message, *fix; /* the fix NULL: it names a setting */
} refusals[] = {
	{ "28P01", "the server takes another password", NULL },
	{ "28", "the server does not let this role in",
	    "see user of the address, that the role may log in, and the server's pg_hba.conf" },
	{ "3D000", "the server has no such database",
	    "correct the name in the address, or make the database" },
	{ "53300", "the server has no connection left",
	    "raise max_connections, or the limit of the role, or give the programs fewer processes"
	    " (docs/several-hosts.md §4); but if writes wait for a standby (as a superuser: SELECT count(*)"
	    " FROM pg_stat_activity WHERE wait_event = 'SyncRep'), bring one back instead" },
	{ "57P03", "the server is not ready: it starts, stops or recovers",
	    "wait, and see the server's log if it lasts" },
	{ "42501", "the role may not connect to this database",
	    "GRANT CONNECT ON DATABASE … TO the role" },
};

/* Returns the text in one line. */
static char *
flat(struct ctx *c, const char *text)
{
	char *out = arena_text(c->arena, text), *to = out;

	for (const char *from = out; *from != '\0'; from++) {
		char byte = isspace((unsigned char)*from) ? ' ' : *from;

		if (byte != ' ' || (to > out && to[-1] != ' '))
			*to++ = byte;
	}
	while (to > out && (to[-1] == ' ' || to[-1] == '.'))
		to--;
	*to = '\0';
	return out;
}

/* Returns the SQLSTATE in what libpq says, which was asked to say all: `FATAL:  28P01: …`. The
 * first word may be of another language. NULL: it is libpq's own sentence. */
static const char *
state_of(const char *said)
{
	for (const char *at = strstr(said, ":  "); at != NULL; at = strstr(at + 1, ":  ")) {
		size_t len = strspn(at + 3, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");

		if (len == 5 && at[8] == ':')
			return at + 3;
	}
	return NULL;
}

/* Cuts what is only for those who know the server's source. */
static void
cut_location(char *said)
{
	char *location = strstr(said, "\nLOCATION:");

	if (location != NULL)
		*location = '\0';
}

static void
explain_certificate(struct ctx *c, struct answer *a, const char *said)
{
	a->message = arena_printf(
	    c->arena, "the server does not prove that it is %s: %s", a->host.name, flat(c, said));
	a->fix =
	    strstr(said, "does not match host name") != NULL
		? "name the host in the address as the certificate does, or give the server a certificate for this name"
		: "see that db/root.crt is the certificate of the authority that signed the server's, and that the server's is not expired and speaks TLS (ssl = on)";
}

/* The setting that names the file of a user's password. */
static const char *
setting_of(const struct answers *answers)
{
	if (answers->address.user == NULL)
		return "database_password_file";
	return answers->role == PG_API ? "database_api_password_file"
				       : "database_owner_password_file";
}

static void
explain(struct ctx *c, struct answer *a, const char *setting, const char *libpq)
{
	char *said = arena_text(c->arena, libpq);
	const char *state = state_of(said);

	cut_location(said);
	for (size_t i = 0; state != NULL && i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		if (strncmp(state, refusals[i].state, strlen(refusals[i].state)) != 0)
			continue;
		a->message = arena_printf(c->arena, "%s (%s)", refusals[i].message, flat(c, state));
		a->full = strcmp(refusals[i].state, "53300") == 0;
		a->fix =
		    refusals[i].fix != NULL
			? refusals[i].fix
			: arena_printf(c->arena,
			      "write the role's password to the file that %s names, or set it with ALTER ROLE",
			      setting);
		return;
	}
	if (strstr(said, "no password supplied") != NULL) {
		a->message = "the server wants a password, and there is none for it";
		a->fix = arena_printf(c->arena,
		    "write host:port:database:user:password to a file, mode 0600, and name it in %s (docs/postgres.md §9 says in which folder)",
		    setting);
		return;
	}
	if (strstr(said, "certificate") != NULL || strstr(said, "SSL") != NULL) {
		explain_certificate(c, a, said);
		return;
	}
	a->message = arena_printf(c->arena, "no server answers: %s", flat(c, said));
	a->fix = "see that PostgreSQL runs there, and that host and port in galley.conf are right";
}

/* Connects, for three seconds at most. Returns false where libpq says why not. */
static bool
wait_for(PGconn *handle, bool *late)
{
	int64_t deadline = clock_boot() + (int64_t)WAIT_MS * 1000, left;
	PostgresPollingStatusType state = PGRES_POLLING_WRITING;
	struct pollfd fd;

	*late = false;
	while (state != PGRES_POLLING_OK) {
		if (state == PGRES_POLLING_FAILED || PQstatus(handle) == CONNECTION_BAD)
			return false;
		left = (deadline - clock_boot()) / 1000;
		fd = (struct pollfd) { .fd = PQsocket(handle),
			.events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT };
		*late = left <= 0 || fd.fd < 0;
		if (*late)
			return false;
		if (poll(&fd, 1, (int)left) > 0)
			state = PQconnectPoll(handle);
	}
	return true;
}

static bool
is_on(const PGconn *handle, const char *name)
{
	const char *value = PQparameterStatus(handle, name);

	return value != NULL && strcmp(value, "on") == 0;
}

static void
connect_to(struct ctx *c, const struct answers *answers, struct answer *a)
{
	struct pg_address one = answers->address;
	struct pg_parameters parameters;
	bool late;

	one.hosts = a->host.name;
	one.host_addresses = a->host.address;
	one.ports = a->host.port;
	pg_address_parameters(&one, "any",
	    "-c statement_timeout=5000 -c client_min_messages=warning -c search_path=pg_catalog",
	    &parameters);
	a->handle = PQconnectStartParams(parameters.names, parameters.values, 1);
	(void)PQsetErrorVerbosity(a->handle, PQERRORS_VERBOSE);
	if (wait_for(a->handle, &late)) {
		(void)PQsetErrorVerbosity(a->handle, PQERRORS_DEFAULT);
		a->takes_writes = !is_on(a->handle, "in_hot_standby") &&
				  !is_on(a->handle, "default_transaction_read_only");
		return;
	}
	explain(c, a, setting_of(answers), late ? "it says nothing" : PQerrorMessage(a->handle));
	PQfinish(a->handle);
	a->handle = NULL;
}

/* Asks all hosts of galley.conf's address, as that user. Returns NULL, or a sentence without a dot:
 * the address is wrong. Close it all the same. */
static const char *
ask_hosts(struct ctx *c, enum pg_role role, struct answers *out)
{
	struct pg_host hosts[HOSTS_MAX];
	const char *wrong;

	memset(out, 0, sizeof(*out));
	out->role = role;
	wrong = pg_address_read(c, role, &out->address);
	if (wrong != NULL)
		return wrong;
	out->count = pg_address_hosts(c, out->address.info, hosts, HOSTS_MAX);
	for (size_t i = 0; i < out->count; i++) {
		struct answer *a = &out->each[i];

		a->host = hosts[i];
		connect_to(c, out, a);
		if (out->writer == NULL && a->handle != NULL && a->takes_writes)
			out->writer = a->handle;
	}
	return NULL;
}

static void
close_hosts(struct answers *answers)
{
	for (size_t i = 0; i < answers->count; i++)
		PQfinish(answers->each[i].handle);
	answers->count = 0;
}

/* Returns a host in words: `10.0.0.1, port 5432`. In the arena. */
static const char *
name_of(struct ctx *c, const struct pg_host *host)
{
	return arena_printf(c->arena, "%s, port %s",
	    host->name[0] != '\0'      ? host->name
	    : host->address[0] != '\0' ? host->address
				       : "this machine",
	    host->port);
}

/* Returns the rows of a question, which the caller clears; NULL with *wrong, a sentence, if there
 * is no answer. */
static PGresult *
rows_of(struct ctx *c, PGconn *handle, const char *sql, const char **wrong)
{
	PGresult *result = PQexec(handle, sql);

	*wrong = NULL;
	if (PQresultStatus(result) == PGRES_TUPLES_OK)
		return result;
	*wrong = flat(c, PQerrorMessage(handle));
	PQclear(result);
	return NULL;
}

/* ---- findings */

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
tell_hosts(struct ctx *c, const struct answers *answers, const char **fix)
{
	const char *said = NULL;

	*fix = NULL;
	for (size_t i = 0; i < answers->count; i++) {
		const struct answer *a = &answers->each[i];

		if (a->handle != NULL)
			continue;
		said = also(
		    c, said, arena_printf(c->arena, "%s: %s", name_of(c, &a->host), a->message));
		if (*fix == NULL || strstr(*fix, a->fix) == NULL)
			*fix = also(c, *fix, a->fix);
	}
	return said;
}

/* Says why no host takes writes. */
static struct server_finding
find_no_writer(struct ctx *c, const struct answers *answers)
{
	const char *fix, *said = tell_hosts(c, answers, &fix);

	for (size_t i = 0; i < answers->count; i++) {
		if (answers->each[i].handle == NULL)
			continue;
		said = also(c, said,
		    arena_printf(c->arena, "%s, takes no writes: it is a standby, or read only",
			name_of(c, &answers->each[i].host)));
		if (fix == NULL)
			fix = "name the primary in the address, too, or promote this server";
	}
	return find(SERVER_BAD, said, fix);
}

/* Says which hosts do not answer while another one takes writes. */
static struct server_finding
find_lost_host(struct ctx *c, const struct answers *answers)
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
ask_as(struct ctx *c, enum pg_role role, struct answers *out, const char **wrong)
{
	*wrong = ask_hosts(c, role, out);
	if (role == PG_PROGRAMS)
		return true;
	if (out->address.user == NULL || (role == PG_OWNER && out->address.passwords != NULL &&
					     access(out->address.passwords, F_OK) != 0)) {
		close_hosts(out);
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
		struct answers answers;
		const char *wrong;
		PGresult *rows = NULL;

		if (!ask_as(c, role, &answers, &wrong))
			continue;
		if (answers.writer != NULL)
			rows = rows_of(c, answers.writer, waits_sql, &wrong);
		count += rows != NULL ? atoi(PQgetvalue(rows, 0, 0)) : 0;
		PQclear(rows);
		close_hosts(&answers);
	}
	return count;
}

#define BRING_BACK                                                                                 \
	"bring a standby back, and see the server's log: more connections would only wait, too"

/* Says that no connection is left because writes wait, where that is so. */
static struct server_finding
find_why_full(struct ctx *c, const struct answers *answers, struct server_finding found)
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
	struct answers answers;
	const char *wrong;

	if (!ask_as(c, role, &answers, &wrong))
		return found;
	if (wrong != NULL)
		found = find(SERVER_BAD, wrong, "correct it in galley.conf");
	else if (answers.writer == NULL)
		found = find_why_full(c, &answers, find_no_writer(c, &answers));
	close_hosts(&answers);
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
	PGresult *rows = rows_of(c, handle, rights_sql, &wrong);
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
		PGresult *rows = rows_of(c, handle,
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
	PGresult *rows = rows_of(c, handle, "SELECT pepper_check FROM content.store", &wrong);

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
	PGresult *rows = rows_of(c, handle, "SELECT pepper_check FROM console.store", &wrong);

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
	PGresult *rows = rows_of(c, handle,
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
	struct answers answers;
	const char *wrong = ask_hosts(c, PG_PROGRAMS, &answers);

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
	close_hosts(&answers);
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
	struct answers answers;
	PGresult *rows = NULL;
	const char *wrong;

	if (ask_hosts(c, PG_PROGRAMS, &answers) == NULL && answers.writer != NULL)
		rows = rows_of(c, answers.writer, sql, &wrong);
	*by_sockets = answers.address.by_sockets;
	close_hosts(&answers);
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
	PGresult *rows = rows_of(c, handle, empty_sql, &wrong);

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
	struct answers answers;
	struct server_finding found;
	const char *wrong = ask_hosts(c, PG_OWNER, &answers);
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
	close_hosts(&answers);
	return err;
}

/* ---- the users of the database (docs/postgres.md §9): a right that is
 * missing, and one too many. The texts of db/pg/rights/ are what is compared with: they are read
 * here, too. */

#define TEXT_MAX ((size_t)64 * 1024)

/* $1 is the user, $2 texts of rights, $3 whether it has the four rights on all tables but for what
 * the texts take away. A row for each right that is not as it must be: the first is the worst. */
static const char judged_sql[] =
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
	PGresult *rows = PQexecParams(handle, judged_sql, 3, NULL, values, NULL, NULL, 0);
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
	PGresult *rows = rows_of(c, handle,
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
	struct answers answers;

	if (ask_hosts(c, PG_PROGRAMS, &answers) == NULL && answers.writer != NULL)
		found = look(c, answers.writer);
	close_hosts(&answers);
	return found;
}
