#include "system/conf/conf-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "system/instance.h"
#include "base/uuid.h"

#define NAME "galley.conf"

static struct err *
failed(struct ctx *c, const char *hint)
{
	return refuse(c, ERR_INTERNAL, "%s: %s.%s", c->instance->conf, strerror(errno), hint);
}

static struct err *
read_file(struct ctx *c, struct conf_file *file)
{
	int fd = openat(file->folder, NAME, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	const char *text = NULL;

	if (fd < 0)
		return failed(
		    c, errno == ELOOP ? " It is a link: change the file that it leads to." : "");
	if (fstat(fd, &file->st) == 0 && S_ISREG(file->st.st_mode))
		text = fileio_read_fd(c->arena, fd, CONF_FILE_MAX, NULL);
	close(fd);
	if (text == NULL)
		return refuse(c, ERR_INTERNAL, "%s cannot be read.", c->instance->conf);
	file->text = text;
	return NULL;
}

struct err *
conf_file_lock(struct ctx *c, struct conf_file *file)
{
	struct err *err;

	file->folder = open(c->instance->home, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (file->folder < 0)
		return failed(c, "");
	while (flock(file->folder, LOCK_EX) != 0 && errno == EINTR)
		;
	err = read_file(c, file);
	if (err != NULL)
		conf_file_release(file);
	return err;
}

/* Writes the file beside the present one, with the same owner and mode, and
 * renames it. */
static bool
write_beside(const struct conf_file *file, const char *name, const char *text)
{
	int fd =
	    openat(file->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool done;

	if (fd < 0)
		return false;
	done = (geteuid() != 0 || fchown(fd, file->st.st_uid, file->st.st_gid) == 0) &&
	       fchmod(fd, file->st.st_mode & 0777) == 0 &&
	       fileio_write_all(fd, text, strlen(text)) && fsync(fd) == 0;
	if (close(fd) != 0)
		done = false;
	return done && renameat(file->folder, name, file->folder, NAME) == 0 &&
	       fsync(file->folder) == 0;
}

static bool
write_in_place(const struct conf_file *file, const char *text)
{
	int fd = openat(file->folder, NAME, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool done;

	if (fd < 0)
		return false;
	/* The file is written in place. It is never empty meanwhile: an empty
	 * file would be one without faults. */
	done = fileio_write_all(fd, text, strlen(text)) &&
	       ftruncate(fd, (off_t)strlen(text)) == 0 && fsync(fd) == 0;
	return close(fd) == 0 && done;
}

struct err *
conf_file_replace(struct ctx *c, const struct conf_file *file, const char *text)
{
	char id[UUID_TEXT];
	const char *name;
	int saved;

	uuid_random(id);
	name = arena_printf(c->arena, ".%s.%s", NAME, id);
	if (write_beside(file, name, text))
		return NULL;
	saved = errno;
	(void)unlinkat(file->folder, name, 0);
	errno = saved;
	if ((saved == EACCES || saved == EPERM) && geteuid() != 0 && write_in_place(file, text))
		return NULL;
	return failed(c, " It was not changed.");
}

void
conf_file_release(struct conf_file *file)
{
	if (file->folder >= 0)
		close(file->folder);
	file->folder = -1;
}
