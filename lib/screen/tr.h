#ifndef SCREEN_TR_H
#define SCREEN_TR_H
/*
 * The words of the interface, in its language (docs/console.md §6.2). The English text is the
 * name of a text, as in gettext:
 *
 *	hwrite_text(w, tr("Sign in"));
 *	arena_printf(a, tr_count("%d article", "%d articles", n), n)
 *	static const struct field fields[] = { { .label = tr_mark("E-mail") } };
 *
 * `xgettext -ktr -ktr_mark -ktr_for:2 -ktr_count:1,2 -ktr_count_for:2,3` finds all texts, so the
 * arguments are literals, but for tr() of a text that was marked in a table. A text of data (a
 * title, a name) never goes through here.
 *
 * Floors below this one, and those that answer the API, mark their sentences with tr_mark()
 * (base/err.h) and say them through the request (base/ctx.h): refuse() does that by itself.
 *
 * The language of the interface is the request's. The console chooses it before it says
 * anything; everywhere else it is English, which costs nothing.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct arena;
struct ctx;

/* A language that this build has. */
struct language {
	const char *tag; /* BCP 47; NULL ends the list */
	const char *name; /* in itself */
	const unsigned char *texts; /* po/compile.pl explains them; NULL: English */
	unsigned long (*form)(unsigned long n); /* the form of a number of things */
};

/* Returns the languages of this build; English is the first. */
const struct language *tr_languages(void);

/* Returns the language with this tag, or NULL. */
const struct language *tr_find(const char *tag);

/* Returns the language that fits a header Accept-Language best; English for NULL and where
 * none fits. A language fits a tag that begins with its own ("ar" fits "ar-EG"). */
const struct language *tr_accept(const char *header);

/* Returns what fits of a tag of `len` bytes, or NULL. */
typedef const void *tr_fits(const char *tag, size_t len);

/* Returns what fits the tag of a header Accept-Language that its sender likes most; NULL where
 * nothing does, or there is no header. */
const void *tr_wanted(const char *header, tr_fits *fits);

/* Begins a request's language: NULL or one that this build does not have is English. */
void tr_begin(struct ctx *c, const char *tag);

/* Returns the tag of the present language. */
const char *tr_tag(void);

/* Returns the text in the language of the interface; it lives as long as the process. */
const char *tr(const char *english) __attribute__((format_arg(1)));

/* Returns the form of the text for `n` things. */
const char *tr_count(const char *one, const char *many, int64_t n)
    __attribute__((format_arg(1), format_arg(2)));

/* Returns a number for people, in groups of three with the language's digits: "12,480" (arena). What
 * programs read (a field's value, an address, a drawing) and what only names something (a year, a
 * version, a status of HTTP above 999) is written plain. */
const char *tr_number(struct arena *a, int64_t n);

#endif
