#ifndef PROVIDER_OPENAI_RESEARCH_H
#define PROVIDER_OPENAI_RESEARCH_H
/*
 * Makes the brief of a topic: what an article about it should say, to whom, and which
 * of the workspace's own articles belong to it. Those are its only sources: the model
 * cannot look anything up, so it names none.
 */
#include <stdbool.h>

#include "provider/openai/openai.h"

/* Makes the brief (step "research"). False if openai_fail() was called. */
bool openai_research(struct openai *oa, struct brief *out);

#endif
