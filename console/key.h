#ifndef KEY_H
#define KEY_H
/* What the screens of keys have in common. */
#include "access/apikey.h"
#include "console/answer.h"

/* Returns the word that the first request of a key carries (arena): ?probe=WORD. */
const char *key_word(struct ctx *c, const struct apikey *key);

/* Returns what a key may do, in words (arena). */
const char *key_may(struct ctx *c, const struct apikey *key);

/* Writes the state of a key as a word. */
void key_write_state(struct hwrite *w, struct ctx *c, const struct apikey *key);

/* Writes the page that shows a new key, the only time. `under` is a sentence. */
void key_page_made(struct ctx *c, const struct visit *v, struct reply *reply,
    const struct apikey *made, const char *key, const char *under);

#endif
