#ifndef IMPORT_TEXTS_H
#define IMPORT_TEXTS_H
/*
 * Every text with marks of a content, to be changed in place: summary,
 * takeaways, sections (heading, body, steps, tables, callouts, subsections),
 * questions and answers, the cover's caption. The order depends on the shape
 * of the content alone, so the n-th text of two contents of one shape is the
 * same place.
 */
#include "content/content.h"

/* *text is not NULL. */
typedef void texts_visit(void *arg, const char **text);

void texts_each(struct content *content, texts_visit *visit, void *arg);

#endif
