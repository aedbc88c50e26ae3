#ifndef NOTIFY_PING_H
#define NOTIFY_PING_H
/*
 * Which websites are to be told of changes, and when (docs/console.md §4.8). This file owns the
 * tables ping and ping_result of the console's store. The workspace's own state says what
 * changed: ping_note() compares it with what was seen last, so nobody who changes something
 * writes here.
 *
 * - A change is told ten seconds later, with all that follow meanwhile.
 * - A ping has four tries, 1, 5 and 30 minutes apart. A new change begins them again.
 * - After 20 failures in a row, tries are an hour apart.
 * - An address that was set in the last hour is told at once, so that people see whether it
 *   answers. An older one without a row is taken as told.
 * - A restore, which gives each workspace another epoch, ends its ping: what is there then is
 *   taken as told.
 * - A host gets one ping a second.
 *
 * The functions begin their own transactions, but for those that say that they need one.
 *
 * lib/notify: what websites and people are told, and when it is tried again. Not here: the process
 * that does it (task/taskrunner.h). Begin with ping.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "notify/notify-url.h"

struct ctx;
struct pinger;

#define PING_RESULTS 3 /* are kept of each workspace */

/* What the runner knows of all workspaces that have an address. */
struct ping_list {
	struct notify *list;
	size_t count;
};

/* Reads them. */
void ping_read(struct ctx *c, struct ping_list *out);

/* Returns whether ping_note() would write something, or a ping is due. */
bool ping_is_due(struct ctx *c, const struct ping_list *all);

/* One of the last tries. */
struct ping_try {
	int64_t at;
	const char *result; /* "answered", "refused" or "no answer" */
};

/* Reads the last tries of a workspace (UUID), the newest first, PING_RESULTS at most. Returns
 * how many there are. Needs a transaction of DB_CONSOLE. */
size_t ping_results(struct ctx *c, const char *workspace, struct ping_try out[PING_RESULTS]);

/*
 * Sends the pings that are due, each through a guarded client of its own
 * (net/remote.h), several at once: a website that hangs holds up no other one. A child
 * of the task runner does it beside everything else that the runner does.
 *
 *	{"workspace_id": "UUID", "event": "changed", "at": "TIME"}
 *
 * is posted with the header Galley-Signature (signature_make()). Before each try the workspace is
 * read again: its address, its secret, and whether its account may have pings. Of the answer
 * only the kind is kept.
 */
#define PINGER_SECONDS 10 /* for one answer */

/* Starts the clients, in the arena: before the process is confined. */
struct pinger *pinger_open(struct ctx *c);

/* Notes what was changed, and sends what is due until nothing is, or until `until` (boot
 * clock); then it waits for what was sent. `must_stop` ends it at once. The content is open. */
void pinger_run(struct ctx *c, struct pinger *p, int64_t until, bool (*must_stop)(void));

void pinger_close(struct pinger *p);

/*
 * How a ping is signed (docs/console.md §4.8): "t=SECONDS,v1=HEX", where HEX is HMAC-SHA256 of
 * SECONDS, a dot and the body. The key is the text of the secret, which is made of
 * people/secret, the workspace and a number: so no table holds it, and a number more makes
 * another one.
 */
#define SIGNATURE_SECRET 73 /* bytes of "ab_ping_", 64 hex digits and NUL */

/* Writes the secret of this number. people/secret must be there. The caller clears it. */
void
signature_secret(struct ctx *c, const char *workspace, int64_t number, char out[SIGNATURE_SECRET]);

/* Returns the value of the header Galley-Signature for a body that is sent at `at`
 * (microseconds), in the arena. */
const char *
signature_make(struct ctx *c, const char *secret, int64_t at, const void *body, size_t len);

#endif
