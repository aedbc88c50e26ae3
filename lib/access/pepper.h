#ifndef ACCESS_PEPPER_H
#define ACCESS_PEPPER_H
/*
 * The instance's secret, db/pepper: 32 random bytes. Keys are stored, cursors
 * signed and addresses hashed with it. Read anew by every request, because a
 * restore replaces it.
 */
#include "base/err.h"

#define PEPPER_SIZE 32

struct pepper {
	unsigned char bytes[PEPPER_SIZE];
};

/* Reads it; dies when it is missing, has another size, or can be read by
 * others than its owner. */
void pepper_read(struct ctx *c, struct pepper *out);

/* Makes the file, 0600, with fresh bytes; dies when it exists. */
void pepper_create(struct ctx *c);

/* Overwrites the copy in memory. */
void pepper_wipe(struct pepper *p);

#endif
