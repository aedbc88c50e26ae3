#include "job/cron.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "job/runner.h"
#include "system/instance.h"

#define SILENT (300 * CLOCK_SECOND) /* longer than any usual cron line */

/* Returns the variables that the task runner gets: none of cron's or of a shell's. */
static char **
environment(struct ctx *c)
{
	static const char *const kept[] = { "GALLEY_CLOCK", "GALLEY_HARDEN", "GALLEY_NET",
		"GALLEY_MACHINE" };
	char **env = arena_array(c->arena, 6, sizeof(*env));
	size_t count = 0;

	env[count++] = arena_text(c->arena, "PATH=/usr/bin:/bin");
#ifdef GALLEY_TEST
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		if (getenv(kept[i]) != NULL)
			env[count++] = arena_printf(c->arena, "%s=%s", kept[i], getenv(kept[i]));
	}
#else
	(void)kept;
#endif
	env[count] = NULL;
	return env;
}

static _Noreturn void
run(const char *program, char **words, char **env)
{
	int none = open("/dev/null", O_RDWR);
	sigset_t set;

	sigemptyset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
	for (int fd = 0; fd < 3 && none >= 0; fd++)
		(void)dup2(none, fd);
	execve(program, words, env);
	_exit(127);
}

void
cron_start_tasks(struct ctx *c, bool once)
{
	char *program = fileio_path(c->arena, c->instance->programs, "bin/task-runner");
	char *words[] = { program, arena_text(c->arena, "--instance"),
		arena_text(c->arena, c->instance->home),
		once ? arena_text(c->arena, "--once") : NULL, NULL };
	char **env = environment(c);
	pid_t pid;
	int status;

	if (access(program, X_OK) != 0)
		return;
	pid = fork();
	if (pid == 0 && once)
		run(program, words, env);
	/* The program's parent ends, so nobody has to wait for it. */
	if (pid == 0) {
		(void)setsid();
		if (fork() == 0)
			run(program, words, env);
		_exit(0);
	}
	if (pid < 0)
		log_line("fork: %s", strerror(errno));
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
}

static const char *
seen_file(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->run, "task-runner.seen");
}

void
cron_note_tasks(struct ctx *c)
{
	char now[CLOCK_TEXT];

	clock_format(now, clock_now());
	if (!fileio_replace(c->arena, seen_file(c), now, strlen(now), 0600))
		log_line("%s: %s", seen_file(c), strerror(errno));
}

void
cron_look(struct ctx *c, struct cron *out)
{
	const char *text = fileio_read_now(c->arena, seen_file(c), CLOCK_TEXT, NULL);
	int64_t at, late = clock_now() - SILENT;

	*out = (struct cron) { .jobs_at = runner_seen(c) };
	if (text != NULL && clock_parse(text, &at))
		out->tasks_at = at;
	out->silent = out->jobs_at < late || out->tasks_at < late;
	out->line = arena_printf(c->arena, "* * * * * %s/bin/job-runner", c->instance->programs);
}
