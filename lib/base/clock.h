#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H
/*
 * Times: microseconds since 1970, UTC, in int64_t; RFC 3339 as text.
 * No time zone database, no locale.
 *
 * In test builds the environment's GALLEY_CLOCK (seconds, signed) is added to
 * the wall clock, so that tests can step it for one process. With "@" before it, it is
 * the microsecond that the clock always shows.
 */
#include <stdbool.h>
#include <stdint.h>

#define CLOCK_SECOND INT64_C(1000000)
#define CLOCK_DAY (86400 * CLOCK_SECOND)
#define CLOCK_TEXT 28 /* bytes of "2026-09-01T08:00:00.000000Z" and NUL */
#define CLOCK_BOOT_ID 37 /* bytes of a boot id and NUL */

/* Returns the time of the wall clock. */
int64_t clock_now(void);

/* Returns the machine's time, also in test builds: the log uses it. */
int64_t clock_machine(void);

/* Returns the microseconds since the machine started, suspend included. */
int64_t clock_boot(void);

/* Reads the kernel's id of this start of the machine; false if there is none. */
bool clock_boot_id(char out[CLOCK_BOOT_ID]);

/* "2026-09-01T08:00:00.000000Z": the API's form (docs/design.md §4.9). */
void clock_format(char out[CLOCK_TEXT], int64_t at);

/* "2026-09-01T08:00:00Z": the form of exported documents (docs/export.md §1.5). */
void clock_format_seconds(char out[CLOCK_TEXT], int64_t at);

/* "2026-09-01" */
void clock_format_date(char out[CLOCK_TEXT], int64_t at);

/*
 * Parses an RFC 3339 date-time with a zone, of the years 1970 to 9999. Digits after
 * the sixth of the fraction are dropped. A leap second counts as the second before it.
 * Returns false for any other text.
 */
__attribute__((cold)) bool clock_parse(const char *text, int64_t *at);

/* Parses "YYYY-MM-DD" as midnight UTC. */
bool clock_parse_date(const char *text, int64_t *at);

/* Returns the whole seconds after which `when` has come; at least 1. */
static inline int
clock_seconds_until(int64_t when, int64_t now)
{
	int64_t s = (when - now + CLOCK_SECOND - 1) / CLOCK_SECOND;

	return s < 1 ? 1 : (int)s;
}

#endif
