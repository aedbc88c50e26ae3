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
price_charge(const struct conf *conf, enum job_kind kind, int64_t reserved,
    bool delivered, const struct price_usage *usage)
{
	int64_t images = usage->images, most = reserved, charge;

	if (kind == JOB_ARTICLE && !delivered) {
		images = 0;
		if (conf->price_article < most)
			most = conf->price_article;
	}
	/* At most 2 * 10^15 and 10^9: the bounds of usage and galley.conf. */
	charge =
	    (usage->input_tokens * conf->credits_per_1000_input_tokens +
		usage->output_tokens * conf->credits_per_1000_output_tokens +
		999) /
		1000 +
	    images * conf->credits_per_image;
	if (charge < 1)
		charge = 1;
	return charge < most ? charge : most;
}
