#ifndef PROVIDER_STOPWORDS_H
#define PROVIDER_STOPWORDS_H
/* Words that tell nothing about a topic: articles, prepositions, pronouns, auxiliary
 * verbs, and the usual beginnings of headlines. */
#include <stdbool.h>
#include <stddef.h>

/* Whether the folded word is a stop word in the language of `tag` or in English. */
bool stopwords_has(const char *tag, const char *fold);

/* Returns the bytes of the Chinese function word at the beginning of `han`, at most
 * `len`; 0 if there is none or `tag` is not Chinese. */
size_t stopwords_han(const char *tag, const char *han, size_t len);

#endif
