#ifndef PEOPLE_COMMON_H
#define PEOPLE_COMMON_H
/* The 10,000 most common passwords of eight characters or more. common.txt holds the
 * beginning of the SHA-256 of each; common.pl made it and says of what. */
#include <stdbool.h>

/* Returns whether a text in the form of normal_fold() is one of them. */
bool common_has(const char *folded);

#endif
