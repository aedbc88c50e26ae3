#ifndef SIGN_HELD_H
#define SIGN_HELD_H
/*
 * Forms that are kept for a person, sealed with people/secret (docs/console.md §3.4). This
 * file owns the table held of the console's store; every function needs a transaction of
 * DB_CONSOLE.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/uuid.h"

struct ctx;

/* Keeps `len` bytes, sent to the address `target`, until the person has proved again who
 * they are. A person has ten: the oldest one is removed. Removes what is older than ten
 * minutes. */
void held_insert(struct ctx *c, int64_t person_id, const char *target,
    const void *bytes, size_t len, char uuid[UUID_TEXT]);

/* Takes out what was kept for this person and address in the last ten minutes. Returns the
 * bytes with a NUL behind them (arena), or NULL: there is nothing. */
const unsigned char *held_take(struct ctx *c, int64_t person_id, const char *uuid,
    const char *target, size_t *len);

#endif
