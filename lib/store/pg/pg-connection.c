/*
 * Where the database is, and the connections to it.
 *
 * The address is in galley.conf. db/galley.db holds a word, so that an instance has the same files
 * whatever its store is, and a program of the other build sees at once that this is not its
 * database.
 */
#include "store/pg/pg-connection.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "store/hosts.h"
#include "store/remote-store.h"
#include "system/conf.h"
#include "system/harden.h"
#include "system/instance.h"

/* What db/galley.db begins with. The address may follow in a line, and as whom others sign in. */
#define PG_MARK "PostgreSQL\n"
#define PG_MARK_API "api="
#define PG_MARK_OWNER "owner="
/* What galley init reads these from where galley.conf does not name the database. */
#define PG_API_VARIABLE "GALLEY_DATABASE_API"
#define PG_OWNER_VARIABLE "GALLEY_DATABASE_OWNER"

/* As whom this process signs in (remote-store.h). */
static enum pg_role process_role;

/*
 * ---- where the database is (docs/postgres.md §1)
 *
 * `database` of galley.conf is read at each connection, so that a correction needs no restart.
 * libpq finds the password in the file that `database_password_file` names, and who signed the
 * server's certificate in db/root.crt. An older instance has its address in db/galley.db, after
 * the mark.
 */

#define ADDRESS_MAX ((size_t)4096)

/* Returns the value of a parameter of the address, or NULL. */
static const char *
value_of(struct ctx *c, PQconninfoOption *options, const char *name)
{
	for (PQconninfoOption *o = options; o->keyword != NULL; o++) {
		if (strcmp(o->keyword, name) == 0)
			return o->val != NULL ? arena_text(c->arena, o->val) : NULL;
	}
	return NULL;
}

static bool
is_loopback(const char *host)
{
	struct in_addr address;

	if (inet_pton(AF_INET, host, &address) == 1)
		return (ntohl(address.s_addr) >> 24) == 127;
	return strcmp(host, "::1") == 0 || strcmp(host, "localhost") == 0;
}

/* Returns whether all hosts of the list are this machine. */
static bool
is_here(struct ctx *c, const char *hosts)
{
	char *rest = arena_text(c->arena, hosts != NULL ? hosts : ""), *host;

	while ((host = strsep(&rest, ",")) != NULL) {
		if (host[0] != '\0' && host[0] != '/' && host[0] != '@' && !is_loopback(host))
			return false;
	}
	return true;
}

/* Returns whether all hosts of the list are folders with sockets. */
static bool
are_sockets(const char *hosts)
{
	if (hosts == NULL)
		return true;
	for (const char *host = hosts; host != NULL; host = strchr(host, ',')) {
		host += host[0] == ',';
		if (host[0] != '/' && host[0] != '@')
			return false;
	}
	return true;
}

/* Returns what is wrong with a file of passwords, or NULL. libpq passes over one that others may
 * read, and would only say that the password is wrong. `key` is its setting. */
static const char *
look_at_passwords(struct ctx *c, const char *key, const char *path)
{
	const char *wrong = NULL;
	struct stat st;
	int fd = fileio_open(path, O_RDONLY | O_NONBLOCK);

	if (fd < 0)
		return arena_printf(c->arena, "%s: %s: %s", key, path, strerror(errno));
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		wrong = "is no file";
	else if ((st.st_mode & 077) != 0)
		wrong = "can be read by others: chmod 600 it";
	else if (st.st_uid != geteuid())
		wrong = "belongs to another user: chown it";
	close(fd);
	return wrong == NULL ? NULL : arena_printf(c->arena, "%s: %s %s", key, path, wrong);
}

/* The authority's certificate is public, but a confined program must reach it. */
static const char *
look_at_authority(struct ctx *c, const char *named, struct pg_address *out)
{
	const char *folder = fileio_folder(c->arena, c->instance->db);

	if (named == NULL) {
		const char *usual = fileio_path(c->arena, folder, "root.crt");

		out->authority = access(usual, F_OK) == 0 ? usual : NULL;
		return NULL;
	}
	if (named[0] == '\0' || strcmp(named, "system") == 0 ||
	    strcmp(fileio_folder(c->arena, named), folder) == 0)
		return NULL;
	return arena_printf(c->arena,
	    "sslrootcert of database: %s must be in %s, which the programs reach", named, folder);
}

/* Returns what is wrong with the folder of a file of passwords, or NULL. A confined program of the
 * API reaches db/ of the instance, where the pepper is, and not people/: so its own password is in
 * the one, and that of another user in the other. */
static const char *
look_at_place(struct ctx *c, const char *key, const char *path, bool apart)
{
	const char *folder = fileio_folder(c->arena, path);
	const char *db = fileio_folder(c->arena, c->instance->db);
	const char *wanted = apart ? fileio_path(c->arena, c->instance->home, "people") : db;

	if (strcmp(folder, wanted) == 0)
		return NULL;
	return arena_printf(c->arena, "%s: %s must be in %s, which %s", key, path, wanted,
	    apart ? "the API's programs do not reach" : "the programs reach");
}

/* Returns as whom libpq signs in where the address does not say it. */
static const char *
usual_user(struct ctx *c)
{
	PQconninfoOption *options = PQconndefaults();
	const char *user = options != NULL ? value_of(c, options, "user") : NULL;

	PQconninfoFree(options);
	return user != NULL ? user : "";
}

static const char *
of_environment(const char *variable)
{
	const char *value = getenv(variable);

	return value != NULL ? value : "";
}

/* As whom the roles sign in; "": as the address says. */
struct users {
	const char *api, *owner;
};

/* Returns the address after the mark of db/galley.db, "" if there is none. Before galley init has
 * made the file it is the environment's. */
static const char *
address_of_mark(struct ctx *c, struct users *users)
{
	char *text = fileio_read_now(c->arena, c->instance->db, ADDRESS_MAX, NULL), *line;
	const char *of_init = getenv("GALLEY_DATABASE"), *address = "";

	if (text == NULL && errno == ENOENT && of_init != NULL) {
		*users = (struct users) { of_environment(PG_API_VARIABLE),
			of_environment(PG_OWNER_VARIABLE) };
		return of_init;
	}
	if (text == NULL || strncmp(text, PG_MARK, strlen(PG_MARK)) != 0)
		return "";
	text += strlen(PG_MARK);
	while ((line = strsep(&text, "\n")) != NULL) {
		if (strncmp(line, PG_MARK_API, strlen(PG_MARK_API)) == 0)
			users->api = line + strlen(PG_MARK_API);
		else if (strncmp(line, PG_MARK_OWNER, strlen(PG_MARK_OWNER)) == 0)
			users->owner = line + strlen(PG_MARK_OWNER);
		else if (address[0] == '\0')
			address = line;
	}
	return address;
}

/* Finds the user of a role, and the file with the password. Returns what is wrong with that, or
 * NULL. */
static const char *
find_role(struct ctx *c, const struct console_conf *conf, const struct users *users,
    enum pg_role role, struct pg_address *out)
{
	const char *user = role == PG_API ? users->api : role == PG_OWNER ? users->owner : "";
	const char *key = "database_password_file", *path = conf->database_password_file, *wrong;

	out->user = user[0] != '\0' ? user : NULL;
	if (role == PG_API && out->user != NULL) {
		key = "database_api_password_file";
		path = conf->database_api_password_file;
	}
	if (role == PG_OWNER && conf->database_owner_password_file[0] != '\0') {
		out->passwords = conf->database_owner_password_file;
		return look_at_passwords(c, "database_owner_password_file", out->passwords);
	}
	if (path[0] == '\0')
		return NULL;
	out->passwords = path;
	wrong = look_at_place(c, key, path, users->api[0] != '\0' && role != PG_API);
	return wrong != NULL ? wrong : look_at_passwords(c, key, path);
}

/* Reads who the hosts are, and how they prove it. An address of libpq's counts, not its name. */
static const char *
read_options(struct ctx *c, PQconninfoOption *options, struct pg_address *out)
{
	const char *hosts = value_of(c, options, "host");
	const char *addresses = value_of(c, options, "hostaddr");
	const char *mode = value_of(c, options, "sslmode");
	bool here = is_here(c, addresses != NULL ? addresses : hosts);

	out->sslmode = here ? NULL : "verify-full";
	out->unproved = !here && mode != NULL && strcmp(mode, "verify-full") != 0;
	out->by_sockets = addresses == NULL && are_sockets(hosts);
	return look_at_authority(c, value_of(c, options, "sslrootcert"), out);
}

const char *
pg_address_read(struct ctx *c, enum pg_role role, struct pg_address *out)
{
	struct users users = { "", "" };
	PQconninfoOption *options;
	struct console_conf conf;
	const char *wrong;
	struct err *err;

	memset(out, 0, sizeof(*out));
	console_conf_read(c, &conf);
	if (conf_database_is_address(conf.database)) {
		out->info = conf.database;
		users = (struct users) { conf.database_api_user, conf.database_owner_user };
	} else {
		out->info = address_of_mark(c, &users);
	}
	if (out->info[0] == '\0')
		return "galley.conf names no database: these programs are built for PostgreSQL, and need database = postgresql://…";
	err = conf_database_check(c, "database", strlen("database"), out->info);
	if (err != NULL)
		return arena_text_n(c->arena, err->message, strcspn(err->message, "."));
	options = PQconninfoParse(out->info, NULL);
	if (options == NULL)
		return "database in galley.conf is no address that libpq can read";
	wrong = read_options(c, options, out);
	out->programs = value_of(c, options, "user");
	PQconninfoFree(options);
	if (wrong != NULL)
		return wrong;
	if (out->programs == NULL)
		out->programs = usual_user(c);
	return find_role(c, &conf, &users, role, out);
}

void
pg_address_parameters(
    const struct pg_address *a, const char *target, const char *settings, struct pg_parameters *out)
{
	/* What the address says replaces what is before it, and what is after it replaces what it
	 * says. libpq passes over what is NULL. A tool that root started has root's home, where its
	 * present user may not even look for a certificate of its own; for libpq that is a
	 * fault. */
	const char *const pairs[][2] = { { "sslcert", "/nonexistent/postgresql.crt" },
		{ "sslrootcert", a->authority }, { "sslmode", a->sslmode },
		{ "passfile", a->passwords }, { "dbname", a->info }, { "user", a->user },
		{ "host", a->hosts }, { "hostaddr", a->host_addresses }, { "port", a->ports },
		{ "target_session_attrs", target }, { "connect_timeout", "2" },
		{ "tcp_user_timeout", "5000" }, { "keepalives_idle", "5" },
		{ "keepalives_interval", "2" }, { "keepalives_count", "3" },
		{ "client_encoding", "UTF8" }, { "application_name", "galley" },
		{ "options", settings }, { NULL, NULL } };

	_Static_assert(sizeof(pairs) / sizeof(pairs[0]) <= PG_PARAMETERS, "room for all");
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		out->names[i] = pairs[i][0];
		out->values[i] = pairs[i][1];
	}
}

/* Returns the item at this place of a list. One port is that of all hosts; the other lists have an
 * item for each. */
static const char *
item_of(struct ctx *c, const char *list, size_t at)
{
	const char *item = list != NULL ? list : "";

	if (strchr(item, ',') == NULL)
		return arena_text(c->arena, item);
	for (; at > 0 && item != NULL; at--) {
		item = strchr(item, ',');
		item = item != NULL ? item + 1 : NULL;
	}
	return item != NULL ? arena_text_n(c->arena, item, strcspn(item, ",")) : "";
}

static size_t
items_of(const char *list)
{
	size_t count = 1;

	for (; list != NULL && *list != '\0'; list++)
		count += *list == ',';
	return count;
}

size_t
pg_address_hosts(struct ctx *c, const char *info, struct pg_host *out, size_t max)
{
	PQconninfoOption *options = PQconninfoParse(info, NULL);
	const char *names, *addresses, *ports;
	size_t count;

	if (options == NULL)
		return 0;
	names = value_of(c, options, "host");
	addresses = value_of(c, options, "hostaddr");
	ports = value_of(c, options, "port");
	PQconninfoFree(options);
	count = items_of(addresses != NULL ? addresses : names);
	if (count > max)
		count = max;
	for (size_t i = 0; i < count; i++) {
		const char *port = item_of(c, ports, i);

		out[i] = (struct pg_host) {
			.name = item_of(c, names, i),
			.address = item_of(c, addresses, i),
			.port = port[0] != '\0' ? port : "5432",
		};
	}
	return count;
}

/*
 * ---- hosts that have names (docs/postgres.md §7)
 *
 * A confined program asks no name server and reads no
 * file of the system's, so names are looked up before it is confined, and libpq is given the
 * addresses beside the names: a certificate is still compared with the name. Who meets an address
 * that is no longer right answers 503 and ends, and the next process looks up again.
 */

#define HOSTS_MAX 16
#define ADDRESSES_MAX 8 /* of one name */
#define LIST_MAX 4096

/* What this process was confined with. It is kept as long as the confinement. */
static struct {
	bool confined;
	char info[LIST_MAX], hosts[LIST_MAX], addresses[LIST_MAX], ports[LIST_MAX];
} known;

struct lists {
	struct buf hosts, addresses, ports;
	size_t count;
};

static void
add(struct lists *out, const char *name, const char *address, const char *port)
{
	const char *between = out->count++ > 0 ? "," : "";

	buf_printf(&out->hosts, "%s%s", between, name);
	buf_printf(&out->addresses, "%s%s", between, address);
	buf_printf(&out->ports, "%s%s", between, port);
}

static bool
is_name(const struct pg_host *host)
{
	struct in6_addr address;

	return host->address[0] == '\0' && host->name[0] != '\0' && host->name[0] != '/' &&
	       host->name[0] != '@' && inet_pton(AF_INET, host->name, &address) != 1 &&
	       inet_pton(AF_INET6, host->name, &address) != 1;
}

/* Adds each address of a host's name. One that is not known stays a name: libpq says then that it
 * cannot be looked up, and asks the other hosts. */
static void
look_up(struct lists *out, const struct pg_host *host)
{
	const struct addrinfo wanted = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *found = NULL;
	char text[INET6_ADDRSTRLEN];
	size_t count = 0;

	if (getaddrinfo(host->name, NULL, &wanted, &found) != 0)
		found = NULL;
	for (const struct addrinfo *a = found; a != NULL && count < ADDRESSES_MAX; a = a->ai_next) {
		if (getnameinfo(a->ai_addr, a->ai_addrlen, text, sizeof(text), NULL, 0,
			NI_NUMERICHOST) != 0)
			continue;
		add(out, host->name, text, host->port);
		count++;
	}
	if (found != NULL)
		freeaddrinfo(found);
	if (count == 0)
		add(out, host->name, "", host->port);
}

/* A request waits for the answers: a name server that is silent is asked no longer than a host. */
static void
be_brief(void)
{
	if (res_init() == 0) {
		_res.retrans = 1;
		_res.retry = 2;
	}
}

/* Keeps what was found; what has no room is left to libpq. */
static void
keep(const char *info, const struct lists *found)
{
	const struct {
		char *to;
		const char *text;
	} all[] = { { known.info, info }, { known.hosts, buf_done(&found->hosts) },
		{ known.addresses, buf_done(&found->addresses) },
		{ known.ports, buf_done(&found->ports) } };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (strlen(all[i].text) >= LIST_MAX)
			return;
	}
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		memcpy(all[i].to, all[i].text, strlen(all[i].text) + 1);
}

/* The kernel lets the process reach the ports of the database, and no other port of any host. */
static void
allow_ports(const struct pg_host *hosts, size_t count)
{
	uint16_t ports[HOSTS_MAX];
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		if (hosts[i].name[0] != '/' && hosts[i].name[0] != '@')
			ports[used++] = (uint16_t)strtoul(hosts[i].port, NULL, 10);
	}
	harden_connect(ports, used);
}

void
db_confine(struct ctx *c, const struct harden_path *paths, size_t paths_count)
{
	struct pg_host hosts[HOSTS_MAX];
	struct pg_address address;
	struct lists found = { .count = 0 };
	size_t count = 0;
	bool asked = false;

	known.confined = true;
	known.info[0] = '\0';
	if (pg_address_read(c, process_role, &address) == NULL)
		count = pg_address_hosts(c, address.info, hosts, HOSTS_MAX);
	buf_init(&found.hosts, c->arena, LIST_MAX);
	buf_init(&found.addresses, c->arena, LIST_MAX);
	buf_init(&found.ports, c->arena, LIST_MAX);
	for (size_t i = 0; i < count; i++) {
		if (!is_name(&hosts[i])) {
			add(&found, hosts[i].name, hosts[i].address, hosts[i].port);
			continue;
		}
		if (!asked)
			be_brief();
		asked = true;
		look_up(&found, &hosts[i]);
	}
	if (asked)
		keep(address.info, &found);
	else if (count > 0 && strlen(address.info) < LIST_MAX)
		memcpy(known.info, address.info, strlen(address.info) + 1);
	allow_ports(hosts, count);
	(void)harden_confine(paths, paths_count, true);
}

/* Gives the address the hosts as they were looked up before this process was confined.
 * Returns whether the process was confined with another address. */
static bool
use_names(struct pg_address *address)
{
	if (!known.confined)
		return false;
	if (strcmp(known.info, address->info) != 0)
		return true;
	if (known.hosts[0] != '\0') {
		address->hosts = known.hosts;
		address->host_addresses = known.addresses;
		address->ports = known.ports;
	}
	return false;
}

/* ---- servers and databases that Galley does not work with, in words: asked when a program
 * connects, and by galley doctor and galley init (docs/postgres.md §7) */

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

/* Texts are ordered byte by byte, as in SQLite: a list goes on after a name, and an index is asked
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

/* ---- connections */

/* The rows of most answers, and the free memory after them that a process keeps. */
#define MEMORY_KEPT (4 * 1024 * 1024)

static struct db connections[3];

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
	db->parts_count = 0;
	pg_forget_prefetches(db);
	PQclear(db->look);
	PQclear(db->key.begun);
	db->look = db->key.begun = NULL;
	PQfinish(db->handle);
	db->handle = NULL;
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
	changed = use_names(&address);
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
