/* The keys of galley.conf that only the console, the pages and the tool read, and what their values
 * may be. */
#include "system/console-conf.h"

#include <arpa/inet.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "system/conf-key.h"
#include "system/instance.h"

/* ---- addresses that may be set */

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" DIGITS
#define ADDRESS_MAX 1000 /* bytes */
#define LABEL_MAX 63
#define HOST_MAX 253
#define PORT_MAX 65535

bool
conf_address_is_of(const char *key)
{
	return strcmp(key, "public_url") == 0 || strcmp(key, "console_url") == 0 ||
	       strcmp(key, "pages_url") == 0;
}

/* Returns what is wrong with an IPv6 address, without its brackets, or NULL. */
static const char *
wrong_ipv6(const char *text)
{
	struct in6_addr address;

	return inet_pton(AF_INET6, text, &address) == 1
		   ? NULL
		   : "what is in the brackets [ ] is no IPv6 address";
}

static const char *
wrong_label(const char *label, size_t len)
{
	if (len == 0)
		return "its host has an empty part: there is a dot too many";
	if (len > LABEL_MAX)
		return "a part of its host has more than 63 letters";
	if (label[0] == '-' || label[len - 1] == '-')
		return "a part of its host begins or ends with -";
	return NULL;
}

/* Returns what is wrong with a host name or an IPv4 address, or NULL. */
static const char *
wrong_name(const char *host)
{
	const char *label = host, *wrong;
	struct in_addr address;
	size_t len;

	if (host[strspn(host, LETTERS "-_.")] != '\0')
		return "its host holds something that is no letter from a to z, no digit, and none of - _ . (of a name with other letters write the form that begins with xn--)";
	if (strlen(host) > HOST_MAX)
		return "its host has more than 253 letters";
	for (;; label += len + 1) {
		len = strcspn(label, ".");
		wrong = wrong_label(label, len);
		if (wrong != NULL)
			return wrong;
		if (label[len] == '\0')
			break;
	}
	/* Browsers read a host whose last part is a number as an IPv4 address. */
	if (label[strspn(label, DIGITS)] == '\0' && inet_pton(AF_INET, host, &address) != 1)
		return "its host is a number and no IPv4 address";
	return NULL;
}

/* Returns what is wrong with what is after the colon, or NULL. */
static const char *
wrong_port(const char *port)
{
	size_t len = strspn(port, DIGITS);
	long number = 0;

	for (size_t i = 0; i < len && i < 6; i++)
		number = number * 10 + (port[i] - '0');
	return len > 0 && len < 6 && port[len] == '\0' && port[0] != '0' && number <= PORT_MAX
		   ? NULL
		   : "its port must be a number from 1 to 65535";
}

/* Returns what is wrong with host and port, or NULL. */
static const char *
wrong_authority(struct ctx *c, const char *text)
{
	const char *end = strchr(text, ']'), *wrong;
	size_t len;

	if (strchr(text, '@') != NULL)
		return "it must hold no user name and no password, so no @";
	if (text[0] == '[' && end == NULL)
		return "there is no ] behind the [ of its host";
	if (text[0] == '[') {
		wrong = wrong_ipv6(arena_text_n(c->arena, text + 1, (size_t)(end - text) - 1));
		len = (size_t)(end - text) + 1;
	} else {
		len = strcspn(text, ":");
		wrong = len > 0 ? wrong_name(arena_text_n(c->arena, text, len)) : "it has no host";
	}
	if (wrong != NULL || text[len] == '\0')
		return wrong;
	return text[len] == ':' ? wrong_port(text + len + 1)
				: "what follows the ] of its host is no port";
}

static bool
is_hex(char ch)
{
	return ch != '\0' && strchr(DIGITS "abcdefABCDEF", ch) != NULL;
}

/* Returns what is wrong with the path, or NULL. */
static const char *
wrong_path(const char *path)
{
	size_t len = strlen(path), size;

	if (path[strspn(path, LETTERS "-_.~!$&'()*+=:@%/")] != '\0')
		return "its path holds something that must be written with % and two hex digits";
	for (const char *p = strchr(path, '%'); p != NULL; p = strchr(p + 1, '%')) {
		if (!is_hex(p[1]) || !is_hex(p[2]))
			return "a % of its path is not followed by two hex digits";
	}
	/* Slashes at the end are left out. */
	while (len > 0 && path[len - 1] == '/')
		len--;
	for (const char *part = path; part < path + len; part += size) {
		part++;
		size = strcspn(part, "/");
		if (size == 0 || (size <= 2 && strspn(part, ".") >= size))
			return "its path has an empty part, or one that is . or ..";
	}
	return NULL;
}

static const char *
wrong_address(struct ctx *c, const char *value)
{
	const char *text = strncmp(value, "https://", 8) == 0  ? value + 8
			   : strncmp(value, "http://", 7) == 0 ? value + 7
							       : NULL;
	const char *wrong;
	size_t len;

	if (text == NULL)
		return "it must begin with https:// or http://";
	if (strlen(value) > ADDRESS_MAX)
		return "it has more than 1,000 bytes";
	if (strpbrk(value, "?#") != NULL)
		return "it must hold no query, so no ? and no #";
	len = strcspn(text, "/");
	wrong = wrong_authority(c, arena_text_n(c->arena, text, len));
	return wrong != NULL ? wrong : wrong_path(text + len);
}

struct err *
conf_address_check(struct ctx *c, const char *key, const char *value)
{
	const char *wrong = value[0] != '\0' ? wrong_address(c, value) : NULL;

	return wrong == NULL
		   ? NULL
		   : refuse(c, ERR_INTERNAL, "%s cannot be this address: %s.", key, wrong);
}

/* ---- the database, and files of passwords */

bool
conf_database_is_address(const char *value)
{
	return value[0] != '\0' && strcmp(value, "sqlite") != 0;
}

static bool
begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Returns what follows the scheme, or NULL: the value is no URI. */
static const char *
behind_scheme(const char *value)
{
	return begins(value, "postgresql://") ? value + strlen("postgresql://")
	       : begins(value, "postgres://") ? value + strlen("postgres://")
					      : NULL;
}

/* Returns whether `word` is in the text as a key of its own: `password = …`, `?password=…`. */
static bool
has_key(const char *text, const char *word)
{
	const char *found = text;

	while ((found = strstr(found, word)) != NULL) {
		const char *end = found + strlen(word);

		if ((found == text || strchr(" \t?&'", found[-1]) != NULL) &&
		    end[strspn(end, " \t")] == '=')
			return true;
		found = end;
	}
	return false;
}

/* A URI's user ends at the last @ before its parameters: what a person wrote as a password may hold
 * another one. */
static bool
has_password(const char *value)
{
	const char *rest = behind_scheme(value), *user_end = NULL, *colon;
	size_t len;

	if (has_key(value, "password") || has_key(value, "sslpassword"))
		return true;
	if (rest == NULL)
		return false;
	/* A % may hide a letter of the word. */
	colon = strchr(rest, '?');
	if (colon != NULL && strchr(colon, '%') != NULL && strcasestr(colon, "word=") != NULL)
		return true;
	len = strcspn(rest, "?");
	for (size_t i = 0; i < len; i++) {
		if (rest[i] == '@')
			user_end = rest + i;
	}
	colon = strchr(rest, ':');
	return user_end != NULL && colon != NULL && colon < user_end;
}

static struct err *
check_address(struct ctx *c, const char *value)
{
	if (has_password(value))
		return refuse(c, ERR_INTERNAL,
		    "database must hold no password: write it to a file that only the owner reads, and name that in database_password_file.");
	if (behind_scheme(value) == NULL && strchr(value, '=') == NULL)
		return refuse(c, ERR_INTERNAL,
		    "database must be sqlite, postgresql://host/name, or host=… dbname=….");
	if (!conf_database_is_remote)
		return refuse(c, ERR_INTERNAL,
		    "database names a PostgreSQL, and these programs are built for SQLite: install galley-postgresql.");
	return NULL;
}

/* Returns whether the key names a file of passwords. */
static bool
is_file(const char *key, size_t len)
{
	static const char begin[] = "database_", end[] = "password_file";
	const size_t tail = sizeof(end) - 1;

	return len > tail && begins(key, begin) && memcmp(key + len - tail, end, tail) == 0;
}

struct err *
conf_database_check(struct ctx *c, const char *key, size_t len, const char *value)
{
	if (len == strlen("database") && memcmp(key, "database", len) == 0) {
		if (conf_database_is_address(value))
			return check_address(c, value);
		if (conf_database_is_remote && strcmp(value, "sqlite") == 0)
			return refuse(c, ERR_INTERNAL,
			    "database is sqlite, and these programs are built for PostgreSQL: install those without PostgreSQL, or name the database.");
		return NULL;
	}
	if (is_file(key, len) && value[0] != '\0' && value[0] != '/')
		return refuse(c, ERR_INTERNAL, "%.*s must be an absolute path.", (int)len, key);
	return NULL;
}

/* ---- the keys */

#define FILE_MAX_BYTES ((size_t)64 * 1024)

#define AT(member) offsetof(struct console_conf, member)

static const struct conf_key keys[] = {
	{ "database", TEXT, AT(database), 0, 0, "sqlite",
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
	/* PostgreSQL must be named. */
	if (conf_database_is_remote)
		out->database = "";
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
