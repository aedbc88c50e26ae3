#ifndef PEOPLE_FACTOR_H
#define PEOPLE_FACTOR_H
/*
 * The second factor of a person (docs/console.md §3.2): an authenticator, and ten recovery
 * codes. This file owns the columns factor… of the table person, and the table recovery.
 *
 * The secret is sealed with people/secret. Every code works once. Failures count for the
 * person over all sessions (wait.h): after 10 in 10 minutes the person waits 1 minute, then
 * 2, then 4, up to a day. A right code ends that.
 *
 * Every function needs a transaction of DB_CONSOLE, unless it says otherwise.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "people/totp.h"

#define FACTOR_CODES 10
#define FACTOR_CODE 16 /* letters, or digits from 2 to 7: 80 random bits */

/*
 * Draws a secret for a person who sets an authenticator up. Returns it sealed, as text
 * (arena), for a field of the form that confirms it. Nothing is stored. Needs no
 * transaction.
 */
const char *factor_offer(struct ctx *c, const char *person, unsigned char secret[TOTP_SECRET]);

/* Opens what factor_offer() returned for this person (a UUID). False: `offer` is
 * another text. Needs no transaction. */
bool factor_offered(
    struct ctx *c, const char *person, const char *offer, unsigned char secret[TOTP_SECRET]);

/* Makes the secret the person's factor, given the code that the authenticator shows, which
 * is spent by that. Refuses another code (ERR_INVALID, `param` "code"). */
MAY_REFUSE struct err *factor_set(
    struct ctx *c, int64_t person_id, const unsigned char secret[TOTP_SECRET], const char *typed);

/* Removes the factor and the recovery codes. */
void factor_remove(struct ctx *c, int64_t person_id);

/* Draws ten recovery codes, in groups of four, and stores their digests. The older codes
 * work no more. `codes` (arena) hold their only copies. */
void factor_draw_codes(struct ctx *c, int64_t person_id, const char *codes[FACTOR_CODES]);

enum factor_result {
	FACTOR_RIGHT,
	FACTOR_RECOVERED, /* by a recovery code, which is used up now */
	FACTOR_WRONG,
	FACTOR_WAIT /* nothing was compared: *wait_s seconds are left */
};

/*
 * Compares what the person typed with the authenticator or, if it has another length, with
 * the recovery codes. A right code is spent, a wrong one is counted: the caller commits
 * in every case. FACTOR_WRONG where the person has no factor.
 */
enum factor_result factor_check(struct ctx *c, int64_t person_id, const char *typed, int *wait_s);

struct factor_state {
	bool exists;
	int64_t failures; /* since the last right code; the person is told */
	int64_t wait_until; /* 0, or when the next code may be typed */
	int64_t codes_left; /* recovery codes */
};

void factor_state(struct ctx *c, int64_t person_id, struct factor_state *out);

/* Forgets the failures, because a reset link or a code of the instance was used. */
void factor_forgive(struct ctx *c, int64_t person_id);

#endif
