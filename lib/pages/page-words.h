#ifndef PAGES_PAGE_WORDS_H
#define PAGES_PAGE_WORDS_H
/*
 * The words and dates of a page itself, in the page's language (docs/pages.md §4): those of po/,
 * and for the few words of a list, an article and an error those of a table here. Where the
 * language is none of both they are English, and marked so.
 */
#include <stdint.h>

#include "screen/hwrite.h"

struct ctx;

/* Begins a page in this language (a tag). Each page begins with it. */
void words_begin(struct ctx *c, const char *language);

/* Begins a page of no workspace in the language that its reader's Accept-Language (or NULL)
 * asks for, and returns that. */
const char *words_begin_reader(struct ctx *c, const char *accept_language);

/* Returns a text, a tr_mark(), in the page's language, else in English. */
const char *words_said(const char *english);

/* Writes a text, a tr_mark(), in an element whose language is `around`. */
void words_text(struct hwrite *w, const char *around, const char *english);

/* Writes an element that holds such a text, without other attributes than its class (or NULL). */
void words_element(struct hwrite *w, enum hwrite_element e, const char *class, const char *around,
    const char *english);

/* Writes a date (<time>), and how many minutes reading takes. */
void words_date(struct ctx *c, struct hwrite *w, const char *around, int64_t at);
void words_minutes(struct ctx *c, struct hwrite *w, const char *around, int64_t minutes);

/* The inside: a language, and the texts in English by which its own are found. */
#define WORDS_TEXTS 26

struct words {
	const char *tag;
	const char *texts[WORDS_TEXTS]; /* all NULL: po/ has them */
	const char *minutes; /* with %lld; NULL: po/ has it */
	const char *date; /* with %d, %m, %y */
	const char *months; /* with | between them; NULL: numbers */
};

#endif
