#ifndef PEOPLE_DEVICE_H
#define PEOPLE_DEVICE_H
/*
 * Browsers that signed in before as a person (docs/console.md §3.5). Such a browser has a
 * cookie of 128 random bits; the table device holds its digest. The failures of
 * others do not lock it out (throttle.h). It proves nothing else.
 *
 * Every function needs a transaction of DB_CONSOLE.
 */
#include <stdint.h>

struct ctx;

#define DEVICE_TOKEN 22 /* characters: 16 bytes as base64url */
#define DEVICE_DAYS 400 /* after its last sign-in a device is unknown */

/* Returns the internal id of the person's device with this token; 0: there is none.
 * `token` may be NULL or any text. */
int64_t device_find(struct ctx *c, int64_t person_id, const char *token);

/* Notes that the person signed in with this device now. */
void device_used(struct ctx *c, int64_t id);

/* Adds a device; `token` gets its only copy. A person has ten: the one that rests for the
 * longest time is removed. */
void device_insert(struct ctx *c, int64_t person_id, char token[DEVICE_TOKEN + 1]);

/* Removes all devices of a person but `keep` (0: none is kept). */
void device_delete_all(struct ctx *c, int64_t person_id, int64_t keep);

#endif
