#ifndef PROVIDER_OPENAI_CHECK_H
#define PROVIDER_OPENAI_CHECK_H
/*
 * Checks of a model's answer, besides those of jread.h. The sentence of a refusal goes
 * back to the model, which gets one chance to fix its answer.
 */
#include "base/jread.h"

/* A check refuses an answer that is of no use (jread_refuse()). */
typedef void openai_check(struct jread *r, json_t *answer);

/* Checks that a member is a text of at most `max` code points that is not empty without
 * its marks, HTML and citations. */
void openai_check_filled(struct jread *r, json_t *object, const char *name, size_t max);

/* Checks that a member is an array of `min` to `max` such texts. */
void openai_check_texts(
    struct jread *r, json_t *object, const char *name, size_t min, size_t max, size_t text_max);

/* Checks that a member is an array of `min` to `max` objects that pass `check`. */
void openai_check_objects(
    struct jread *r, json_t *object, const char *name, size_t min, size_t max, openai_check *check);

#endif
