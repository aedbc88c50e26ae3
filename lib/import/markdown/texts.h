#ifndef IMPORT_TEXTS_H
#define IMPORT_TEXTS_H
/*
 * Every text of a content but code, to be changed in place: summary, takeaways,
 * sections (heading, body, steps, tables, callouts, subsections), questions and
 * answers, the cover's caption. The order depends on the shape of the content
 * alone, so the n-th text of two contents of one shape is the same place.
 */
#include "content/content.h"

/* *text is not NULL; `marked`: it may hold marks (an image's alternative text
 * does not). */
typedef void texts_visit(void *arg, const char **text, bool marked);

void texts_each(struct content *content, texts_visit *visit, void *arg);

#endif
