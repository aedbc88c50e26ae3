#include "system/zone/zone.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "system/instance.h"

#define FILE_MAX ((size_t)64 * 1024)
#define TABLE_MAX ((size_t)256 * 1024)
#define NAMES_MAX 1000

static bool
is_letter(char byte)
{
	return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

/* Each part begins with a capital letter: so there is no "..", no hidden file, and none of the
 * database's other folders and tables. */
bool
zone_is_name(const char *text)
{
	bool begins = true;

	if (text[0] == '\0' || strlen(text) > ZONE_NAME_MAX)
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
