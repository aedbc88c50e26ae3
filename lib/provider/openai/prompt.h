#ifndef PROVIDER_PROMPT_H
#define PROVIDER_PROMPT_H
/*
 * What the model is told: Galley's rules, the question, and other people's text quoted
 * between marks.
 *
 * Topics, briefs, titles and summaries come from strangers and may hold orders to the
 * model. They are between lines with a random mark that nobody can guess, and the rules
 * say that the text between them is material. A model may obey such orders
 * nevertheless, so nothing depends on it: no prompt holds a secret, and an answer can
 * set neither flags nor prices nor links.
 */
#include "provider/openai/openai.h"

struct openai_prompt {
	const char *system; /* the rules */
	struct buf user; /* the task and its material; buf_done() it */
	char mark[17];
};

/* Begins a prompt with the rules for this workspace's language. */
void openai_prompt_begin(struct openai *oa, struct openai_prompt *p);

/* Adds a paragraph of Galley's own. It must hold no foreign text. */
void openai_prompt_say(struct openai_prompt *p, const char *text);

/* Quotes the first `max` code points of foreign text under a name of Galley's own. Adds
 * nothing if the text is empty. */
void openai_prompt_quote(struct openai_prompt *p, const char *name, const char *text, size_t max);

/* Quote the publication and the topic of the task; quote a brief. */
void openai_prompt_task(struct openai *oa, struct openai_prompt *p);

void openai_prompt_brief(struct openai *oa, struct openai_prompt *p, const struct brief *brief);

/*
 * The shapes of the model's answers, as JSON Schema. They use only what every endpoint
 * with structured output takes: types, enums, all members required, no other members.
 * The prompt tells lengths and counts, and openai_check_*() check them (openai.h).
 */
extern const char openai_schema_research[];

extern const char openai_schema_outline[];

extern const char openai_schema_section[];

extern const char openai_schema_closing[];

extern const char openai_schema_checks[];

#endif
