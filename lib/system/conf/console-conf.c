#include "system/conf/console-conf.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "system/conf/conf-database.h"
#include "system/conf/conf-key.h"
#include "system/instance.h"

#define FILE_MAX_BYTES ((size_t)64 * 1024)

#define AT(member) offsetof(struct console_conf, member)

/* A build for PostgreSQL has no database unless it is named. */
#ifdef STORE_PG
#define DATABASE_STANDARD ""
#else
#define DATABASE_STANDARD "sqlite"
#endif

static const struct conf_key keys[] = {
	{ "database", TEXT, AT(database), 0, 0, DATABASE_STANDARD,
	    "sqlite, or the address of a PostgreSQL as libpq reads it, without a\n"
	    "# password: postgresql://galley@db.example.com/galley. The programs must be\n"
	    "# built for it (docs/postgres.md)." },
	{ "database_password_file", TEXT, AT(database_password_file), 0, 0, "",
	    "A file in db/ of the instance, which only the owner reads: libpq finds the\n"
	    "# password there, as host:port:database:user:password (* for any). With a\n"
	    "# database_api_user it is in people/, which the API's programs do not reach." },
	{ "database_api_user", TEXT, AT(database_api_user), 0, 0, "",
	    "The API's programs are this user of the PostgreSQL, who may ask what the API\n"
	    "# needs and no more (docs/postgres.md). Empty: that of database." },
	{ "database_api_password_file", TEXT, AT(database_api_password_file), 0, 0, "",
	    "A file in db/ of the instance with that user's password." },
	{ "database_owner_user", TEXT, AT(database_owner_user), 0, 0, "",
	    "Whose the tables of the PostgreSQL are: galley init, migrate, restore, store\n"
	    "# copy and stats erase sign in so. Empty: that of database." },
	{ "database_owner_password_file", TEXT, AT(database_owner_password_file), 0, 0, "",
	    "A file with that user's password, outside of the instance, where only the\n"
	    "# tool reaches it. Empty: database_password_file." },
	{ "console_url", URL, AT(url), 0, 0, "",
	    "Where the console is reached, as https://host or\n"
	    "# https://host/path: it is below it at /console. Empty: below\n"
	    "# public_url." },
	{ "pages_url", URL, AT(pages_url), 0, 0, "",
	    "Where people read what is shared with them, as https://host or\n"
	    "# https://host/path: it is below it at /pages. Empty: below\n"
	    "# public_url." },
	{ "pages_per_minute", NUMBER, AT(pages_per_minute), 0, 100000, "600",
	    "An address may ask for so many pages in a minute; what is answered from\n"
	    "# a kept answer is not counted. 0: nobody is counted." },
	{ "collect_per_minute", NUMBER, AT(collect_per_minute), 0, 100000, "60",
	    "So many hits of readers are taken from an address in a minute; 0: no\n"
	    "# limit." },
	{ "console_idle_minutes", NUMBER, AT(idle_minutes), 5, 720, "720",
	    "A session of the console ends after so many minutes without use." },
	{ "console_days", NUMBER, AT(days), 1, 30, "30",
	    "A session on a device that the person ticked ends after so many days." },
	{ "console_step_up_minutes", NUMBER, AT(step_up_minutes), 0, 10, "10",
	    "What is sensitive asks for the password again after so many minutes;\n"
	    "# 0: always." },
	{ "console_forms_per_minute", NUMBER, AT(forms_per_minute), 0, 100000, "120",
	    "A person may send so many forms of the console in a minute; 0: no limit." },
	{ "account_mib", NUMBER, AT(account_mib), 1, 1048576, "5120",
	    "The pictures of an account may take so many MiB." },
	{ "account_text_mib", NUMBER, AT(account_text_mib), 1, 1048576, "512",
	    "The texts of an account may take so many MiB, with those that History\n"
	    "# keeps. The tool has no such limit." },
	{ "stats_months", NUMBER, AT(stats_months), 1, 1200, "25",
	    "Counts of what readers read are removed after so many months." },
	{ "mail_command", TEXT, AT(mail_command), 0, 0, "",
	    "A program that sends a mail, with its words, such as\n"
	    "# /usr/sbin/sendmail -i -f galley@example.com: it gets the message on\n"
	    "# standard input, and \"--\" and the address behind its words. Empty: no\n"
	    "# mail is sent." },
};

#define KEY_COUNT (sizeof(keys) / sizeof(keys[0]))

const struct conf_key *
console_conf_key(size_t i)
{
	return i < KEY_COUNT ? &keys[i] : NULL;
}

const struct conf_key *
console_conf_named(const char *name, size_t len)
{
	for (size_t i = 0; i < KEY_COUNT; i++) {
		const char *key = keys[i].name;
		/* Each request asks this for each line: most names differ at the first letter. */
		if (key[0] == name[0] && strncmp(key, name, len) == 0 && key[len] == '\0')
			return &keys[i];
	}
	return NULL;
}

static bool
is_space(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\r';
}

/* Returns the text without the spaces around it. */
static char *
trim(char *text)
{
	size_t len;

	while (is_space(*text))
		text++;
	len = strlen(text);
	while (len > 0 && is_space(text[len - 1]))
		text[--len] = '\0';
	return text;
}

struct err *
console_conf_set(
    struct ctx *c, struct console_conf *out, const struct conf_key *key, const char *value)
{
	struct err *err = conf_database_check(c, key->name, strlen(key->name), value);

	return err != NULL ? err : conf_key_set(c, out, key, value);
}

/* Reads a line, if it is one of a key of the table. */
static struct err *
read_line(struct ctx *c, char *line, struct console_conf *out, bool *seen)
{
	char *equals = strchr(line, '=');
	const struct conf_key *key;
	const char *name;
	struct err *err;

	if (line[0] == '#' || equals == NULL)
		return NULL;
	*equals = '\0';
	name = trim(line);
	key = console_conf_named(name, strlen(name));
	if (key == NULL)
		return NULL;
	if (seen[key - keys])
		return refuse(c, ERR_INTERNAL, "%s stands here twice.", key->name);
	err = console_conf_set(c, out, key, trim(equals + 1));
	seen[key - keys] = err == NULL;
	return err;
}

struct err *
console_conf_parse(struct ctx *c, char *text, struct console_conf *out, int *line)
{
	bool seen[KEY_COUNT] = { false };
	struct err *err = NULL;
	char *at, *next;

	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < KEY_COUNT; i++)
		conf_key_default(out, &keys[i]);
	*line = 0;
	for (at = text; at != NULL && err == NULL; at = next) {
		++*line;
		next = strchr(at, '\n');
		if (next != NULL)
			*next++ = '\0';
		/* Most lines are comments. */
		if (*at != '#')
			err = read_line(c, trim(at), out, seen);
	}
	return err;
}

struct err *
console_conf_check(struct ctx *c, const char *path)
{
	char *text = fileio_read_now(c->arena, path, FILE_MAX_BYTES, NULL);
	struct console_conf conf;
	struct err *err;
	int line;

	if (text == NULL)
		return NULL;
	err = console_conf_parse(c, text, &conf, &line);
	return err == NULL ? NULL
			   : refuse(c, ERR_INTERNAL, "%s, line %d: %s", path, line, err->message);
}

void
console_conf_read(struct ctx *c, struct console_conf *out)
{
	const char *paths[] = { c->instance->conf,
		fileio_path(c->arena, c->instance->home, "good/galley.conf") };
	char *text, none[] = "";
	int line;

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		text = fileio_read_now(c->arena, paths[i], FILE_MAX_BYTES, NULL);
		if (text == NULL || console_conf_parse(c, text, out, &line) != NULL)
			continue;
		if (i > 0) /* a program to run is never taken from them */
			out->mail_command = "";
		return;
	}
	if (console_conf_parse(c, none, out, &line) != NULL)
		return;
}
