#ifndef PAGES_WORDS_H
#define PAGES_WORDS_H
/*
 * The words of a page itself, in the page's language (docs/pages.md §4). Where that is none of
 * those of po/, they are English, and marked so.
 */
#include "screen/hwrite.h"

struct ctx;

/* Begins a page in this language (a tag): from here on tr() answers in it, or in English. */
void words_begin(struct ctx *c, const char *language);

/* Writes a text that tr() gave, in an element whose language is `around`. */
void words_text(struct hwrite *w, const char *around, const char *text);

/* Writes an element that holds such a text, without other attributes than its class (or NULL). */
void words_element(struct hwrite *w, enum hwrite_element e, const char *class,
    const char *around, const char *text);

#endif
