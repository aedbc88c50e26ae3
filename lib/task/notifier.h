#ifndef TASK_NOTIFIER_H
#define TASK_NOTIFIER_H
/*
 * Children of the task runner that wait for strangers, and work beside the runner's passes: nothing
 * else waits for them. One sends pings (notify/ping.h), one mails
 * (action/person/mailing.h, notify/postman.h), one after the other: a mail system that hangs holds
 * up nothing but other mails. Of each child there is one at a time.
 */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct ctx;

struct notifier {
	/* Does its work in the child, until `until` (boot clock), and ends it. It calls `confine`
	 * once it needs no program any more. */
	void (*run)(struct ctx *c, void (*confine)(struct ctx *c), int64_t until);
	int64_t last; /* microseconds that its last piece of work may take */
	pid_t child; /* 0: there is none */
	bool began; /* the run had one */
};

#define NOTIFIER_PING_LAST (12 * 1000000LL) /* of a ping */

/* Returns whether a ping is to be sent. The content is open. */
bool notifier_has_pings(struct ctx *c);

/* Sends pings: the member `run`. */
void notifier_send_pings(struct ctx *c, void (*confine)(struct ctx *c), int64_t until);

/* Starts the child, unless there is one, or the run ends (`ends_at`, boot clock; 0: it does not)
 * before a stranger's answer would be there: then only a run's first one begins, so that a run
 * that is short tells, too. `confine` takes from the child what it need not
 * reach. *deaths counts one that did not come to its end. */
void notifier_start(struct ctx *c, struct notifier *t, void (*confine)(struct ctx *c),
    int64_t ends_at, int *deaths);

/* Waits until the child has ended; tells it when the runner must stop. Returns whether there
 * was one that came to its end. */
bool notifier_wait(struct notifier *t, int *deaths);

#define NOTIFIER_MAIL_LAST (22 * 1000000LL) /* what a mail may take, and a reserve */

/* Returns whether a mail is to be sent, or it is time to look for what is to be told: that is every
 * five minutes, and run/console/mailed says when it was. With `now` it looks whenever it did so
 * last. The content is open. */
bool notifier_has_mails(struct ctx *c, bool now);

/* Sends mails: the member `run`. */
_Noreturn void notifier_send_mails(struct ctx *c, void (*confine)(struct ctx *c), int64_t until);

#endif
