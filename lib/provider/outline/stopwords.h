#ifndef PROVIDER_STOPWORDS_H
#define PROVIDER_STOPWORDS_H
/* Words that say nothing about a topic: articles, prepositions, pronouns,
 * auxiliary verbs, and what every headline begins with. */
#include <stdbool.h>
#include <stddef.h>

/* Whether the folded word is one in the language of `tag` or in English. */
bool stopwords_has(const char *tag, const char *fold);

/* The bytes of the Chinese function word with which `han` begins, of at most
 * `len` bytes; 0 when it begins with none or `tag` is not Chinese. */
size_t stopwords_han(const char *tag, const char *han, size_t len);

#endif
