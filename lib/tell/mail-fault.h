#ifndef TELL_MAIL_FAULT_H
#define TELL_MAIL_FAULT_H
/*
 * What went wrong with the last mail: run/console/mail-fault, for doctor and the page Instance. The
 * file goes with the next mail that is sent.
 */

struct ctx;

/* Notes it; NULL: the mail was sent. */
void mail_fault_note(struct ctx *c, const char *why);

/* Returns it (arena); NULL: nothing went wrong. */
const char *mail_fault_read(struct ctx *c);

#endif
