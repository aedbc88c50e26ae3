/* suite: fast */
#include "base/clock.h"

#include <time.h>

#include "tests/tap.h"

/* NULL: refused. */
static const struct {
	const char *text, *time;
} times[] = {
	{ "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000000Z" },
	{ "2026-09-01T08:00:00.000001Z", "2026-09-01T08:00:00.000001Z" },
	{ "2026-09-01t08:00:00z", "2026-09-01T08:00:00.000000Z" },
	{ "2026-09-01T08:00:00.5Z", "2026-09-01T08:00:00.500000Z" },
	{ "2026-09-01T08:00:00.1234567891234Z", "2026-09-01T08:00:00.123456Z" },
	{ "2026-09-01T08:00:00.9999999Z", "2026-09-01T08:00:00.999999Z" },
	{ "2026-09-01T08:00:00+02:30", "2026-09-01T05:30:00.000000Z" },
	{ "2026-09-01T08:00:00-23:59", "2026-09-02T07:59:00.000000Z" },
	{ "2026-01-01T00:30:00+01:00", "2025-12-31T23:30:00.000000Z" },
	{ "2026-09-01T08:00:00-00:00", "2026-09-01T08:00:00.000000Z" },
	{ "1970-01-01T01:00:00+01:00", "1970-01-01T00:00:00.000000Z" },
	{ "2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000000Z" },
	{ "2000-02-29T23:59:59Z", "2000-02-29T23:59:59.000000Z" },
	{ "2016-12-31T23:59:60Z", "2016-12-31T23:59:59.000000Z" },
	{ "2017-01-01T00:59:60.5+01:00", "2016-12-31T23:59:59.500000Z" },
	{ "9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z" },
	{ "", NULL },
	{ "2026-09-01", NULL },
	{ "2026-09-01T08:00:00", NULL },
	{ "2026-09-01 08:00:00Z", NULL },
	{ "2026-09-01T08:00Z", NULL },
	{ "2026-9-1T08:00:00Z", NULL },
	{ "26-09-01T08:00:00Z", NULL },
	{ "12026-09-01T08:00:00Z", NULL },
	{ "+2026-09-01T08:00:00Z", NULL },
	{ "2026-09-01T08:00:00.Z", NULL },
	{ "2026-09-01T08:00:00,5Z", NULL },
	{ "2026-09-01T08:00:00ZZ", NULL },
	{ "2026-09-01T08:00:00Z ", NULL },
	{ " 2026-09-01T08:00:00Z", NULL },
	{ "2026-09-01T08:00:00+0200", NULL },
	{ "2026-09-01T08:00:00+02", NULL },
	{ "2026-09-01T08:00:00+24:00", NULL },
	{ "2026-09-01T08:00:00+02:60", NULL },
	{ "2026-09-01T08:00:00UTC", NULL },
	{ "2026-09-01T24:00:00Z", NULL },
	{ "2026-09-01T08:60:00Z", NULL },
	{ "2026-09-01T08:00:61Z", NULL },
	{ "2026-00-01T08:00:00Z", NULL },
	{ "2026-13-01T08:00:00Z", NULL },
	{ "2026-09-00T08:00:00Z", NULL },
	{ "2026-09-31T08:00:00Z", NULL },
	{ "2026-02-29T08:00:00Z", NULL },
	{ "2100-02-29T08:00:00Z", NULL },
	{ "1969-12-31T23:59:59Z", NULL },
	{ "1970-01-01T00:00:00+00:01", NULL },
	{ "9999-12-31T23:59:59-00:01", NULL },
	{ "0000-00-00T00:00:00Z", NULL },
	{ "-001-01-01T00:00:00Z", NULL },
};

static void
times_are_read(void)
{
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		char text[CLOCK_TEXT];
		int64_t at;
		bool read = clock_parse(times[i].text, &at);
		if (read)
			clock_format(text, at);
		is_text(read ? text : NULL, times[i].time, "\"%s\" is %s", times[i].text,
		    times[i].time == NULL ? "no time" : "read");
	}
}

static const struct {
	const char *text;
	int64_t day; /* -1: refused */
} dates[] = {
	{ "1970-01-01", 0 },
	{ "1970-03-01", 59 },
	{ "2000-03-01", 11017 },
	{ "2026-09-01", 20697 },
	{ "9999-12-31", 2932896 },
	{ "2026-02-29", -1 },
	{ "2026-9-01", -1 },
	{ "2026-09-01T", -1 },
	{ "1969-12-31", -1 },
	{ "", -1 },
	{ "2026-09", -1 },
};

static void
dates_are_read(void)
{
	for (size_t i = 0; i < sizeof(dates) / sizeof(dates[0]); i++) {
		int64_t at = -CLOCK_DAY;
		is_int(clock_parse_date(dates[i].text, &at), dates[i].day >= 0, "\"%s\" is %s date",
		    dates[i].text, dates[i].day >= 0 ? "a" : "no");
		if (dates[i].day >= 0)
			is_int(at, dates[i].day * CLOCK_DAY, "on its day");
	}
}

static void
months_end(void)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

	for (int month = 1; month <= 12; month++) {
		char text[16];
		int64_t at;
		snprintf(text, sizeof(text), "2026-%02d-%02d", month, days[month - 1]);
		ok(clock_parse_date(text, &at), "%s is a date", text);
		snprintf(text, sizeof(text), "2026-%02d-%02d", month, days[month - 1] + 1);
		ok(!clock_parse_date(text, &at), "%s is no date", text);
	}
}

/* Against the C library, for every day that can be stored. */
static void
every_day_is_written(void)
{
	int64_t wrong = -1;

	for (int64_t day = 0; day <= 2932896 && wrong < 0; day++) {
		time_t t = (time_t)(day * 86400);
		char want[CLOCK_TEXT], got[CLOCK_TEXT];
		int64_t back;
		struct tm tm;
		gmtime_r(&t, &tm);
		strftime(want, sizeof(want), "%Y-%m-%d", &tm);
		clock_format_date(got, day * CLOCK_DAY + CLOCK_DAY - 1);
		if (strcmp(got, want) != 0 || !clock_parse_date(got, &back) ||
		    back != day * CLOCK_DAY)
			wrong = day;
	}
	is_int(wrong, -1, "every day is written and read");
}

static void
times_are_written(void)
{
	int64_t at = INT64_C(1788249599999999);
	char text[CLOCK_TEXT];

	clock_format(text, at);
	is_text(text, "2026-09-01T07:59:59.999999Z", "six digits");
	clock_format_seconds(text, at);
	is_text(text, "2026-09-01T07:59:59Z", "seconds are not rounded up");
	clock_format_date(text, at);
	is_text(text, "2026-09-01", "a date");
}

static void
clocks_run(void)
{
	int64_t before = (int64_t)time(NULL) * CLOCK_SECOND;
	int64_t now = clock_now(), boot = clock_boot();
	char id[CLOCK_BOOT_ID];
	struct timespec was, is;

	/* Late in a second: a wrong unit of what is below seconds shows there. */
	do {
		clock_gettime(CLOCK_REALTIME, &was);
	} while (was.tv_nsec < 400000000);
	now = clock_now();
	clock_gettime(CLOCK_REALTIME, &is);
	ok(now >= was.tv_sec * CLOCK_SECOND + was.tv_nsec / 1000 &&
		now <= is.tv_sec * CLOCK_SECOND + is.tv_nsec / 1000,
	    "the time is that of the system, to the microsecond");
	/* time(2) may lag behind by a tick. */
	ok(now >= before - CLOCK_SECOND && now <= before + 5 * CLOCK_SECOND,
	    "the wall clock is the system's");
	ok(boot > 0 && clock_boot() >= boot, "the boot clock never steps back");
	if (clock_boot_id(id))
		is_int((int64_t)strlen(id), 36, "this start has an id");
	else
		skip(1, "no boot id here");
}

#ifdef GALLEY_TEST
static void
test_builds_step_the_clock(void)
{
	int64_t now;

	setenv("GALLEY_CLOCK", "-3600", 1);
	now = clock_now() + 3600 * CLOCK_SECOND;
	unsetenv("GALLEY_CLOCK");
	ok(clock_now() - now < 5 * CLOCK_SECOND && clock_now() >= now,
	    "the environment steps the clock of test builds");
	setenv("GALLEY_CLOCK", "@1700000000000001", 1);
	is_int(clock_now(), INT64_C(1700000000000001), "and stops it");
	unsetenv("GALLEY_CLOCK");
}
#else
static void
test_builds_step_the_clock(void)
{
	int64_t now = clock_now();

	setenv("GALLEY_CLOCK", "-3600", 1);
	ok(clock_now() >= now, "the environment does not step this clock");
}
#endif

int
main(void)
{
	times_are_read();
	dates_are_read();
	months_end();
	every_day_is_written();
	times_are_written();
	clocks_run();
	test_builds_step_the_clock();
	return done_testing();
}
