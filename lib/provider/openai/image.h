#ifndef PROVIDER_OPENAI_IMAGE_H
#define PROVIDER_OPENAI_IMAGE_H
/*
 * The cover: one picture from images/generations, as base64 or as an address
 * that is fetched with the same guards and without the key. An article is
 * whole without it, so nothing here fails the job.
 */
#include "provider/openai/openai.h"

/*
 * Asks for the picture, at most twice, and writes it into the working
 * directory. Returns the file's name, or NULL when there is none: no model
 * configured, no prompt, no answer, no picture. Counts usage.images.
 */
const char *openai_image(struct openai *oa, const char *prompt);

#endif
