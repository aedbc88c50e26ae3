#ifndef SIGN_START_CODE_H
#define SIGN_START_CODE_H
/*
 * run/console/code.txt: the code of the page Start (docs/console.md §2.7). A person who can
 * read that file owns the instance. A code is good for 24 hours. No function needs a
 * transaction.
 */
#include <stdbool.h>

struct ctx;

/* Writes a code, unless a good one is there. False with errno set. */
bool start_code_make(struct ctx *c);

/* Returns whether a good code is there. */
bool start_code_exists(struct ctx *c);

/* Returns whether this is the good code; spaces around it do not count. */
bool start_code_is(struct ctx *c, const char *typed);

/* Removes the code, which was used. */
void start_code_remove(struct ctx *c);

/* Returns the path of the file (arena). */
const char *start_code_path(struct ctx *c);

#endif
