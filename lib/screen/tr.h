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
 * `xgettext -ktr -ktr_mark -ktr_count:1,2` finds all texts, so the arguments are literals, but
 * for tr() of a text that was marked in a table. A text of data (a title, a name) never goes
 * through here. There is one language today: English.
 */
#include <stdint.h>

/* Names a text in a table. Whatever shows the text calls tr() for it. */
#define tr_mark(english) english

/* Returns the text in the language of the interface; it lives as long as the process. */
const char *tr(const char *english) __attribute__((format_arg(1)));

/* Returns the form of the text for `n` things. */
const char *tr_count(const char *one, const char *many, int64_t n)
    __attribute__((format_arg(1), format_arg(2)));

#endif
