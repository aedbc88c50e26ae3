#ifndef PROVIDER_OPENAI_DRAFT_H
#define PROVIDER_OPENAI_DRAFT_H
/* Makes the draft that is delivered from the answers of an article's steps. */
#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "provider/openai/openai.h"
#include "provider/openai/source.h"

#define OPENAI_SECTIONS_MAX 12
#define OPENAI_TITLE_MAX 150 /* code points */
#define OPENAI_DESCRIPTION_MAX 500

/* The answers, which passed their checks. */
struct openai_answers {
	struct openai_sources sources;
	json_t *outline;
	json_t *sections[OPENAI_SECTIONS_MAX];
	size_t section_count;
	json_t *closing;
};

/*
 * Makes the draft, without image. content_from_json() read its content, so the content
 * is checked. Notes in answers->sources which sources were cited. False if
 * openai_fail() was called.
 */
bool openai_draft(struct openai *oa, struct openai_answers *answers, struct draft *out);

#endif
