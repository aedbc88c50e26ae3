#ifndef ACTION_LIVE_ACTION_H
#define ACTION_LIVE_ACTION_H
/* Says that this instance is live (access/live.h, docs/console.md §4.15). */
#include <stdint.h>

#include "base/err.h"

/* Ends that the instance is quiet. Refuses (409) one that is live. */
MAY_REFUSE struct err *live_action(struct ctx *c);

/* Returns since when the instance is quiet; 0: it is live. In a transaction of its own. */
int64_t live_action_since(struct ctx *c);

#endif
