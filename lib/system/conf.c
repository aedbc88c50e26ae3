/* galley.conf: its keys, what their values may be, reading, and writing settings as it has them. */
#include "system/conf.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/fileio.h"
#include "base/mask.h"
#include "base/utf8.h"
#include "system/instance.h"
#include "system/near.h"

#define FILE_MAX_BYTES ((size_t)64 * 1024)
#define NUMBER_DIGITS 12
#define MEMORY_MAX ((size_t)1024 * 1024)

/* ---- the keys */

enum conf_kind { TEXT, URL, SWITCH, NUMBER, RATE };

struct conf_key {
	char name[32];
	enum conf_kind kind;
	size_t offset; /* of the member in the struct of the settings */
	int64_t min, max;
	char standard[8]; /* the default */
	char doc[280]; /* the comment that `galley init` writes above it */
};

#define AT(member) offsetof(struct conf, member)

static const struct conf_key keys[] = {
	{ "public_url", URL, AT(public_url), 0, 0, "",
	    "Where this instance is reached, as https://host or\n"
	    "# https://host/path: the API is below it at /api/v1, images at\n"
	    "# /media. A change is taken over as a settings change of every\n"
	    "# workspace." },
	{ "require_https", SWITCH, AT(require_https), 0, 0, "on",
	    "Refuse API requests over plain http (403): on or off." },
	{ "trusted_proxies", TEXT, AT(trusted_proxies), 0, 0, "",
	    "Addresses of reverse proxies, separated by spaces, whose\n"
	    "# X-Forwarded-Proto and X-Forwarded-For are believed." },
	{ "requests_per_minute", RATE, AT(requests_per_minute), 0, 120, "120",
	    "Requests in any 60 seconds for each key: 0 to 120. 0 turns the\n"
	    "# limiters off; count does all their work and refuses nobody (for\n"
	    "# benchmarks)." },
	{ "jobs_per_hour", NUMBER, AT(jobs_per_hour), 0, 1000000, "20",
	    "Generation jobs in any hour for each account; 0 = no limit." },
	{ "kept_answers", NUMBER, AT(kept_answers), 0, 1048576, "4096",
	    "Answers kept in run/ for each workspace, 64 MiB of them at most, and\n"
	    "# 512 MiB of all; 0: none, neither there nor in the memory of FastCGI\n"
	    "# processes." },
	{ "successor", SWITCH, AT(successor), 0, 0, "on",
	    "Let a second process send a CGI answer, so that mod_cgid does not\n"
	    "# wait for the first one's end (docs/platform.md): on or off." },
	{ "runner_seconds", NUMBER, AT(runner_seconds), 1, 3600, "55",
	    "How long one run of the job runner claims jobs." },
	{ "log_max_mib", NUMBER, AT(log_max_mib), 0, 4096, "16",
	    "The job runner renames a file of log/ that is larger to\n"
	    "# requests.log.1 and so on; 0 if logrotate does that ..." },
	{ "log_keep", NUMBER, AT(log_keep), 1, 99, "4",
	    "... and keeps so many files of each log." },
	{ "provider", TEXT, AT(provider), 0, 0, "outline",
	    "The writer of orders: outline (built in, offline), openai, or the absolute\n"
	    "# path of a program of yours (docs/provider.md)." },
	{ "provider_reads", TEXT, AT(provider_reads), 0, 0, "",
	    "Files and folders, separated by spaces, that a program of yours may\n"
	    "# also read and start, besides those of the system and its own folder." },
	{ "provider_timeout_s", NUMBER, AT(provider_timeout_s), 5, 3600, "600",
	    "Seconds that one try of a provider may take." },
	{ "openai_url", TEXT, AT(openai_url), 0, 0, "",
	    "For provider = openai: the address of the API, up to /v1 ..." },
	{ "openai_model", TEXT, AT(openai_model), 0, 0, "", "... the model that writes ..." },
	{ "openai_image_model", TEXT, AT(openai_image_model), 0, 0, "",
	    "... the model that draws (empty: no images) ..." },
	{ "openai_key_file", TEXT, AT(openai_key_file), 0, 0, "",
	    "... and a file, readable by the owner alone, that holds the key." },
	{ "allow_private_provider", SWITCH, AT(allow_private_provider), 0, 0, "off",
	    "Let openai_url be an address in a private network, also over\n"
	    "# plain http." },
	{ "price_article", NUMBER, AT(price_article), 1, 1000000, "20",
	    "Credits that a job reserves: an article without image ..." },
	{ "price_article_with_image", NUMBER, AT(price_article_with_image), 1, 1000000, "30",
	    "... with image ..." },
	{ "price_research", NUMBER, AT(price_research), 1, 1000000, "10",
	    "... and a research brief." },
	{ "credits_per_1000_input_tokens", NUMBER, AT(credits_per_1000_input_tokens), 0, 1000000,
	    "1", "Credits that are charged for it: for 1000 tokens read ..." },
	{ "credits_per_1000_output_tokens", NUMBER, AT(credits_per_1000_output_tokens), 0, 1000000,
	    "3", "... for 1000 tokens written ..." },
	{ "credits_per_image", NUMBER, AT(credits_per_image), 0, 1000000, "10",
	    "... and for an image." },
};

#define KEY_COUNT (sizeof(keys) / sizeof(keys[0]))

/* Those that only the console, the pages and the tool read. */
#define CONSOLE_AT(member) offsetof(struct console_conf, member)

static const struct conf_key console_keys[] = {
	{ "database", TEXT, CONSOLE_AT(database), 0, 0, "sqlite",
	    "sqlite, or the address of a PostgreSQL as libpq reads it, without a\n"
	    "# password: postgresql://galley@db.example.com/galley. The programs must be\n"
	    "# built for it (docs/postgres.md)." },
	{ "database_password_file", TEXT, CONSOLE_AT(database_password_file), 0, 0, "",
	    "A file in db/ of the instance, which only the owner reads: libpq finds the\n"
	    "# password there, as host:port:database:user:password (* for any). With a\n"
	    "# database_api_user it is in people/, which the API's programs do not reach." },
	{ "database_api_user", TEXT, CONSOLE_AT(database_api_user), 0, 0, "",
	    "The API's programs are this user of the PostgreSQL, who may ask what the API\n"
	    "# needs and no more (docs/postgres.md). Empty: that of database." },
	{ "database_api_password_file", TEXT, CONSOLE_AT(database_api_password_file), 0, 0, "",
	    "A file in db/ of the instance with that user's password." },
	{ "database_owner_user", TEXT, CONSOLE_AT(database_owner_user), 0, 0, "",
	    "Whose the tables of the PostgreSQL are: galley init, migrate, restore, store\n"
	    "# copy and stats erase sign in so. Empty: that of database." },
	{ "database_owner_password_file", TEXT, CONSOLE_AT(database_owner_password_file), 0, 0, "",
	    "A file with that user's password, outside of the instance, where only the\n"
	    "# tool reaches it. Empty: database_password_file." },
	{ "console_url", URL, CONSOLE_AT(url), 0, 0, "",
	    "Where the console is reached, as https://host or\n"
	    "# https://host/path: it is below it at /console. Empty: below\n"
	    "# public_url." },
	{ "pages_url", URL, CONSOLE_AT(pages_url), 0, 0, "",
	    "Where people read what is shared with them, as https://host or\n"
	    "# https://host/path: it is below it at /pages. Empty: below\n"
	    "# public_url." },
	{ "pages_per_minute", NUMBER, CONSOLE_AT(pages_per_minute), 0, 100000, "600",
	    "An address may ask for so many pages in a minute; what is answered from\n"
	    "# a kept answer is not counted. 0: nobody is counted." },
	{ "collect_per_minute", NUMBER, CONSOLE_AT(collect_per_minute), 0, 100000, "60",
	    "So many hits of readers are taken from an address in a minute; 0: no\n"
	    "# limit." },
	{ "console_idle_minutes", NUMBER, CONSOLE_AT(idle_minutes), 5, 720, "720",
	    "A session of the console ends after so many minutes without use." },
	{ "console_days", NUMBER, CONSOLE_AT(days), 1, 30, "30",
	    "A session on a device that the person ticked ends after so many days." },
	{ "console_step_up_minutes", NUMBER, CONSOLE_AT(step_up_minutes), 0, 10, "10",
	    "What is sensitive asks for the password again after so many minutes;\n"
	    "# 0: always." },
	{ "console_forms_per_minute", NUMBER, CONSOLE_AT(forms_per_minute), 0, 100000, "120",
	    "A person may send so many forms of the console in a minute; 0: no limit." },
	{ "account_mib", NUMBER, CONSOLE_AT(account_mib), 1, 1048576, "5120",
	    "The pictures of an account may take so many MiB." },
	{ "account_text_mib", NUMBER, CONSOLE_AT(account_text_mib), 1, 1048576, "512",
	    "The texts of an account may take so many MiB, with those that History\n"
	    "# keeps. The tool has no such limit." },
	{ "stats_months", NUMBER, CONSOLE_AT(stats_months), 1, 1200, "25",
	    "Counts of what readers read are removed after so many months." },
	{ "mail_command", TEXT, CONSOLE_AT(mail_command), 0, 0, "",
	    "A program that sends a mail, with its words, such as\n"
	    "# /usr/sbin/sendmail -i -f galley@example.com: it gets the message on\n"
	    "# standard input, and \"--\" and the address behind its words. Empty: no\n"
	    "# mail is sent." },
};

#define CONSOLE_KEYS (sizeof(console_keys) / sizeof(console_keys[0]))

static void *
member(void *settings, const struct conf_key *key)
{
	return (char *)settings + key->offset;
}

static struct err *
wrong(struct ctx *c, const struct conf_key *key, const char *may)
{
	return refuse(c, ERR_INTERNAL, "%s must be %s.", key->name, may);
}

static bool
parse_number(const char *value, int64_t min, int64_t max, int64_t *out)
{
	const char *p = value;

	*out = 0;
	for (; *p >= '0' && *p <= '9' && p - value < NUMBER_DIGITS; p++)
		*out = *out * 10 + (*p - '0');
	return p != value && *p == '\0' && *out >= min && *out <= max;
}

static bool
has_prefix(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Returns the place after "https://" or "http://", or NULL. */
static const char *
host_of(const char *url)
{
	if (has_prefix(url, "https://"))
		return url + 8;
	return has_prefix(url, "http://") ? url + 7 : NULL;
}

/* Returns whether the value is one line. A newline in it would make another line
 * in the file that conf_write() makes. */
static bool
is_one_line(const char *value)
{
	while (*value != '\0' && *value != '\r' && *value != '\n')
		value++;
	return *value == '\0';
}

static struct err *
set_url(struct ctx *c, const struct conf_key *key, const char **slot, const char *value)
{
	const char *host = host_of(value);
	size_t len = strlen(value);

	while (len > 0 && value[len - 1] == '/')
		len--;
	*slot = arena_text_n(c->arena, value, len);
	if (value[0] == '\0')
		return NULL;
	if (host == NULL || strchr("/:", host[0]) != NULL || strpbrk(value, " \t\"<>\\?#") != NULL)
		return wrong(c, key, "an http or https address without a query");
	return NULL;
}

/* Sets a key's member. What it sets may point into `value`. */
static struct err *
set(struct ctx *c, void *settings, const struct conf_key *key, const char *value)
{
	struct conf *conf = settings; /* of RATE alone */
	int64_t *number = member(settings, key);
	bool *flag = member(settings, key);
	const char **text = member(settings, key);

	switch (key->kind) {
	case TEXT:
		if (!is_one_line(value))
			return wrong(c, key, "one line");
		*text = value;
		return NULL;
	case URL:
		if (!is_one_line(value))
			return wrong(c, key, "one line");
		return set_url(c, key, text, value);
	case SWITCH:
		*flag = strcmp(value, "on") == 0;
		if (!*flag && strcmp(value, "off") != 0)
			return wrong(c, key, "on or off");
		return NULL;
	case RATE:
		conf->requests_counted = strcmp(value, "count") == 0;
		if (conf->requests_counted)
			value = "120";
		break;
	case NUMBER:
		break;
	}
	if (parse_number(value, key->min, key->max, number))
		return NULL;
	return wrong(c, key,
	    arena_printf(c->arena, "a number from %lld to %lld%s", (long long)key->min,
		(long long)key->max, key->kind == RATE ? ", or count" : ""));
}

/* ---- the database, and files of passwords */

bool
conf_database_is_address(const char *value)
{
	return value[0] != '\0' && strcmp(value, "sqlite") != 0;
}

/* Returns what follows the scheme, or NULL: the value is no URI. */
static const char *
behind_scheme(const char *value)
{
	return has_prefix(value, "postgresql://") ? value + strlen("postgresql://")
	       : has_prefix(value, "postgres://") ? value + strlen("postgres://")
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

	return len > tail && has_prefix(key, begin) && memcmp(key + len - tail, end, tail) == 0;
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

/* ---- a key by its name, and its default */

static bool
is_name(const char *name, const char *word, size_t len)
{
	size_t same = 0;

	while (same < len && name[same] == word[same])
		same++;
	return same == len && name[len] == '\0';
}

/* Returns the key of this name. The search begins at `first`: the keys of a file
 * are mostly in the order of the table. */
static const struct conf_key *
key_named(const char *name, size_t len, size_t first)
{
	for (size_t i = 0; i < KEY_COUNT; i++) {
		const struct conf_key *key = &keys[(first + i) % KEY_COUNT];
		if (is_name(key->name, name, len))
			return key;
	}
	return NULL;
}

/* Returns the key of this name, or NULL. */
static const struct conf_key *
console_key_named(const char *name, size_t len)
{
	for (size_t i = 0; i < CONSOLE_KEYS; i++) {
		const char *key = console_keys[i].name;
		/* Each request asks this for each line: most names differ at the first letter. */
		if (key[0] == name[0] && strncmp(key, name, len) == 0 && key[len] == '\0')
			return &console_keys[i];
	}
	return NULL;
}

static void
set_default(void *conf, const struct conf_key *key)
{
	if (key->kind == TEXT || key->kind == URL)
		*(const char **)member(conf, key) = key->standard;
	else if (key->kind == SWITCH)
		*(bool *)member(conf, key) = strcmp(key->standard, "on") == 0;
	else
		(void)parse_number(key->standard, key->min, key->max, member(conf, key));
}

void
conf_defaults(struct conf *conf)
{
	memset(conf, 0, sizeof(*conf));
	for (size_t i = 0; i < KEY_COUNT; i++)
		set_default(conf, &keys[i]);
}

/* ---- reading */

static bool
is_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\r';
}

static char *
skip_blanks(char *p)
{
	while (is_blank(*p))
		p++;
	return p;
}

/* Returns the end of a part of a line, without the spaces at its end. */
static char *
end_of(const char *part, char *end)
{
	while (end > part && is_blank(end[-1]))
		end--;
	return end;
}

/* Sets a key from text, which *out may point into. Refuses a wrong value. */
static struct err *
set_console(struct ctx *c, struct console_conf *out, const struct conf_key *key, const char *value)
{
	struct err *err = conf_database_check(c, key->name, strlen(key->name), value);

	return err != NULL ? err : set(c, out, key, value);
}

static struct err *
unknown_key(struct ctx *c, const char *name)
{
	struct near near = near_to(name);

	for (size_t i = 0; i < KEY_COUNT; i++)
		near_try(&near, keys[i].name);
	for (size_t i = 0; i < CONSOLE_KEYS; i++)
		near_try(&near, console_keys[i].name);
	return refuse(
	    c, ERR_INTERNAL, "%s is not a known key%s", name, near_question(c->arena, near.best));
}

struct err *
conf_set(struct ctx *c, struct conf *conf, const char *name, const char *value)
{
	const struct conf_key *key = key_named(name, strlen(name), 0);
	struct console_conf other;

	if (key != NULL)
		return set(c, conf, key, arena_text(c->arena, value));
	key = console_key_named(name, strlen(name));
	return key != NULL ? set_console(c, &other, key, value) : unknown_key(c, name);
}

/* How far a file has been read. */
struct reading {
	bool seen[KEY_COUNT];
	size_t next; /* the key that is expected next, in the order of the table */
};

/* Reads a line "key = value" that begins at its key. Ends the value with a NUL. */
static struct err *
read_line(struct ctx *c, struct conf *conf, struct reading *r, char *line, char *end)
{
	char *equals = memchr(line, '=', (size_t)(end - line)), *value;
	const struct conf_key *key;
	struct err *err;
	size_t len;

	if (equals == NULL)
		return refuse(c, ERR_INTERNAL, "there is no = in it.");
	*end = '\0';
	value = skip_blanks(equals + 1);
	*end_of(value, end) = '\0';
	len = (size_t)(end_of(line, equals) - line);
	key = key_named(line, len, r->next);
	if (key == NULL)
		return console_key_named(line, len) != NULL
			   ? conf_database_check(c, line, len, value)
			   : unknown_key(c, arena_text_n(c->arena, line, len));
	if (r->seen[key - keys])
		return refuse(c, ERR_INTERNAL, "%s stands here twice.", key->name);
	r->next = (size_t)(key - keys) + 1;
	r->seen[key - keys] = true;
	err = set(c, conf, key, value);
	if (err != NULL)
		set_default(conf, key);
	return err;
}

/* Returns where the line ends that begins at `p`. Most of the file is comments, and every
 * request passes them: so eight bytes are looked at in one step (docs/speed.md §6). */
static char *
line_end(char *p, const char *end)
{
	const uint64_t ones = 0x0101010101010101, high = 0x8080808080808080;
	uint64_t word;

	for (; end - p >= (ptrdiff_t)sizeof(word); p += sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		word ^= ones * '\n';
		if (((word - ones) & ~word & high) != 0)
			break;
	}
	while (p < end && *p != '\n')
		p++;
	return p;
}

struct err *
conf_parse(struct ctx *c, char *text, size_t len, struct conf *out, int *number)
{
	struct reading r = { .next = 0 };
	char *line = text, *end, *next;

	conf_defaults(out);
	*number = 0;
	if (utf8_valid(line, len))
		out->sum = checksum(line, len);
	else
		return refuse(c, ERR_INTERNAL, "it is not UTF-8 text.");
	for (; *line != '\0'; line = next) {
		++*number;
		end = line_end(line, text + len);
		next = end + (*end != '\0');
		line = skip_blanks(line);
		if (line < end && *line != '#')
			TRY(read_line(c, out, &r, line, end));
	}
	return NULL;
}

struct err *
conf_read(struct ctx *c, const char *path, struct conf *out)
{
	struct err *err;
	int number;
	size_t len;
	char *text = fileio_read_now(c->arena, path, FILE_MAX_BYTES, &len);

	if (text == NULL) {
		conf_defaults(out);
		return refuse(c, ERR_INTERNAL, "%s: %s.", path,
		    errno == EINVAL ? "It is no file" : strerror(errno));
	}
	err = conf_parse(c, text, len, out, &number);
	if (err == NULL)
		return NULL;
	if (number == 0)
		return refuse(c, ERR_INTERNAL, "%s is not UTF-8 text.", path);
	return refuse(c, ERR_INTERNAL, "%s, line %d: %s", path, number, err->message);
}

/* ---- reading the console's keys */

/* Reads a line, if it is one of a key of the table. */
static struct err *
read_console_line(struct ctx *c, char *line, struct console_conf *out, bool *seen)
{
	char *equals = strchr(line, '=');
	const struct conf_key *key;
	struct err *err;
	char *value;

	if (line[0] == '#' || equals == NULL)
		return NULL;
	*equals = '\0';
	key = console_key_named(line, (size_t)(end_of(line, equals) - line));
	if (key == NULL)
		return NULL;
	if (seen[key - console_keys])
		return refuse(c, ERR_INTERNAL, "%s stands here twice.", key->name);
	value = skip_blanks(equals + 1);
	*end_of(value, value + strlen(value)) = '\0';
	err = set_console(c, out, key, value);
	seen[key - console_keys] = err == NULL;
	return err;
}

struct err *
console_conf_parse(struct ctx *c, char *text, struct console_conf *out, int *line)
{
	bool seen[CONSOLE_KEYS] = { false };
	char *at, *next;

	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < CONSOLE_KEYS; i++)
		set_default(out, &console_keys[i]);
	/* PostgreSQL must be named. */
	if (conf_database_is_remote)
		out->database = "";
	*line = 0;
	for (at = text; at != NULL; at = next) {
		++*line;
		next = strchr(at, '\n');
		if (next != NULL)
			*next++ = '\0';
		/* Most lines are comments. */
		if (*at != '#')
			TRY(read_console_line(c, skip_blanks(at), out, seen));
	}
	return NULL;
}

/* Refuses the file at `path` if console_conf_parse() does, with the line in the sentence. */
static struct err *
check_console(struct ctx *c, const char *path)
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

/* ---- the last good settings (conf.h) */

#define GOOD_MAX ((size_t)64 * 1024)

const char *
conf_good_folder(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->home, "good");
}

const char *
conf_good_path(struct ctx *c)
{
	return fileio_path(c->arena, conf_good_folder(c), "galley.conf");
}

struct err *
conf_good(struct ctx *c, struct err *fault, struct conf *out)
{
	const char *message = fault->message;

	if (conf_read(c, conf_good_path(c), out) != NULL)
		return fault;
	out->fault = message;
	return NULL;
}

struct err *
conf_read_all(struct ctx *c, const char *path, struct conf *out)
{
	struct err *err = conf_read(c, path, out);

	return err != NULL ? err : check_console(c, path);
}

void
conf_keep(struct ctx *c)
{
	const char *path = conf_good_path(c), *bytes, *kept;
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT } };
	size_t len, kept_len;
	struct stat st;

	if (stat(c->instance->conf, &st) != 0)
		return;
	bytes = fileio_read_now(c->arena, c->instance->conf, GOOD_MAX, &len);
	/* The file may have been written since it was found good. */
	if (bytes == NULL || checksum(bytes, len) != c->conf->sum)
		return;
	kept = fileio_read_now(c->arena, path, GOOD_MAX, &kept_len);
	if (kept == NULL || kept_len != len || memcmp(kept, bytes, len) != 0) {
		(void)mkdir(conf_good_folder(c), 0700);
		if (!fileio_replace(c->arena, path, bytes, len, 0600))
			return;
	}
	times[1] = st.st_mtim;
	(void)utimensat(AT_FDCWD, path, times, 0);
}

/* For a process that may not read the galley.conf whose state is *st. Returns whether the last
 * good settings are those of that file, and reads them; else *out is not changed. */
static bool
conf_kept(struct ctx *c, const struct stat *st, struct conf *out)
{
	const char *path = conf_good_path(c);
	struct stat kept;

	return stat(path, &kept) == 0 && kept.st_size == st->st_size &&
	       kept.st_mtim.tv_sec == st->st_mtim.tv_sec &&
	       kept.st_mtim.tv_nsec == st->st_mtim.tv_nsec && conf_read(c, path, out) == NULL;
}

struct err *
conf_take(struct ctx *c, struct conf *out)
{
	struct err *err = conf_read_all(c, c->instance->conf, out);

	c->conf = out;
	if (err != NULL)
		return conf_good(c, err, out);
	conf_keep(c);
	return NULL;
}

const char *
conf_shown(struct ctx *c, const char *value)
{
	char *text = arena_text(c->arena, value), *at, *host;

	mask_secrets(text);
	host = strstr(text, "://");
	at = host != NULL ? strchr(host, '@') : NULL;
	if (at != NULL && at < host + 3 + strcspn(host + 3, "/?#"))
		memset(host + 3, '*', (size_t)(at - host - 3));
	return text;
}

/* ---- a process that answers many requests */

static bool
is_shut(const char *path)
{
	int fd = fileio_open(path, O_RDONLY);

	if (fd < 0)
		return fileio_is_shut_out();
	close(fd);
	return false;
}

struct err *
conf_read_changed(struct ctx *c, const char *path, struct conf_memory *memory, struct conf *out)
{
	struct ctx reader = *c;
	struct err *err;
	struct stat st;

	if (stat(path, &st) != 0)
		return conf_read(c, path, out);
	if (!memory->usable || !fileio_same(&st, &memory->st)) {
		/* This is the last request of a process that may not read the file
		 * (fileio_is_shut_out()). */
		if (memory->known && is_shut(path)) {
			*out = memory->conf;
			memory->stale = !conf_kept(c, &st, out);
			return NULL;
		}
		if (memory->arena.max == 0)
			arena_init(&memory->arena, MEMORY_MAX);
		arena_reset(&memory->arena);
		reader.arena = &memory->arena;
		memory->usable = memory->known = false;
		err = conf_read(&reader, path, &memory->conf);
		if (err != NULL)
			return refuse(c, err->code, "%s", err->message);
		memory->st = st;
		memory->usable = fileio_settled(&st);
		memory->known = true;
	}
	*out = memory->conf;
	return NULL;
}

/* ---- settings as galley.conf has them: the whole file, a line of it, and each with its value */

#define VALUE_MAX_BYTES ((size_t)64 * 1024) /* no longer than a file */

static void
write_value(struct buf *out, const void *settings, const struct conf_key *key)
{
	const struct conf *conf = settings; /* of RATE alone */
	const void *value = (const char *)settings + key->offset;

	if (key->kind == TEXT || key->kind == URL)
		buf_add_text(out, *(const char *const *)value);
	else if (key->kind == SWITCH)
		buf_add_text(out, *(const bool *)value ? "on" : "off");
	else if (key->kind == RATE && conf->requests_counted)
		buf_add_text(out, "count");
	else
		buf_add_int(out, *(const int64_t *)value);
}

static void
write_key(struct buf *out, const void *conf, const struct conf_key *key)
{
	buf_printf(out, "\n# %s\n%s = ", key->doc, key->name);
	write_value(out, conf, key);
	buf_add_char(out, '\n');
}

void
conf_write(struct buf *out, const struct conf *conf)
{
	buf_add_text(out, "# The settings of this Galley instance: key = value. Read again by\n"
			  "# every request; no restart is needed. galley config set KEY=VALUE\n"
			  "# changes a line, galley config check looks for faults.\n");
	for (size_t i = 0; i < KEY_COUNT; i++)
		write_key(out, conf, &keys[i]);
}

void
conf_write_key(struct ctx *c, struct buf *out, const char *name, const char *value)
{
	const struct conf_key *key = key_named(name, strlen(name), 0);
	struct console_conf other;
	struct conf conf;
	void *settings = &conf;

	if (key == NULL) {
		key = console_key_named(name, strlen(name));
		settings = &other;
	}
	conf_defaults(&conf);
	if (set(c, settings, key, value) == NULL)
		write_key(out, settings, key);
}

static void
see(struct ctx *c, const struct conf_key *key, const void *settings, const void *standard,
    conf_seen *each, void *arg)
{
	struct buf value, usual;

	buf_init(&value, c->arena, VALUE_MAX_BYTES);
	buf_init(&usual, c->arena, VALUE_MAX_BYTES);
	write_value(&value, settings, key);
	write_value(&usual, standard, key);
	each(arg, key->name, value.len > 0 ? value.data : "",
	    value.len == usual.len &&
		(value.len == 0 || memcmp(value.data, usual.data, value.len) == 0));
}

void
conf_each(struct ctx *c, const struct conf *conf, conf_seen *each, void *arg)
{
	struct console_conf console, usual;
	struct conf standard;
	char none[] = "";
	int line;

	conf_defaults(&standard);
	for (size_t i = 0; i < KEY_COUNT; i++)
		see(c, &keys[i], conf, &standard, each, arg);
	console_conf_read(c, &console);
	if (console_conf_parse(c, none, &usual, &line) != NULL)
		return;
	for (size_t i = 0; i < CONSOLE_KEYS; i++)
		see(c, &console_keys[i], &console, &usual, each, arg);
}

/* ---- where strangers read what is shared with them */

/* Returns "https://host[/path]/NAME" (arena), or NULL: no address is set. */
static const char *
below(struct ctx *c, const char *name)
{
	struct console_conf own;
	const char *url;

	console_conf_read(c, &own);
	url = own.pages_url[0] != '\0' ? own.pages_url : c->conf->public_url;
	return url[0] != '\0' ? arena_printf(c->arena, "%s/%s", url, name) : NULL;
}

const char *
pages_address(struct ctx *c)
{
	return below(c, "pages");
}

const char *
pages_script_of(struct ctx *c, const char *name)
{
	return below(c, name);
}

const char *
pages_address_of(struct ctx *c, const char *word)
{
	const char *base = pages_address(c);

	if (word[0] == '\0' || base == NULL)
		return NULL;
	return arena_printf(c->arena, "%s/%s/", base, word);
}
