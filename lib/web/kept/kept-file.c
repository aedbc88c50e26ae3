#include "web/kept/kept-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/checksum.h"
#include "base/ctx.h"
#include "system/fault.h"
#include "base/fileio.h"
#include "web/kept/kept-room.h"

#define MAGIC "galley3"
#define BODY_MAX ((size_t)1024 * 1024)
#define PEEKED_MAX 128

void
kept_head_make(const struct kept *k, uint64_t workspace, const unsigned char name[DIGEST_SIZE],
    struct kept_head *out)
{
	memset(out, 0, sizeof(*out));
	memcpy(out->magic, MAGIC, sizeof(MAGIC));
	memcpy(out->boot, k->seen.boot, sizeof(k->seen.boot));
	out->moment = k->moment;
	out->moment.workspace = workspace;
	memcpy(out->name, name, DIGEST_SIZE);
}

bool
kept_head_as_fresh(const struct kept_head *a, const struct kept_head *b)
{
	return memcmp(a, b, offsetof(struct kept_head, name)) == 0;
}

/* The head and the description of the content, before the body; one read takes both. */
struct front {
	struct kept_head head;
	struct kept_content content;
};

/* Returns whether it is a regular file that Galley wrote, with as many bytes as
 * it says. */
static bool
is_ours(int fd, const struct kept_content *content)
{
	struct stat st;

	return content->len <= BODY_MAX && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       st.st_uid == geteuid() && st.st_size == (off_t)(sizeof(struct front) + content->len);
}

int
kept_file_open(
    const char *path, const struct kept_head *wanted, struct kept_content *content, bool *current)
{
	int fd = fileio_open(path, O_RDONLY | O_NOFOLLOW);
	struct front front;
	bool whole;

	*current = false;
	if (fd < 0)
		return -1;
	whole = read(fd, &front, sizeof(front)) == (ssize_t)sizeof(front) &&
		is_ours(fd, &front.content);
	if (whole && memcmp(&front.head, wanted, sizeof(*wanted)) == 0 &&
	    front.content.etag[ETAG_TEXT - 1] == '\0' &&
	    front.content.shown[REPLY_SHOWN - 1] == '\0') {
		*content = front.content;
		return fd;
	}
	*current = whole && kept_head_as_fresh(&front.head, wanted);
	close(fd);
	return -1;
}

/* Maps the body. No process makes such a file shorter: files are written beside
 * their place and renamed. Its pages are not populated at once: one fault brings
 * sixteen of them, which costs less. */
const char *
kept_file_body(int fd, const struct kept_content *content)
{
	size_t len = (size_t)content->len;
	const char *file = mmap(NULL, sizeof(struct front) + len, PROT_READ, MAP_PRIVATE, fd, 0);

	if (file == MAP_FAILED)
		return NULL;
	file += sizeof(struct front);
	return checksum(file, len) == content->checksum ? file : NULL;
}

bool
kept_file_peek(const char *path, struct kept_head *head, char *body, size_t max, size_t *len)
{
	int fd = fileio_open(path, O_RDONLY | O_NOFOLLOW);
	struct {
		struct front front;
		char body[PEEKED_MAX];
	} file;
	const struct kept_content *content = &file.front.content;
	ssize_t got;
	bool whole;

	if (fd < 0)
		return false;
	got = read(fd, &file, sizeof(file));
	whole = got >= (ssize_t)sizeof(file.front) && content->len <= max &&
		content->len == (uint64_t)got - sizeof(file.front) && is_ours(fd, content) &&
		checksum(file.body, (size_t)content->len) == content->checksum;
	close(fd);
	if (!whole)
		return false;
	*head = file.front.head;
	*len = (size_t)content->len;
	memcpy(body, file.body, *len);
	return true;
}

static bool
write_open(
    int fd, const struct kept_head *head, const struct kept_content *content, const char *body)
{
	if (FAULT("kept-write") != 0)
		return false;
	return fileio_write_all(fd, head, sizeof(*head)) &&
	       fileio_write_all(fd, content, sizeof(*content)) &&
	       fileio_write_all(fd, body, (size_t)content->len);
}

static bool
write_fresh(const char *fresh, const struct kept_head *head, const struct kept_content *content,
    const char *body)
{
	int fd = fileio_open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
	bool done;

	if (fd < 0)
		return false;
	done = write_open(fd, head, content, body);
	close(fd);
	(void)FAULT("kept-written");
	return done;
}

bool
kept_file_write(struct ctx *c, const char *path, int64_t workspace_id, const struct kept_head *head,
    const char *etag, const char *shown, bool known, const char *body, size_t len)
{
	const char *fresh = arena_printf(c->arena, "%s.%ld", path, (long)getpid());
	struct kept_content content;
	struct kept_room room;
	bool counted = workspace_id != 0, done;

	if (len > BODY_MAX ||
	    (counted && !kept_room_find(c, workspace_id, path, sizeof(struct front) + len, &room)))
		return true;
	memset(&content, 0, sizeof(content));
	memcpy(content.etag, etag, strlen(etag));
	memcpy(content.shown, shown, strlen(shown));
	content.len = len;
	content.checksum = checksum(body, len);
	content.known = known;
	done = write_fresh(fresh, head, &content, body);
	if (!done && counted)
		kept_room_leave(&room);
	if (done)
		done = counted ? kept_room_fill(&room, fresh, path) : rename(fresh, path) == 0;
	if (!done)
		unlink(fresh);
	return done;
}
