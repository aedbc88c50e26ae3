#include "system/interrupt.h"

#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#define PATHS_MAX 24

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
#define SIGNALS (sizeof(signals) / sizeof(signals[0]))

/* A handler gets no argument: the paths that it removes are here. A path is
 * written before it is counted. */
static char paths[PATHS_MAX][PATH_MAX];
static volatile sig_atomic_t count;

void
interrupt_end(int number)
{
	for (int i = 0; i < count; i++) {
		if (unlink(paths[i]) != 0)
			(void)rmdir(paths[i]);
	}
	/* The signal arrives when the handler returns. */
	(void)signal(number, SIG_DFL);
	(void)raise(number);
}

/* Catches a signal. A signal that is ignored (nohup) stays ignored; system/stop.h keeps
 * one that it catches. */
static void
listen_to(int number)
{
	struct sigaction now, mine = { .sa_handler = interrupt_end };

	if (sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
		(void)sigaction(number, &mine, NULL);
}

void
interrupt_remove(const char *path)
{
	if (count == PATHS_MAX || strlen(path) >= PATH_MAX || path[0] == '\0')
		return;
	memcpy(paths[count], path, strlen(path) + 1);
	count++;
	for (size_t i = 0; i < SIGNALS; i++)
		listen_to(signals[i]);
}

void
interrupt_forget(void)
{
	count = 0;
}
