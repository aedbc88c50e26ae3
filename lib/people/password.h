#ifndef PEOPLE_PASSWORD_H
#define PEOPLE_PASSWORD_H
/*
 * Passwords (docs/console.md §3.1): what a new one must be, and argon2id. The key of a
 * hash (argon2's secret) is made of people/secret, so a stolen console.db alone cannot
 * be tried. A hash is stored as a PHC string.
 *
 * A hash takes 19 MiB and about 45 ms. At most four are computed at once on the
 * instance, and one for each login: a function that hashes takes a slot for it (password-slot.h),
 * or refuses with ERR_UNAVAILABLE and retry_after_s 2, and has hashed nothing then. The caller must
 * ask the throttle before (throttle.h), and must hold no transaction.
 *
 * Passwords are in the arena, in test builds and others; neither the log nor a refusal
 * shows one.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define PASSWORD_MIN 12 /* characters */
#define PASSWORD_MIN_FACTOR 8 /* the same, with a second factor */
#define PASSWORD_MAX 256
#define PASSWORD_LEFT 8 /* characters that must be left without the names */
#define PASSWORD_NAME_MIN 5 /* characters of the shortest name that is removed */

/*
 * Checks a new password, and sets *out (arena) to its normal form, which is hashed.
 * `names` are those of the site, the instance and the person, in any case; they and their
 * words count if they have PASSWORD_NAME_MIN characters. Refuses with ERR_INVALID, `param`
 * "password": too short or too long, one repeated letter, one of the 10,000 most common
 * passwords, or too little beside the names. What is left beside the names must not be
 * common or one letter either. Needs no slot.
 */
MAY_REFUSE struct err *password_read(struct ctx *c, const char *typed, bool has_factor,
    const char *const *names, size_t count, const char **out);

/* Whose password is hashed. */
struct password_asker {
	const char *login; /* case-folded, whether or not somebody has it */
	bool is_known; /* a step-up, or a browser with a device cookie: has a slot more */
};

/* Hashes a password that password_read() made, with today's parameters and a fresh salt.
 * *phc is in the arena. */
MAY_REFUSE struct err *
password_hash(struct ctx *c, const char *password, struct password_asker asker, const char **phc);

enum password_state {
	PASSWORD_WRONG,
	PASSWORD_RIGHT,
	PASSWORD_RIGHT_OLD /* the parameters have risen since: hash it again */
};

/* Compares what was typed with a PHC string. NULL: the person has none, which costs the
 * same and is always wrong. Dies if the string is damaged. */
MAY_REFUSE struct err *password_check(struct ctx *c, const char *typed, const char *phc,
    struct password_asker asker, enum password_state *state);

/* Does the work of password_check() for a login that nobody has. */
MAY_REFUSE struct err *
password_check_nobody(struct ctx *c, const char *typed, struct password_asker asker);

#endif
