#ifndef BASE_MEMO_H
#define BASE_MEMO_H
/*
 * What a process that answers many requests remembers from one to the next:
 * bytes under names, which can be made again at any time. Bounded in number and
 * in bytes; what is put in takes the place of something else when there is no
 * room, whatever that is. A memo of zeros with `max` set is empty; it has no
 * memory until something is put in.
 *
 * Whether something is still true is the affair of whoever put it there.
 */
#include <stddef.h>

#include "base/digest.h"

/* A name has a few places to stand at, so that hardly any are lost to others
 * while half of all places are free. */
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

/* The bytes under a name and how many they are, or NULL. They stay until the
 * next memo_put() or memo_clear(). */
void *memo_find(
    const struct memo *m, const unsigned char name[DIGEST_SIZE], size_t *len);

/* Room for `len` bytes under a name, aligned for any type, for the caller to
 * fill; what stood there is gone. NULL, when they are more than an eighth of
 * all or the system has none: then nothing is under that name. */
void *
memo_put(struct memo *m, const unsigned char name[DIGEST_SIZE], size_t len);

/* Forgets everything. */
void memo_clear(struct memo *m);

#endif
