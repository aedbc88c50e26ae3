#ifndef TASK_MAILING_CHILD_H
#define TASK_MAILING_CHILD_H
/*
 * The child of the task runner that sends mails (action/mailing/mailing.h, tell/postman.h), one
 * after the other, beside the runner's passes: a mail system that hangs holds up nothing but other
 * mails. Every five minutes it first looks for what is to be told; run/console/mailed says when.
 */
#include <stdbool.h>
#include <stdint.h>

struct ctx;

#define MAILING_LAST (22 * 1000000LL) /* what a mail may take, and a reserve */

/* Returns whether the child has something to do. With `now` it looks for what is to be told
 * whenever it did so last. The content is open. */
bool mailing_child_is_due(struct ctx *c, bool now);

/* Does it, until `until` (boot clock). The process ends. */
_Noreturn void mailing_child_run(struct ctx *c, void (*confine)(struct ctx *c), int64_t until);

#endif
