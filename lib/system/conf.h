#ifndef SYSTEM_CONF_H
#define SYSTEM_CONF_H
/*
 * galley.conf: `key = value` lines, `#` begins a comment line. Read again by
 * every request. The keys, their kinds, defaults and explanations stand in two
 * tables in conf.c; `galley init` writes those of the first one.
 *
 * The last settings that were read without a fault are kept in good/galley.conf, which
 * no program of the API can write: with them all goes on while galley.conf has a
 * fault. A program to run, or a file to read, is never taken from them.
 *
 * conf.c		the keys, reading, the last good settings, writing a whole file
 * conf-edit.c	changing some keys of a file, all else stays; which addresses may be set
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/err.h"

struct buf;
struct ctx;

struct conf {
	const char *public_url; /* https origin and path, no trailing slash;
				   "" until it is set */
	bool require_https;
	const char *trusted_proxies; /* addresses separated by spaces */
	int64_t requests_per_minute; /* 0 to 120; 0 = no limiter at all */
	bool requests_counted; /* `count`: work as 120, refuse nobody */
	int64_t jobs_per_hour; /* 0 = no limit */
	int64_t kept_answers; /* places for each workspace; 0 = off */
	bool successor; /* another process sends a CGI answer */
	int64_t runner_seconds; /* how long a run claims jobs */
	int64_t log_max_mib; /* 0: the runner rotates no log */
	int64_t log_keep; /* rotated files of each log */
	const char *provider; /* outline, openai or an absolute path */
	const char *provider_reads; /* paths separated by spaces */
	int64_t provider_timeout_s;
	const char *openai_url; /* "" until set; so are the next three */
	const char *openai_model;
	const char *openai_image_model;
	const char *openai_key_file;
	bool allow_private_provider;
	int64_t price_article; /* credits reserved for one job */
	int64_t price_article_with_image;
	int64_t price_research;
	int64_t credits_per_1000_input_tokens;
	int64_t credits_per_1000_output_tokens;
	int64_t credits_per_image;
	uint64_t sum; /* of the file's bytes, for kept answers */
	const char *fault; /* what is wrong with galley.conf where these are the
			      last good settings; NULL: they are its own */
};

/* The values of a file that holds none. */
void conf_defaults(struct conf *conf);

/*
 * Reads galley.conf at `path`; strings live in the arena. Refuses (ERR_INTERNAL)
 * a file that cannot be read, an unknown key, one given twice, a wrong value:
 * the sentence names the line and what may stand there.
 */
MAY_REFUSE struct err *conf_read(struct ctx *c, const char *path, struct conf *out);

/* The same from the file's text, which is written over. Where it refuses, *line is
 * the number of the line at fault; 0: all of it. */
MAY_REFUSE struct err *
conf_parse(struct ctx *c, char *text, size_t len, struct conf *out, int *line);

/* What a process that answers many requests remembers of the file. */
struct conf_memory {
	struct conf conf;
	struct stat st; /* of the file as it was read */
	struct arena arena; /* of the strings */
	bool usable; /* it need not be read again while the file is as it was */
	bool known; /* it was read */
	bool stale; /* another file is in its place, which this process may not read, and whose
			settings it does not know */
};

/*
 * Like conf_read(), but the file is read again only when it has changed since; a file that was
 * written in the last seconds always is, since its time could be that of another writing. A
 * confined process whose file was replaced by another one uses the last good settings where they
 * are that file's (conf_kept()), else what it remembers. `memory` is zero at first; what *out
 * points to lives until the next call.
 */
__attribute__((cold)) MAY_REFUSE struct err *
conf_read_changed(struct ctx *c, const char *path, struct conf_memory *memory, struct conf *out);

/* Writes a file with every key, its explanation, and the value of `conf`. */
void conf_write(struct buf *out, const struct conf *conf);

/* The same for one key, with a value that conf_set() takes. */
void conf_write_key(struct ctx *c, struct buf *out, const char *name, const char *value);

/* Calls `each` for every key in the order of the table, then those of the console: its value
 * as the file has it, and whether that is the default. */
typedef void conf_seen(void *arg, const char *key, const char *value, bool is_default);

void conf_each(struct ctx *c, const struct conf *conf, conf_seen *each, void *arg);

/* Sets one key from text, with the same checks. One of the console is checked only. */
MAY_REFUSE struct err *
conf_set(struct ctx *c, struct conf *conf, const char *key, const char *value);

/* ---- changes of the file */

/* One fault of a file, and its line; 0: of the file as a whole. */
struct conf_fault {
	int line;
	const char *message;
};

/* The faults of a file's text, in the order of its lines, 64 at most; in the arena.
 * 0: it is good. conf_read() refuses with the first of them. */
size_t conf_faults(struct ctx *c, const char *text, struct conf_fault **out);

/*
 * Sets one key in a file's text: its line gets the new value, further lines of the
 * same key go; where there is none, the key and its explanation are added at the
 * end. Everything else stays as it is, byte for byte. The new text is in the arena.
 * Refuses an unknown key, a wrong value, and an address as conf_address_check() does.
 */
MAY_REFUSE struct err *
conf_edit(struct ctx *c, const char **text, const char *key, const char *value);

/*
 * ---- which addresses public_url, console_url and pages_url may be given. conf_read() takes more
 * than this, because an instance that works must go on to work: the strict rules are asked
 * where somebody sets an address (`galley init`, `galley config set`, the page Start) and by
 * `galley doctor`. The programs of the API never ask them.
 */

/* Returns whether the value of this key of galley.conf is such an address. */
bool conf_address_is_of(const char *key);

/*
 * Refuses (ERR_INTERNAL, as conf_set() does) a value of `key` that no browser could open, with
 * a sentence that says which part of it is wrong. It must be "http" or "https"; a host name
 * (labels of letters, digits, - and _, of 1 to 63 bytes, 253 together), an IPv4 address or an
 * IPv6 address in brackets; perhaps a port from 1 to 65535; perhaps a path without empty
 * parts, "." and "..". "" is good: the address is not set.
 */
MAY_REFUSE struct err *conf_address_check(struct ctx *c, const char *key, const char *value);

/* ---- values that people may see */

/* Returns a value as people may see it (arena): what looks like a secret, and a password in an
 * address, are masked. */
const char *conf_shown(struct ctx *c, const char *value);

/* ---- the last good settings */

/* The folder of the last good settings, and the file in it. In the arena. */
const char *conf_good_folder(struct ctx *c);

const char *conf_good_path(struct ctx *c);

/*
 * For who could not read galley.conf because of `fault`: the last good settings,
 * with out->fault set. Returns `fault` where there are none.
 */
__attribute__((cold)) MAY_REFUSE struct err *
conf_good(struct ctx *c, struct err *fault, struct conf *out);

/* Reads galley.conf into *out, which becomes c->conf, and keeps it (conf_keep()). If it
 * has a fault, the last good settings serve, and out->fault says what is wrong; refuses
 * if there are none. For the instance's owner. */
MAY_REFUSE struct err *conf_take(struct ctx *c, struct conf *out);

/* Does conf_read(), and refuses a fault in the keys of the console, too. */
MAY_REFUSE struct err *conf_read_all(struct ctx *c, const char *path, struct conf *out);

/* Keeps galley.conf, from which c->conf was read without a fault, as the last good
 * settings, where it is not kept already. For the instance's owner: the tool and the
 * runner. What cannot be written is left; `galley doctor` looks at it. The kept file has the
 * time of galley.conf, by which conf_kept() knows it. */
void conf_keep(struct ctx *c);

/* ---- where strangers read what is shared with them: pages_url of galley.conf, or public_url */

/* Returns "https://host[/path]/pages" (arena), or NULL: no address is set. */
const char *pages_address(struct ctx *c);

/* Returns the address of the pages with this word, with a slash at its end (arena); NULL: the word
 * is "", or no address is set. */
const char *pages_address_of(struct ctx *c, const char *word);

/* Returns the address of a script for customers' websites (arena), or NULL: no address is set. */
const char *pages_script_of(struct ctx *c, const char *name);

/*
 * ---- the keys of galley.conf that only the console, the pages and the tool read (docs/console.md
 * §6.4), and those that the second store reads when it connects.
 * The API's programs pass over their lines. `galley init` does not write them, because
 * every request of the API would read them: `galley config set` adds them.
 */
struct console_conf {
	const char *database; /* "sqlite", an address of a PostgreSQL; "": not set */
	const char *database_password_file; /* for libpq: host:port:database:role:password */
	/* Of the API's programs, and of what makes the schemas; "": they are those before. */
	const char *database_api_user, *database_api_password_file;
	const char *database_owner_user, *database_owner_password_file;
	const char *url; /* https origin and path, no trailing slash; "": public_url */
	const char *pages_url; /* the same of what is shared; "": public_url */
	int64_t pages_per_minute; /* requests of an address to pages; 0: no limit */
	int64_t collect_per_minute; /* hits of an address; 0: no limit */
	int64_t idle_minutes; /* an unused session ends after so long */
	int64_t days; /* a session on one's own device ends after so long */
	int64_t step_up_minutes; /* who it is is asked again after so long; 0: always */
	int64_t forms_per_minute; /* of the console, of a person; 0: no limit */
	int64_t account_mib; /* what the pictures of an account may take */
	int64_t account_text_mib; /* what its texts may take (article/text-room.h) */
	int64_t stats_months; /* counts of readers are kept for so long */
	const char *mail_command; /* sends a mail (notify/postman.h); "": none is sent */
};

/* Reads them from galley.conf; where it has a fault, from the last good settings (but for
 * mail_command, which is "" then), and where there are none, the defaults. Strings are in the
 * arena. */
void console_conf_read(struct ctx *c, struct console_conf *out);

/* Reads them from the text of a file, which is written over. What is no line of theirs is
 * passed over: conf_parse() looks at it. Where it refuses (ERR_INTERNAL: a wrong value, a
 * key given twice), *line is the number of the line at fault. */
MAY_REFUSE struct err *
console_conf_parse(struct ctx *c, char *text, struct console_conf *out, int *line);

/*
 * ---- which values `database` and the files of passwords of galley.conf may have
 * (docs/postgres.md §1, §7)
 */

/* Whether these programs are built for PostgreSQL: the store says it (store/schemas.c). */
extern const bool conf_database_is_remote;

/* Returns whether the value of `database` is an address of a PostgreSQL, not the word sqlite. */
bool conf_database_is_address(const char *value);

/* Refuses the value of one of these keys: an address that holds a password, a store that these
 * programs are not built for, a path that is not absolute. Other keys have all values. No sentence
 * repeats the value. */
__attribute__((cold)) MAY_REFUSE struct err *
conf_database_check(struct ctx *c, const char *key, size_t len, const char *value);

#endif
