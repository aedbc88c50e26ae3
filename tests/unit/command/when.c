/* suite: fast */
#include "command/call-words.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx c = { .arena = &arena, .request_id = "" };

static void
spans(void)
{
	static const char *const wrong[] = { "", "h", "24", "24 h", "24hours", "-1h", "+1h", "1.5h",
		"36526d", "99999999999s", "1w", "00h0" };
	int64_t span;

	is_int(when_span("0", &span) && span == 0, true, "nothing at all");
	is_int(when_span("45s", &span) && span == 45 * CLOCK_SECOND, true, "seconds");
	is_int(when_span("30m", &span) && span == 1800 * CLOCK_SECOND, true, "minutes");
	is_int(when_span("24h", &span) && span == CLOCK_DAY, true, "hours");
	is_int(when_span("36525d", &span) && span == 36525 * CLOCK_DAY, true,
	    "days, up to a hundred years");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		is_int(when_span(wrong[i], &span), false, "\"%s\" is none", wrong[i]);
}

static void
borders(void)
{
	int64_t at;

	is_text(when_border(&c, "from", "2026-09-01", false, &at) == NULL ? when_text(&arena, at)
									  : NULL,
	    "2026-09-01T00:00:00Z", "a first day begins at midnight");
	is_text(
	    when_border(&c, "to", "2026-09-30", true, &at) == NULL ? when_text(&arena, at) : NULL,
	    "2026-10-01T00:00:00Z", "a last day is whole");
	is_text(when_border(&c, "to", "2026-09-30T12:00:00+02:00", true, &at) == NULL
		    ? when_text(&arena, at)
		    : NULL,
	    "2026-09-30T10:00:00Z", "a time is exact");
	is_text(when_border(&c, "to", "30.9.2026", true, &at)->message,
	    "--to 30.9.2026 is not a time: write a date such as 2026-09-30, or an RFC 3339 time.",
	    "another form is refused");
	is_text(when_text(&arena, 0), NULL, "no time is no text");
}

static void
times_to_come(void)
{
	int64_t at, now = clock_now();

	is_int(when_to_come(&c, "expires", "2d", &at) == NULL && at >= now + 2 * CLOCK_DAY &&
		   at < now + 3 * CLOCK_DAY,
	    true, "a span counts from now on");
	is_int(when_to_come(&c, "expires", "2999-01-01", &at) == NULL, true, "a date");
	is_int(when_to_come(&c, "expires", "2001-01-01", &at) == NULL, false,
	    "a time that is over is refused");
	is_int(when_to_come(&c, "expires", "0", &at) == NULL, false, "now is over too");
}

int
main(void)
{
	arena_init(&arena, 65536);
	spans();
	borders();
	times_to_come();
	return done_testing();
}
