#ifndef PROVIDER_OPENAI_CHAT_H
#define PROVIDER_OPENAI_CHAT_H
/*
 * One chat completion. Servers differ, and answer 400 or 422 to a request that they do
 * not understand. What the endpoint does not understand is left out, step by step
 * (format and limit of struct openai), for the rest of the task.
 */
#include <stdbool.h>

#include "provider/openai/openai.h"

struct openai_chat {
	const char *name; /* name of the schema, letters only: "section" */
	const char *schema; /* the JSON Schema that the answer must fit */
	const char *system; /* the rules */
	const char *user; /* the task and its material */
	/* Both are set for a second call after a useless answer, else NULL. */
	const char *before; /* that answer, "" if there was none */
	const char *wrong; /* a sentence that says what was wrong with it */
	bool longer; /* that answer was cut off: allow twice the length */
};

struct openai_said {
	const char *text; /* the answer, in the scratch arena, or NULL */
	const char *wrong; /* if text is NULL: why there is no usable answer */
	bool cut; /* the answer met the limit of length */
};

/* Asks for one completion and adds to oa->usage. False if the endpoint failed and
 * openai_fail() was called. */
bool openai_chat(struct openai *oa, const struct openai_chat *chat, struct openai_said *out);

#endif
