#ifndef SYSTEM_ZONE_H
#define SYSTEM_ZONE_H
/*
 * Time zones.
 *
 * ---- the rules of one: a file of the time zone database (RFC 9636, TZif of version 2
 * or later). Pure functions over bytes; they refuse what is not well formed, and leap seconds.
 * Times are seconds since 1970, UTC; local times are the seconds that a clock there would
 * show, counted as if it showed UTC.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ctx;

/* One of the two changes a year of a footer's rule. */
struct tzif_change {
	char kind; /* 'M': a weekday of a month; 'J': a day of 365; 'N': of 366, from 0 */
	int month, week, day;
	int32_t at_s; /* after local midnight */
};

/* The rule for all times after the table (POSIX's TZ). */
struct tzif_rule {
	bool used; /* there is one */
	int32_t offset_s; /* east of UTC */
	bool summer; /* there are two offsets */
	int32_t summer_offset_s;
	struct tzif_change begin, end; /* of summer time */
};

struct tzif {
	const unsigned char *times; /* of 8 bytes */
	const unsigned char *kinds; /* of each time */
	const unsigned char *offsets; /* of 6 bytes, by kind */
	size_t time_count, kind_count;
	struct tzif_rule rule;
};

/* Reads a file; *out points into `bytes`. Returns false for what is not well formed. */
bool tzif_read(const unsigned char *bytes, size_t len, struct tzif *out);

/* Returns the offset from UTC at a time, in seconds, positive in the east. */
int32_t tzif_offset(const struct tzif *z, int64_t at);

/* Finds the time at which a clock there shows `local`: the first one if there are several.
 * Returns how many there are: 0 in the hour that a clock skips. */
int tzif_find(const struct tzif *z, int64_t local, int64_t *at);

/*
 * ---- time zones by their names in the time zone database ("Europe/Berlin"), for people who type
 * and read times (docs/console.md §5.2). The rules are the system's, /usr/share/zoneinfo, else
 * those of the release, share/zoneinfo beside the programs; "UTC" needs neither. The API's
 * programs never use this.
 */

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
