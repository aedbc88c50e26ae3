#include "start/gift.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "start/owner.h"

#define DEPTH_MAX 8

struct gift {
	struct ctx *c;
	uid_t uid;
	gid_t gid;
	void (*say)(void *arg, const char *sentence);
	void *arg;
	bool links_are_guarded;
	dev_t device; /* of the folder; other devices in it are not given */
};

/* Returns whether the system refuses hard links to files of other users. */
static bool
links_are_guarded(struct ctx *c)
{
	const char *text = fileio_read(c->arena, "/proc/sys/fs/protected_hardlinks", 16, NULL);

	return text != NULL && text[0] == '1';
}

static void
tell(struct gift *g, const char *path, const char *what)
{
	g->say(g->arg, arena_printf(g->c->arena, "%s %s", path, what));
}

/* Gives the file of the descriptor to the owner. Its name may lead elsewhere by
 * now. */
static void
give(struct gift *g, int fd, const struct stat *st, const char *path)
{
	const char *name = owner_name(g->c, g->uid);

	if (S_ISREG(st->st_mode) && (st->st_nlink != 1 || !g->links_are_guarded))
		tell(g, path, "is root's and stays so: it may have another name elsewhere.");
	else if (!S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode))
		tell(g, path, "is root's and stays so: it is no file.");
	else if (fchownat(fd, "", g->uid, g->gid, AT_EMPTY_PATH) == 0)
		tell(g, path, arena_printf(g->c->arena, "was given to %s.", name));
	else
		tell(g, path,
		    arena_printf(
			g->c->arena, "could not be given to %s: %s.", name, strerror(errno)));
}

static void walk(struct gift *g, int fd, const char *path, int depth);

/* Looks at one name in a folder. */
static void
look(struct gift *g, int folder, const char *name, const char *path, int depth)
{
	int fd = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC), inner;
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && st.st_dev == g->device) {
		if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX) {
			inner = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
			if (inner >= 0)
				walk(g, inner, path, depth + 1);
		}
		if (st.st_uid == 0)
			give(g, fd, &st, path);
	}
	close(fd);
}

/* Walks through a folder. Takes its descriptor, and closes it. */
static void
walk(struct gift *g, int fd, const char *path, int depth)
{
	DIR *dir = fdopendir(fd);
	const struct dirent *entry;

	if (dir == NULL) {
		close(fd);
		return;
	}
	while ((entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		look(g, dirfd(dir), entry->d_name, fileio_path(g->c->arena, path, entry->d_name),
		    depth);
	}
	closedir(dir);
}

void
gift_give(struct ctx *c, const char *folder, uid_t uid, gid_t gid,
    void (*say)(void *arg, const char *sentence), void *arg)
{
	struct gift g = { .c = c,
		.uid = uid,
		.gid = gid,
		.say = say,
		.arg = arg,
		.links_are_guarded = links_are_guarded(c) };
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0)
		return;
	g.device = st.st_dev;
	walk(&g, dup(fd), folder, 0);
	if (st.st_uid == 0)
		give(&g, fd, &st, folder);
	close(fd);
}
