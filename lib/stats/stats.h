#ifndef STATS_STATS_H
#define STATS_STATS_H
/*
 * stats/stats.db, the store of the counts (docs/console.md §4.10). It is in no
 * backup, and a restore keeps it: its rows name keys,
 * workspaces and articles by UUID. Only the task runner, the console and the tool reach it.
 *
 * stats.c		the file
 * reader.c		who reads the API: keys, days, refusals, articles
 * logfile.c		how far the files of log/requests.log are counted
 * count.c		counting the lines of requests.log
 * hit.c			a hit as a line
 * segment.c		hits that are not counted yet: files of lines
 * hits.c		counting them
 * hit-sum.c, sums.c	sums of some thousand lines
 * label.c		what is counted of a stranger's text
 * erased.c		what people erased, counted or not
 * aged.c		what is too old
 * view.c		what readers read: views, visitors, paths, articles and so on, by days
 */
#include <stdbool.h>

struct ctx;

/*
 * Makes the folder and the file where they are missing, for this user alone, and brings an
 * older file to this program's schema. The content must be open. Returns false, and changes
 * nothing, if the file is of a newer release, or if this user cannot create the folder: where the
 * instance's top folder is root's, `make install` does.
 */
bool stats_create(struct ctx *c);

/* Returns the folder stats/ of the instance (arena). */
const char *stats_folder(struct ctx *c);

/* Returns whether there are counts, of this program's schema. The content must be open, and no
 * transaction. */
bool stats_is_ready(struct ctx *c);

#endif
