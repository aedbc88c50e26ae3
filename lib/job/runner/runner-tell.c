/* What a run tells the log, a terminal and the operator. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "system/harden.h"
#include "system/instance.h"
#include "base/log.h"
#include "job/runner/runner.h"

#define TEXT_MAX ((size_t)8192)

static const char *
file(struct ctx *c, const char *name)
{
	return arena_printf(c->arena, "%s/%s", c->instance->run, name);
}

void
runner_tell(const struct runner *r, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	log_line("%s", text);
	if (r->terminal)
		log_show(stdout, text);
}

/* Returns the path of the file that holds the last text told of a fault. */
static const char *
fault_file(struct ctx *c, enum runner_fault fault)
{
	static const char *const names[] = { "fault.start", "fault.room", "fault.provider",
		"fault.confinement", "fault.conf", "fault.quiet" };

	return file(c, names[fault]);
}

void
runner_tell_fault(struct ctx *c, enum runner_fault fault, const char *text)
{
	const char *path = fault_file(c, fault);
	const char *told = fileio_read_now(c->arena, path, TEXT_MAX, NULL);

	if (told != NULL && strcmp(told, text) == 0 && !isatty(STDERR_FILENO))
		return;
	log_line("%s", text);
	fputs("job-runner: ", stderr);
	log_show(stderr, text);
	/* If it cannot be noted (a full disk), it is told again. */
	(void)fileio_replace(c->arena, path, text, strlen(text), 0600);
}

void
runner_tell_confinement(struct ctx *c)
{
	const char *path = fault_file(c, RUNNER_CONFINEMENT);
	const char *lacks = harden_stranger_lacks(harden_stranger_possible());
	const char *told = fileio_read_now(c->arena, path, TEXT_MAX, NULL);

	if (lacks == NULL)
		(void)unlink(path);
	if (lacks == NULL || (told != NULL && strcmp(told, lacks) == 0))
		return;
	log_line("%s", lacks);
	(void)fileio_replace(c->arena, path, lacks, strlen(lacks), 0600);
}

void
runner_tell_fine(struct ctx *c, enum runner_fault fault)
{
	(void)unlink(fault_file(c, fault));
}

void
runner_tell_seen(struct ctx *c)
{
	char now[CLOCK_TEXT];

	clock_format(now, clock_now());
	if (!fileio_replace(c->arena, file(c, "runner.seen"), now, strlen(now), 0600))
		log_line("%s: %s", file(c, "runner.seen"), strerror(errno));
}

int64_t
runner_seen(struct ctx *c)
{
	const char *text = fileio_read_now(c->arena, file(c, "runner.seen"), CLOCK_TEXT, NULL);
	int64_t at;

	return text != NULL && clock_parse(text, &at) ? at : 0;
}
