#ifndef SYSTEM_ZONE_TZIF_H
#define SYSTEM_ZONE_TZIF_H
/*
 * Reads the rules of a time zone: a file of the time zone database (RFC 9636, TZif of version 2
 * or later). Pure functions over bytes; they refuse what is not well formed, and leap seconds.
 * Times are seconds since 1970, UTC; local times are the seconds that a clock there would
 * show, counted as if it showed UTC.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One of the two changes a year of a footer's rule. */
struct tzif_change {
	char kind; /* 'M': a weekday of a month; 'J': a day of 365; 'N': of 366, from 0 */
	int month, week, day;
	int32_t at_s; /* after local midnight */
};

/* The rule for all times behind the table (POSIX's TZ). */
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

#endif
