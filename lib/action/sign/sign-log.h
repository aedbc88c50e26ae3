#ifndef SIGN_SIGN_LOG_H
#define SIGN_SIGN_LOG_H
/*
 * log/sign-in.log: who signed in, and who failed (docs/console.md §3.12). The first event of
 * a kind, person and address in a minute is a line at once; how often it happened again in
 * that minute is another line, later. So nobody can fill the disk by failing. No text that
 * was typed is ever in it.
 */

struct ctx;

/* Notes an event. `kind` is a literal such as "sign-in" or "wrong-password", `person` a UUID,
 * or NULL: nobody has that login. A fault is a line of the program's log. Needs c->now. */
void sign_log(struct ctx *c, const char *kind, const char *person, const char *address);

#endif
