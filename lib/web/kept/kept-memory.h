#ifndef WEB_KEPT_MEMORY_H
#define WEB_KEPT_MEMORY_H
/*
 * Kept answers of a FastCGI process: in its own memory, by the rules of the files
 * (kept.h), and under the same names. Each process has its own and they end with
 * it. A hit reads run/generation where it is mapped, asks whether galley.db is
 * still that file, and copies nothing. Private to this floor.
 */
#include <stdbool.h>

#include "web/kept/kept.h"

struct ctx;
struct reply;
struct req;

/* Notes the moment in k, for the workspace of the key where that is known; true:
 * the key was good at this very moment, and *out is what is known of it. */
bool kept_memory_key(struct ctx *c, struct kept *k, struct kept_key *out);

/* Fills the reply with the answer named k->name, or 304; false: there is none. */
bool kept_memory_find(struct req *r, const struct kept *k, struct reply *reply);

/* Keeps a key, or an answer, of the moment that k has noted. */
void kept_memory_keep_key(const struct kept *k, const struct kept_key *key);
void kept_memory_keep(const struct kept *k, const struct reply *reply);

#endif
