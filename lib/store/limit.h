#ifndef STORE_LIMIT_H
#define STORE_LIMIT_H
/*
 * How often a key was used, and how often strangers failed: exact sliding windows, the last times
 * of a key, and the last failures of an address and of a site of IPv6 (a /48). Who counts holds a
 * lock on what it counts, and reads the clock under it. A time in the future counts as absent, so
 * that a clock that was set back locks no client out.
 *
 * With SQLite they are rings in files (docs/platform.md §5). run/keys.rl holds the last 120 times
 * of each key. run/addresses.rl holds the last 30 failures of each address, and the last 120 of
 * each site: one site fills four of the 65,536 places for addresses in five minutes, and never all
 * of them. This file has at most 32 MiB. The kernel releases a lock when the process ends. If a
 * file cannot be used, every request passes, and the log says so.
 *
 * With PostgreSQL they are tables that are not logged (db/pg/limits.sql), exact over all hosts.
 * After a crash of the server they are empty. A request of a key is counted in the message that
 * looks for the key (store/remote-store.h).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"

struct ctx;

/* The files, in run/. */
#define LIMIT_KEYS "keys.rl"
#define LIMIT_ADDRESSES "addresses.rl"

#define LIMIT_KEY_WINDOW (60 * CLOCK_SECOND)
#define LIMIT_HOST_TIMES 30 /* of an address */
#define LIMIT_SITE_TIMES 120

struct limit {
	bool active; /* false: the limiter is off, and no header is sent */
	bool refused; /* beyond the limit */
	int quota; /* N requests in any 60 s */
	int left; /* r of RateLimit */
	int reset_s; /* t of RateLimit */
	int retry_s; /* Retry-After when refused */
};

/* A network from which failed keys come: its place among all of its kind. */
struct limit_network {
	bool is_site;
	unsigned place; /* a digest of 16 bits */
};

#define LIMIT_NETWORKS 2 /* of one address */

/* Counts a request of a key. Reads the clock itself, under its lock. With PostgreSQL the
 * transaction's beginning has counted it. */
void limit_take(struct ctx *c, int64_t key_id, struct limit *out);

/* Returns the time of the key's last use; 0: never, or not known. */
int64_t limit_last_used(struct ctx *c, int64_t key_id);

/* Counts a failure of these networks, in the order in which they are locked, unless one of them
 * had too many in the last five minutes: then returns true, and *retry_s is the time to wait. With
 * PostgreSQL the reading transaction of the request is over then. */
bool
limit_networks_fail(struct ctx *c, const struct limit_network *networks, int count, int *retry_s);

/*
 * ---- places
 *
 * Places in which failures of strangers are counted, numbered, each of some bytes that are 0 at
 * first. With SQLite they are in a file of run/ (system/filelock.h), and a place has the number of
 * its first byte. With PostgreSQL they are rows of a table that is not logged
 * (db/pg/limit-places.sql), so that what one host counts, all count; after a crash of the server
 * they are empty.
 *
 * Who needs several places asks for them in the order of their numbers. A place is locked until all
 * are closed. With PostgreSQL a fault ends the process, as in db.h.
 */

struct limit_places;

/* Opens the places of this file, which is made if it is missing. NULL with errno set. */
struct limit_places *limit_places_open(struct ctx *c, const char *path);

/* Locks a place and reads it; false with errno set. */
bool limit_places_read(struct limit_places *p, int64_t number, void *out, size_t size);

/* Writes a place that was read; false with errno set. */
bool limit_places_write(struct limit_places *p, int64_t number, const void *bytes, size_t size);

/* Ends it: what was written is kept. */
void limit_places_close(struct limit_places *p);

#endif
