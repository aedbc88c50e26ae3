#include "task/telling.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/db.h"
#include "system/stop.h"
#include "tell/ping.h"
#include "tell/pinger.h"

#define LONG (600 * CLOCK_SECOND) /* a child of a run that has no end */
#define SHORT (2 * CLOCK_SECOND) /* for the first child of a run */

bool
telling_is_due(struct ctx *c)
{
	struct ping_list all;

	ping_read(c, &all);
	return ping_is_due(c, &all);
}

static bool
must_stop(void)
{
	return stop_signal() != 0;
}

_Static_assert(TELLING_LAST > PINGER_SECONDS * CLOCK_SECOND, "a ping ends in this time");

void
telling_run(struct ctx *c, void (*confine)(struct ctx *c), int64_t until)
{
	struct pinger *p = pinger_open(c);

	confine(c);
	db_open(c, DB_WAIT_TOOL_MS);
	pinger_run(c, p, until, must_stop);
	db_close(c);
	pinger_close(p);
	_exit(0);
}

enum child { CHILD_NONE, CHILD_WORKS, CHILD_DONE, CHILD_DIED };

/* Looks at the child, which is no more if it has ended. */
static enum child
look(struct telling *t, int *deaths)
{
	int status;

	if (t->child == 0)
		return CHILD_NONE;
	if (waitpid(t->child, &status, WNOHANG) != t->child)
		return CHILD_WORKS;
	t->child = 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return CHILD_DONE;
	++*deaths;
	log_line("a child that tells ended with status %d", status);
	return CHILD_DIED;
}

void
telling_start(
    struct ctx *c, struct telling *t, void (*confine)(struct ctx *c), int64_t ends_at, int *deaths)
{
	int64_t now = clock_boot();
	int64_t until = ends_at != 0 ? ends_at - t->last : now + LONG;
	pid_t own = getpid();

	if (!t->began && until < now + SHORT)
		until = now + SHORT;
	if (look(t, deaths) == CHILD_WORKS || now >= until)
		return;
	t->began = true;
	t->child = fork();
	if (t->child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != own)
			_exit(1);
		t->run(c, confine, until);
		_exit(1);
	}
	if (t->child < 0) {
		log_line("fork: %s", strerror(errno));
		t->child = 0;
	}
}

bool
telling_wait(struct telling *t, int *deaths)
{
	const struct timespec pause = { 0, 20 * 1000 * 1000 };
	enum child child;

	/* A signal that comes just before a wait that blocks would not end it. */
	while ((child = look(t, deaths)) == CHILD_WORKS) {
		if (stop_signal() != 0)
			(void)kill(t->child, SIGTERM);
		nanosleep(&pause, NULL);
	}
	return child == CHILD_DONE;
}
