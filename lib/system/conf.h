#ifndef SYSTEM_CONF_H
#define SYSTEM_CONF_H
/*
 * galley.conf: `key = value` lines, `#` begins a comment line. Read again by
 * every request. The keys, their kinds, defaults and explanations stand in one
 * table in conf.c, from which `galley init` also writes the file.
 *
 * The last settings that were read without a fault are kept in good/galley.conf, which
 * no program of the API can write: with them all goes on while galley.conf has a
 * fault. A program to run, or a file to read, is never taken from them.
 *
 * conf.c		reading, the last good settings, values that may be shown
 * conf-edit.c	changing some keys of a file, all else stays; writing a whole one
 * console-conf.c	the keys that only the console and the tool read, and their values
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/err.h"

struct buf;

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
MAY_REFUSE struct err *
conf_read_changed(struct ctx *c, const char *path, struct conf_memory *memory, struct conf *out);

/* Writes a file with every key, its explanation, and the value of `conf`. */
void conf_write(struct buf *out, const struct conf *conf);

/* The same for one key, with a value that conf_set() takes. */
void conf_write_key(struct ctx *c, struct buf *out, const char *name, const char *value);

/* Calls `each` for every key in the order of the table, then for those of the console
 * (console-conf.h): its value as the file has it, and whether that is the default. */
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

#endif
