#ifndef PROVIDER_OPENAI_IMAGE_H
#define PROVIDER_OPENAI_IMAGE_H
/*
 * The cover: one picture from images/generations, as base64 or as an address. An
 * address is fetched with the same guards and without the key. An article is whole
 * without a cover, so nothing here fails the task.
 */
#include "provider/openai/openai.h"

/*
 * Asks for the picture, at most twice, and writes it into the working directory.
 * Returns the name of the file; NULL without a model in the settings, a prompt, an
 * answer or a picture. Counts usage.images.
 */
const char *openai_image(struct openai *oa, const char *prompt);

#endif
