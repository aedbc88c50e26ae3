#include "web/kept-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fault.h"
#include "base/fileio.h"
#include "base/instance.h"

#define MAGIC "galley1"
#define BODY_MAX ((size_t)1024 * 1024)

/* Four independent sums of 64-bit words: damage shows, at memory's speed. Not
 * against forgers; who may write here may write the database. */
static uint64_t
checksum(const char *bytes, size_t len)
{
	uint64_t sum[4] = { len, 3, 5, 7 };
	uint64_t word;

	for (size_t i = 0; i < len; i += sizeof(word)) {
		uint64_t *s = &sum[i / sizeof(word) % 4];
		word = 0;
		memcpy(&word, bytes + i,
		    len - i < sizeof(word) ? len - i : sizeof(word));
		*s = (*s ^ word) * UINT64_C(0x9E3779B97F4A7C15);
		*s ^= *s >> 29;
	}
	return sum[0] ^ (sum[1] << 1) ^ (sum[2] << 2) ^ (sum[3] << 3);
}

void
kept_head_make(struct ctx *c, const struct generation *seen,
    uint64_t workspace, const unsigned char name[DIGEST_SIZE],
    struct kept_head *out)
{
	struct stat st;

	memset(out, 0, sizeof(*out));
	memcpy(out->magic, MAGIC, sizeof(MAGIC));
	memcpy(out->epoch, seen->epoch, sizeof(out->epoch));
	memcpy(out->boot, seen->boot, sizeof(seen->boot));
	out->keys = seen->keys;
	out->workspace = workspace;
	if (stat(c->instance->db, &st) == 0) {
		out->device = st.st_dev;
		out->inode = st.st_ino;
	}
	memcpy(out->name, name, DIGEST_SIZE);
}

/* The same moment, though it may be another answer. */
static bool
as_fresh(const struct kept_head *a, const struct kept_head *b)
{
	return memcmp(a, b, offsetof(struct kept_head, name)) == 0;
}

static bool
read_whole(int fd, void *into, size_t len)
{
	char *p = into;

	while (len > 0) {
		ssize_t got = read(fd, p, len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		p += got;
		len -= (size_t)got;
	}
	return true;
}

static bool
read_open(struct ctx *c, int fd, const struct kept_head *wanted,
    struct kept_content *content, char **body, bool *current)
{
	struct kept_head head;
	struct stat st;

	if (fstat(fd, &st) != 0 || st.st_uid != geteuid() ||
	    !S_ISREG(st.st_mode) || !read_whole(fd, &head, sizeof(head)))
		return false;
	*current = as_fresh(&head, wanted);
	if (memcmp(&head, wanted, sizeof(head)) != 0 ||
	    !read_whole(fd, content, sizeof(*content)) ||
	    content->len > BODY_MAX || content->etag[ETAG_TEXT - 1] != '\0' ||
	    st.st_size != (off_t)(sizeof(head) + sizeof(*content) + content->len))
		return false;
	*body = arena_alloc(c->arena, (size_t)content->len + 1);
	return read_whole(fd, *body, (size_t)content->len) &&
	    checksum(*body, (size_t)content->len) == content->checksum;
}

bool
kept_file_read(struct ctx *c, const char *path, const struct kept_head *wanted,
    struct kept_content *content, char **body, bool *current)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	bool found;

	*current = false;
	if (fd < 0)
		return false;
	found = read_open(c, fd, wanted, content, body, current);
	close(fd);
	return found;
}

bool
kept_file_peek(struct ctx *c, const char *path, struct kept_head *head,
    char *body, size_t max, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct kept_content content;
	struct stat st;
	bool whole;

	(void)c;
	if (fd < 0)
		return false;
	whole = fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
	    read_whole(fd, head, sizeof(*head)) &&
	    read_whole(fd, &content, sizeof(content)) && content.len <= max &&
	    read_whole(fd, body, (size_t)content.len) &&
	    checksum(body, (size_t)content.len) == content.checksum;
	close(fd);
	*len = whole ? (size_t)content.len : 0;
	return whole;
}

static bool
write_open(int fd, const struct kept_head *head,
    const struct kept_content *content, const char *body)
{
	if (FAULT("kept-write") != 0)
		return false;
	return fileio_write_all(fd, head, sizeof(*head)) &&
	    fileio_write_all(fd, content, sizeof(*content)) &&
	    fileio_write_all(fd, body, (size_t)content->len);
}

bool
kept_file_write(struct ctx *c, const char *path, const struct kept_head *head,
    const char *etag, bool known, const char *body, size_t len)
{
	const char *fresh = arena_printf(c->arena, "%s.%ld", path,
	    (long)getpid());
	struct kept_content content;
	bool done;
	int fd;

	if (len > BODY_MAX)
		return true;
	memset(&content, 0, sizeof(content));
	memcpy(content.etag, etag, strlen(etag));
	content.len = len;
	content.checksum = checksum(body, len);
	content.known = known;
	fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
	    0600);
	if (fd < 0)
		return false;
	done = write_open(fd, head, &content, body);
	close(fd);
	(void)FAULT("kept-written");
	if (done && rename(fresh, path) == 0)
		return true;
	unlink(fresh);
	return false;
}
