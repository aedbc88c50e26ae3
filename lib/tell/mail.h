#ifndef TELL_MAIL_H
#define TELL_MAIL_H
/*
 * Mails that wait, and what was told by mail (docs/console.md §2.6). This file owns the table mail
 * of the console's store.
 *
 * - The same event (person, kind, thing, mark) is told once: its row stays.
 * - An account has MAIL_DAY mails in 24 hours.
 * - A mail has MAIL_TRIES tries, 1, 5 and 30 minutes and 2 and 6 hours apart. One that waits for
 *   three days has ended.
 * - A try is counted before its command begins. If nobody knows how it ended (a kill, a command
 *   that hung), it may have been sent: after two such tries there is no other one.
 */
#include <stdbool.h>
#include <stdint.h>

struct ctx;

#define MAIL_DAY 20
#define MAIL_TRIES 6

enum mail_kind {
	MAIL_INVITE,
	MAIL_RESET,
	MAIL_HANDED_IN,
	MAIL_JOB_FAILED,
	MAIL_CREDITS_LOW,
	MAIL_KEY_ENDS,
	MAIL_SITE_SILENT,
	MAIL_KINDS
};

struct mail {
	int64_t id;
	const char *uuid;
	enum mail_kind kind;
	const char *person, *account, *workspace; /* UUIDs, as in the table */
	const char *thing;
	int64_t mark;
	int64_t tries; /* so many were begun, the present one among them */
	const char *link; /* the text of an invitation or a reset; NULL: it has none */
};

/* Adds a mail, unless the same was told or waits, or the account had its mails of this day. Returns
 * whether it was added. Sets id and uuid, and `thing` where that is NULL. In a writing transaction
 * of DB_CONSOLE. */
bool mail_add(struct ctx *c, struct mail *m);

/* Returns whether this was told or waits. Needs a transaction of DB_CONSOLE. */
bool mail_is_known(struct ctx *c, const struct mail *m);

/* The rest begins its own transactions. */

/* Returns whether a mail is due. */
bool mail_is_due(struct ctx *c);

/* Finds the mail that is due, the one with the fewest tries first; false if there is none. */
bool mail_next(struct ctx *c, struct mail *out);

/* Counts a try that begins now. False if there is none any more, or if another host has begun
 * it. */
bool mail_begin(struct ctx *c, struct mail *m);

/* Returns whether this try is still the last one. Where hosts share the store, one that was stopped
 * before its command began may have been overtaken. */
bool mail_is_last_try(struct ctx *c, const struct mail *m);

enum mail_outcome {
	MAIL_SENT,
	MAIL_FAILED, /* the command said so */
	MAIL_UNKNOWN, /* it may have been sent */
	MAIL_ENDED /* nobody wants it any more: no try was made, and none will be */
};

/* Notes how a mail, or its try, ended. Of a try that was overtaken only MAIL_SENT counts. */
void mail_end(struct ctx *c, const struct mail *m, enum mail_outcome outcome);

/* Ends all mails that wait, because a backup was restored. */
void mail_end_all(struct ctx *c);

/* Ends those that waited too long, and removes rows that nobody needs. */
void mail_sweep(struct ctx *c);

#endif
