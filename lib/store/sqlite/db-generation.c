#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "base/uuid.h"
#include "store/generation.h"
#include "system/fault.h"
#include "system/instance.h"

#define SLOT_MAX INT64_C(16777216)

/* The file's first 64 bytes. The boot id is written last and emptied first. */
struct head {
	char boot[40]; /* NUL-terminated; "" while nothing may be believed */
	unsigned char epoch[GENERATION_EPOCH];
	uint64_t unused;
};

/* The present change of this process: there is at most one transaction. */
static struct {
	int fd; /* of the file, with the lock; -1: no change was declared */
	bool all; /* the head, not a slot */
	bool renew; /* the head is not of this boot: written again at the end */
	bool was_odd; /* a writer died before */
	off_t slot; /* of the slot in the file */
	uint64_t odd; /* the number that is there now */
	uint64_t even; /* the number after the commit */
	char boot[37];
} writing = { .fd = -1 };

static off_t
offset_of(int64_t slot)
{
	return (off_t)sizeof(struct head) + (off_t)sizeof(uint64_t) * slot;
}

static const char *
path_of(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->run, "generation");
}

/* Returns whether another machine may write the file: NFS, SMB, FUSE, 9p and the
 * like. */
static bool
is_remote(int fd)
{
	static const unsigned long remote[] = { 0x6969, 0xFF534D42, 0xFE534D42, 0x517B, 0x65735546,
		0x01021997, 0x0BD00BD0, 0x47504653, 0x5346414F, 0x00C36400 };
	struct statfs fs;

	if (fstatfs(fd, &fs) != 0)
		return true;
	for (size_t i = 0; i < sizeof(remote) / sizeof(remote[0]); i++) {
		if (((unsigned long)fs.f_type & 0xFFFFFFFF) == remote[i])
			return true;
	}
	return false;
}

/* The content of the file for one slot. */
struct view {
	struct head head;
	uint64_t keys, workspace;
};

/* Returns whether it is Galley's file with a head that no other machine writes. */
static bool
is_ours(int fd, struct stat *st)
{
	return fstat(fd, st) == 0 && st->st_size >= (off_t)sizeof(struct head) &&
	       st->st_uid == geteuid() && !is_remote(fd);
}

/* ---- by a process of one request: reading costs less than mapping */

/* Returns a counter. A counter beyond the end of the file never changed. */
static uint64_t
counter_at(int fd, off_t at)
{
	uint64_t value = 0;

	if (pread(fd, &value, sizeof(value), at) != (ssize_t)sizeof(value))
		value = 0;
	return value;
}

static bool
view_open(int fd, int64_t slot, struct view *out)
{
	struct {
		struct head head;
		uint64_t counters[56];
	} front;
	struct stat st;

	memset(&front, 0, sizeof(front));
	if (!is_ours(fd, &st) || pread(fd, &front, sizeof(front), 0) < (ssize_t)sizeof(front.head))
		return false;
	out->head = front.head;
	out->keys = front.counters[0];
	out->workspace = offset_of(slot) < (off_t)sizeof(front) ? front.counters[slot]
								: counter_at(fd, offset_of(slot));
	return true;
}

static bool
view_read(struct ctx *c, int64_t slot, struct view *out)
{
	int fd = fileio_open(path_of(c), O_RDONLY | O_NOFOLLOW);
	bool done;

	if (fd < 0)
		return false;
	done = view_open(fd, slot, out);
	close(fd);
	return done;
}

/* ---- by a process of many */

/* The mapping of the file. It stays until the process ends, or until another or a longer
 * file is at the path. */
static struct {
	const void *file; /* NULL: none is mapped */
	size_t size;
	dev_t device;
	ino_t inode;
} mapped;

/* Maps an open file. No process makes it shorter, so reading the mapping is safe. */
static bool
map(int fd)
{
	struct stat st;
	void *file;

	if (!is_ours(fd, &st))
		return false;
	file = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (file == MAP_FAILED)
		return false;
	mapped.file = file;
	mapped.size = (size_t)st.st_size;
	mapped.device = st.st_dev;
	mapped.inode = st.st_ino;
	return true;
}

/* Returns whether the file at the path is the mapped one. The mapping holds its inode,
 * which no other file can get meanwhile. */
static bool
is_mapped(const char *path)
{
	struct stat st;

	return mapped.file != NULL && lstat(path, &st) == 0 && st.st_ino == mapped.inode &&
	       st.st_dev == mapped.device && st.st_size == (off_t)mapped.size &&
	       st.st_uid == geteuid();
}

/* Maps the file that is at the path now, if it is not mapped yet. */
static bool
map_present(struct ctx *c)
{
	const char *path = path_of(c);
	bool done;
	int fd;

	if (is_mapped(path))
		return true;
	if (mapped.file != NULL)
		munmap((void *)(uintptr_t)mapped.file, mapped.size);
	mapped.file = NULL;
	fd = fileio_open(path, O_RDONLY | O_NOFOLLOW);
	if (fd < 0)
		return false;
	done = map(fd);
	close(fd);
	return done;
}

/* Returns a counter. A counter beyond the end of the file never changed. */
static uint64_t
load(int64_t slot)
{
	if ((size_t)offset_of(slot + 1) > mapped.size)
		return 0;
	return __atomic_load_n(
	    (const uint64_t *)(const void *)((const char *)mapped.file + offset_of(slot)),
	    __ATOMIC_ACQUIRE);
}

static bool
view_mapped(struct ctx *c, int64_t slot, struct view *out)
{
	const struct head *head;

	if (!map_present(c))
		return false;
	out->keys = load(0);
	out->workspace = load(slot);
	head = mapped.file;
	memcpy(out->head.boot, head->boot, sizeof(head->boot));
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	memcpy(out->head.epoch, head->epoch, sizeof(head->epoch));
	return true;
}

static void
take(const struct view *v, struct generation *out)
{
	out->keys = v->keys;
	out->workspace = v->workspace;
	out->usable = strncmp(v->head.boot, out->boot, sizeof(out->boot)) == 0 &&
		      v->keys % 2 == 0 && v->workspace % 2 == 0;
	memcpy(out->epoch, v->head.epoch, sizeof(out->epoch));
}

/* Reads the boot id before the epoch. A writer empties the boot id before its
 * commit and draws the epoch after it: so a reader that got the old epoch read
 * before the commit. */
void
generation_read(struct ctx *c, int64_t workspace_id, struct generation *out)
{
	struct view v;
	bool seen;

	memset(out, 0, sizeof(*out));
	if (workspace_id < 0 || workspace_id >= SLOT_MAX || !clock_boot_id(out->boot))
		return;
	seen = c->lasting ? view_mapped(c, workspace_id, &v) : view_read(c, workspace_id, &v);
	if (seen)
		take(&v, out);
}

bool
generation_same(const struct generation *a, const struct generation *b)
{
	return a->usable && b->usable && a->keys == b->keys && a->workspace == b->workspace &&
	       memcmp(a->epoch, b->epoch, sizeof(a->epoch)) == 0;
}

bool
generation_is_broken(struct ctx *c, int64_t slot)
{
	struct generation now;
	int fd;

	generation_read(c, slot, &now);
	if (now.usable || now.boot[0] == '\0' || slot >= SLOT_MAX)
		return false;
	fd = fileio_open(path_of(c), O_RDONLY | O_NOFOLLOW);
	if (fd >= 0) {
		bool remote = is_remote(fd);
		close(fd);
		/* An odd counter of another slot does not make this one broken. */
		return !remote && (slot == 0 || now.workspace % 2 == 1 || now.keys % 2 == 0);
	}
	return true;
}

static __attribute__((cold)) _Noreturn void
give_up(struct ctx *c, const char *what)
{
	int error = errno;

	if (writing.fd >= 0)
		close(writing.fd);
	writing.fd = -1;
	db_rollback(c);
	die_passing(5, "%s: %s: %s", path_of(c), what, strerror(error));
}

static void
lock(struct ctx *c, off_t from, off_t len, int64_t deadline)
{
	struct flock range = {
		.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = from, .l_len = len
	};
	const struct timespec pause = { 0, 300000 };

	while (fcntl(writing.fd, F_OFD_SETLK, &range) != 0) {
		if ((errno != EAGAIN && errno != EACCES && errno != EINTR) ||
		    clock_boot() >= deadline)
			give_up(c, "lock");
		nanosleep(&pause, NULL);
	}
}

static bool
put(const void *bytes, size_t len, off_t at)
{
	int error = FAULT("generation-write");

	if (error != 0) {
		errno = error;
		return false;
	}
	return pwrite(writing.fd, bytes, len, at) == (ssize_t)len;
}

static bool
head_is_ours(void)
{
	struct head head;

	return pread(writing.fd, &head, sizeof(head), 0) == (ssize_t)sizeof(head) &&
	       memchr(head.boot, '\0', sizeof(head.boot)) != NULL &&
	       strcmp(head.boot, writing.boot) == 0;
}

static bool
blank_head(void)
{
	static const char empty[sizeof(((struct head *)0)->boot)];

	return put(empty, sizeof(empty), 0);
}

/* Writes a new epoch, and then the boot id: from then on the file is believed again. */
static bool
fresh_head(void)
{
	struct head head;

	memset(&head, 0, sizeof(head));
	uuid_random_bytes(head.epoch, sizeof(head.epoch));
	memcpy(head.boot, writing.boot, sizeof(writing.boot));
	return put((const char *)&head + sizeof(head.boot), sizeof(head) - sizeof(head.boot),
		   sizeof(head.boot)) &&
	       put(head.boot, sizeof(head.boot), 0);
}

static void
declare_all(struct ctx *c)
{
	writing.all = true;
	if (!writing.renew && !blank_head())
		give_up(c, "write");
}

/* Draws an even number. It is never 0, the number of a slot that was never used. */
static uint64_t
draw_even(void)
{
	uint64_t even;

	do {
		uuid_random_bytes(&even, sizeof(even));
		even &= ~UINT64_C(1);
	} while (even == 0);
	return even;
}

static void
declare_slot(struct ctx *c, off_t at)
{
	uint64_t now;

	writing.all = false;
	writing.slot = at;
	now = counter_at(writing.fd, writing.slot);
	writing.was_odd = now % 2 == 1;
	writing.odd = writing.was_odd ? now + 2 : now + 1;
	writing.even = draw_even();
	if (!put(&writing.odd, sizeof(writing.odd), writing.slot))
		give_up(c, "write");
}

static void
open_to_write(struct ctx *c)
{
	writing.fd = fileio_open(path_of(c), O_RDWR | O_CREAT | O_NOFOLLOW);
	if (writing.fd < 0)
		give_up(c, "open");
}

void
generation_begin(struct ctx *c, enum db_store store, enum db_change change, int64_t workspace_id,
    int64_t deadline)
{
	int64_t slot = change == DB_CHANGES_WORKSPACE ? workspace_id : 0;
	bool all = change == DB_CHANGES_ALL || slot >= SLOT_MAX;
	off_t at = offset_of(slot);

	if (store != DB_CONTENT || change == DB_CHANGES_NOTHING)
		return;
	open_to_write(c);
	if (!clock_boot_id(writing.boot))
		writing.boot[0] = '\0';
	lock(c, all ? 0 : at, all ? 0 : (off_t)sizeof(uint64_t), deadline);
	writing.renew = !head_is_ours();
	if (writing.renew && !all) {
		/* The head is written again for all: no other process may write
		 * meanwhile. */
		lock(c, 0, 0, deadline);
		writing.renew = !head_is_ours();
	}
	if (all)
		declare_all(c);
	else
		declare_slot(c, at);
	(void)FAULT("generation-odd");
}

bool
generation_is_doubtful(void)
{
	return writing.fd >= 0 && (writing.renew || (!writing.all && writing.was_odd));
}

/* Ends the change. Everything here comes after the commit: if the file cannot be
 * written, the counter stays odd or the boot id empty, and readers use the
 * database. */
void
generation_end(bool committed)
{
	bool written = true;

	if (writing.fd < 0)
		return;
	(void)FAULT("generation-before-even");
	if (!writing.all && (committed || !writing.was_odd))
		written = put(&writing.even, sizeof(writing.even), writing.slot);
	if (written && (writing.renew ? committed : writing.all) && writing.boot[0] != '\0')
		written = fresh_head();
	if (!written)
		log_line(
		    "run/generation cannot be written; answers are not kept until the next change");
	close(writing.fd);
	writing.fd = -1;
	(void)FAULT("generation-even");
}
