/*
 * Where the database is (docs/postgres.md §1).
 *
 * `database` of galley.conf is read at each connection, so that a correction needs no restart. libpq
 * finds the password in the file that `database_password_file` names. An instance of before has
 * its address in db/galley.db, behind the mark.
 */
#include <errno.h>
#include <fcntl.h>
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

/* Returns whether all hosts of the list are this machine. */
static bool
is_here(struct ctx *c, const char *hosts)
{
	static const char *const here[] = { "", "localhost", "127.0.0.1", "::1" };
	char *rest = arena_text(c->arena, hosts != NULL ? hosts : ""), *host;

	while ((host = strsep(&rest, ",")) != NULL) {
		bool found = host[0] == '/' || host[0] == '@';

		for (size_t i = 0; i < sizeof(here) / sizeof(here[0]); i++)
			found = found || strcmp(host, here[i]) == 0;
		if (!found)
			return false;
	}
	return true;
}

/* Returns what is wrong with a file of passwords, or NULL. libpq passes over one that others may
 * read, and would only say that the password is wrong. A confined program reaches db/ of the
 * instance, where the pepper is, too. */
static const char *
look_at_passwords(struct ctx *c, const char *path)
{
	const char *folder = fileio_folder(c->arena, c->instance->db), *wrong = NULL;
	struct stat st;
	int fd;

	if (strcmp(fileio_folder(c->arena, path), folder) != 0)
		return arena_printf(c->arena, "database_password_file: %s must be in %s, which the"
		    " programs reach", path, folder);
	fd = fileio_open(path, O_RDONLY | O_NONBLOCK);
	if (fd < 0)
		return arena_printf(c->arena, "database_password_file: %s: %s", path,
		    strerror(errno));
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		wrong = "is no file";
	else if ((st.st_mode & 077) != 0)
		wrong = "can be read by others: chmod 600 it";
	else if (st.st_uid != geteuid())
		wrong = "belongs to another user: chown it";
	close(fd);
	return wrong == NULL ? NULL
	    : arena_printf(c->arena, "database_password_file: %s %s", path, wrong);
}

/* Returns the address behind the mark of db/galley.db, "" if there is none. */
static const char *
address_of_mark(struct ctx *c)
{
	char *text = fileio_read_now(c->arena, c->instance->db, ADDRESS_MAX, NULL);

	if (text == NULL || strncmp(text, PG_MARK, strlen(PG_MARK)) != 0)
		return "";
	text += strlen(PG_MARK);
	text[strcspn(text, "\n")] = '\0';
	return text;
}

const char *
pg_address_read(struct ctx *c, struct pg_address *out)
{
	PQconninfoOption *options;
	struct console_conf conf;
	struct err *err;

	memset(out, 0, sizeof(*out));
	console_conf_read(c, &conf);
	out->info = conf_database_is_address(conf.database) ? conf.database : address_of_mark(c);
	if (out->info[0] == '\0')
		return "galley.conf names no database: these programs are built for PostgreSQL,"
		       " and need database = postgresql://…";
	err = conf_database_check(c, "database", strlen("database"), out->info);
	if (err != NULL)
		return arena_text_n(c->arena, err->message, strcspn(err->message, "."));
	options = PQconninfoParse(out->info, NULL);
	if (options == NULL)
		return "database in galley.conf is no address that libpq can read";
	out->sslmode = is_here(c, value_of(c, options, "host")) ? NULL : "verify-full";
	PQconninfoFree(options);
	if (conf.database_password_file[0] == '\0')
		return NULL;
	out->passwords = conf.database_password_file;
	return look_at_passwords(c, out->passwords);
}
