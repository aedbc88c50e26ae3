#ifndef PROVIDER_OPENAI_CHAT_H
#define PROVIDER_OPENAI_CHAT_H
/*
 * One chat completion. What the endpoint does not understand is left out,
 * step by step (struct openai's format and limit), and stays left out for the
 * rest of the job: servers differ, and say so with 400 or 422.
 */
#include <stdbool.h>

#include "provider/openai/openai.h"

struct openai_chat {
	const char *name; /* of the step: letters, "section" */
	const char *schema; /* the JSON Schema that the answer must fit */
	const char *system; /* the rules */
	const char *user; /* the task and its material */
	/* A second call after a useless answer, else NULL both. */
	const char *before; /* that answer, "" when there was none */
	const char *wrong; /* a sentence: what was wrong with it */
	bool longer; /* it was cut off: allow twice the length */
};

struct openai_said {
	const char *text; /* the answer, in the scratch arena; or NULL ... */
	const char *wrong; /* ... and why there is none of any use */
	bool cut; /* because it met the limit of length */
};

/* False when the endpoint failed (openai_fail()). Adds to oa->usage. */
bool openai_chat(
    struct openai *oa, const struct openai_chat *chat, struct openai_said *out);

#endif
