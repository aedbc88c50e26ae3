#ifndef TASK_TRYING_H
#define TASK_TRYING_H
/*
 * "Test the provider" (docs/console.md §4.14), as an errand: what `galley provider test` tells
 * (job/trial.h), as a report. It writes for the newest workspace. Nothing is stored or charged.
 */
#include "base/err.h"

struct ctx;
struct errand;
struct work;

/* Is the function of errand_kinds. e->file says what is asked for (asking.h). */
MAY_REFUSE struct err *
trying_run(struct ctx *c, const struct errand *e, const struct work *work, const char **report);

#endif
