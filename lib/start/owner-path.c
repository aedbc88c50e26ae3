/* Finds the users who can lead root astray on the way to a folder (owner.h). */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "start/owner.h"

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
	struct err *err;

	*leader = 0;
	if (strlen(path) >= sizeof(real) || realpath(path, real) == NULL)
		return refuse(c, ERR_NOT_FOUND, "%s: %s.", path, strerror(errno));
	err = check_parts(c, path, leader);
	if (err == NULL && *leader == 0 && strcmp(path, real) != 0)
		err = check_parts(c, real, leader);
	return err;
}
