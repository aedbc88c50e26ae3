#ifndef COMMAND_PUBLIC_URL_H
#define COMMAND_PUBLIC_URL_H
/* A changed public_url in galley.conf is a settings change of every workspace, taken
 * over by the first program that meets it (docs/design.md §3). */
struct ctx;

/* Takes it over and says so, where it has changed. The database is open, in no
 * transaction. */
void public_url_take(struct ctx *c);

#endif
