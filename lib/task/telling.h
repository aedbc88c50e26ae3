#ifndef TASK_TELLING_H
#define TASK_TELLING_H
/*
 * The child of the task runner that sends pings (tell/pinger.h). It works beside the runner's
 * passes, because it waits for strangers: nothing else waits for it. There is one at a time.
 */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct ctx;

struct telling {
	pid_t child; /* 0: there is none */
	bool began;  /* the run had one */
};

/* Returns whether there is something to tell. The content is open. */
bool telling_is_due(struct ctx *c);

/* Starts the child, unless there is one, or the run ends (`ends_at`, boot clock; 0: it does not)
 * before a stranger's answer would be there: then only a run's first one begins, so that a run
 * that is short tells, too. `confine` takes from the child what it need not
 * reach. *deaths counts one that did not come to its end. */
void telling_start(struct ctx *c, struct telling *t, void (*confine)(struct ctx *c),
    int64_t ends_at, int *deaths);

/* Waits until the child has ended; tells it when the runner must stop. Returns whether there
 * was one that came to its end. */
bool telling_wait(struct telling *t, int *deaths);

#endif
