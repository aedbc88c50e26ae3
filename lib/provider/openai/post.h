#ifndef PROVIDER_OPENAI_POST_H
#define PROVIDER_OPENAI_POST_H
/* One request to the endpoint, tried again while that may help. */
#include <stdbool.h>
#include <stddef.h>

#include "provider/openai/openai.h"

struct openai_post {
	const char *path; /* below openai_url: "/chat/completions" */
	const struct buf *body;
	size_t answer_max; /* bytes */
	int tries; /* at least 1 */
};

/*
 * Posts, with the key. Network faults, 408, 409, 425, 429 and 5xx are tried
 * again after Retry-After or a growing pause, inside the budget.
 *
 * True with a 2xx answer (HTTP_ANSWERED or HTTP_TOO_LARGE) or a 400 or 422:
 * those are the caller's to read. False: openai_fail() was called.
 */
bool openai_post(
    struct openai *oa, const struct openai_post *post, struct http_answer *out);

#endif
