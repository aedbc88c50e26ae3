/* suite: fast */
#include "system/zone.h"

#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "system/instance.h"
#include "tests/tap.h"

#define CORPUS "tests/fuzz/corpus/tzif/"

static struct arena arena;

static bool
load(const char *name, struct tzif *out)
{
	const char *path = arena_printf(&arena, CORPUS "%s", name);
	size_t len;
	const char *bytes = fileio_read(&arena, path, 65536, &len);

	return bytes != NULL && tzif_read((const unsigned char *)bytes, len, out);
}

static int64_t
seconds(const char *text)
{
	int64_t at;

	if (!clock_parse(text, &at))
		return -1;
	return at / CLOCK_SECOND;
}

static void
offsets_are_those_of_the_time(void)
{
	static const struct {
		const char *zone, *at;
		int32_t minutes;
	} cases[] = {
		{ "europe-berlin", "2026-01-01T00:00:00Z", 60 },
		{ "europe-berlin", "2026-03-29T00:59:59Z", 60 },
		{ "europe-berlin", "2026-03-29T01:00:00Z", 120 },
		{ "europe-berlin", "2026-10-25T00:59:59Z", 120 },
		{ "europe-berlin", "2026-10-25T01:00:00Z", 60 },
		{ "europe-berlin", "1975-07-01T00:00:00Z", 60 },
		/* after the table: the footer's rule */
		{ "europe-berlin", "2199-07-01T00:00:00Z", 120 },
		{ "europe-berlin", "2199-12-01T00:00:00Z", 60 },
		{ "europe-berlin", "2200-03-30T00:59:59Z", 60 },
		{ "europe-berlin", "2200-03-30T01:00:00Z", 120 },
		{ "europe-berlin", "2398-10-25T00:59:59Z", 120 },
		{ "europe-berlin", "2398-10-25T01:00:00Z", 60 },
		{ "europe-dublin", "2090-07-01T00:00:00Z", 60 },
		{ "europe-dublin", "2090-01-01T00:00:00Z", 0 },
		{ "america-nuuk", "2090-01-01T00:00:00Z", -120 },
		{ "america-nuuk", "2090-07-01T00:00:00Z", -60 },
		{ "asia-kathmandu", "2090-07-01T00:00:00Z", 345 },
		{ "pacific-apia", "2011-12-30T09:59:59Z", -600 },
		{ "pacific-apia", "2011-12-30T10:00:00Z", 840 },
		{ "africa-casablanca", "2026-07-01T00:00:00Z", 60 },
		{ "utc", "2500-07-01T00:00:00Z", 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tzif z;
		ok(load(cases[i].zone, &z), "%s is read", cases[i].zone);
		is_int(tzif_offset(&z, seconds(cases[i].at)) / 60, cases[i].minutes, "%s at %s",
		    cases[i].zone, cases[i].at);
	}
}

static void
local_times_are_found(void)
{
	static const struct {
		const char *zone, *local;
		int count;
		const char *at;
	} cases[] = {
		{ "europe-berlin", "2026-12-24T09:00:00Z", 1, "2026-12-24T08:00:00Z" },
		{ "europe-berlin", "2026-03-29T01:59:59Z", 1, "2026-03-29T00:59:59Z" },
		{ "europe-berlin", "2026-03-29T02:00:00Z", 0, NULL },
		{ "europe-berlin", "2026-03-29T02:59:59Z", 0, NULL },
		{ "europe-berlin", "2026-03-29T03:00:00Z", 1, "2026-03-29T01:00:00Z" },
		{ "europe-berlin", "2026-10-25T02:30:00Z", 2, "2026-10-25T00:30:00Z" },
		{ "europe-berlin", "2026-10-25T03:00:00Z", 1, "2026-10-25T02:00:00Z" },
		{ "europe-berlin", "2200-03-30T02:30:00Z", 0, NULL },
		{ "europe-berlin", "2200-10-26T02:30:00Z", 2, "2200-10-26T00:30:00Z" },
		{ "pacific-apia", "2011-12-30T12:00:00Z", 0, NULL },
		{ "pacific-apia", "2011-12-31T00:00:00Z", 1, "2011-12-30T10:00:00Z" },
		{ "utc", "2026-03-29T02:30:00Z", 1, "2026-03-29T02:30:00Z" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tzif z;
		int64_t at = 0;
		(void)load(cases[i].zone, &z);
		is_int(tzif_find(&z, seconds(cases[i].local), &at), cases[i].count,
		    "%s shows %s so often", cases[i].zone, cases[i].local);
		if (cases[i].at != NULL)
			is_int(at, seconds(cases[i].at), "  the first time");
	}
}

static void
broken_files_are_refused(void)
{
	struct tzif z;
	size_t len, taken = 0;
	const char *bytes = fileio_read(&arena, CORPUS "europe-berlin", 65536, &len);

	for (size_t i = 0; i < len; i++)
		taken += tzif_read((const unsigned char *)bytes, i, &z);
	is_int((int64_t)taken, 0, "no file that was cut is read");
	ok(!tzif_read((const unsigned char *)"TZif", 4, &z), "nor its first bytes");
}

static void
names_lead_nowhere_else(void)
{
	static const char *const wrong[] = { "", "/etc/passwd", "../etc/passwd", "Europe/../../etc",
		"Europe/", "Europe//Berlin", "europe/Berlin", "posix/UTC", "tzdata.zi",
		"Europe/Berlin\n", "Eu rope", ".", "Europe/.x", "A\\B", "localtime" };
	static const char *const right[] = { "UTC", "Europe/Berlin", "Etc/GMT+1",
		"America/Port-au-Prince", "America/Argentina/Buenos_Aires", "EST5EDT" };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ok(!zone_is_name(wrong[i]), "no name: %s", wrong[i]);
	for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++)
		ok(zone_is_name(right[i]), "a name: %s", right[i]);
}

static void
utc_needs_no_file(void)
{
	const struct instance instance = { .programs = "/nonexistent" };
	struct ctx c = { .arena = &arena, .instance = &instance };
	struct zone z;
	int64_t day, at;

	ok(zone_load(&c, "UTC", &z), "UTC is there");
	(void)clock_parse_date("2026-12-24", &day);
	is_int(zone_find(&z, day, 9 * 60 + 5, &at), ZONE_ONCE, "it skips no time");
	is_text(zone_text(&c, &z, at), "2026-12-24 09:05", "and shows it");
	ok(!zone_load(&c, "Nowhere/Land", &z), "another zone is not");
	ok(strcmp(zone_names(&c)[0], "UTC") == 0, "it is the first of the names");
}

int
main(void)
{
	arena_init(&arena, (size_t)16 * 1024 * 1024);
	offsets_are_those_of_the_time();
	local_times_are_found();
	broken_files_are_refused();
	names_lead_nowhere_else();
	utc_needs_no_file();
	arena_release(&arena);
	return done_testing();
}
