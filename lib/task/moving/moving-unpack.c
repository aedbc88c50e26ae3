#include "task/moving/moving-unpack.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "action/moving/uploads.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "base/uuid.h"
#include "people/task.h"
#include "screen/tr.h"
#include "store/db.h"
#include "system/fault.h"
#include "system/instance.h"
#include "task/moving/moving-files.h"

#define PROGRAM "galley-unpack"
#define SECONDS "5"
#define KILLED_AFTER_S 60 /* one file may take longer than the seconds */
#define SAID_MAX ((size_t)200)
#define NOT_STARTED 127
#define PREFIX "opened-"
#define DEPTH_MAX 40

/* Removes a folder and all below it; no link is followed. */
static void
remove_all(int at, const char *name, int depth)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	while (dir != NULL && depth < DEPTH_MAX && (entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (unlinkat(fd, entry->d_name, 0) != 0)
			remove_all(fd, entry->d_name, depth + 1);
	}
	if (dir != NULL)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
	(void)unlinkat(at, name, AT_REMOVEDIR);
}

/* ---- the program */

static _Noreturn void
child(const char *program, int archive, int out, char *const *words)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	alarm(KILLED_AFTER_S);
	if (dup2(archive, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0)
		execv(program, words);
	_exit(NOT_STARTED);
}

/* Starts the program, and returns what it said, or NULL; *status is that of waitpid(). */
static const char *
run(struct ctx *c, const struct moving *m, const struct moving_files *files, int *status)
{
	const char *program = arena_printf(c->arena, "%s/bin/" PROGRAM, c->instance->programs);
	const char *words[] = { PROGRAM, files->opened,
		arena_printf(c->arena, "%" PRId64, m->entries),
		arena_printf(c->arena, "%" PRId64, m->bytes), SECONDS, NULL };
	int archive = fileio_open(files->sent, O_RDONLY | O_NOFOLLOW), ends[2];
	const char *said;
	pid_t pid;

	*status = NOT_STARTED << 8;
	if (archive < 0 || pipe2(ends, O_CLOEXEC) != 0)
		die_passing(10, "%s: %s", files->sent, strerror(errno));
	pid = fork();
	if (pid == 0)
		child(program, archive, ends[1], (char *const *)words);
	close(archive);
	close(ends[1]);
	said = pid < 0 ? NULL : fileio_read_fd(c->arena, ends[0], SAID_MAX, NULL);
	close(ends[0]);
	while (pid > 0 && waitpid(pid, status, 0) < 0 && errno == EINTR)
		continue;
	return said;
}

/* ---- what it said */

static struct err *
refused(struct ctx *c, const char *why)
{
	static const struct {
		const char *word, *sentence;
	} reasons[] = {
		{ "no entries\n", tr_mark("The archive has more than 100,000 files.") },
		{ "no bytes\n",
		    tr_mark(
			"The archive holds more than 8 GiB, or more than a hundred times its own size.") },
		{ "no disk\n",
		    tr_mark(
			"The disk of this instance has not enough space for what the archive holds. Ask the operator.") },
		{ "no encrypted\n", tr_mark("The archive has a password. Make it without one.") },
	};

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (strcmp(why, reasons[i].word) == 0)
			return refuse(c, ERR_INVALID, "%s", reasons[i].sentence);
	}
	return refuse(
	    c, ERR_INVALID, "%s", tr_mark("The archive is damaged, or is not a zip archive."));
}

static struct err *
unpack(struct ctx *c, struct moving *m, struct task *t, const struct moving_files *files)
{
	int status;
	const char *said;
	char word[8];

	if (mkdir(files->opened, 0700) != 0 && errno != EEXIST)
		die_passing(10, "%s: %s", files->opened, strerror(errno));
	said = run(c, m, files, &status);
	(void)FAULT("archive-unpacked");
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_STARTED)
		return refuse(c, ERR_INVALID, "%s",
		    tr_mark(
			"Archives cannot be opened here. Unpack it, and send the export that is in it."));
	if (said == NULL || status != 0)
		said = "";
	if (sscanf(said, "%7s %" SCNd64 " %" SCNd64, word, &m->entries, &m->bytes) != 3)
		return refused(c, said);
	if (strcmp(word, "done") == 0)
		t->number = 1;
	return NULL;
}

static void
note(struct ctx *c, const struct moving *m, const struct task *t)
{
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	uploading_touch(c, m->upload);
	moving_update(c, m);
	(void)task_advance(c, t);
	db_commit(c);
}

struct err *
moving_unpack(struct ctx *c, struct task *t, bool *prepared)
{
	struct moving_files files;
	struct moving *m;
	struct err *err;

	*prepared = t->number != 0;
	if (*prepared)
		return NULL;
	db_begin_read(c, DB_CONSOLE);
	m = moving_find(c, t->id);
	db_rollback(c);
	/* What is wrong with it is told by its step. */
	if (m == NULL || moving_files_find(c, m, &files) != NULL || !files.archive) {
		*prepared = true;
		return NULL;
	}
	err = unpack(c, m, t, &files);
	if (err != NULL) {
		/* It may be a hundred times the upload, which alone counts for the account. */
		remove_all(AT_FDCWD, files.opened, 0);
		return err;
	}
	note(c, m, t);
	return NULL;
}

/* ---- what is left over */

/* Returns the upload of a file or folder that an import made, or NULL. */
static const char *
upload_of(struct ctx *c, const char *name)
{
	static const char *const prefixes[] = { PREFIX, MOVING_FETCHED };
	char uuid[UUID_TEXT];

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t len = strlen(prefixes[i]);
		if (strncmp(name, prefixes[i], len) == 0 && uuid_parse(name + len, uuid))
			return arena_text(c->arena, uuid);
	}
	return NULL;
}

bool
moving_unpack_sweep(struct ctx *c, bool only_look)
{
	DIR *dir = opendir(fileio_path(c->arena, c->instance->run, "console"));
	const struct dirent *entry;
	const char *uuid;
	bool found = false, there;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		uuid = upload_of(c, entry->d_name);
		if (uuid == NULL)
			continue;
		there = access(uploads_path(c, uuid), F_OK) == 0;
		found = found || !there;
		if (!there && !only_look && unlinkat(dirfd(dir), entry->d_name, 0) != 0)
			remove_all(dirfd(dir), entry->d_name, 0);
	}
	if (dir != NULL)
		closedir(dir);
	return found;
}
