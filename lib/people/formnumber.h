#ifndef PEOPLE_FORMNUMBER_H
#define PEOPLE_FORMNUMBER_H
/*
 * The number of a form (docs/console.md §3.7): what makes a form that is sent twice act
 * once. A number carries its time, and is bound to a person and to the address that the
 * form is sent to. What makes a change records the number in the same transaction, in
 * the store of the change: formnumber_spend().
 */
#include <stdbool.h>
#include <stdint.h>

struct ctx;

#define FORMNUMBER_TEXT 65 /* with its NUL */

/* A form that was sent. */
struct formnumber {
	const char *number; /* as sent */
	const char *person; /* UUID of the sender */
	const char *route; /* the path that it was sent to */
	unsigned char digest[32]; /* of what was sent, all fields but number and token */
	int64_t made_at; /* when it was drawn; formnumber_check() sets it, of a good one */
};

enum formnumber_state {
	FORMNUMBER_GOOD,
	FORMNUMBER_OLD, /* over 24 hours */
	FORMNUMBER_FOREIGN /* of another person or address, or none */
};

/* Draws a number for a form that this person will send to this path. Needs c->now and
 * people/secret, no transaction. */
void
formnumber_draw(struct ctx *c, const char *person, const char *route, char out[FORMNUMBER_TEXT]);

/* Tells what a number is worth; no transaction is needed. */
enum formnumber_state formnumber_check(struct ctx *c, struct formnumber *f);

enum formnumber_spent {
	FORMNUMBER_FRESH, /* recorded now: make the change */
	FORMNUMBER_SAME, /* this form was sent before: *answer is its first answer */
	FORMNUMBER_OTHER /* the number was used with another content */
};

/*
 * Records the number in the store of the present writing transaction (its table form).
 * `location` is where a good answer will send the browser, "" where something is shown
 * once. *answer (arena) is set with FORMNUMBER_SAME.
 */
enum formnumber_spent formnumber_spend(
    struct ctx *c, const struct formnumber *f, const char *location, const char **answer);

/* Looks for a form that was sent before, in the store of the present transaction: the same
 * number with the same content. *answer (arena) is its first answer then. */
bool formnumber_find(struct ctx *c, const struct formnumber *f, const char **answer);

/* Writes where the answer of a number recorded in this transaction sends the browser, if
 * that was not known before. Lines after the address are what the page there tells of it. */
void formnumber_answer(struct ctx *c, const struct formnumber *f, const char *location);

/* Returns what was told of the form with this number, which this person sent to this path in the
 * last 24 hours (arena); NULL: nothing. In a transaction of the store of the change. */
const char *
formnumber_told(struct ctx *c, const char *number, const char *person, const char *route);

/* Removes numbers that nobody can send any more from the store of the present
 * transaction, at most 200. */
void formnumber_sweep(struct ctx *c);

#endif
