/* galley fix: owners and modes of an instance's folders (docs/design.md §1). */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/checksum.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "command/call.h"
#include "command/commands.h"
#include "start/gift.h"
#include "start/owner.h"
#include "stats/stats.h"
#include "system/conf.h"
#include "system/instance.h"

/* The text that install.sh writes, too. */
#define FIX_HTACCESS                                                                               \
	"# Nothing here is for the web: it does not exist there.\n"                                \
	"<IfModule mod_alias.c>\n"                                                                 \
	"\tRedirectMatch 404 \".*\"\n"                                                             \
	"</IfModule>\n"                                                                            \
	"<IfModule !mod_alias.c>\n"                                                                \
	"\tRequire all denied\n"                                                                   \
	"</IfModule>\n"
#define NOTE_MAX ((size_t)1024 * 1024)

/* Tells of a change: as a line, or with --json as a text. */
static void
say(struct call *call, const char *line)
{
	if (call->as_json)
		jwrite_text(&call->json, line);
	call_say(call, "%s", line);
}

static void
say_gift(void *arg, const char *line)
{
	say(arg, line);
}

/* Sets the mode of one of the owner's own files. Root never does this. */
static void
set_mode(struct ctx *c, struct call *call, const char *path, mode_t mode)
{
	struct stat st;

	if (lstat(path, &st) != 0 || !(S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)) ||
	    (st.st_mode & 07777) == mode)
		return;
	if (chmod(path, mode) == 0)
		say(call, arena_printf(c->arena, "Mode %o of %s is now %o.",
			      (unsigned)st.st_mode & 07777, path, (unsigned)mode));
	else
		say(call,
		    arena_printf(c->arena, "Mode %o of %s should be %o, and cannot be changed: %s.",
			(unsigned)st.st_mode & 07777, path, (unsigned)mode, strerror(errno)));
}

static void
set_files(struct ctx *c, struct call *call, const char *folder, mode_t mode)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	const char *path;
	struct stat st;

	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL) {
		path = fileio_path(c->arena, folder, entry->d_name);
		if (lstat(path, &st) == 0 && S_ISREG(st.st_mode))
			set_mode(c, call, path, mode);
	}
	closedir(dir);
}

/* Writes a .htaccess into a folder that a web server might serve without knowing
 * what to hide. */
static void
hide(struct ctx *c, const char *folder)
{
	static const char text[] = FIX_HTACCESS;
	const char *path = fileio_path(c->arena, folder, ".htaccess");
	struct stat st;

	if (lstat(path, &st) != 0)
		(void)fileio_replace(c->arena, path, text, strlen(text), 0600);
}

/* The files of the console in run/. */
static void
set_console_modes(struct ctx *c, struct call *call, const char *folder)
{
	const char *sessions = fileio_path(c->arena, folder, "sessions");

	set_mode(c, call, folder, 0700);
	set_files(c, call, folder, 0600);
	set_mode(c, call, sessions, 0700);
	set_files(c, call, sessions, 0600);
}

static void
set_modes(struct ctx *c, struct call *call, const char *const *closed, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		set_mode(c, call, closed[i], 0700);
		hide(c, closed[i]);
		set_files(c, call, closed[i], 0600);
	}
	set_console_modes(c, call, fileio_path(c->arena, c->instance->run, "console"));
	set_mode(c, call, c->instance->conf, 0600);
	set_mode(c, call, c->instance->media, 0755);
	set_files(c, call, c->instance->media, 0644);
}

/* Adds what setup said to log/setup.txt. The same text is not added twice in a
 * row: a line of cron must not fill the disk. */
static struct err *
add_note(struct ctx *c)
{
	const char *log = fileio_path(c->arena, c->instance->log, "setup.txt");
	const char *last = fileio_path(c->arena, c->instance->log, "setup.last");
	const char *text, *before, *sum, *note;
	char now[CLOCK_TEXT];
	size_t len;
	int fd;

	text = fileio_read_fd(c->arena, STDIN_FILENO, NOTE_MAX, &len);
	if (text == NULL)
		return refuse(c, ERR_INTERNAL, "standard input: %s.", strerror(errno));
	sum = arena_printf(c->arena, "%llx\n", (unsigned long long)checksum(text, len));
	before = fileio_read_now(c->arena, last, NOTE_MAX, NULL);
	if (before != NULL && strcmp(before, sum) == 0)
		return NULL;
	clock_format(now, clock_now());
	note = arena_printf(c->arena, "==== %s\n%s\n", now, text);
	fd = fileio_open(log, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0 || !fileio_write_all(fd, note, strlen(note)))
		return refuse(c, ERR_INTERNAL, "%s: %s.", log, strerror(errno));
	close(fd);
	(void)fileio_replace(c->arena, last, sum, strlen(sum), 0600);
	return NULL;
}

static struct err *
fix(struct ctx *c, struct call *call)
{
	const char *const folders[] = { fileio_folder(c->arena, c->instance->db), c->instance->run,
		c->instance->log, conf_good_folder(c),
		fileio_path(c->arena, c->instance->home, "people"), stats_folder(c),
		c->instance->media };
	size_t count = sizeof(folders) / sizeof(folders[0]);
	struct err *err;
	uid_t uid, leader;
	gid_t gid;

	err = owner_of(c, &uid, &gid);
	if (err != NULL)
		return err;
	if (call->as_json)
		jwrite_array(&call->json);
	for (size_t i = 0; i < count && geteuid() == 0 && uid != 0; i++) {
		/* This is done only if nobody can exchange the folder itself. */
		if (owner_leader(c, fileio_folder(c->arena, folders[i]), &leader) == NULL &&
		    leader == 0)
			gift_give(c, folders[i], uid, gid, say_gift, call);
	}
	err = owner_become_user(c, uid, gid);
	if (err == NULL && call_has(call, "note"))
		err = add_note(c);
	else if (err == NULL)
		set_modes(c, call, folders, count - 1);
	if (call->as_json)
		jwrite_array_end(&call->json);
	return err;
}

static const struct command_option fix_options[] = {
	{ .name = "note", .help = "instead, add standard input to log/setup.txt: for setup" },
	{ .name = NULL },
};

const struct command command_fix[] = {
	{ .verb = "fix",
	    .operands = "",
	    .options = fix_options,
	    .flags = COMMAND_NEW,
	    .run = fix,
	    .summary = "give files and folders their owner and mode again",
	    .text =
		"Where db, run, log, good, people, stats and media hold what root has put there, root gives it to the instance's owner; a link, and a file of several names, is left and named, since it may lead elsewhere. All else is done as that owner: modes that others could read or write by. Says what it changed. setup does this, too." },
	{ .verb = NULL },
};
