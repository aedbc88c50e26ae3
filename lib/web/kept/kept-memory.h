#ifndef WEB_KEPT_MEMORY_H
#define WEB_KEPT_MEMORY_H
/*
 * Kept answers of a FastCGI process. They are in its own memory, by the rules of the
 * files (kept.h) and under the same names, and end with the process. A hit reads the
 * mapping of run/generation, asks whether galley.db is still the same file, and copies
 * nothing. Private to this floor.
 */
#include <stdbool.h>

#include "web/kept/kept.h"

struct ctx;
struct reply;
struct req;

/* Notes the moment in k, for the workspace of the key if that is known. Returns true if
 * the key was good at this very moment; *out is then its record. */
bool kept_memory_key(struct ctx *c, struct kept *k, struct kept_key *out);

/* Fills the reply with the answer named k->name, or 304. Returns false if there is
 * none. */
bool kept_memory_find(struct req *r, const struct kept *k, struct reply *reply);

/* These keep a key, or an answer, of the moment in k. */
void kept_memory_keep_key(const struct kept *k, const struct kept_key *key);
void kept_memory_keep(const struct kept *k, const struct reply *reply);

#endif
