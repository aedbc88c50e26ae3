#ifndef ACCESS_LIMIT_H
#define ACCESS_LIMIT_H
/*
 * Exact sliding windows in files (docs/platform.md §5): run/keys.rl has a ring of
 * the last 120 times for each key, run/addresses.rl a ring of the last 30
 * failed keys for each address, and of the last 120 for each site of IPv6 (a /48):
 * one site fills four of the 65,536 places for addresses in five minutes, and
 * never those of all. The file has at most 32 MiB. A kernel lock on the ring makes
 * it exact under concurrency; it goes with its process.
 *
 * A time in the future counts as absent, so that a clock that was set back
 * locks nobody out. A file that cannot be used lets everybody pass, and says so
 * in the log.
 */
#include <stdbool.h>
#include <stdint.h>

struct ctx;

struct limit {
	bool active;    /* false: the limiter is off, nothing to tell */
	bool refused;   /* beyond the limit */
	int quota;      /* N requests in any 60 s */
	int left;       /* r of RateLimit */
	int reset_s;    /* t of RateLimit */
	int retry_s;    /* Retry-After when refused */
};

/* Counts a request of a key. Reads the clock itself, under its lock. */
void limit_take(struct ctx *c, int64_t key_id, struct limit *out);

/* Counts a failed key from `address` (text of an IPv4 or IPv6 address). True when
 * there were thirty in five minutes before it from the address (of IPv6: its /64),
 * or 120 from its /48: *retry_s to wait then. */
bool limit_failure(struct ctx *c, const char *address, int *retry_s);

/* When the key was last used, by its ring; 0: never or not known. */
int64_t limit_last_used(struct ctx *c, int64_t key_id);

#endif
