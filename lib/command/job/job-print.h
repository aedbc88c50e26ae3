#ifndef COMMAND_JOB_PRINT_H
#define COMMAND_JOB_PRINT_H
/* A job as `galley --json` shows it. */
#include <stdbool.h>

#include "job/job.h"

struct ctx;
struct jwrite;

/* All that an operator may want to know; `whole` with steps and brief. Reads who ordered
 * it. */
void job_print_json(struct ctx *c, struct jwrite *w, const struct job *job, bool whole);

#endif
