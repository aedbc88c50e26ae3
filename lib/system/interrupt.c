#include "system/interrupt.h"

#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#define PATHS_MAX 24

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
#define SIGNALS (sizeof(signals) / sizeof(signals[0]))

/* A handler gets no argument: what it removes is here, and written before it is
 * counted. */
static char paths[PATHS_MAX][PATH_MAX];
static volatile sig_atomic_t count;

static void
end(int number)
{
	for (int i = 0; i < count; i++) {
		if (unlink(paths[i]) != 0)
			(void)rmdir(paths[i]);
	}
	/* Comes again when this returns. */
	(void)signal(number, SIG_DFL);
	(void)raise(number);
}

/* A signal that is ignored (nohup) stays so. */
static void
listen_to(int number)
{
	struct sigaction now, mine = { .sa_handler = end };

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
