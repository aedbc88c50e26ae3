/*
 * Where the database is (docs/postgres.md §1).
 *
 * `database` of galley.conf is read at each connection, so that a correction needs no restart.
 * libpq finds the password in the file that `database_password_file` names, and who signed the
 * server's certificate in db/root.crt. An instance of before has its address in db/galley.db,
 * behind the mark.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "store/pg/pg-address.h"
#include "system/conf/conf-database.h"
#include "system/conf/console-conf.h"
#include "system/instance.h"

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

/* Returns the address behind the mark of db/galley.db, "" if there is none. Before galley init has
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
	/* What the address says replaces what is before it, and what is behind it replaces what it
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
