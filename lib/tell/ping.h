#ifndef TELL_PING_H
#define TELL_PING_H
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
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tell/notify.h"

enum ping_result {
	PING_ANSWERED, /* with a status of 200 to 299 */
	PING_REFUSED, /* with any other status */
	PING_NO_ANSWER
};

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

/* Notes what was changed since. */
void ping_note(struct ctx *c, const struct ping_list *all);

/* Returns the UUID of a workspace whose ping is due (arena), or NULL: what answered last time
 * comes first. `busy` are hosts that are being asked now. */
const char *ping_next(struct ctx *c, const char *const *busy, size_t busy_count);

/* Counts a try that begins now: killed meanwhile, it is one that failed. False if the ping is
 * not due any more, or if another host has begun it. */
bool ping_begin(struct ctx *c, const char *workspace);

/* Returns whether the try that began at `tried_at` is still the last one. Where hosts share the
 * store, one that was stopped before it was sent may have been overtaken. */
bool ping_is_last_try(struct ctx *c, const char *workspace, int64_t tried_at);

/* Puts a ping off for an hour: its workspace has no address now, or may have no pings. */
void ping_put_off(struct ctx *c, const char *workspace);

/* Notes how it ended. */
void ping_end(struct ctx *c, const char *workspace, enum ping_result result);

/* One of the last tries. */
struct ping_try {
	int64_t at;
	const char *result; /* "answered", "refused" or "no answer" */
};

/* Reads the last tries of a workspace (UUID), the newest first, PING_RESULTS at most. Returns
 * how many there are. Needs a transaction of DB_CONSOLE. */
size_t ping_results(struct ctx *c, const char *workspace, struct ping_try out[PING_RESULTS]);

#endif
