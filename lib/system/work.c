/* What long work tells, and how a signal ends it. */
#include "system/work.h"

#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"

/* ---- files that a signal removes */

#define PATHS_MAX 24

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
#define SIGNALS (sizeof(signals) / sizeof(signals[0]))

/* A handler gets no argument: the paths that it removes are here. A path is
 * written before it is counted. */
static char paths[PATHS_MAX][PATH_MAX];
static volatile sig_atomic_t count;

/* Removes them, and ends the process by this signal: a signal handler. */
static void
end_by(int number)
{
	for (int i = 0; i < count; i++) {
		if (unlink(paths[i]) != 0)
			(void)rmdir(paths[i]);
	}
	/* The signal arrives when the handler returns. */
	(void)signal(number, SIG_DFL);
	(void)raise(number);
}

/* Catches a signal. A signal that is ignored (nohup) stays ignored, and
 * one that stop_catch() catches is left to it. */
static void
listen_to(int number)
{
	struct sigaction now, mine = { .sa_handler = end_by };

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

/* ---- signals that work stops at */

static volatile sig_atomic_t came;

static void
on_signal(int number)
{
	if (came != 0)
		end_by(number);
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
		end_by(came);
}

/* ---- what work tells */

#define SENTENCE_MAX 8192

/* The param of a refusal of which work_is_stopped() is true. */
static const char stopped_mark[] = "stopped";

void
work_tell(const struct work *w, const char *format, ...)
{
	char sentence[SENTENCE_MAX];
	va_list args;

	if (w->tell == NULL)
		return;
	va_start(args, format);
	vsnprintf(sentence, sizeof(sentence), format, args);
	va_end(args);
	w->tell(w->arg, sentence);
}

void
work_begin(const struct work *w, const char *what, enum work_unit unit, int64_t total)
{
	if (w->begin != NULL)
		w->begin(w->arg, what, unit, total);
}

void
work_step(const struct work *w, int64_t n)
{
	if (w->step != NULL)
		w->step(w->arg, n);
}

void
work_end(const struct work *w)
{
	if (w->end != NULL)
		w->end(w->arg);
}

bool
work_must_stop(const struct work *w)
{
	return w->must_stop != NULL && w->must_stop(w->arg);
}

struct err *
work_stopped(struct ctx *c, const char *format, ...)
{
	struct err *err;
	va_list args;

	va_start(args, format);
	err = refuse(c, ERR_CONFLICT, "stopped: %s", arena_vprintf(c->arena, format, args));
	va_end(args);
	err->param = stopped_mark;
	return err;
}

bool
work_is_stopped(const struct err *err)
{
	return err->param == stopped_mark;
}
