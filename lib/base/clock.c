#include "base/clock.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/fileio.h"

#define DAYS_MAX 2932897 /* until 10000-01-01 */

static int64_t
read_clock(clockid_t id)
{
	struct timespec ts;

	/* The C library can ask without a system call, but finding the way to do
	 * so costs more than a process saves that asks a few times. */
	syscall(SYS_clock_gettime, id, &ts);
	return (int64_t)ts.tv_sec * CLOCK_SECOND + ts.tv_nsec / 1000;
}

int64_t
clock_now(void)
{
	int64_t now = read_clock(CLOCK_REALTIME);
#ifdef GALLEY_TEST
	const char *told = getenv("GALLEY_CLOCK");

	if (told != NULL && told[0] == '@')
		now = strtoll(told + 1, NULL, 10);
	else if (told != NULL)
		now += strtoll(told, NULL, 10) * CLOCK_SECOND;
#endif
	return now;
}

int64_t
clock_machine(void)
{
	return read_clock(CLOCK_REALTIME);
}

int64_t
clock_boot(void)
{
	return read_clock(CLOCK_BOOTTIME);
}

bool
clock_boot_id(char out[CLOCK_BOOT_ID])
{
	const char *path = "/proc/sys/kernel/random/boot_id";
	/* This identifier belongs to the machine's boot: it stays the same as
	 * long as any process lives. */
	static char known[CLOCK_BOOT_ID];
	ssize_t got;
	int fd;

#ifdef GALLEY_TEST
	if (getenv("GALLEY_BOOT_ID") != NULL) {
		snprintf(out, CLOCK_BOOT_ID, "%s", getenv("GALLEY_BOOT_ID"));
		return true;
	}
#endif
	if (known[0] == '\0') {
		fd = fileio_open(path, O_RDONLY);
		if (fd < 0)
			return false;
		got = read(fd, known, CLOCK_BOOT_ID - 1);
		close(fd);
		if (got != CLOCK_BOOT_ID - 1)
			known[0] = '\0';
	}
	memcpy(out, known, CLOCK_BOOT_ID);
	return known[0] != '\0';
}

/* Returns the days from 1970-01-01 to a date of the proleptic Gregorian calendar. The year
 * begins in March, so that the leap day is its last. */
static int64_t
days_of(int64_t year, int64_t month, int64_t day)
{
	int64_t y = month <= 2 ? year - 1 : year;
	int64_t era = y / 400;
	int64_t in_era = y - era * 400;
	int64_t in_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 + in_year - 719468;
}

static void
date_of(int64_t days, int *year, int *month, int *day)
{
	int64_t z = days + 719468;
	int64_t era = z / 146097;
	int64_t in_era = z - era * 146097;
	int64_t y = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
	int64_t in_year = in_era - (365 * y + y / 4 - y / 100);
	int64_t m = (5 * in_year + 2) / 153;

	*day = (int)(in_year - (153 * m + 2) / 5 + 1);
	*month = (int)(m < 10 ? m + 3 : m - 9);
	*year = (int)(y + era * 400 + (*month <= 2 ? 1 : 0));
}

/* Writes `count` digits of `value` to `out`. */
static void
digits(char *out, int64_t value, int count)
{
	for (int i = count - 1; i >= 0; i--, value /= 10)
		out[i] = (char)('0' + value % 10);
}

/* Writes a date. Stored times are between 1970 and 9999 (clock_parse() ensures
 * it), and so is the wall clock. */
static void
format_date(char out[CLOCK_TEXT], int64_t at)
{
	int year, month, day;

	date_of(at / CLOCK_DAY, &year, &month, &day);
	memcpy(out, "0000-00-00", 11);
	digits(out, year, 4);
	digits(out + 5, month, 2);
	digits(out + 8, day, 2);
}

static void
format_seconds(char out[CLOCK_TEXT], int64_t at)
{
	int64_t second = at / CLOCK_SECOND % 86400;

	format_date(out, at);
	memcpy(out + 10, "T00:00:00Z", 11);
	digits(out + 11, second / 3600, 2);
	digits(out + 14, second / 60 % 60, 2);
	digits(out + 17, second % 60, 2);
}

void
clock_format(char out[CLOCK_TEXT], int64_t at)
{
	format_seconds(out, at);
	memcpy(out + 19, ".000000Z", 9);
	digits(out + 20, at % CLOCK_SECOND, 6);
}

void
clock_format_seconds(char out[CLOCK_TEXT], int64_t at)
{
	format_seconds(out, at);
}

void
clock_format_date(char out[CLOCK_TEXT], int64_t at)
{
	format_date(out, at);
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads exactly `count` digits at *p, and moves *p past them. */
static bool
number(const char **p, int count, int *value)
{
	*value = 0;
	for (int i = 0; i < count; i++, (*p)++) {
		if (!is_digit(**p))
			return false;
		*value = *value * 10 + (**p - '0');
	}
	return true;
}

static bool
one_of(const char **p, const char *allowed)
{
	if (**p == '\0' || strchr(allowed, **p) == NULL)
		return false;
	(*p)++;
	return true;
}

static bool
date(const char **p, int64_t *days)
{
	static const int length[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	int year, month, day, last;

	if (!number(p, 4, &year) || !one_of(p, "-") || !number(p, 2, &month) || !one_of(p, "-") ||
	    !number(p, 2, &day))
		return false;
	if (year < 1970 || month < 1 || month > 12)
		return false;
	last = length[month - 1];
	if (month == 2 && (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)))
		last = 29;
	if (day < 1 || day > last)
		return false;
	*days = days_of(year, month, day);
	return true;
}

/* Reads ".123456789" at *p, if it is there, as microseconds. */
static bool
fraction(const char **p, int64_t *micros)
{
	int64_t unit = 100000;

	*micros = 0;
	if (**p != '.')
		return true;
	(*p)++;
	if (!is_digit(**p))
		return false;
	for (; is_digit(**p); (*p)++, unit /= 10)
		*micros += unit * (**p - '0');
	return true;
}

static int64_t
seconds_of(int hours, int minutes)
{
	return (int64_t)hours * 3600 + (int64_t)minutes * 60;
}

/* Reads "Z" or "+02:00" as seconds east of UTC. */
static bool
zone(const char **p, int64_t *seconds)
{
	char sign = **p;
	int hour, minute;

	*seconds = 0;
	if (one_of(p, "Zz"))
		return true;
	if (!one_of(p, "+-") || !number(p, 2, &hour) || !one_of(p, ":") || !number(p, 2, &minute) ||
	    hour > 23 || minute > 59)
		return false;
	*seconds = seconds_of(hour, minute) * (sign == '-' ? -1 : 1);
	return true;
}

bool
clock_parse(const char *text, int64_t *at)
{
	const char *p = text;
	int64_t days, micros, east;
	int hour, minute, second;

	if (!date(&p, &days) || !one_of(&p, "Tt") || !number(&p, 2, &hour) || !one_of(&p, ":") ||
	    !number(&p, 2, &minute) || !one_of(&p, ":") || !number(&p, 2, &second) ||
	    !fraction(&p, &micros) || !zone(&p, &east) || *p != '\0')
		return false;
	if (hour > 23 || minute > 59 || second > 60)
		return false;
	if (second == 60)
		second = 59;
	*at = (days * 86400 + seconds_of(hour, minute) + second - east) * CLOCK_SECOND + micros;
	/* The zone may move the time out of the years that can be written. */
	return *at >= 0 && *at < DAYS_MAX * CLOCK_DAY;
}

bool
clock_parse_date(const char *text, int64_t *at)
{
	const char *p = text;
	int64_t days;

	if (!date(&p, &days) || *p != '\0')
		return false;
	*at = days * CLOCK_DAY;
	return true;
}
