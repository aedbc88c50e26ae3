#include "job/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/instance.h"

#define PREFIX "try-"
#define DEPTH_MAX 64 /* of folders that a provider can have made */
#define FOLDER (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

int
scratch_make(struct ctx *c, struct scratch *out)
{
	char *path = arena_printf(c->arena, "%s/" PREFIX "XXXXXX",
	    c->instance->run);

	out->fd = -1;
	out->path = path;
	if (mkdtemp(path) == NULL)
		return errno;
	out->fd = open(path, FOLDER);
	if (out->fd < 0 || flock(out->fd, LOCK_EX | LOCK_NB) != 0)
		return errno;
	return 0;
}

static void remove_all(int folder, int depth);

/* Removes one name, whatever it is. What cannot be removed stays. */
static void
remove_name(int folder, const char *name, int depth)
{
	int fd;

	if (unlinkat(folder, name, 0) == 0 || depth == DEPTH_MAX)
		return;
	/* A folder may have been made unreadable. */
	fd = openat(folder, name, FOLDER);
	if (fd < 0 && errno == EACCES && fchmodat(folder, name, 0700, 0) == 0)
		fd = openat(folder, name, FOLDER);
	if (fd >= 0)
		remove_all(fd, depth + 1);
	(void)unlinkat(folder, name, AT_REMOVEDIR);
}

/* Empties the folder of a descriptor, and closes it. */
static void
remove_all(int folder, int depth)
{
	DIR *list = fdopendir(folder);
	struct dirent *entry;

	if (list == NULL) {
		close(folder);
		return;
	}
	(void)fchmod(folder, 0700);
	while ((entry = readdir(list)) != NULL) {
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			remove_name(dirfd(list), entry->d_name, depth);
	}
	closedir(list);
}

void
scratch_remove(struct scratch *s)
{
	if (s->fd < 0)
		return;
	remove_all(s->fd, 0);
	(void)rmdir(s->path);
	s->fd = -1;
}

/* Kills the processes whose working directory the folder is: what a provider
 * left behind when its runner was killed. */
static void
kill_users(struct ctx *c, const char *folder)
{
	DIR *list = opendir("/proc");
	size_t len = strlen(folder);
	struct dirent *entry;
	char target[PATH_MAX];
	ssize_t got;

	while (list != NULL && (entry = readdir(list)) != NULL) {
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
		if (pid <= 1 || pid == getpid())
			continue;
		got = readlink(arena_printf(c->arena, "/proc/%s/cwd",
				   entry->d_name), target, sizeof(target));
		if (got == (ssize_t)len && memcmp(target, folder, len) == 0)
			(void)kill(pid, SIGKILL);
	}
	if (list != NULL)
		closedir(list);
}

void
scratch_sweep(struct ctx *c)
{
	DIR *list = opendir(c->instance->run);
	struct dirent *entry;
	struct scratch s;

	if (list == NULL)
		return;
	while ((entry = readdir(list)) != NULL) {
		if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) != 0)
			continue;
		s.path = arena_printf(c->arena, "%s/%s", c->instance->run,
		    entry->d_name);
		s.fd = open(s.path, FOLDER);
		if (s.fd >= 0 && flock(s.fd, LOCK_EX | LOCK_NB) == 0) {
			kill_users(c, s.path);
			scratch_remove(&s);
		} else if (s.fd >= 0) {
			close(s.fd);
		}
	}
	closedir(list);
}
