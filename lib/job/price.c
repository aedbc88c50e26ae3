#include "job/price.h"

#include "system/conf.h"

int64_t
price_reservation(const struct conf *conf, enum job_kind kind, bool image)
{
	if (kind == JOB_RESEARCH)
		return conf->price_research;
	return image ? conf->price_article_with_image : conf->price_article;
}

int64_t
price_charge(const struct conf *conf, enum job_kind kind, int64_t reserved, bool delivered,
    const struct price_usage *usage)
{
	int64_t images = usage->images, most = reserved, charge;

	if (kind == JOB_ARTICLE && !delivered) {
		images = 0;
		if (conf->price_article < most)
			most = conf->price_article;
	}
	/* This cannot overflow: the first term is at most 2 * 10^15 and the second at
	 * most 10^9, by the limits of usage and of galley.conf. */
	charge = (usage->input_tokens * conf->credits_per_1000_input_tokens +
		     usage->output_tokens * conf->credits_per_1000_output_tokens + 999) /
		     1000 +
		 images * conf->credits_per_image;
	if (charge < 1)
		charge = 1;
	return charge < most ? charge : most;
}
