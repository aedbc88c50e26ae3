#include "export/bidi.h"

#include <string.h>

#include <utf8proc.h>

#include "base/utf8.h"
#include "content/lang.h"

static utf8proc_category_t
category(uint32_t cp)
{
	return utf8proc_category((utf8proc_int32_t)cp);
}

static utf8proc_propval_t
bidi_class(uint32_t cp)
{
	return utf8proc_get_property((utf8proc_int32_t)cp)->bidi_class;
}

static bool
is_letter(uint32_t cp)
{
	utf8proc_category_t kind = category(cp);

	return kind >= UTF8PROC_CATEGORY_LU && kind <= UTF8PROC_CATEGORY_LO;
}

static bool
is_mark(uint32_t cp)
{
	utf8proc_category_t kind = category(cp);

	return kind >= UTF8PROC_CATEGORY_MN && kind <= UTF8PROC_CATEGORY_ME;
}

static bool
is_blank(uint32_t cp)
{
	utf8proc_category_t kind = category(cp);

	return kind == UTF8PROC_CATEGORY_CC ||
	       (kind >= UTF8PROC_CATEGORY_ZS && kind <= UTF8PROC_CATEGORY_ZP);
}

/* Returns whether the character is a letter, digit or mark of a right-to-left
 * script. Blocks are named because their marks and part of their punctuation have
 * no direction of their own. */
static bool
is_rtl(uint32_t cp)
{
	utf8proc_propval_t dir;

	if (cp < 0x590)
		return false;
	if (cp <= 0x8FF)
		return true;
	dir = bidi_class(cp);
	return dir == UTF8PROC_BIDI_CLASS_R || dir == UTF8PROC_BIDI_CLASS_AL ||
	       dir == UTF8PROC_BIDI_CLASS_AN;
}

static bool
is_rtl_letter(uint32_t cp)
{
	return is_rtl(cp) && is_letter(cp);
}

/* Returns whether the character is a letter of the Latin script, with or without
 * marks. */
static bool
is_latin_letter(uint32_t cp)
{
	if (cp < 0x80)
		return (cp | 0x20) >= 'a' && (cp | 0x20) <= 'z';
	return lang_script(cp) == SCRIPT_LATIN;
}

/* Returns whether the character is a letter from left to right: every letter that
 * does not run from right to left is one. */
static bool
is_ltr_letter(uint32_t cp)
{
	return is_letter(cp) && !is_rtl(cp);
}

/* Returns whether the character is a letter, digit or mark of a right-to-left
 * script, without punctuation. */
static bool
is_rtl_word(uint32_t cp)
{
	return is_rtl(cp) && lang_is_word(cp);
}

static bool
is_european_digit(uint32_t cp)
{
	return bidi_class(cp) == UTF8PROC_BIDI_CLASS_EN;
}

/* Returns whether a token of the other direction may hold the character. */
static bool
is_member(uint32_t cp, bool rtl)
{
	if (is_blank(cp))
		return false;
	return rtl ? !is_rtl(cp) : !is_ltr_letter(cp);
}

/* Returns whether a Latin token loses the character at its ends: sentence
 * punctuation, quotes and brackets. Other ASCII signs stay ("C++", "--help"). */
static bool
is_latin_margin(uint32_t cp)
{
	utf8proc_category_t kind;

	if (cp < 0x80)
		return strchr(".,:;!?\"'()[]{}", (int)cp) != NULL;
	kind = category(cp);
	return kind == UTF8PROC_CATEGORY_CF ||
	       (kind >= UTF8PROC_CATEGORY_PC && kind <= UTF8PROC_CATEGORY_PO);
}

/* Returns whether a token loses the character at its ends: sentence punctuation
 * in a right-to-left article, everything but words in another article. */
static bool
is_margin(uint32_t cp, bool rtl)
{
	return rtl ? is_latin_margin(cp) : !lang_is_word(cp);
}

/* Removes margins from both ends, and marks from the beginning: those belong to
 * the character before them. A token with a letter or a number is never all
 * margin. */
static void
trim(const char **from, const char **end, bool rtl)
{
	const char *p = *from, *kept_end = *from;
	bool begun = false;

	while (p < *end) {
		const char *at = p;
		uint32_t cp = utf8_next(&p);

		if (is_margin(cp, rtl) || (!begun && is_mark(cp)))
			continue;
		if (!begun)
			*from = at;
		begun = true;
		kept_end = p;
	}
	*end = kept_end;
}

/* Finds the next token in [*p, end) that has a letter of the other direction.
 * With `behind` (another token is right before it), a number is enough in a
 * right-to-left text, unless it is one word with the text after it. */
static bool
next_token(const char **p, const char *end, bool rtl, bool behind, const char **token,
    const char **token_end)
{
	while (*p < end) {
		const char *from = *p, *stop = *p;
		bool letter = false, digit = false;
		uint32_t cp = 0;

		while (*p < end) {
			cp = utf8_next(p);
			/* A mark belongs to the character before it. */
			if (!is_member(cp, rtl) && !(is_mark(cp) && stop > from))
				break;
			stop = *p;
			letter |= rtl ? is_latin_letter(cp) : is_rtl_letter(cp);
			digit |= is_european_digit(cp);
		}
		if (!letter && !(rtl && behind && digit && !is_rtl_word(cp)))
			continue;
		*token = from;
		*token_end = stop;
		trim(token, token_end, rtl);
		return true;
	}
	return false;
}

bool
bidi_find(const char *from, const char *end, bool rtl, const char **run, const char **run_end)
{
	const char *p = from, *token, *token_end;

	if (!next_token(&p, end, rtl, false, run, run_end))
		return false;
	/* Only a token that begins behind exactly one space can join. */
	while (**run_end == ' ' && *run_end + 1 < end) {
		p = *run_end + 1;
		if (!next_token(&p, end, rtl, true, &token, &token_end) || token != *run_end + 1)
			break;
		*run_end = token_end;
	}
	return true;
}

bool
bidi_may_need(const char *text, size_t len, bool rtl)
{
	for (size_t i = 0; i < len; i++) {
		/* The lead bytes of right-to-left characters begin at this value. */
		if (rtl || (unsigned char)text[i] >= 0xD6)
			return true;
	}
	return false;
}

bool
bidi_has_letter(const char *text, size_t len, bool rtl)
{
	const char *p = text, *end = text + len;

	while (p < end) {
		uint32_t cp = utf8_next(&p);

		if (rtl ? is_rtl_letter(cp) : is_ltr_letter(cp))
			return true;
	}
	return false;
}
