#ifndef PROVIDER_OPENAI_DRAFT_H
#define PROVIDER_OPENAI_DRAFT_H
/* From the answers of an article's steps to the draft that is delivered. */
#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "provider/openai/openai.h"
#include "provider/openai/source.h"

#define OPENAI_SECTIONS_MAX 12
#define OPENAI_TITLE_MAX 150 /* code points */
#define OPENAI_DESCRIPTION_MAX 500

/* Answers that passed their checks. */
struct openai_answers {
	struct openai_sources sources;
	json_t *outline;
	json_t *sections[OPENAI_SECTIONS_MAX];
	size_t section_count;
	json_t *closing;
};

/*
 * Makes the draft, without image. Its content is what content_from_json() made
 * of it, so everything about it is checked. Notes in answers->sources what was
 * cited. False: openai_fail() was called.
 */
bool openai_draft(
    struct openai *oa, struct openai_answers *answers, struct draft *out);

#endif
