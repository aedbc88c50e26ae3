#include "system/fault.h"

#ifdef GALLEY_TEST

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/log.h"

extern const char __start_fault_names[], __stop_fault_names[];

/* How often this process met the wanted place. */
static long met;

/* Returns a random number below `count` (xorshift). Each process has another
 * series. */
static unsigned
draw(unsigned count)
{
	static uint64_t state;
	struct timespec now;

	if (state == 0) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		state = (uint64_t)now.tv_nsec << 32 ^ (uint64_t)getpid();
	}
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return count > 0 ? (unsigned)(state >> 32) % count : 0;
}

static void
note(const char *name)
{
	const char *path = getenv("GALLEY_FAULT_LOG");
	const struct iovec parts[] = {
		{ (void *)(uintptr_t)name, strlen(name) },
		{ (void *)(uintptr_t) "\n", 1 },
	};
	int fd;

	if (path == NULL)
		return;
	fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return;
	/* One write: other processes add their lines at the same time. */
	(void)!writev(fd, parts, 2);
	close(fd);
}

static int
act(const char *action)
{
	if (strcmp(action, "kill") == 0)
		kill(getpid(), SIGKILL);
	if (strcmp(action, "stop") == 0)
		kill(getpid(), SIGSTOP);
	if (strcmp(action, "abort") == 0)
		abort();
	if (strncmp(action, "clock=", 6) == 0)
		setenv("GALLEY_CLOCK", action + 6, 1);
	if (strncmp(action, "sleep=", 6) == 0)
		usleep((useconds_t)(atol(action + 6) * 1000));
	if (strncmp(action, "pause=", 6) == 0)
		usleep((useconds_t)draw((unsigned)atoi(action + 6)));
	if (strcmp(action, "ENOSPC") == 0)
		return ENOSPC;
	if (strcmp(action, "EIO") == 0)
		return EIO;
	if (strcmp(action, "EINTR") == 0)
		return EINTR;
	return 0;
}

int
fault_point(const char *name)
{
	const char *wanted = getenv("GALLEY_FAULT");
	size_t len = strlen(name);
	char *action;
	bool any;
	long nth;

	note(name);
	any = wanted != NULL && strncmp(wanted, "any:", 4) == 0;
	len = any ? 3 : len;
	if (wanted == NULL || (!any && strncmp(wanted, name, len) != 0) || wanted[len] != ':')
		return 0;
	nth = strtol(wanted + len + 1, &action, 10);
	if (*action != ':')
		BUG("GALLEY_FAULT must be NAME:N:ACTION");
	if (any ? draw((unsigned)nth) != 0 : ++met != nth)
		return 0;
	return act(action + 1);
}

/* Runs before main(), so that no program of a test build needs to know this
 * argument. The linker may leave room between the names; that room is zero. */
__attribute__((constructor)) static void
list_on_demand(int argc, char **argv)
{
	const char *name = __start_fault_names;

	if (argc != 2 || strcmp(argv[1], "--faults") != 0)
		return;
	while (name < __stop_fault_names) {
		size_t len = strnlen(name, (size_t)(__stop_fault_names - name));
		if (len > 0)
			printf("%s\n", name);
		name += len + 1;
	}
	exit(0);
}

#else

/* Programs that are used hold nothing of this file: see fault.h. */
typedef int fault_is_empty;

#endif
