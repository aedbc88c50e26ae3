/*
 * Where the database is, and the connections to it.
 *
 * The address is in galley.conf (pg-address.c). db/galley.db holds a word, so that an instance has
 * the same files whatever its store is, and a program of the other build sees at once that this is
 * not its database.
 */
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "store/db-role.h"
#include "store/pg/pg-address.h"
#include "store/pg/pg-handle.h"
#include "system/conf/conf-database.h"
#include "system/instance.h"

/* The rows of most answers, and the free memory behind them that a process keeps. */
#define MEMORY_KEPT (4 * 1024 * 1024)

static struct db connections[3];
/* As whom this process signs in (db-role.h). */
static enum pg_role process_role;

const char *
pg_schema(enum db_store store)
{
	static const char *const names[] = {
		[DB_CONTENT] = "content", [DB_CONSOLE] = "console", [DB_STATS] = "stats"
	};

	return names[store];
}

static struct db *
connection_of(enum db_store store)
{
	connections[store].store = store;
	return &connections[store];
}

const char *
db_console_path(struct ctx *c)
{
	return arena_printf(c->arena, "%s/people/console.db", c->instance->home);
}

const char *
db_file_of(struct ctx *c, enum db_store store)
{
	if (store == DB_CONTENT)
		return c->instance->db;
	return store == DB_CONSOLE ? db_console_path(c)
				   : arena_printf(c->arena, "%s/stats/stats.db", c->instance->home);
}

/* Notes are for people at a terminal. But this one says that a standby may lack the commit. */
static void
hear(void *arg, const PGresult *result)
{
	struct db *db = arg;
	const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);

	if (db->committing && state != NULL && strcmp(state, "01000") == 0)
		db->unsure = true;
}

void
pg_disconnect(struct db *db)
{
	if (db->handle == NULL)
		return;
	for (size_t i = 0; i < db->count; i++) {
		db_reset(&db->statements[i]);
		db->statements[i].prepared = false;
	}
	pg_unsend_asks(db);
	PQclear(db->look);
	PQclear(db->limit.result);
	db->look = db->limit.result = NULL;
	PQfinish(db->handle);
	db->handle = NULL;
	db->parts_count = 0;
	db->open = false;
}

/* Returns the settings of the session. The last ones are for the server, which must not keep the
 * locks of a program whose host has lost its power, or which stopped in the middle. */
static const char *
options(struct ctx *c, const struct db *db)
{
	return arena_printf(c->arena,
	    "-c search_path=%s -c lock_timeout=%d -c client_min_messages=warning -c bytea_output=hex -c plan_cache_mode=auto -c cursor_tuple_fraction=1 -c idle_in_transaction_session_timeout=%d -c tcp_user_timeout=5000 -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3",
	    pg_schema(db->store), db->wait_ms, pg_patience_ms(db));
}

static _Noreturn void
fail_to_connect(struct ctx *c, struct db *db, bool changed)
{
	const char *said = arena_text(c->arena, PQerrorMessage(db->handle));

	pg_note_lost(db, NULL);
	pg_disconnect(db);
	log_plainly("The database cannot be reached.");
	if (changed)
		die_passing(1,
		    "PostgreSQL cannot be reached: %s; its address was changed, and the next process asks it",
		    said);
	die_passing(2, "PostgreSQL cannot be reached: %s", said);
}

static enum pg_role
role_of(const struct db *db)
{
	return db->owner ? PG_OWNER : process_role;
}

enum pg_role
pg_process_role(void)
{
	return process_role;
}

void
db_as_api(void)
{
	process_role = PG_API;
}

/* Returns whether the owner of the tables is another user than the programs. */
static bool
has_owner(struct ctx *c)
{
	struct pg_address address;

	/* What is wrong with the file of the password is told when the owner connects. */
	(void)pg_address_read(c, PG_OWNER, &address);
	return address.user != NULL;
}

void
db_as_owner(struct ctx *c, bool owner)
{
	enum pg_role role = owner ? PG_OWNER : PG_PROGRAMS;

	if (process_role == role || !has_owner(c))
		return;
	for (size_t i = 0; i < sizeof(connections) / sizeof(connections[0]); i++)
		pg_disconnect(&connections[i]);
	process_role = role;
}

void
pg_be_owner(struct ctx *c, struct db *db, bool owner)
{
	if (process_role == PG_OWNER || !has_owner(c))
		return;
	pg_disconnect(db);
	db->owner = owner;
	pg_set_deadline(db);
	pg_connect(c, db);
}

/* A process that answers many requests keeps the memory of their rows. What it gave back to the
 * system, the next answer would have to ask for: a sixth of the time of a list of 20. */
static void
keep_memory(const struct ctx *c)
{
	if (c->lasting)
		(void)mallopt(M_TRIM_THRESHOLD, MEMORY_KEPT);
}

void
pg_connect(struct ctx *c, struct db *db)
{
	struct pg_parameters parameters;
	struct pg_address address;
	const char *wrong;
	bool changed;

	pg_disconnect(db);
	keep_memory(c);
	fileio_look(c->instance->conf, &db->conf);
	fileio_look(c->instance->db, &db->mark);
	wrong = pg_address_read(c, role_of(db), &address);
	if (wrong != NULL)
		die_passing(5, "%s", wrong);
	changed = pg_names_use(&address);
	pg_address_parameters(&address, "read-write", options(c, db), &parameters);
	db->handle = PQconnectdbParams(parameters.names, parameters.values, 1);
	if (PQstatus(db->handle) != CONNECTION_OK)
		fail_to_connect(c, db, changed);
	wrong = pg_wrong_server(c, db->handle);
	if (wrong != NULL) {
		pg_disconnect(db);
		log_plainly("The database is set up wrongly.");
		die_passing(60, "%s", wrong);
	}
	PQsetNoticeReceiver(db->handle, hear, db);
	/* Nothing waits for the server but pg_await(), which has a deadline. */
	(void)PQsetnonblocking(db->handle, 1);
	pg_extend_deadline(db);
	pg_pepper_check(c, db);
}

static bool
is_another(const char *path, const struct fileio_written *seen)
{
	struct fileio_written now;

	fileio_look(path, &now);
	return now.len != seen->len || now.modified != seen->modified ||
	       now.changed != seen->changed;
}

/* Returns whether galley.conf was written since: the address may be another one. */
static bool
was_replaced(struct ctx *c, const struct db *db)
{
	return is_another(c->instance->conf, &db->conf) || is_another(c->instance->db, &db->mark);
}

/* A connection costs more than a question: a program of a web server answers many requests, or
 * none (docs/postgres.md §1). The tool and the runners have no request. */
static void
check_lasting(const struct ctx *c)
{
	if (c->lasting || c->request_id[0] == '\0' || getenv("GATEWAY_INTERFACE") == NULL)
		return;
	die_passing(60,
	    "this program is of the build STORE=pg, which answers by FastCGI only; the web server started it as plain CGI");
}

static void
open_store(struct ctx *c, struct db *db, int wait_ms)
{
	bool other = db->handle != NULL && (db->wait_ms != wait_ms || was_replaced(c, db));

	check_lasting(c);
	db->c = c;
	db->wait_ms = wait_ms;
	if (other)
		pg_disconnect(db);
	if (db->handle == NULL) {
		pg_set_deadline(db);
		pg_connect(c, db);
	}
	c->db = db;
}

void
db_open(struct ctx *c, int wait_ms)
{
	open_store(c, connection_of(DB_CONTENT), wait_ms);
}

void
pg_choose(struct ctx *c, enum db_store store)
{
	int wait_ms = c->db != NULL ? c->db->wait_ms : DB_WAIT_READ_MS;

	if (c->db != NULL && pg_is_open(c->db))
		BUG("a transaction touches one store");
	open_store(c, connection_of(store), wait_ms);
}

struct db *
pg_beside(struct ctx *c, enum db_store store)
{
	struct db *db = connection_of(store), *present = c->db;

	if (present == db || db->handle != NULL) {
		db->c = c;
		return db;
	}
	open_store(c, db,
	    connections[DB_CONTENT].wait_ms != 0 ? connections[DB_CONTENT].wait_ms
						 : DB_WAIT_READ_MS);
	c->db = present != NULL ? present : db;
	return db;
}

/* The server parses no schema for a connection: there is nothing to be saved. */
void
db_reads(struct ctx *c, enum db_store store, const char *tables)
{
	(void)c;
	(void)store;
	(void)tables;
}

void
db_touches(struct ctx *c, const char *tables)
{
	(void)c;
	(void)tables;
}

static void
write_file(struct ctx *c, const char *path, const char *text)
{
	if (access(path, F_OK) == 0)
		die("%s exists", path);
	if (!fileio_replace(c->arena, path, text, strlen(text), 0600))
		die("%s: %s", path, strerror(errno));
}

static const char *
line_of(struct ctx *c, const char *word, const char *variable)
{
	const char *value = getenv(variable);

	return value == NULL ? "" : arena_printf(c->arena, "%s%s\n", word, value);
}

/* The file says what store the instance has, and the address, unless galley.conf names it. */
void
db_create(struct ctx *c, bool write_ahead)
{
	const char *address = getenv("GALLEY_DATABASE");
	struct err *err = NULL;

	(void)write_ahead;
	if (address != NULL)
		err = conf_database_check(c, "database", strlen("database"), address);
	if (err != NULL)
		die("%s", err->message);
	write_file(c, c->instance->db,
	    address == NULL ? PG_MARK
			    : arena_printf(c->arena, PG_MARK "%s\n%s%s", address,
				  line_of(c, PG_MARK_API, PG_API_VARIABLE),
				  line_of(c, PG_MARK_OWNER, PG_OWNER_VARIABLE)));
	db_open(c, DB_WAIT_TOOL_MS);
}

/* Their files say that these stores are there; they hold nothing. */
void
db_create_beside(struct ctx *c, enum db_store store, bool write_ahead)
{
	const char *path = db_file_of(c, store);

	(void)write_ahead;
	if (access(path, F_OK) != 0)
		write_file(c, path, PG_MARK);
}

void
db_close(struct ctx *c)
{
	for (size_t i = 0; i < sizeof(connections) / sizeof(connections[0]); i++)
		pg_disconnect(&connections[i]);
	c->db = NULL;
}

const char *
db_library(void)
{
	static char version[16];

	(void)snprintf(
	    version, sizeof(version), "%d.%d", PQlibVersion() / 10000, PQlibVersion() % 10000);
	return version;
}
