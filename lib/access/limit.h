#ifndef ACCESS_LIMIT_H
#define ACCESS_LIMIT_H
/*
 * Exact sliding windows in files (docs/platform.md §5). run/keys.rl holds a ring of
 * the last 120 times of each key. run/addresses.rl holds a ring of the last 30
 * failures of each address, and of the last 120 of each site of IPv6 (a /48): one
 * site fills four of the 65,536 places for addresses in five minutes, and never all
 * of them. This file has at most 32 MiB. A kernel lock on the ring keeps the count
 * exact under concurrency; the kernel releases it when the process ends.
 *
 * A time in the future counts as absent, so that a clock that was set back
 * locks no client out. If a file cannot be used, every request passes, and the log
 * says so.
 */
#include <stdbool.h>
#include <stdint.h>

struct ctx;

/* The files, in run/. */
#define LIMIT_KEYS "keys.rl"
#define LIMIT_ADDRESSES "addresses.rl"

struct limit {
	bool active;    /* false: the limiter is off, and no header is sent */
	bool refused;   /* beyond the limit */
	int quota;      /* N requests in any 60 s */
	int left;       /* r of RateLimit */
	int reset_s;    /* t of RateLimit */
	int retry_s;    /* Retry-After when refused */
};

/* Counts a request of a key. Reads the clock itself, under its lock. */
void limit_take(struct ctx *c, int64_t key_id, struct limit *out);

/* Counts a failed key from `address` (text of an IPv4 or IPv6 address). Returns true
 * if thirty failures in the last five minutes came from the address (IPv6: from its
 * /64), or 120 from its /48; *retry_s is then the time to wait. */
bool limit_failure(struct ctx *c, const char *address, int *retry_s);

/* Returns the time of the key's last use, from its ring; 0: never, or not known. */
int64_t limit_last_used(struct ctx *c, int64_t key_id);

#endif
