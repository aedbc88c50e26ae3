#include "start/owner.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/utf8.h"
#include "system/conf.h"
#include "system/instance.h"

/* ---- who can change where a path leads */

/* Returns whether the folder is above this program, and so need not be looked at:
 * a user who may change it has given root the program itself. */
static bool
leads_to_program(const char *program, const char *folder, size_t len)
{
	return strncmp(program, folder, len) == 0 && (program[len] == '/' || len == 1);
}

/* Returns whether users other than the owner may put other names into a folder.
 * In a folder with the sticky bit (/tmp) a user can move only what belongs to
 * that user. */
static bool
is_open(const struct stat *st)
{
	if ((st->st_mode & S_ISVTX) != 0)
		return false;
	return (st->st_mode & S_IWOTH) != 0 || ((st->st_mode & S_IWGRP) != 0 && st->st_gid != 0);
}

/* Looks at one part of the path. A link that belongs to root is as good as a
 * folder: its target is looked at, too. */
static struct err *
check_part(struct ctx *c, const char *part, uid_t *leader)
{
	struct stat st;

	if (lstat(part, &st) != 0)
		return refuse(c, ERR_NOT_FOUND, "%s: %s.", part, strerror(errno));
	*leader = st.st_uid;
	if (st.st_uid == 0 && S_ISDIR(st.st_mode) && is_open(&st))
		return refuse(c, ERR_FORBIDDEN,
		    "%s may be changed by users that are not root: root does nothing below it. Say chmod go-w %s.",
		    part, part);
	return NULL;
}

/* Looks at the parts from the top down. What is above a part is then known to be
 * root's, so that nobody can exchange the part after the look. */
static struct err *
check_parts(struct ctx *c, const char *path, uid_t *leader)
{
	char program[PATH_MAX], part[PATH_MAX];
	ssize_t got = readlink("/proc/self/exe", program, sizeof(program) - 1);
	struct err *err = NULL;
	size_t len = 0;

	program[got > 0 ? got : 0] = '\0';
	while (err == NULL && *leader == 0) {
		size_t shown = len == 0 ? 1 : len;
		memcpy(part, path, shown);
		part[shown] = '\0';
		if (!leads_to_program(program, part, shown))
			err = check_part(c, part, leader);
		if (path[len] == '\0' || path[len + 1] == '\0')
			break;
		len += 1 + strcspn(path + len + 1, "/");
	}
	return err;
}

struct err *
owner_leader(struct ctx *c, const char *path, uid_t *leader)
{
	char real[PATH_MAX];

	*leader = 0;
	if (strlen(path) >= sizeof(real) || realpath(path, real) == NULL)
		return refuse(c, ERR_NOT_FOUND, "%s: %s.", path, strerror(errno));
	TRY(check_parts(c, path, leader));
	if (*leader == 0 && strcmp(path, real) != 0)
		return check_parts(c, real, leader);
	return NULL;
}

/* ---- finding the owner, and becoming it */

#define USUAL_OWNER "www-data"

const char *
owner_name(struct ctx *c, uid_t uid)
{
	const struct passwd *user = getpwuid(uid);

	if (user != NULL)
		return arena_text(c->arena, user->pw_name);
	return arena_printf(c->arena, "%lu", (unsigned long)uid);
}

const char *
owner_caller(struct ctx *c)
{
	const char *name = owner_name(c, getuid());
	const char *behind = getenv("SUDO_USER");

	if (getuid() != 0 || behind == NULL || behind[0] == '\0' || strlen(behind) > 32 ||
	    !utf8_valid(behind, strlen(behind)))
		return name;
	return arena_printf(c->arena, "%s (%s)", name, behind);
}

struct err *
owner_find(struct ctx *c, const char *name, uid_t *uid, gid_t *gid)
{
	const struct passwd *user;

	if (name == NULL)
		name = USUAL_OWNER;
	user = getpwnam(name);
	if (user == NULL)
		return err_hint(c, refuse(c, ERR_INVALID, "This system has no user %s.", name),
		    HINT_OWNER, NULL);
	*uid = user->pw_uid;
	*gid = user->pw_gid;
	return NULL;
}

static struct err *
become(struct ctx *c, uid_t uid, gid_t gid)
{
	const struct passwd *user = getpwuid(uid);
	int result, why;

	if (user != NULL)
		result = initgroups(user->pw_name, gid);
	else
		result = setgroups(1, &gid);
	if (result == 0 && setgid(gid) == 0 && setuid(uid) == 0)
		return NULL;
	why = errno; /* asking for the name changes errno */
	return refuse(c, ERR_INTERNAL, "Cannot become %s: %s.", owner_name(c, uid), strerror(why));
}

/* Refuses an instance whose database belongs to root and whose other parts do not
 * all belong to root: another owner could lead root through them. */
static struct err *
check_roots_own(struct ctx *c)
{
	const struct instance *i = c->instance;
	const char *const paths[] = { i->run, i->log, i->conf, i->media, conf_good_folder(c) };
	struct stat st;

	for (size_t n = 0; n < sizeof(paths) / sizeof(paths[0]); n++) {
		if (lstat(paths[n], &st) != 0 || st.st_uid == 0)
			continue;
		return refuse(c, ERR_FORBIDDEN,
		    "%s belongs to %s, and the database to root: give both to one user (chown -h).",
		    paths[n], owner_name(c, st.st_uid));
	}
	return NULL;
}

/* Decides for root which user to become, by the owner of `folder` and the users
 * who can change the way to it. */
static struct err *
choose(struct ctx *c, const char *folder, struct stat *st)
{
	uid_t leader;

	TRY(owner_leader(c, folder, &leader));
	if (stat(folder, st) != 0)
		return refuse(c, ERR_NOT_FOUND, "%s: %s.", folder, strerror(errno));
	if (leader != 0 && leader != st->st_uid)
		return refuse(c, ERR_FORBIDDEN,
		    "%s may change where %s is, which belongs to %s: root does nothing there. Say this as %s, or give all to one user.",
		    owner_name(c, leader), folder, owner_name(c, st->st_uid),
		    owner_name(c, leader));
	return st->st_uid == 0 ? check_roots_own(c) : NULL;
}

struct err *
owner_become_user(struct ctx *c, uid_t uid, gid_t gid)
{
	return uid == geteuid() ? NULL : become(c, uid, gid);
}

struct err *
owner_of(struct ctx *c, uid_t *uid, gid_t *gid)
{
	const char *folder = arena_printf(c->arena, "%s/db", c->instance->home);
	struct err *err = NULL;
	struct stat st;

	if (stat(folder, &st) != 0)
		return err_hint(c,
		    refuse(c, ERR_NOT_FOUND, "%s is no instance: %s: %s.", c->instance->home,
			folder, strerror(errno)),
		    HINT_INSTANCE, NULL);
	if (geteuid() == 0)
		err = choose(c, folder, &st);
	*uid = st.st_uid;
	*gid = st.st_gid;
	if (err != NULL || geteuid() == 0 || st.st_uid == geteuid())
		return err;
	return refuse(c, ERR_FORBIDDEN,
	    "The instance %s belongs to %s, and you are %s: say sudo -u %s galley …, or use root.",
	    c->instance->home, owner_name(c, st.st_uid), owner_name(c, geteuid()),
	    owner_name(c, st.st_uid));
}

struct err *
owner_become(struct ctx *c)
{
	uid_t uid;
	gid_t gid;

	TRY(owner_of(c, &uid, &gid));
	return owner_become_user(c, uid, gid);
}

/* ---- giving files of root */

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
