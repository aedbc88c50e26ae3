#ifndef SIGN_HELD_H
#define SIGN_HELD_H
/*
 * Forms that are kept for a person, sealed with people/secret (docs/console.md §3.4, §3.9): one
 * that waits for a step-up, and a text that was sent when its session had ended by time or its
 * account was suspended. This file owns the table held of the console's store; every function needs
 * a transaction of DB_CONSOLE, unless it says otherwise.
 *
 * A person has ten of each kind: the oldest one is removed.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/uuid.h"
#include "people/session.h"

struct ctx;

enum held_kind {
	HELD_STEP, /* ten minutes */
	HELD_ENDED /* 24 hours */
};

struct held {
	char uuid[UUID_TEXT];
	int64_t created_at;
	const char *target; /* the address that it was sent to */
	const unsigned char *bytes; /* with a NUL behind them; NULL: nobody can read them */
	size_t len;
};

/* Keeps `len` bytes, sent to the address `target`. Removes what is too old. */
void held_insert(struct ctx *c, enum held_kind kind, int64_t person_id, const char *target,
    const void *bytes, size_t len, char uuid[UUID_TEXT]);

/* Takes out what was kept for a step-up of this person, sent to this address. Returns the
 * bytes with a NUL behind them (arena), or NULL: there is nothing. */
const unsigned char *
held_take(struct ctx *c, int64_t person_id, const char *uuid, const char *target, size_t *len);

/* Keeps what was sent in a session that ended by time (`state` SESSION_ENDED), or that goes on
 * (SESSION_GOOD), in a transaction of its own, which is on the disk when it returns. Returns false,
 * and keeps nothing, if it is in another state by now: signed out, reset, disabled, or still
 * half. */
bool held_keep(struct ctx *c, const struct session *s, enum session_state state, const char *target,
    const void *bytes, size_t len);

/* Reads one of the kind HELD_ENDED (arena); false: the person has none with this id. */
bool held_find(struct ctx *c, int64_t person_id, const char *uuid, struct held *out);

/* Reads all of them, newest first, and returns their number. */
#define HELD_MAX 10
size_t held_list(struct ctx *c, int64_t person_id, struct held out[HELD_MAX]);

/* Returns how many there are. */
int64_t held_count(struct ctx *c, int64_t person_id);

/* Remove one of a person, and all of both kinds: at sign-out, reset and disabling. */
void held_delete(struct ctx *c, int64_t person_id, const char *uuid);
void held_delete_all(struct ctx *c, int64_t person_id);

/* Removes one of a person, as an action: in a transaction of its own, with the gate. */
MAY_REFUSE struct err *held_discard(struct ctx *c, int64_t person_id, const char *uuid);

/* Removes what is too old, of everybody, at most 100 of each kind. */
void held_sweep(struct ctx *c);

#endif
