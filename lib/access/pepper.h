#ifndef ACCESS_PEPPER_H
#define ACCESS_PEPPER_H
/*
 * The instance's secret, db/pepper: 32 random bytes. Keys are stored, cursors
 * signed and addresses hashed with it. A restore replaces it: a process of many
 * requests asks each time whether the file is still the same, and reads it again
 * when it is not.
 *
 * A restore of a database that belongs to another pepper cannot change both at
 * once. So from before it commits until after it the file holds two: that of the
 * database before, and behind it that of the one after; a key that is not known
 * by the first is looked up by the next. (start/pending.h)
 */
#include <stdbool.h>

#include "base/err.h"

#define PEPPER_SIZE 32

struct pepper {
	unsigned char bytes[PEPPER_SIZE];
};

/* Gives it (the first, where there are two); dies when it is missing, has
 * another size, or can be read by others than its owner. */
void pepper_read(struct ctx *c, struct pepper *out);

/* Gives the next one; false when there is none, which is nearly always. */
bool pepper_read_next(struct ctx *c, struct pepper *out);

/* Makes the file, 0600, with fresh bytes; dies when it exists. */
void pepper_create(struct ctx *c);

/* Overwrites the copy in memory. */
void pepper_wipe(struct pepper *p);

#endif
