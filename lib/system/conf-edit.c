/* Changes galley.conf, as a text that people wrote. */
#include "system/conf-edit.h"

#include <arpa/inet.h>
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

/* ---- addresses that may be set */

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" DIGITS
#define ADDRESS_MAX 1000 /* bytes */
#define LABEL_MAX 63
#define HOST_MAX 253
#define PORT_MAX 65535

bool
conf_address_is_of(const char *key)
{
	return strcmp(key, "public_url") == 0 || strcmp(key, "console_url") == 0 ||
	       strcmp(key, "pages_url") == 0;
}

/* Returns what is wrong with an IPv6 address, without its brackets, or NULL. */
static const char *
wrong_ipv6(const char *text)
{
	struct in6_addr address;

	return inet_pton(AF_INET6, text, &address) == 1
		   ? NULL
		   : "what is in the brackets [ ] is no IPv6 address";
}

static const char *
wrong_label(const char *label, size_t len)
{
	if (len == 0)
		return "its host has an empty part: there is a dot too many";
	if (len > LABEL_MAX)
		return "a part of its host has more than 63 letters";
	if (label[0] == '-' || label[len - 1] == '-')
		return "a part of its host begins or ends with -";
	return NULL;
}

/* Returns what is wrong with a host name or an IPv4 address, or NULL. */
static const char *
wrong_name(const char *host)
{
	const char *label = host, *wrong;
	struct in_addr address;
	size_t len;

	if (host[strspn(host, LETTERS "-_.")] != '\0')
		return "its host holds something that is no letter from a to z, no digit, and none of - _ . (of a name with other letters write the form that begins with xn--)";
	if (strlen(host) > HOST_MAX)
		return "its host has more than 253 letters";
	for (;; label += len + 1) {
		len = strcspn(label, ".");
		wrong = wrong_label(label, len);
		if (wrong != NULL)
			return wrong;
		if (label[len] == '\0')
			break;
	}
	/* Browsers read a host whose last part is a number as an IPv4 address. */
	if (label[strspn(label, DIGITS)] == '\0' && inet_pton(AF_INET, host, &address) != 1)
		return "its host is a number and no IPv4 address";
	return NULL;
}

/* Returns what is wrong with what is after the colon, or NULL. */
static const char *
wrong_port(const char *port)
{
	size_t len = strspn(port, DIGITS);
	long number = 0;

	for (size_t i = 0; i < len && i < 6; i++)
		number = number * 10 + (port[i] - '0');
	return len > 0 && len < 6 && port[len] == '\0' && port[0] != '0' && number <= PORT_MAX
		   ? NULL
		   : "its port must be a number from 1 to 65535";
}

/* Returns what is wrong with host and port, or NULL. */
static const char *
wrong_authority(struct ctx *c, const char *text)
{
	const char *end = strchr(text, ']'), *wrong;
	size_t len;

	if (strchr(text, '@') != NULL)
		return "it must hold no user name and no password, so no @";
	if (text[0] == '[' && end == NULL)
		return "there is no ] after the [ of its host";
	if (text[0] == '[') {
		wrong = wrong_ipv6(arena_text_n(c->arena, text + 1, (size_t)(end - text) - 1));
		len = (size_t)(end - text) + 1;
	} else {
		len = strcspn(text, ":");
		wrong = len > 0 ? wrong_name(arena_text_n(c->arena, text, len)) : "it has no host";
	}
	if (wrong != NULL || text[len] == '\0')
		return wrong;
	return text[len] == ':' ? wrong_port(text + len + 1)
				: "what follows the ] of its host is no port";
}

static bool
is_hex(char ch)
{
	return ch != '\0' && strchr(DIGITS "abcdefABCDEF", ch) != NULL;
}

/* Returns what is wrong with the path, or NULL. */
static const char *
wrong_path(const char *path)
{
	size_t len = strlen(path), size;

	if (path[strspn(path, LETTERS "-_.~!$&'()*+=:@%/")] != '\0')
		return "its path holds something that must be written with % and two hex digits";
	for (const char *p = strchr(path, '%'); p != NULL; p = strchr(p + 1, '%')) {
		if (!is_hex(p[1]) || !is_hex(p[2]))
			return "a % of its path is not followed by two hex digits";
	}
	/* Slashes at the end are left out. */
	while (len > 0 && path[len - 1] == '/')
		len--;
	for (const char *part = path; part < path + len; part += size) {
		part++;
		size = strcspn(part, "/");
		if (size == 0 || (size <= 2 && strspn(part, ".") >= size))
			return "its path has an empty part, or one that is . or ..";
	}
	return NULL;
}

static const char *
wrong_address(struct ctx *c, const char *value)
{
	const char *text = strncmp(value, "https://", 8) == 0  ? value + 8
			   : strncmp(value, "http://", 7) == 0 ? value + 7
							       : NULL;
	const char *wrong;
	size_t len;

	if (text == NULL)
		return "it must begin with https:// or http://";
	if (strlen(value) > ADDRESS_MAX)
		return "it has more than 1,000 bytes";
	if (strpbrk(value, "?#") != NULL)
		return "it must hold no query, so no ? and no #";
	len = strcspn(text, "/");
	wrong = wrong_authority(c, arena_text_n(c->arena, text, len));
	return wrong != NULL ? wrong : wrong_path(text + len);
}

struct err *
conf_address_check(struct ctx *c, const char *key, const char *value)
{
	const char *wrong = value[0] != '\0' ? wrong_address(c, value) : NULL;

	return wrong == NULL
		   ? NULL
		   : refuse(c, ERR_INTERNAL, "%s cannot be this address: %s.", key, wrong);
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
	struct buf out;

	conf_defaults(&conf);
	value = trim(c, value);
	TRY(conf_set(c, &conf, key, value));
	if (conf_address_is_of(key))
		TRY(conf_address_check(c, key, value));
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
