#ifndef PROVIDER_WORDS_H
#define PROVIDER_WORDS_H
/*
 * The words of a text, for finding what is related: no dictionary, no
 * grammar, the same answer always.
 *
 * Scripts that put blanks between words give their maximal runs of letters,
 * marks and digits. Han and Katakana give runs of their own script, cut at the
 * language's function words; Hiragana, which writes little else, gives none.
 */
#include <stdbool.h>
#include <stddef.h>

struct ctx;

struct word {
	const char *text; /* as written */
	const char *fold; /* case folded */
	const char *base; /* the same, Latin letters without their accents */
	size_t length; /* code points of base */
	size_t at; /* where it begins in the text, in bytes */
	size_t end; /* where it ends */
	bool joined; /* only blanks or hyphens since the word before */
	bool stop; /* says nothing about the topic: a stop word, a
			   * number, a single letter */
	bool cjk; /* a run of Han or Katakana */
};

struct words {
	struct word *list;
	size_t count;
};

/* The first `max` words of `text`, in order, stop words included. `tag` is
 * the language whose stop words count, beside the English ones. */
void words_split(struct ctx *c, const char *tag, const char *text, size_t max,
    struct words *out);

/* Takes out stop words and those that are the same as one before. */
void words_distinct(struct words *words);

/*
 * Whether two words are forms of one: equal, or one stem with short endings
 * ("compost", "composting"; "Garten", "Gärten"), or with an Arabic or
 * Hebrew article or preposition before it; for runs of Han or Katakana, two
 * characters in a row in common. A guess that is right often enough for
 * proposals, and for nothing else.
 */
bool words_same(const struct word *a, const struct word *b);

/* The first of `words` that is the same as `word`, or NULL. */
const struct word *
words_find(const struct words *words, const struct word *word);

#endif
