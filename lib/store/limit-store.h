#ifndef STORE_LIMIT_STORE_H
#define STORE_LIMIT_STORE_H
/*
 * What access/limit.h asks of PostgreSQL: tables that are not logged (db/pg/limits.sql), exact over
 * all hosts. After a crash of the server they are empty. A request of a key is counted in the
 * message that looks for the key (store/ahead.h). With SQLite the limits are files of
 * access/limit.c, which the API's programs read at their own price.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"

struct ctx;

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
 * had too many: then returns true, and *retry_s is the time to wait. The reading transaction of
 * the request is over then. */
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
