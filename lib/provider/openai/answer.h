#ifndef PROVIDER_OPENAI_ANSWER_H
#define PROVIDER_OPENAI_ANSWER_H
/* The whole work of provider-openai on one task, from research to the last line. */
#include "provider/task.h"

struct ctx;

/* Does what the task asks for and writes all lines of the answer. */
void openai_answer(struct ctx *c, const struct task *task);

#endif
