#ifndef PEOPLE_SESSION_H
#define PEOPLE_SESSION_H
/*
 * Sessions (docs/console.md §3.3), and browsers that are known. A session is a token of 256 random
 * bits in a cookie; the table session holds its digest. Every function that takes a `ctx` needs a
 * transaction of DB_CONSOLE, unless it says otherwise.
 *
 * The last use is the mtime of a file, run/console/sessions/UUID: a request that only
 * reads commits nothing.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "people/person.h"

struct ctx;

#define SESSION_TRUSTED_DAYS 30 /* on a device that the person ticked */
#define SESSION_TOKEN 43 /* characters: 32 bytes as base64url */

struct session {
	int64_t id;
	const char *uuid;
	int64_t person_id;
	bool half; /* the second step is still to come */
	int64_t attempts; /* at the second step */
	int64_t created_at;
	int64_t proved_at; /* when the person last proved who they are */
	int64_t used_at; /* as the file tells; created_at if there is none */
	int64_t ends_at;
	int64_t idle_s; /* it ends when it is not used for so long */
	bool trusted; /* on a device that the person ticked */
	const char *address;
	const char *browser;
	unsigned char digest[32];
};

/* What a token is worth. */
enum session_state {
	SESSION_NONE, /* no such token */
	SESSION_ENDED, /* by time: what was sent may be held (§3.9) */
	SESSION_HALF, /* the second step is still to come */
	SESSION_GOOD
};

/* Finds the session of a token, and who it is. *s and *p are NULL with SESSION_NONE; a
 * person who is disabled has no session. */
enum session_state
session_check(struct ctx *c, const char *token, struct session **s, struct person **p);

/* Returns whether this session, as it was found, is still there and has not ended. */
bool session_is_live(struct ctx *c, const struct session *s);

/* Returns what the session, as it was found, is worth now, whatever its token is. */
enum session_state session_look(struct ctx *c, const struct session *s);

/* Begins a session; `token` gets its only copy. `half` as above. Lists of browsers hold at most 200
 * bytes of `browser`. A person has SESSION_COUNT_MAX at most: of more, those of which the second
 * step is missing end first, then those that ended by time, then the oldest. */
void session_insert(struct ctx *c, int64_t person_id, bool half, bool trusted, const char *address,
    const char *browser, char token[SESSION_TOKEN + 1]);

/* Gives a session a new token, because the person proved again who they are: after the
 * second step, or a step-up. It is not half any more. */
void session_renew(struct ctx *c, const struct session *s, char token[SESSION_TOKEN + 1]);

/* Counts attempts at the second step (-1: gives one back), and returns how many there were. */
int64_t session_attempt(struct ctx *c, const struct session *s, int by);

/* Notes that the session is used now. Needs no transaction; a fault is a line of the log. */
void session_used(struct ctx *c, const struct session *s);

/* End one session; all of a person's but `keep` (0: none is kept), and with them the open reset,
 * by which somebody else could still get in. */
void session_delete(struct ctx *c, int64_t id);
void session_delete_all(struct ctx *c, int64_t person_id, int64_t keep);

/* Removes sessions that ended by time more than a day ago, at most 100 of them. */
void session_sweep(struct ctx *c);

/* Calls `each` for a person's sessions that have not ended, newest first. */
void session_list(
    struct ctx *c, int64_t person_id, void (*each)(void *arg, const struct session *s), void *arg);

/* Makes the token of forms of this session (§3.6). It needs no transaction. */
void session_form_token(const struct session *s, char out[33]);

/*
 * Browsers that signed in before as a person (docs/console.md §3.5). Such a browser has a
 * cookie of 128 random bits; the table device holds its digest. The failures of
 * others do not lock it out (throttle.h). It proves nothing else.
 */

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
