/*
 * Fetches pictures for `galley article import --media fetch`: an address on
 * each line of standard input, for each one on standard output "OK LENGTH" and
 * the bytes, or "NO REASON". With --private also from one's own network.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "content/picture.h"
#include "provider/http.h"

#define MEMORY_MAX ((size_t)64 * 1024 * 1024)
#define LIMIT_MS 30000

static void
tell(const char *line, const char *bytes, size_t len)
{
	if (!fileio_write_all(STDOUT_FILENO, line, strlen(line)) ||
	    !fileio_write_all(STDOUT_FILENO, bytes, len))
		_exit(1);
}

static void
answer(struct http *http, struct arena *a, const char *url, bool private)
{
	struct http_request request = { .url = url,
		.answer_max = PICTURE_BYTES_MAX, .limit_ms = LIMIT_MS,
		.private_allowed = private };
	struct http_answer out;

	http_send(http, a, &request, &out);
	if (out.outcome == HTTP_ANSWERED && out.status == 200)
		tell(arena_printf(a, "OK %zu\n", out.body.len), out.body.data,
		    out.body.len);
	else if (out.outcome == HTTP_ANSWERED)
		tell(arena_printf(a, "NO the server answered %d\n",
		    out.status), "", 0);
	else
		tell(arena_printf(a, "NO %s\n", out.why), "", 0);
}

int
main(int argc, char **argv)
{
	bool private = argc > 1 && strcmp(argv[1], "--private") == 0;
	struct arena process, one;
	struct http *http;
	char line[4096];

	signal(SIGPIPE, SIG_IGN);
	arena_init(&process, MEMORY_MAX);
	arena_init(&one, MEMORY_MAX);
	http = http_open(&process);
	while (fgets(line, sizeof(line), stdin) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		answer(http, &one, line, private);
		arena_reset(&one);
	}
	http_close(http);
	return 0;
}
