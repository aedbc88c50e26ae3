#ifndef SCREEN_SAY_H
#define SCREEN_SAY_H
/*
 * Times in words, for people in a browser: "12 minutes ago", "yesterday", "on Friday",
 * "20 Nov". No screen formats a time by itself.
 *
 *	say_begin(c, time_zone_of(c, workspace->id), clock_now());
 *	say_time(w, article->modified_at);
 *
 * An element <time> holds the words; its title has day, date, time and zone. The language is that
 * of tr(), the zone that of say_begin(). What only programs read (CSV, the API) is written by
 * base/clock.h.
 */
#include <stdint.h>

#include "screen/hwrite.h"

struct ctx;

/* Begins a request's times: the zone in which they are shown (NULL, and one whose rules are not
 * here: UTC), and what now is. The rules of the zone are read with the first time that is said. `c`
 * NULL ends the request. */
void say_begin(struct ctx *c, const char *zone, int64_t now);

/* Writes a time in words, seen from now: past or future. 0: "–". */
void say_time(struct hwrite *w, int64_t at);

/* Writes "23 Nov 2026, 14:32", for lists where times are compared: accounts and histories.
 * 0: "–". */
void say_moment(struct hwrite *w, int64_t at);

/* Return the same as texts, for a place where no element may be, and what the title has:
 * "Monday, 23 November 2026, 14:32 (Berlin)" (arena). With its second a moment tells apart what was
 * saved in one minute: "23 Nov 2026, 14:32:05". */
const char *say_time_text(struct ctx *c, int64_t at);
const char *say_moment_text(struct ctx *c, int64_t at);
const char *say_second_text(struct ctx *c, int64_t at);
const char *say_clock_text(struct ctx *c, int64_t at); /* "14:32" */
const char *say_full_text(struct ctx *c, int64_t at);

/* Returns the day of a time there, as days since 1970; when such a day begins there; and the day in
 * words: "23 Nov 2026". */
int64_t say_day_of(struct ctx *c, int64_t at);
int64_t say_day_begin(struct ctx *c, int64_t day);
const char *say_day_text(struct ctx *c, int64_t day);

/* Returns the name of the zone for people: "Berlin", "UTC" (arena). */
const char *say_zone(struct ctx *c);

#endif
