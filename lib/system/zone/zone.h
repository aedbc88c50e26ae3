#ifndef SYSTEM_ZONE_ZONE_H
#define SYSTEM_ZONE_ZONE_H
/*
 * Time zones by their names in the time zone database ("Europe/Berlin"), for people who type
 * and read times (docs/console.md §5.2). The rules are the system's, /usr/share/zoneinfo, else
 * those of the release, share/zoneinfo beside the programs; "UTC" needs neither. The API's
 * programs never use this.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "system/zone/tzif.h"

struct ctx;

#define ZONE_NAME_MAX 64
#define ZONE_SYSTEM "/usr/share/zoneinfo"

struct zone {
	const char *name;
	bool utc; /* the rules are not filled in */
	struct tzif rules;
};

/* Returns whether the text may be a name: it leads to no file outside the database. */
bool zone_is_name(const char *text);

/* Reads the rules of a zone (arena); false if there is no such zone here. */
bool zone_load(struct ctx *c, const char *name, struct zone *out);

/* Returns the names for a choice, sorted, "UTC" first; NULL ends them (arena). */
const char **zone_names(struct ctx *c);

enum zone_fit {
	ZONE_NEVER, /* clocks skip this time */
	ZONE_ONCE,
	ZONE_TWICE /* clocks show it twice: *at is the first time */
};

/* Finds the time (microseconds, UTC) at which a clock there shows this day, which is its
 * midnight as if it were UTC, and this minute of it. */
enum zone_fit zone_find(const struct zone *z, int64_t day, int minute, int64_t *at);

/* Returns what a clock there shows (microseconds, as if it were UTC). */
int64_t zone_local(const struct zone *z, int64_t at);

/* Returns "2026-12-24 09:00" as a clock there shows it (arena). */
const char *zone_text(struct ctx *c, const struct zone *z, int64_t at);

#endif
