#include "net/remote.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "system/instance.h"
#include "base/line.h"
#include "base/log.h"

#define LENGTH_MAX ((size_t)64 * 1024 * 1024) /* an honest answer is not longer */

struct remote {
	struct remote_how how;
	pid_t child; /* the client's process; 0: not started */
	FILE *ask, *answer;
};

struct remote *
remote_open(struct ctx *c, const struct remote_how *how)
{
	struct remote *r = arena_alloc(c->arena, sizeof(*r));

	r->how = *how;
	return r;
}

static _Noreturn void
become_client(const char *program, const struct remote_how *how,
    const char *limit_s, int in, int out)
{
	char *environment[] = { NULL };
	const char *words[6] = { "galley-fetch" };
	size_t n = 1;

	if (how->private_allowed)
		words[n++] = "--private";
	if (how->pages)
		words[n++] = "--pages";
	if (how->limit_s > 0) {
		words[n++] = "--seconds";
		words[n++] = limit_s;
	}
	if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0)
		execve(program, (char *const *)words, environment);
	_exit(127);
}

static void
start(struct ctx *c, struct remote *r)
{
	const char *program = arena_printf(c->arena, "%s/bin/galley-fetch",
	    c->instance->programs);
	const char *limit_s = arena_printf(c->arena, "%" PRId64,
	    r->how.limit_s);
	int to[2], from[2];

	if (pipe2(to, O_CLOEXEC) < 0 || pipe2(from, O_CLOEXEC) < 0)
		die("pipe: %s", strerror(errno));
	signal(SIGPIPE, SIG_IGN);
	r->child = fork();
	if (r->child < 0)
		die("fork: %s", strerror(errno));
	if (r->child == 0)
		become_client(program, &r->how, limit_s, to[0], from[1]);
	close(to[0]);
	close(from[1]);
	r->ask = fdopen(to[1], "w");
	r->answer = fdopen(from[0], "r");
	if (r->ask == NULL || r->answer == NULL)
		die("fdopen: %s", strerror(errno));
}

void
remote_close(struct remote *r)
{
	if (r->child == 0)
		return;
	fclose(r->ask);
	fclose(r->answer);
	while (waitpid(r->child, NULL, 0) < 0 && errno == EINTR)
		;
}

/* Returns `len` bytes and a NUL, or NULL if the client ended earlier. */
static char *
take(struct ctx *c, struct remote *r, size_t len)
{
	char *bytes = arena_alloc(c->arena, len + 1);

	return fread(bytes, 1, len, r->answer) == len ? bytes : NULL;
}

struct err *
remote_get(struct ctx *c, struct remote *r, const char *url,
    struct remote_answer *out)
{
	size_t head_len, body_len;
	char line[512];
	bool whole;

	/* One line of the client's input is one address, and has one answer. */
	if (url[strcspn(url, "\r\n")] != '\0')
		return refuse(c, ERR_INVALID,
		    "the address is more than one line.");
	if (r->child == 0)
		start(c, r);
	fprintf(r->ask, "%s\n", url);
	fflush(r->ask);
	if (!line_read(r->answer, line, sizeof(line), &whole))
		return refuse(c, ERR_UNAVAILABLE,
		    "bin/galley-fetch does not answer.");
	if (strncmp(line, "NO ", 3) == 0)
		return refuse(c, ERR_INVALID, "%s.", line + 3);
	if (!whole || sscanf(line, "OK %d %zu %zu", &out->status, &head_len,
		&body_len) != 3 ||
	    head_len > LENGTH_MAX || body_len > LENGTH_MAX)
		return refuse(c, ERR_INTERNAL, "bin/galley-fetch is wrong.");
	out->head = take(c, r, head_len);
	out->body = take(c, r, body_len);
	out->body_len = body_len;
	if (out->head == NULL || out->body == NULL)
		return refuse(c, ERR_UNAVAILABLE,
		    "bin/galley-fetch stopped in the middle.");
	return NULL;
}
