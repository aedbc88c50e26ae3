#include "screen/say.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "screen/tr.h"
#include "system/zone.h"

#define MINUTE (60 * CLOCK_SECOND)
#define HOUR (60 * MINUTE)
#define SOON (12 * HOUR) /* until then a time of tomorrow is told in hours */

static const char *const months[] = { tr_mark("January"), tr_mark("February"), tr_mark("March"),
	tr_mark("April"), tr_mark("May"), tr_mark("June"), tr_mark("July"), tr_mark("August"),
	tr_mark("September"), tr_mark("October"), tr_mark("November"), tr_mark("December") };
static const char *const short_months[] = { tr_mark("Jan"), tr_mark("Feb"), tr_mark("Mar"),
	tr_mark("Apr"), tr_mark("May"), tr_mark("Jun"), tr_mark("Jul"), tr_mark("Aug"),
	tr_mark("Sep"), tr_mark("Oct"), tr_mark("Nov"), tr_mark("Dec") };
/* 1970 began on a Thursday. */
static const char *const days[] = { tr_mark("Thursday"), tr_mark("Friday"), tr_mark("Saturday"),
	tr_mark("Sunday"), tr_mark("Monday"), tr_mark("Tuesday"), tr_mark("Wednesday") };
static const char *const on_days[] = { tr_mark("on Thursday"), tr_mark("on Friday"),
	tr_mark("on Saturday"), tr_mark("on Sunday"), tr_mark("on Monday"), tr_mark("on Tuesday"),
	tr_mark("on Wednesday") };

/* A time as clocks show it there. */
struct local {
	int64_t at; /* microseconds, as if it were UTC */
	int64_t day; /* since 1970 */
	size_t month, weekday;
	char text[CLOCK_TEXT];
	char year[5], of_month[3], clock[6];
};

/* The present request's, which begins with say_begin(). */
static struct {
	struct ctx *c; /* NULL: no request */
	const char *name;
	int64_t now;
	bool loaded; /* what follows is filled in */
	struct zone zone;
	const char *city;
	struct local local; /* of now */
} present;

void
say_begin(struct ctx *c, const char *zone, int64_t now)
{
	memset(&present, 0, sizeof(present));
	present.c = c;
	present.name = zone != NULL ? zone : "UTC";
	present.now = now;
}

/* ---- a time as clocks show it */

/* Copies two digits without a zero before them; returns the end. */
static char *
short_number(char *out, const char *digits)
{
	if (digits[0] != '0')
		*out++ = digits[0];
	*out++ = digits[1];
	return out;
}

static void
look_at(int64_t local, struct local *out)
{
	char *end;

	out->at = local;
	out->day = local / CLOCK_DAY - (local % CLOCK_DAY < 0);
	out->weekday = (size_t)((out->day % 7 + 7) % 7);
	clock_format_seconds(out->text, local);
	out->month = (size_t)((out->text[5] - '0') * 10 + out->text[6] - '1');
	memcpy(out->year, out->text, 4);
	out->year[4] = '\0';
	*short_number(out->of_month, out->text + 8) = '\0';
	end = short_number(out->clock, out->text + 11);
	memcpy(end, out->text + 13, 3);
	end[3] = '\0';
}

/* Returns the name of a zone for people. */
static const char *
city_of(struct ctx *c, const char *zone)
{
	const char *slash = strrchr(zone, '/');
	char *city = arena_text(c->arena, slash != NULL ? slash + 1 : zone);

	for (char *p = city; *p != '\0'; p++)
		*p = *p == '_' ? ' ' : *p;
	return city;
}

static const struct zone *
zone_here(struct ctx *c)
{
	if (present.c != c)
		say_begin(c, NULL, clock_now());
	if (present.loaded)
		return &present.zone;
	if (!zone_load(c, present.name, &present.zone))
		(void)zone_load(c, "UTC", &present.zone);
	present.city = city_of(c, present.zone.name);
	look_at(zone_local(&present.zone, present.now), &present.local);
	present.loaded = true;
	return &present.zone;
}

static void
look(struct ctx *c, int64_t at, struct local *out)
{
	look_at(zone_local(zone_here(c), at), out);
}

const char *
say_zone(struct ctx *c)
{
	(void)zone_here(c);
	return present.city;
}

/* "20 Nov" of this year, "23 Nov 2026" of another. */
static const char *
date_of(struct ctx *c, const struct local *l, bool with_year)
{
	const char *month = tr(short_months[l->month]);

	if (!with_year)
		return arena_printf(c->arena, tr("%s %s"), l->of_month, month);
	return arena_printf(c->arena, tr("%s %s %s"), l->of_month, month, l->year);
}

static const char *
full_of(struct ctx *c, const struct local *l)
{
	return arena_printf(c->arena, tr("%s, %s %s %s, %s (%s)"), tr(days[l->weekday]),
	    l->of_month, tr(months[l->month]), l->year, l->clock, present.city);
}

/* ---- in words */

static bool
is_this_year(const struct local *l)
{
	return memcmp(l->year, present.local.year, 4) == 0;
}

static const char *
past(struct ctx *c, int64_t at, const struct local *l)
{
	int64_t age = present.now - at, days_ago = present.local.day - l->day;

	if (age < MINUTE)
		return tr("just now");
	if (age < HOUR)
		return arena_printf(c->arena,
		    tr_count("%s minute ago", "%s minutes ago", age / MINUTE),
		    tr_number(c->arena, age / MINUTE));
	if (age < CLOCK_DAY)
		return arena_printf(c->arena, tr_count("%s hour ago", "%s hours ago", age / HOUR),
		    tr_number(c->arena, age / HOUR));
	if (days_ago <= 1)
		return tr("yesterday");
	if (days_ago <= 6)
		return tr(on_days[l->weekday]);
	return date_of(c, l, !is_this_year(l));
}

static const char *
future(struct ctx *c, int64_t at, const struct local *l)
{
	int64_t left = at - present.now, days_left = l->day - present.local.day;

	if (left < MINUTE)
		return tr("in a moment");
	if (left < HOUR)
		return arena_printf(c->arena,
		    tr_count("in %s minute", "in %s minutes", left / MINUTE),
		    tr_number(c->arena, left / MINUTE));
	if (days_left == 0 || (days_left == 1 && left < SOON))
		return arena_printf(c->arena, tr_count("in %s hour", "in %s hours", left / HOUR),
		    tr_number(c->arena, left / HOUR));
	if (days_left == 1)
		return arena_printf(c->arena, tr("tomorrow, %s"), l->clock);
	return arena_printf(c->arena, tr("%s, %s"), date_of(c, l, !is_this_year(l)), l->clock);
}

static const char *
words_of(struct ctx *c, int64_t at, const struct local *l)
{
	return at <= present.now ? past(c, at, l) : future(c, at, l);
}

static const char *
moment_of(struct ctx *c, const struct local *l)
{
	return arena_printf(c->arena, tr("%s, %s"), date_of(c, l, true), l->clock);
}

const char *
say_time_text(struct ctx *c, int64_t at)
{
	struct local l;

	look(c, at, &l);
	return words_of(c, at, &l);
}

const char *
say_moment_text(struct ctx *c, int64_t at)
{
	struct local l;

	look(c, at, &l);
	return moment_of(c, &l);
}

const char *
say_second_text(struct ctx *c, int64_t at)
{
	struct local l;

	look(c, at, &l);
	return arena_printf(c->arena, "%s%.3s", moment_of(c, &l), l.text + 16);
}

const char *
say_clock_text(struct ctx *c, int64_t at)
{
	struct local l;

	look(c, at, &l);
	return arena_text(c->arena, l.clock);
}

const char *
say_full_text(struct ctx *c, int64_t at)
{
	struct local l;

	look(c, at, &l);
	return full_of(c, &l);
}

int64_t
say_day_of(struct ctx *c, int64_t at)
{
	struct local l;

	look(c, at, &l);
	return l.day;
}

int64_t
say_day_begin(struct ctx *c, int64_t day)
{
	const struct zone *z = zone_here(c);
	int64_t at = 0;

	/* Where clocks skip midnight, the day begins after the hour that they skip. */
	for (int minute = 0; minute < 24 * 60; minute++)
		if (zone_find(z, day * CLOCK_DAY, minute, &at) != ZONE_NEVER)
			break;
	return at;
}

const char *
say_day_text(struct ctx *c, int64_t day)
{
	struct local l;

	look_at(day * CLOCK_DAY, &l);
	return date_of(c, &l, true);
}

/* ---- elements */

/* "2026-11-23T14:32:00+01:00"; it lives as long as *l. */
static const char *
stamp_of(struct ctx *c, int64_t at, const struct local *l)
{
	int minutes = (int)((l->at - at) / MINUTE);

	if (zone_here(c)->utc)
		return l->text;
	return arena_printf(c->arena, "%.19s%c%02d:%02d", l->text, minutes < 0 ? '-' : '+',
	    abs(minutes) / 60, abs(minutes) % 60);
}

static void
write_time(struct hwrite *w, int64_t at, bool moment)
{
	struct ctx *c = present.c;
	struct local l;

	if (c == NULL)
		BUG("a time is said outside of a request");
	if (at == 0) {
		hwrite_text(w, "–");
		return;
	}
	look(c, at, &l);
	hwrite_open(w, H_TIME);
	hwrite_attr(w, A_DATETIME, stamp_of(c, at, &l));
	hwrite_attr(w, A_TITLE, full_of(c, &l));
	hwrite_text(w, moment ? moment_of(c, &l) : words_of(c, at, &l));
	hwrite_close(w, H_TIME);
}

void
say_time(struct hwrite *w, int64_t at)
{
	write_time(w, at, false);
}

void
say_moment(struct hwrite *w, int64_t at)
{
	write_time(w, at, true);
}
