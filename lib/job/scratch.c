#include "job/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/uuid.h"
#include "system/fault.h"
#include "system/instance.h"

#define PREFIX "try-"
#define MAKE_MAX 100 /* attempts, if a sweep removes each new folder */
#define FOUND_MAX 256 /* processes that are killed at a time */
#define ROUNDS 200 /* of killing, one each millisecond */
#define DEPTH_MAX 64 /* of nested folders that are open at once */
#define FOLDER (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/* ---- marks */

/* A mark is 2^62, 30 bits of the instance and 32 bits of the folder. Nobody sets a real
 * limit in this range. */
#define MARKS (UINT64_C(1) << 62)
#define OF_INSTANCE (~UINT64_C(0xFFFFFFFF))

static uint64_t
mark_of(struct ctx *c, const char *path)
{
	const char *home = c->instance->home;
	uint64_t instance = checksum(home, strlen(home)) & 0x3FFFFFFF;

	return MARKS | instance << 32 | (checksum(path, strlen(path)) & 0xFFFFFFFF);
}

/* Reads the begin of a file about a process; it is empty if the process is gone. */
static void
read_about(const char *pid, const char *name, char text[4096])
{
	char path[64];
	ssize_t len = 0;
	int fd;

	snprintf(path, sizeof(path), "/proc/%.20s/%s", pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		len = read(fd, text, 4095);
		close(fd);
	}
	text[len > 0 ? len : 0] = '\0';
}

/* Returns the mark of a process; 0 if it has none or is gone. */
static uint64_t
mark_in(const char *pid)
{
	static const char row[] = "\nMax file locks";
	char text[4096], *found;

	read_about(pid, "limits", text);
	found = strstr(text, row);
	return found != NULL ? strtoull(found + sizeof(row) - 1, NULL, 10) : 0;
}

/* Returns whether a process has ended and only waits until its parent asks for its status.
 * If only its first thread has ended, its state is the same, but it has more threads. */
static bool
has_ended(const char *pid)
{
	static const char row[] = "\nThreads:";
	char text[4096], *threads;

	read_about(pid, "status", text);
	threads = strstr(text, row);
	return strstr(text, "\nState:\tZ") != NULL && threads != NULL &&
	       strtol(threads + sizeof(row) - 1, NULL, 10) <= 1;
}

struct marked {
	char pid[16];
	uint64_t mark;
};

/* Finds processes whose mark equals `mark` in the bits of `mask`, at most `max`.
 * Returns how many it found. Processes that this process may not kill are not read:
 * a call is cheaper than a file of /proc. One that has ended starts no other and
 * is not found: some inits leave it there for long. */
static int
find_marked(uint64_t mark, uint64_t mask, struct marked *out, int max)
{
	DIR *list = opendir("/proc");
	struct dirent *entry;
	int count = 0;

	while (list != NULL && count < max && (entry = readdir(list)) != NULL) {
		struct marked *one = &out[count];
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
		if (pid <= 1 || pid == getpid() || kill(pid, 0) != 0)
			continue;
		one->mark = mark_in(entry->d_name);
		if ((one->mark & mask) != (mark & mask) || has_ended(entry->d_name))
			continue;
		snprintf(one->pid, sizeof(one->pid), "%.15s", entry->d_name);
		count++;
	}
	if (list != NULL)
		closedir(list);
	return count;
}

/* Kills a process if it still has the mark: its number may belong to another process by
 * now. */
static void
kill_marked(const struct marked *one)
{
	if (mark_in(one->pid) == one->mark)
		(void)kill((pid_t)strtol(one->pid, NULL, 10), SIGKILL);
}

int
scratch_kill(uint64_t mark)
{
	struct marked found[FOUND_MAX];
	int count = find_marked(mark, UINT64_MAX, found, FOUND_MAX);

	for (int i = 0; i < count; i++)
		kill_marked(&found[i]);
	return count;
}

/* ---- the folder */

/* Locks the new folder. Returns false if another run removed the folder before it was
 * locked. */
static bool
is_ours(const struct scratch *s)
{
	struct stat named, held;

	return flock(s->fd, LOCK_EX | LOCK_NB) == 0 && fstat(s->fd, &held) == 0 &&
	       lstat(s->path, &named) == 0 && named.st_dev == held.st_dev &&
	       named.st_ino == held.st_ino;
}

int
scratch_make(struct ctx *c, struct scratch *out)
{
	for (int tries = 0; tries < MAKE_MAX; tries++) {
		char *path = arena_printf(c->arena, "%s/" PREFIX "XXXXXX", c->instance->run);
		out->fd = -1;
		if (mkdtemp(path) == NULL)
			return errno;
		(void)FAULT("scratch-made");
		out->path = path;
		out->mark = mark_of(c, path);
		out->fd = open(path, FOLDER);
		if (out->fd < 0 && errno != ENOENT)
			return errno;
		(void)FAULT("scratch-opened");
		if (out->fd >= 0 && is_ours(out))
			return 0;
		if (out->fd >= 0)
			close(out->fd);
	}
	out->fd = -1;
	return EBUSY;
}

/* Opens a folder, even if the provider made it unreadable. */
static int
open_folder(int at, const char *name)
{
	int fd = openat(at, name, FOLDER);

	if (fd < 0 && errno == EACCES && fchmodat(at, name, 0700, 0) == 0)
		fd = openat(at, name, FOLDER);
	return fd;
}

struct removal {
	int top; /* the scratch folder */
	bool moved; /* something into it that must be removed, too */
};

/* Moves what is nested too deep to the top of the scratch folder. A provider can nest
 * more folders than a process can have open. */
static void
move_up(struct removal *r, int folder, const char *name)
{
	char id[UUID_TEXT];

	uuid_random(id);
	if (fchmodat(folder, name, 0700, 0) == 0 && renameat(folder, name, r->top, id) == 0)
		r->moved = true;
}

static void remove_all(struct removal *r, int folder, int depth);

/* Removes a file, or a folder with everything in it. What cannot be removed stays. */
static void
remove_name(struct removal *r, int folder, const char *name, int depth)
{
	int fd;

	if (unlinkat(folder, name, 0) == 0 || unlinkat(folder, name, AT_REMOVEDIR) == 0)
		return;
	if (depth == DEPTH_MAX) {
		move_up(r, folder, name);
		return;
	}
	fd = open_folder(folder, name);
	if (fd >= 0)
		remove_all(r, fd, depth + 1);
	(void)unlinkat(folder, name, AT_REMOVEDIR);
}

/* Empties the folder of a descriptor and closes the descriptor. */
static void
remove_all(struct removal *r, int folder, int depth)
{
	DIR *list = fdopendir(folder);
	struct dirent *entry;

	if (list == NULL) {
		close(folder);
		return;
	}
	(void)fchmod(folder, 0700);
	while ((entry = readdir(list)) != NULL) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			remove_name(r, dirfd(list), entry->d_name, depth);
	}
	closedir(list);
}

void
scratch_remove(struct scratch *s)
{
	struct removal r = { .top = s->fd, .moved = true };
	int fd;

	if (s->fd < 0)
		return;
	(void)fchmod(s->fd, 0700);
	while (r.moved) {
		r.moved = false;
		fd = openat(s->fd, ".", FOLDER);
		if (fd >= 0)
			remove_all(&r, fd, 0);
	}
	(void)rmdir(s->path);
	close(s->fd);
	s->fd = -1;
}

/* Kills the processes whose working directory is the folder or is in it. They may have
 * no mark, where a limit is not inherited. */
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
		got = readlink(arena_printf(c->arena, "/proc/%s/cwd", entry->d_name), target,
		    sizeof(target) - 1);
		if (got < (ssize_t)len || memcmp(target, folder, len) != 0)
			continue;
		target[got] = '\0';
		if (target[len] == '\0' || target[len] == '/')
			(void)kill(pid, SIGKILL);
	}
	if (list != NULL)
		closedir(list);
}

/* Calls `each` for each scratch folder. Its fd is -1 if the process that made the
 * folder lives. */
static void
each_folder(struct ctx *c, void (*each)(struct ctx *c, struct scratch *s, void *arg), void *arg)
{
	DIR *list = opendir(c->instance->run);
	struct dirent *entry;
	struct scratch s;

	while (list != NULL && (entry = readdir(list)) != NULL) {
		if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) != 0)
			continue;
		s.path = arena_printf(c->arena, "%s/%s", c->instance->run, entry->d_name);
		s.mark = mark_of(c, s.path);
		s.fd = open_folder(AT_FDCWD, s.path);
		if (s.fd < 0)
			continue;
		if (flock(s.fd, LOCK_EX | LOCK_NB) != 0) {
			close(s.fd);
			s.fd = -1;
		}
		each(c, &s, arg);
	}
	if (list != NULL)
		closedir(list);
}

/* Processes that were found before the folders are examined. A maker that lives locked
 * its folder before it started a process, so its processes are recognised. */
struct found {
	struct marked at[FOUND_MAX];
	int count;
};

static void
spare_living(struct ctx *c, struct scratch *s, void *arg)
{
	struct found *found = arg;

	(void)c;
	for (int i = 0; s->fd < 0 && i < found->count; i++) {
		if (found->at[i].mark == s->mark)
			found->at[i].mark = 0;
	}
	if (s->fd >= 0)
		close(s->fd);
}

/* Kills the processes of tries whose makers are dead, even if the folder of a try is
 * gone. Repeats until none is found, because they may start others meanwhile. */
static void
kill_left(struct ctx *c)
{
	struct timespec pause = { .tv_nsec = 1000000 };
	uint64_t mine = mark_of(c, "");
	struct found found;
	bool any = true;

	for (int round = 0; any && round < ROUNDS; round++) {
		found.count = find_marked(mine, OF_INSTANCE, found.at, FOUND_MAX);
		each_folder(c, spare_living, &found);
		any = false;
		for (int i = 0; i < found.count; i++) {
			if (found.at[i].mark == 0)
				continue;
			any = true;
			kill_marked(&found.at[i]);
		}
		if (any)
			nanosleep(&pause, NULL);
	}
}

static void
sweep(struct ctx *c, struct scratch *s, void *arg)
{
	(void)arg;
	if (s->fd < 0)
		return;
	kill_users(c, s->path);
	scratch_remove(s);
}

void
scratch_sweep(struct ctx *c)
{
	kill_left(c);
	each_folder(c, sweep, NULL);
}
