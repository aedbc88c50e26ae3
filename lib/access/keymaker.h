#ifndef ACCESS_KEYMAKER_H
#define ACCESS_KEYMAKER_H
/*
 * Who made a key in the console (table key_more; docs/console.md §2.4): when a person's rights
 * end, the keys that the person made are named. No route of the API reads it. A person is a
 * UUID of the console's store.
 */
#include <stdint.h>

#include "access/apikey.h"

/* Notes who made a key, in its transaction. */
void keymaker_insert(struct ctx *c, int64_t key_id, const char *person);

/* Returns the UUID of who made a key; NULL: the tool, or it is not known. */
const char *keymaker_find(struct ctx *c, int64_t key_id);

/* Calls `each` for the keys that the person made and nobody revoked, the newest first, at
 * most `max` of them; those whose time is over are among them. */
void keymaker_list(struct ctx *c, const char *person, int64_t max,
    void (*each)(void *arg, const struct apikey *key), void *arg);

#endif
