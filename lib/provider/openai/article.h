#ifndef PROVIDER_OPENAI_ARTICLE_H
#define PROVIDER_OPENAI_ARTICLE_H
/*
 * An article: outline, one call for each section, then what can only be said
 * when the sections are there (summary, questions, description), then the
 * checks. Steps "outline", "section-1" …, "closing", "checks".
 */
#include <stdbool.h>

#include "provider/openai/openai.h"

struct openai_article {
	struct draft draft; /* without image; its content is checked */
	const char *image_prompt; /* "" when the model gave none */
	const char *image_alt;
	const char *image_caption; /* or NULL */
};

/* Writes it after `brief`. False: openai_fail() was called. */
bool openai_article(
    struct openai *oa, const struct brief *brief, struct openai_article *out);

#endif
