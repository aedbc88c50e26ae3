#include "provider/cover.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"

#define COVER_PROGRAM "galley-cover"

#define DRAWING_MAX_S 20

/* The exit status if the kernel or the loader of shared libraries failed. */
#define NOT_STARTED 127

/* Returns the path of galley-cover beside the executable of this process; NULL if that
 * is not known. */
static const char *
find_program(struct ctx *c)
{
	char path[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (len <= 0)
		return NULL;
	path[len] = '\0';
	return arena_printf(c->arena, "%s/%s", fileio_folder(c->arena, path), COVER_PROGRAM);
}

/* Runs the program. Its output must not reach the runner, even if it dies of a bug. */
static _Noreturn void
child(const char *program, char *const *words)
{
	struct rlimit no_core = { 0, 0 };
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_CORE, &no_core);
	alarm(DRAWING_MAX_S);
	if (nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0)
		execv(program, words);
	_exit(NOT_STARTED);
}

bool
cover_draw(
    struct ctx *c, const char *title, const char *publisher, const char *language, const char *path)
{
	const char *program = find_program(c);
	const char *words[] = { COVER_PROGRAM, title, publisher, language, path, NULL };
	int status = NOT_STARTED << 8;
	pid_t pid = program != NULL ? fork() : -1;

	if (pid == 0)
		child(program, (char *const *)words);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (status == 0)
		return true;
	if (WIFSIGNALED(status))
		log_line("cover: drawing it ended by signal %d", WTERMSIG(status));
	else if (WEXITSTATUS(status) == NOT_STARTED)
		log_line(
		    "cover: none: bin/%s cannot be started here; it needs Pango (Debian: libpangocairo-1.0-0)",
		    COVER_PROGRAM);
	unlink(path);
	return false;
}
