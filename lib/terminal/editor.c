#include "terminal/editor.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "system/instance.h"
#include "terminal/terminal.h"

#define TEXT_MAX ((size_t)8 * 1024 * 1024)

static void
tell_kept(void *arg, const char *path)
{
	(void)arg;
	note_say("An earlier text that was not saved is in %s.", path);
}

struct err *
editor_open(struct editor *e, struct ctx *c, const char *name, const char *text, size_t len)
{
	int error;

	unsaved_sweep(c);
	unsaved_list(c, name, tell_kept, NULL);
	error = unsaved_make(c, name, text, len, &e->file);
	if (error != 0)
		return refuse(c, ERR_INTERNAL, "No file for the editor can be made in %s: %s.",
		    c->instance->run, strerror(error));
	e->c = c;
	e->path = e->file.path;
	e->text = text;
	e->len = len;
	e->first = text;
	e->first_len = len;
	return NULL;
}

static const char *
program(void)
{
	const char *name = getenv("VISUAL");

	if (name == NULL || name[0] == '\0')
		name = getenv("EDITOR");
	if (name == NULL || name[0] == '\0')
		name = access("/usr/bin/editor", X_OK) == 0 ? "editor" : "vi";
	return name;
}

/* Returns whether the editor of this command line accepts +LINE. */
static bool
takes_line(const char *command)
{
	static const char *const known[] = { "vi", "vim", "nvim", "nano", "emacs", "emacsclient",
		"editor", "joe", "mg", "micro", "ed" };
	const char *name = command;
	size_t len = strcspn(command, " ");

	for (const char *p = command; p < command + len; p++) {
		if (*p == '/')
			name = p + 1;
	}
	len -= (size_t)(name - command);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strlen(known[i]) == len && memcmp(known[i], name, len) == 0)
			return true;
	}
	return false;
}

/* Runs in the child. A shell splits EDITOR into words, as git does it. */
static _Noreturn void
become_editor(const char *command, const char *line, const char *path)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	execl("/bin/sh", "sh", "-c", command, "editor", path, line, (char *)NULL);
	_exit(127);
}

/* The terminal's interrupt belongs to the editor while it runs. */
static int
wait_for(pid_t child)
{
	int status = -1;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/* Returns the sentence about the text when the editor failed. A text that nobody
 * changed is not kept. */
static const char *
where_text_is(struct editor *e)
{
	struct arena *a = e->c->arena;
	size_t len;
	const char *now = fileio_read(a, e->path, TEXT_MAX, &len);

	if (now == NULL || len != e->first_len || memcmp(now, e->first, len) != 0) {
		unsaved_keep(&e->file);
		return arena_printf(a, "Your text is in %s for %d days.", e->path, UNSAVED_DAYS);
	}
	unsaved_remove(&e->file);
	return "Your text is the article's as before: nothing was edited.";
}

struct err *
editor_run(struct editor *e, unsigned line)
{
	struct ctx *c = e->c;
	const char *name = program();
	const char *command, *where;
	void (*interrupt)(int) = signal(SIGINT, SIG_IGN);
	void (*quit)(int) = signal(SIGQUIT, SIG_IGN);
	int status;
	pid_t child;

	where = line > 0 && takes_line(name) ? arena_printf(c->arena, "+%u", line) : "";
	command = arena_printf(c->arena, "%s %s\"$1\"", name, where[0] != '\0' ? "\"$2\" " : "");
	child = fork();
	if (child == 0)
		become_editor(command, where, e->path);
	if (child < 0)
		die("fork: %s", strerror(errno));
	status = wait_for(child);
	signal(SIGINT, interrupt);
	signal(SIGQUIT, quit);
	if (status != 0)
		return refuse(c, ERR_INVALID, "The editor (%s) failed. %s", name, where_text_is(e));
	e->text = fileio_read(c->arena, e->path, TEXT_MAX, &e->len);
	if (e->text == NULL)
		return editor_keep(
		    e, refuse(c, ERR_INVALID, "The text cannot be read: %s.", strerror(errno)));
	return NULL;
}

struct err *
editor_keep(struct editor *e, const struct err *err)
{
	unsaved_keep(&e->file);
	return refuse(e->c, err->code, "%s Your text is kept in %s for %d days.", err->message,
	    e->path, UNSAVED_DAYS);
}

void
editor_close(struct editor *e)
{
	unsaved_remove(&e->file);
}
