#include "system/stop.h"

#include <signal.h>
#include <string.h>

#include "system/interrupt.h"

static volatile sig_atomic_t came;

static void
on_signal(int number)
{
	if (came != 0)
		interrupt_end(number);
	came = number;
}

void
stop_catch(void)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = on_signal;
	action.sa_flags = SA_RESTART;
	(void)sigaction(SIGINT, &action, NULL);
	(void)sigaction(SIGTERM, &action, NULL);
}

int
stop_signal(void)
{
	return came;
}

void
stop_end(void)
{
	if (came != 0)
		interrupt_end(came);
}
