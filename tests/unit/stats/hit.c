/*
 * The line of a hit, written and read again; and what was refused.
 *
 * suite: fast
 */
#include "stats/hit.h"

#include <sys/wait.h>

#include "base/clock.h"
#include "tests/unit/access/place.h"

#define WORKSPACE "3f2a9c10-5b7e-4c8d-9a41-6f0d2e7b8c55"

static const struct hit full = { .kind = HIT_VIEW,
	.at = PLACE_NOW,
	.day = 20833,
	.workspace = WORKSPACE,
	.article = "00000000-ffff-4c8d-9a41-6f0d2e7b8c55",
	.path = "/blog/über",
	.referrer = "news.example",
	.campaign = "a / b / c",
	.width = "xs",
	.language = "de",
	.bot = "crawler",
	.visitor = { 0, 1, 2, 255, 9, 10, 13, 0 } };

static bool
is_same(const struct hit *a, const struct hit *b)
{
	return a->kind == b->kind && a->at == b->at && a->day == b->day &&
	       strcmp(a->workspace, b->workspace) == 0 && strcmp(a->article, b->article) == 0 &&
	       strcmp(a->path, b->path) == 0 && strcmp(a->referrer, b->referrer) == 0 &&
	       strcmp(a->campaign, b->campaign) == 0 && strcmp(a->width, b->width) == 0 &&
	       strcmp(a->language, b->language) == 0 && strcmp(a->bot, b->bot) == 0 &&
	       memcmp(a->visitor, b->visitor, HIT_VISITOR) == 0;
}

static bool
comes_back(const struct hit *h)
{
	char line[HIT_LINE_MAX + 1];
	struct hit again;
	size_t len = hit_write(&arena, h, line);

	return len == strlen(line) && strchr(line, '\n') == NULL &&
	       hit_read(&arena, line, len, &again) && is_same(h, &again);
}

static void
fill(char *text, size_t max)
{
	memset(text, 'x', max);
	text[max] = '\0';
}

static void
hits_come_back(void)
{
	struct hit h = full;

	ok(comes_back(&full), "a hit comes back as it was");
	fill(h.path, HIT_PATH_MAX);
	h.path[0] = '/';
	fill(h.referrer, HIT_REFERRER_MAX);
	fill(h.campaign, HIT_CAMPAIGN_MAX);
	fill(h.width, HIT_WIDTH_MAX);
	fill(h.language, HIT_LANGUAGE_MAX);
	fill(h.bot, HIT_BOT_MAX);
	ok(comes_back(&h), "the longest one, too");
	h = (struct hit) {
		.kind = HIT_VIEW, .at = PLACE_NOW, .day = 20833, .path = "/", .workspace = WORKSPACE
	};
	ok(comes_back(&h), "one of which little is known, too");
	memcpy(h.article, "3f2a9c10", HIT_PREFIX + 1);
	ok(comes_back(&h), "one of an article whose first digits are known, too");
	h = (struct hit) {
		.kind = HIT_REFUSED_ORIGIN, .at = PLACE_NOW, .day = 20833, .workspace = WORKSPACE
	};
	ok(comes_back(&h), "one of another origin, too");
	h.kind = HIT_WITHOUT_CONSENT;
	ok(comes_back(&h), "one without consent, too");
}

static void
what_is_cut_is_no_hit(void)
{
	char line[HIT_LINE_MAX + 1];
	size_t len = hit_write(&arena, &full, line);
	struct hit h;
	int taken = 0;

	for (size_t i = 0; i < len; i++)
		taken += hit_read(&arena, line, i, &h);
	is_int(taken, 0, "no beginning of a line is a line");
	line[len] = 'x';
	ok(!hit_read(&arena, line, len + 1, &h), "and none that goes on");
	line[0] = '9';
	ok(!hit_read(&arena, line, len, &h), "no unknown kind is read");
	ok(!hit_read(&arena, "", 0, &h) && !hit_read(&arena, "\t\t\t", 3, &h) &&
		!hit_read(&arena, "1\t1\t1\t\xff", 7, &h),
	    "nor nonsense");
}

static const struct refused *
today(struct refused days[REFUSED_DAYS])
{
	refused_read(&c, days);
	for (int i = 0; i < REFUSED_DAYS; i++) {
		if (days[i].day == clock_now() / CLOCK_DAY)
			return &days[i];
	}
	return &days[0];
}

#define PROCESSES 4
#define TIMES 100

static void
refusals_are_counted(void)
{
	struct refused days[REFUSED_DAYS];

	is_int(today(days)->limited, 0, "nothing was refused");
	refused_count(&c, REFUSED_UNKNOWN);
	refused_count(&c, REFUSED_BAD_FORM);
	for (int i = 0; i < PROCESSES; i++) {
		if (fork() == 0) {
			for (int j = 0; j < TIMES; j++)
				refused_count(&c, REFUSED_LIMITED);
			_exit(0);
		}
	}
	for (int i = 0; i < PROCESSES; i++)
		wait(NULL);
	is_int(today(days)->limited, PROCESSES * TIMES, "each refusal is counted once");
	ok(today(days)->unknown == 1 && today(days)->bad_form == 1, "each by its kind");
}

int
main(void)
{
	place_begin();
	hits_come_back();
	what_is_cut_is_no_hit();
	refusals_are_counted();
	return place_end();
}
