#ifndef TELL_LETTER_H
#define TELL_LETTER_H
/*
 * The text of a mail (docs/console.md §2.6): fixed sentences in the person's language, and an
 * address of the console. Nothing that a customer typed is in it, but the recipient's address: so
 * nobody sends words of their own through an instance, and no header can be made up.
 *
 * Lines are ASCII of at most 78 bytes, or an address longer than that; the subject is encoded by
 * RFC 2047 and the body by base64 where the language needs it. Lines end with LF, as a program
 * such as sendmail takes them.
 */
#include <stdbool.h>
#include <stdint.h>

#include "tell/mail.h"

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

#endif
