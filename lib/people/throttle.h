#ifndef PEOPLE_THROTTLE_H
#define PEOPLE_THROTTLE_H
/*
 * How often a password or a code may be tried (docs/console.md §3.5). Tries are counted by place
 * (store/limit.h): with SQLite in run/console/throttle, with PostgreSQL for all hosts. Each
 * login has one (10 in 10 minutes, then waits of 1, 2, 4, 8 and 15 minutes), whether or not
 * somebody has it, and each address (30 in 5 minutes; of IPv6 each /64, and 120 for each /48).
 * Logins and addresses have a fixed number of places, which a keyed digest gives them: the file
 * has at most 35 MiB. The key of addresses is that of the day (access/day-key.h): they are counted
 * again from midnight, UTC, and nobody can tell later which address it was.
 *
 * A try is counted before the password is compared, and taken back if it was right, or if none
 * was compared: so tries at the same time are counted exactly. Right passwords of a login count
 * apart (20 in 10 minutes): each of them costs a hash, too. Where the file cannot be used, every
 * try is refused.
 *
 * A browser with a device cookie of the person (session.h) has a place of its own for failures, and
 * no place of its address. No function needs a transaction; throttle_take() needs c->now.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct throttle {
	const char *login; /* case-folded; NULL: only the address is counted */
	const char *address; /* text of an IPv4 or IPv6 address */
	int64_t device; /* of device_find(), for this login; 0: not known */
	int64_t taken_at; /* set by throttle_take() */
};

/* Counts a try. Refuses with ERR_RATE_LIMITED and retry_after_s, or with ERR_UNAVAILABLE if
 * the file cannot be used. A try that is refused is not counted. */
MAY_REFUSE struct err *throttle_take(struct ctx *c, struct throttle *t);

/* Gives a try back. If the password was right, the failures of the login in this place are
 * forgotten, those of the address stay, and the login has a right password more. If no password was
 * compared, all is as it was before. A fault is a line of the log. */
void throttle_return(struct ctx *c, const struct throttle *t, bool right);

/* Ends the wait of a login, because a reset link or a code of the instance was used. */
void throttle_forgive(struct ctx *c, const char *login);

/*
 * Notes from where a person came who is signed in. An address is taken for a proxy if nine of ten
 * people of yesterday and today, and at least three, came from there the last time; how often
 * somebody comes is of no account. A stranger has no session, and never counts. A fault is a line
 * of the log.
 */
void throttle_note(struct ctx *c, const char *address, int64_t person_id);

/*
 * Failures that make a person wait (docs/console.md §3.2, §3.5): after 10 in 10 minutes
 * one minute, and after each further failure twice as long. The ten minutes begin with the
 * first failure. What makes a person wait is forgotten a day after the last wait.
 *
 * A time in the future counts as absent, so that a clock that was set back locks nobody
 * out. Pure functions; the second factor has such failures, too (factor.h).
 */
struct wait {
	int64_t failures;
	int64_t since; /* the first of them */
	int64_t until; /* 0, or when the next try may come */
};

/* Returns the seconds that are left; 0: the next try may come. `longest` is the longest
 * wait, in microseconds. */
int wait_left_s(const struct wait *w, int64_t now, int64_t longest);

/* Counts a failure. */
void wait_count(struct wait *w, int64_t now, int64_t longest);

#endif
