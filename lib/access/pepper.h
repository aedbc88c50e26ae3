#ifndef ACCESS_PEPPER_H
#define ACCESS_PEPPER_H
/*
 * The instance's secret, db/pepper: 32 random bytes. The digests of keys, cursors and
 * addresses are made with it. A restore replaces it: a process of many requests asks
 * at each request whether the file is still the same, and reads it again if it is
 * not.
 *
 * A restore of a database that belongs to another pepper cannot change both at
 * once. So from before the restore commits until after it, the file holds two
 * peppers: first that of the old database, then that of the new one. A key that the
 * first pepper does not find is looked up with the next (start/pending.h).
 */
#include <stdbool.h>

#include "base/err.h"

#define PEPPER_SIZE 32

struct pepper {
	unsigned char bytes[PEPPER_SIZE];
};

/* Reads the pepper (the first, if there are two). Dies if the file is missing, has
 * another size, or can be read by others than its owner. */
void pepper_read(struct ctx *c, struct pepper *out);

/* Reads the next pepper. Returns false if there is none, which is the usual case. */
bool pepper_read_next(struct ctx *c, struct pepper *out);

/* Creates the file, mode 0600, with random bytes. Dies if it exists. */
void pepper_create(struct ctx *c);

/* Overwrites the copy in memory. */
void pepper_wipe(struct pepper *p);

#endif
