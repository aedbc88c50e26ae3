#ifndef STORE_LIMIT_PLACES_H
#define STORE_LIMIT_PLACES_H
/*
 * Places in which failures of strangers are counted, numbered, each of some bytes that are 0 at
 * first. With SQLite they are in a file of run/ (system/placefile.h), and a place has the number of
 * its first byte. With PostgreSQL they are rows of a table that is not logged
 * (db/pg/limit-places.sql), so that what one host counts, all count; after a crash of the server
 * they are empty.
 *
 * Who needs several places asks for them in the order of their numbers. A place is locked until all
 * are closed. With PostgreSQL a fault ends the process, as in db.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ctx;
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
