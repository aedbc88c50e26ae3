#ifndef STATS_COUNT_H
#define STATS_COUNT_H
/*
 * Counts what was appended to log/requests.log, also if it was renamed since (logs/logs.h). Each
 * line is counted once, whatever is killed: its counts and how far the file is counted are one
 * transaction. A file that was packed before it was counted is left out.
 *
 * A line names its key by its internal id, which another key can have after a restore: a line
 * counts for the key that has the id now, if that key is of the line's workspace and older than
 * the line.
 */
#include <stdbool.h>

struct ctx;

/* Returns whether a line may wait to be counted. The content is open; it is its own
 * transactions. */
bool count_is_due(struct ctx *c);

/* Counts for two seconds at most. Returns whether anything was new. */
bool count_run(struct ctx *c);

#endif
