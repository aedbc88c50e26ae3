/* suite: fast */
#include "screen/say.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "screen/tr.h"
#include "system/instance.h"
#include "tests/tap.h"

static struct arena arena;
static struct instance instance = { .programs = "/nonexistent" };
static struct ctx ctx = { .arena = &arena, .instance = &instance, .request_id = "" };
static struct buf out;
static struct hwrite w;

static int64_t
at_of(const char *text)
{
	int64_t at = 0;

	if (!clock_parse(text, &at))
		printf("not ok - %s is no time\n", text);
	return at;
}

static void
begin(const char *zone, const char *now)
{
	say_begin(&ctx, zone, at_of(now));
}

struct said {
	const char *at, *words;
};

/* It is Monday, 23 November 2026, 14:32 in Berlin. */
#define NOW "2026-11-23T13:32:00Z"

static void
times_are_words(void)
{
	static const struct said cases[] = {
		{ "2026-11-23T13:31:01Z", "just now" },
		{ "2026-11-23T13:32:00Z", "just now" },
		{ "2026-11-23T13:31:00Z", "1 minute ago" },
		{ "2026-11-23T13:19:59Z", "12 minutes ago" },
		{ "2026-11-23T12:32:00Z", "1 hour ago" },
		{ "2026-11-22T13:32:01Z", "23 hours ago" },
		{ "2026-11-22T13:32:00Z", "yesterday" },
		{ "2026-11-21T23:00:00Z", "yesterday" },
		{ "2026-11-21T22:59:59Z", "on Saturday" },
		{ "2026-11-16T23:00:00Z", "on Tuesday" },
		{ "2026-11-16T22:59:59Z", "16 Nov" },
		{ "2025-12-31T23:00:00Z", "1 Jan" },
		{ "2025-12-31T22:59:59Z", "31 Dec 2025" },
		{ "2026-11-23T13:32:59Z", "in a moment" },
		{ "2026-11-23T13:33:00Z", "in 1 minute" },
		{ "2026-11-23T15:40:00Z", "in 2 hours" },
		{ "2026-11-23T22:59:00Z", "in 9 hours" },
		{ "2026-11-24T01:00:00Z", "in 11 hours" },
		{ "2026-11-24T08:00:00Z", "tomorrow, 9:00" },
		{ "2026-11-24T23:00:00Z", "25 Nov, 0:00" },
		{ "2027-06-30T07:05:00Z", "30 Jun 2027, 9:05" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		begin("Europe/Berlin", NOW);
		is_text(say_time_text(&ctx, at_of(cases[i].at)), cases[i].words, "%s", cases[i].at);
	}
}

static const char *
element(void (*write)(struct hwrite *w, int64_t at), int64_t at)
{
	buf_init(&out, &arena, 4096);
	hwrite_init(&w, &out);
	hwrite_open(&w, H_P);
	write(&w, at);
	hwrite_close(&w, H_P);
	hwrite_end(&w);
	return buf_done(&out);
}

static void
an_element_says_all(void)
{
	begin("Europe/Berlin", NOW);
	is_text(element(say_time, at_of("2026-11-20T09:05:07Z")),
	    "<p><time datetime=\"2026-11-20T10:05:07+01:00\" title=\"Friday, 20 November 2026, 10:05 (Berlin)\">on Friday</time></p>",
	    "words, and a title that says all");
	is_text(element(say_moment, at_of("2026-11-20T09:05:07Z")),
	    "<p><time datetime=\"2026-11-20T10:05:07+01:00\" title=\"Friday, 20 November 2026, 10:05 (Berlin)\">20 Nov 2026, 10:05</time></p>",
	    "or a moment");
	is_text(element(say_time, 0), "<p>–</p>", "nothing is a dash");
	begin("America/Argentina/Buenos_Aires", NOW);
	is_text(element(say_moment, at_of("2026-11-20T02:05:07Z")),
	    "<p><time datetime=\"2026-11-19T23:05:07-03:00\" title=\"Thursday, 19 November 2026, 23:05 (Buenos Aires)\">19 Nov 2026, 23:05</time></p>",
	    "a zone is named by its city, whose day may be another");
	begin(NULL, NOW);
	is_text(element(say_moment, at_of("2026-11-20T09:05:07Z")),
	    "<p><time datetime=\"2026-11-20T09:05:07Z\" title=\"Friday, 20 November 2026, 9:05 (UTC)\">20 Nov 2026, 9:05</time></p>",
	    "without a zone it is UTC");
	begin("Europe/Nowhere", NOW);
	is_text(say_zone(&ctx), "UTC", "and where the zone's rules are not here");
	begin("Pacific/Auckland", NOW);
	is_text(say_day_text(&ctx, say_day_of(&ctx, at_of("2026-11-20T12:05:07Z"))), "21 Nov 2026",
	    "a day may be said alone");
	is_int(say_day_begin(&ctx, say_day_of(&ctx, at_of("2026-11-20T12:05:07Z"))),
	    at_of("2026-11-20T11:00:00Z"), "and begins at midnight there");
	is_text(say_second_text(&ctx, at_of("2026-11-20T12:05:07Z")), "21 Nov 2026, 1:05:07",
	    "a moment may have its second");
	is_text(
	    say_clock_text(&ctx, at_of("2026-11-20T12:05:07Z")), "1:05", "or be the clock's alone");
	begin("America/Santiago", NOW);
	is_int(say_day_begin(&ctx, say_day_of(&ctx, at_of("2026-09-06T12:00:00Z"))),
	    at_of("2026-09-06T04:00:00Z"), "a day without a midnight begins at 1:00");
}

int
main(void)
{
	arena_init(&arena, (size_t)8 * 1024 * 1024);
	tr_begin(&ctx, NULL);
	times_are_words();
	an_element_says_all();
	return done_testing();
}
