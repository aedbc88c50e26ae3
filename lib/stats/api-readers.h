#ifndef STATS_API_READERS_H
#define STATS_API_READERS_H
/*
 * Who reads the API: the keys that were used, and what they were answered. This file owns the
 * tables reader, reading, refusal and fetched of stats.db. Every function needs a transaction
 * of DB_STATS.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/digest.h"

struct ctx;

#define READER_REVISION 9 /* eight digits of x1 and a NUL */

struct reader {
	int64_t id;
	const char *uuid; /* of the key */
	const char *workspace; /* UUID */
	int64_t requested_at; /* the last request */
	int64_t read_at; /* the last answer of articles or of changes; 0: none */
	int64_t listed_at; /* the last page of a whole list or scan; 0: none */
	int64_t refused_at; /* the last refusal; 0: none */
	int refused_status;
	const char *refused_code;
};

/* Calls `each` for the readers of a workspace (its UUID), in no order. */
void reader_list(struct ctx *c, const char *workspace,
    void (*each)(void *arg, const struct reader *r), void *arg);

/* Calls `each` for readers that read before, and asked for nothing since `before`: those of the
 * longest silence last, at most `limit`. */
void reader_list_silent(struct ctx *c, int64_t before, int64_t limit,
    void (*each)(void *arg, const struct reader *r), void *arg);

/* An article that a reader has fetched. */
struct reader_article {
	const char *article; /* UUID */
	const char *revision; /* the first eight digits of its revision then */
	int64_t fetched_at; /* the last time */
};

/* Calls `each` for the articles that a reader has fetched, in no order. They live as long as the
 * call. */
void reader_fetched(struct ctx *c, int64_t reader_id,
    void (*each)(void *arg, const struct reader_article *a), void *arg);

/* Calls `each` for the days from this one on (days since 1970, UTC) with requests, in their
 * order. */
void reader_days(struct ctx *c, int64_t reader_id, int64_t from,
    void (*each)(void *arg, int64_t day, int64_t requests, int64_t not_modified), void *arg);

/* Calls `each` for what was refused on these days, by day and status. */
void reader_refusals(struct ctx *c, int64_t reader_id, int64_t from,
    void (*each)(void *arg, int64_t day, int status, int64_t requests), void *arg);

/*
 * How far the files of log/requests.log are counted. This file owns the tables log and log_file
 * of stats.db. Every function needs a transaction of DB_STATS.
 *
 * A file is known by the digest of its first line, which holds the id of a request: so it stays
 * the same file when it is renamed or copied, and a new file that gets the inode of an old one is
 * another. The rest only says that nothing has to be read.
 */

/* Returns the time of the oldest line that was counted; 0: none was. */
int64_t logfile_since(struct ctx *c);

/*
 * Counts what was appended to log/requests.log, also if it was renamed since (logs.h). Each
 * line is counted once, whatever is killed: its counts and how far the file is counted are one
 * transaction. A file that was packed before it was counted is left out.
 *
 * A line names its key by its internal id, which another key can have after a restore: a line
 * counts for the key that has the id now, if that key is of the line's workspace and older than
 * the line.
 */

/* Returns whether a line may wait to be counted. The content is open; it is its own
 * transactions. */
bool count_is_due(struct ctx *c);

/* Counts for two seconds at most. Returns whether anything was new. */
bool count_run(struct ctx *c);

#endif
