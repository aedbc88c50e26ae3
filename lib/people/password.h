#ifndef PEOPLE_PASSWORD_H
#define PEOPLE_PASSWORD_H
/*
 * Passwords (docs/console.md §3.1): what a new one must be, and argon2id. The key of a
 * hash (argon2's secret) is made of people/secret, so a stolen console.db alone cannot
 * be tried. A hash is stored as a PHC string.
 *
 * A hash takes 19 MiB and about 45 ms. At most four are computed at once on the instance, and one
 * for each login: so nobody can take all slots with one password. A function that hashes takes a
 * slot for it, or refuses with ERR_UNAVAILABLE and retry_after_s 2, and has hashed nothing then.
 * The caller must ask the throttle before (throttle.h), and must hold no transaction.
 *
 * Passwords are in the arena, in test builds and others; neither the log nor a refusal
 * shows one.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct ctx;

#define PASSWORD_MAX 256

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

/*
 * What these functions are made of.
 */

/* Returns whether a text in NFKC with its case folded is one of the 10,000 most common passwords of
 * eight characters or more. common-passwords.txt holds the beginning of the SHA-256 of each;
 * common-passwords.pl made it and says of what. */
bool password_is_common(const char *folded);

/* A slot is a lock on a file of run/console/, so it goes with its process. One of the four is for
 * known askers alone. */
struct password_slot {
	int slot; /* a descriptor */
	int login; /* the same for what keeps others from this login */
};

/* Takes a slot; password_slot_release() gives it back. `login` is case-folded. `is_known`: for a
 * step-up, or a browser with a device cookie. Waits for a second at most until the login is free:
 * a form that is sent twice at once is answered twice. Refuses with ERR_UNAVAILABLE
 * and retry_after_s 2 if it is not, if no slot is free, or if the files cannot be used. A process
 * takes one slot at a time. */
MAY_REFUSE struct err *
password_slot_take(struct ctx *c, const char *login, bool is_known, struct password_slot *out);

void password_slot_release(const struct password_slot *slot);

#endif
