/*
 * galley-serve [--instance DIR] [--sockets DIR] [--processes N] [--with COMMAND]
 *
 * Keeps an instance running, as its owner, in the place of cron and of a web server's process
 * manager: it listens on a socket for each program of cgi-bin/, starts a program's processes with
 * the first request (web/serve-fcgi.h), and starts job-runner each minute.
 *
 * It reads no byte of a request. It may be process 1: it waits for every process that has lost its
 * parent, and ends all of them with itself. In a container it also runs the web server (--with).
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <dirent.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "start/owner.h"
#include "start/tool.h"
#include "system/fault.h"
#include "system/filelock.h"
#include "system/instance.h"
#include "system/program.h"
#include "terminal/hints.h"

#define MEMORY_MAX ((size_t)16 * 1024 * 1024)
#define PROGRAMS_MAX 64
#define CHILDREN_MAX 512
#define BACKLOG 511
#define MINUTE (60 * CLOCK_SECOND)
/* With --with: a container is killed ten seconds after SIGTERM. */
#define COMMAND_ENDS (4 * CLOCK_SECOND)
#define ALL_END (8 * CLOCK_SECOND)

static const char usage[] =
    "usage: galley-serve [--instance DIR] [--sockets DIR] [--processes N]\n"
    "           [--with COMMAND]\n"
    "\n"
    "Keeps an instance running until SIGTERM: listens for a web server that asks\n"
    "by FastCGI, starts programs with their first requests, and job-runner each\n"
    "minute. Then neither cron nor a manager of processes is needed.\n"
    "\n"
    "  --sockets DIR   where PROGRAM.socket is made for each program\n"
    "                  (/run/galley/NAME, by the name of the instance's folder)\n"
    "  --processes N   of a program, unless apache-conf/PROGRAM.env has a number (8)\n"
    "  --with COMMAND  also runs COMMAND by the shell. When COMMAND ends, so does all;\n"
    "                  what SIGTERM has not ended after eight seconds is killed\n"
    "  --instance DIR  the instance, where it is not the program's own\n";

struct options {
	const char *instance, *sockets, *processes, *with;
};

struct program {
	const char *path;
	struct sockaddr_un address;
	char *variable; /* GALLEY_PROCESSES=N */
	int fd; /* listens */
	pid_t pool; /* 0: nothing has asked yet, or its processes have ended */
	int64_t started; /* boot clock */
	int64_t
	    not_before; /* boot clock: a program that failed at once is not tried again before */
};

static struct program programs[PROGRAMS_MAX];
static size_t program_count;

/* The command of --with; 0: there is none, or it has ended. */
static pid_t command;

/* What this process is told. Signals arrive only while it waits. */
static const int signals[] = { SIGTERM, SIGINT, SIGHUP, SIGCHLD };

/* The signals to end that came. */
static volatile sig_atomic_t endings;

static void
read_options(int argc, char **argv, struct options *out)
{
	memset(out, 0, sizeof(*out));
	out->processes = "8";
	for (int i = 1; i < argc; i++) {
		const char **value = strcmp(argv[i], "--instance") == 0	   ? &out->instance
				     : strcmp(argv[i], "--sockets") == 0   ? &out->sockets
				     : strcmp(argv[i], "--processes") == 0 ? &out->processes
				     : strcmp(argv[i], "--with") == 0	   ? &out->with
									   : NULL;
		if (strcmp(argv[i], "--help") == 0)
			usage_print(usage);
		if (value != NULL && i + 1 < argc)
			*value = argv[++i];
		else
			usage_refuse(usage);
	}
}

/* ---- sockets */

/* Returns the number of processes that a program has, as the variable by which it learns it. */
static char *
processes_of(struct ctx *c, const char *name, const char *usual)
{
	static const char variable[] = "GALLEY_PROCESSES=";
	const char *path =
	    arena_printf(c->arena, "%s/apache-conf/%s.env", c->instance->programs, name);
	const char *text = fileio_read_now(c->arena, path, 4096, NULL);
	const char *own = text != NULL ? strstr(text, variable) : NULL;

	if (own == NULL)
		return arena_printf(c->arena, "%s%s", variable, usual);
	return arena_printf(c->arena, "%s%.*s", variable,
	    (int)strspn(own + sizeof(variable) - 1, "0123456789"), own + sizeof(variable) - 1);
}

/* Removes a socket that a killed process left. One at which somebody listens belongs to another
 * instance: the lock says that no process serves this one. */
static void
remove_left(const struct sockaddr_un *address)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd >= 0 && connect(fd, (const struct sockaddr *)address, sizeof(*address)) == 0)
		die("%s: another process listens there. Name another folder with --sockets.",
		    address->sun_path);
	if (fd >= 0)
		close(fd);
	(void)unlink(address->sun_path);
}

/* A process that may connect can name any address as the reader's. So only the owner may, and the
 * group that the folder (www-data's, mode 2750) gives to what is made in it. */
static void
listen_for(struct program *p)
{
	mode_t mask = umask(0117);

	remove_left(&p->address);
	p->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (p->fd < 0 ||
	    bind(p->fd, (const struct sockaddr *)&p->address, sizeof(p->address)) != 0 ||
	    listen(p->fd, BACKLOG) != 0)
		die("%s: %s", p->address.sun_path, strerror(errno));
	umask(mask);
}

static void
add_program(struct ctx *c, const struct options *options, const char *name)
{
	struct program *p = &programs[program_count];
	const char *path = arena_printf(c->arena, "%s/cgi-bin/%s", c->instance->programs, name);
	const char *socket_path;
	struct stat st;

	if (name[0] == '.' || lstat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
	    access(path, X_OK) != 0)
		return;
	if (++program_count > PROGRAMS_MAX)
		die("cgi-bin has more than %d programs", PROGRAMS_MAX);
	*p = (struct program) { .path = path, .address.sun_family = AF_UNIX };
	p->variable = processes_of(c, name, options->processes);
	socket_path = arena_printf(c->arena, "%s/%s.socket", options->sockets, name);
	if (strlen(socket_path) >= sizeof(p->address.sun_path))
		die("%s: the name of this folder is too long for a socket", options->sockets);
	memcpy(p->address.sun_path, socket_path, strlen(socket_path) + 1);
	listen_for(p);
}

static void
add_programs(struct ctx *c, const struct options *options)
{
	const char *folder = fileio_path(c->arena, c->instance->programs, "cgi-bin");
	const struct dirent *entry;
	DIR *dir = opendir(folder);

	if (dir == NULL)
		die("%s: %s", folder, strerror(errno));
	while ((entry = readdir(dir)) != NULL)
		add_program(c, options, entry->d_name);
	closedir(dir);
	if (program_count == 0)
		die("%s holds no program", folder);
}

/* ---- processes */

/* Becomes a program with the socket, or nothing, as its standard input; only a command with words
 * may print. What is started must not outlive this process: nothing else would end it. */
static _Noreturn void
become(char *const argv[], int fd, char *variable, const sigset_t *mask, pid_t parent)
{
	static char path_variable[] = "PATH=/usr/sbin:/usr/bin:/sbin:/bin";
	char *env[64] = { path_variable, variable };
	int none = open("/dev/null", O_RDWR | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(0);
	(void)dup2(fd >= 0 ? fd : none, STDIN_FILENO);
	if (argv[1] == NULL)
		(void)dup2(none, STDOUT_FILENO);
	/* SIGTERM is sent once (tell()): one that comes now must end this process. */
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		(void)signal(signals[i], SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	(void)FAULT("becomes-a-program");
#ifdef GALLEY_TEST
	for (size_t i = 0, n = variable != NULL ? 2 : 1; environ[i] != NULL && n < 63; i++) {
		if (strncmp(environ[i], "GALLEY_", 7) == 0 || strncmp(environ[i], "FCGI_", 5) == 0)
			env[n++] = environ[i];
	}
#endif
	execve(argv[0], argv, env);
	log_line("%s: %s", argv[0], strerror(errno));
	_exit(127);
}

/* Returns the process, 0 if there is none. */
static pid_t
start_words(char *const argv[], int fd, char *variable, const sigset_t *mask)
{
	pid_t own = getpid(), pid = fork();

	if (pid == 0)
		become(argv, fd, variable, mask, own);
	if (pid < 0)
		log_line("no process for %s: %s", argv[0], strerror(errno));
	return pid > 0 ? pid : 0;
}

static pid_t
start(const char *path, int fd, char *variable, const sigset_t *mask)
{
	return start_words((char *[]) { (char *)(uintptr_t)path, NULL }, fd, variable, mask);
}

static void
start_command(struct ctx *c, const char *with, const sigset_t *mask)
{
	char *argv[] = { "/bin/sh", "-c", arena_printf(c->arena, "exec %s", with), NULL };

	command = start_words(argv, -1, NULL, mask);
	if (command == 0)
		die("%s: %s", with, strerror(errno));
}

/* Waits for the processes that have ended, also for those that are not ours. */
static void
reap(void)
{
	int64_t now = clock_boot();
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == command)
			command = 0;
		for (size_t i = 0; i < program_count; i++) {
			struct program *p = &programs[i];
			if (p->pool != pid)
				continue;
			p->pool = 0;
			if (now - p->started < CLOCK_SECOND)
				p->not_before = now + CLOCK_SECOND;
		}
	}
}

/* Sends a child the signal. SIGTERM is sent once: some programs end at once at the second one. */
static void
tell(pid_t pid, int signal)
{
	static pid_t told[CHILDREN_MAX];
	static size_t count;
	size_t i = 0;

	while (i < count && told[i] != pid)
		i++;
	if (i < count && signal == SIGTERM)
		return;
	(void)kill(pid, signal);
	if (i == count && count < CHILDREN_MAX)
		told[count++] = pid;
}

/* Tells the children that were started here, and those that have lost their parents. */
static void
tell_children(const char *list, int signal)
{
	FILE *in = fopen(list, "re");
	int pid;

	for (size_t i = 0; i < program_count; i++) {
		if (programs[i].pool != 0)
			tell(programs[i].pool, signal);
	}
	while (in != NULL && fscanf(in, "%d", &pid) == 1)
		tell(pid, signal);
	if (in != NULL)
		fclose(in);
}

/* Ends everything. Each process ends after the request, or the piece of work, that it is at; a
 * second signal kills what is left, and so does the time (boot clock; 0: no limit). */
static void
end_all(struct ctx *c, int64_t limit, const sigset_t *waiting)
{
	const struct timespec second = { 1, 0 };
	const char *list = arena_printf(c->arena, "/proc/self/task/%ld/children", (long)getpid());

	/* The web server sees at once that nobody listens. */
	for (size_t i = 0; i < program_count; i++) {
		close(programs[i].fd);
		(void)unlink(programs[i].address.sun_path);
	}
	for (;;) {
		reap();
		if (waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD)
			return;
		tell_children(
		    list, endings > 1 || (limit != 0 && clock_boot() >= limit) ? SIGKILL : SIGTERM);
		(void)ppoll(NULL, 0, limit != 0 ? &second : NULL, waiting);
	}
}

/* ---- the loop */

static void
on_signal(int signal)
{
	if (signal != SIGCHLD)
		endings = endings + 1;
}

/* Signals wait until the process waits. */
static void
prepare_signals(sigset_t *waiting)
{
	struct sigaction action;
	sigset_t blocked;

	memset(&action, 0, sizeof(action));
	action.sa_handler = on_signal;
	sigemptyset(&blocked);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		sigaction(signals[i], &action, NULL);
		sigaddset(&blocked, signals[i]);
	}
	sigprocmask(SIG_BLOCK, &blocked, waiting);
}

static int64_t
minute(void)
{
#ifdef GALLEY_TEST
	const char *shorter = getenv("GALLEY_SERVE_MINUTE_MS");

	if (shorter != NULL)
		return atoi(shorter) * (CLOCK_SECOND / 1000);
#endif
	return MINUTE;
}

/* Waits for a request to a program that has no process, for a signal, or until `until`. */
static void
wait_and_start(int64_t until, const sigset_t *waiting)
{
	struct pollfd fds[PROGRAMS_MAX];
	struct program *of[PROGRAMS_MAX];
	int64_t now = clock_boot();
	struct timespec time;
	nfds_t count = 0;

	for (size_t i = 0; i < program_count; i++) {
		struct program *p = &programs[i];
		if (p->pool == 0 && p->not_before > now && p->not_before < until)
			until = p->not_before;
		if (p->pool != 0 || p->not_before > now)
			continue;
		of[count] = p;
		fds[count++] = (struct pollfd) { .fd = p->fd, .events = POLLIN };
	}
	until = until > now ? until - now : 0;
	time = (struct timespec) { until / CLOCK_SECOND, until % CLOCK_SECOND * 1000 };
	if (ppoll(fds, count, &time, waiting) <= 0)
		return;
	for (nfds_t i = 0; i < count; i++) {
		if ((fds[i].revents & POLLIN) == 0)
			continue;
		of[i]->started = clock_boot();
		of[i]->pool = start(of[i]->path, of[i]->fd, of[i]->variable, waiting);
		if (of[i]->pool == 0)
			of[i]->not_before = of[i]->started + CLOCK_SECOND;
	}
}

/* The command ends before the programs: they answer the requests that it has taken. */
static void
end_command(const sigset_t *waiting)
{
	int64_t until = clock_boot() + COMMAND_ENDS;

	while (command != 0 && endings < 2 && clock_boot() < until) {
		tell(command, SIGTERM);
		wait_and_start(until, waiting);
		reap();
	}
}

/* Returns the exit status: 1 if the command has ended by itself. */
static int
serve(struct ctx *c, const char *with)
{
	const char *runner = fileio_path(c->arena, c->instance->programs, "bin/job-runner");
	int64_t next = clock_boot();
	sigset_t waiting;
	bool ended;

	prepare_signals(&waiting);
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (with != NULL)
		start_command(c, with, &waiting);
	while (endings == 0 && (with == NULL || command != 0)) {
		/* One that is at work still has its own lock, as under cron. */
		if (clock_boot() >= next) {
			(void)start(runner, -1, NULL, &waiting);
			next = clock_boot() + minute();
		}
		wait_and_start(next, &waiting);
		reap();
	}
	ended = endings == 0;
	if (ended)
		log_line("%s has ended, and so does all else", with);
	int64_t limit = with != NULL ? clock_boot() + ALL_END : 0;
	end_command(&waiting);
	end_all(c, limit, &waiting);
	return ended ? 1 : 0;
}

/* Two processes would take each other's sockets. */
static void
lock(struct ctx *c)
{
	const char *path = fileio_path(c->arena, c->instance->run, "serve.lock");
	pid_t holder;

	if (filelock_take(path, &holder) >= 0)
		return;
	if (holder == 0)
		die("%s: %s", path, strerror(errno));
	die("Process %ld serves this instance already.", (long)holder);
}

int
main(int argc, char **argv)
{
	struct instance instance;
	struct arena arena;
	struct ctx c = { .request_id = "", .hint = hints_tell };
	struct options options;
	struct err *err;

	if (tool_refuse_web("galley-serve"))
		return 2;
	read_options(argc, argv, &options);
	tool_begin(&c, &arena, "galley-serve", MEMORY_MAX);
	err = tool_find(&c, options.instance, &instance);
	if (err == NULL)
		err = owner_become(&c);
	if (err != NULL)
		die("%s", err->message);
	if (options.sockets == NULL)
		options.sockets =
		    fileio_path(&arena, "/run/galley", fileio_name(instance.programs));
	lock(&c);
	add_programs(&c, &options);
	return serve(&c, options.with);
}
