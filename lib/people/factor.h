#ifndef PEOPLE_FACTOR_H
#define PEOPLE_FACTOR_H
/*
 * The second factor of a person (docs/console.md §3.2): an authenticator, and ten recovery
 * codes. This file owns the columns factor… of the table person, and the table recovery.
 *
 * The secret is sealed with people/secret. Every code works once. Failures count for the
 * person over all sessions (throttle.h): after 10 in 10 minutes the person waits 1 minute, then
 * 2, then 4, up to a day. A right code ends that.
 *
 * Every function needs a transaction of DB_CONSOLE, unless it says otherwise.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct arena;

#define TOTP_SECRET 20 /* bytes */

#define FACTOR_CODES 10

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

/*
 * Codes of an authenticator (RFC 6238: SHA-1, six digits, steps of 30 seconds), and the
 * forms in which its secret is shown. Pure functions.
 */
/* Returns the step of a time in microseconds since 1970. */
int64_t totp_step(int64_t at);

/* Returns the number that the authenticator shows in a step, below 1,000,000. */
uint32_t totp_code(const unsigned char secret[TOTP_SECRET], int64_t step);

/*
 * Returns the step whose code this is, of the one of `at`, the one before and the one
 * after, but only one after `spent`; 0: it is the code of no step. `typed` may have spaces and
 * hyphens.
 */
int64_t
totp_check(const unsigned char secret[TOTP_SECRET], int64_t at, int64_t spent, const char *typed);

/* Returns bytes as base32 (RFC 4648 §6) in upper case, without padding, in the arena;
 * `len` is a multiple of five. */
char *totp_base32(struct arena *a, const unsigned char *bytes, size_t len);

/* Returns the text in groups of four, with spaces between them, in the arena. */
const char *totp_grouped(struct arena *a, const char *text);

/* Returns the otpauth:// address of the secret. `issuer` names the instance, `email` the
 * person; any text is escaped. */
const char *totp_address(struct arena *a, const unsigned char secret[TOTP_SECRET],
    const char *issuer, const char *email);

/*
 * Returns a text as QR code: the d of an SVG path that fills its dark modules. *size is
 * the number of modules of a side, with the quiet zone of four on each side:
 * viewBox="0 0 SIZE SIZE". Light must be behind it in every theme. The text has at most
 * 1,000 bytes.
 */
const char *totp_qr(struct arena *a, const char *text, int *size);

#endif
