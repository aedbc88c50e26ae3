/*
 * Reservations and charges (docs/design.md §5).
 *
 * suite: fast
 */
#include "job/job.h"
#include "system/conf.h"
#include "tests/tap.h"

static void
reserves_by_kind_and_image(void)
{
	struct conf conf;

	conf_defaults(&conf);
	is_int(price_reservation(&conf, JOB_ARTICLE, false), 20, "an article");
	is_int(price_reservation(&conf, JOB_ARTICLE, true), 30, "with image");
	is_int(price_reservation(&conf, JOB_RESEARCH, false), 10, "research");
	is_int(price_reservation(&conf, JOB_RESEARCH, true), 10, "research ignores the image");
}

static void
charges_what_was_used(void)
{
	static const struct {
		enum job_kind kind;
		int64_t reserved;
		bool delivered;
		struct price_usage usage;
		int64_t want;
		const char *name;
	} cases[] = {
		{ JOB_ARTICLE, 20, false, { 0, 0, 0 }, 1, "nothing costs one" },
		{ JOB_ARTICLE, 20, false, { 1000, 0, 0 }, 1, "exactly one" },
		{ JOB_ARTICLE, 20, false, { 1001, 0, 0 }, 2, "rounded up" },
		{ JOB_ARTICLE, 20, false, { 0, 333, 0 }, 1, "999 thousandths" },
		{ JOB_ARTICLE, 20, false, { 0, 334, 0 }, 2, "1002 thousandths" },
		{ JOB_ARTICLE, 20, false, { 500, 167, 0 }, 2,
		    "both kinds are added before they are rounded" },
		{ JOB_ARTICLE, 20, false, { 1000, 2000, 0 }, 7, "added" },
		{ JOB_ARTICLE, 30, true, { 1000, 2000, 1 }, 17, "an image" },
		{ JOB_ARTICLE, 30, true, { 0, 0, 2 }, 20, "two images" },
		{ JOB_ARTICLE, 30, true, { 0, 100000, 1 }, 30, "never more than was reserved" },
		{ JOB_ARTICLE, 30, false, { 1000, 2000, 1 }, 7,
		    "an image that failed is not counted" },
		{ JOB_ARTICLE, 30, false, { 0, 100000, 3 }, 20,
		    "and without image the price is that without image" },
		{ JOB_ARTICLE, 15, false, { 0, 100000, 0 }, 15, "an old, lower reservation holds" },
		{ JOB_RESEARCH, 10, false, { 0, 100, 0 }, 1, "research" },
		{ JOB_RESEARCH, 10, false, { 0, 100000, 0 }, 10, "research at most" },
		{ JOB_ARTICLE, 1000000, true,
		    { PRICE_TOKENS_MAX, PRICE_TOKENS_MAX, PRICE_IMAGES_MAX }, 1000000,
		    "the most that can be told" },
	};
	struct conf conf;

	conf_defaults(&conf);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_int(price_charge(&conf, cases[i].kind, cases[i].reserved, cases[i].delivered,
			   &cases[i].usage),
		    cases[i].want, "%s", cases[i].name);
}

/* No tariff and usage that galley.conf and the protocol allow overflow. */
static void
counts_the_largest(void)
{
	struct price_usage most = { PRICE_TOKENS_MAX, PRICE_TOKENS_MAX, PRICE_IMAGES_MAX };
	struct conf conf;

	conf_defaults(&conf);
	conf.credits_per_1000_input_tokens = 1000000;
	conf.credits_per_1000_output_tokens = 1000000;
	conf.credits_per_image = 1000000;
	is_int(price_charge(&conf, JOB_ARTICLE, INT64_MAX, true, &most), INT64_C(2001000000000),
	    "the largest tariff is counted exactly");
	conf.credits_per_1000_input_tokens = 0;
	conf.credits_per_1000_output_tokens = 0;
	conf.credits_per_image = 0;
	is_int(price_charge(&conf, JOB_ARTICLE, 20, true, &most), 1,
	    "a tariff of nothing charges one");
}

int
main(void)
{
	reserves_by_kind_and_image();
	charges_what_was_used();
	counts_the_largest();
	return done_testing();
}
