/*
 * job-runner [--instance DIR] [--once] [--status]
 *
 * Works on the jobs that customers ordered. Cron starts it every minute (docs/design.md
 * §5). lib/job/runner.h describes a run.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/log.h"
#include "doctor/probe.h"
#include "job/cron.h"
#include "job/runner.h"
#include "start/tool.h"
#include "store/db.h"
#include "system/instance.h"
#include "system/program.h"
#include "system/work.h"
#include "web/cache-space.h"

#define MEMORY_MAX ((size_t)256 * 1024 * 1024)
#define STATUS_MAX ((size_t)16 * 1024 * 1024)

static const char usage[] =
    "usage: job-runner [--instance DIR] [--once | --status]\n"
    "\n"
    "Works off generation jobs for the runner_seconds of galley.conf, then\n"
    "ends, and starts task-runner first. Cron starts it, every minute:\n"
    "* * * * * DIR/bin/job-runner\n"
    "\n"
    "  --once          work off what is due now, then end\n"
    "  --status        say how the runner and the jobs stand\n"
    "  --instance DIR  the instance, where it is not the program's own\n";

struct options {
	const char *instance;
	bool once, status;
};

/* Only last_words() uses it: the context of main(). */
static struct ctx *dying_c;

/* Tells the operator why the process dies. */
static void
last_words(bool passing, int retry_after_s)
{
	(void)passing;
	(void)retry_after_s;
	db_rollback(dying_c);
	runner_tell_fault(dying_c, RUNNER_START, log_death());
}

static void
read_options(int argc, char **argv, struct options *out)
{
	memset(out, 0, sizeof(*out));
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--once") == 0)
			out->once = true;
		else if (strcmp(argv[i], "--status") == 0)
			out->status = true;
		else if (strcmp(argv[i], "--instance") == 0 && i + 1 < argc)
			out->instance = argv[++i];
		else if (strcmp(argv[i], "--help") == 0)
			usage_print(usage);
		else
			usage_refuse(usage);
	}
	if (out->once && out->status)
		usage_refuse(usage);
}

static int
show_status(struct ctx *c)
{
	struct buf out;

	buf_init(&out, c->arena, STATUS_MAX);
	db_open(c, DB_WAIT_TOOL_MS);
	runner_status(c, &out);
	db_close(c);
	if (fwrite(out.data, 1, out.len, stdout) != out.len || fflush(stdout) != 0)
		die("standard output: %s", strerror(errno));
	return 0;
}

/* Prints a sentence, which cron sends by mail. */
static void
tell(void *arg, const char *sentence)
{
	(void)arg;
	fprintf(stderr, "job-runner: %s\n", sentence);
}

/* What a run does besides jobs, for floors that it does not see. */
static void
house(struct ctx *c)
{
	cache_drop_stale(c);
	probe_try(c);
}

int
main(int argc, char **argv)
{
	struct instance instance;
	struct arena arena;
	struct ctx c = { .request_id = "" };
	const struct work work = { .tell = tell };
	struct options options;

	if (tool_refuse_web("job-runner"))
		return 2;
	read_options(argc, argv, &options);
	tool_begin(&c, &arena, "job-runner", MEMORY_MAX);
	tool_enter(&c, &instance, options.instance, &work);
	if (options.status)
		return show_status(&c);
	log_open("job-runner", arena_printf(&arena, "%s/runner.log", instance.log));
	dying_c = &c;
	log_on_death(last_words);
	cron_start_tasks(&c, options.once);
	return runner_run(&c, options.once, house);
}
