#ifndef CONTENT_SUBTAG_TABLE_H
#define CONTENT_SUBTAG_TABLE_H
/* The subtags that are registered, for subtag.c alone: 8 KiB that no program of
 * the API carries. */
#include <stddef.h>
#include <stdint.h>

/* Languages of two and of three letters, regions of two: a bit for the last
 * letter, found by those before it. */
extern const uint32_t subtag_two[26];
extern const uint32_t subtag_three[26][26];
extern const uint32_t subtag_region[26];

/* Scripts, four letters each. */
extern const char subtag_scripts[];

struct subtag_language {
	char tag[3];
	char three[4]; /* its code of three letters, which is no subtag */
	char library[4]; /* the one that libraries use, or "" */
	char name[20]; /* in English */
};
extern const struct subtag_language subtag_languages[];
extern const size_t subtag_language_count;

#endif
