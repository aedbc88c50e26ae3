#ifndef BASE_UTF8_H
#define BASE_UTF8_H
/*
 * UTF-8 at the border and inside.
 *
 * At the border bytes are checked with utf8_valid(); inside, every string is
 * valid and NUL-terminated, and the other functions rely on it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the length of the valid sequence at `p` (1 to 4), or 0. Overlong forms,
 * surrogates and code points above U+10FFFF are not valid. The length of NUL is 1. */
size_t utf8_sequence(const char *p);

/* Returns whether `len` bytes are valid UTF-8 without NUL. */
bool utf8_valid(const char *bytes, size_t len);

/* Returns the number, from 1, of the first line with bytes that are not valid. */
unsigned utf8_bad_line(const char *bytes, size_t len);

/* Returns the number of code points. */
size_t utf8_length(const char *text);

/* Returns the code point at *p, and moves *p past it; 0 at the end. */
uint32_t utf8_next(const char **p);

/* Returns the length in bytes of the first `count` code points (of all, if there are
 * fewer). */
size_t utf8_prefix(const char *text, size_t count);

/*
 * Returns the first byte of `text` that no stored text may hold: a control character
 * other than \n and \t (in one-line fields: any), U+FEFF, a bidi override or
 * embedding (U+202A–E, U+2066–9), a noncharacter. NULL if there is none.
 * (docs/platform.md §6)
 */
const char *utf8_forbidden(const char *text, bool one_line);

/* Takes these characters out of the text, in place; \n and \t in one line become spaces. Returns
 * whether there were any. */
bool utf8_drop_forbidden(char *text, bool one_line);

/*
 * Returns whether a terminal, an editor or a browser obeys the character instead of
 * showing it: a control character (C0, DEL, C1), a mark, embedding, override or
 * isolate of direction (U+061C, U+200E/F, U+202A–E, U+2066–9), a separator of
 * lines or paragraphs (U+2028/9), U+FEFF. Some of them may be stored.
 */
bool utf8_is_obeyed(uint32_t cp);

/* Returns whether a name shows something, and hides nothing: of the characters for formatting it
 * may have those that join letters or keep them apart. */
bool utf8_is_seen(const char *text);

/* Returns the text, or "" in the place of NULL. */
static inline const char *
text_or_empty(const char *text)
{
	return text != NULL ? text : "";
}

#endif
