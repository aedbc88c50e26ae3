#include "import/import-pictures.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "article/media.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "content/picture-clean.h"
#include "content/url.h"
#include "net/remote.h"
#include "notify/notify-url.h"
#include "system/beneath.h"
#include "system/instance.h"

struct err *
import_picture_bytes(struct ctx *c, const void *bytes, size_t len, struct media *out)
{
	struct picture_clean clean;
	struct err *err = picture_clean(c, bytes, len, &clean);

	return err != NULL ? err : media_write(c, bytes, len, &clean, out);
}

/* Reads the file, and stores it or (`dry`) only looks at it. */
static struct err *
take(struct ctx *c, const struct beneath *folder, const char *name, bool dry, struct media *out)
{
	const char *path = fileio_path(c->arena, folder->path, name);
	struct picture_clean clean;
	struct err *err;
	size_t len;
	char *bytes;

	bytes = beneath_read(c->arena, folder, name, PICTURE_GIVEN_MAX, &len, NULL);
	if (bytes == NULL && errno == EFBIG)
		return err_param(c, "image",
		    "%s is longer than the %zu bytes that a picture may have.", path,
		    PICTURE_GIVEN_MAX);
	if (bytes == NULL)
		return err_param(
		    c, "image", "%s: %s.", path, beneath_reason(c->arena, folder, errno));
	err = picture_clean(c, bytes, len, &clean);
	if (err == NULL && dry)
		media_of(c, &clean, out);
	else if (err == NULL)
		err = media_write(c, bytes, len, &clean, out);
	if (err != NULL && err->code == ERR_INVALID)
		return err_param(c, "image", "%s: %s", path, err->message);
	return err;
}

struct err *
import_picture_of(struct ctx *c, const struct beneath *folder, const char *name, struct media *out)
{
	return take(c, folder, name, false, out);
}

struct err *
import_picture_try(struct ctx *c, const struct beneath *folder, const char *name, struct media *out)
{
	return take(c, folder, name, true, out);
}

struct err *
import_picture(struct ctx *c, const char *path, struct media *out)
{
	struct beneath folder;

	if (!beneath_open(c->arena, fileio_folder(c->arena, path), &folder))
		return err_param(c, "image", "%s: %s.", path, strerror(errno));
	return import_picture_of(c, &folder, fileio_name(path), out);
}

/* ---- pictures of the web */

#define FETCH_HOST_FAILURES 5 /* in a row, and a host is not asked any more */
#define FETCH_MAX 20000 /* pictures that an import of a customer asks for */

/* What a journal has in place of a name, with the status. */
#define FAILED '!'
#define NO_ANSWER 0
#define NO_PICTURE 1

#define KNOWN_MAX ((size_t)64 * 1024 * 1024) /* bytes of run/fetched */

struct known {
	const char *url;
	const char *name; /* the file's name in media; "!404": what failed */
};

/* A host that gave no answer. */
struct silent {
	const char *host;
	size_t times; /* in a row */
};

struct fetch {
	struct arena *arena;
	bool private_allowed;
	bool of_customer; /* fetch_resume() made it */
	struct silent *silent;
	size_t silent_count;
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
		f->known = arena_grow(
		    f->arena, f->known, f->cap * sizeof(*f->known), cap * sizeof(*f->known));
		f->cap = cap;
	}
	f->known[f->count++] = (struct known) { url, name };
}

/* Counts an answer of the host, or that there was none. */
static void
count_host(struct fetch *f, const char *url, bool answered)
{
	const char *host = url_host(f->arena, url);
	size_t n = 0;

	while (host != NULL && n < f->silent_count && strcmp(f->silent[n].host, host) != 0)
		n++;
	if (host == NULL || (answered && n == f->silent_count))
		return;
	if (n == f->silent_count) {
		f->silent = arena_grow(
		    f->arena, f->silent, n * sizeof(*f->silent), (n + 1) * sizeof(*f->silent));
		f->silent[f->silent_count++] = (struct silent) { host, 0 };
	}
	f->silent[n].times = answered ? 0 : f->silent[n].times + 1;
}

/* Reads the lines "URL NAME" of run/fetched. A line that was cut off is ignored. */
static void
recall(struct ctx *c, struct fetch *f, const char *path)
{
	char *p = fileio_read(c->arena, path, KNOWN_MAX, NULL), *end, *space;

	for (; p != NULL && (end = strchr(p, '\n')) != NULL; p = end + 1) {
		*end = '\0';
		space = strchr(p, ' ');
		if (space == NULL || (media_digest_of(c, space + 1) == NULL &&
					 !(f->of_customer && space[1] == FAILED)))
			continue;
		*space = '\0';
		remember(f, p, space + 1);
		if (f->of_customer)
			count_host(f, p, strcmp(space + 1, "!0") != 0);
	}
}

static void
open_journal(struct ctx *c, struct fetch *f, const char *path)
{
	recall(c, f, path);
	f->journal = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	if (f->journal < 0)
		die("%s: %s", path, strerror(errno));
}

struct fetch *
fetch_open(struct ctx *c, bool private_allowed)
{
	struct fetch *f = arena_alloc(c->arena, sizeof(*f));
	const struct remote_how how = { .private_allowed = private_allowed };

	*f = (struct fetch) { .arena = c->arena, .private_allowed = private_allowed };
	f->remote = remote_open(c, &how);
	open_journal(c, f, arena_printf(c->arena, "%s/fetched", c->instance->run));
	return f;
}

struct fetch *
fetch_resume(struct ctx *c, struct remote *remote, const char *journal)
{
	struct fetch *f = arena_alloc(c->arena, sizeof(*f));

	*f = (struct fetch) { .arena = c->arena, .of_customer = true, .remote = remote };
	open_journal(c, f, journal);
	return f;
}

void
fetch_close(struct fetch *f)
{
	if (!f->of_customer)
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

static const struct known *
find(const struct fetch *f, const char *url)
{
	for (size_t i = 0; i < f->count; i++) {
		if (strcmp(f->known[i].url, url) == 0)
			return &f->known[i];
	}
	return NULL;
}

bool
fetch_asks(const struct fetch *f, const char *url)
{
	return find(f, url) == NULL;
}

static struct err *
failed(struct ctx *c, int status)
{
	if (status == NO_ANSWER)
		return refuse(c, ERR_INVALID, "%s", tr_mark("it could not be fetched."));
	if (status == NO_PICTURE)
		return refuse(c, ERR_INVALID, "%s",
		    tr_mark("what is there is not a picture that can be stored."));
	return refuse(c, ERR_INVALID, tr_mark("the server answered %d."), status);
}

/* Refuses an address that is not asked. */
static struct err *
check_asked(struct ctx *c, const struct fetch *f, const char *url)
{
	const char *host, *clean;

	if (f->count >= FETCH_MAX)
		return refuse(
		    c, ERR_INVALID, tr_mark("an import asks for %d pictures at most."), FETCH_MAX);
	if (notify_address_check(c, url, &clean) != NULL)
		return failed(c, NO_ANSWER);
	host = url_host(c->arena, url);
	for (size_t i = 0; host != NULL && i < f->silent_count; i++) {
		if (f->silent[i].times >= FETCH_HOST_FAILURES &&
		    strcmp(f->silent[i].host, host) == 0)
			return refuse(c, ERR_INVALID, "%s",
			    tr_mark("its server did not answer, and was not asked again."));
	}
	return NULL;
}

/* Asks the web for a picture, and notes what became of it. */
static struct err *
ask(struct ctx *c, struct fetch *f, const char *url, struct media *out)
{
	const char *asked = asked_address(c, f, url);
	struct err *err = NULL;
	struct remote_answer answer;
	int status;

	TRY(check_asked(c, f, asked));
	status = remote_get(c, f->remote, asked, &answer) != NULL ? NO_ANSWER : answer.status;
	count_host(f, url, status != NO_ANSWER);
	if (status == 200) {
		err = import_picture_bytes(c, answer.body, answer.body_len, out);
		if (err == NULL) {
			note_down(c, f, url, out->url + strlen("media:"));
			return NULL;
		}
		status = NO_PICTURE;
	}
	note_down(c, f, url, arena_printf(c->arena, "%c%d", FAILED, status));
	return failed(c, status);
}

struct err *
fetch_picture(struct ctx *c, struct fetch *f, const char *url, struct media *out)
{
	struct remote_answer answer;
	size_t len;

	for (size_t i = 0; i < f->count; i++) {
		const char *name = f->known[i].name, *fault;
		if (strcmp(f->known[i].url, url) != 0)
			continue;
		if (name[0] == FAILED)
			return failed(c, atoi(name + 1));
		/* A picture that is damaged is fetched again. */
		if (media_read(c, name, &len, &fault) != NULL)
			return import_picture(c, media_path(c, name), out);
	}
	if (f->of_customer)
		return ask(c, f, url, out);
	TRY(remote_get(c, f->remote, asked_address(c, f, url), &answer));
	if (answer.status != 200)
		return refuse(c, ERR_INVALID, "the server answered %d.", answer.status);
	TRY(import_picture_bytes(c, answer.body, answer.body_len, out));
	note_down(c, f, url, out->url + strlen("media:"));
	return NULL;
}
