/* The process of a provider: limits, start, killing whole. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "job/provider.h"

#define MEMORY_MAX ((rlim_t)1024 * 1024 * 1024) /* of data, each process */
#define FILE_MAX ((rlim_t)64 * 1024 * 1024)     /* bytes of one file */
#define FILES_MAX 256                           /* open at once */
#define REAP_MS 500

/* What makes SIGCHLD end a sleep: the default action would not. */
static void
child_ended(int number)
{
	(void)number;
}

void
provider_init(void)
{
	struct sigaction action = { .sa_handler = child_ended,
		.sa_flags = SA_NOCLDSTOP };

	(void)sigaction(SIGCHLD, &action, NULL);
	(void)signal(SIGPIPE, SIG_IGN);
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

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

/* The data segment, not the address space: garbage-collected languages reserve
 * far more addresses than they use. */
static void
limit_all(int64_t seconds)
{
#ifndef __SANITIZE_ADDRESS__ /* needs far more for itself */
	limit(RLIMIT_DATA, MEMORY_MAX);
#endif
	limit(RLIMIT_FSIZE, FILE_MAX);
	limit(RLIMIT_NOFILE, FILES_MAX);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_CPU, (rlim_t)seconds + 1);
}

/* Signals as a fresh process has them: ignored ones would stay ignored. */
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
	/* Linux before 5.9. */
	for (int fd = (int)first; fd < 65536; fd++)
		(void)close(fd);
}

/* In the child, from fork to exec. `wrong` tells the parent why there was no
 * exec; it is descriptor 3 then, and closed by exec. */
static _Noreturn void
become(const char *program, const char *folder, int64_t seconds, pid_t parent,
    const int fds[3], int wrong)
{
	char *const arguments[] = { (char *)program, NULL };
	char *const environment[] = { NULL };
	int error;

	(void)setpgid(0, 0);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent)
		_exit(127);
	(void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	/* None of the four is below 4: open_pipes() saw to that. */
	if (dup2(fds[0], 0) == 0 && dup2(fds[1], 1) == 1 &&
	    dup2(fds[2], 2) == 2 && dup3(wrong, 3, O_CLOEXEC) == 3 &&
	    chdir(folder) == 0) {
		close_from(4);
		reset_signals();
		limit_all(seconds);
		execve(program, arguments, environment);
		wrong = 3;
	}
	error = errno;
	(void)!write(wrong, &error, sizeof(error));
	_exit(127);
}

/* Four pipes; in each [0] is read and [1] written. */
struct pipes {
	int in[2], out[2], err[2], wrong[2];
};

static void
close_pipe(int ends[2])
{
	for (int i = 0; i < 2; i++) {
		if (ends[i] >= 0)
			close(ends[i]);
		ends[i] = -1;
	}
}

static void
close_pipes(struct pipes *p)
{
	close_pipe(p->in);
	close_pipe(p->out);
	close_pipe(p->err);
	close_pipe(p->wrong);
}

/* A pipe whose ends are 4 or above, so that dup2() onto 0 to 3 closes none. */
static bool
open_pipe(int ends[2])
{
	if (pipe2(ends, O_CLOEXEC) != 0)
		return false;
	for (int i = 0; i < 2; i++) {
		int high = fcntl(ends[i], F_DUPFD_CLOEXEC, 4);
		if (high < 0)
			return false;
		close(ends[i]);
		ends[i] = high;
	}
	return true;
}

static bool
open_pipes(struct pipes *p)
{
	memset(p, -1, sizeof(*p));
	return open_pipe(p->in) && open_pipe(p->out) && open_pipe(p->err) &&
	    open_pipe(p->wrong);
}

/* Takes our end of a pipe out of it. */
static int
take(int *end)
{
	int fd = *end;

	*end = -1;
	(void)fcntl(fd, F_SETFL, O_NONBLOCK);
	return fd;
}

int
provider_process_start(const char *program, const char *folder,
    int64_t seconds, struct provider_process *p)
{
	pid_t parent = getpid();
	struct pipes pipes;
	int error = 0;

	p->pid = 0;
	p->in = p->out = p->err = -1;
	if (!open_pipes(&pipes) || (p->pid = fork()) < 0) {
		error = errno;
		p->pid = 0;
		close_pipes(&pipes);
		return error;
	}
	if (p->pid == 0)
		become(program, folder, seconds, parent,
		    (int[]){ pipes.in[0], pipes.out[1], pipes.err[1] },
		    pipes.wrong[1]);
	/* Also here: whoever comes first. */
	(void)setpgid(p->pid, p->pid);
	p->in = take(&pipes.in[1]);
	p->out = take(&pipes.out[0]);
	p->err = take(&pipes.err[0]);
	close(pipes.wrong[1]);
	pipes.wrong[1] = -1;
	if (read(pipes.wrong[0], &error, sizeof(error)) != sizeof(error))
		error = 0;
	close_pipes(&pipes);
	if (error != 0)
		provider_process_kill(p);
	return error;
}

bool
provider_process_ended(const struct provider_process *p)
{
	siginfo_t info = { .si_pid = 0 };

	return waitid(P_PID, (id_t)p->pid, &info,
		   WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == p->pid;
}

/* Kills the children that this process has, its own and adopted ones. */
static void
kill_children(void)
{
	char path[64], list[4096];
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%ld/children",
	    (long)getpid());
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

static void
close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

int
provider_process_kill(struct provider_process *p)
{
	struct timespec pause = { .tv_nsec = 1000000 };
	int status = 0, other, left = REAP_MS;
	pid_t pid;

	close_end(&p->in);
	close_end(&p->out);
	close_end(&p->err);
	if (p->pid == 0)
		return 0;
	/* Before it is reaped, so that the number is still its own. */
	(void)kill(-p->pid, SIGKILL);
	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	p->pid = 0;
	/* What left the group has become our child by now, or will when its
	 * parent is dead. */
	while (left > 0) {
		pid = waitpid(-1, &other, WNOHANG);
		if (pid < 0 && errno != EINTR)
			break;
		if (pid > 0)
			continue;
		kill_children();
		nanosleep(&pause, NULL);
		left--;
	}
	return status;
}
