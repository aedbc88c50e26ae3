#ifndef JOB_PRICE_H
#define JOB_PRICE_H
/*
 * What a job may cost, and what it does cost (docs/design.md §5, "Reservations and
 * tariff"): pure arithmetic over galley.conf.
 */
#include <stdbool.h>
#include <stdint.h>

#include "job/job.h"

struct conf;

/* The most of each that a provider can report. */
#define PRICE_TOKENS_MAX INT64_C(1000000000)
#define PRICE_IMAGES_MAX INT64_C(1000)

struct price_usage {
	int64_t input_tokens; /* 0 to PRICE_TOKENS_MAX */
	int64_t output_tokens; /* the same */
	int64_t images; /* 0 to PRICE_IMAGES_MAX */
};

/* The credits that a job reserves: the most it can cost. */
int64_t
price_reservation(const struct conf *conf, enum job_kind kind, bool image);

/*
 * The credits charged for a completed job, 1 to `reserved`. An article that was
 * made without an image (`delivered` false) costs at most price_article, and
 * images are not counted.
 */
int64_t price_charge(const struct conf *conf, enum job_kind kind,
    int64_t reserved, bool delivered, const struct price_usage *usage);

#endif
