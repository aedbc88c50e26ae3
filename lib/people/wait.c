#include "people/wait.h"

#include "base/clock.h"

#define BORNE 10 /* failures in the window */
#define WINDOW (600 * CLOCK_SECOND)
#define FIRST (60 * CLOCK_SECOND)

int
wait_left_s(const struct wait *w, int64_t now, int64_t longest)
{
	if (now >= w->until || w->until - now > longest)
		return 0;
	return (int)((w->until - now + CLOCK_SECOND - 1) / CLOCK_SECOND);
}

/* Returns when the failures are forgotten. */
static int64_t
end_of(const struct wait *w)
{
	return w->failures < BORNE ? w->since + WINDOW : w->until + CLOCK_DAY;
}

void
wait_count(struct wait *w, int64_t now, int64_t longest)
{
	int64_t wait = FIRST;

	if (w->failures <= 0 || now < w->since || now >= end_of(w)) {
		w->failures = 0;
		w->since = now;
	}
	w->failures++;
	w->until = 0;
	if (w->failures < BORNE)
		return;
	for (int64_t i = BORNE; i < w->failures && wait < longest; i++)
		wait *= 2;
	w->until = now + (wait < longest ? wait : longest);
}

void
wait_uncount(struct wait *w, int64_t at)
{
	if (w->failures > 0)
		w->failures--;
	if (w->failures < BORNE)
		w->until = 0;
	else if (w->until > at)
		w->until = at;
}
