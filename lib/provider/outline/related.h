#ifndef PROVIDER_RELATED_H
#define PROVIDER_RELATED_H
/* Finds the workspace's own articles that belong to a topic, by the words that they
 * share with it. A rare word weighs more. */
#include <stdbool.h>
#include <stddef.h>

#include "provider/assignment.h"

struct ctx;

enum {
	RELATED_MAX = 6,
	RELATED_TOPIC_WORDS = 48, /* words of the topic that are compared */
	RELATED_TITLE_WORDS = 40,
	RELATED_SUMMARY_WORDS = 60
};

struct related {
	const struct assignment_article *articles[RELATED_MAX];
	size_t count;
};

/* Finds the related articles, the closest first, newer ones first among equals. An
 * article that shares only one common word, in its summary, is not related. */
void related_find(
    struct ctx *c, const struct assignment *assignment, const char *text, struct related *out);

/* Finds the articles that `brief` names, as far as the task has them. */
void
related_named(const struct assignment *assignment, const struct brief *brief, struct related *out);

/*
 * Returns the one of `related` whose title shares most words with `text`; NULL if none
 * shares one. If `taken[i]` is true, articles[i] is left out.
 */
const struct assignment_article *related_best(struct ctx *c, const struct assignment *assignment,
    const struct related *related, const bool *taken, const char *text);

/*
 * Splits a text into words, to find related texts. It uses no dictionary and no
 * grammar, and always gives the same answer.
 *
 * In scripts that put spaces between words, a word is a maximal run of letters, marks
 * and digits. In Han and Katakana it is a run of the script, divided at the language's
 * function words. Hiragana gives no words: it writes mostly function words.
 */

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

/*
 * Returns what the titles have in common: the word or phrase that most of them hold. A
 * longer one counts more; among equals the newest wins. If no two titles share one, it
 * is the first phrase of the newest title. It is written as in the title, with a
 * capital first letter unless it has capitals already. If no title has a word, it is
 * the newest title; NULL if there is none.
 */
const char *theme_find(struct ctx *c, const struct assignment *assignment);

#endif
