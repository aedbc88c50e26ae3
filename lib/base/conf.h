#ifndef BASE_CONF_H
#define BASE_CONF_H
/*
 * galley.conf: `key = value` lines, `#` begins a comment line. Read anew by
 * every request. The keys, their kinds, defaults and explanations stand in one
 * table in conf.c, from which `galley init` also writes the file.
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
	const char *trusted_proxies; /* addresses separated by blanks */
	int64_t requests_per_minute; /* 0 to 120; 0 = no limiter at all */
	bool requests_counted;       /* `count`: work as 120, refuse nobody */
	int64_t jobs_per_hour;       /* 0 = no limit */
	int64_t kept_answers;        /* places for each workspace; 0 = off */
	int64_t runner_seconds;      /* how long a run claims jobs */
	int64_t log_max_mib;         /* 0: the runner rotates no log */
	int64_t log_keep;            /* rotated files of each log */
	const char *provider;        /* outline, openai or an absolute path */
	const char *provider_reads;  /* paths separated by spaces */
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
};

/* The values of a file that holds none. */
void conf_defaults(struct conf *conf);

/*
 * Reads galley.conf at `path`; strings live in the arena. Refuses (ERR_INTERNAL)
 * a file that cannot be read, an unknown key, one given twice, a wrong value:
 * the sentence names the line and what may stand there.
 */
MAY_REFUSE struct err *conf_read(struct ctx *c, const char *path,
    struct conf *out);

/* What a process that answers many requests remembers of the file. */
struct conf_memory {
	struct conf conf;
	struct stat st;     /* of the file as it was read */
	struct arena arena; /* of the strings */
	bool usable;
};

/*
 * Like conf_read(), but the file is read again only when it has changed since; a
 * file that was written in the last seconds always is, since its time could be
 * that of another writing. `memory` is zero at first; what *out points to lives
 * until the next call.
 */
MAY_REFUSE struct err *conf_read_changed(struct ctx *c, const char *path,
    struct conf_memory *memory, struct conf *out);

/* Writes a file with every key, its explanation, and the value of `conf`. */
void conf_write(struct buf *out, const struct conf *conf);

/* Sets one key from text, with the same checks. */
MAY_REFUSE struct err *conf_set(struct ctx *c, struct conf *conf,
    const char *key, const char *value);

#endif
