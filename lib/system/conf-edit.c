/* Changes galley.conf, as a text that people wrote. */
#include "system/conf-edit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/uuid.h"
#include "system/conf.h"
#include "system/console-conf.h"
#include "system/instance.h"

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

/* ---- some keys of a text; all else stays */

#define FAULTS_MAX 64
#define TEXT_MAX ((size_t)64 * 1024)

/* Makes a line a comment, so that the lines after it are read, too. */
static void
leave_out(char *text, int number)
{
	while (--number > 0)
		text = strchr(text, '\n') + 1;
	if (*text != '\0' && *text != '\n')
		*text = '#';
}

size_t
conf_faults(struct ctx *c, const char *text, struct conf_fault **out)
{
	size_t len = strlen(text), count = 0;
	char *rest = arena_text_n(c->arena, text, len);
	struct console_conf other;
	struct conf conf;
	struct err *err;
	int line;

	*out = arena_alloc(c->arena, FAULTS_MAX * sizeof(**out));
	while (count < FAULTS_MAX) {
		err = conf_parse(c, arena_text_n(c->arena, rest, len), len, &conf, &line);
		if (err == NULL)
			err =
			    console_conf_parse(c, arena_text_n(c->arena, rest, len), &other, &line);
		if (err == NULL)
			break;
		(*out)[count++] = (struct conf_fault) { line, err->message };
		if (line == 0)
			break;
		leave_out(rest, line);
	}
	return count;
}

static bool
is_space(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\r';
}

/* Returns whether a line (to `end`) sets this key. */
static bool
sets(const char *line, const char *end, const char *key)
{
	size_t len = strlen(key);

	while (line < end && is_space(*line))
		line++;
	if ((size_t)(end - line) < len || strncmp(line, key, len) != 0)
		return false;
	line += len;
	while (line < end && is_space(*line))
		line++;
	return line < end && *line == '=';
}

/* Returns the value without the spaces around it, which a reader does not see. */
static const char *
trim(struct ctx *c, const char *value)
{
	size_t len;

	while (is_space(*value))
		value++;
	len = strlen(value);
	while (len > 0 && is_space(value[len - 1]))
		len--;
	return arena_text_n(c->arena, value, len);
}

struct err *
conf_edit(struct ctx *c, const char **text, const char *key, const char *value)
{
	const char *line = *text, *end, *next;
	bool done = false;
	struct conf conf;
	struct err *err;
	struct buf out;

	conf_defaults(&conf);
	value = trim(c, value);
	err = conf_set(c, &conf, key, value);
	if (err == NULL && conf_address_is_of(key))
		err = conf_address_check(c, key, value);
	if (err != NULL)
		return err;
	buf_init(&out, c->arena, 2 * TEXT_MAX);
	for (; *line != '\0'; line = next) {
		end = strchrnul(line, '\n');
		next = end + (*end != '\0');
		if (!sets(line, end, key))
			buf_add(&out, line, (size_t)(next - line));
		else if (!done)
			buf_printf(&out, "%s = %s\n", key, value);
		done = done || sets(line, end, key);
	}
	if (!done) {
		if (out.len > 0 && out.data[out.len - 1] != '\n')
			buf_add_char(&out, '\n');
		conf_write_key(c, &out, key, value);
	}
	if (out.len > TEXT_MAX)
		return refuse(c, ERR_INVALID, "galley.conf would be longer than 64 KiB.");
	*text = out.data;
	return NULL;
}
