/*
 * Measures the cost of one process: `spawn COUNT PROGRAM` starts the program COUNT times,
 * one after the other, with this environment, no input, and its output on a socket that is
 * drained, as with mod_cgid. Prints medians: processor time in user and system mode, page
 * faults, and the largest memory:
 *
 *	USER_US SYSTEM_US FAULTS PEAK_KB BYTES
 *
 * It is small and static itself, since a process inherits the peak of its parent.
 */
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT_MAX 10000

extern char **environ;

static long user[COUNT_MAX], system_mode[COUNT_MAX], faults[COUNT_MAX];

static int
by_size(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;

	return (x > y) - (x < y);
}

static long
median(long *values, int count)
{
	qsort(values, (size_t)count, sizeof(*values), by_size);
	return values[count / 2];
}

static long
microseconds(struct timeval t)
{
	return (long)t.tv_sec * 1000000 + (long)t.tv_usec;
}

/* Returns the number of bytes that the program wrote, or -1 if it did not end well. */
static long
run_once(char **words, struct rusage *usage)
{
	static char drained[1 << 18];
	posix_spawn_file_actions_t actions;
	int ends[2], status;
	long bytes = 0;
	ssize_t got;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return -1;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", 0, 0);
	posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
	if (posix_spawn(&pid, words[0], &actions, NULL, words, environ) != 0)
		return -1;
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	while ((got = read(ends[0], drained, sizeof(drained))) > 0)
		bytes += got;
	close(ends[0]);
	if (wait4(pid, &status, 0, usage) != pid || status != 0)
		return -1;
	return bytes;
}

int
main(int argc, char **argv)
{
	int count = argc > 2 ? atoi(argv[1]) : 0;
	struct rusage usage;
	long bytes = 0, peak = 0;

	if (count < 1 || count > COUNT_MAX) {
		fputs("usage: spawn COUNT PROGRAM [ARGUMENT...]\n", stderr);
		return 2;
	}
	for (int i = 0; i < count; i++) {
		bytes = run_once(argv + 2, &usage);
		if (bytes < 0) {
			fprintf(stderr, "%s did not end well\n", argv[2]);
			return 1;
		}
		user[i] = microseconds(usage.ru_utime);
		system_mode[i] = microseconds(usage.ru_stime);
		faults[i] = usage.ru_minflt + usage.ru_majflt;
		if (usage.ru_maxrss > peak)
			peak = usage.ru_maxrss;
	}
	printf("%ld %ld %ld %ld %ld\n", median(user, count), median(system_mode, count),
	    median(faults, count), peak, bytes);
	return 0;
}
