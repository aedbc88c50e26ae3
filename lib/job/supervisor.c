/* The supervisor: a process between the runner and the provider. It leaves no
 * descendant of the provider alive, in whatever way the runner ends. It waits until the
 * provider ends or until a pipe tells that the runner ended. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "job/try.h"
#include "job/scratch.h"
#include "job/supervisor.h"

#define MEMORY_MAX ((rlim_t)1024 * 1024 * 1024) /* of data, for each process */
#define FILE_MAX ((rlim_t)64 * 1024 * 1024) /* bytes of one file */
#define FILES_MAX 256 /* open at once */
#define QUICK_ROUNDS 500 /* of killing, one each millisecond; then slower */

static void
limit(int what, rlim_t value)
{
	struct rlimit now, want;

	if (getrlimit(what, &now) != 0)
		return;
	want.rlim_max = now.rlim_max < value ? now.rlim_max : value;
	want.rlim_cur = want.rlim_max;
	(void)setrlimit(what, &want);
}

/* Sets the limits of the provider. Memory is limited by the data segment and not by the
 * address space: languages with garbage collection reserve far more addresses than they
 * use. */
static void
limit_all(int64_t seconds)
{
#ifndef __SANITIZE_ADDRESS__ /* the sanitizer needs far more for itself */
	limit(RLIMIT_DATA, MEMORY_MAX);
#endif
	limit(RLIMIT_FSIZE, FILE_MAX);
	limit(RLIMIT_NOFILE, FILES_MAX);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_CPU, (rlim_t)seconds + 1);
}

/* Gives the signals the state of a new process: exec keeps ignored signals ignored. */
static void
reset_signals(void)
{
	sigset_t none;

	for (int number = 1; number < NSIG; number++)
		(void)signal(number, SIG_DFL);
	sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static void
close_from(unsigned first)
{
	if (syscall(SYS_close_range, first, ~0U, 0) == 0)
		return;
	/* Linux before 5.9 has no close_range(). */
	for (int fd = (int)first; fd < 65536; fd++)
		(void)close(fd);
}

/* Confines this process. False if a confinement that the runner found possible cannot
 * be applied. */
static bool
confine(const struct supervised *s, pid_t supervisor)
{
	const pid_t kept[] = { s->runner, supervisor, -getpgid(s->runner), -supervisor };
	unsigned done =
	    harden_stranger(s->places->at, s->places->count, kept, sizeof(kept) / sizeof(kept[0]));

	return (done & s->confinement) == s->confinement;
}

/* Runs in the provider's process from fork to exec. The pipe `wrong` tells the runner
 * why exec failed; it becomes descriptor 3, which exec closes. */
static _Noreturn void
become(const struct supervised *s, pid_t supervisor)
{
	char *const arguments[] = { (char *)s->program, NULL };
	char *const environment[] = { NULL };
	int error, wrong = s->wrong;

	/* In its own session it cannot join a process group of Galley. */
	(void)setsid();
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != supervisor)
		_exit(127);
	(void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	/* None of the four is below 4: try-process.c made sure of that. */
	if (dup2(s->in, 0) == 0 && dup2(s->out, 1) == 1 && dup2(s->err, 2) == 2 &&
	    dup3(wrong, 3, O_CLOEXEC) == 3 && chdir(s->folder) == 0) {
		wrong = 3;
		close_from(4);
		reset_signals();
		limit_all(s->seconds);
		errno = EPERM;
		if (confine(s, supervisor))
			execve(s->program, arguments, environment);
	}
	error = errno;
	(void)!write(wrong, &error, sizeof(error));
	_exit(127);
}

/* Kills all children of this process, its own and the adopted ones. */
void
supervisor_kill_children(void)
{
	char path[64], list[4096];
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%ld/children", (long)getpid());
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	len = read(fd, list, sizeof(list) - 1);
	close(fd);
	list[len > 0 ? len : 0] = '\0';
	for (const char *p = list; *p != '\0';) {
		long pid = 0;
		for (; *p >= '0' && *p <= '9'; p++)
			pid = pid * 10 + (*p - '0');
		if (pid > 1)
			(void)kill((pid_t)pid, SIGKILL);
		p += *p != '\0';
	}
}

/* Reaps the children that have ended and notes the end of the provider. True if no
 * child is left. */
static bool
reap(pid_t provider, int *status, bool *ended)
{
	int of_this;
	pid_t pid;

	while ((pid = waitpid(-1, &of_this, WNOHANG)) != 0) {
		if (pid < 0 && errno != EINTR)
			return true;
		if (pid == provider) {
			*status = of_this;
			*ended = true;
		}
	}
	return false;
}

/* Waits until the provider has ended, the runner has ended, or the runner asks for the
 * end. */
static void
wait_for_end(pid_t provider, int *status)
{
	struct pollfd runner = { .fd = STDIN_FILENO, .events = POLLIN };
	bool ended = false;
	sigset_t open;

	sigfillset(&open);
	sigdelset(&open, SIGCHLD);
	while (runner.revents == 0 && !reap(provider, status, &ended) && !ended) {
		if (ppoll(&runner, 1, NULL, &open) <= 0)
			runner.revents = 0;
	}
	/* Kill its group while the number still belongs to it. */
	if (!ended)
		(void)kill(-provider, SIGKILL);
}

/* Kills all descendants. Those whose parents died are children of this process. */
static void
kill_all(const struct supervised *s, pid_t provider, int *status)
{
	struct timespec pause = { .tv_nsec = 1000000 };
	bool ended = false;

	for (int round = 0; !reap(provider, status, &ended); round++) {
		supervisor_kill_children();
		if (round % SUPERVISOR_SCAN_ROUNDS == SUPERVISOR_SCAN_ROUNDS - 1)
			(void)scratch_kill(s->mark);
		if (round == QUICK_ROUNDS)
			pause.tv_nsec *= 50;
		nanosleep(&pause, NULL);
	}
}

void
supervisor_run(const struct supervised *s)
{
	const struct rlimit mark = { s->mark, s->mark };
	int status = SIGKILL;
	pid_t provider, self;
	sigset_t all;

	(void)setsid();
	self = getpid();
	sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	(void)setrlimit(RLIMIT_LOCKS, &mark);
	provider = fork();
	if (provider == 0)
		become(s, self);
	if (provider < 0) {
		int error = errno;
		(void)!write(s->wrong, &error, sizeof(error));
		_exit(127);
	}
	/* Keep the two pipes and close everything else. The scratch folder must be
	 * closed, because its lock tells that the runner lives. */
	if (dup2(s->alive, STDIN_FILENO) != STDIN_FILENO ||
	    dup2(s->report, STDOUT_FILENO) != STDOUT_FILENO)
		_exit(127);
	close_from(2);
	wait_for_end(provider, &status);
	kill_all(s, provider, &status);
	(void)!write(STDOUT_FILENO, &status, sizeof(status));
	_exit(0);
}
