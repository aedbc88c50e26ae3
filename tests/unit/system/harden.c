/* suite: fast */
#include "system/harden.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tap.h"

static char folder[] = "/tmp/galley-harden-XXXXXX";
static char inside[64], outside[64], one[64];
static int kept_open;

/* CONNECTING: confined, but with its way to a store on another machine. */
enum stage { BEGUN, LIMITED, CONFINED, CONNECTING };

/* Runs `f` in a child that is hardened as `kind`, as far as `stage`; returns its exit
 * status. */
static int
asked(enum harden_kind kind, enum stage stage, int (*f)(void))
{
	const struct harden_path paths[] = { { inside, true, HARDEN_MAKE_NOTHING },
		{ one, false, HARDEN_MAKE_NOTHING }, { "/nowhere", true, HARDEN_MAKE_NOTHING } };
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		harden_process(kind);
		if (stage >= LIMITED)
			harden_limit(kind);
		if (stage >= CONFINED)
			(void)harden_confine(paths, 3, stage == CONNECTING);
		_exit(f());
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 256;
}

static unsigned
possible(void)
{
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0)
		_exit((int)harden_confine(NULL, 0, false));
	waitpid(child, &status, 0);
	return (unsigned)WEXITSTATUS(status);
}

/* Each returns 0, or the errno of its attempt. */

static int
make_inside(void)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/new", inside);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	return fd >= 0 && write(fd, "x", 1) == 1 && unlink(path) == 0 ? 0 : errno;
}

static int
read_outside(void)
{
	return open(outside, O_RDONLY) >= 0 ? 0 : errno;
}

static int
read_one(void)
{
	return open(one, O_RDONLY) >= 0 ? 0 : errno;
}

static int
write_one(void)
{
	return open(one, O_WRONLY) >= 0 ? 0 : errno;
}

static int
make_outside(void)
{
	char path[128];

	snprintf(path, sizeof(path), "%s.new", outside);
	return open(path, O_RDWR | O_CREAT, 0600) >= 0 ? 0 : errno;
}

static int
run_program(void)
{
	char *const argv[] = { "true", NULL }, *const env[] = { NULL };

	execve("/bin/true", argv, env);
	return errno;
}

static int
make_process(void)
{
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	return child > 0 ? 0 : errno;
}

static int
make_socket(void)
{
	return socket(AF_INET, SOCK_STREAM, 0) >= 0 ? 0 : errno;
}

static int
connect_socket(void)
{
	const struct sockaddr to = { .sa_family = AF_UNIX, .sa_data = "nowhere" };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	if (fd < 0 || bind(fd, &to, sizeof(to)) == 0)
		return EPERM;
	return connect(fd, &to, sizeof(to)) == 0 ? 0 : errno;
}

static int
signal_parent(void)
{
	return kill(getppid(), 0) == 0 ? 0 : errno;
}

/* A call by its number, with arguments that could do nothing. */
static int
call(long number)
{
	return syscall(number, -1L, 0L, 0L, 0L, 0L, 0L) >= 0 ? 0 : errno;
}

static int
first_refused_of_a_run(void)
{
	return call(424);
}

static int
last_refused_of_a_run(void)
{
	return call(435);
}

static int
before_a_run(void)
{
	return call(423);
}

static int
after_a_run(void)
{
	return call(436);
}

static int
make_room(void)
{
	return unshare(0) == 0 ? 0 : errno;
}

static int
stray_is_open(void)
{
	return fcntl(kept_open, F_GETFD) >= 0 ? 0 : errno;
}

static int
environment_left(void)
{
	if (getenv("REQUEST_METHOD") == NULL || getenv("HTTP_ACCEPT") == NULL)
		return 1;
	return getenv("LD_LIBRARY_PATH") != NULL || getenv("HTTP_PROXY") != NULL ||
		       getenv("PATH") != NULL
		   ? 2
		   : 0;
}

static rlim_t size_before; /* the limit of a file that this test runs under */

static int
limits_hold(void)
{
	struct rlimit core, files, size;

	getrlimit(RLIMIT_CORE, &core);
	getrlimit(RLIMIT_NOFILE, &files);
	getrlimit(RLIMIT_FSIZE, &size);
	return core.rlim_max == 0 && files.rlim_max == 64 && size.rlim_cur == size_before ? 0 : 1;
}

static int
limits_of_the_console_hold(void)
{
	struct rlimit memory, cpu;

	getrlimit(RLIMIT_AS, &memory);
	getrlimit(RLIMIT_CPU, &cpu);
	harden_life(300);
	if (alarm(0) < 400)
		return 2;
#ifdef __SANITIZE_ADDRESS__
	memory.rlim_max = (rlim_t)640 << 20;
#endif
	return memory.rlim_max == (rlim_t)640 << 20 && cpu.rlim_max == 30 ? 0 : 1;
}

static int
dumpable(void)
{
	return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
}

static int
core_files(void)
{
	struct rlimit core;

	getrlimit(RLIMIT_CORE, &core);
	return core.rlim_max == 0 ? 0 : 1;
}

static int
null_is_standard_input(void)
{
	return fcntl(STDIN_FILENO, F_GETFD) >= 0 ? 0 : errno;
}

static void
confined_processes_reach_nothing_else(unsigned can)
{
	bool files = (can & HARDEN_FILES) != 0, calls = (can & HARDEN_CALLS) != 0;

	is_int(asked(HARDEN_FCGI, CONFINED, make_inside), 0,
	    "files in its folder are made, written and removed");
	is_int(asked(HARDEN_FCGI, LIMITED, read_outside), 0,
	    "before it was confined others could be read");
	is_int(asked(HARDEN_FCGI, CONFINED, read_outside), files ? EACCES : 0,
	    "others cannot be read");
	is_int(asked(HARDEN_FCGI, CONFINED, make_outside), files ? EACCES : 0, "nor made");
	is_int(
	    asked(HARDEN_FCGI, CONFINED, read_one), 0, "a file that was named for reading is read");
	is_int(asked(HARDEN_FCGI, CONFINED, write_one), files ? EACCES : 0, "and not written");
	is_int(asked(HARDEN_FCGI, CONFINED, run_program), calls ? EPERM : EACCES,
	    "no program can be run");
	is_int(asked(HARDEN_FCGI, CONFINED, make_process), calls ? EPERM : 0, "no process made");
	is_int(asked(HARDEN_FCGI, CONFINED, make_socket), calls ? EPERM : 0, "no socket");
	is_int(asked(HARDEN_FCGI, CONNECTING, connect_socket), calls ? ENOENT : EPERM,
	    "where the store is on another machine it may connect, and not bind");
	is_int(asked(HARDEN_FCGI, CONNECTING, run_program), calls ? EPERM : EACCES,
	    "and then runs no program either");
	is_int(asked(HARDEN_FCGI, CONFINED, signal_parent), calls ? EPERM : 0, "nobody signalled");
	is_int(asked(HARDEN_FCGI, CONFINED, make_room), calls ? EPERM : 0, "no other room entered");
	if (!calls)
		return;
	is_int(asked(HARDEN_FCGI, CONFINED, first_refused_of_a_run), EPERM,
	    "the first call of a refused run is refused");
	is_int(asked(HARDEN_FCGI, CONFINED, last_refused_of_a_run), EPERM, "and the last");
	ok(asked(HARDEN_FCGI, CONFINED, before_a_run) != EPERM, "what comes before it is not");
	ok(asked(HARDEN_FCGI, CONFINED, after_a_run) != EPERM, "nor after it");
	is_int(asked(HARDEN_FCGI, LIMITED, make_process), 0,
	    "before it was confined a process could be made");
}

int
main(void)
{
	struct rlimit size;
	unsigned can;
	int fd;

	if (mkdtemp(folder) == NULL)
		return 1;
	snprintf(inside, sizeof(inside), "%s/in", folder);
	snprintf(outside, sizeof(outside), "%s/out", folder);
	mkdir(inside, 0700);
	fd = open(outside, O_RDWR | O_CREAT, 0600);
	kept_open = fd;
	snprintf(one, sizeof(one), "%s/one", folder);
	close(open(one, O_RDWR | O_CREAT, 0600));
	setenv("LD_LIBRARY_PATH", "/tmp", 1);
	setenv("HTTP_PROXY", "http://127.0.0.1:1", 1);
	setenv("HTTP_ACCEPT", "*/*", 1);
	setenv("REQUEST_METHOD", "GET", 1);

	getrlimit(RLIMIT_FSIZE, &size);
	size_before = size.rlim_max;
	can = possible();
	ok(true, "this kernel confines %s%s", can & 1 ? "files " : "", can & 2 ? "calls" : "");
	confined_processes_reach_nothing_else(can);
	setenv("GALLEY_HARDEN", "on", 1);
	can &= HARDEN_FILES | HARDEN_CALLS;
	is_int(harden_stranger_possible() & (HARDEN_FILES | HARDEN_CALLS), can,
	    "a stranger's program is confined as far as others are");
	unsetenv("GALLEY_HARDEN");
	is_int(asked(HARDEN_CGI, BEGUN, stray_is_open), EBADF,
	    "a descriptor that leaked in is closed");
	is_int(asked(HARDEN_CGI, BEGUN, environment_left), 0,
	    "of the environment the request's variables are left");
	is_int(asked(HARDEN_TOOL, BEGUN, environment_left), 2, "a tool keeps its own");
	is_int(asked(HARDEN_CGI, BEGUN, dumpable), 0, "before all else: no core file, no debugger");
	is_int(asked(HARDEN_TOOL, BEGUN, core_files), 0, "what a tool starts leaves no core file");
	is_int(asked(HARDEN_CONSOLE, LIMITED, limits_of_the_console_hold), 0,
	    "a process of the console has 640 MiB and 30 s, and waits for an upload");
	is_int(asked(HARDEN_CGI, LIMITED, limits_hold), 0,
	    "no core file, few descriptors, files of any size");
	if (geteuid() != 0)
		is_int(asked(HARDEN_CGI, LIMITED, make_process), EAGAIN,
		    "a CGI process makes no other, confined or not");
	close(STDIN_FILENO);
	is_int(asked(HARDEN_CGI, BEGUN, null_is_standard_input), 0,
	    "a missing standard descriptor is there");

	unlink(outside);
	unlink(one);
	rmdir(inside);
	rmdir(folder);
	return done_testing();
}
