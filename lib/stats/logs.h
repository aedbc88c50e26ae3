#ifndef STATS_LOGS_H
#define STATS_LOGS_H
/*
 * The instance's logs, with the older files that a rotation renamed: log/NAME, NAME.1
 * (logs_rotate()), NAME-20261121 (logrotate), and each of these with .gz
 * (gzip), which is unpacked here: the console may start no program of the host.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct ctx;

/* Returns the paths of one log's files, newest first. In the arena. */
const char **logs_find(struct ctx *c, const char *name, size_t *count);

/*
 * Calls `each` with every line of a file, without its newline; the text is valid until
 * `each` returns. If `last` is not 0, the last `last` bytes of the file are enough (but a
 * .gz file is read whole). Returns NULL, or a sentence that says why not all could be read.
 */
typedef void logs_each(void *arg, const char *line, size_t len);

const char *logs_read(struct ctx *c, const char *path, int64_t last, logs_each *each, void *arg);

/* Calls `each` with the lines of the last `last` bytes of one log, oldest first: those of its
 * newest files, none of which is packed. The first line can be the rest of one. A file that
 * cannot be read is left out. */
void logs_tail(struct ctx *c, const char *name, int64_t last, logs_each *each, void *arg);

/* A place in a log, between two lines. It stays the same when the file is renamed. */
struct logs_place {
	uint64_t file; /* inode; 0: the end of the newest file */
	int64_t at; /* bytes from its beginning */
};

/*
 * Calls `each` with the lines before a place, the newest first, in all files that are not
 * packed. It stops when `each` returns false (that line was taken), or after `bytes` bytes,
 * give or take a line. *place becomes where to go on. Returns whether there are older lines,
 * besides those of packed files. A place in a file that is not there any more is the end of the
 * newest one.
 */
typedef bool logs_each_back(void *arg, const char *line, size_t len);

bool logs_back(struct ctx *c, const char *name, struct logs_place *place, int64_t bytes,
    logs_each_back *each, void *arg);

/* A line of requests.log, taken apart (web/serve.c); texts in the arena. */
struct logs_request {
	const char *at; /* RFC 3339 */
	const char *program; /* "articles" */
	const char *process;
	const char *id;
	const char *method, *target;
	int status;
	int64_t bytes, took_us;
	int64_t key; /* its internal id, 0: none */
	const char *workspace, *scope, *lacks, *limit; /* "-" or "" for none */
	const char *error; /* code, or NULL */
	const char *sentence; /* of the error, or NULL */
	const char *revision; /* first digits of x1, of one article, or NULL */
	bool ended; /* the last page of a list or a scan */
	bool kept;
};

/* Parses a line. Returns false for a line of another kind: then *out has only at,
 * program, process and id, and `method` holds the rest of the line; a line that is not of
 * a log fills none of them. */
bool logs_parse(struct ctx *c, const char *line, size_t len, struct logs_request *out);

/*
 * Renames each file of log/ that is larger than log_max_mib: requests.log becomes
 * requests.log.1, requests.log.1 becomes requests.log.2, and so on; a file whose
 * number exceeds log_keep is removed, but operator.log's only after a year
 * (docs/console.md §3.12). The caller must hold the runner's lock. A
 * process that has a file open goes on writing to it under its new name: a program
 * of one request ends soon, all other programs follow (base/log.h).
 */
void logs_rotate(struct ctx *c);

/* Returns whether a file is packed. */
bool logs_is_packed(const char *path);

#endif
