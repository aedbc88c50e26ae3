#ifndef CONSOLE_READY_H
#define CONSOLE_READY_H
/* What of the console answers while the stores are not of the program's release
 * (docs/console.md §2.7). Private to this floor. */
#include "console/visit.h"

/* Returns whether the page Start was asked for. */
bool ready_is_start(const struct visit *v);

/* Sets v->lacks where the stores are older than the program. Refuses then what is not the page
 * Start (503, to be asked again after 10 s), and everything where they are newer. The content
 * must be open. */
MAY_REFUSE struct err *ready_check(struct ctx *c, struct visit *v);

#endif
