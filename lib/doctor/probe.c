#include "doctor/probe.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "system/instance.h"

static const char *
path_of(struct ctx *c, const char *name)
{
	return arena_printf(c->arena, "%s/console/%s", c->instance->run, name);
}

const char *
probe_below(struct ctx *c, const char *root)
{
	char *real_root = root != NULL && root[0] != '\0' ? realpath(root, NULL) : NULL;
	char *real_run = realpath(c->instance->run, NULL);
	const char *below = NULL;
	size_t len = real_root != NULL ? strlen(real_root) : 0;

	if (len == 1)
		len = 0;
	if (real_root != NULL && real_run != NULL &&
	    strncmp(real_run, real_root, len) == 0 && real_run[len] == '/')
		below = arena_printf(c->arena, "%s/console", real_run + len + 1);
	free(real_root);
	free(real_run);
	return below;
}

void
probe_ask(struct ctx *c, const char *below)
{
	const char *path = path_of(c, "probe.asked");

	if (!fileio_make_folder(fileio_folder(c->arena, path), 0700) ||
	    !fileio_replace(c->arena, path, below, strlen(below), 0600))
		log_line("%s: %s", path, strerror(errno));
}

bool
probe_is_closed(struct ctx *c)
{
	struct stat st;
	int64_t age;

	if (lstat(path_of(c, "probe.closed"), &st) != 0 || !S_ISREG(st.st_mode) ||
	    st.st_uid != geteuid() || (st.st_mode & 077) != 0)
		return false;
	age = clock_now() - (int64_t)st.st_mtim.tv_sec * CLOCK_SECOND;
	return age < CLOCK_DAY && age > -CLOCK_DAY;
}

const char *
probe_asked(struct ctx *c)
{
	const char *text = fileio_read_own(c->arena, path_of(c, "probe.asked"), PATH_MAX,
	    NULL);

	return text != NULL && text[0] != '\0' ? text : NULL;
}

void
probe_note(struct ctx *c, bool closed)
{
	const char *path = path_of(c, "probe.closed");

	if (closed ? !fileio_replace(c->arena, path, "", 0, 0600)
		   : unlink(path) != 0 && errno != ENOENT)
		log_line("%s: %s", path, strerror(errno));
	(void)unlink(path_of(c, "probe.asked"));
}
