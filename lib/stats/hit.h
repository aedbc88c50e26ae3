#ifndef STATS_HIT_H
#define STATS_HIT_H
/*
 * A hit: what a collector took from a reader's browser, as one line of run/hits/open.
 * No address and no user agent of the reader is in it; `visitor` is made of them
 * with a key that ends with the day (access/day-key.h). The line of a hit that was refused has
 * the time, the day and the workspace only.
 *
 * hit_write() and hit_read() are the only ones that know the line: words that tabs separate,
 * which begin with the kind as a digit. A line that is cut short is no line.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/uuid.h"

struct arena;
struct ctx;

#define HIT_PATH_MAX 300 /* bytes, as all of these */
#define HIT_REFERRER_MAX 48
#define HIT_CAMPAIGN_MAX 58
#define HIT_WIDTH_MAX 2
#define HIT_LANGUAGE_MAX 8
#define HIT_BOT_MAX 12
#define HIT_VISITOR 8
#define HIT_PREFIX 8 /* hexadecimal digits, in lower case */
#define HIT_LINE_MAX 510 /* bytes of a line */

enum hit_kind {
	HIT_VIEW = 1,
	HIT_REFUSED_ORIGIN, /* its Origin is none of the workspace's */
	HIT_WITHOUT_CONSENT
};

struct hit {
	enum hit_kind kind;
	int64_t at; /* microseconds since 1970; whole seconds in a line */
	int64_t day; /* days since 1970 of a clock in the workspace's time zone */
	char workspace[UUID_TEXT];

	/* Of a view. A text is "" where nothing is known. */
	/* A UUID or its first HIT_PREFIX digits, which the HTML of an export has; as the page says:
	 * it may be another workspace's, or none. */
	char article[UUID_TEXT];
	char path[HIT_PATH_MAX + 1];
	char referrer[HIT_REFERRER_MAX + 1]; /* host */
	char campaign[HIT_CAMPAIGN_MAX + 1]; /* "source / medium / campaign" */
	char width[HIT_WIDTH_MAX + 1]; /* xs s m l xl */
	char language[HIT_LANGUAGE_MAX + 1]; /* "de" */
	char bot[HIT_BOT_MAX + 1]; /* the rule that says that it is one; "": it is none */
	unsigned char visitor[HIT_VISITOR];
};

/* Writes a line without its end (and a NUL). Its texts have no control characters. Returns its
 * length. */
size_t hit_write(struct arena *a, const struct hit *hit, char line[HIT_LINE_MAX + 1]);

/* Reads a line of `len` bytes without its end. Returns false for what is no whole line of
 * hit_write(). The arena is used for a moment. */
bool hit_read(struct arena *a, const char *line, size_t len, struct hit *out);

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

#define SEGMENT_LINE_MAX 512 /* bytes of a line, with its line feeds */

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

/*
 * What collectors refused that belongs to no workspace, by days of UTC (docs/pages.md §8):
 * run/hits/refused holds the counts of the last days. They are whole counts, which only grow
 * until the file is lost: the counter of statistics takes the greater one of what it has and
 * what is here, so that a count is never added twice. A flood costs no space.
 */

#define REFUSED_DAYS 4

struct refused {
	int64_t day; /* days since 1970, UTC; 0: this place is empty */
	int64_t limited; /* beyond collect_per_minute */
	int64_t unknown; /* no such site */
	int64_t bad_form; /* no hit at all: 400 and 413 */
};

enum refused_kind { REFUSED_LIMITED, REFUSED_UNKNOWN, REFUSED_BAD_FORM };

/* Counts one. A fault is a line of the log. */
void refused_count(struct ctx *c, enum refused_kind kind);

/* Reads the days, in no order. All are empty if there is no such file. */
void refused_read(struct ctx *c, struct refused out[REFUSED_DAYS]);

#endif
