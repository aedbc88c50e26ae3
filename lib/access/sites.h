#ifndef ACCESS_SITES_H
#define ACCESS_SITES_H
/*
 * The sites whose hits the collector takes (docs/pages.md §8), in run/sites/list: it is all that
 * the collector knows of the content, for it opens no database. A workspace is in the list while
 * its analytics are on, it is not deleted and its account is not suspended.
 *
 * Each change of what the list says calls sites_write() after its commit; the task runner does
 * so once a minute, for what a kill or a full disk left undone. A line has the offset of the
 * workspace's clock from UTC, and when it changes next: the collector needs no rules of time
 * zones.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/uuid.h"

struct ctx;

struct site {
	char workspace[UUID_TEXT];
	const char *origins; /* as browsers write them, each after a space (arena) */
	int64_t offset_s; /* of local time, east of UTC */
	int64_t changes_at; /* seconds since 1970; 0: not that anybody knows */
	int64_t later_offset_s; /* from then on */
};

/* Returns the folder of the list (arena). */
const char *sites_folder(struct ctx *c);

enum sites_found {
	SITES_FOUND,
	SITES_NONE, /* it is not in the list */
	SITES_UNKNOWN /* the list is missing or cannot be read, as the log says */
};

/* Finds a site by its id, as the site sent it. */
enum sites_found sites_find(struct ctx *c, const char *id, struct site *out);

/* Returns whether the site has this origin, byte by byte. */
bool sites_has_origin(const struct site *s, const char *origin);

/* Returns what a clock of the workspace shows at `at` (both microseconds). */
int64_t sites_local(const struct site *s, int64_t at);

/* Writes the list, if what it must say is not what it says. Needs an open database, and no
 * transaction. What cannot be written is a line of the log: the task runner tries again. */
void sites_write(struct ctx *c);

/* Removes the list, so that no hit is taken: the instance moves to another store, or has moved.
 * What cannot be removed is a line of the log. */
void sites_remove(struct ctx *c);

#endif
