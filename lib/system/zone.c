/* Time zones by their names, and the rules of one. */
#include "system/zone.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "system/instance.h"

#define HEAD 44
#define DAY INT64_C(86400)
#define OFFSET_MAX (26 * 3600) /* RFC 9636, 3.2 */
#define KINDS_MAX 256

/* ---- numbers */

static uint32_t
read_32(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static int64_t
read_64(const unsigned char *p)
{
	return (int64_t)((uint64_t)read_32(p) << 32 | read_32(p + 4));
}

static int64_t
time_of(const struct tzif *z, size_t i)
{
	return read_64(z->times + 8 * i);
}

static int32_t
offset_of(const struct tzif *z, size_t kind)
{
	return (int32_t)read_32(z->offsets + 6 * kind);
}

/* ---- the calendar */

static bool
is_leap(int64_t year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Returns the days from 1970 to the first of March of `year`, as if each year began there. */
static int64_t
days_to_march(int64_t year)
{
	return 365 * year + year / 4 - year / 100 + year / 400 - 719468;
}

/* Returns the days from 1970 to a date. Years are positive. */
static int64_t
days_to(int64_t year, int month, int day)
{
	int64_t shifted = month > 2 ? year : year - 1;
	int from_march = month > 2 ? month - 3 : month + 9;

	return days_to_march(shifted) + (153 * from_march + 2) / 5 + day - 1;
}

static int64_t
year_of(int64_t at)
{
	int64_t days = at / DAY - (at % DAY < 0);
	int64_t year = 1970 + days / 365;

	while (days_to(year, 1, 1) > days)
		year--;
	while (days_to(year + 1, 1, 1) <= days)
		year++;
	return year;
}

/* ---- the footer */

static bool
read_number(const char **p, int32_t most, int32_t *out)
{
	int32_t number = 0;
	int digits = 0;

	for (; **p >= '0' && **p <= '9'; (*p)++, digits++) {
		number = 10 * number + (**p - '0');
		if (number > most)
			return false;
	}
	*out = number;
	return digits > 0;
}

/* Reads hh[:mm[:ss]] with a sign, as seconds. */
static bool
read_span(const char **p, int32_t hours_max, int32_t *out)
{
	int32_t part[3] = { 0, 0, 0 };
	bool minus = **p == '-';

	if (**p == '-' || **p == '+')
		(*p)++;
	if (!read_number(p, hours_max, &part[0]))
		return false;
	for (int i = 1; i < 3 && **p == ':'; i++) {
		(*p)++;
		if (!read_number(p, 59, &part[i]))
			return false;
	}
	*out = part[0] * 3600 + part[1] * 60 + part[2];
	if (minus)
		*out = -*out;
	return true;
}

static bool
skip_name(const char **p)
{
	const char *begin = *p;

	if (**p == '<') {
		while (**p != '\0' && **p != '>')
			(*p)++;
		return *(*p)++ == '>';
	}
	while ((**p >= 'a' && **p <= 'z') || (**p >= 'A' && **p <= 'Z'))
		(*p)++;
	return *p - begin >= 3;
}

static bool
read_days(const char **p, struct tzif_change *out)
{
	int32_t month, week, day;

	out->kind = 'N';
	if (**p == 'M' || **p == 'J')
		out->kind = *(*p)++;
	if (out->kind != 'M') {
		if (!read_number(p, 365, &day) || (out->kind == 'J' && day == 0))
			return false;
		out->day = day;
		return true;
	}
	if (!read_number(p, 12, &month) || *(*p)++ != '.' || !read_number(p, 5, &week) ||
	    *(*p)++ != '.' || !read_number(p, 6, &day) || month == 0 || week == 0)
		return false;
	out->month = month;
	out->week = week;
	out->day = day;
	return true;
}

static bool
read_change(const char **p, struct tzif_change *out)
{
	out->at_s = 2 * 3600;
	if (*(*p)++ != ',' || !read_days(p, out))
		return false;
	if (**p != '/')
		return true;
	(*p)++;
	return read_span(p, 167, &out->at_s);
}

/* Reads "CET-1CEST,M3.5.0,M10.5.0/3". Offsets there are positive in the west. */
static bool
read_rule(const char *p, struct tzif_rule *out)
{
	int32_t west;

	*out = (struct tzif_rule) { .used = *p != '\0' };
	if (!out->used)
		return true;
	if (!skip_name(&p) || !read_span(&p, 24, &west))
		return false;
	out->offset_s = -west;
	if (*p == '\0')
		return true;
	if (!skip_name(&p))
		return false;
	out->summer = true;
	out->summer_offset_s = out->offset_s + 3600;
	if (*p != ',' && *p != '\0') {
		if (!read_span(&p, 24, &west))
			return false;
		out->summer_offset_s = -west;
	}
	return read_change(&p, &out->begin) && read_change(&p, &out->end) && *p == '\0';
}

/* Returns the local midnight of the day of a change, in a year, plus its time. */
static int64_t
change_at(const struct tzif_change *change, int64_t year)
{
	int64_t first, days;
	int month = change->month, next_month, weekday;

	if (change->kind != 'M') {
		days = days_to(year, 1, 1) + change->day;
		if (change->kind == 'J' && (!is_leap(year) || change->day < 60))
			days--;
		return days * DAY + change->at_s;
	}
	first = days_to(year, month, 1);
	/* 1970-01-01 was a Thursday. */
	weekday = (int)(((first + 4) % 7 + 7) % 7);
	days = first + (change->day - weekday + 7) % 7 + 7 * (int64_t)(change->week - 1);
	next_month = month % 12 + 1;
	while (days >= days_to(month == 12 ? year + 1 : year, next_month, 1))
		days -= 7;
	return days * DAY + change->at_s;
}

static int32_t
rule_offset(const struct tzif_rule *r, int64_t at)
{
	int64_t year, begin, end;
	bool summer;

	if (!r->summer)
		return r->offset_s;
	year = year_of(at + r->offset_s);
	begin = change_at(&r->begin, year) - r->offset_s;
	end = change_at(&r->end, year) - r->summer_offset_s;
	/* In the south summer begins in one year and ends in the next. */
	summer = begin < end ? at >= begin && at < end : at >= begin || at < end;
	return summer ? r->summer_offset_s : r->offset_s;
}

/* ---- the file */

struct counts {
	size_t isut, isstd, leap, time, kind, chars;
};

static bool
read_head(const unsigned char *p, size_t len, struct counts *out)
{
	if (len < HEAD || memcmp(p, "TZif", 4) != 0 || p[4] < '2')
		return false;
	*out = (struct counts) { read_32(p + 20), read_32(p + 24), read_32(p + 28), read_32(p + 32),
		read_32(p + 36), read_32(p + 40) };
	return out->kind > 0 && out->kind <= KINDS_MAX && out->chars <= 4096 && out->leap <= 4096 &&
	       out->time <= 65536 && out->isut <= KINDS_MAX && out->isstd <= KINDS_MAX;
}

static size_t
size_of(const struct counts *n, size_t time_size)
{
	return n->time * (time_size + 1) + n->kind * 6 + n->chars + n->leap * (time_size + 4) +
	       n->isstd + n->isut;
}

static bool
check_table(const struct tzif *z)
{
	for (size_t i = 0; i < z->kind_count; i++) {
		int32_t offset = offset_of(z, i);
		if (offset <= -OFFSET_MAX || offset >= OFFSET_MAX)
			return false;
	}
	for (size_t i = 0; i < z->time_count; i++) {
		if (z->kinds[i] >= z->kind_count)
			return false;
		if (i > 0 && time_of(z, i) <= time_of(z, i - 1))
			return false;
	}
	return true;
}

bool
tzif_read(const unsigned char *bytes, size_t len, struct tzif *out)
{
	char footer[128];
	struct counts n;
	size_t old, rest;
	const unsigned char *p, *end;

	if (!read_head(bytes, len, &n))
		return false;
	/* The first block is for readers that know 32 bits only. */
	old = HEAD + size_of(&n, 4);
	if (len < old || !read_head(bytes + old, len - old, &n) || n.leap > 0)
		return false;
	p = bytes + old + HEAD;
	rest = len - old - HEAD;
	if (rest < size_of(&n, 8) + 2)
		return false;
	*out = (struct tzif) { .times = p,
		.kinds = p + 8 * n.time,
		.offsets = p + 9 * n.time,
		.time_count = n.time,
		.kind_count = n.kind };
	p += size_of(&n, 8);
	rest -= size_of(&n, 8) + 1;
	end = memchr(p + 1, '\n', rest);
	if (p[0] != '\n' || end == NULL || (size_t)(end - p) > sizeof(footer))
		return false;
	memcpy(footer, p + 1, (size_t)(end - p) - 1);
	footer[end - p - 1] = '\0';
	return check_table(out) && read_rule(footer, &out->rule);
}

int32_t
tzif_offset(const struct tzif *z, int64_t at)
{
	size_t low = 0, high = z->time_count;

	if (z->rule.used && (high == 0 || at >= time_of(z, high - 1)))
		return rule_offset(&z->rule, at);
	/* Before the first change the first kind counts. */
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (time_of(z, middle) <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return offset_of(z, low == 0 ? 0 : z->kinds[low - 1]);
}

/* Notes a time if a clock shows `local` then. */
static void
try(const struct tzif *z, int64_t local, int32_t offset, int64_t found[], int *count)
{
	int64_t at = local - offset;

	if (tzif_offset(z, at) != offset)
		return;
	for (int i = 0; i < *count; i++) {
		if (found[i] == at)
			return;
	}
	found[(*count)++] = at;
}

int
tzif_find(const struct tzif *z, int64_t local, int64_t *at)
{
	int64_t found[KINDS_MAX + 2];
	int count = 0;

	for (size_t i = 0; i < z->kind_count; i++)
		try(z, local, offset_of(z, i), found, &count);
	if (z->rule.used)
		try(z, local, z->rule.offset_s, found, &count);
	if (z->rule.summer)
		try(z, local, z->rule.summer_offset_s, found, &count);
	for (int i = 0; i < count; i++)
		*at = i == 0 || found[i] < *at ? found[i] : *at;
	return count;
}

#define FILE_MAX ((size_t)64 * 1024)
#define TABLE_MAX ((size_t)256 * 1024)
#define NAMES_MAX 1000

static bool
is_letter(char byte)
{
	return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

/* ---- time zones by their names */

#define NAME_MAX_BYTES 64

/* Each part begins with a capital letter: so there is no "..", no hidden file, and none of the
 * database's other folders and tables. */
bool
zone_is_name(const char *text)
{
	bool begins = true;

	if (text[0] == '\0' || strlen(text) > NAME_MAX_BYTES)
		return false;
	for (const char *p = text; *p != '\0'; p++) {
		if (begins ? *p < 'A' || *p > 'Z'
			   : !is_letter(*p) && strchr("0123456789+-_/", *p) == NULL)
			return false;
		begins = *p == '/';
	}
	return !begins;
}

/* Returns a file of the database: the system's, else the release's. NULL: none. */
static char *
read_file(struct ctx *c, const char *name, size_t max, size_t *len)
{
	const char *mine = fileio_path(c->arena, c->instance->programs, "share/zoneinfo");
	char *text = fileio_read_now(c->arena, fileio_path(c->arena, ZONE_SYSTEM, name), max, len);

	if (text != NULL)
		return text;
	return fileio_read_now(c->arena, fileio_path(c->arena, mine, name), max, len);
}

bool
zone_load(struct ctx *c, const char *name, struct zone *out)
{
	size_t len;
	const char *bytes;

	*out = (struct zone) { .name = name, .utc = strcmp(name, "UTC") == 0 };
	if (out->utc)
		return true;
	if (!zone_is_name(name))
		return false;
	bytes = read_file(c, name, FILE_MAX, &len);
	return bytes != NULL && tzif_read((const unsigned char *)bytes, len, &out->rules);
}

static int
by_name(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

const char **
zone_names(struct ctx *c)
{
	char *text = read_file(c, "zone1970.tab", TABLE_MAX, NULL), *next;
	const char **names = arena_array(c->arena, NAMES_MAX + 2, sizeof(*names));
	size_t count = 1;

	names[0] = "UTC";
	/* A line is: countries, coordinates, name, comments, with tabs between them. */
	for (char *line = text; line != NULL && count < NAMES_MAX; line = next) {
		char *end = strchr(line, '\n'), *name;
		next = end != NULL ? end + 1 : NULL;
		if (end != NULL)
			*end = '\0';
		name = line[0] != '#' ? strchr(line, '\t') : NULL;
		name = name != NULL ? strchr(name + 1, '\t') : NULL;
		if (name == NULL)
			continue;
		name++;
		name[strcspn(name, "\t")] = '\0';
		if (zone_is_name(name))
			names[count++] = name;
	}
	qsort(names + 1, count - 1, sizeof(*names), by_name);
	names[count] = NULL;
	return names;
}

/* Returns whole seconds, rounded down. */
static int64_t
seconds_of(int64_t at)
{
	return at / CLOCK_SECOND - (at % CLOCK_SECOND < 0);
}

enum zone_fit
zone_find(const struct zone *z, int64_t day, int minute, int64_t *at)
{
	int64_t local = seconds_of(day) + INT64_C(60) * minute, utc = local;
	int count = z->utc ? 1 : tzif_find(&z->rules, local, &utc);

	*at = utc * CLOCK_SECOND;
	return count == 0 ? ZONE_NEVER : count == 1 ? ZONE_ONCE : ZONE_TWICE;
}

int64_t
zone_local(const struct zone *z, int64_t at)
{
	if (z->utc)
		return at;
	return at + tzif_offset(&z->rules, seconds_of(at)) * CLOCK_SECOND;
}

const char *
zone_text(struct ctx *c, const struct zone *z, int64_t at)
{
	char text[CLOCK_TEXT];

	clock_format_seconds(text, zone_local(z, at));
	return arena_printf(c->arena, "%.10s %.5s", text, text + 11);
}
