#ifndef PROVIDER_OPENAI_ASK_H
#define PROVIDER_OPENAI_ASK_H
/*
 * One step of a job: a question to the model whose answer is a JSON object of
 * a known shape, kept so that a later try need not ask again.
 */
#include <stdbool.h>

#include "provider/openai/check.h"
#include "provider/openai/openai.h"

struct openai_question {
	const char *step; /* what the answer is stored under: "section-3" */
	const char *name; /* of the schema: letters, "section" */
	const char *schema; /* openai-schema.h */
	openai_check *check;
	const char *system;
	const char *user;
};

/*
 * The answer: the stored one when it still passes the check, else a new one,
 * asked again once when it is empty, cut off, not JSON, or does not pass.
 * Lives in c->arena; its texts hold no character that texts must not hold.
 * False: openai_fail() was called.
 */
bool openai_ask(
    struct openai *oa, const struct openai_question *question, json_t **out);

#endif
