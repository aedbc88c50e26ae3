#ifndef PROVIDER_OPENAI_CHECK_H
#define PROVIDER_OPENAI_CHECK_H
/*
 * Checking a model's answer: what jread.h has, and what answers need besides.
 * A refusal's sentence goes back to the model, which gets one chance to mend.
 */
#include "base/jread.h"

/* Refuses (jread_refuse()) an answer that is of no use. */
typedef void openai_check(struct jread *r, json_t *answer);

/* A text of at most `max` code points in which something is left when marks,
 * HTML and citations are taken out. */
void openai_check_filled(
    struct jread *r, json_t *object, const char *name, size_t max);

/* An array of `min` to `max` texts that are filled in the same sense. */
void openai_check_texts(struct jread *r, json_t *object, const char *name,
    size_t min, size_t max, size_t text_max);

/* An array of `min` to `max` objects, each of which passes `check`. */
void openai_check_objects(struct jread *r, json_t *object, const char *name,
    size_t min, size_t max, openai_check *check);

#endif
