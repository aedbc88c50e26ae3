#ifndef CONTENT_LANG_H
#define CONTENT_LANG_H
/*
 * Language tags (BCP 47), and what depends on them or on a script: direction, labels, locale,
 * counting words. No locale of the C library is used.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct arena;

/* Returns the tag in its usual case ("en-GB", "zh-Hant-TW") in the arena, or NULL when
 * it is not well-formed (RFC 5646 §2.1, without grandfathered tags; 35 bytes at
 * most). */
const char *lang_clean(struct arena *a, const char *tag);

/* Whether the language is written from right to left (docs/export.md §1). */
bool lang_is_rtl(const char *tag);

/* Returns Open Graph's locale ("en_US") or NULL when the tag gives none (docs/export.md §2). */
const char *lang_locale(struct arena *a, const char *tag);

enum lang_label { LANG_TAKEAWAYS, LANG_FAQS, LANG_REFERENCES };

/* Returns the fixed heading in the language of `tag`, English for those not known. */
const char *lang_label(const char *tag, enum lang_label label);

/* Whether `heading` is one of the usual names of that part in the language of
 * `tag` or in English, compared without case ("FAQ", "Frequently asked
 * questions"). For the import. */
bool lang_names(const char *tag, enum lang_label label, const char *heading);

/* What is known of a language: a row of lang.c, in the order of the tags. It holds the texts
 * themselves: each address in a table costs every process something at its start (docs/speed.md
 * §6). */
struct lang_row {
	char tag[8]; /* primary subtag, or one with a script */
	char locale[8]; /* Open Graph's (docs/export.md §2), or "" */
	char labels[3][96]; /* by enum lang_label: the heading ... */
	char others[3][160]; /* ... and its other usual names, separated by
				  "|"; "" for none */
};

/* Returns the row of the tag's language; NULL when there is none. Chinese written in
 * traditional characters (by script, or by its region) has its own row. */
const struct lang_row *lang_table_row(const char *tag);

/* Returns the length of the primary subtag. */
size_t lang_table_primary(const char *tag);

/* Returns the script subtag (4 letters) of a well-formed tag, or NULL. Points into the
 * tag. */
const char *lang_table_script(const char *tag);

/* Scripts as far as direction, counting and the language check need them. */
enum lang_script {
	SCRIPT_OTHER, /* punctuation, symbols, digits, spaces, marks */
	SCRIPT_LATIN,
	SCRIPT_GREEK,
	SCRIPT_CYRILLIC,
	SCRIPT_HEBREW,
	SCRIPT_ARABIC,
	SCRIPT_DEVANAGARI,
	SCRIPT_HAN,
	SCRIPT_KANA,
	SCRIPT_HANGUL,
	SCRIPT_THAI,
	SCRIPT_REST /* letters of other scripts */
};

enum lang_script lang_script(uint32_t cp);

/* Letters, marks and digits of any script (utf8proc's categories). */
bool lang_is_word(uint32_t code_point);

/* A mark that belongs to the character before it. */
bool lang_is_mark(uint32_t code_point);

/* Han, Hiragana, Katakana: each counts as one word (docs/export.md §5). */
bool lang_is_cjk(uint32_t code_point);

/* Adds the words of `text` (maximal runs of letters, marks and digits) and its
 * CJK characters to the two counts. Plain text, without marks. */
void lang_count(const char *text, size_t *words, size_t *cjk);

/* Returns the text without case, in NFC, in the arena: for comparing. */
const char *lang_fold(struct arena *a, const char *text);

/* Returns the text in NFC: `text` itself where it certainly is already, else a copy in the
 * arena. */
const char *lang_nfc(struct arena *a, const char *text);

/*
 * Whether a language tag names a language that there is: its language, script and
 * region are in the IANA registry, or are for private use (RFC 5646 §2.2).
 * For programs that set languages, when one changes; what is
 * stored already is never checked.
 */

/*
 * Gives the clean tag (lang_clean()) of `text` in *out. Refuses, as `param`, what is not
 * well-formed or not registered, with what was probably meant: "gr", "english",
 * "en_GB", "eng", "en-UK". A tag that equals `old` (or NULL) is taken as it is.
 * *out is NULL then and only then.
 */
MAY_REFUSE struct err *
subtag_read(struct ctx *c, const char *param, const char *text, const char *old, const char **out);

/* Returns the tag that a text which is no tag probably means, or NULL. */
const char *subtag_meant(struct arena *a, const char *text);

/* Returns a sentence about what a valid tag is often mistaken for ("se is Northern Sami;
 * Swedish is sv."), or NULL. In the arena. */
const char *subtag_doubt(struct arena *a, const char *tag);

#endif
