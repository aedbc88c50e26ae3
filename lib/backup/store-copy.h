#ifndef BACKUP_STORE_COPY_H
#define BACKUP_STORE_COPY_H
/*
 * galley store copy: an instance moves from SQLite to PostgreSQL, or back (docs/postgres.md §8). A
 * work (system/work.h). Only the tool of the build STORE=pg can do it.
 *
 * Two instances take part: the source, c->instance, and an empty one of the other store with the
 * same pepper. From the first step on the source is closed. db/moved-to in its folder says where it
 * moves, and whether that has been done. What is not done can be said again, or taken back.
 */
#include <stdbool.h>

#include "base/err.h"

struct ctx;
struct work;

struct store_copied {
	const char *to; /* the folder of the other instance (arena) */
	bool to_lite; /* it has SQLite */
	bool before; /* it was done already */
};

/* Copies everything to the instance in the folder `to`. After a refusal the source is open, unless
 * it had been moved before. */
MAY_REFUSE struct err *
store_copy_run(struct ctx *c, const struct work *work, const char *to, struct store_copied *out);

struct store_opened {
	bool drawn; /* the other instance may have been in use: customers synchronise again */
	bool other_closed; /* it answers 503 from now on */
};

/* Opens the source again, and closes the other instance, if that holds something and can be asked.
 * Refuses while a copy is at work. */
MAY_REFUSE struct err *store_copy_back(struct ctx *c, struct store_opened *out);

#endif
