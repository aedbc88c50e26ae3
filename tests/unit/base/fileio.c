/* suite: fast */
#include "base/fileio.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "tests/tap.h"

static struct arena arena;
static char folder[] = "/tmp/galley-fileio-XXXXXX";

static const char *
inside(const char *name)
{
	return arena_printf(&arena, "%s/%s", folder, name);
}

static void
put(const char *path, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	char byte = 'x';

	for (size_t i = 0; i < len; i++) {
		if (write(fd, &byte, 1) != 1)
			bail("%s cannot be written", path);
	}
	close(fd);
}

static void
files_are_read_up_to_a_length(void)
{
	const char *path = inside("text");
	size_t len;

	for (size_t size = 4094; size < 4099; size++) {
		put(path, size);
		errno = 0;
		ok(fileio_read(&arena, path, size - 1, &len) == NULL && errno == EFBIG,
		    "%zu bytes are one too many", size);
		ok(fileio_read(&arena, path, size, &len) != NULL && len == size,
		    "%zu bytes are read where so many may be", size);
		ok(fileio_read(&arena, path, 10 * size, &len) != NULL && len == size,
		    "and where more may be");
	}
	ok(fileio_read(&arena, inside("none"), 10, NULL) == NULL && errno == ENOENT,
	    "a file that is not there is no text");
	ok(fileio_read(&arena, folder, 10, NULL) == NULL && errno == EISDIR, "nor is a folder");
}

/* Signals arrive while a process waits. The third one gives it what it waits for, so that
 * the earlier ones have arrived while it was waiting. */
static int ends[2];
static volatile sig_atomic_t ticks;
static void (*third)(void);

static void
tick(int number)
{
	(void)number;
	if (++ticks == 3)
		third();
}

static void
tick_until_third(void (*f)(void))
{
	struct sigaction action = { .sa_handler = tick };
	const struct itimerval often = { { 0, 5000 }, { 0, 5000 } };

	ticks = 0;
	third = f;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
}

static void
tick_no_more(void)
{
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };

	setitimer(ITIMER_REAL, &never, NULL);
}

static void
write_and_close(void)
{
	if (write(ends[1], "late", 4) != 4)
		_exit(1);
	close(ends[1]);
}

static void
drain(void)
{
	char bytes[4096];

	while (read(ends[0], bytes, sizeof(bytes)) == sizeof(bytes))
		;
}

static void
only_the_users_own_file_is_read(void)
{
	const char *path = inside("own"), *other = inside("other");
	struct stat st;

	put(path, 3);
	ok(fileio_read_own(&arena, path, 3, &st) != NULL && st.st_size == 3,
	    "a file of this user is read");
	errno = 0;
	ok(fileio_read_own(&arena, path, 2, NULL) == NULL && errno == EFBIG,
	    "but none that is too long");
	for (mode_t mode = 0602; mode <= 0620; mode += 016) {
		ok(chmod(path, mode) == 0, "mode %o", (unsigned)mode);
		ok(fileio_read_own(&arena, path, 3, &st) == NULL && errno == EPERM,
		    "none that others may write");
	}
	ok(chmod(path, 0644) == 0 && fileio_read_own(&arena, path, 3, NULL) != NULL,
	    "others may read it");
	ok(symlink(path, other) == 0 && fileio_read_own(&arena, other, 3, NULL) == NULL &&
		errno == ELOOP,
	    "no symbolic link is followed");
	ok(unlink(other) == 0 && mkfifo(other, 0600) == 0 &&
		fileio_read_own(&arena, other, 3, NULL) == NULL && errno == EPERM,
	    "and no pipe is waited for");
	ok(fileio_read_now(&arena, other, 3, NULL) == NULL && errno == EINVAL,
	    "nor is one without a writer an empty file");
	is_text(fileio_read(&arena, "/dev/null", 3, NULL), "",
	    "where a wait is allowed, a device may be");
	ok(unlink(other) == 0 && fileio_read_own(&arena, other, 3, NULL) == NULL && errno == ENOENT,
	    "no file is none");
	if (geteuid() == 0)
		ok(chown(path, 1, 1) == 0 && fileio_read_own(&arena, path, 3, NULL) == NULL &&
			errno == EPERM,
		    "a file of another user is none");
}

/* The size of a pipe is not known before it ends. */
static void
long_pipes_are_read(void)
{
	enum { LONG = 300000 };
	int pipe_ends[2];
	char *data;
	size_t len = 0, same = 0;
	pid_t child = pipe(pipe_ends) == 0 ? fork() : -1;

	if (child == 0) {
		static char bytes[LONG];
		for (int i = 0; i < LONG; i++)
			bytes[i] = (char)('a' + i % 23);
		_exit(fileio_write_all(pipe_ends[1], bytes, LONG) ? 0 : 1);
	}
	if (!ok(child > 0, "a pipe has a writer"))
		return;
	close(pipe_ends[1]);
	data = fileio_read_fd(&arena, pipe_ends[0], LONG, &len);
	is_int((int64_t)len, LONG, "all of a pipe is read");
	while (data != NULL && same < len && data[same] == (char)('a' + same % 23))
		same++;
	is_int((int64_t)same, LONG, "as it was written");
	close(pipe_ends[0]);
	waitpid(child, NULL, 0);
}

static void
signals_interrupt_nothing(void)
{
	static char bytes[100000];
	size_t len = 0;
	char *text;

	if (pipe(ends) != 0)
		bail("no pipe");
	tick_until_third(write_and_close);
	text = fileio_read_fd(&arena, ends[0], 100, &len);
	tick_no_more();
	is_text(text, "late", "what is read is waited for");
	close(ends[0]);

	if (pipe(ends) != 0 || fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0)
		bail("no pipe");
	tick_until_third(drain);
	ok(fileio_write_all(ends[1], bytes, sizeof(bytes)), "what is written is written whole");
	tick_no_more();
	ok(ticks >= 3, "though the pipe was full");
	close(ends[0]);
	close(ends[1]);
}

static void
writing_says_what_failed(void)
{
	int fd = open("/dev/full", O_WRONLY);

	ok(!fileio_write_all(fd, "x", 1) && errno == ENOSPC, "a full device takes nothing");
	close(fd);
}

static void
a_file_is_replaced_or_stays(void)
{
	const char *path = inside("kept");
	struct stat st;

	ok(fileio_replace(&arena, path, "one", 3, 0640), "a file is made");
	ok(stat(path, &st) == 0 && (st.st_mode & 07777) == 0640, "with its mode");
	ok(fileio_replace(&arena, path, "two", 3, 0600), "and replaced");
	is_text(fileio_read(&arena, path, 10, NULL), "two", "by what is new");
	ok(!fileio_replace(&arena, inside("none/kept"), "x", 1, 0600) && errno == ENOENT,
	    "there must be a folder");
	mkdir(inside("folder"), 0700);
	ok(!fileio_replace(&arena, inside("folder"), "x", 1, 0600) && errno == EISDIR,
	    "a folder is not replaced");
	is_int(system(arena_printf(&arena, "ls -A %s | grep -q '^\\.'", folder)), 256,
	    "no temporary file stays");
	ok(!fileio_sync_folder(inside("none")) && errno == ENOENT,
	    "a folder that is not there is not synced");
}

static void
folders_are_made_with_those_above(void)
{
	char long_path[5000];

	ok(fileio_make_folder(inside("a/b/c"), 0700), "three at once");
	ok(fileio_make_folder(inside("a/b/c"), 0700), "or none, where it is");
	put(inside("a/file"), 1);
	ok(!fileio_make_folder(inside("a/file"), 0700) && errno == ENOTDIR, "a file is no folder");
	ok(!fileio_make_folder(inside("a/file/b"), 0700) && errno == ENOTDIR,
	    "nor can it hold one");
	ok(!fileio_make_folder("/proc/galley", 0700) && errno == ENOENT,
	    "what the system refuses is told");
	memset(long_path, 'x', sizeof(long_path) - 1);
	long_path[sizeof(long_path) - 1] = '\0';
	ok(!fileio_make_folder(long_path, 0700) && errno == ENAMETOOLONG,
	    "so is a name that is too long");
}

static void
paths_are_taken_apart(void)
{
	is_text(fileio_folder(&arena, "/a/b/c"), "/a/b", "the folder of /a/b/c");
	is_text(fileio_folder(&arena, "/a"), "/", "of /a");
	is_text(fileio_folder(&arena, "a"), ".", "of a");
	is_text(fileio_name("/a/b/c"), "c", "the name of /a/b/c");
	is_text(fileio_name("a"), "a", "of a");
	is_text(fileio_path(&arena, "/a", "b/c"), "/a/b/c", "a path");
}

static uint64_t
nanoseconds(int64_t seconds, uint64_t rest)
{
	return (uint64_t)seconds * 1000000000 + rest;
}

static void
a_file_is_known_from_its_successor(void)
{
	const char *path = inside("identified");
	struct fileio_identity first, again;
	struct stat st;
	struct statx x;

	fileio_identify(path, &first);
	ok(first.device == 0 && first.inode == 0 && first.born == 0, "no file is none");
	put(path, 1);
	fileio_identify(path, &first);
	ok(stat(path, &st) == 0 && st.st_ino == first.inode, "a file has its number");
	put(path, 2);
	fileio_identify(path, &again);
	ok(memcmp(&first, &again, sizeof(first)) == 0, "writing it changes nothing");
	/* The system's clock for files moves in steps of some milliseconds. */
	for (int i = 0; i < 100000 && memcmp(&first, &again, sizeof(first)) == 0; i++) {
		unlink(path);
		put(path, 1);
		fileio_identify(path, &again);
	}
	ok(first.born == 0 || memcmp(&first, &again, sizeof(first)) != 0,
	    "another in its place is another");
	put(path, 1);
	fileio_identify(path, &first);
	if (statx(AT_FDCWD, path, 0, STATX_INO | STATX_BTIME, &x) != 0)
		memset(&x, 0, sizeof(x));
	if ((x.stx_mask & STATX_BTIME) != 0)
		ok(first.born == nanoseconds(x.stx_btime.tv_sec, x.stx_btime.tv_nsec) &&
			first.device == ((uint64_t)x.stx_dev_major << 32 | x.stx_dev_minor),
		    "with the device, and the time of its birth to the nanosecond");
	else
		skip(1, "this file system knows no births");
}

static void
a_written_file_is_known_by_its_length_and_times(void)
{
	static const struct fileio_written none;
	const char *path = inside("written");
	struct fileio_written w;
	struct stat st;

	fileio_look(path, &w);
	ok(memcmp(&w, &none, sizeof(w)) == 0, "a missing file has none");
	put(path, 0);
	fileio_look(path, &w);
	ok(memcmp(&w, &none, sizeof(w)) == 0, "nor has an empty one");
	for (size_t len = 1; len < 3; len++) {
		put(path, len);
		fileio_look(path, &w);
		ok(stat(path, &st) == 0 && w.len == len &&
			w.modified ==
			    nanoseconds(st.st_mtim.tv_sec, (uint64_t)st.st_mtim.tv_nsec) &&
			w.changed == nanoseconds(st.st_ctim.tv_sec, (uint64_t)st.st_ctim.tv_nsec),
		    "one of %zu bytes has both", len);
	}
}

int
main(void)
{
	arena_init(&arena, (size_t)1 << 20);
	if (mkdtemp(folder) == NULL)
		bail("%s cannot be made", folder);
	files_are_read_up_to_a_length();
	only_the_users_own_file_is_read();
	long_pipes_are_read();
	signals_interrupt_nothing();
	writing_says_what_failed();
	a_file_is_replaced_or_stays();
	folders_are_made_with_those_above();
	paths_are_taken_apart();
	a_file_is_known_from_its_successor();
	a_written_file_is_known_by_its_length_and_times();
	is_int(system(arena_printf(&arena, "rm -r %s", folder)), 0, "cleared");
	return done_testing();
}
