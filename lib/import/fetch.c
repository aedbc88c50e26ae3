#include "import/fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "system/instance.h"
#include "base/log.h"
#include "import/import-picture.h"
#include "net/remote.h"

#define KNOWN_MAX ((size_t)64 * 1024 * 1024) /* bytes of run/fetched */

struct known {
	const char *url;
	const char *name; /* the file's name in media */
};

struct fetch {
	struct arena *arena;
	bool private_allowed;
	struct remote *remote;
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

/* Reads the lines "URL NAME" of run/fetched. A line that was cut off is ignored. */
static void
recall(struct ctx *c, struct fetch *f, const char *path)
{
	char *p = fileio_read(c->arena, path, KNOWN_MAX, NULL), *end, *space;

	for (; p != NULL && (end = strchr(p, '\n')) != NULL; p = end + 1) {
		*end = '\0';
		space = strchr(p, ' ');
		if (space == NULL || media_digest_of(c, space + 1) == NULL)
			continue;
		*space = '\0';
		remember(f, p, space + 1);
	}
}

struct fetch *
fetch_open(struct ctx *c, bool private_allowed)
{
	struct fetch *f = arena_alloc(c->arena, sizeof(*f));
	const struct remote_how how = { .private_allowed = private_allowed };
	const char *path = arena_printf(c->arena, "%s/fetched",
	    c->instance->run);

	f->arena = c->arena;
	f->private_allowed = private_allowed;
	f->remote = remote_open(c, &how);
	recall(c, f, path);
	f->journal = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC,
	    0600);
	if (f->journal < 0)
		die("%s: %s", path, strerror(errno));
	return f;
}

void
fetch_close(struct fetch *f)
{
	remote_close(f->remote);
	close(f->journal);
}

/* Returns the address with https in place of http: the client asks the web for
 * nothing else, unless private addresses are allowed. */
static const char *
asked_address(struct ctx *c, const struct fetch *f, const char *url)
{
	if (!f->private_allowed && strncmp(url, "http://", 7) == 0)
		return arena_printf(c->arena, "https://%s", url + 7);
	return url;
}

/* Remembers under which name the picture of an address was stored, also for the
 * next run. */
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
	struct remote_answer answer;
	struct err *err;
	size_t len;

	for (size_t i = 0; i < f->count; i++) {
		const char *name = f->known[i].name, *fault;
		if (strcmp(f->known[i].url, url) != 0)
			continue;
		/* A picture that is damaged is fetched again. */
		if (media_read(c, name, &len, &fault) != NULL)
			return import_picture(c, media_path(c, name), out);
	}
	err = remote_get(c, f->remote, asked_address(c, f, url), &answer);
	if (err == NULL && answer.status != 200)
		err = refuse(c, ERR_INVALID, "the server answered %d.",
		    answer.status);
	if (err == NULL)
		err = import_picture_bytes(c, answer.body, answer.body_len,
		    out);
	if (err == NULL)
		note_down(c, f, url, out->url + strlen("media:"));
	return err;
}
