#ifndef PROVIDER_OPENAI_ASK_H
#define PROVIDER_OPENAI_ASK_H
/*
 * One step of a task: a question to the model. The answer is a JSON object of a known
 * shape; it is stored, so that a later try need not ask again.
 */
#include <stdbool.h>

#include "provider/openai/check.h"
#include "provider/openai/openai.h"

struct openai_question {
	/* the name under which the answer is stored: "section-3" */
	const char *step;
	const char *name; /* name of the schema, letters only: "section" */
	const char *schema; /* of schema.h */
	openai_check *check;
	const char *system;
	const char *user;
};

/*
 * Gets the answer: the stored one if it still passes the check, else a new one. It asks
 * once more if the new one is empty, cut off, not JSON or does not pass. The answer
 * lives in c->arena; its texts are fit to be stored. False if openai_fail() was called.
 */
bool openai_ask(struct openai *oa, const struct openai_question *question, json_t **out);

#endif
