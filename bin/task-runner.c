/*
 * task-runner [--instance DIR] [--once]
 *
 * Publishes articles at their dates, and works on what people began in the console. The
 * job runner starts it (docs/console.md §1.3). lib/task/taskrunner.h describes a run.
 */
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "start/tool.h"
#include "store/db.h"
#include "system/instance.h"
#include "system/program.h"
#include "system/work.h"
#include "task/taskrunner.h"

#define MEMORY_MAX ((size_t)64 * 1024 * 1024)

static const char usage[] =
    "usage: task-runner [--instance DIR] [--once]\n"
    "\n"
    "Publishes articles at their dates, and works on tasks that people began in\n"
    "the console, for the runner_seconds of galley.conf, then ends. job-runner,\n"
    "which cron starts, starts it.\n"
    "\n"
    "  --once          do what is due now, then end\n"
    "  --instance DIR  the instance, where it is not the program's own\n";

struct options {
	const char *instance;
	bool once;
};

/* Only last_words() uses it: the context of main(). */
static struct ctx *dying_c;

static void
last_words(bool passing, int retry_after_s)
{
	(void)passing;
	(void)retry_after_s;
	db_rollback(dying_c);
	log_show(stderr, log_death());
}

static void
read_options(int argc, char **argv, struct options *out)
{
	memset(out, 0, sizeof(*out));
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--once") == 0)
			out->once = true;
		else if (strcmp(argv[i], "--instance") == 0 && i + 1 < argc)
			out->instance = argv[++i];
		else if (strcmp(argv[i], "--help") == 0)
			usage_print(usage);
		else
			usage_refuse(usage);
	}
}

static void
tell(void *arg, const char *sentence)
{
	(void)arg;
	log_text(sentence);
}

int
main(int argc, char **argv)
{
	struct instance instance;
	struct arena arena;
	struct ctx c = { .request_id = "" };
	const struct work work = { .tell = tell };
	struct options options;

	if (tool_refuse_web("task-runner"))
		return 2;
	read_options(argc, argv, &options);
	tool_begin(&c, &arena, "task-runner", MEMORY_MAX);
	tool_enter(&c, &instance, options.instance, &work);
	log_open("task-runner", arena_printf(&arena, "%s/runner.log", instance.log));
	dying_c = &c;
	log_on_death(last_words);
	return taskrunner_run(&c, options.once);
}
