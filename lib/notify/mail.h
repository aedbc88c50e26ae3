#ifndef NOTIFY_MAIL_H
#define NOTIFY_MAIL_H
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

/*
 * The text of a mail (docs/console.md §2.6): fixed sentences in the person's language, and an
 * address of the console. Nothing that a customer typed is in it, but the recipient's address: so
 * nobody sends words of their own through an instance, and no header can be made up.
 *
 * Lines are ASCII of at most 78 bytes, or an address longer than that; the subject is encoded by
 * RFC 2047 and the body by base64 where the language needs it. Lines end with LF, as a program
 * such as sendmail takes them.
 */

struct letter {
	enum mail_kind kind;
	bool test; /* `galley doctor --mail`: the kind is ignored */
	const char *uuid; /* the Message-ID */
	const char *to; /* an address of person_read_email() */
	const char *from; /* NULL: galley@ and the console's host */
	const char *language; /* BCP 47 */
	const char *console; /* where the console is: "https://host/console" */
	const char *path; /* below it, where the mail leads */
};

/* Returns where the console is (arena), or NULL: no address is set. */
const char *letter_console(struct ctx *c);

/* Returns the whole message (arena), as of c->now. */
const char *letter_write(struct ctx *c, const struct letter *l);

/*
 * What went wrong with the last mail: run/console/mail-fault, for doctor and the page Instance. The
 * file goes with the next mail that is sent.
 */
/* Notes it; NULL: the mail was sent. */
void mail_fault_note(struct ctx *c, const char *why);

/* Returns it (arena); NULL: nothing went wrong. */
const char *mail_fault_read(struct ctx *c);

#endif
