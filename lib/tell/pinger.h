#ifndef TELL_PINGER_H
#define TELL_PINGER_H
/*
 * Sends the pings that are due (ping.h), each through a guarded client of its own
 * (net/remote.h), PINGER_CLIENTS at once: a website that hangs holds up no other one. A child
 * of the task runner does it beside everything else that the runner does.
 *
 *	{"workspace_id": "UUID", "event": "changed", "at": "TIME"}
 *
 * is posted with the header Galley-Signature (signature.h). Before each try the workspace is
 * read again: its address, its secret, and whether its account may have pings. Of the answer
 * only the kind is kept.
 */
#include <stdbool.h>
#include <stdint.h>

struct ctx;
struct pinger;

#define PINGER_CLIENTS 16
#define PINGER_SECONDS 10 /* for one answer */

/* Starts the clients, in the arena: before the process is confined. */
struct pinger *pinger_open(struct ctx *c);

/* Notes what was changed, and sends what is due until nothing is, or until `until` (boot
 * clock); then it waits for what was sent. `must_stop` ends it at once. The content is open. */
void pinger_run(struct ctx *c, struct pinger *p, int64_t until, bool (*must_stop)(void));

void pinger_close(struct pinger *p);

#endif
