#include "web/serve-fcgi.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

#define PROCESSES "GALLEY_PROCESSES"
#define PROCESSES_MAX 64

struct member {
	pid_t pid; /* 0: none */
	int64_t started; /* by clock_boot() */
};

int
serve_pool_size(void)
{
	const char *value = getenv(PROCESSES);
	char *end;
	long size;

	if (value == NULL)
		return 0;
	size = strtol(value, &end, 10);
	if (end == value || *end != '\0' || size < 1 || size > PROCESSES_MAX)
		die(PROCESSES " must be a number from 1 to %d", PROCESSES_MAX);
	return (int)size;
}

/* Becomes a member of the pool. A member must not outlive the pool: nothing else
 * would end it. */
static _Noreturn void
become_member(const char *path, const sigset_t *none, pid_t pool)
{
	char *argv[] = { (char *)path, NULL };

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != pool)
		_exit(0);
	unsetenv(PROCESSES);
	sigprocmask(SIG_SETMASK, none, NULL);
	execv(path, argv);
	log_line("%s: %s", path, strerror(errno));
	_exit(127);
}

static void
start(struct member *m, const char *path, const sigset_t *none)
{
	pid_t pool = getpid(), pid = fork();

	if (pid == 0)
		become_member(path, none, pool);
	if (pid < 0)
		log_line("no process for %s: %s", path, strerror(errno));
	m->pid = pid > 0 ? pid : 0;
	m->started = clock_boot();
}

/* Notes the members that have ended. Returns true if one failed as soon as it had
 * begun: the next would fail, too. */
static bool
reap(struct member *members, int size)
{
	bool hopeless = false;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		for (int i = 0; i < size; i++) {
			if (members[i].pid != pid)
				continue;
			members[i].pid = 0;
			hopeless |= status != 0 && clock_boot() - members[i].started < CLOCK_SECOND;
		}
	}
	return hopeless;
}

static void
end_all(const struct member *members, int size)
{
	for (int i = 0; i < size; i++) {
		if (members[i].pid != 0)
			kill(members[i].pid, SIGTERM);
	}
	while (wait(NULL) > 0 || errno == EINTR)
		;
}

/* Starts the missing members; false if one cannot be started. */
static bool
complete(struct member *members, int size, const char *path, const sigset_t *none)
{
	bool all = true;

	for (int i = 0; i < size; i++) {
		if (members[i].pid == 0)
			start(&members[i], path, none);
		all &= members[i].pid != 0;
	}
	return all;
}

/* Makes a socket that is connected to itself. Without it each process keeps what it accepted. */
static void
relay_make(void)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	socklen_t len = sizeof(name);
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&name, sizeof(name.sun_family)) != 0 ||
	    getsockname(fd, (struct sockaddr *)&name, &len) != 0 ||
	    connect(fd, (struct sockaddr *)&name, len) != 0 || dup2(fd, SERVE_RELAY) < 0)
		log_line("the processes have no relay: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
}

void
serve_pool(const char *path, int size)
{
	static const struct timespec second = { 1, 0 };
	struct member members[PROCESSES_MAX];
	bool hopeless = false, all;
	sigset_t set, none;
	int got;

	memset(members, 0, sizeof(members));
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, &none);
	relay_make();
	do {
		log_follow();
		all = !hopeless && complete(members, size, path, &none);
		got = sigtimedwait(&set, NULL, all ? NULL : &second);
		hopeless = reap(members, size);
	} while (got != SIGTERM && got != SIGINT);
	end_all(members, size);
}
