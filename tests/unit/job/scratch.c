/*
 * What a try whose maker died has left: its processes are killed, its folder is removed. One
 * that has ended, and whose parent does not ask for its status, is not waited for.
 *
 * suite: fast
 */
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "job/scratch.h"
#include "system/instance.h"
#include "tests/tap.h"

static struct arena arena;
static struct instance instance;
static struct ctx c = { .arena = &arena, .instance = &instance, .request_id = "" };

/* Sleeps until it is killed. */
static void *
sleep_on(void *arg)
{
	(void)arg;
	while (pause() != 0)
		continue;
	return NULL;
}

enum kind { SLEEPS, HAS_ENDED, FIRST_THREAD_HAS_ENDED };

/* Starts a process of a try, and returns once it is what it shall be. */
static pid_t
start(const struct scratch *s, enum kind kind)
{
	struct rlimit mark = { s->mark, RLIM_INFINITY };
	char path[64], text[256] = "";
	pthread_t thread;
	pid_t pid = fork();
	const char *want = kind == SLEEPS ? ") S" : ") Z";

	if (pid == 0) {
		close(s->fd); /* and with it the lock that is its maker's */
		(void)setrlimit(RLIMIT_LOCKS, &mark);
		if (kind == HAS_ENDED)
			_exit(0);
		if (kind == FIRST_THREAD_HAS_ENDED) {
			(void)pthread_create(&thread, NULL, sleep_on, NULL);
			pthread_exit(NULL);
		}
		(void)sleep_on(NULL);
	}
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	for (int i = 0; i < 60000 && strstr(text, want) == NULL; i++) {
		FILE *file = fopen(path, "r");
		if (file == NULL || fgets(text, sizeof(text), file) == NULL)
			text[0] = '\0';
		if (file != NULL)
			(void)fclose(file);
		usleep(1000);
	}
	return pid;
}

/* Returns how often this process has waited. */
static long
waits(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return used.ru_nvcsw;
}

static void
sweeps(enum kind kind, const char *name)
{
	struct scratch s;
	struct stat there;
	pid_t pid;
	long before;
	int status = 0;

	is_int(scratch_make(&c, &s), 0, "%s: a folder", name);
	pid = start(&s, kind);
	close(s.fd); /* as if its maker had died */
	before = waits();
	scratch_sweep(&c);
	/* A sweep that gives up has waited 200 times. */
	ok(waits() - before < 100, "%s: it is not waited for", name);
	ok(stat(s.path, &there) != 0, "%s: the folder is removed", name);
	is_int(waitpid(pid, &status, WNOHANG), pid, "%s: the process has ended", name);
	is_int(WIFSIGNALED(status) ? WTERMSIG(status) : 0, kind == HAS_ENDED ? 0 : SIGKILL,
	    "%s: as it should", name);
	if (kill(pid, SIGKILL) == 0)
		waitpid(pid, &status, 0);
}

int
main(void)
{
	char home[] = "/tmp/galley-XXXXXX";

	arena_init(&arena, (size_t)1 << 20);
	if (mkdtemp(home) == NULL)
		return 1;
	instance.home = instance.run = home;
	sweeps(SLEEPS, "a process that sleeps");
	sweeps(HAS_ENDED, "one that has ended");
	sweeps(FIRST_THREAD_HAS_ENDED, "one whose first thread has ended");
	(void)rmdir(home);
	return done_testing();
}
