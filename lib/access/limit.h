#ifndef ACCESS_LIMIT_H
#define ACCESS_LIMIT_H
/*
 * Exact sliding windows: the last times of a key, and the last failures of an address and of a
 * site of IPv6 (a /48). Who counts holds a lock on what it counts, and reads the clock under it.
 * A time in the future counts as absent, so that a clock that was set back locks no client out.
 *
 * With SQLite they are rings in files (docs/platform.md §5). run/keys.rl holds the last 120 times
 * of each key. run/addresses.rl holds the last 30 failures of each address, and the last 120 of
 * each site: one site fills four of the 65,536 places for addresses in five minutes, and never all
 * of them. This file has at most 32 MiB. The kernel releases a lock when the process ends. If a
 * file cannot be used, every request passes, and the log says so.
 *
 * With PostgreSQL they are tables, for all hosts (store/limit-store.h).
 */
#include <stdbool.h>
#include <stdint.h>

#include "store/limit-store.h"

struct ctx;

/* The files, in run/. */
#define LIMIT_KEYS "keys.rl"
#define LIMIT_ADDRESSES "addresses.rl"

/* Counts a failed key from `address` (text of an IPv4 or IPv6 address). Returns true
 * if thirty failures in the last five minutes came from the address (IPv6: from its
 * /64), or 120 from its /48; *retry_s is then the time to wait. */
__attribute__((cold)) bool limit_failure(struct ctx *c, const char *address, int *retry_s);

#endif
