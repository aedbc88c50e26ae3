#include "backup/overwrite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "command/ask.h"
#include "command/call.h"
#include "command/when.h"
#include "terminal/note.h"

#define HEAD 263 /* bytes of a tar, as far as its magic */

static bool
begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

/* By the name of the first file in it. */
static bool
is_backup(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char head[HEAD] = "";
	const char *name = head;
	ssize_t got;

	if (fd < 0)
		return false;
	got = read(fd, head, sizeof(head));
	close(fd);
	if (got != HEAD || memcmp(head + 257, "ustar", 5) != 0)
		return false;
	head[99] = '\0';
	if (begins(name, "./"))
		name += 2;
	return strcmp(name, "galley.db") == 0 || strcmp(name, "pepper") == 0 ||
	       strcmp(name, "galley.conf") == 0 || begins(name, "media/");
}

struct err *
overwrite_check(struct ctx *c, const struct call *call, const char *path)
{
	size_t len = strlen(path);
	const char *of;
	struct stat st;

	if ((stat(path, &st) == 0 && S_ISDIR(st.st_mode)) ||
	    (len > 0 && path[len - 1] == '/'))
		return call_usage(c,
		    "%s is a folder: name a file in it, such"
		    " as %s%sgalley.tar, or say --keep N for a series of"
		    " backups there.",
		    path, path, path[len - 1] == '/' ? "" : "/");
	if (stat(path, &st) != 0)
		return NULL;
	if (!S_ISREG(st.st_mode) || (st.st_size > 0 && !is_backup(path)))
		return refuse(c, ERR_CONFLICT,
		    "%s is there already and is no"
		    " backup of Galley: nothing was written. Name another"
		    " file.",
		    path);
	if (call_has(call, "yes") || st.st_size == 0)
		return NULL;
	of = when_text(c->arena, st.st_mtim.tv_sec * CLOCK_SECOND);
	if (!ask_can()) {
		note_say("galley: %s was there already, of %s; it is replaced"
			  " when the new one is whole.",
		    path, of);
		return NULL;
	}
	if (ask(arena_printf(c->arena,
		    "%s is there already, of %s. Replace"
		    " it?",
		    path, of),
		false))
		return NULL;
	return refuse(c, ERR_CONFLICT, "Nothing was changed.");
}
