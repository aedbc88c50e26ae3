#ifndef PROVIDER_WORDS_H
#define PROVIDER_WORDS_H
/*
 * Splits a text into words, to find related texts. It uses no dictionary and no
 * grammar, and always gives the same answer.
 *
 * In scripts that put spaces between words, a word is a maximal run of letters, marks
 * and digits. In Han and Katakana it is a run of the script, divided at the language's
 * function words. Hiragana gives no words: it writes mostly function words.
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
	bool joined; /* only spaces or hyphens separate it from the last */
	/* tells nothing about the topic: a stop word, a number, a single letter */
	bool stop;
	bool cjk; /* a run of Han or Katakana */
};

struct words {
	struct word *list;
	size_t count;
};

/* Splits `text` into its first `max` words, in order, stop words included. `tag` is the
 * language whose stop words count, besides the English ones. */
void words_split(struct ctx *c, const char *tag, const char *text, size_t max, struct words *out);

/* Removes stop words and words that are the same as an earlier one. */
void words_distinct(struct words *words);

/*
 * Whether two words are forms of one word: they are equal, have one stem with short
 * endings ("compost", "composting"; "Garten", "Gärten"), or differ by an Arabic or
 * Hebrew article or preposition before the word. Runs of Han or Katakana must have two
 * characters in a row in common. It is a guess: right often enough for proposals, and
 * for nothing else.
 */
bool words_same(const struct word *a, const struct word *b);

/* Returns the first of `words` that is the same as `word`, or NULL. */
const struct word *words_find(const struct words *words, const struct word *word);

#endif
