#ifndef EXPORT_BIDI_H
#define EXPORT_BIDI_H
/*
 * Finds the parts of a text that run against the direction of the article and need a <bdi>
 * (docs/export.md §1.10). It writes nothing.
 *
 * In a right-to-left article these are Latin tokens joined by single spaces. A
 * token is a run of characters without spaces, with at least one Latin letter,
 * less sentence punctuation, quotes and brackets at its ends. The rule speaks of
 * ASCII; other characters inside a token that do not themselves run from right
 * to left belong to it too, since an isolate that ends within "Müller", "20°C"
 * or "it’s" would show its parts in the wrong order. So does a number that follows
 * a Latin token after one space ("USB 3.0", "iPhone 15 Pro"): outside of the
 * isolate it would be on the wrong side of its word, where the plain bidi algorithm
 * (UAX 9, W7) keeps the two together. The algorithm places all other numbers.
 *
 * In a left-to-right article they are the words of right-to-left scripts,
 * joined in the same way.
 */
#include <stdbool.h>
#include <stddef.h>

/* Finds the first such run in [from, end). Returns false when there is none. */
bool bidi_find(const char *from, const char *end, bool rtl, const char **run, const char **run_end);

/* Whether the text may hold a run at all. Cheaper than bidi_find(), for the many texts that
 * hold none. */
bool bidi_may_need(const char *text, size_t len, bool rtl);

/* Whether the text holds a letter of the given direction. */
bool bidi_has_letter(const char *text, size_t len, bool rtl);

#endif
