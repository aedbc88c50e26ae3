#ifndef BASE_MEMO_H
#define BASE_MEMO_H
/*
 * The memo of a process that answers many requests: bytes under names, which can be
 * made again at any time. Their number and their bytes are bounded; if there is no
 * room, a new entry replaces any other. A memo of zeros with `max` set is empty; it has
 * no memory until something is put in.
 *
 * The memo never checks freshness; the caller does.
 */
#include <stddef.h>

#include "base/digest.h"

/* Each name has a few possible places, so that hardly any entry is replaced while half
 * of all places are free. */
#define MEMO_WAYS 4
#define MEMO_SETS 512

struct memo_place {
	unsigned char name[DIGEST_SIZE];
	void *bytes; /* NULL: free */
	size_t len;
};

struct memo {
	size_t max; /* bytes of all together */
	size_t used;
	unsigned hand; /* the place that gives way next */
	struct memo_place *places; /* NULL at first */
};

/* Returns the bytes under a name and their length, or NULL. They are valid until the
 * next memo_put() or memo_clear(). */
void *memo_find(const struct memo *m, const unsigned char name[DIGEST_SIZE], size_t *len);

/* Returns room for `len` bytes under a name, aligned for any type, which the caller
 * fills; the earlier entry is gone. Returns NULL if they are more than an eighth of
 * `max` or the system has no memory: then nothing is under that name. */
void *memo_put(struct memo *m, const unsigned char name[DIGEST_SIZE], size_t len);

/* Forgets everything. */
void memo_clear(struct memo *m);

#endif
