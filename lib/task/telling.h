#ifndef TASK_TELLING_H
#define TASK_TELLING_H
/*
 * Children of the task runner that wait for strangers, and work beside the runner's passes: nothing
 * else waits for them. One sends pings (tell/pinger.h), one mails (mailing-child.h); of each there
 * is one at a time.
 */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct ctx;

struct telling {
	/* Does its work in the child, until `until` (boot clock), and ends it. It calls `confine`
	 * once it needs no program any more. */
	void (*run)(struct ctx *c, void (*confine)(struct ctx *c), int64_t until);
	int64_t last; /* microseconds that its last piece of work may take */
	pid_t child; /* 0: there is none */
	bool began; /* the run had one */
};

#define TELLING_LAST (12 * 1000000LL) /* of a ping */

/* Returns whether a ping is to be sent. The content is open. */
bool telling_is_due(struct ctx *c);

/* Sends pings: the member `run`. */
void telling_run(struct ctx *c, void (*confine)(struct ctx *c), int64_t until);

/* Starts the child, unless there is one, or the run ends (`ends_at`, boot clock; 0: it does not)
 * before a stranger's answer would be there: then only a run's first one begins, so that a run
 * that is short tells, too. `confine` takes from the child what it need not
 * reach. *deaths counts one that did not come to its end. */
void telling_start(
    struct ctx *c, struct telling *t, void (*confine)(struct ctx *c), int64_t ends_at, int *deaths);

/* Waits until the child has ended; tells it when the runner must stop. Returns whether there
 * was one that came to its end. */
bool telling_wait(struct telling *t, int *deaths);

#endif
