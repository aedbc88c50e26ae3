#ifndef PROVIDER_OPENAI_POST_H
#define PROVIDER_OPENAI_POST_H
/* Sends one request to the endpoint, again while that may help. */
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
 * Posts with the key. After network faults, 408, 409, 425, 429 and 5xx it posts again,
 * after Retry-After or a growing pause, inside the budget.
 *
 * True with a 2xx answer (HTTP_ANSWERED or HTTP_TOO_LARGE), a 400 or a 422: the caller
 * reads these. False if openai_fail() was called.
 */
bool openai_post(struct openai *oa, const struct openai_post *post, struct http_answer *out);

#endif
