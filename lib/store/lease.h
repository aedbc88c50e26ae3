#ifndef STORE_LEASE_H
#define STORE_LEASE_H
/*
 * The clock by which leases are counted, and the place of who takes one (docs/design.md §5).
 *
 * With SQLite all who work are on one machine: the clock is that of its boot, which nobody sets,
 * and the place is the boot. With PostgreSQL they are on several hosts: the clock is the
 * database's, and the place is the folder run/ of one host since the host was started
 * (docs/postgres.md §6): who holds a lock of a file there knows nothing of other hosts.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"

struct ctx;

#define LEASE_PLACE CLOCK_BOOT_ID /* bytes of a place and NUL */

/* Returns whether hosts share the store. Else a lease of another place is over. */
bool lease_is_shared(void);

/* Returns the time of that clock: with PostgreSQL as the present transaction began, or the last
 * one. */
int64_t lease_now(const struct ctx *c);

/* Writes the place of this process. Returns false, and "", if it is not known. */
bool lease_place(struct ctx *c, char out[LEASE_PLACE]);

/* Returns where the database is (arena): a copy of it elsewhere has another one. NULL: in a file
 * of this machine. */
const char *lease_database(struct ctx *c);

#endif
