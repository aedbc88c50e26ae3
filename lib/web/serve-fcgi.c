#include "web/serve-fcgi.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fcgiapp.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/instance.h"
#include "base/log.h"
#include "web/serve-life.h"

#define REQUESTS_MAX 10000

bool
serve_fcgi_is_meant(void)
{
	struct sockaddr_storage peer;
	socklen_t len = sizeof(peer);

	/* A listening socket has no peer; nothing else on descriptor 0 is a
	 * socket without one. */
	return getpeername(STDIN_FILENO, (struct sockaddr *)&peer, &len) != 0 &&
	    errno == ENOTCONN;
}

static void
on_terminate(int signal)
{
	(void)signal;
	FCGX_ShutdownPending();
}

static const char *
variable(void *arg, const char *name)
{
	FCGX_Request *request = arg;

	return FCGX_GetParam(name, request->envp);
}

static size_t
read_body(void *arg, char *into, size_t max)
{
	FCGX_Request *request = arg;
	int got = FCGX_GetStr(into, max > 65536 ? 65536 : (int)max, request->in);

	return got > 0 ? (size_t)got : 0;
}

static bool
write_answer(void *arg, const char *bytes, size_t len)
{
	FCGX_Request *request = arg;

	while (len > 0) {
		int part = len > 1048576 ? 1048576 : (int)len;
		if (FCGX_PutStr(bytes, part, request->out) != part)
			return false;
		bytes += part;
		len -= (size_t)part;
	}
	return true;
}

static void
end_exchange(void *arg)
{
	FCGX_Finish_r(arg);
}

void
serve_fcgi(struct ctx *c, const struct route *routes)
{
	struct sigaction action;
	FCGX_Request request;
	const struct exchange x = { variable, read_body, write_answer,
		end_exchange, &request, false };
	struct arena arena;

	memset(&action, 0, sizeof(action));
	action.sa_handler = on_terminate;
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGUSR1, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	/* The instance's paths live in the process's arena, requests in theirs. */
	arena_init(&arena, c->arena->max);
	c->arena = &arena;
	if (FCGX_Init() != 0 ||
	    FCGX_InitRequest(&request, 0, FCGI_FAIL_ACCEPT_ON_INTR) != 0)
		die("FastCGI cannot begin");
	for (int n = 0; n < REQUESTS_MAX && FCGX_Accept_r(&request) == 0; n++) {
		serve_life(c, routes, &x);
		FCGX_Finish_r(&request);
		arena_reset(&arena);
	}
}
