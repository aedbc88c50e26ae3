#include "article/thumbs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "article/media.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "content/thumbnail.h"
#include "store/db.h"
#include "store/hosts.h"
#include "system/disk.h"
#include "system/fault.h"
#include "system/instance.h"
#include "system/work.h"

#define PROGRAM "galley-picture"
#define KILLED_AFTER_S 20
#define NOT_STARTED 127
#define WORK (8 * CLOCK_SECOND)
#define AT_ONCE 50 /* wishes that are read */
#define HOUR_S 3600 /* after a fault of the machine */
#define DAY_S (24 * HOUR_S) /* after a look that found no program */
#define WEEK_S (7 * DAY_S) /* after a picture that has none */
#define SLACK ((size_t)1024 * 1024)

#define WISHES "thumbs"
#define NONE "thumbs-none"
#define PAUSE "thumbs-pause"
#define FRESH                                                                                      \
	".new" /* the end of a name while the file is written: the lock of the runner has one
			writer */

static const char *
mark_of(struct ctx *c, const char *folder, const char *name)
{
	return arena_printf(c->arena, "%s/console/%s/%s", c->instance->run, folder, name);
}

static const char *
pause_mark(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->run, "console/" PAUSE);
}

static const char *
thumb_name(struct ctx *c, const char *name)
{
	return arena_printf(c->arena, "%.*s" THUMBNAIL_ENDING, MEDIA_DIGEST - 1, name);
}

static const char *
fresh_path(struct ctx *c, const char *name)
{
	return media_path(c, arena_printf(c->arena, ".%s" FRESH, thumb_name(c, name)));
}

static bool
is_young(const char *path, int64_t seconds)
{
	int64_t now = clock_now() / CLOCK_SECOND;
	struct stat st;

	return lstat(path, &st) == 0 && st.st_mtime <= now && st.st_mtime + seconds > now;
}

/* Makes an empty file, which is of now. */
static bool
touch(const char *path)
{
	int fd = fileio_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);

	if (fd < 0)
		return false;
	(void)futimens(fd, NULL);
	close(fd);
	return true;
}

const char *
thumb_find(struct ctx *c, const char *image)
{
	const char *name = image != NULL && strncmp(image, "media:", 6) == 0 ? image + 6 : NULL;

	if (name == NULL || media_digest_of(c, name) == NULL)
		return NULL;
	if (access(media_path(c, thumb_name(c, name)), R_OK) == 0)
		return thumb_name(c, name);
	thumb_wish(c, name);
	return NULL;
}

void
thumb_wish(struct ctx *c, const char *name)
{
	const char *path = mark_of(c, WISHES, name);

	if (access(media_path(c, thumb_name(c, name)), F_OK) == 0 ||
	    is_young(mark_of(c, NONE, name), WEEK_S) || access(path, F_OK) == 0)
		return;
	if (!touch(path) && errno == ENOENT &&
	    fileio_make_folder(fileio_folder(c->arena, path), 0700))
		(void)touch(path);
}

void
thumb_remove(struct ctx *c, const char *name)
{
	(void)unlink(media_path(c, thumb_name(c, name)));
	(void)unlink(fresh_path(c, name));
	(void)unlink(mark_of(c, WISHES, name));
	(void)unlink(mark_of(c, NONE, name));
}

const char *
thumb_digest_of(struct ctx *c, const char *name)
{
	const char *digest = name[0] == '.' ? name + 1 : name;
	size_t hex = strspn(digest, "0123456789abcdef");

	if (hex != MEDIA_DIGEST - 1 ||
	    strcmp(digest + hex, digest == name ? THUMBNAIL_ENDING : THUMBNAIL_ENDING FRESH) != 0)
		return NULL;
	return arena_text_n(c->arena, digest, hex);
}

/* ---- the program */

static const char *
program(struct ctx *c)
{
	return arena_printf(c->arena, "%s/bin/" PROGRAM, c->instance->programs);
}

static _Noreturn void
child(const char *path, int picture, int out)
{
	static char name[] = PROGRAM;
	char *const words[] = { name, NULL };
	const struct rlimit no_core = { 0, 0 };
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* One that writes too much ends. */
	signal(SIGPIPE, SIG_DFL);
	setrlimit(RLIMIT_CORE, &no_core);
	alarm(KILLED_AFTER_S);
	if (nowhere >= 0 && dup2(picture, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
	    dup2(nowhere, STDERR_FILENO) >= 0)
		execv(path, words);
	_exit(NOT_STARTED);
}

/* Runs the program, and returns what it wrote, or NULL; *status is that of waitpid(). */
static const char *
run(struct ctx *c, int picture, size_t *len, int *status)
{
	const char *path = program(c), *said;
	int ends[2];
	pid_t pid;

	*status = NOT_STARTED << 8;
	if (pipe2(ends, O_CLOEXEC) != 0)
		return NULL;
	pid = fork();
	if (pid == 0)
		child(path, picture, ends[1]);
	close(ends[1]);
	said = pid < 0 ? NULL : fileio_read_fd(c->arena, ends[0], THUMBNAIL_BYTES_MAX, len);
	close(ends[0]);
	while (pid > 0 && waitpid(pid, status, 0) < 0 && errno == EINTR)
		continue;
	return said;
}

/* ---- one picture */

static bool
has_row(struct ctx *c, const char *name)
{
	return db_exists(c, "SELECT 1 FROM media WHERE digest = :digest",
	    db_tn(":digest", name, MEDIA_DIGEST - 1));
}

/* Grants no wish for a while, for a reason that all have. */
static bool
put_off(struct ctx *c, const char *why)
{
	log_line("thumbnails: none are made for a while, and lists show none: %s", why);
	(void)touch(pause_mark(c));
	return false;
}

static bool
granted(struct ctx *c, const char *name)
{
	const char *wish = mark_of(c, WISHES, name);

	if (unlink(wish) != 0 && errno != ENOENT)
		return put_off(c, arena_printf(c->arena, "%s: %s", wish, strerror(errno)));
	return true;
}

static bool
has_none(struct ctx *c, const char *name, const char *why)
{
	const char *mark = mark_of(c, NONE, name);

	log_line("thumbnail of %s: none: %s", name, why);
	(void)fileio_make_folder(fileio_folder(c->arena, mark), 0700);
	(void)touch(mark);
	return granted(c, name);
}

static bool
write_fresh(const char *path, const void *bytes, size_t len)
{
	int fd = fileio_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW), saved;
	bool done;

	if (fd < 0)
		return false;
	done = fileio_write_all(fd, bytes, len) && fchmod(fd, 0644) == 0 && fsync(fd) == 0;
	saved = errno;
	close(fd);
	errno = saved;
	return done;
}

/* Gives the thumbnail its name, unless the picture was removed meanwhile: it is removed in a
 * writing transaction, too. */
static bool
keep(struct ctx *c, const char *name, const void *bytes, size_t len)
{
	const char *fresh = fresh_path(c, name), *path = media_path(c, thumb_name(c, name));
	bool done = write_fresh(fresh, bytes, len);
	int saved = errno;

	if (done) {
		(void)FAULT("thumbnail-written");
		db_begin_write(c, DB_CONTENT, DB_CHANGES_NOTHING, 0, 0);
		db_pictures_hold(c, false);
		if (has_row(c, name)) {
			done = rename(fresh, path) == 0;
			saved = errno;
		}
		db_commit(c);
	}
	(void)unlink(fresh);
	if (!done)
		return put_off(c, arena_printf(c->arena, "%s: %s", path, strerror(saved)));
	(void)unlink(mark_of(c, NONE, name));
	return granted(c, name);
}

/* Returns why these bytes are no thumbnail, or NULL. */
static const char *
wrong_with(struct ctx *c, const char *said, size_t len, int status)
{
	struct picture is;

	if (said == NULL)
		return PROGRAM " wrote something else";
	if (WIFSIGNALED(status))
		return arena_printf(c->arena, PROGRAM " was ended by signal %d", WTERMSIG(status));
	if (status != 0)
		return PROGRAM " failed";
	if (len > 4 && strncmp(said, "no ", 3) == 0)
		return arena_text_n(c->arena, said + 3, len - 4);
	if (picture_read(c, said, len, &is) != NULL || strcmp(is.extension, "webp") != 0 ||
	    is.width > THUMBNAIL_WIDTH)
		return PROGRAM " wrote something else";
	return NULL;
}

/* Grants one wish. False if no other one can be granted now. */
static bool
make(struct ctx *c, const char *name)
{
	const char *fault, *said;
	bool there;
	size_t len;
	int picture, status;

	db_begin_read(c, DB_CONTENT);
	there = has_row(c, name);
	db_rollback(c);
	if (!there)
		return granted(c, name);
	if (media_read(c, name, &len, &fault) == NULL)
		return has_none(c, name, fault);
	picture = fileio_open(media_path(c, name), O_RDONLY | O_NOFOLLOW);
	if (picture < 0)
		return has_none(c, name, strerror(errno));
	said = run(c, picture, &len, &status);
	close(picture);
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_STARTED)
		return put_off(c, "bin/" PROGRAM " is not there, or cannot be started");
	fault = wrong_with(c, said, len, status);
	return fault != NULL ? has_none(c, name, fault) : keep(c, name, said, len);
}

/* ---- wishes */

/* Reads the names of at most `max` wishes. */
static size_t
read_wishes(struct ctx *c, const char **names, size_t max)
{
	DIR *dir = opendir(mark_of(c, WISHES, ""));
	const struct dirent *entry;
	size_t count = 0;

	while (dir != NULL && count < max && (entry = readdir(dir)) != NULL) {
		if (media_digest_of(c, entry->d_name) != NULL)
			names[count++] = arena_text(c->arena, entry->d_name);
	}
	if (dir != NULL)
		closedir(dir);
	return count;
}

bool
thumbs_are_due(struct ctx *c)
{
	bool can = access(program(c), X_OK) == 0;
	const char *name;

	return !is_young(pause_mark(c), can ? HOUR_S : DAY_S) && read_wishes(c, &name, 1) > 0;
}

bool
thumbs_make(struct ctx *c, const struct work *work)
{
	const char *names[AT_ONCE];
	size_t count = read_wishes(c, names, AT_ONCE);
	int64_t until = clock_boot() + WORK;
	struct arena scratch, *kept = c->arena;
	bool goes_on = true;

	if (!disk_has_room(c->instance->media, (int64_t)(count * THUMBNAIL_BYTES_MAX)))
		return put_off(c, "the disk is full, or nearly so");
	db_open(c, DB_WAIT_TOOL_MS);
	arena_init(&scratch, 4 * PICTURE_BYTES_MAX + SLACK);
	c->arena = &scratch;
	for (size_t i = 0; goes_on && i < count && clock_boot() < until && !work_must_stop(work);
	     i++) {
		goes_on = make(c, names[i]);
		arena_reset(&scratch);
	}
	c->arena = kept;
	arena_release(&scratch);
	db_close(c);
	return goes_on;
}
