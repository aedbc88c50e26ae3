#ifndef PEOPLE_TOTP_H
#define PEOPLE_TOTP_H
/*
 * Codes of an authenticator (RFC 6238: SHA-1, six digits, steps of 30 seconds), and the
 * forms in which its secret is shown. Pure functions.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

#define TOTP_SECRET 20 /* bytes */
#define TOTP_DIGITS 6
#define TOTP_STEP_S 30

/* Returns the step of a time in microseconds since 1970. */
int64_t totp_step(int64_t at);

/* Returns the number that the authenticator shows in a step, below 1,000,000. */
uint32_t totp_code(const unsigned char secret[TOTP_SECRET], int64_t step);

/*
 * Returns the step whose code this is, of the one of `at`, the one before and the one
 * after, but only one behind `spent`; 0: of none. `typed` may have spaces and hyphens.
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
