#ifndef STATS_SEGMENT_H
#define STATS_SEGMENT_H
/*
 * Hits that are not counted yet, as files of lines (docs/pages.md §8, §9). Collectors append
 * to run/hits/open. The task runner renames that file to a random name, a segment; waits until
 * its last writer has ended; counts it, and removes it. Nothing here opens a database.
 *
 *	segment_append(c, line, len)		a collector, with each hit
 *
 *	segment_claim(c)			the task runner
 *	names = segment_list(c, &count)
 *	fd = segment_open(c, names[i], until)
 *	… count, and commit the name with the counts …
 *	segment_remove(c, names[i])
 *	segment_settle(c)
 *
 * A writer holds the file's lock (flock) while it writes, and looks under the lock whether the
 * file still is run/hits/open: so a segment whose lock the runner got is never written again.
 * Each line begins and ends with a line feed. A line that a killed or a full machine cut short
 * spoils no other line; empty lines mean nothing.
 *
 * After a power failure lines that were not yet on the disk may be missing; none is there twice:
 * a new name is on the disk before anything of it is counted.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ctx;

#define SEGMENT_LINE_MAX 512 /* bytes of a line, with its line feeds */
#define SEGMENT_NAME 33 /* bytes of a segment's name and a NUL */
#define SEGMENT_SPACE (INT64_C(64) * 1024 * 1024) /* bytes that hits leave free on the disk */

/*
 * Appends a line (without line feeds, at most SEGMENT_LINE_MAX - 2 bytes) to run/hits/open. Makes
 * the folder and the file where they are missing. Returns false, and leaves nothing of the line,
 * if the disk is full or has less than SEGMENT_SPACE left (errno is ENOSPC), if others hold the
 * file for longer than two seconds (EAGAIN), or for another fault.
 */
bool segment_append(struct ctx *c, const char *line, size_t len);

/* Returns the folder run/hits (arena). */
const char *segment_folder(struct ctx *c);

/* Returns whether there is a segment, or something in run/hits/open. */
bool segment_is_due(struct ctx *c);

/* Gives run/hits/open, unless it is empty or missing, a random name, durably. Returns false if the
 * name could not be changed. */
bool segment_claim(struct ctx *c);

/* Returns the names of the segments, in no order; NULL ends them (arena). Other files are left
 * out. */
const char **segment_list(struct ctx *c, size_t *count);

/* Opens a segment, once no writer has it any more. Returns -1 if one still has it at `until` (boot
 * clock), or if there is no such file: then it is left for another time. The caller closes it. */
int segment_open(struct ctx *c, const char *name, int64_t until);

/* Returns whether there is a file of this name. */
bool segment_exists(struct ctx *c, const char *name);

/* Removes a segment that is counted. */
void segment_remove(struct ctx *c, const char *name);

/* Makes what was removed stay removed. Returns false if that is not certain. */
bool segment_settle(struct ctx *c);

#endif
