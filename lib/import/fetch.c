#include "import/fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/instance.h"
#include "base/log.h"
#include "import/import.h"

#define KNOWN_MAX ((size_t)64 * 1024 * 1024) /* bytes of run/fetched */

struct known {
	const char *url;
	const char *name; /* of the file in media */
};

struct fetch {
	struct arena *arena;
	bool private_allowed;
	pid_t child; /* 0: not started */
	FILE *ask, *answer;
	int journal;
	struct known *known;
	size_t count, cap;
};

static void
remember(struct fetch *f, const char *url, const char *name)
{
	if (f->count == f->cap) {
		size_t cap = f->cap == 0 ? 64 : 2 * f->cap;
		f->known = arena_grow(f->arena, f->known,
		    f->cap * sizeof(*f->known), cap * sizeof(*f->known));
		f->cap = cap;
	}
	f->known[f->count++] = (struct known) { url, name };
}

/* Lines of "URL NAME"; one that was cut off is none. */
static void
recall(struct ctx *c, struct fetch *f, const char *path)
{
	char *p = fileio_read(c->arena, path, KNOWN_MAX, NULL), *end, *blank;

	for (; p != NULL && (end = strchr(p, '\n')) != NULL; p = end + 1) {
		*end = '\0';
		blank = strchr(p, ' ');
		if (blank == NULL || media_digest_of(c, blank + 1) == NULL)
			continue;
		*blank = '\0';
		remember(f, p, blank + 1);
	}
}

struct fetch *
fetch_open(struct ctx *c, bool private_allowed)
{
	struct fetch *f = arena_alloc(c->arena, sizeof(*f));
	const char *path = arena_printf(c->arena, "%s/fetched",
	    c->instance->run);

	f->arena = c->arena;
	f->private_allowed = private_allowed;
	recall(c, f, path);
	f->journal = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC,
	    0600);
	if (f->journal < 0)
		die("%s: %s", path, strerror(errno));
	return f;
}

static _Noreturn void
become_client(const char *program, bool private_allowed, int in, int out)
{
	char *arguments[] = { (char *)"galley-fetch",
		private_allowed ? (char *)"--private" : NULL, NULL };
	char *environment[] = { NULL };

	if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0)
		execve(program, arguments, environment);
	_exit(127);
}

static void
start(struct ctx *c, struct fetch *f)
{
	const char *program = arena_printf(c->arena, "%s/bin/galley-fetch",
	    c->instance->programs);
	int to[2], from[2];

	if (pipe2(to, O_CLOEXEC) < 0 || pipe2(from, O_CLOEXEC) < 0)
		die("pipe: %s", strerror(errno));
	signal(SIGPIPE, SIG_IGN);
	f->child = fork();
	if (f->child < 0)
		die("fork: %s", strerror(errno));
	if (f->child == 0)
		become_client(program, f->private_allowed, to[0], from[1]);
	close(to[0]);
	close(from[1]);
	f->ask = fdopen(to[1], "w");
	f->answer = fdopen(from[0], "r");
	if (f->ask == NULL || f->answer == NULL)
		die("fdopen: %s", strerror(errno));
}

void
fetch_close(struct fetch *f)
{
	if (f->child != 0) {
		fclose(f->ask);
		fclose(f->answer);
		while (waitpid(f->child, NULL, 0) < 0 && errno == EINTR)
			;
	}
	close(f->journal);
}

/* The answer of bin/galley-fetch: "OK LENGTH" and the bytes, or "NO REASON". */
static struct err *
ask(struct ctx *c, struct fetch *f, const char *url, char **bytes, size_t *len)
{
	char line[512];

	if (f->child == 0)
		start(c, f);
	fprintf(f->ask, "%s\n", url);
	fflush(f->ask);
	if (fgets(line, sizeof(line), f->answer) == NULL)
		return refuse(c, ERR_UNAVAILABLE,
		    "bin/galley-fetch does not answer.");
	line[strcspn(line, "\n")] = '\0';
	if (strncmp(line, "OK ", 3) != 0)
		return refuse(c, ERR_INVALID, "%s.",
		    strncmp(line, "NO ", 3) == 0 ? line + 3 : line);
	*len = strtoul(line + 3, NULL, 10);
	if (*len > PICTURE_BYTES_MAX)
		return refuse(c, ERR_INTERNAL, "bin/galley-fetch is wrong.");
	*bytes = arena_alloc(c->arena, *len + 1);
	if (fread(*bytes, 1, *len, f->answer) != *len)
		return refuse(c, ERR_UNAVAILABLE,
		    "bin/galley-fetch stopped in the middle.");
	return NULL;
}

/* https for http: the client asks the web for nothing else. */
static const char *
asked_address(struct ctx *c, const struct fetch *f, const char *url)
{
	if (!f->private_allowed && strncmp(url, "http://", 7) == 0)
		return arena_printf(c->arena, "https://%s", url + 7);
	return url;
}

static void
note_down(struct ctx *c, struct fetch *f, const char *url, const char *name)
{
	const char *line = arena_printf(c->arena, "%s %s\n", url, name);

	remember(f, arena_text(f->arena, url), arena_text(f->arena, name));
	if (!fileio_write_all(f->journal, line, strlen(line)))
		die("run/fetched: %s", strerror(errno));
}

struct err *
fetch_picture(struct ctx *c, struct fetch *f, const char *url,
    struct media *out)
{
	struct picture picture;
	struct err *err;
	size_t len = 0;
	char *bytes = NULL;

	for (size_t i = 0; i < f->count; i++) {
		const char *path;
		if (strcmp(f->known[i].url, url) != 0)
			continue;
		path = media_path(c, f->known[i].name);
		if (access(path, R_OK) == 0)
			return import_picture(c, path, out);
	}
	err = ask(c, f, asked_address(c, f, url), &bytes, &len);
	if (err == NULL)
		err = picture_read(c, bytes, len, &picture);
	if (err == NULL)
		err = media_write(c, bytes, len, &picture, out);
	if (err == NULL)
		note_down(c, f, url, out->url + strlen("media:"));
	return err;
}
