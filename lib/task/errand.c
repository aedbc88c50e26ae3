#include "task/errand.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "action/action.h"
#include "action/uploaded-files.h"
#include "backup/archive.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "base/uuid.h"
#include "job/trial.h"
#include "people/membership.h"
#include "people/person.h"
#include "screen/tr.h"
#include "start/pending.h"
#include "store/db.h"
#include "system/disk.h"
#include "system/fault.h"
#include "system/filelock.h"
#include "system/instance.h"
#include "system/work.h"

#define FILE_MAX ((size_t)64 * 1024)
#define REPORT_MAX 4000
#define NUMBER_MAX 18 /* digits */
#define WORD_MAX 64
#define LOCK_WAIT (120 * CLOCK_SECOND)

static const char *
path_of(struct ctx *c, bool aside)
{
	return fileio_path(
	    c->arena, c->instance->run, aside ? "console/errand-aside" : "console/errand");
}

/* Returns the rest of the line that begins with `name`, or NULL. */
static const char *
line_of(struct arena *a, const char *text, const char *name)
{
	size_t len = strlen(name);

	while (*text != '\0') {
		const char *end = text + strcspn(text, "\n");
		if (strncmp(text, name, len) == 0 && text[len] == ' ')
			return arena_text_n(a, text + len + 1, (size_t)(end - text) - len - 1);
		text = *end == '\n' ? end + 1 : end;
	}
	return NULL;
}

/* Reads a text; one that is not there damages the errand. */
static const char *
text_of(struct arena *a, const char *text, const char *name, bool *damaged)
{
	const char *value = line_of(a, text, name);

	if (value != NULL)
		return value;
	*damaged = true;
	return "";
}

/* Reads a number from 0 on; anything else damages the errand. */
static int64_t
number_of(struct arena *a, const char *text, const char *name, bool *damaged)
{
	const char *value = text_of(a, text, name, damaged);
	size_t digits = strspn(value, "0123456789");

	if (digits > 0 && digits <= NUMBER_MAX && value[digits] == '\0')
		return strtoll(value, NULL, 10);
	*damaged = true;
	return 0;
}

static bool
is_state(const char *word)
{
	static const char *const states[] = { "waiting", "running", "done", "failed" };

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		if (strcmp(states[i], word) == 0)
			return true;
	}
	return false;
}

void
errand_read(struct arena *a, const char *text, struct errand *out)
{
	bool damaged = false;

	*out = (struct errand) { .kind = text_of(a, text, "kind", &damaged),
		.id = text_of(a, text, "id", &damaged),
		.person = line_of(a, text, "person"),
		.file = line_of(a, text, "file"),
		.state = text_of(a, text, "state", &damaged),
		.report = text_of(a, text, "report", &damaged),
		.asked_at = number_of(a, text, "asked_at", &damaged),
		.changed_at = number_of(a, text, "changed_at", &damaged),
		.tries = number_of(a, text, "tries", &damaged) };
	/* Errands of older releases had neither. */
	out->person = out->person != NULL ? out->person : "";
	out->file = out->file != NULL ? out->file : "";
	out->damaged = damaged || !is_state(out->state) || out->tries > ERRAND_TRIES ||
		       strlen(out->kind) > WORD_MAX || strlen(out->id) > WORD_MAX ||
		       strlen(out->person) > WORD_MAX || strlen(out->file) > ERRAND_FILE_MAX;
	if (!out->damaged)
		return;
	/* It waits for its end, which the task runner gives it. */
	out->kind = arena_text_n(a, out->kind, strnlen(out->kind, WORD_MAX));
	out->id = arena_text_n(a, out->id, strnlen(out->id, WORD_MAX));
	out->person = out->file = "";
	out->state = "waiting";
	out->report = "";
}

static bool
find(struct ctx *c, bool aside, struct errand *out)
{
	const char *text = fileio_read_own(c->arena, path_of(c, aside), FILE_MAX, NULL);

	if (text == NULL)
		return false;
	errand_read(c->arena, text, out);
	out->aside = aside;
	return true;
}

bool
errand_find(struct ctx *c, struct errand *out)
{
	return find(c, false, out);
}

bool
errand_find_aside(struct ctx *c, struct errand *out)
{
	return find(c, true, out);
}

bool
errand_is_open(const struct errand *e)
{
	return strcmp(e->state, "waiting") == 0 || strcmp(e->state, "running") == 0;
}

/* Writes the errand, whole. */
static bool
write_errand(struct ctx *c, struct errand *e, const char *state, const char *report)
{
	char *line = arena_text(c->arena, report);
	const char *text;

	for (char *p = line; *p != '\0'; p++)
		*p = *p == '\n' ? ' ' : *p;
	if (strlen(line) > REPORT_MAX)
		line[REPORT_MAX] = '\0';
	e->state = state;
	e->report = line;
	e->changed_at = clock_now();
	text = arena_printf(c->arena,
	    "kind %s\nid %s\nperson %s\nfile %s\nstate %s"
	    "\nasked_at %" PRId64 "\nchanged_at %" PRId64 "\ntries %" PRId64 "\nreport %s\n",
	    e->kind, e->id, e->person, e->file, e->state, e->asked_at, e->changed_at, e->tries,
	    e->report);
	return fileio_replace(c->arena, path_of(c, e->aside), text, strlen(text), 0600);
}

static const struct errand_kind *
kind_of(const char *name)
{
	for (const struct errand_kind *k = errand_kinds; k->name != NULL; k++) {
		if (strcmp(k->name, name) == 0)
			return k;
	}
	return NULL;
}

bool
errand_is_beside(const struct errand *e)
{
	const struct errand_kind *kind = kind_of(e->kind);

	return kind != NULL && kind->beside && !e->damaged;
}

struct err *
errand_ask(struct ctx *c, const struct errand *order, const char **id)
{
	const struct errand_kind *kind = kind_of(order->kind);
	char *uuid = arena_alloc(c->arena, UUID_TEXT);
	const char *path;
	struct errand e;

	if (kind == NULL)
		return refuse(c, ERR_INVALID, tr_mark("There is no errand %s."), order->kind);
	path = path_of(c, kind->aside);
	if (find(c, kind->aside, &e) && errand_is_open(&e))
		return refuse(
		    c, ERR_CONFLICT, tr_mark("This was begun already, and is not done yet."));
	uuid_random(uuid);
	e = (struct errand) { .kind = order->kind,
		.id = uuid,
		.person = order->person != NULL ? order->person : "",
		.file = order->file != NULL ? order->file : "",
		.asked_at = clock_now(),
		.aside = kind->aside };
	if (!fileio_make_folder(fileio_folder(c->arena, path), 0700) ||
	    !write_errand(c, &e, "waiting", ""))
		return refuse(c, ERR_UNAVAILABLE, "%s: %s.", path, strerror(errno));
	*id = uuid;
	return NULL;
}

/* ---- the task runner's part */

/* Asks the process that holds the lock to end, if it is the instance's job runner. */
static void
ask_to_end(struct ctx *c, pid_t holder)
{
	const char *link = arena_printf(c->arena, "/proc/%ld/exe", (long)holder);
	char path[4096];
	ssize_t len = readlink(link, path, sizeof(path) - 1);

	if (len <= 0)
		return;
	path[len] = '\0';
	/* " (deleted)" is after it when the program was replaced meanwhile. */
	if (strncmp(fileio_name(path), "job-runner", strlen("job-runner")) == 0)
		(void)kill(holder, SIGTERM);
}

/* Takes the lock of the job runner. */
static struct err *
take_lock(struct ctx *c, const struct work *work, int *lock)
{
	const struct timespec pause = { 0, 100 * 1000 * 1000 };
	int64_t deadline = clock_boot() + LOCK_WAIT;
	const char *path = pending_lock(c);
	pid_t holder, asked = 0;

	for (;;) {
		*lock = filelock_take(path, &holder);
		if (*lock >= 0)
			return NULL;
		if (holder == 0)
			return refuse(c, ERR_INTERNAL, "%s: %s.", path, strerror(errno));
		if (clock_boot() >= deadline)
			return refuse(c, ERR_CONFLICT,
			    tr_mark("Process %ld works on jobs or restores, and does not end."),
			    (long)holder);
		if (work_must_stop(work))
			return work_stopped(c, "nothing was begun.");
		if (holder != asked)
			ask_to_end(c, holder);
		asked = holder;
		nanosleep(&pause, NULL);
	}
}

/* Refuses an errand of a person who is no operator any more. */
static struct err *
look_at_person(struct ctx *c, const struct errand *e)
{
	const struct person *p;
	bool may;

	if (e->person[0] == '\0')
		return NULL;
	db_open(c, DB_WAIT_TOOL_MS);
	db_begin_read(c, DB_CONSOLE);
	p = person_find(c, e->person);
	may = p != NULL && p->disabled_at == 0 &&
	      (membership_rights(c, p->id, NULL, NULL) & RIGHT_OPERATE) != 0;
	db_rollback(c);
	db_close(c);
	return may ? NULL
		   : refuse(c, ERR_FORBIDDEN,
			 tr_mark("The person who began it may not do this any more."));
}

static struct err *
run(struct ctx *c, const struct errand *e, const struct work *work, const char **report)
{
	const struct errand_kind *kind = kind_of(e->kind);
	struct err *err;
	int lock = -1;

	if (kind == NULL)
		return refuse(
		    c, ERR_INVALID, tr_mark("This release does not know the errand %s."), e->kind);
	err = look_at_person(c, e);
	if (err == NULL && !kind->beside)
		err = take_lock(c, work, &lock);
	/* The right may have ended while the lock was waited for. */
	if (lock >= 0)
		err = look_at_person(c, e);
	(void)FAULT("errand-alone");
	if (err == NULL)
		err = kind->run(c, e, work, report);
	(void)FAULT("errand-done");
	if (lock >= 0)
		filelock_release(lock);
	return err;
}

static void
note(struct ctx *c, struct errand *e, const char *state, const char *report)
{
	log_line("errand %s %s: %s: %s", e->kind, e->id, state, report);
	if (!write_errand(c, e, state, report))
		die("%s: %s", path_of(c, e->aside), strerror(errno));
}

bool
errand_run(struct ctx *c, bool aside, const struct work *work)
{
	const char *report = "";
	struct errand e;
	struct err *err;

	if (!find(c, aside, &e) || !errand_is_open(&e))
		return false;
	if (e.damaged) {
		e.tries = ERRAND_TRIES;
		note(c, &e, "failed", "Its file was damaged. Nothing was begun.");
		return true;
	}
	if (e.tries >= ERRAND_TRIES) {
		note(c, &e, "failed",
		    arena_printf(c->arena, "It was begun %d times and never came to its end.",
			ERRAND_TRIES));
		return true;
	}
	e.tries++;
	note(c, &e, "running", "");
	err = run(c, &e, work, &report);
	if (err != NULL && work_is_stopped(err)) {
		e.tries--;
		note(c, &e, "waiting", "");
		return false;
	}
	note(c, &e, err == NULL ? "done" : "failed", err == NULL ? report : err->message);
	return true;
}

/* ---- what an operator asks for */

/* Refuses what does not fit on the disk: a backup has at least the database in it, a dump about as
 * much. */
static struct err *
look_for_room(struct ctx *c, const char *kind)
{
	struct stat st;

	if ((strcmp(kind, ASKING_BACKUP) != 0 && strcmp(kind, ASKING_DUMP) != 0) ||
	    stat(c->instance->db, &st) != 0 || disk_has_room(c->instance->db, st.st_size))
		return NULL;
	return refuse(
	    c, ERR_UNAVAILABLE, tr_mark("The disk is too full for this. Remove something first."));
}

/* Asks for an errand; `fresh` is the file that came with it, or NULL. */
static struct err *
ask(struct ctx *c, const struct errand *order, struct uploading *fresh)
{
	const char *id;

	ACTION(c, action_begin_console(c));
	if (fresh != NULL)
		TRY(uploads_add(c, fresh));
	TRY(errand_ask(c, order, &id));
	return action_commit(c);
}

struct err *
asking_begin(struct ctx *c, const char *kind, const char *person)
{
	struct err *err = look_for_room(c, kind);

	return err != NULL ? err
			   : ask(c, &(struct errand) { .kind = kind, .person = person }, NULL);
}

struct err *
asking_provider(struct ctx *c, const char *what, const char *person)
{
	const char *program;
	struct err *err = trial_program(c, &program);

	return err != NULL ? err
			   : ask(c,
				 &(struct errand) {
				     .kind = ASKING_PROVIDER, .person = person, .file = what },
				 NULL);
}

/* ---- restore */

#define SENT "sent-" /* begins the name of an upload; no backup is called so */

struct err *
asking_path(struct ctx *c, const char *file, const char **path)
{
	struct kept k;
	char uuid[UUID_TEXT];
	struct err *err;

	if (strncmp(file, SENT, strlen(SENT)) == 0 && uuid_parse(file + strlen(SENT), uuid)) {
		*path = uploads_path(c, arena_text(c->arena, uuid));
		return NULL;
	}
	err = kept_get(c, file, &k);
	*path = k.path;
	return err;
}

/* Returns whether a person has typed the host of an origin, with or without its port. */
static bool
is_host(const char *typed, const char *origin)
{
	const char *host = origin + strcspn(origin, "/");
	size_t len, port;

	host += strspn(host, "/");
	len = strlen(host);
	port = host[0] == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");
	return (strlen(typed) == len || strlen(typed) == port) &&
	       strncasecmp(typed, host, strlen(typed)) == 0;
}

/* Refuses a backup that is not there, or that is no backup by what is first in it. */
static struct err *
look_inside(struct ctx *c, const char *name)
{
	struct kept k;
	struct err *err = kept_get(c, name, &k);
	int64_t at;

	if (err != NULL || (archive_find_old(c, k.path, &at) == NULL && at != -1))
		return err;
	return err_param(c, "backup", tr_mark("This file is not a backup of Galley."));
}

struct err *
asking_restore(struct ctx *c, const struct asking_restore *order)
{
	const char *file = order->backup != NULL ? order->backup
						 : arena_printf(c->arena, SENT "%s", order->upload);
	struct err *err = NULL;

	if (!is_host(order->typed, order->origin))
		err = err_param(c, "host", tr_mark("This is not the host of this console."));
	if (err == NULL && order->backup != NULL)
		err = look_inside(c, file);
	if (err == NULL)
		err = ask(c,
		    &(struct errand) {
			.kind = ASKING_RESTORE, .person = order->person, .file = file },
		    order->fresh);
	if (err != NULL && order->fresh != NULL)
		uploads_drop(c, order->fresh);
	return err;
}

struct err *
asking_remove(struct ctx *c, const char *name)
{
	struct errand e;
	struct kept k;

	ACTION(c, action_begin_console(c));
	if (errand_find(c, &e) && errand_is_open(&e))
		return refuse(c, ERR_CONFLICT,
		    tr_mark(
			"Something is going on that may need this backup. Wait until it is done."));
	TRY(kept_get(c, name, &k));
	if (unlink(k.path) != 0)
		return refuse(c, ERR_INTERNAL, "%s: %s.", k.path, strerror(errno));
	return action_commit(c);
}
