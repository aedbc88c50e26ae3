/* Starts the process of a provider for the runner, and kills it with all its
 * descendants. A supervisor is between the two processes. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "job/try.h"
#include "job/scratch.h"
#include "job/supervisor.h"

#define KILL_MS 3000 /* time that a supervisor has for killing */
#define REAP_MS 500

/* Does nothing. With a handler SIGCHLD ends a sleep; with the default action it
 * does not. */
static void
child_ended(int number)
{
	(void)number;
}

void
try_init(void)
{
	struct sigaction action = { .sa_handler = child_ended, .sa_flags = SA_NOCLDSTOP };

	(void)sigaction(SIGCHLD, &action, NULL);
	(void)signal(SIGPIPE, SIG_IGN);
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

/* The pipes between runner and supervisor: [0] is the end for reading, [1] the end for
 * writing. */
struct pipes {
	int in[2], out[2], err[2], wrong[2], alive[2], report[2];
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
	close_pipe(p->alive);
	close_pipe(p->report);
}

/* Opens a pipe whose ends are 4 or above, so that dup2() onto 0 to 3 closes none of
 * them. */
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
	return open_pipe(p->in) && open_pipe(p->out) && open_pipe(p->err) && open_pipe(p->wrong) &&
	       open_pipe(p->alive) && open_pipe(p->report);
}

/* Takes the runner's end out of a pipe and makes it non-blocking. */
static int
take(int *end)
{
	int fd = *end;

	*end = -1;
	(void)fcntl(fd, F_SETFL, O_NONBLOCK);
	return fd;
}

/* Runs in the child: becomes the supervisor. */
static _Noreturn void
supervise(const char *program, const struct scratch *scratch, int64_t seconds,
    const struct try_places *places, unsigned confinement, pid_t runner, struct pipes *p)
{
	const struct supervised s = { .program = program,
		.folder = scratch->path,
		.mark = scratch->mark,
		.seconds = seconds,
		.places = places,
		.confinement = confinement,
		.runner = runner,
		.in = p->in[0],
		.out = p->out[1],
		.err = p->err[1],
		.wrong = p->wrong[1],
		.alive = p->alive[0],
		.report = p->report[1] };

	/* Only the runner may hold this end of the pipe: then the pipe is closed when
	 * the runner ends. */
	close(p->alive[1]);
	supervisor_run(&s);
}

int
try_process_start(struct ctx *c, const char *program, const struct scratch *scratch,
    int64_t seconds, struct try_process *p)
{
	unsigned confinement = harden_stranger_possible();
	struct try_places places;
	pid_t runner = getpid();
	struct pipes pipes;
	int error = 0;

	p->pid = 0;
	p->in = p->out = p->err = p->alive = p->report = -1;
	p->mark = scratch->mark;
	try_places(c, program, scratch->path, &places);
	if (!open_pipes(&pipes) || (p->pid = fork()) < 0) {
		error = errno;
		p->pid = 0;
		close_pipes(&pipes);
		return error;
	}
	if (p->pid == 0)
		supervise(program, scratch, seconds, &places, confinement, runner, &pipes);
	p->in = take(&pipes.in[1]);
	p->out = take(&pipes.out[0]);
	p->err = take(&pipes.err[0]);
	p->alive = take(&pipes.alive[1]);
	p->report = take(&pipes.report[0]);
	close(pipes.wrong[1]);
	pipes.wrong[1] = -1;
	if (read(pipes.wrong[0], &error, sizeof(error)) != sizeof(error))
		error = 0;
	close_pipes(&pipes);
	if (error != 0)
		try_process_kill(p);
	return error;
}

bool
try_process_ended(const struct try_process *p)
{
	siginfo_t info = { .si_pid = 0 };

	return waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       info.si_pid == p->pid;
}

static void
close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Waits up to KILL_MS for the end of the supervisor, which has to kill its children
 * first. Then kills the supervisor: something may have stopped it. */
static void
end_supervisor(pid_t pid)
{
	struct timespec pause = { .tv_nsec = 1000000 };

	for (int left = KILL_MS; left > 0; left--) {
		if (waitpid(pid, NULL, WNOHANG) == pid)
			return;
		nanosleep(&pause, NULL);
	}
	(void)kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		continue;
}

/* Kills the processes that this process adopted because their supervisor is gone. */
static void
kill_adopted(uint64_t mark)
{
	struct timespec pause = { .tv_nsec = 1000000 };

	for (int left = REAP_MS; left > 0;) {
		pid_t pid = waitpid(-1, NULL, WNOHANG);
		if (pid < 0 && errno != EINTR)
			break;
		if (pid > 0)
			continue;
		supervisor_kill_children();
		if (left % SUPERVISOR_SCAN_ROUNDS == 1)
			(void)scratch_kill(mark);
		nanosleep(&pause, NULL);
		left--;
	}
}

int
try_process_kill(struct try_process *p)
{
	int status = SIGKILL, said;

	close_end(&p->in);
	close_end(&p->out);
	close_end(&p->err);
	close_end(&p->alive);
	if (p->pid == 0)
		return 0;
	end_supervisor(p->pid);
	p->pid = 0;
	kill_adopted(p->mark);
	if (read(p->report, &said, sizeof(said)) == sizeof(said))
		status = said;
	close_end(&p->report);
	return status;
}
