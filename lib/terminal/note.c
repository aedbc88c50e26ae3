#include "terminal/note.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/mask.h"
#include "system/stop.h"
#include "system/work.h"
#include "terminal/plain.h"
#include "terminal/progress.h"

#define LINE_MAX_BYTES 8192 /* a longer line is cut */

void
note_say(const char *format, ...)
{
	char line[LINE_MAX_BYTES];
	va_list args;

	progress_hide();
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	mask_secrets(line);
	(void)plain_make(line);
	fprintf(stderr, "%s\n", line);
}

static void
tell(void *arg, const char *sentence)
{
	(void)arg;
	note_say("galley: %s", sentence);
}

static void
begin(void *arg, const char *what, enum work_unit unit, int64_t total)
{
	progress_begin(arg, what, unit, total);
}

static void
step(void *arg, int64_t n)
{
	progress_step(arg, n);
}

static void
end(void *arg)
{
	progress_end(arg);
}

static bool
must_stop(void *arg)
{
	(void)arg;
	return stop_signal() != 0;
}

void
note_work(struct progress *p, struct work *out)
{
	*out = (struct work) { .tell = tell,
		.begin = begin,
		.step = step,
		.end = end,
		.must_stop = must_stop,
		.arg = p };
}
