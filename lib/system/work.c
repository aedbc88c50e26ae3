#include "system/work.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/ctx.h"

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
