/* Connects to each host of the address by itself, and says in words what came of it. */
#include <ctype.h>
#include <poll.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "store/pg/pg-server.h"

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
explain_certificate(struct ctx *c, struct pg_answer *a, const char *said)
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
setting_of(const struct pg_answers *answers)
{
	if (answers->address.user == NULL)
		return "database_password_file";
	return answers->role == PG_API ? "database_api_password_file"
				       : "database_owner_password_file";
}

static void
explain(struct ctx *c, struct pg_answer *a, const char *setting, const char *libpq)
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
connect_to(struct ctx *c, const struct pg_answers *answers, struct pg_answer *a)
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

const char *
pg_server_ask(struct ctx *c, enum pg_role role, struct pg_answers *out)
{
	struct pg_host hosts[PG_HOSTS_MAX];
	const char *wrong;

	memset(out, 0, sizeof(*out));
	out->role = role;
	wrong = pg_address_read(c, role, &out->address);
	if (wrong != NULL)
		return wrong;
	out->count = pg_address_hosts(c, out->address.info, hosts, PG_HOSTS_MAX);
	for (size_t i = 0; i < out->count; i++) {
		struct pg_answer *a = &out->each[i];

		a->host = hosts[i];
		connect_to(c, out, a);
		if (out->writer == NULL && a->handle != NULL && a->takes_writes)
			out->writer = a->handle;
	}
	return NULL;
}

void
pg_server_close(struct pg_answers *answers)
{
	for (size_t i = 0; i < answers->count; i++)
		PQfinish(answers->each[i].handle);
	answers->count = 0;
}

const char *
pg_server_name(struct ctx *c, const struct pg_host *host)
{
	return arena_printf(c->arena, "%s, port %s",
	    host->name[0] != '\0'      ? host->name
	    : host->address[0] != '\0' ? host->address
				       : "this machine",
	    host->port);
}

PGresult *
pg_server_rows(struct ctx *c, PGconn *handle, const char *sql, const char **wrong)
{
	PGresult *result = PQexec(handle, sql);

	if (PQresultStatus(result) == PGRES_TUPLES_OK)
		return result;
	*wrong = flat(c, PQerrorMessage(handle));
	PQclear(result);
	return NULL;
}
