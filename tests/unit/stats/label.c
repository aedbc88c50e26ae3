/* suite: fast */
#include "stats/label.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "stats/hit-count.h"
#include "stats/stats.h"
#include "tests/tap.h"

static struct arena arena;

struct row {
	const char *given;
	const char *want; /* NULL: it is no label */
};

#define TEN "0123456789"
#define LONG "/abcdefghijklmnopqrstuvw-abcdefghijklmnopqrstuvw-a"

static const struct row paths[] = {
	{ "/", "/" },
	{ "/blog/how-to-make-compost-in-2026", "/blog/how-to-make-compost-in-2026" },
	{ "/blog/", "/blog/" },
	{ "//a//b", "//a//b" },
	{ "/B%C3%A4ume", "/B%C3%A4ume" },
	{ "/2026/11/23/a", "/2026/11/23/a" },
	{ "/20261123/iphone-15-pro", "/20261123/iphone-15-pro" },
	{ "/internationalization-of-software", "/internationalization-of-software" },
	{ "/Donaudampfschifffahrtsgesellschaft", "/Donaudampfschifffahrtsgesellschaft" },
	{ "/u/ann@example.com", "/u/:x" },
	{ "/u/ann%40example.com/x", "/u/:x/x" },
	{ "/u/%61nn%2540example.com", "/u/%61nn%2540example.com" },
	{ "/@ann", "/@ann" },
	{ "/me@home", "/me@home" },
	{ "/sk_live_4eC39HqLyjWDarjtT1zdp7dc", "/:x" },
	{ "/reset/7d793037a0760186574b0282f2f435e7", "/reset/:x" },
	{ "/o/7d793037-a076-4186-874b-0282f2f435e7/b", "/o/:x/b" },
	{ "/t/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
	    "/t/:x" },
	{ "/call/" TEN, "/call/:x" },
	{ "/order-" TEN "-x", "/:x" },
	{ "/order-12345678", "/order-12345678" },
	{ "/:x/a", "/:x/a" },
	{ "/a?b=c", "/a" },
	{ "/a#b", "/a" },
	{ "/a%00b", "/:x" },
	{ "/a%E2%80%AEb", "/:x" },
	{ "/a%ffb", "/:x" },
	{ "/a\xE2\x80\xAE"
	  "b",
	    NULL },
	{ "/a\nb", NULL },
	{ "/\xff", NULL },
	{ "a", NULL },
	{ "", NULL },
	{ NULL, NULL },
	/* A path of more than 300 bytes is cut after its last whole part. */
	{ LONG LONG LONG LONG LONG LONG "/x", LONG LONG LONG LONG LONG LONG },
	{ LONG LONG LONG LONG LONG "/b" LONG "/y", LONG LONG LONG LONG LONG "/b" },
};

static const struct row hosts[] = {
	{ "News.Example", "news.example" },
	{ "a.example:8080", "a.example:8080" },
	{ "xn--bcher-kva.example", "xn--bcher-kva.example" },
	{ "[::1]", "[::1]" },
	{ "a b", NULL },
	{ "a/b", NULL },
	{ "<b>", NULL },
	{ "", NULL },
	{ ".", NULL },
	{ "b\xC3\xBC"
	  "cher.example",
	    NULL },
};

#define FORTY "1234567890123456789012345678901234567890"

static const struct row campaigns[] = {
	{ FORTY FORTY FORTY, FORTY FORTY FORTY },
	{ FORTY FORTY FORTY "x", FORTY FORTY FORTY },
	{ "mail / letter / may", "mail / letter / may" },
	{ "<script>", "<script>" },
	{ "ann@example.com", ":x" },
	{ "a\tb", NULL },
	{ "\xE2\x80\xAE", NULL },
	{ "", NULL },
};

static const struct row languages[] = {
	{ "de", "de" },
	{ "DE-at", "de" },
	{ "haw", "haw" },
	{ "x", NULL },
	{ "d1", NULL },
	{ "german", NULL },
	{ "", NULL },
};

static const struct row bots[] = {
	{ "no-agent", "no-agent" },
	{ "Bot", NULL },
	{ "a b", NULL },
	{ "", NULL },
	{ "abcdefghijklmnopqrstuvwxyz1234567", NULL },
};

#define EACH(rows, function) each(#function, rows, sizeof(rows) / sizeof((rows)[0]), function)

static void
each(const char *name, const struct row *rows, size_t count,
    const char *(*label)(struct arena *a, const char *text))
{
	for (size_t i = 0; i < count; i++) {
		const char *got = label(&arena, rows[i].given);
		bool same = got == NULL || rows[i].want == NULL ? got == rows[i].want
								: strcmp(got, rows[i].want) == 0;
		ok(same, "%s, row %zu", name, i);
	}
}

static void
test_sums(void)
{
	struct sums t;
	const struct sums_row *rows;
	bool sorted = true;
	int64_t sum = 0;

	sums_init(&t, &arena);
	for (int i = 0; i < 10000; i++) {
		char label[16];
		(void)snprintf(label, sizeof(label), "%d", i % 3000);
		sums_add(&t, &(struct sums_key) { .place = (size_t)i % 2,
				 .kind = 1,
				 .day = 20000,
				 .article = "",
				 .label = arena_text(&arena, label) });
	}
	rows = sums_sorted(&t);
	ok(t.count == 3000, "each key has one row");
	for (size_t i = 0; i < t.count; i++) {
		sum += rows[i].count;
		if (i > 0 && rows[i].key.place == rows[i - 1].key.place)
			sorted = sorted && strcmp(rows[i - 1].key.label, rows[i].key.label) < 0;
		else if (i > 0)
			sorted = sorted && rows[i].key.place > rows[i - 1].key.place;
	}
	ok(sum == 10000 && sorted, "nothing is lost, and rows are sorted");
}

static int64_t
day_of(const char *date)
{
	int64_t at;

	return clock_parse_date(date, &at) ? at / CLOCK_DAY : -1;
}

static void
test_months(void)
{
	static const struct {
		const char *now;
		int months;
		const char *first;
	} rows[] = {
		{ "2026-11-23", 25, "2024-10-23" },
		{ "2026-03-31", 1, "2026-02-28" },
		{ "2026-01-01", 1, "2025-12-01" },
		{ "2024-02-29", 12, "2023-02-28" },
		{ "2026-12-05", 12, "2025-12-05" },
		{ "1971-01-01", 1200, "1970-01-01" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ok(aged_first_day(day_of(rows[i].now) * CLOCK_DAY + 1, rows[i].months) ==
			day_of(rows[i].first),
		    "%d months before %s", rows[i].months, rows[i].now);
}

int
main(void)
{
	arena_init(&arena, (size_t)16 * 1024 * 1024);
	EACH(paths, label_path);
	EACH(hosts, label_host);
	EACH(campaigns, label_campaign);
	EACH(languages, label_language);
	EACH(bots, label_bot);
	ok(label_width("xl") != NULL && label_width("xxl") == NULL && label_width("") == NULL,
	    "widths are five");
	test_sums();
	test_months();
	arena_release(&arena);
	return done_testing();
}
