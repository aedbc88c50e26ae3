#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "job/scratch.h"
#include "job/try.h"
#include "system/conf.h"
#include "system/instance.h"

/*
 * ---- the supervisor
 *
 * The process between the runner and a provider. It adopts every process that leaves the
 * provider, and kills all of them when the provider has ended, when the runner asks for
 * it, and when the runner is dead, by any signal. If the supervisor is killed together
 * with the runner, the provider dies with it; processes that the provider left have the
 * mark of the try (scratch.h), by which the next run finds them.
 */

struct supervised {
	const char *program; /* absolute */
	const char *folder; /* its working directory */
	int64_t seconds; /* of processor time */
	const struct try_places *places;
	/* HARDEN_ bits without which nothing is started */
	unsigned confinement;
	uint64_t mark; /* of the scratch folder */
	pid_t runner;
	int in, out, err; /* the provider's 0, 1 and 2; all of these above 3 */
	/* gets an errno if the program could not be started; closed if it was
	 * started */
	int wrong;
	int alive; /* the runner closes the other end when everything must end */
	/* gets the provider's wait status when all processes have ended */
	int report;
};

/* Who kills children does it each millisecond, and looks through the processes of the
 * whole machine (scratch_kill()) in each of so many rounds only: that costs more than all
 * else, and nearly all processes of a try are children. */
#define SUPERVISOR_SCAN_ROUNDS 10

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
static void
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

/* Runs the supervisor in a child of the runner, until it exits. */
static _Noreturn void
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

/* ---- the process of a provider, as the runner starts it and kills it with all its descendants */

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

/*
 * ---- where a provider may read and write (SECURITY.md)
 *
 * They are its scratch folder, what every program of this system needs, its own program and what is
 * beside it, and what the operator added. The folder of the instance is never part of the list. The
 * folders of other instances that are in one of these places are left out, too: most of them belong
 * to the same user.
 */

#define PLACES_MAX 4096
#define DEPTH_MAX 16 /* of nested folders that hold an instance */

/* Programs, their libraries and their data. */
static const char *const programs[] = { "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64",
	"/libx32", "/opt", "/nix/store", "/gnu/store", "/snap", "/run/current-system" };

/* Data on names, addresses, certificates, users, fonts and the machine. */
static const char *const knowledge[] = { "/proc", "/sys/devices/system/cpu", "/sys/fs/cgroup",
	"/sys/kernel/mm/transparent_hugepage", "/var/cache/fontconfig",
	"/var/lib/ca-certificates" };

/* The beginnings of the names in /etc that a provider may read. The rest may hold
 * secrets of other programs. */
static const char *const of_etc[] = { "ImageMagick", "alternatives", "bash.bashrc",
	"ca-certificates", "crypto-policies", "fonts", "gai.conf", "group", "host.conf", "hostname",
	"hosts", "inputrc", "java", "ld.so", "ld-musl", "locale", "localtime", "machine-id",
	"magic", "mime.types", "networks", "nsswitch.conf", "openssl", "os-release", "pango",
	"passwd", "perl", "php", "pki", "protocols", "python", "resolv.conf", "ruby", "services",
	"ssl", "timezone" };

static const char *const devices[] = { "/dev/null", "/dev/zero", "/dev/full", "/dev/random",
	"/dev/urandom" };

struct list {
	struct ctx *c;
	struct try_places *out;
	const char *home; /* of the instance */
	/* of all instances that were found; no place is in them */
	const char **homes;
	size_t home_count;
};

static void
add(struct list *l, const char *path, enum harden_access access)
{
	struct try_places *out = l->out;
	size_t size = sizeof(*out->at);

	if (out->count >= PLACES_MAX)
		return;
	out->at = arena_grow(l->c->arena, out->at, out->count * size, (out->count + 1) * size);
	out->at[out->count++] = (struct harden_place) { path, access };
}

/* Returns whether `path` is `folder` or in it. */
static bool
is_within(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	if (len == 1)
		return true;
	return strncmp(path, folder, len) == 0 && (path[len] == '/' || path[len] == '\0');
}

/* Returns the path without symbolic links; NULL if there is no such file. */
static const char *
real(struct list *l, const char *path)
{
	char resolved[PATH_MAX];

	return realpath(path, resolved) != NULL ? arena_text(l->c->arena, resolved) : NULL;
}

/* Calls a function for each name in a folder. */
static void
each_name(struct list *l, const char *folder,
    void (*each)(struct list *l, const char *path, const char *name, void *arg), void *arg)
{
	DIR *names = opendir(folder);
	struct dirent *entry;

	while (names != NULL && (entry = readdir(names)) != NULL) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			each(
			    l, fileio_path(l->c->arena, folder, entry->d_name), entry->d_name, arg);
	}
	if (names != NULL)
		closedir(names);
}

static void
add_home(struct list *l, const char *home)
{
	size_t size = sizeof(*l->homes);

	l->homes =
	    arena_grow(l->c->arena, l->homes, l->home_count * size, (l->home_count + 1) * size);
	l->homes[l->home_count++] = home;
}

static void
add_if_instance(struct list *l, const char *path, const char *name, void *arg)
{
	(void)name;
	(void)arg;
	path = real(l, path);
	if (path != NULL && access(fileio_path(l->c->arena, path, "db/pepper"), F_OK) == 0)
		add_home(l, path);
}

/* Finds the instance, those beside it, and those in /opt and /usr/local, where people
 * put programs of their own. */
static void
find_instances(struct list *l)
{
	l->home = real(l, l->c->instance->home);
	if (l->home == NULL)
		l->home = l->c->instance->home;
	add_home(l, l->home);
	each_name(l, fileio_folder(l->c->arena, l->home), add_if_instance, NULL);
	each_name(l, "/opt", add_if_instance, NULL);
	each_name(l, "/usr/local", add_if_instance, NULL);
}

/* Returns the folder of the instance that `path` is or is in; NULL if there is none. */
static const char *
home_of(const struct list *l, const char *path)
{
	for (size_t i = 0; i < l->home_count; i++) {
		if (is_within(path, l->homes[i]))
			return l->homes[i];
	}
	return NULL;
}

static bool
holds_instance(const struct list *l, const char *path)
{
	for (size_t i = 0; i < l->home_count; i++) {
		if (is_within(l->homes[i], path))
			return true;
	}
	return false;
}

struct around {
	enum harden_access access;
	int depth;
};

/* Adds a place that exists. If an instance is in it, adds everything in the place
 * except the instance. Symbolic links there are skipped: what they point to must be
 * allowed by its own path. */
static void
add_around(struct list *l, const char *path, const char *name, void *arg)
{
	const struct around *a = arg;
	struct around deeper = { a->access, a->depth + 1 };
	struct stat st;

	(void)name;
	if (home_of(l, path) != NULL || lstat(path, &st) != 0 || S_ISLNK(st.st_mode))
		return;
	if (!holds_instance(l, path))
		add(l, path, a->access);
	else if (a->depth < DEPTH_MAX)
		each_name(l, path, add_around, &deeper);
}

static void
add_place(struct list *l, const char *path, enum harden_access access)
{
	const char *place = real(l, path);
	struct around a = { access, 0 };

	if (place != NULL)
		add_around(l, place, "", &a);
}

static void
add_places(struct list *l, const char *const *paths, size_t count, enum harden_access access)
{
	for (size_t i = 0; i < count; i++)
		add_place(l, paths[i], access);
}

static void
add_of_etc(struct list *l, const char *path, const char *name, void *arg)
{
	(void)arg;
	for (size_t i = 0; i < sizeof(of_etc) / sizeof(of_etc[0]); i++) {
		if (strncmp(name, of_etc[i], strlen(of_etc[i])) == 0) {
			add_place(l, path, HARDEN_READ);
			return;
		}
	}
}

/* Adds a plain file that is not hidden and not in an instance. */
static void
add_file(struct list *l, const char *path, const char *name, void *arg)
{
	struct stat st;

	(void)arg;
	if (name[0] != '.' && lstat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	    home_of(l, path) == NULL)
		add(l, path, HARDEN_RUN);
}

static bool
is_home_of_user(const char *folder)
{
	const struct passwd *user = getpwuid(geteuid());
	char resolved[PATH_MAX];

	return user != NULL && user->pw_dir != NULL && realpath(user->pw_dir, resolved) != NULL &&
	       strcmp(resolved, folder) == 0;
}

/* Returns whether `folder`, which is in the instance `home`, may be a program's
 * own folder: it is neither the instance itself nor one of the instance's data
 * folders. */
static bool
is_own_in_home(const char *home, const char *folder)
{
	static const char *const kept[] = { "db", "run", "log", "good", "people", "stats" };
	const char *within = folder + strlen(home);

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		if (is_within(within + (within[0] == '/'), kept[i]))
			return false;
	}
	return within[0] != '\0';
}

/* Adds the folder of a program. If the folder also holds an instance or is the home of
 * its user, it holds much else: then only the files that are directly in it are added. */
static void
add_beside(struct list *l, const char *folder)
{
	const char *home = home_of(l, folder);

	if (home != NULL) {
		if (is_own_in_home(home, folder))
			add(l, folder, HARDEN_RUN);
	} else if (holds_instance(l, folder) || is_home_of_user(folder)) {
		each_name(l, folder, add_file, NULL);
	} else {
		add(l, folder, HARDEN_RUN);
	}
}

static void
add_program(struct list *l, const char *program)
{
	const char *place = real(l, program), *named;

	if (place == NULL)
		return;
	add(l, place, HARDEN_RUN);
	add_beside(l, fileio_folder(l->c->arena, place));
	/* If the program is a link, its settings may be beside the link or beside the
	 * program. */
	named = real(l, fileio_folder(l->c->arena, program));
	if (named != NULL)
		add_beside(l, named);
}

/* Adds the settings and the key of provider-openai. */
static void
add_openai(struct list *l)
{
	const char *key = l->c->conf->openai_key_file;

	add(l, l->c->instance->conf, HARDEN_READ);
	if (key[0] == '/')
		add(l, key, HARDEN_READ);
	else if (key[0] != '\0')
		add(l, fileio_path(l->c->arena, l->c->instance->home, key), HARDEN_READ);
}

/* Adds the paths of `provider_reads` in galley.conf, which are separated by spaces. */
static void
add_wished(struct list *l, const char *wishes)
{
	while (*wishes != '\0') {
		size_t len = strcspn(wishes, " \t");
		if (wishes[0] == '/')
			add_place(l, arena_text_n(l->c->arena, wishes, len), HARDEN_RUN);
		wishes += len;
		wishes += strspn(wishes, " \t");
	}
}

void
try_places(struct ctx *c, const char *program, const char *scratch, struct try_places *out)
{
	struct list l = { .c = c, .out = out };
	const char *openai = fileio_path(c->arena, c->instance->programs, "bin/provider-openai");

	memset(out, 0, sizeof(*out));
	find_instances(&l);
	add(&l, scratch, HARDEN_OWN);
	add_places(&l, programs, sizeof(programs) / sizeof(programs[0]), HARDEN_RUN);
	add_places(&l, knowledge, sizeof(knowledge) / sizeof(knowledge[0]), HARDEN_READ);
	each_name(&l, "/etc", add_of_etc, NULL);
	add_places(&l, devices, sizeof(devices) / sizeof(devices[0]), HARDEN_DEVICE);
	add_program(&l, program);
	if (strcmp(program, openai) == 0)
		add_openai(&l);
	add_wished(&l, c->conf->provider_reads);
}
