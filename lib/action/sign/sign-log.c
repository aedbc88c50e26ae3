#include "action/sign/sign-log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "system/filelock.h"
#include "system/instance.h"

#define EVENTS 64 /* different ones of a minute that are told apart */
#define MINUTE (60 * CLOCK_SECOND)

/* The events of a minute, as run/console/sign-in holds them. */
struct events {
	int64_t minute;
	int64_t others; /* events beyond the places */
	struct {
		char text[144];
		int64_t again;
	} event[EVENTS];
};

static bool
append(struct ctx *c, int64_t at, const char *text)
{
	const char *path = fileio_path(c->arena, c->instance->log, "sign-in.log");
	int fd = fileio_open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW);
	char time[CLOCK_TEXT];
	const char *line;
	bool good;

	if (fd < 0)
		return false;
	clock_format(time, at);
	line = arena_printf(c->arena, "%s %s\n", time, text);
	good = fileio_write_all(fd, line, strlen(line));
	close(fd);
	return good;
}

/* Writes the sums of a minute that is over. */
static bool
write_sums(struct ctx *c, const struct events *e)
{
	int64_t at = e->minute * MINUTE;
	bool good = true;

	for (size_t i = 0; i < EVENTS && good; i++) {
		if (e->event[i].again > 0)
			good = append(c, at,
			    arena_printf(c->arena, "%s again=%" PRId64, e->event[i].text,
				e->event[i].again));
	}
	if (good && e->others > 0)
		good = append(c, at, arena_printf(c->arena, "others=%" PRId64, e->others));
	return good;
}

/* Counts an event. Returns whether it is the first of its kind in this minute. */
static bool
count(struct events *e, const char *text)
{
	size_t i = 0;

	while (i < EVENTS && e->event[i].text[0] != '\0' && strcmp(e->event[i].text, text) != 0)
		i++;
	if (i == EVENTS) {
		e->others++;
		return false;
	}
	if (e->event[i].text[0] != '\0') {
		e->event[i].again++;
		return false;
	}
	snprintf(e->event[i].text, sizeof(e->event[i].text), "%s", text);
	return true;
}

static bool
note(struct ctx *c, int fd, const char *text)
{
	struct events *e = arena_alloc(c->arena, sizeof(*e));
	bool good = true;

	if (pread(fd, e, sizeof(*e), 0) != (ssize_t)sizeof(*e))
		memset(e, 0, sizeof(*e));
	for (size_t i = 0; i < EVENTS; i++)
		e->event[i].text[sizeof(e->event[i].text) - 1] = '\0';
	if (e->minute != c->now / MINUTE) {
		good = write_sums(c, e);
		memset(e, 0, sizeof(*e));
		e->minute = c->now / MINUTE;
	}
	if (count(e, text))
		good = append(c, c->now, text) && good;
	return pwrite(fd, e, sizeof(*e), 0) == (ssize_t)sizeof(*e) && good;
}

void
sign_log(struct ctx *c, const char *kind, const char *person, const char *address)
{
	const char *folder = fileio_path(c->arena, c->instance->run, "console");
	const char *path = fileio_path(c->arena, folder, "sign-in");
	char *text = arena_printf(
	    c->arena, "%s person=%s address=%s", kind, person != NULL ? person : "-", address);
	int fd;

	if (!fileio_make_folder(folder, 0700) || (fd = filelock_wait(path, false)) < 0) {
		log_line("%s: %s", path, strerror(errno));
		return;
	}
	if (strlen(text) > 143)
		text[143] = '\0';
	if (!note(c, fd, text))
		log_line("%s: %s", path, strerror(errno));
	filelock_release(fd);
}
