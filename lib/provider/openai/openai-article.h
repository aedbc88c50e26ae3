#ifndef PROVIDER_OPENAI_ARTICLE_H
#define PROVIDER_OPENAI_ARTICLE_H
/*
 * Writes an article: the outline, one call for each section, then what needs the
 * sections (summary, questions, description), then the checks. Its steps are "outline",
 * "section-1" …, "closing" and "checks".
 */
#include <stdbool.h>

#include "base/jwrite.h"
#include "provider/openai/openai-source.h"
#include "provider/openai/openai.h"

struct openai_article {
	struct draft draft; /* without image; its content was checked */
	const char *image_prompt; /* "" if the model gave none */
	const char *image_alt;
	const char *image_caption; /* or NULL */
};

/* Writes the article that `brief` describes. False if openai_fail() was called. */
bool openai_article(struct openai *oa, const struct brief *brief, struct openai_article *out);

#endif
