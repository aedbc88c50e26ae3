/*
 * Starts programs for tests/lib/Galley/Process.pm: a Perl that forks copies the tables of
 * its memory and then page by page what the two write, which costs more than most of our
 * programs. This process is small, and vfork() copies nothing.
 *
 * It reads orders from standard input and writes an answer to standard output for each, until its
 * input ends or an order has no words. An order is a struct order, then ARGC words, ENVC variables
 * and the path of the working folder, each with its NUL, then the bytes of the program's standard
 * input. An answer is a struct answer, then the bytes of standard output and standard error. The
 * three are files without names.
 *
 * Between vfork() and exec, the child shares the memory of this process: it calls only what
 * changes nothing there. The wrappers of setuid() and others would speak to threads.
 */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

struct order {
	uint32_t size; /* of what follows */
	uint32_t argc, envc;
	int32_t uid, gid; /* -1: those of this process */
	uint32_t mask;
	uint32_t seconds; /* after which the program is killed, unless it works */
};

struct answer {
	uint32_t status; /* of waitpid() */
	uint32_t late;
	uint32_t out, err; /* sizes */
};

static volatile sig_atomic_t rang;

static void
on_alarm(int number)
{
	(void)number;
	rang = 1;
}

static void
fail(const char *what)
{
	fprintf(stderr, "spawn: %s: %s\n", what, strerror(errno));
	_exit(1);
}

static int
file_with(const char *bytes, size_t size)
{
	int fd = memfd_create("test", MFD_CLOEXEC);
	if (fd < 0 || fchmod(fd, 0600) != 0)
		fail("memfd_create");
	for (size_t done = 0; done < size;) {
		ssize_t n = pwrite(fd, bytes + done, size - done, (off_t)done);
		if (n < 0)
			fail("pwrite");
		done += (size_t)n;
	}
	return fd;
}

/* Returns the rest of what was read, after the zero of a text that is in it. */
static char *
after(char *text, const char *end)
{
	char *zero = memchr(text, 0, (size_t)(end - text));
	if (!zero) {
		errno = EBADMSG;
		fail("an order");
	}
	return zero + 1;
}

/* Whether this is whole; false at the end of the input. */
static int
read_whole(void *to, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = read(0, (char *)to + done, size - done);
		if (n == 0)
			return 0;
		if (n < 0)
			fail("read");
		done += (size_t)n;
	}
	return 1;
}

static void
write_whole(const void *from, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = write(1, (const char *)from + done, size - done);
		if (n < 0)
			fail("write");
		done += (size_t)n;
	}
}

static size_t
size_of(int fd)
{
	struct stat st;
	if (fstat(fd, &st) != 0)
		fail("fstat");
	return (size_t)st.st_size;
}

/* Writes the bytes, which may have become fewer meanwhile: zeros are read instead. */
static void
write_file(int fd, size_t size)
{
	char *bytes = calloc(1, size + 1);
	if (!bytes)
		fail("calloc");
	for (size_t done = 0; done < size;) {
		ssize_t n = pread(fd, bytes + done, size - done, (off_t)done);
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	write_whole(bytes, size);
	free(bytes);
}

/* What the child does. It never returns, and writes why it could not. */
static void
become_program(const struct order *o, char **words, const char *folder, const int fds[3])
{
	const char *what = "chdir";
	const gid_t group = (gid_t)o->gid;
	if (chdir(folder) != 0)
		goto done;
	umask(o->mask);
	what = "setuid";
	if (o->uid >= 0 && (syscall(SYS_setgroups, 1, &group) != 0 ||
			       syscall(SYS_setresgid, o->gid, o->gid, o->gid) != 0 ||
			       syscall(SYS_setresuid, o->uid, o->uid, o->uid) != 0))
		goto done;
	what = "dup2";
	for (int i = 0; i < 3; i++)
		if (dup2(fds[i], i) != i)
			goto done;
	what = "exec";
	execvp(words[0], words);
done:
	dprintf(fds[2], "%s %s: %s\n", what, words[0], strerror(errno));
	_exit(127);
}

/* Its variables are those of `environ`, which gives execvp() its PATH, too. */
static pid_t
start(const struct order *o, char **words, char **variables, const char *folder, const int fds[3])
{
	char **own = environ;
	environ = variables;
	pid_t pid = vfork();
	if (pid == 0)
		become_program(o, words, folder, fds);
	if (pid < 0)
		fail("vfork");
	environ = own;
	return pid;
}

/* What a process and those it waited for have used of processors, in hundredths of seconds. */
static unsigned
computed(pid_t pid)
{
	unsigned long used[4] = { 0 };
	char path[64], line[1024];
	const char *rest;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	rest = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
	fclose(file);
	if (rest)
		(void)sscanf(rest + 1,
		    " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %lu %lu", &used[0],
		    &used[1], &used[2], &used[3]);
	return (unsigned)((used[0] + used[1] + used[2] + used[3]) * 100 /
			  (unsigned long)sysconf(_SC_CLK_TCK));
}

/* Waits for the program. It hangs if within the seconds it has neither written nor computed for a
 * hundredth of them, or has computed twice as many: what works is slow on a slow machine. */
static int
wait_for(pid_t pid, const struct order *o, const int fds[3], uint32_t *late)
{
	const struct itimerval each = { { o->seconds, 0 }, { o->seconds, 0 } }, none = { 0 };
	size_t written = 0;
	unsigned used = 0, alarms = 0;
	int status;

	rang = 0;
	setitimer(ITIMER_REAL, &each, NULL);
	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			fail("waitpid");
		if (!rang)
			continue;
		rang = 0;
		size_t size = size_of(fds[1]) + size_of(fds[2]);
		unsigned now = computed(pid);
		if ((size == written && now - used < o->seconds) || now > 200 * o->seconds ||
		    ++alarms == 20) {
			*late = 1;
			kill(pid, SIGKILL);
		}
		written = size;
		used = now;
	}
	setitimer(ITIMER_REAL, &none, NULL);
	return status;
}

static void
run(const struct order *o, char *bytes)
{
	const char *end = bytes + o->size;
	char **words = calloc(o->argc + o->envc + 2, sizeof *words);
	if (!words)
		fail("words");
	char **variables = words + o->argc + 1;
	for (uint32_t i = 0; i < o->argc; i++, bytes = after(bytes, end))
		words[i] = bytes;
	for (uint32_t i = 0; i < o->envc; i++, bytes = after(bytes, end))
		variables[i] = bytes;
	const char *folder = bytes;
	bytes = after(bytes, end);
	int fds[3] = { file_with(bytes, (size_t)(end - bytes)), file_with("", 0),
		file_with("", 0) };
	uint32_t late = 0;
	int status = wait_for(start(o, words, variables, folder, fds), o, fds, &late);
	/* A program may have left processes that are this one's children. */
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	struct answer a = { (uint32_t)status, late, (uint32_t)size_of(fds[1]),
		(uint32_t)size_of(fds[2]) };
	write_whole(&a, sizeof a);
	write_file(fds[1], a.out);
	write_file(fds[2], a.err);
	for (int i = 0; i < 3; i++)
		close(fds[i]);
	free(words);
}

int
main(void)
{
	struct order o;
	signal(SIGPIPE, SIG_DFL);
	sigaction(SIGALRM, &(struct sigaction) { .sa_handler = on_alarm }, NULL);
	while (read_whole(&o, sizeof o) && o.argc > 0) {
		char *bytes = malloc((size_t)o.size + 1);
		if (!bytes)
			fail("malloc");
		if (!read_whole(bytes, o.size))
			return 1;
		run(&o, bytes);
		free(bytes);
	}
	return 0;
}
