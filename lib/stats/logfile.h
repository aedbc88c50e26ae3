#ifndef STATS_LOGFILE_H
#define STATS_LOGFILE_H
/*
 * How far the files of log/requests.log are counted. This file owns the tables log and log_file
 * of stats.db. Every function needs a transaction of DB_STATS.
 *
 * A file is known by the digest of its first line, which holds the id of a request: so it stays
 * the same file when it is renamed or copied, and a new file that gets the inode of an old one is
 * another. The rest only says that nothing has to be read.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/digest.h"

struct ctx;

/* A file as stat() tells it. */
struct logfile_state {
	int64_t inode;
	int64_t size;
	int64_t changed_at; /* nanoseconds since 1970 */
};

/* Returns whether this very state was counted whole. */
bool logfile_is_counted(struct ctx *c, const struct logfile_state *state);

/* Returns how many bytes of the file are counted: 0 for a file that is not known. */
int64_t logfile_at(struct ctx *c, const unsigned char head[DIGEST_SIZE]);

/* Notes how many bytes are counted. `state` is that of a file that is counted whole, or NULL. */
void logfile_note(struct ctx *c, const unsigned char head[DIGEST_SIZE], int64_t at,
    const struct logfile_state *state);

/* Notes that lines were counted; the oldest of them is of `since_at`. Forgets the oldest of some
 * thousand files. */
void logfile_note_counted(struct ctx *c, int64_t since_at);

/* Returns the time of the oldest line that was counted; 0: none was. */
int64_t logfile_since(struct ctx *c);

#endif
