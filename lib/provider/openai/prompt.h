#ifndef PROVIDER_OPENAI_PROMPT_H
#define PROVIDER_OPENAI_PROMPT_H
/*
 * What the model is told: our rules and our task, and other people's text
 * quoted between marks.
 *
 * Topics, briefs, titles and summaries come from strangers and may hold orders
 * to the model. They stand between lines with a random mark that nobody can
 * guess, and the rules say that what is between them is material. That makes
 * obeying unlikely, not impossible; so nothing hangs on it: no secret is in a
 * prompt, and an answer can set neither flags nor prices nor links.
 */
#include "provider/openai/openai.h"

struct openai_prompt {
	const char *system; /* the rules */
	struct buf user; /* the task and its material; buf_done() it */
	char mark[17];
};

/* Begins a prompt with the rules for this workspace's language. */
void openai_prompt_begin(struct openai *oa, struct openai_prompt *p);

/* Adds a paragraph of ours. No foreign text goes into it. */
void openai_prompt_say(struct openai_prompt *p, const char *text);

/* Quotes foreign text, its first `max` code points, under a name of ours;
 * nothing at all when it is empty. */
void openai_prompt_quote(
    struct openai_prompt *p, const char *name, const char *text, size_t max);

/* Quotes the topic of the task, the publication, and a brief (may be NULL). */
void openai_prompt_task(struct openai *oa, struct openai_prompt *p);
void openai_prompt_brief(
    struct openai *oa, struct openai_prompt *p, const struct brief *brief);

#endif
