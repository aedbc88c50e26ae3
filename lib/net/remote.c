#include "net/remote.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "base/utf8.h"
#include "system/instance.h"

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

/* Returns the variable of test builds that http.c reads, or NULL. */
static char *
test_network(void)
{
#ifdef GALLEY_TEST
	for (char **p = environ; *p != NULL; p++) {
		if (strncmp(*p, "GALLEY_NET=", 11) == 0)
			return *p;
	}
#endif
	return NULL;
}

static _Noreturn void
become_client(pid_t asker, const char *program, const struct remote_how *how, const char *limit_s,
    const char *form_kib, int in, int out)
{
	char *environment[] = { test_network(), NULL };
	const char *words[12] = { "galley-fetch" };
	size_t n = 1;

	/* Nobody would read the answer. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != asker)
		_exit(1);
	if (how->private_allowed)
		words[n++] = "--private";
	if (how->pages)
		words[n++] = "--pages";
	if (how->own)
		words[n++] = "--own";
	if (how->certificate)
		words[n++] = "--certificate";
	if (how->pings)
		words[n++] = "--pings";
	if (how->key != NULL)
		words[n++] = "--key";
	if (how->form_kib > 0) {
		words[n++] = how->form_file ? "--form-file" : "--form-text";
		words[n++] = form_kib;
	}
	if (how->limit_s > 0) {
		words[n++] = "--seconds";
		words[n++] = limit_s;
	}
	if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0)
		execve(program, (char *const *)words, environment);
	_exit(127);
}

void
remote_start(struct ctx *c, struct remote *r)
{
	const char *program = arena_printf(c->arena, "%s/bin/galley-fetch", c->instance->programs);
	const char *limit_s = arena_printf(c->arena, "%" PRId64, r->how.limit_s);
	const char *form_kib = arena_printf(c->arena, "%" PRId64, r->how.form_kib);
	pid_t asker = getpid();
	int to[2], from[2];

	if (pipe2(to, O_CLOEXEC) < 0 || pipe2(from, O_CLOEXEC) < 0)
		die("pipe: %s", strerror(errno));
	signal(SIGPIPE, SIG_IGN);
	r->child = fork();
	if (r->child < 0)
		die("fork: %s", strerror(errno));
	if (r->child == 0)
		become_client(asker, program, &r->how, limit_s, form_kib, to[0], from[1]);
	close(to[0]);
	close(from[1]);
	r->ask = fdopen(to[1], "w");
	r->answer = fdopen(from[0], "r");
	if (r->ask == NULL || r->answer == NULL)
		die("fdopen: %s", strerror(errno));
	if (r->how.key != NULL)
		fprintf(r->ask, "%s\n", r->how.key);
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

/* Reads the line that begins an answer. */
static struct err *
read_line(
    struct ctx *c, struct remote *r, struct remote_answer *out, size_t *head_len, size_t *body_len)
{
	int64_t expires_s = 0;
	char line[512];
	bool whole;

	if (!line_read(r->answer, line, sizeof(line), &whole))
		return refuse(c, ERR_UNAVAILABLE, "bin/galley-fetch does not answer.");
	if (strncmp(line, "NO ", 3) == 0) {
		out->reason = arena_text(c->arena, line + 3);
		return refuse(c, ERR_INVALID, "%s.", out->reason);
	}
	out->cut = strncmp(line, "CUT ", 4) == 0;
	if (!whole || (!out->cut && strncmp(line, "OK ", 3) != 0) ||
	    sscanf(line, "%*s %d %zu %zu %" SCNd64, &out->status, head_len, body_len, &expires_s) <
		3 ||
	    *head_len > LENGTH_MAX || *body_len > LENGTH_MAX)
		return refuse(c, ERR_INTERNAL, "bin/galley-fetch is wrong.");
	out->expires_at = expires_s * CLOCK_SECOND;
	return NULL;
}

struct err *
remote_get(struct ctx *c, struct remote *r, const char *url, struct remote_answer *out)
{
	size_t head_len = 0, body_len = 0;

	memset(out, 0, sizeof(*out));
	/* One line of the client's input is one address, and has one answer. */
	if (url[strcspn(url, "\r\n")] != '\0')
		return refuse(c, ERR_INVALID, "the address is more than one line.");
	if (r->child == 0)
		remote_start(c, r);
	fprintf(r->ask, "%s\n", url);
	fflush(r->ask);
	TRY(read_line(c, r, out, &head_len, &body_len));
	out->head = take(c, r, head_len);
	out->body = take(c, r, body_len);
	out->body_len = body_len;
	if (out->head == NULL || out->body == NULL)
		return refuse(c, ERR_UNAVAILABLE, "bin/galley-fetch stopped in the middle.");
	return NULL;
}

void
remote_send(struct remote *r, const char *url, const char *signature, const char *body)
{
	fprintf(r->ask, "%s\t%s\t%s\n", url, signature, body);
	fflush(r->ask);
}

int
remote_wait_on(const struct remote *r)
{
	return fileno(r->answer);
}

struct err *
remote_take(struct ctx *c, struct remote *r, struct remote_answer *out)
{
	size_t head_len = 0, body_len = 0;

	memset(out, 0, sizeof(*out));
	return read_line(c, r, out, &head_len, &body_len);
}

const char *
remote_header(struct ctx *c, const struct remote_answer *answer, const char *name, size_t n)
{
	size_t len = strlen(name);
	const char *line = answer->head;

	for (; *line != '\0'; line += line[0] == '\n') {
		if (strncasecmp(line, name, len) == 0 && line[len] == ':' && n-- == 0) {
			line += len + 1;
			line += strspn(line, " \t");
			line = arena_text_n(c->arena, line, strcspn(line, "\r\n"));
			return utf8_valid(line, strlen(line)) ? line : "";
		}
		line += strcspn(line, "\n");
	}
	return NULL;
}
