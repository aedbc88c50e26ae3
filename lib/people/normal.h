#ifndef PEOPLE_NORMAL_H
#define PEOPLE_NORMAL_H
/* Forms of a text in which two spellings of one word are the same bytes. */

struct ctx;

/* Returns the text in NFKC, in the arena: the form in which a password is hashed. */
const char *normal_text(struct ctx *c, const char *text);

/* Returns the text in NFKC with its case folded, in the arena: the form in which words
 * are compared. */
const char *normal_fold(struct ctx *c, const char *text);

#endif
