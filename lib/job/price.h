#ifndef JOB_PRICE_H
#define JOB_PRICE_H
/*
 * Computes what a job may cost and what it costs (docs/design.md §5, "Reservations and
 * tariff") from the prices in galley.conf. It changes nothing.
 */
#include <stdbool.h>
#include <stdint.h>

#include "job/job.h"

struct conf;

/* The largest numbers that a provider may report. */
#define PRICE_TOKENS_MAX INT64_C(1000000000)
#define PRICE_IMAGES_MAX INT64_C(1000)

struct price_usage {
	int64_t input_tokens; /* 0 to PRICE_TOKENS_MAX */
	int64_t output_tokens; /* the same */
	int64_t images; /* 0 to PRICE_IMAGES_MAX */
};

/* Returns the credits that a job reserves: the most that it can cost. */
int64_t price_reservation(const struct conf *conf, enum job_kind kind, bool image);

/*
 * Returns the credits that a completed job costs, 1 to `reserved`. An article that was
 * delivered without an image (`delivered` false) costs at most price_article, and its
 * images are not counted.
 */
int64_t price_charge(const struct conf *conf, enum job_kind kind, int64_t reserved, bool delivered,
    const struct price_usage *usage);

#endif
